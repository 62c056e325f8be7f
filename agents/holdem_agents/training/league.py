"""The league: learners with different encoders, actions and networks train in turns, against each other and the past
selves of all; after every round matches rate them, and the best snapshots are kept.

    folder = train_league(load_any_config("configs/league.yaml"), new_folder("runs", "league"))
    agent = make_agent(folder / "final.zip")  # the best rated one
"""

from __future__ import annotations

import csv
import json
from itertools import combinations
from pathlib import Path
from time import monotonic
from typing import Any

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.agents.protocol import Agent
from holdem_env.arena import MatchResult, play_match
from holdem_env.utils.atomic import write_whole

from ..sb3_agent import load, save
from .checkpoint import load_checkpoint, random_state, save_checkpoint, set_random_state, tell_no_checkpoint
from .config import LATEST_OTHERS, ConfigError, League, load_any_config
from .evaluation_matches import EVALUATION_SEED
from .league_ratings import Rating, rate
from .model_card import write_card
from .opponent_pool import Pool, frozen
from .ppo_learner import Trainee
from .run_folder import (
    CONFIG,
    CROSSTABLE,
    DECISIONS,
    FACTS,
    FINAL,
    GREEDY,
    PROGRESS,
    SAMPLING,
    check_same,
    cut_back,
    write_setup,
)
from .run_logs import make_logger
from .run_report import write_crosstable
from .threads import quick_torch

SNAPSHOTS, RATINGS = "snapshots", "ratings.csv"


class Leaguer(Trainee):
    """A learner among others."""

    def __init__(self, league: League, name: str) -> None:
        self.others: list[Leaguer] = []
        self.name = name
        super().__init__(league.training(name))
        self.grows_its_pool = False

    def meet(self, everybody: dict[str, Leaguer]) -> None:
        """Play against these from now on: as they are, and as they were."""
        kinds = {name: other.me for name, other in everybody.items()}
        self.pool = Pool.of(kinds, self.config.past_selves, self.config.seed)
        self.others = [other for other in everybody.values() if other is not self]
        self.env.set_opponents(self.opponents())

    def opponents(self) -> list[Any]:
        """As the configuration says; the other learners share the weight of latest_others."""
        if not self.others:  # nobody is there yet
            return [self.me]
        weighted: list[Any] = []
        shares: list[Any] = super().opponents()
        for opponent, weight in shares:
            if opponent == LATEST_OTHERS:
                weighted += [(other.me, weight / len(self.others)) for other in self.others]
            else:
                weighted.append((opponent, weight))
        return weighted


