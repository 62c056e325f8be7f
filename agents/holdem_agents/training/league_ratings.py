"""Ratings from matches: one number per player, so that differences of ratings fit the win rates between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from holdem_env.arena import MatchResult

# The prior draws every player toward the mean, as much as a tie with this half width in bb/100 would. It decides
# only for players that few matches connect.
PRIOR_WIDTH = 1000.0


@dataclass(frozen=True)
class Rating:
    """What a player would win against the average of all rated players, in bb/100.

    half_width: half the width of the 95 % interval.
    """

    player: str
    rate: float
    half_width: float


def rate(results: Iterable[MatchResult]) -> list[Rating]:
    """Rate all players of these matches, best first, by weighted least squares: rate(agent) - rate(opponent) = mean.

    Poker is not transitive: only the matches say who beats whom.
    """
    results = list(results)
    players = sorted({name for result in results for name in (result.agent, result.opponent)})
    place = {name: k for k, name in enumerate(players)}
    information = np.eye(len(players)) / PRIOR_WIDTH**2
    weighted_means = np.zeros(len(players))
    for result in results:
        row = np.zeros(len(players))
        row[place[result.agent]], row[place[result.opponent]] = 1, -1
        weight = 1 / max(result.half_width, 1e-9) ** 2
        information += weight * np.outer(row, row)
        weighted_means += weight * result.mean * row
    covariance = np.linalg.inv(information)
    rates = covariance @ weighted_means
    centre = np.eye(len(players)) - 1 / len(players)
    halves = np.sqrt(np.diag(centre @ covariance @ centre))
    rated = [Rating(name, float(rates[k] - rates.mean()), float(halves[k])) for name, k in place.items()]
    return sorted(rated, key=lambda rating: -rating.rate)
