"""A league in its run folder: rounds of turns, matches and ratings, checkpoints, and what it delivers.

In every round all members train their turns, as many at the same time as the runner has workers; then they exchange
weights and snapshots. The result depends on the configuration alone, not on where the turns are played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Self

import torch
from rich.markup import escape

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.arena import MatchResult
from holdem_env.arena.tournaments.ratings import Rating, rate
from holdem_env.game.units import unit_of
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.runner import Interrupted
from holdem_env.utils.shown_names import shown_name

from ...agent_files.model_files import load
from ...progress import VisibleProgress
from ...runs import files
from ...runs.logs import Log, make_log
from ...runs.run import Logs, Run, Trainable
from ..config import MAX_HANDS, League
from ..evaluation.matches import EVALUATION_SEED, play
from ..evaluation.mistakes import write_mistakes
from ..evaluation.model_card import write_card
from ..evaluation.report import write_crosstable
from ..learners.torch_settings import torch_settings
from .member import News, RoundEnd, State, Turn, TurnTask, play_turn

RETRIES = 3
"""How often a turn is played again if its worker is lost each time."""


class LeagueRun(Trainable):
    """A league in training.

    The folder gets a folder of logs for each learner, ratings.csv (after every round), snapshots/ (the best rated),
    crosstable.csv, final.safetensors (the best-rated snapshot), and a checkpoint after every round. An interrupted
    league has a final.safetensors if a round was rated.

    turns: how many turns of all members are over. matches: the results so far, by the names of two snapshots. kept: the
    names of the kept snapshots, best first.
    """

    IN_PARALLEL = True

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.league: League = run.config
        self.turns = 0
        self.matches: dict[tuple[str, str], MatchResult] = {}
        self.kept: list[str] = []
        self._states: dict[str, State] = {}
        self._models: dict[str, bytes] = {}  # the model files of the last turns
        self._round_end = RoundEnd([], [])
        self._heard: set[str] = set()  # who has heard of it
        self._pool: list[tuple[str, int]] = []  # what all pools hold
        self._member_logs: dict[str, Log] = {}
        self._seconds = 0.0
        self._since: float | None = None

    @classmethod
    @contextmanager
    def opened(cls, run: Run) -> Iterator[Self]:
        with torch_settings():
            yield cls(run)

    @classmethod
    def spent_in(cls, config: League, state: State) -> float:
        return min(int(state["turns"]) / (config.rounds * len(config.learners)), 1.0)

    @classmethod
    def logs(cls, config: League, folder: Path, state: State | None) -> Logs:
        members = state["members"] if state else {}
        done = {name: member["learner"]["decisions"] for name, member in members.items()}
        return {folder / name / files.PROGRESS: (files.DECISIONS, done.get(name, -1)) for name in config.learners}

    def done(self) -> int:
        return sum(state["learner"]["decisions"] for state in self._states.values())

    def is_over(self) -> bool:
        return self.turns >= self.total_turns

    def plan(self) -> list[str]:
        return []

    @property
    def total_turns(self) -> int:
        """The turns of all members in the whole league."""
        return self.league.rounds * len(self.league.learners)

    @property
    def seconds(self) -> float:
        return self._seconds + (0.0 if self._since is None else monotonic() - self._since)

    @contextmanager
    def _turn_clock(self) -> Iterator[None]:
        self._since = monotonic()
        try:
            yield
        finally:
            self._seconds, self._since = self.seconds, None

    def state(self) -> State:
        matches = [
            [match.agent, match.opponent, match.mean, match.half_width, match.hands, match.deals]
            for match in self.matches.values()
        ]
        return {
            "turns": self.turns,
            "seconds": self.seconds,
            "matches": matches,
            "kept": self.kept,
            "pool": self._pool,
            "members": dict(self._states),
            "models": {
                name: torch.frombuffer(bytearray(model), dtype=torch.uint8) for name, model in self._models.items()
            },
            "news": [vars(news) for news in self._round_end.news],
            "removed": self._round_end.removed,
            "heard": sorted(self._heard),
        }

    def load(self, state: State) -> None:
        self.turns, self.kept, self._seconds = state["turns"], state["kept"], state["seconds"]
        for match in state["matches"]:
            self.matches[match[0], match[1]] = replace(MatchResult(*match), unit=unit_of(self.league.rules))
        self._pool = [(name, decisions) for name, decisions in state["pool"]]
        self._states = dict(state["members"])
        self._models = {name: model.numpy().tobytes() for name, model in state["models"].items()}
        self._round_end = RoundEnd([News(**news) for news in state["news"]], state["removed"])
        self._heard = set(state["heard"])

    def advance(self, between: Callable[[], bool]) -> None:
        with VisibleProgress(disable=not self.run.show) as bar, self._logs():
            self._task = bar.add_task("league", total=self.total_turns, unit="turns")
            while not (self.is_over() or self.run.interrupts.asked):
                with self._turn_clock():
                    turns = self._play_round(bar)
                if not (len(turns) == len(self.league.learners) and all(turn.is_over for turn in turns.values())):
                    self.run.save()  # in the middle of the round
                    break
                self._end_round(turns)
                # Only a saved checkpoint makes old snapshots unnecessary: the one before it may still name them.
                if self.run.save():
                    self._remove_old_snapshots()

    @contextmanager
    def _logs(self) -> Iterator[None]:
        for name in self.league.learners:
            (self.folder / name).mkdir(parents=True, exist_ok=True)
            self._member_logs[name] = make_log(self.folder / name, self.league.tensorboard, self.league.wandb)
        try:
            yield
        finally:
            for log in self._member_logs.values():
                log.close()

    def _play_round(self, bar: VisibleProgress) -> dict[str, Turn]:
        """Let every member train its turn. Returns the turns; some are missing or not over if the user interrupted."""
        turns: dict[str, Turn] = {}
        self._show_turns(bar, turns)
        try:
            for played in self.run.runner.run(play_turn, list(self._tasks()), retries=RETRIES):
                name, turn = played.task.name, played.result()
                turns[name], self._states[name] = turn, turn.state
                self._heard.add(name)
                for row in turn.rows:
                    self._member_logs[name].write(*row)
                self._show_turns(bar, turns)
        except Interrupted:
            pass
        return turns

    def _show_turns(self, bar: VisibleProgress, played: Collection[str]) -> None:
        """Show whose turns are left in the round."""
        left = ", ".join(shown_name(name) for name in self.league.learners if name not in played)
        league_round = self.turns // len(self.league.learners) + 1
        description = f"round {league_round} of {self.league.rounds}, {escape(left)}"
        bar.update(self._task, description=description, completed=self.turns + len(played))

    def _tasks(self) -> Iterator[TurnTask]:
        for name in self.league.learners:
            heard = None if name in self._heard else self._round_end
            yield TurnTask(self.league, name, self._states.get(name), heard)

    def _end_round(self, turns: dict[str, Turn]) -> None:
        """Rate the members, and keep what all of them hear before their next turns."""
        news = [each for name in self.league.learners if (each := turns[name].news) is not None]
        self._pool += [(one.name, one.decisions) for one in news]
        self._models = {name: turn.model for name, turn in turns.items()}
        self.turns += len(self.league.learners)
        self._round_end, self._heard = RoundEnd(news, self._rate(news)), set()

    def _rate(self, news: list[News]) -> list[int]:
        """Play the new snapshots against each other and the kept ones, rate all, and keep the best.

        Returns the places of the snapshots that leave the pools.
        """
        agents = {name: load(self.snapshot_file(name)) for name in self.kept}
        for one in news:
            path = self.snapshot_file(snapshot_name(one.name, one.decisions))
            path.parent.mkdir(exist_ok=True)
            write_atomically(path, self._models[one.name])
            agents[path.stem] = load(path)
        for first, second in combinations(agents, 2):
            if (first, second) not in self.matches and (second, first) not in self.matches:
                self.matches[first, second] = self._match(agents, first, second)
        ratings = rate(self.matches.values())
        self.kept = [rating.player for rating in ratings if rating.player in agents][: self.league.keep]
        self._write_ratings(ratings, set(agents))
        return self._limit_pool({rating.player: rating.rate for rating in ratings})

    def _limit_pool(self, rates: dict[str, float]) -> list[int]:
        """Remove the worst-rated snapshots from the full pool; returns their places."""
        removed = []
        while len(self._pool) > self.league.pool:
            names = [snapshot_name(*snapshot) for snapshot in self._pool]
            removed.append(min(range(len(names)), key=lambda place: rates.get(names[place], 0.0)))
            del self._pool[removed[-1]]
        return removed

    def snapshot_file(self, name: str) -> Path:
        """The file of a snapshot in the run folder."""
        return self.folder / files.SNAPSHOTS / f"{name}{MODEL_SUFFIX}"

    def _remove_old_snapshots(self) -> None:
        for path in (self.folder / files.SNAPSHOTS).glob(f"*{MODEL_SUFFIX}"):
            if path.stem not in self.kept:
                path.unlink()

    def _match(self, agents: dict[str, Any], one: str, two: str) -> MatchResult:
        league = self.league
        result = play(agents[one], agents[two], league.rules, league.match_hands, EVALUATION_SEED)
        return MatchResult(one, two, result.mean, result.half_width, result.hands, result.deals, result.unit)

    def _write_ratings(self, ratings: list[Rating], playing: set[str]) -> None:
        path, league_round = self.folder / files.RATINGS, self.turns // len(self.league.learners)
        files.truncate_csv(path, "round", league_round - 1)
        rows = [
            (league_round, each.player, *each.unit.numbers(each.rate, each.half_width), int(each.player in self.kept))
            for each in ratings
            if each.player in playing
        ]
        names = "round", "snapshot", unit_of(self.league.rules).key, files.HALF_WIDTH, "kept"
        files.append_rows(path, names, rows)

    def deliver(self, folder: Path) -> bool:
        if not self.kept:
            return False
        write_atomically(folder / files.FINAL, self.snapshot_file(self.kept[0]).read_bytes())
        spent = self.spent_in(self.league, {"turns": self.turns})
        files.write_facts(folder, self.done(), self.seconds, self.league.seed, budget_spent=spent)
        return True

    def measure(self, folder: Path) -> None:
        """Matches of the best-rated snapshot against the anchors and the other members, as they were after their last
        turns."""
        league, best = self.league, self.kept[0]
        opponents: list[str | Agent] = [*league.evaluation.opponents, *self._members_except(best)]
        tables, hands = {}, league.evaluation.hands or MAX_HANDS
        for mode in (files.SAMPLING, files.GREEDY):
            agent = load(folder / files.FINAL, deterministic=mode == files.GREEDY)
            tables[mode] = [play(agent, opponent, league.rules, hands, EVALUATION_SEED) for opponent in opponents]
        write_crosstable(folder / files.CROSSTABLE, tables)
        write_mistakes(load(folder / files.FINAL), league.rules, league.evaluation.mistakes, folder)
        write_card(folder)

    def _members_except(self, snapshot: str) -> Iterator[Agent]:
        """The members after their last turns, except the one that is this snapshot."""
        for last in self._round_end.news:
            if snapshot_name(last.name, last.decisions) != snapshot:
                with TemporaryDirectory() as folder:
                    path = Path(folder) / f"member{MODEL_SUFFIX}"
                    path.write_bytes(self._models[last.name])
                    agent = load(path)
                agent.name = last.name
                yield agent


def snapshot_name(learner: str, decisions: int) -> str:
    """The name of a learner's snapshot after this many decisions."""
    return f"{learner}-{decisions}"