class LeagueRun:
    """A league on its way: learners, whose turn it is, matches so far."""

    def __init__(self, league: League, folder: Path) -> None:
        self.league, self.folder = league, folder
        self.learners = {name: Leaguer(league, name) for name in league.learners}
        for learner in self.learners.values():
            learner.meet(self.learners)
            learner.delivered.name = learner.name
            learner.model.set_logger(make_logger(self._folder_of(learner.name), league.tensorboard))
            learner.begin()
        self.turns = 0
        self.matches: dict[tuple[str, str], MatchResult] = {}
        self.kept: list[str] = []  # snapshots, best first
        self.seconds = 0.0

    def _folder_of(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def others_than(self, snapshot: str) -> list[Agent]:
        """The learners as they are, but for the one that is this snapshot."""
        learners = self.learners.items()
        return [
            learner.delivered
            for name, learner in learners
            if snapshot_name(name, learner.model.num_timesteps) != snapshot
        ]

    @property
    def decisions(self) -> int:
        """Of all learners, so far."""
        return sum(learner.model.num_timesteps for learner in self.learners.values())

    @property
    def total_turns(self) -> int:
        """Of all learners."""
        return self.league.rounds * len(self.learners)

    def state(self) -> dict[str, Any]:
        """Everything, for a checkpoint between two turns."""
        matches = [
            [match.agent, match.opponent, match.mean, match.half_width, match.hands, match.deals]
            for match in self.matches.values()
        ]
        return {
            "config": self.league.model_dump(mode="json"),
            "random": random_state(),
            "turns": self.turns,
            "seconds": self.seconds,
            "matches": matches,
            "kept": self.kept,
            "learners": {name: learner.state() for name, learner in self.learners.items()},
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on where `state` was taken. Logs are cut back to there."""
        self.turns, self.kept, self.seconds = state["turns"], state["kept"], state["seconds"]
        for match in state["matches"]:
            self.matches[match[0], match[1]] = MatchResult(*match)
        for name, learner in self.learners.items():
            learner.load_state(state["learners"][name])
        set_random_state(state["random"])

    def run(self, show: bool) -> None:
        """All turns that are left."""
        with LeagueProgress(self, show) as progress:
            while self.turns < self.total_turns:
                learner = list(self.learners.values())[self.turns % len(self.learners)]
                progress.tell(learner.name)
                self._turn(learner, progress)
                self.turns += 1
                if self.turns % len(self.learners) == 0:
                    self._rate()
                if self._checkpoint():
                    self._tidy()

    def _turn(self, learner: Leaguer, progress: LeagueProgress) -> None:
        begun = monotonic()
        learner.model.learn(self.league.turn, [*learner.callbacks(), progress], reset_num_timesteps=False)
        self.seconds += monotonic() - begun
        decisions, weights = learner.model.num_timesteps, frozen(learner.delivered.policy)
        learner.model.logger.record(DECISIONS, decisions)
        learner.model.logger.dump(decisions)  # what the last update has told
        for other in self.learners.values():
            other.pool.add(weights, decisions, learner.name)

    def _checkpoint(self) -> bool:
        try:
            save_checkpoint(self.folder, self.state())
        except OSError as error:
            tell_no_checkpoint(error)
            return False
        return True

    def _tidy(self) -> None:
        """Remove the snapshots that are not kept; a checkpoint that needed them must not be the latest any more."""
        for path in (self.folder / SNAPSHOTS).glob("*.zip"):
            if path.stem not in self.kept:
                path.unlink()

    def _rate(self) -> None:
        """Matches between the new snapshots and those that are kept; the best of all are kept now."""
        snapshots = self.folder / SNAPSHOTS
        snapshots.mkdir(exist_ok=True)
        new = {}
        for name, learner in self.learners.items():
            label = snapshot_name(name, learner.model.num_timesteps)
            save(learner.model, learner.env, snapshots / f"{label}.zip", learner.delivered.policy)
            new[label] = learner.delivered
        agents: dict[str, Agent] = {label: load(snapshots / f"{label}.zip") for label in self.kept if label not in new}
        agents |= new
        for one, two in combinations(agents, 2):
            if (one, two) not in self.matches and (two, one) not in self.matches:
                self.matches[one, two] = self._match(agents, one, two)
        ratings = rate(self.matches.values())
        self.kept = [rating.player for rating in ratings if rating.player in agents][: self.league.keep]
        self._write_ratings(ratings, set(agents))
        self._make_room({rating.player: rating.rate for rating in ratings})

    def _match(self, agents: dict[str, Agent], one: str, two: str) -> MatchResult:
        league = self.league
        result = play_match(agents[one], agents[two], league.rules, league.match_hands, EVALUATION_SEED)
        return MatchResult(one, two, result.mean, result.half_width, result.hands, result.deals)

    def _make_room(self, rates: dict[str, float]) -> None:
        """Take the worst rated copies out of the full pools; of the same ones everywhere."""
        while len(pool := next(iter(self.learners.values())).pool) > self.league.pool:
            labels = [snapshot_name(copy.kind, copy.decisions) for copy in pool.copies]
            worst = min(range(len(labels)), key=lambda place: rates.get(labels[place], 0.0))
            for learner in self.learners.values():
                learner.pool.remove(worst)

    def _write_ratings(self, ratings: list[Rating], playing: set[str]) -> None:
        path, league_round = self.folder / RATINGS, self.turns // len(self.learners)
        cut_back(path, "round", league_round - 1)
        new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            if new:
                writer.writerow(("round", "snapshot", "bb_per_100", "half_width_95", "kept"))
            for rating in ratings:
                if rating.player in playing:
                    numbers = f"{rating.rate:.1f}", f"{rating.half_width:.1f}"
                    writer.writerow((league_round, rating.player, *numbers, int(rating.player in self.kept)))


def snapshot_name(learner: str, decisions: int) -> str:
    """A learner as it was after so many decisions."""
    return f"{learner}-{decisions}"


def train_league(league: League, folder: Path, show: bool = True) -> Path:
    """Train a league and fill a run folder; returns it.

    The folder gets config.yaml, versions.json, a folder of logs for each learner, ratings.csv (after every round),
    snapshots/ (the best rated), crosstable.csv, model_card.md and final.zip, which is the best rated snapshot, and a
    checkpoint after every turn. show: a progress bar.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_setup(league, folder)
    return _run(league, folder, None, show)


def resume_league(folder: Path, show: bool = True) -> Path:
    """Go on with a league that was killed, from the end of the last turn. Raises as `training.resume` does."""
    league = load_any_config(folder / CONFIG)
    if not isinstance(league, League):
        raise ConfigError(f"{folder / CONFIG}: no league")
    state = load_checkpoint(folder)
    if state:
        check_same(league, state["config"], folder)
    for name in league.learners:
        done = state["learners"][name]["decisions"] if state else -1
        cut_back(folder / name / PROGRESS, DECISIONS, done)
    return _run(league, folder, state, show)


def _run(league: League, folder: Path, state: dict[str, Any] | None, show: bool) -> Path:
    threads = [member.learner.threads for member in league.learners.values()]
    with quick_torch(min([count for count in threads if count != "auto"], default=1)):
        run = LeagueRun(league, folder)
        if state:
            run.load_state(state)
        try:
            run.run(show)
        except KeyboardInterrupt:
            if not run.kept:
                raise
            print("interrupted: the best snapshots so far are kept")
        report(run)
    return folder


def report(run: LeagueRun) -> None:
    """final.zip, and how the best rated snapshot does against the anchors and the learners as they are."""
    league, folder = run.league, run.folder
    best = folder / SNAPSHOTS / f"{run.kept[0]}.zip"
    write_whole(folder / FINAL, best.read_bytes())
    facts = {"decisions": run.decisions, "seconds": round(run.seconds, 1), "seed": league.seed}
    write_whole(folder / FACTS, json.dumps(facts, indent=2) + "\n")
    tables = {}
    for mode in (SAMPLING, GREEDY):
        agent = load(folder / FINAL, deterministic=mode == GREEDY)
        opponents: list[str | Agent] = [
            *league.evaluation.opponents,
            *run.others_than(run.kept[0]),
        ]
        tables[mode] = [
            play_match(agent, opponent, league.rules, league.evaluation.hands, EVALUATION_SEED)
            for opponent in opponents
        ]
    write_crosstable(folder / CROSSTABLE, tables)
    write_card(folder)


class LeagueProgress(BaseCallback):
    """A bar over all turns of all learners, with the time left."""

    def __init__(self, run: LeagueRun, show: bool) -> None:
        super().__init__()
        self._run, self._start = run, 0
        columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
        self._bar = Progress(*columns, disable=not show)
        self._task = self._bar.add_task("league", total=run.total_turns)

    def __enter__(self) -> LeagueProgress:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def tell(self, name: str) -> None:
        """Whose turn it is."""
        run = self._run
        now = run.turns // len(run.learners) + 1
        self._bar.update(self._task, description=f"round {now} of {run.league.rounds}, {name}", completed=run.turns)

    def _on_training_start(self) -> None:
        self._start = self.num_timesteps

    def _on_step(self) -> bool:
        part = (self.num_timesteps - self._start) / self._run.league.turn
        self._bar.update(self._task, completed=self._run.turns + min(part, 1.0))
        return True
