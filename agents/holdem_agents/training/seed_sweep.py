"""One configuration with several seeds: a run folder for each, and their curves as one, with mean and spread.

folder = train_seeds(load_config("demo"), [0, 1, 2], new_folder("runs", "demo"))
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.shown_names import shown_name

from .config import Training
from .run_folder.charts import draw_curve
from .run_folder.files import rows_of
from .run_folder.seed_curves import SEEDS as SEEDS
from .run_folder.seed_curves import all_series, seed_folders
from .run_tasks import RunTask, train_all

COLUMNS = ("opponent", "decisions", "seeds", "mean_bb_per_100", "standard_deviation", "lowest", "highest")


def train_seeds(
    config: Training,
    seeds: Sequence[int],
    folder: Path,
    show: bool = True,
    overwrite: bool = False,
    jobs: int = 1,
    ray: str | None = None,
) -> Path:
    """Train with each of the seeds, in folder/seed-0 and so on, and write seeds.csv and curve.svg about all of them.

    Ctrl-C ends the runs under way as in `run.train`, and begins no other. show, overwrite: as in `run.train`. jobs,
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
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in all_series(seed_folders(folder)):
        decisions = (one.decisions.mean(axis=0) * 1e6).round().astype(int)
        for count, mean, spread, rates in zip(decisions, one.mean, one.spread, one.rates.T, strict=True):
            numbers = (f"{number:.1f}" for number in (mean, spread, rates.min(), rates.max()))
            writer.writerow((one.opponent, str(count), str(len(rates)), *numbers))
    write_atomically(folder / SEEDS, text.getvalue())
    draw_curve(folder)


def seeds_table(folder: Path) -> Table:
    """The last evaluations of a folder of seeds as a table for the terminal."""
    last = {row["opponent"]: row for row in rows_of(folder / SEEDS)}
    count = next((row["seeds"] for row in last.values()), "0")
    table = Table(title=f"bb/100 at the end of training, {count} seeds", title_justify="left")
    table.add_column("against")
    for heading in ("mean", "standard deviation", "lowest", "highest"):
        table.add_column(heading, justify="right")
    for opponent, row in last.items():
        numbers = [float(row[name]) for name in COLUMNS[3:]]
        signs = f"{numbers[0]:+.0f}", f"{numbers[1]:.0f}", f"{numbers[2]:+.0f}", f"{numbers[3]:+.0f}"
        table.add_row(Text(shown_name(opponent)), *signs)
    return table
