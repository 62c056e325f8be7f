"""Ratings from matches: one number per player, so that differences of ratings fit the win rates between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from holdem_env.arena import MatchResult

# The prior draws every player toward the mean, as much as a tie with this half width in bb/100 would. It decides
# only for players that few matches connect.
PRIOR_WIDTH = 1000.0
LEAST_WIDTH = 1e-9
WIDEST_MISFIT = 1e6
ROUNDS = 100
"""Halvings of the interval in which the misfit is looked for."""
TO_HALF_WIDTH = NormalDist().inv_cdf(0.975)
"""From a standard deviation to half the width of a 95 % interval."""


@dataclass(frozen=True)
class Rating:
    """What a player would win against the average of all rated players, in bb/100.

    half_width: half the width of the 95 % interval.
    """

    player: str
    rate: float
    half_width: float


def rate(results: Iterable[MatchResult], average: Collection[str] | None = None, misfit: bool = False) -> list[Rating]:
    """Rate all players of these matches, best first, by weighted least squares: rate(agent) - rate(opponent) = mean.

    average: the players whose mean rating is 0; by default all.
    misfit: poker is not transitive, so even matches without end would not fit one number a player. With True the fit
        has a variance for that, the same in every match and as large as the results ask for (Paule and Mandel 1982):
        matches that are known better than one number can fit count about alike, and the intervals are as wide as the
        misfit makes them. Without, the intervals tell of the luck in the matches alone.

    Only the matches themselves say who beats whom.
    """
    results = list(results)
    players = sorted({name for result in results for name in (result.agent, result.opponent)})
    place = {name: k for k, name in enumerate(players)}
    rows = np.zeros((len(results), len(players)))
    for row, result in zip(rows, results, strict=True):
        row[place[result.agent]], row[place[result.opponent]] = 1, -1
    means = np.array([result.mean for result in results], np.float64)
    widths = np.array([max(result.half_width, LEAST_WIDTH) for result in results], np.float64)
    extra = _misfit(rows, means, widths) if misfit else 0.0
    rates, covariance = _fit(rows, means, widths, extra)
    weights = np.array([1.0 if average is None or name in average else 0.0 for name in players])
    centre = np.eye(len(players)) - weights / weights.sum() if weights.sum() else np.eye(len(players))
    halves = np.sqrt(np.diag(centre @ covariance @ centre.T))
    centred = centre @ rates
    rated = [Rating(name, float(centred[k]), float(halves[k])) for name, k in place.items()]
    return sorted(rated, key=lambda rating: -rating.rate)


def _fit(
    rows: NDArray[np.float64], means: NDArray[np.float64], widths: NDArray[np.float64], extra: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ratings, (players,), and their covariance, in squared half widths. extra: added to the square of each width."""
    weights = 1 / (widths**2 + extra)
    information = np.eye(rows.shape[1]) / PRIOR_WIDTH**2 + rows.T @ (weights[:, None] * rows)
    covariance = np.asarray(np.linalg.inv(information), np.float64)
    return covariance @ (rows.T @ (weights * means)), covariance


def _misfit(rows: NDArray[np.float64], means: NDArray[np.float64], widths: NDArray[np.float64]) -> float:
    """The extra square of a half width with which the results are as far from the fit as chance would have them."""
    known = np.isfinite(widths)
    rows, means, widths = rows[known], means[known], widths[known]
    freedom = len(rows) - int(np.linalg.matrix_rank(rows)) if len(rows) else 0
    if freedom < 1:
        return 0.0

    def too_far(extra: float) -> bool:
        rates, _ = _fit(rows, means, widths, extra)
        squares = (TO_HALF_WIDTH * (means - rows @ rates)) ** 2 / (widths**2 + extra)
        return bool(squares.sum() > freedom)

    low, high = 0.0, WIDEST_MISFIT**2
    if not too_far(low):
        return 0.0
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        low, high = (middle, high) if too_far(middle) else (low, middle)
    return high
