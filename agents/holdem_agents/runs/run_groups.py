"""Several runs, one after the other in this process, or at the same time in processes or on a Ray cluster; and one
configuration with several seeds, whose curves become one, with mean and spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from holdem_env.game.units import BIG_BLINDS, OF_HANDS, unit_of_rows
from holdem_env.utils.runner import Interrupted, Runner
from holdem_env.utils.shown_names import shown_name

from .charts import draw_curve
from .files import CURVE, complete_rows_of, rows_of, write_rows
from .interrupts import Interrupts, report
from .run import Run, finish
from .seed_curves import SEEDS as SEEDS
from .seed_curves import all_series, seed_folders

COLUMNS = ("opponent", "decisions", "seeds")
SPREAD = ("standard_deviation", "lowest", "highest")


@dataclass(frozen=True)
class RunTask:
    """A run to be trained in a folder. name: what messages call it. overwrite: begin again if there is one. goes_on: do
    only what is left of it. show: draw a progress bar."""

    config: Any
    folder: Path
    name: str
    overwrite: bool = False
    goes_on: bool = False
    show: bool = False


def train_all(tasks: Sequence[RunTask], show: bool, jobs: int = 1, ray: str | None = None) -> Iterator[RunTask]:
    """Train all runs, and yield each that has ended.

    After ctrl-C, those under way end as in `train`, and no other begins. show: say which run begins or ends, and
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
    return not Run(task.config, task.folder, task.show).begin(task.overwrite).interrupts.asked


def train_seeds(
    config: Any,
    seeds: Sequence[int],
    folder: Path,
    show: bool = True,
    overwrite: bool = False,
    jobs: int = 1,
    ray: str | None = None,
) -> Path:
    """Train with each of the seeds, in folder/seed-0 and so on, and write seeds.csv and curve.svg about all of them.

    Ctrl-C ends the runs under way as in `train`, and begins no other. show, overwrite: as in `train`. jobs,
    ray: where runs train at the same time, as in `Runner`. Raises ValueError for a seed that is given twice.
    """
    if len(set(seeds)) < len(seeds):
        raise ValueError(f"seeds: {list(seeds)} has a seed twice")
    tasks = [
        RunTask(config.model_copy(update={"seed": seed}), folder / f"seed-{seed}", f"seed {seed}", overwrite)
        for seed in seeds
    ]
    for _ in train_all(tasks, show, jobs, ray):
        pass
    summarize(folder)
    return folder


def summarize(folder: Path) -> None:
    """Write seeds.csv, a row for each opponent and evaluation, and curve.svg from the runs in a folder of seeds."""
    seeds = seed_folders(folder)
    unit = unit_of_rows([row for seed in seeds for row in complete_rows_of(seed / CURVE)[0]])
    names, rows = (*COLUMNS, f"mean_{unit.key}", *SPREAD), []
    for one in all_series(seeds):
        decisions = (one.decisions.mean(axis=0) * 1e6).round().astype(int)
        for count, mean, spread, rates in zip(decisions, one.mean, one.spread, one.rates.T, strict=True):
            numbers = (f"{number:.{unit.most_decimals}f}" for number in (mean, spread, rates.min(), rates.max()))
            rows.append(dict(zip(names, (one.opponent, str(count), str(len(rates)), *numbers), strict=True)))
    write_rows(folder / SEEDS, names, rows)
    draw_curve(folder)


def seeds_table(folder: Path) -> Table:
    """The last evaluations of a folder of seeds as a table for the terminal."""
    last = {row["opponent"]: row for row in rows_of(folder / SEEDS)}
    unit = next((unit for unit in OF_HANDS for row in last.values() if f"mean_{unit.key}" in row), BIG_BLINDS)
    count = next((row["seeds"] for row in last.values()), "0")
    table = Table(title=f"{unit.name} at the end of training, {count} seeds", title_justify="left")
    table.add_column("against")
    for heading in ("mean", "standard deviation", "lowest", "highest"):
        table.add_column(heading, justify="right")
    for opponent, row in last.items():
        mean, spread, lowest, highest = (float(row[name]) for name in (f"mean_{unit.key}", *SPREAD))
        spread_text = unit.text(spread).lstrip("+")
        table.add_row(Text(shown_name(opponent)), unit.text(mean), spread_text, unit.text(lowest), unit.text(highest))
    return table
