"""One configuration with several seeds: a run folder for each, and their curves as one, with mean and spread.

folder = train_seeds(load_config("demo"), [0, 1, 2], new_folder("runs", "demo"))
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from holdem_env.utils.atomic import write_whole
from holdem_env.utils.extras import install_command
from holdem_env.utils.shown_names import in_picture, shown_name

from .config import Training
from .interrupts import tell
from .run import train_until
from .run_folder import CURVE_PLOT, DECISIONS, PROGRESS, rows_of
from .seed_curves import SEEDS as SEEDS
from .seed_curves import Series, all_series, draw_band, seed_folders

COLUMNS = ("opponent", "decisions", "seeds", "mean_bb_per_100", "standard_deviation", "lowest", "highest")
GRID = 200  # points of the curves of entropy and explained variance


def train_seeds(
    config: Training, seeds: Sequence[int], folder: Path, show: bool = True, overwrite: bool = False
) -> Path:
    """Train with each of the seeds, in folder/seed-0 and so on, and write seeds.csv and curve.png about all of them.

    Ctrl-C ends the run under way as in `run.train`, and begins no other. show, overwrite: as in `run.train`. Raises
    ValueError for a seed that is given twice.
    """
    if len(set(seeds)) < len(seeds):
        raise ValueError(f"seeds: {list(seeds)} has a seed twice")
    for place, seed in enumerate(seeds):
        if show:
            tell(f"seed {seed} ({place + 1} of {len(seeds)})")
        run = folder / f"seed-{seed}"
        if not train_until(config.model_copy(update={"seed": seed}), run, show, overwrite):
            if rest := seeds[place + 1 :]:
                tell(f"not begun: the seeds {', '.join(map(str, rest))}")
            break
    summarize(folder)
    return folder


def summarize(folder: Path) -> None:
    """Write seeds.csv and curve.png from the runs in a folder of seeds."""
    runs = seed_folders(folder)
    series = all_series(runs)
    write_seeds(folder / SEEDS, series)
    draw_seeds(folder / CURVE_PLOT, runs, series)


def write_seeds(path: Path, series: Sequence[Series]) -> None:
    """Write a row for each opponent and evaluation: mean, standard deviation, lowest and highest over the seeds."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in series:
        decisions = (one.decisions.mean(axis=0) * 1e6).round().astype(int)
        for k, (count, mean, spread) in enumerate(zip(decisions, one.mean, one.spread, strict=True)):
            rates = one.rates[:, k]
            numbers = f"{mean:.1f}", f"{spread:.1f}", f"{rates.min():.1f}", f"{rates.max():.1f}"
            writer.writerow((one.opponent, str(count), str(len(rates)), *numbers))
    write_whole(path, text.getvalue())


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


def draw_seeds(path: Path, runs: Sequence[Path], series: Sequence[Series]) -> None:
    """Draw the mean over the seeds with a band of one standard deviation, and every seed as a thin line."""
    try:
        from matplotlib.figure import Figure  # slow to import, and only this function needs it
    except ModuleNotFoundError:
        tell(f"no {CURVE_PLOT}: matplotlib is missing; install it with: {install_command()}")
        return
    figure = Figure(figsize=(9, 7), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    for one in series:
        draw_band(
            above, one.decisions.mean(axis=0), one.mean, one.spread, one.rates, in_picture(one.opponent), marker="o"
        )
    above.axhline(0, color="grey", linewidth=0.5)
    above.set_ylabel("bb/100")
    above.set_title(f"{len(runs)} seeds: mean, one standard deviation, and each seed", fontsize="medium", loc="left")
    for column, label in (("holdem/entropy", "entropy in nats"), ("train/explained_variance", "explained variance")):
        if (curves := _progress(runs, column)) is not None:
            spread = curves[1].std(axis=0, ddof=1) if len(curves[1]) > 1 else np.full(GRID, np.nan)
            draw_band(below, curves[0], curves[1].mean(axis=0), spread, curves[1], label)
    below.set_xlabel("decisions of the learner, millions")
    for axes in (above, below):
        if axes.get_legend_handles_labels()[0]:
            axes.legend()
    figure.savefig(path, dpi=100)


def _progress(runs: Sequence[Path], column: str) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """A column of all runs' progress.csv at GRID common points: millions of decisions, and values (seeds, GRID)."""
    curves = []
    for run in runs:
        rows = [row for row in rows_of(run / PROGRESS) if row.get(column)]
        if rows:
            curves.append(np.array([(float(row[DECISIONS]) / 1e6, float(row[column])) for row in rows]))
    if not curves:
        return None
    at = np.linspace(max(curve[0, 0] for curve in curves), min(curve[-1, 0] for curve in curves), GRID)
    return at, np.array([np.interp(at, curve[:, 0], curve[:, 1]) for curve in curves])
