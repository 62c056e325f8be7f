"""The league: learners with different encoders, actions and networks train in turns against each other.

They also train against snapshots of all of them. After every round, matches rate the learners and the kept snapshots.

    folder = train_league(load_any_config("configs/league.yaml"), new_folder("runs", "league"))
    agent = make_agent(folder / "final.safetensors")  # the best-rated snapshot
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from time import monotonic
from typing import Any

from rich.markup import escape
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.arena import MatchResult, play_match
from holdem_env.utils.shown_names import shown_name

from ..progress import VisibleProgress
from ..sb3_agent import ZIP, load
from .checkpoint import (
    InterruptCallback,
    load_checkpoint,
    random_state,
    save_checkpoint,
    set_random_state,
    warn_no_checkpoint,
)
from .config import LATEST_OTHERS, ConfigError, League
from .evaluation_matches import EVALUATION_SEED
from .interrupts import Interrupts, outcome, tell
from .league_ratings import Rating, rate
from .model_card import write_card
from .opponent_pool import OpponentPool, copy_weights
from .ppo_learner import PPOLearner
from .run_config import check_resumable, load_run_config
from .run_folder import (
    CONFIG,
    CROSSTABLE,
    DECISIONS,
    FINAL,
    GREEDY,
    PROGRESS,
    RATINGS,
    SAMPLING,
    SNAPSHOTS,
    check_restart,
    prepare,
    truncate_csv,
    write_facts,
    write_setup,
)
from .run_logs import make_logger
from .run_report import write_crosstable
from .threads import torch_settings


class LeagueLearner(PPOLearner):
    """A learner in a league. It trains against the others only after `meet`."""

    adds_snapshots = False

    def __init__(self, league: League, name: str) -> None:
        self.others: list[LeagueLearner] = []
        self.name = name
        super().__init__(league.training(name))

    def meet(self, learners: dict[str, LeagueLearner]) -> None:
        """Train against these learners from now on, and against their snapshots."""
        kinds = {name: learner.agent for name, learner in learners.items()}
        self.pool = OpponentPool.of(kinds, self.config.past_selves, self.config.seed)
        self.others = [learner for learner in learners.values() if learner is not self]
        self.env.set_opponents(self.opponents())

    def opponents(self) -> list[Any]:
        """The weighted opponents of the configuration; the other learners share the weight of latest_others."""
        if not self.others:  # the others do not exist yet
            return [self.agent]
        weighted: list[Any] = []
        configured: list[Any] = super().opponents()
        for opponent, weight in configured:
            if opponent == LATEST_OTHERS:
                weighted += [(other.agent, weight / len(self.others)) for other in self.others]
            else:
                weighted.append((opponent, weight))
        return weighted


class LeagueRun:
    """A league in training.

    learners: by name. turns: how many turns of all learners are over. turn_began: the decisions with which the learner
    began the turn under way; None between two turns. matches: the results so far, by the names of two snapshots. kept:
    the names of the kept snapshots, best first. saved: the decisions of all learners
    in the last checkpoint; None if there is none. interrupts: whether the user pressed ctrl-C.
    """

    def __init__(self, league: League, folder: Path) -> None:
        self.league, self.folder = league, folder
        self.learners = {name: LeagueLearner(league, name) for name in league.learners}
        for learner in self.learners.values():
            learner.meet(self.learners)
            learner.final_agent.name = learner.name
            learner.model.set_logger(make_logger(self._log_folder(learner.name), league.tensorboard))
            learner.set_up()
        self.turns = 0
        self.turn_began: int | None = None
        self.saved: int | None = None
        self.interrupts = Interrupts()
        self.matches: dict[tuple[str, str], MatchResult] = {}
        self.kept: list[str] = []
        self._seconds = 0.0
        self._since: float | None = None

    def _log_folder(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def learners_except(self, snapshot: str) -> list[Agent]:
        """The learners with their current weights, except the one that is this snapshot."""
        return [
            learner.final_agent
            for name, learner in self.learners.items()
            if snapshot_name(name, learner.model.num_timesteps) != snapshot
        ]

    @property
    def seconds(self) -> float:
        """The time spent training."""
        return self._seconds + (0.0 if self._since is None else monotonic() - self._since)

    @contextmanager
    def _turn_clock(self) -> Iterator[None]:
        self._since = monotonic()
        try:
            yield
        finally:
            self._seconds, self._since = self.seconds, None

    @property
    def decisions(self) -> int:
        """The decisions of all learners so far."""
        return sum(learner.model.num_timesteps for learner in self.learners.values())

    @property
    def total_turns(self) -> int:
        """The turns of all learners in the whole league."""
        return self.league.rounds * len(self.learners)

    def state(self) -> dict[str, Any]:
        """The state between two turns, for a checkpoint."""
        matches = [
            [match.agent, match.opponent, match.mean, match.half_width, match.hands, match.deals]
            for match in self.matches.values()
        ]
        return {
            "config": self.league.model_dump(mode="json"),
            "random": random_state(),
            "turns": self.turns,
            "turn_began": self.turn_began,
            "seconds": self.seconds,
            "matches": matches,
            "kept": self.kept,
            "learners": {name: learner.state() for name, learner in self.learners.items()},
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Restore a state that `state` returned."""
        self.turns, self.kept, self._seconds = state["turns"], state["kept"], state["seconds"]
        self.turn_began = state.get("turn_began")
        for match in state["matches"]:
            self.matches[match[0], match[1]] = MatchResult(*match)
        for name, learner in self.learners.items():
            learner.load_state(state["learners"][name])
        self.saved = self.decisions
        set_random_state(state["random"])

    def run(self, show: bool) -> None:
        """Train the turns that are left, or until the user interrupts."""
        with LeagueProgressBar(self, show) as bar, self.interrupts:
            while self.turns < self.total_turns:
                learner = list(self.learners.values())[self.turns % len(self.learners)]
                bar.show_turn(learner.name)
                if not self.train_turn(learner, bar):
                    break
                self.turns += 1
                if self.turns % len(self.learners) == 0:
                    self._rate()
                # Only a saved checkpoint makes old snapshots unnecessary: the one before it may still name them.
                if self.save_checkpoint():
                    self._remove_old_snapshots()

    def train_turn(self, learner: LeagueLearner, bar: LeagueProgressBar) -> bool:
        """Train one learner for what is left of its turn, then add a snapshot of it to the pools of all.

        Returns False if the user interrupted the turn; the checkpoint then has its beginning.
        """
        if self.turn_began is None:
            self.turn_began = learner.model.num_timesteps
        left = self.league.turn - (learner.model.num_timesteps - self.turn_began)
        interruption = InterruptCallback(self.interrupts, self.save_checkpoint)
        with self._turn_clock():
            learner.model.learn(left, [interruption, *learner.callbacks(), bar], reset_num_timesteps=False)
        if interruption.ends:
            return False
        self.turn_began = None
        decisions, weights = learner.model.num_timesteps, copy_weights(learner.final_agent.policy)
        learner.model.logger.record(DECISIONS, decisions)
        learner.model.logger.dump(decisions)  # SB3 would log the last update only after another rollout
        for other in self.learners.values():
            other.pool.add(weights, decisions, learner.name)
        return True

    def save_checkpoint(self) -> bool:
        """Save a checkpoint between two rollouts. Returns False, after a warning, if it could not be written."""
        try:
            save_checkpoint(self.folder, self.state())
            self.saved = self.decisions
        except OSError as error:
            warn_no_checkpoint(error)
            return False
        return True

    def _remove_old_snapshots(self) -> None:
        for path in (self.folder / SNAPSHOTS).glob("*"):
            if path.suffix in (MODEL_SUFFIX, ZIP) and path.stem not in self.kept:
                path.unlink()

    def _rate(self) -> None:
        """Play the new snapshots against each other and the kept ones, rate all, and keep the best."""
        agents = self._kept_agents() | self._save_snapshots()
        for one, two in combinations(agents, 2):
            if (one, two) not in self.matches and (two, one) not in self.matches:
                self.matches[one, two] = self._match(agents, one, two)
        ratings = rate(self.matches.values())
        self.kept = [rating.player for rating in ratings if rating.player in agents][: self.league.keep]
        self._write_ratings(ratings, set(agents))
        self._limit_pools({rating.player: rating.rate for rating in ratings})

    def _kept_agents(self) -> dict[str, Agent]:
        return {name: load(snapshot_file(self.folder, name)) for name in self.kept}

    def _save_snapshots(self) -> dict[str, Agent]:
        """Save every learner with its current weights, and return the learners by the names of their snapshots."""
        folder = self.folder / SNAPSHOTS
        folder.mkdir(exist_ok=True)
        agents: dict[str, Agent] = {}
        for name, learner in self.learners.items():
            snapshot = snapshot_name(name, learner.model.num_timesteps)
            learner.save(folder / f"{snapshot}{MODEL_SUFFIX}")
            agents[snapshot] = learner.final_agent
        return agents

    def _match(self, agents: dict[str, Agent], one: str, two: str) -> MatchResult:
        league = self.league
        result = play_match(agents[one], agents[two], league.rules, league.match_hands, EVALUATION_SEED)
        return MatchResult(one, two, result.mean, result.half_width, result.hands, result.deals)

    def _limit_pools(self, rates: dict[str, float]) -> None:
        """Remove the worst-rated snapshots from full pools. All pools hold the same snapshots."""
        while len(pool := next(iter(self.learners.values())).pool) > self.league.pool:
            names = [snapshot_name(snapshot.kind, snapshot.decisions) for snapshot in pool.snapshots]
            worst = min(range(len(names)), key=lambda index: rates.get(names[index], 0.0))
            for learner in self.learners.values():
                learner.pool.remove(worst)

    def _write_ratings(self, ratings: list[Rating], playing: set[str]) -> None:
        path, league_round = self.folder / RATINGS, self.turns // len(self.learners)
        truncate_csv(path, "round", league_round - 1)
        is_new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            if is_new:
                writer.writerow(("round", "snapshot", "bb_per_100", "half_width_95", "kept"))
            for rating in ratings:
                if rating.player in playing:
                    numbers = f"{rating.rate:.1f}", f"{rating.half_width:.1f}"
                    writer.writerow((league_round, rating.player, *numbers, int(rating.player in self.kept)))


