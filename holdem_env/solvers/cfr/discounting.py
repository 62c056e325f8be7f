"""Discounted CFR's weights of earlier iterations, and the parameters of the algorithms that are special cases of it.

Before iteration t adds its own, the sums over the iterations before are multiplied (Brown and Sandholm 2019,
section "Discounted CFR"):

| sum | factor |
|---|---|
| cumulative regret above 0 | (t - 1)^alpha / ((t - 1)^alpha + 1) |
| cumulative regret below 0 | (t - 1)^beta / ((t - 1)^beta + 1) |
| cumulative strategy | ((t - 1) / t)^gamma |
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from ...utils.validation import suggestion

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Discounting:
    """alpha, beta, gamma: see above; inf keeps regrets as they are, -inf makes them 0. predictive: regret matching uses
    the regrets that are expected of the next iteration, those of the last one counted twice (Farina et al. 2021)."""

    alpha: float
    beta: float
    gamma: float
    predictive: bool = False

    def factors(self, first: int, count: int) -> Floats:
        """(count, 3): the factors of regrets above 0, of regrets below 0 and of the cumulative strategy in the
        iterations from number `first` on, which is 1 or more."""
        done = np.arange(first - 1, first - 1 + count, dtype=np.float64)
        strategy = (done / (done + 1)) ** self.gamma
        return np.stack([_kept(done, self.alpha), _kept(done, self.beta), strategy], axis=1)


def _kept(done: Floats, exponent: float) -> Floats:
    if np.isinf(exponent):
        return np.full_like(done, float(exponent > 0))
    grown = np.maximum(done, 1) ** exponent  # before the first iteration there is nothing to keep
    return grown / (grown + 1)


ALGORITHMS = {
    "dcfr": Discounting(1.5, 0.0, 2.0),  # the parameters that Brown and Sandholm (2019) recommend
    "cfr+": Discounting(inf, -inf, 1.0),  # Tammelin (2014): no negative regrets, linear averaging
    "pcfr+": Discounting(inf, -inf, 2.0, predictive=True),  # Farina, Kroer and Sandholm (2021): quadratic averaging
}
SUBGAME_DCFR = Discounting(1.5, 0.0, 3.0)
"""DCFR with a cumulative strategy that forgets its beginning sooner, as subgames are solved in few iterations."""


def discounting_of(algorithm: str) -> Discounting:
    """The parameters of an algorithm by its name. Raises ValueError for another name."""
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm: there is no {algorithm!r}: {suggestion(algorithm, list(ALGORITHMS))}")
    return ALGORITHMS[algorithm]
