"""Where a strategy's entries stand: decision by decision, of each bucket one for every child."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..trees.betting_tree import BettingTree


def sizes_of(tree: BettingTree, buckets: Sequence[int]) -> NDArray[np.int64]:
    """(decisions,): how many entries each decision has, its children times its street's buckets."""
    nodes = np.flatnonzero(tree.decision >= 0)
    sizes = np.empty(nodes.size, np.int64)
    sizes[tree.decision[nodes]] = (
        tree.children[nodes].astype(np.int64) * np.array(buckets, np.int64)[tree.street[nodes]]
    )
    return sizes


def offsets_of(tree: BettingTree, buckets: Sequence[int]) -> NDArray[np.int64]:
    """(decisions,): where the entries of each begin. That of bucket b and child k is `offset + b * children + k`."""
    sizes = sizes_of(tree, buckets)
    return np.cumsum(sizes) - sizes


def entries_of(tree: BettingTree, buckets: Sequence[int]) -> int:
    """How many entries there are in all."""
    return int(sizes_of(tree, buckets).sum())
