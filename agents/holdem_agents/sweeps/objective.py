"""The objective of a sweep: one run, in whatever process it is run, and the win rates that it measures.

A run is training, its final matches and an exploiter. Each part is done once; a run that was interrupted or killed goes
on where it was.
"""

from __future__ import annotations

import shutil
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdem_env.agents.registry import make_agent
from holdem_env.game import units
from holdem_env.game.units import BIG_BLINDS
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.counting import duration

from ..runs import files
from ..runs.config import ConfigError, differences, load_config
from ..runs.exploiter_results import FRESH
from ..runs.interrupts import Interrupts
from ..runs.run import finish
from ..training.config import Budget, Training, load_own_parts, with_copied_parts
from ..training.evaluation.exact import write_exploitability
from ..training.evaluation.report import write_crosstable
from ..training.exploit import exploit
from ..training.exploiters.settings import exploiter, kind_of, warm_exploiter
from ..training.learners.run_hooks import BudgetClock
from ..training.learners.torch_settings import torch_settings
from ..training.learners.trainee import load_code
from .baselines import BASELINES
from .sweep_file import EXPLOITER, LAST_WEIGHTS, Measures

ERROR = "error.txt"
OF_MATCH = ("plays", BIG_BLINDS.key, "half_width_95", "hands")
SPENT = ("decisions", "seconds", "cpu_seconds")
CHIPS = units.CHIPS.key
COLUMNS = ("setting", "seed", "measure", *OF_MATCH, CHIPS, *SPENT)  # of sweep.csv
Row = dict[str, str]
FREE_TO_CHANGE = {"checkpoint_minutes"}  # the fields that may change while a sweep is under way


@dataclass(frozen=True)
class RunTask:
    """A run to be done. folder: where it writes. measures: what is measured of its agent. baseline: what is run instead
    of the configuration, within its budget."""

    setting: str
    folder: Path
    config: Training
    measures: Measures
    baseline: str | None = None

    @property
    def name(self) -> str:
        return f"{self.setting}, seed {self.config.seed}"

    @property
    def exploiter_folder(self) -> Path:
        return self.folder / EXPLOITER

    @property
    def is_finished(self) -> bool:
        return files.is_trained(self.folder) and (
            self.baseline is not None or self.measures.exploiter is None or files.is_trained(self.exploiter_folder)
        )

    def rows(self) -> Iterator[Row]:
        """A row of sweep.csv for each measure of a finished run and way to play. Of the exploiter, `plays` says how it
        plays, and the rate is what it wins."""
        facts, matches = files.facts_of(self.folder), self.measures.matches
        # The anchors are in the file's order, sampling and then greedy.
        played = files.rows_of(self.folder / files.CROSSTABLE)
        named = [(matches[k % len(matches)], row) for k, row in enumerate(played)]
        if self.measures.exploiter:
            named += [(EXPLOITER, row) for row in files.rows_of(self.exploiter_folder / files.CROSSTABLE)]
        spent = {name: str(facts[name]) for name in SPENT}
        for measure, row in named:
            result = {name: row.get(name, "") for name in (*OF_MATCH, CHIPS)}
            yield {"setting": self.setting, "seed": str(self.config.seed), "measure": measure, **result, **spent}
        for measure, chips in self._exploitability().items():
            of_run = {"setting": self.setting, "seed": str(self.config.seed), "measure": measure}
            yield dict.fromkeys(OF_MATCH, "") | of_run | {"plays": files.SAMPLING, CHIPS: chips} | spent

    def _exploitability(self) -> dict[str, str]:
        """That of the averaged weights, or of the last ones if there is no average; and that of the last ones."""
        if not self.measures.exploitability:
            return {}
        rows = files.rows_of(self.folder / files.EXACT_CURVE)
        found = {row[files.WEIGHTS]: row[files.EXPLOITABILITY] for row in rows}  # the end's are last
        return {files.EXPLOITABILITY: found.get(files.AVERAGED) or found[files.LAST]} | (
            {LAST_WEIGHTS: found[files.LAST]} if files.LAST in found else {}
        )

    def rate(self, measure: str) -> float:
        """What a finished run measured, in the unit of its row, of the way to play that the tables show."""
        wanted = measure, self.measures.plays
        return next(number_of(row) for row in self.rows() if (row["measure"], row["plays"]) == wanted)

    def result(self) -> str:
        """What a finished run has done, in words."""
        facts, played = files.facts_of(self.folder), files.rows_of(self.folder / files.CROSSTABLE)
        made = "" if self.baseline else f"{facts['decisions']:,} decisions in "
        found = [f"{row['opponent']} {files.interval_text(row)}" for row in played[:1]]
        found += [
            f"{measure} {float(chips):.3f} {units.CHIPS.name}" for measure, chips in self._exploitability().items()
        ]
        return ", ".join([f"{made}{duration(facts['cpu_seconds'])} of processor time", *found])


