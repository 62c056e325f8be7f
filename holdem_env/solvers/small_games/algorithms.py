"""The algorithms that solve small games, all of them counterfactual regret minimisation with vectors over the hands.

In iteration t, which updates one player after the other:

| | regrets above 0 times | below 0 times | weight in the average |
|---|---|---|---|
| dcfr | t^1.5 / (t^1.5 + 1) | 1/2 | t^2 |
| cfr+ | 1 | 0 | t |
| pcfr+ | 1 | 0 | t^2 |

dcfr: Brown and Sandholm, *Solving Imperfect-Information Games via Discounted Regret Minimization* (2019), with their
parameters 1.5, 0 and 2. cfr+: Tammelin (2014). pcfr+: Farina, Kroer and Sandholm (2021); it matches moves to the
regrets that it expects, those of the iteration before once more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...utils.validation import suggestion

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Algorithm:
    """How the past counts: what regrets above and below 0 are multiplied with after iteration t, and the iteration's
    weight in the average; and whether moves are matched to expected regrets."""

    above: Callable[[Floats], Floats]
    below: Callable[[Floats], Floats]
    weight: Callable[[Floats], Floats]
    predicts: bool = False

    def steps(self, first: int, count: int) -> Floats:
        """(count, 3), for the iterations from number `first` on, which is 1 or more."""
        t = np.arange(first, first + count, dtype=np.float64)
        return np.stack([self.above(t), self.below(t), self.weight(t)], axis=1)


ALGORITHMS = {
    "dcfr": Algorithm(lambda t: t**1.5 / (t**1.5 + 1), lambda t: np.full(t.shape, 0.5), lambda t: t**2),
    "cfr+": Algorithm(np.ones_like, np.zeros_like, lambda t: t),
    "pcfr+": Algorithm(np.ones_like, np.zeros_like, lambda t: t**2, predicts=True),
}


def algorithm_of(name: str) -> Algorithm:
    """An algorithm by its name. Raises ValueError for another name."""
    if name not in ALGORITHMS:
        raise ValueError(f"algorithm: there is no {name!r}: {suggestion(name, list(ALGORITHMS))}")
    return ALGORITHMS[name]
