"""Ratings: one number for each agent, from its win rates. Instant run-off and total bankroll are the Annual
Computer Poker Competition's; Bradley and Terry (1952) is the model behind Elo's numbers; Nash averaging is that of
Balduzzi, Tuyls, Perolat and Graepel (2018). Least squares fit the differences of ratings to the win rates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from ...game.units import BIG_BLINDS, Unit
from ...utils.extras import explain_missing_extra
from ..matches.match import MatchResult

Matrix = NDArray[np.float64]
ELO_MEAN, ELO_SCALE = 1500.0, 400 / log(10)
PRIOR = 0.5
"""Wins and losses that everybody is given against everybody in advance, so that an unbeaten agent has a rating."""
LEAST = 1e-6  # of a prior's drawn wins: with none at all a rating would be infinite
RESAMPLES = 200
# The prior draws every player toward the mean, as much as a tie with this half width in bb/100 would. It decides
# only for players that few matches connect.
TIE_WIDTH = 1000.0
LEAST_WIDTH = 0.01  # half-widths below this count as this: next to far smaller ones nothing else can be solved for


def instant_runoff(rates: Matrix) -> NDArray[np.int64]:
    """Places, (n,), 1 the best: the one with the lowest mean rate against those still in is dropped, again and again.

    rates: (n, n), what the row's agent wins against the column's; the diagonal is not looked at.
    """
    count = len(rates)
    places, still = np.zeros(count, np.int64), list(range(count))
    while still:
        means = [np.mean([rates[one, other] for other in still if other != one] or [0.0]) for one in still]
        place = len(still)
        places[still.pop(int(np.argmin(means)))] = place
    return places


def block_wins(values: Matrix, block: int) -> Matrix:
    """Who was ahead of whom in each block of deals: (blocks, n, n), 1 the row's agent, 0.5 even, 0 otherwise, nan if
    one of the two was not there.

    values: (deals, n), what each agent won a hand in each deal, nan where it did not play. The deals at the end that
    make no whole block are left out, unless there is no whole block.
    """
    blocks = max(1, len(values) // block)
    cut = values[: blocks * block] if len(values) >= block else values
    summed = cut.reshape(blocks, -1, values.shape[1]).mean(axis=1)
    ahead: Matrix = (1 + np.sign(summed[:, :, None] - summed[:, None, :])) / 2
    return ahead


def elo(wins: Matrix, confidence: float = 0.95, seed: int = 0) -> tuple[Matrix, Matrix, Matrix]:
    """Elo ratings by the model of Bradley and Terry: the ratings, and the lower and upper ends of their intervals, each
    (n,); the mean of all is 1500.

    wins: (blocks, n, n) as of `block_wins`. Blocks of the same deals belong together: the intervals are the Bayesian
    bootstrap over blocks (Rubin 1981), in which the prior's wins are drawn too. So somebody who won every block has an
    interval as well, the wider the fewer blocks there are.
    """
    there, won = ~np.isnan(wins), np.nan_to_num(wins)
    ratings = _fitted(won.sum(axis=0) * there.any(axis=0))
    generator = np.random.default_rng(seed)
    weights = generator.standard_gamma(1.0, (RESAMPLES, len(wins)))
    priors = np.maximum(generator.standard_gamma(PRIOR, (RESAMPLES, *won.shape[1:])), LEAST)
    pairs = zip(weights, priors, strict=True)
    samples = np.stack([_fitted(np.tensordot(weight, won, 1), prior) for weight, prior in pairs])
    tail = (1 - confidence) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0)
    return ratings, low, high


def _fitted(wins: Matrix, prior: Matrix | float = PRIOR) -> Matrix:
    with explain_missing_extra("an Elo rating"):
        import choix

    given = wins + prior
    np.fill_diagonal(given, 0)
    parameters = np.asarray(choix.ilsr_pairwise_dense(given), np.float64)
    fitted: Matrix = ELO_MEAN + ELO_SCALE * (parameters - parameters.mean())
    return fitted


def nash_average(rates: Matrix) -> tuple[Matrix, Matrix]:
    """The equilibrium of the game in which both sides choose an agent, (n,) probabilities, that of the largest entropy;
    and what each agent wins against it, (n,): 0 for those that are in it, less for the others.

    rates: (n, n), antisymmetric.
    """
    from scipy.optimize import linprog, minimize

    game = (np.nan_to_num(rates) - np.nan_to_num(rates).T) / 2
    count = len(game)
    scale = max(np.abs(game).max(), 1e-12)
    game = game / scale
    simplex = {"A_eq": np.ones((1, count)), "b_eq": [1.0]}
    start = linprog(np.zeros(count), A_ub=game, b_ub=np.full(count, 1e-9), **simplex).x
    if start is None:
        raise ValueError("nash: no equilibrium was found; are these rates antisymmetric?")
    constraints = [{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "ineq", "fun": lambda p: 1e-9 - game @ p}]
    spread = minimize(
        lambda p: (p * np.log(np.maximum(p, 1e-12))).sum(),
        0.99 * start + 0.01 / count,
        bounds=[(0, 1)] * count,
        constraints=constraints,
        method="SLSQP",
    )
    chosen = spread.x if spread.success and (game @ spread.x).max() < 1e-6 else start
    chosen = np.clip(chosen, 0, None) / np.clip(chosen, 0, None).sum()
    return chosen, scale * game @ chosen


@dataclass(frozen=True)
class Rating:
    """What a player would win against the average of all rated players, in `unit`.

    half_width: half the width of the 95 % interval; infinite where the matches say less of a player than the prior.
    """

    player: str
    rate: float
    half_width: float
    unit: Unit


def rate(results: Iterable[MatchResult]) -> list[Rating]:
    """Rate all players of these matches, best first, by weighted least squares: rate(agent) - rate(opponent) = mean.

    Only the matches themselves say who beats whom: the intervals tell of the luck in them alone.
    """
    results = list(results)
    unit = results[0].unit if results else BIG_BLINDS
    scale = unit.per / BIG_BLINDS.per
    players = sorted({name for result in results for name in (result.agent, result.opponent)})
    place = {name: k for k, name in enumerate(players)}
    rows = np.zeros((len(results), len(players)))
    for row, result in zip(rows, results, strict=True):
        row[place[result.agent]], row[place[result.opponent]] = 1, -1
    means = np.array([result.mean for result in results], np.float64)
    weights = np.array([max(result.half_width, scale * LEAST_WIDTH) ** -2.0 for result in results], np.float64)
    information = np.eye(len(players)) / (scale * TIE_WIDTH) ** 2 + rows.T @ (weights[:, None] * rows)
    covariance = np.asarray(np.linalg.inv(information), np.float64)
    centre = np.eye(len(players)) - 1 / max(1, len(players))
    halves = np.sqrt(np.diag(centre @ covariance @ centre.T))
    of_prior = scale * TIE_WIDTH * np.sqrt(np.diag(centre))
    halves[halves > of_prior / sqrt(2)] = inf
    rates = centre @ (covariance @ (rows.T @ (weights * means)))
    rated = [Rating(name, float(rates[k]), float(halves[k]), unit) for name, k in place.items()]
    return sorted(rated, key=lambda rating: -rating.rate)