def snapshot_name(learner: str, decisions: int) -> str:
    """The name of a learner's snapshot after this many decisions."""
    return f"{learner}-{decisions}"


def snapshot_file(folder: Path, name: str) -> Path:
    """The file of a kept snapshot in a run folder: a .zip only if a league from before model files left it there."""
    paths = [folder / SNAPSHOTS / f"{name}{suffix}" for suffix in (MODEL_SUFFIX, ZIP)]
    return next((path for path in paths if path.exists()), paths[0])


def train_league(league: League, folder: Path, show: bool = True, overwrite: bool = False) -> Path:
    """Train a league, write a run folder, and return it.

    The folder gets config.yaml, versions.json, a folder of logs for each learner, ratings.csv (after every round),
    snapshots/ (the best rated), crosstable.csv, model_card.md, final.safetensors (the best-rated snapshot), and a
    checkpoint after every turn. Ctrl-C, show and overwrite are as in `run.train`. An interrupted league has a
    final.safetensors if a round was rated; else this raises KeyboardInterrupt after it has said how to go on.
    """
    prepare(folder, overwrite)
    write_setup(league, folder)
    return _run(league, folder, None, show)


def resume_league(folder: Path, show: bool = True, overwrite: bool = False) -> Path:
    """Continue a killed league from the end of its last turn, an interrupted one from where it was.

    Raises as `run.resume` does.
    """
    state = load_checkpoint(folder)
    league = load_run_config(folder / CONFIG, state and state["config"])
    if not isinstance(league, League):
        raise ConfigError(f"{folder / CONFIG}: not a league")
    if state:
        check_resumable(league, state["config"], folder / CONFIG)
    else:
        check_restart(folder, overwrite)
    for name in league.learners:
        done = state["learners"][name]["decisions"] if state else -1
        truncate_csv(folder / name / PROGRESS, DECISIONS, done)
    return _run(league, folder, state, show)