def number_of(row: Row) -> float:
    """What a row of sweep.csv measured, in its own unit."""
    return float(row[units.unit_in(row).key])


def do_run(task: RunTask) -> bool:
    """Do what is left of a run; returns False if ctrl-C ended it, with a checkpoint.

    What goes wrong is written to error.txt in the run's folder, and raised.
    """
    (task.folder / ERROR).unlink(missing_ok=True)
    try:
        return _run_baseline(task) if task.baseline else _train(task) and _exploit(task)
    except Exception:
        task.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(task.folder / ERROR, traceback.format_exc())
        raise


def _train(task: RunTask) -> bool:
    """Train, and play the final matches; False if interrupted."""
    if task.config.budget.decisions and not files.is_trained(task.folder):  # a run with a budget in time does so itself
        load_own_parts(task.config)
        load_code(task.config)
    return finish(task.config, task.folder, show=False, report_interrupted=False)


def _run_baseline(task: RunTask) -> bool:
    """Run a baseline and measure it on the way; False if interrupted. One that was not finished begins again."""
    assert task.baseline
    folder, config, seed = task.folder, task.config, task.config.seed
    files.prepare(folder, overwrite=True)
    files.write_setup(config, folder)
    points = config.evaluation.times + 1
    with torch_settings(1), Interrupts() as interrupts:
        step, measure = BASELINES[task.baseline](config.rules, seed)
        clock = BudgetClock(config.budget)
        for point in range(points + 1):
            while step and clock.spent(0) < point / points and not interrupts.asked:
                step()
            if interrupts.asked:
                break
            with clock.paused():
                write_exploitability(folder / files.EXACT_CURVE, 0, clock, {files.AVERAGED: measure()})
    if interrupts.asked:
        return False
    files.write_facts(folder, 0, clock.elapsed(), seed, cpu_seconds=clock.cpu_elapsed(), budget_spent=1.0)
    write_crosstable(folder / files.CROSSTABLE, {})
    files.set_measured(folder)
    return True


def _exploit(task: RunTask) -> bool:
    """Train the exploiter, if there is one to be; False if interrupted. One that was not finished begins again."""
    folder = task.exploiter_folder
    if task.measures.exploiter is None or files.is_trained(folder):
        return True
    shutil.rmtree(folder, ignore_errors=True)
    exploit(str(task.folder / files.FINAL), _exploiter_config(task), folder, show=False, report_interrupted=False)
    return files.is_trained(folder)


def _exploiter_config(task: RunTask) -> Training:
    """The configuration of a run's exploiter. Raises ValueError for an agent that no warm exploiter can begin with."""
    wanted = task.measures.exploiter
    assert wanted is not None
    agent, budget = task.folder / files.FINAL, Budget(decisions=wanted.decisions)
    config = exploiter(str(agent), task.config.rules, budget, task.config.seed, wanted.hands)
    config = config.model_copy(update={"evaluation": config.evaluation.model_copy(update={"times": 0})})
    if wanted.kind == FRESH:
        return config
    warmed = warm_exploiter(config, make_agent(agent))
    if isinstance(warmed, str):
        raise ValueError(f"{warmed}; give measures.exploiter.kind: fresh")
    return warmed


def check_unchanged(tasks: Iterable[RunTask]) -> None:
    """Raise ConfigError if a folder holds a run of another configuration, naming the differences."""
    for task in tasks:
        if (task.folder / files.CONFIG).is_file():
            before = load_config(task.folder / files.CONFIG).model_dump(mode="json")
            load_own_parts(task.config)
            with TemporaryDirectory() as copies:  # a run names the copies of own parts, which have digests
                now = with_copied_parts(task.config, Path(copies)).model_dump(mode="json")
            _check_same(task.folder, now, before)
        if task.measures.exploiter and (task.exploiter_folder / files.CONFIG).is_file():
            known = load_config(task.exploiter_folder / files.CONFIG)
            before = {"kind": kind_of(known), "decisions": known.budget.decisions, "hands": known.evaluation.hands}
            _check_same(task.exploiter_folder, task.measures.exploiter.model_dump(), before)


def _check_same(folder: Path, now: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    if changes := differences(now, before, FREE_TO_CHANGE):
        raise ConfigError(
            f"{folder} holds a run of another configuration: {changes}. Change the sweep.yaml back, begin "
            "another sweep, or remove that folder"
        )
