"""Several trainings, one after the other in this process, or at the same time in processes or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from holdem_env.utils.runner import Interrupted, Runner

from .config import Training
from .interrupts import Interrupts, report
from .run import finish, train_until


@dataclass(frozen=True)
class RunTask:
    """A run to be trained in a folder. name: what messages call it. overwrite: begin again if there is one. goes_on: do
    only what is left of it. show: draw a progress bar."""

    config: Training
    folder: Path
    name: str
    overwrite: bool = False
    goes_on: bool = False
    show: bool = False


def train_all(tasks: Sequence[RunTask], show: bool, jobs: int = 1, ray: str | None = None) -> Iterator[RunTask]:
    """Train all runs, and yield each that has ended.

    After ctrl-C, those under way end as in `run.train`, and no other begins. show: say which run begins or ends, and
    draw a progress bar for a run in this process. jobs, ray: as in `Runner`.
    """
    is_here = jobs == 1 and ray is None
    begun, is_interrupted = 0, False

    def to_begin() -> Iterator[RunTask]:
        nonlocal begun
        for task in tasks:
            if is_interrupted:
                return
            begun += 1
            if show and len(tasks) > 1:
                report(f"{task.name} ({begun} of {len(tasks)})")
            # On another machine, runs begin in another folder.
            folder = task.folder if is_here else task.folder.absolute()
            yield replace(task, folder=folder, show=show and is_here)

    # In this process, a run hears of ctrl-C itself.
    with Runner(jobs, ray, interrupts=None if is_here else Interrupts) as runner:
        try:
            for outcome in runner.run(_train, to_begin()):
                is_interrupted |= not outcome.result()
                yield tasks[outcome.index]
        except Interrupted:
            pass
    if rest := tasks[begun:]:
        report("not begun: " + ", ".join(task.name for task in rest))


def _train(task: RunTask) -> bool:
    if task.goes_on:
        return finish(task.config, task.folder, task.show)
    return train_until(task.config, task.folder, task.show, task.overwrite)
