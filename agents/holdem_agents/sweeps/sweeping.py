"""Running a sweep: its runs in processes, several at a time, and what the user is told meanwhile.

From Python:

    path, sweep = load_sweep("configs/sweep.yaml")
    plan = plan_of(path, sweep)
    run_tasks(tasks_of(plan.settings.values(), sweep, Path("runs/sweep")), ProcessRunner(2))
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn

from holdem_env.utils.shown_names import shown_text

from ..parallel.runner import Runner
from ..progress import VisibleProgress
from ..training.evaluation_time import duration
from ..training.interrupts import tell
from ..training.run_folder import CROSSTABLE, interval_text, rows_of
from ..training.run_reading import RunFolder
from .runs import ERROR, Outcome, RunTask, do_run, facts_of
from .settings import Setting
from .sweep_file import Sweep

LOOK_EVERY = 2.0
"""Seconds between two looks at how far the runs are."""


@dataclass
class Outcomes:
    """What became of the runs. failed: with the reasons. left: interrupted, or not begun."""

    finished: list[RunTask] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    left: list[RunTask] = field(default_factory=list)

    def add(self, others: Outcomes) -> None:
        """Add what became of other runs."""
        self.finished += others.finished
        self.failed |= others.failed
        self.left += others.left

    @property
    def are_complete(self) -> bool:
        """Whether all runs are finished."""
        return not self.failed and not self.left


def tasks_of(settings: Iterable[Setting], sweep: Sweep, folder: Path) -> list[RunTask]:
    """The runs of these settings: all settings with the first seed, then with the second, and so on, so that an
    interrupted sweep has something to compare."""
    chosen = list(settings)
    return [
        RunTask(
            setting.name,
            folder / setting.name / f"seed-{seed}",
            setting.config.model_copy(update={"seed": seed}),
            sweep.measures.exploiter,
        )
        for seed in sweep.seeds
        for setting in chosen
    ]


def run_tasks(tasks: Sequence[RunTask], runner: Runner, show: bool = True) -> Outcomes:
    """Do what is left of the runs. Finished ones are kept, interrupted ones go on, failed ones are run again.

    show: print a line for each run that ends, and on a terminal how far the others are. Raises KeyboardInterrupt if
    ctrl-C was pressed twice.
    """
    outcomes = Outcomes(finished=[task for task in tasks if task.is_finished])
    todo = [task for task in tasks if task not in outcomes.finished]
    if show and outcomes.finished:
        tell(f"{len(outcomes.finished)} of {len(tasks)} runs are finished already")
    ended: set[int] = set()
    say: Callable[[str], None] = tell

    def done(index: int, outcome: Outcome) -> None:
        ended.add(index)
        if outcome == "finished":
            outcomes.finished.append(todo[index])
            if show:
                say(f"{todo[index].name}: {_result(todo[index])} ({len(outcomes.finished)} of {len(tasks)})")

    def failed(index: int, error: Exception) -> None:
        ended.add(index)
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        outcomes.failed[todo[index].name] = reason
        where = todo[index].folder / ERROR
        more = f"; {where} has more" if where.exists() else ""
        say(f"{todo[index].name}: failed, {shown_text(reason)}{more}")

    if todo:
        with _progress(todo, ended, show) as say:
            runner.run(do_run, todo, done, failed)
    outcomes.left = [task for task in todo if task not in outcomes.finished and task.name not in outcomes.failed]
    return outcomes


def _result(task: RunTask) -> str:
    """What a finished run has done, in words."""
    facts, rows = facts_of(task.folder), rows_of(task.folder / CROSSTABLE)
    first = f", {rows[0]['opponent']} {interval_text(rows[0])}" if rows else ""
    took = f"{facts['decisions']:,} decisions in {duration(facts['cpu_seconds'])} of processor time"
    return shown_text(f"{took}{first}")


@contextmanager
def _progress(tasks: Sequence[RunTask], ended: set[int], show: bool) -> Iterator[Callable[[str], None]]:
    """On a terminal, a line for each run under way, as its files say; else nothing. Gives what prints other lines."""
    bar = VisibleProgress(
        TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), console=Console(stderr=True)
    )
    if not show or bar.disable:
        yield tell
        return
    shown: dict[int, Any] = {}
    over = threading.Event()

    def look() -> None:
        for index, task in enumerate(tasks):
            if index in ended:
                if index in shown:
                    bar.remove_task(shown.pop(index))
            elif (run := RunFolder(task.folder)).progress_rows and run.state == "running":
                if index not in shown:
                    shown[index] = bar.add_task(task.name, total=1.0)
                bar.update(shown[index], completed=run.progress or 0.0)

    def watch() -> None:
        while not over.wait(LOOK_EVERY):
            look()

    watcher = threading.Thread(target=watch, daemon=True)
    with bar:
        watcher.start()
        try:
            yield lambda line: bar.console.print(line, soft_wrap=True, markup=False, highlight=False)
        finally:
            over.set()
            watcher.join()
