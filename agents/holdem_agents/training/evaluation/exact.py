"""Exact exploitability along the way: exploitability.csv of a run, in games that are small enough for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from holdem_env.arena import exploitability

from ...runs.files import AVERAGED, LAST, WEIGHTS, append_rows, rows_of
from ...runs.logs import warn_not_written
from ..learners.hooks import Hook, Stats
from ..learners.run_hooks import BudgetClock
from ..learners.torch_settings import matrix_products
from ..learners.trainee import Trainee

COLUMNS = ("decisions", "seconds", "cpu_seconds", WEIGHTS, "exploitability")


def measure(learner: Trainee) -> dict[str, float]:
    """NashConv / 2 in chips per hand of the last weights, and of the averaged ones if there is an average."""
    agents = {LAST: learner.agent} | ({AVERAGED: learner.final_agent} if learner.average else {})
    with matrix_products(None):
        return {weights: exploitability(agent, learner.config.rules) for weights, agent in agents.items()}


def write_exploitability(path: Path, decisions: int, clock: BudgetClock, found: Mapping[str, float]) -> None:
    """Append a line for each of the weights to a CSV file. A new file gets a header."""
    spent = decisions, f"{clock.elapsed():.1f}", f"{clock.cpu_elapsed():.1f}"
    append_rows(path, COLUMNS, [(*spent, weights, f"{chips:.6g}") for weights, chips in found.items()])


class ExploitabilityHook(Hook):
    """Measures before the first rollout and with each of the evaluations; logs the figures and writes the CSV file."""

    def __init__(self, learner: Trainee, path: Path) -> None:
        self._learner, self._path = learner, path
        self._times = learner.config.evaluation.times
        self._done = len({row["decisions"] for row in rows_of(path)})  # a resumed run already has some

    def before_step(self, stats: Stats) -> None:
        clock = self._learner.clock
        if self._done > min(clock.spent(self.model.decisions) * (self._times + 1), self._times):
            return
        self._done += 1
        with clock.paused():
            found = measure(self._learner)
        try:
            write_exploitability(self._path, self.model.decisions, clock, found)
        except OSError as error:
            warn_not_written(self._path, error)
        for weights, chips in found.items():
            stats[f"evaluation_exploitability/{weights}"] = chips
