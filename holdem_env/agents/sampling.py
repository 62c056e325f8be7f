"""Drawing moves from probabilities: by a hash of the decision for agents, or from a generator for measurements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import kernel
from ..engine.batch import NO_MOVE
from ..engine.random_numbers import decision_fraction

SUM_TOLERANCE = 1e-6  # how far the sum of a row's probabilities may be from 1
FINE = -1


@kernel
def draw_moves(tables, rows, moves, probabilities, salt, drawn):  # type: ignore[no-untyped-def]
    """Draw one move for each row from its probabilities. The random number is a hash of the decision, so the same
    decision in the same hand gives the same move, however rows are batched. Returns the first row with invalid
    probabilities, or FINE."""
    for k in range(rows.size):
        total = 0.0
        for action in range(moves.shape[1]):
            total += probabilities[k, action] if probabilities[k, action] >= 0.0 else np.nan
        if not abs(total - 1.0) <= SUM_TOLERANCE:
            return k
        left = decision_fraction(tables[rows[k]], salt)
        drawn[k] = NO_MOVE
        for action in range(moves.shape[1]):
            if probabilities[k, action] > 0.0:
                drawn[k] = moves[k, action]  # if rounding leaves a remainder, the last possible move is drawn
                left -= probabilities[k, action]
                if left < 0.0:
                    break
    return FINE


def sampled_columns(probabilities: NDArray[np.float64], generator: np.random.Generator) -> NDArray[np.int64]:
    """A column drawn for each row of probabilities (K, A), whose sums need not be 1: (K,)."""
    upto = probabilities.cumsum(axis=1)
    columns: NDArray[np.int64] = (upto <= generator.random(len(upto))[:, None] * upto[:, -1:]).sum(axis=1)
    return columns
