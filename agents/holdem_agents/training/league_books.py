"""The books of a league: its turns and time, the matches so far, the ratings after each round, the kept snapshots."""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
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
from holdem_env.arena import MatchResult
from holdem_env.utils.shown_names import shown_name

from ..progress import VisibleProgress
from ..sb3_agent import ZIP, load
from .checkpoint import save_checkpoint, warn_no_checkpoint
from .config import League
from .evaluation_matches import EVALUATION_SEED, play
from .interrupts import Interrupts
from .league_ratings import Rating, rate
from .model_card import write_card
from .run_folder import CROSSTABLE, FINAL, GREEDY, RATINGS, SAMPLING, SNAPSHOTS, truncate_csv, write_facts
from .run_report import write_crosstable


class LeagueBooks(ABC):
    """What a league keeps besides its learners, wherever these train.

    turns: how many turns of all learners are over. matches: the results so far, by the names of two snapshots. kept:
    the names of the kept snapshots, best first. saved: the decisions of all learners in the last checkpoint; None if
    there is none. interrupts: whether the user pressed ctrl-C.
    """

    def __init__(self, league: League, folder: Path) -> None:
        self.league, self.folder = league, folder
        self.turns = 0
        self.saved: int | None = None
        self.interrupts = Interrupts()
        self.matches: dict[tuple[str, str], MatchResult] = {}
        self.kept: list[str] = []
        self._seconds = 0.0
        self._since: float | None = None

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Everything that a checkpoint holds."""

    @property
    @abstractmethod
    def decisions(self) -> int:
        """The decisions of all learners so far."""

    @abstractmethod
    def learners_except(self, snapshot: str) -> list[Agent]:
        """The learners with their current weights, except the one that is this snapshot."""

    @abstractmethod
    def _save_snapshots(self) -> dict[str, Agent]:
        """Save every learner with its current weights, and return the learners by the names of their snapshots."""

    @abstractmethod
    def _limit_pools(self, rates: dict[str, float]) -> None:
        """Remove the worst-rated snapshots from full pools. All pools hold the same snapshots."""

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
    def total_turns(self) -> int:
        """The turns of all learners in the whole league."""
        return self.league.rounds * len(self.league.learners)

    def books(self) -> dict[str, Any]:
        """The books, for a checkpoint."""
        matches = [
            [match.agent, match.opponent, match.mean, match.half_width, match.hands, match.deals]
            for match in self.matches.values()
        ]
        config = self.league.model_dump(mode="json")
        return {"config": config, "turns": self.turns, "seconds": self.seconds, "matches": matches, "kept": self.kept}

    def load_books(self, state: dict[str, Any]) -> None:
        """Restore books that `books` returned."""
        self.turns, self.kept, self._seconds = state["turns"], state["kept"], state["seconds"]
        for match in state["matches"]:
            self.matches[match[0], match[1]] = MatchResult(*match)

    def save_checkpoint(self) -> bool:
        """Save a checkpoint. Returns False, after a warning, if it could not be written."""
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

    def _match(self, agents: dict[str, Agent], one: str, two: str) -> MatchResult:
        league = self.league
        result = play(agents[one], agents[two], league.rules, league.match_hands, EVALUATION_SEED)
        return MatchResult(one, two, result.mean, result.half_width, result.hands, result.deals)

    def _write_ratings(self, ratings: list[Rating], playing: set[str]) -> None:
        path, league_round = self.folder / RATINGS, self.turns // len(self.league.learners)
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


def worst_rated(snapshots: list[tuple[str, int]], rates: dict[str, float]) -> int:
    """The place of the worst-rated of these snapshots, which are given by learner and decisions."""
    names = [snapshot_name(*snapshot) for snapshot in snapshots]
    return min(range(len(names)), key=lambda index: rates.get(names[index], 0.0))


def snapshot_name(learner: str, decisions: int) -> str:
    """The name of a learner's snapshot after this many decisions."""
    return f"{learner}-{decisions}"


def snapshot_file(folder: Path, name: str) -> Path:
    """The file of a kept snapshot in a run folder: a .zip only if a league from before model files left it there."""
    paths = [folder / SNAPSHOTS / f"{name}{suffix}" for suffix in (MODEL_SUFFIX, ZIP)]
    return next((path for path in paths if path.exists()), paths[0])


def report(run: LeagueBooks) -> None:
    """Write final.safetensors, the best-rated snapshot, and its matches against the anchors and the other learners."""
    league, folder = run.league, run.folder
    load(snapshot_file(folder, run.kept[0])).save(folder / FINAL)
    write_facts(folder, run.decisions, run.seconds, league.seed)
    opponents: list[str | Agent] = [*league.evaluation.opponents, *run.learners_except(run.kept[0])]
    tables = {}
    for mode in (SAMPLING, GREEDY):
        agent = load(folder / FINAL, deterministic=mode == GREEDY)
        tables[mode] = [
            play(agent, opponent, league.rules, league.evaluation.hands, EVALUATION_SEED) for opponent in opponents
        ]
    write_crosstable(folder / CROSSTABLE, tables)
    write_card(folder)


class LeagueProgressBar(BaseCallback):
    """A progress bar over the turns of all learners, with the time left."""

    def __init__(self, run: LeagueBooks, show: bool) -> None:
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

    def show_turn(self, *names: str, done: int = 0) -> None:
        """Show whose turn it is; `done` more turns than the league's own count are over."""
        run = self._run
        league_round = run.turns // len(run.league.learners) + 1
        description = f"round {league_round} of {run.league.rounds}, {escape(', '.join(map(shown_name, names)))}"
        self._bar.update(self._task, description=description, completed=run.turns + done)

    def _on_training_start(self) -> None:
        self._start = self.num_timesteps

    def _on_step(self) -> bool:
        part = (self.num_timesteps - self._start) / self._run.league.turn
        self._bar.update(self._task, completed=self._run.turns + min(part, 1.0))
        return True
