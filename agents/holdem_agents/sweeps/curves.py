"""The picture of a sweep: for each setting the mean of its learning curves, with a band over the seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from holdem_env.render.curve_svg import Curve, around, curve_svg
from holdem_env.render.pencil import stacked
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.shown_names import shown_name

from ..training.config import Budget
from ..training.run_folder.seed_curves import Series, all_series

MOST_NAMED = 12
"""Settings with a colour and a line in the key, the best ones; the others are thin grey lines."""


def draw_curves(path: Path, runs: Mapping[str, Sequence[Path]], budget: Budget) -> None:
    """Draw the curves of each setting's finished runs, one panel for each opponent. Best first in the key.

    runs: setting -> run folders.
    """
    series = {setting: all_series(folders) for setting, folders in runs.items()}
    opponents = list(dict.fromkeys(one.opponent for each in series.values() for one in each))
    if not opponents:
        return
    across = "decisions of the learner" if budget.decisions is not None else "part of the budget"
    panels = []
    for opponent in opponents:
        found = [(name, one) for name, each in series.items() for one in each if one.opponent == opponent]
        curves = [_curve(name, one, budget, k >= MOST_NAMED) for k, (name, one) in enumerate(found)]
        note = "Mean and one standard deviation over the seeds."
        panels.append(curve_svg(curves, f"Against {shown_name(opponent)}", across, "bb/100", note, has_zero=True))
    write_atomically(path, stacked(panels, "Learning curves of all settings"))


def _curve(name: str, series: Series, budget: Budget, is_faint: bool) -> Curve:
    count = series.rates.shape[1]
    # The evaluations are evenly spaced over the budget, and the last one is at its end.
    at = series.decisions.mean(axis=0) * 1e6 if budget.decisions is not None else np.linspace(1 / count, 1, count)
    return around(name, at.tolist(), series.mean.tolist(), series.spread.tolist())._replace(is_faint=is_faint)
