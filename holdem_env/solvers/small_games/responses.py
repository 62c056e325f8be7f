"""The value of a strategy and the best responses to it, in a public tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .public_tree import PublicTree
from .traversal import value_for


def expected_values(tree: PublicTree, strategy: NDArray[np.floating[Any]]) -> tuple[float, float]:
    """What player 0, on the button, and player 1 win per hand, in chips, when both play the strategy.

    strategy: (tree.entries,) float32 or float64, as in `PublicTree`: weights of moves of 0 or more; where all of them
    are 0 every move is as likely.
    """
    first = _value(tree, strategy, 0, best=False)
    return first, -first if tree.is_zero_sum else _value(tree, strategy, 1, best=False)


def best_responses(tree: PublicTree, strategy: NDArray[np.floating[Any]]) -> tuple[float, float]:
    """What a best response wins per hand, in chips, as player 0 and as player 1 against the strategy."""
    return _value(tree, strategy, 0, best=True), _value(tree, strategy, 1, best=True)


def exploitability_of(tree: PublicTree, strategy: NDArray[np.floating[Any]]) -> float:
    """The mean of what both players gain by a best response, in chips per hand: NashConv / 2."""
    best = best_responses(tree, strategy)
    return (sum(best) - (0.0 if tree.is_zero_sum else sum(expected_values(tree, strategy)))) / 2


def _value(tree: PublicTree, strategy: NDArray[np.floating[Any]], player: int, best: bool) -> float:
    out = np.empty(len(tree.hands), strategy.dtype)
    value_for(tree.arrays, tree.most_lanes, tree.most_depth, tree.most_children, strategy, player, best, out)
    return float(out.sum(dtype=np.float64)) / tree.hands.deals
