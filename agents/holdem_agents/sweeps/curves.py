"""The picture of a sweep: for each setting the mean of its learning curves, with a band over the seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdem_env.utils.extras import install_command
from holdem_env.utils.shown_names import in_picture

from ..training.config import Budget
from ..training.interrupts import tell
from ..training.run_folder import CURVE_PLOT
from ..training.seed_curves import Series, all_series, draw_band

MOST_NAMED = 30
"""Settings in a legend."""
FEW = 10
"""Settings that Matplotlib's own colours tell apart."""


def draw_curves(path: Path, runs: Mapping[str, Sequence[Path]], budget: Budget) -> None:
    """Draw the curves of each setting's finished runs, one panel for each opponent. Best first in the legend.

    runs: setting -> run folders. Without Matplotlib, a sentence says so.
    """
    try:
        from matplotlib import colormaps
        from matplotlib.figure import Figure  # slow to import, and only this function needs it
    except ModuleNotFoundError:
        tell(f"no {CURVE_PLOT}: matplotlib is missing; install it with: {install_command()}")
        return
    series = {setting: all_series(folders) for setting, folders in runs.items()}
    opponents = list(dict.fromkeys(one.opponent for each in series.values() for one in each))
    if not opponents:
        return
    figure = Figure(figsize=(11, 1 + 3.2 * len(opponents)), layout="constrained")
    panels = figure.subplots(len(opponents), 1, sharex=True, squeeze=False)[:, 0]
    count = len(series)
    colors = [f"C{k}" for k in range(count)] if count <= FEW else colormaps["turbo"](np.linspace(0.03, 0.97, count))
    label = "decisions, millions" if budget.decisions is not None else "spent part of the budget"
    for panel, opponent in zip(panels, opponents, strict=True):
        for color, (setting, each) in zip(colors, series.items(), strict=True):
            one = next((one for one in each if one.opponent == opponent), None)
            if one is not None:
                at = one.decisions.mean(axis=0) if budget.decisions is not None else _parts(one)
                draw_band(panel, at, one.mean, one.spread, (), setting, "o", color)
        panel.axhline(0, color="grey", linewidth=0.5)
        panel.set_ylabel("bb/100")
        panel.set_title(f"against {in_picture(opponent)}: mean and one standard deviation over the seeds", loc="left")
    panels[-1].set_xlabel(label)
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles[:MOST_NAMED], names[:MOST_NAMED], loc="outside right upper", fontsize="small")
    figure.savefig(path, dpi=100)


def _parts(series: Series) -> NDArray[np.float64]:
    """The evaluations are evenly spaced over the budget, and the last one is at its end."""
    count = series.rates.shape[1]
    return np.linspace(1 / count, 1, count)