def _run(league: League, folder: Path, state: dict[str, Any] | None, show: bool) -> Path:
    threads = [member.learner.threads for member in league.learners.values()]
    with torch_settings(min([count for count in threads if count != "auto"], default=1)):
        run = LeagueRun(league, folder)
        if state:
            run.load_state(state)
        run.run(show)
        if run.interrupts.asked and run.turns < run.total_turns:
            tell(outcome(folder, run.saved))
            if run.interrupts.stopped_at_once or not run.kept:
                raise KeyboardInterrupt
        report(run)
    return folder


def report(run: LeagueRun) -> None:
    """Write final.safetensors, the best-rated snapshot, and its matches against the anchors and the other learners."""
    league, folder = run.league, run.folder
    load(snapshot_file(folder, run.kept[0])).save(folder / FINAL)
    write_facts(folder, run.decisions, run.seconds, league.seed)
    opponents: list[str | Agent] = [*league.evaluation.opponents, *run.learners_except(run.kept[0])]
    tables = {}
    for mode in (SAMPLING, GREEDY):
        agent = load(folder / FINAL, deterministic=mode == GREEDY)
        tables[mode] = [
            play_match(agent, opponent, league.rules, league.evaluation.hands, EVALUATION_SEED)
            for opponent in opponents
        ]
    write_crosstable(folder / CROSSTABLE, tables)
    write_card(folder)


class LeagueProgressBar(BaseCallback):
    """A progress bar over the turns of all learners, with the time left."""

    def __init__(self, run: LeagueRun, show: bool) -> None:
        super().__init__()
        self._run, self._start = run, 0
        columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
        self._bar = VisibleProgress(*columns, disable=not show)
        self._task = self._bar.add_task("league", total=run.total_turns, unit="turns")

    def __enter__(self) -> LeagueProgressBar:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def show_turn(self, name: str) -> None:
        """Show which learner's turn it is."""
        run = self._run
        league_round = run.turns // len(run.learners) + 1
        description = f"round {league_round} of {run.league.rounds}, {escape(shown_name(name))}"
        self._bar.update(self._task, description=description, completed=run.turns)

    def _on_training_start(self) -> None:
        self._start = self.num_timesteps

    def _on_step(self) -> bool:
        part = (self.num_timesteps - self._start) / self._run.league.turn
        self._bar.update(self._task, completed=self._run.turns + min(part, 1.0))
        return True
