"""The curves of several seeds of one configuration, read from their run folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .files import CURVE, EXACT_CURVE, EXPLOITABILITY, WEIGHTS, complete_rows_of, evaluations_in, numbers_in

SEEDS = "seeds.csv"


@dataclass(frozen=True)
class Series:
    """The evaluations of all seeds against one opponent.

    decisions: (seeds, E) millions of decisions at the evaluations. rates: (seeds, E) win rates; of a best response,
    which is the opponent of `exact_series`, chips per hand.
    """

    opponent: str
    decisions: NDArray[np.float64]
    rates: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float64]:
        """(E,) over the seeds."""
        means: NDArray[np.float64] = self.rates.mean(axis=0)
        return means

    @property
    def spread(self) -> NDArray[np.float64]:
        """(E,) the sample standard deviation over the seeds; NaN for one seed."""
        count = len(self.rates)
        return self.rates.std(axis=0, ddof=1) if count > 1 else np.full(self.rates.shape[1], np.nan)


def seed_folders(folder: Path) -> list[Path]:
    """The run folders in a folder of seeds, by seed."""
    runs = [run for run in folder.glob("seed-*") if run.name.removeprefix("seed-").isdigit()]
    return sorted(runs, key=lambda run: int(run.name.removeprefix("seed-")))


def all_series(runs: Sequence[Path]) -> list[Series]:
    """The evaluations in the runs' curve.csv by opponent, as far as all runs with results have come."""
    curves = [curve for run in runs if (curve := evaluations_in(complete_rows_of(run / CURVE)[0]))]
    opponents = curves[0] if curves else []
    found = (_series(opponent, [curve.get(opponent, []) for curve in curves]) for opponent in opponents)
    return [one for one in found if one]


def exact_series(runs: Sequence[Path], weights: str) -> Series | None:
    """The exact exploitability in the runs' exploitability.csv, of the last or the averaged weights."""
    every = [[row for row in complete_rows_of(run / EXACT_CURVE)[0] if row[WEIGHTS] == weights] for run in runs]
    parts = [numbers_in(rows, "decisions", EXPLOITABILITY) for rows in every if rows]
    return _series(weights, parts) if parts else None


def _series(opponent: str, parts: Sequence[Sequence[tuple[float, ...]]]) -> Series | None:
    """The points of all seeds, as far as all of them have come."""
    count = min(map(len, parts))
    if not count:
        return None
    points = np.array([part[:count] for part in parts], np.float64)
    return Series(opponent, points[:, :, 0] / 1e6, points[:, :, 1])
