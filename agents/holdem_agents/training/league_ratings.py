"""Ratings by matches: one number for each player, so that differences of numbers fit the win rates between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from holdem_env.arena import MatchResult

# Players that few matches connect are drawn toward the mean as if each had tied it with this half width, bb/100.
PRIOR_WIDTH = 1000.0


@dataclass(frozen=True)
class Rating:
    """What a player would win from the average of all rated ones, and half the 95 % interval of that: bb/100."""

    player: str
    rate: float
    half_width: float


def rate(results: Iterable[MatchResult]) -> list[Rating]:
    """Rate everybody in these matches, best first: weighted least squares of rate(agent) - rate(opponent) = mean.

    Poker is not transitive: who beats whom is in the matches, not in the ratings.
    """
    results = list(results)
    players = sorted({name for result in results for name in (result.agent, result.opponent)})
    place = {name: k for k, name in enumerate(players)}
    information = np.eye(len(players)) / PRIOR_WIDTH**2
    pulls = np.zeros(len(players))
    for result in results:
        row = np.zeros(len(players))
        row[place[result.agent]], row[place[result.opponent]] = 1, -1
        weight = 1 / max(result.half_width, 1e-9) ** 2
        information += weight * np.outer(row, row)
        pulls += weight * result.mean * row
    widths = np.linalg.inv(information)
    rates = widths @ pulls
    centre = np.eye(len(players)) - 1 / len(players)
    halves = np.sqrt(np.diag(centre @ widths @ centre))
    rated = [Rating(name, float(rates[k] - rates.mean()), float(halves[k])) for name, k in place.items()]
    return sorted(rated, key=lambda rating: -rating.rate)
