"""A strategy as kernels read it: its tree, and the probabilities of each decision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import inline
from ..trees.betting_tree import BettingTree
from ..trees.walking import DECISION, SHOWDOWN
from .strategy import Strategy
from .translation import TreeSizes, tree_sizes


class StrategyArrays(NamedTuple):
    """A strategy as kernels read it. N nodes, D decisions, E beginnings of streets."""

    sizes: TreeSizes
    kind: NDArray[np.int8]
    """(N,)."""
    street: NDArray[np.int8]
    """(N,)."""
    player: NDArray[np.int8]
    """(N,)."""
    decision: NDArray[np.int32]
    """(N,)."""
    is_checked_down: NDArray[np.bool_]
    """(N,): whether this is a showdown with nobody all-in."""
    offset: NDArray[np.int64]
    """(D,): where the levels of a decision begin."""
    level: NDArray[np.uint8]
    """Of bucket b and child k at offset + b * children + k; divided by their sum, probabilities."""
    entry_depth: NDArray[np.float64]
    """(E,): the stack-to-pot ratio at the beginning of a street, of the shorter stack; ascending within each street."""
    entry_node: NDArray[np.int32]
    """(E,): where these streets begin."""
    entry_first: NDArray[np.int64]
    """(streets + 1,): where each street's entries begin."""
    depth: float
    """The shorter stack of the tree in big blinds."""


def strategy_arrays(strategy: Strategy) -> StrategyArrays:
    """A strategy as kernels read it."""
    tree = strategy.tree
    sizes = tree_sizes(tree)
    depth, node, first = _entries(tree)
    checked_down = (tree.kind == SHOWDOWN) & ~sizes.is_all_in
    shortest = float(min(tree.rules.starting_stacks)) / tree.rules.blinds[1]
    arrays = (tree.kind, tree.street, tree.player, tree.decision, checked_down, strategy.offset, strategy.probability)
    return StrategyArrays(sizes, *arrays, depth, node, first, shortest)


def _entries(tree: BettingTree) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]:
    """Where streets begin, by street and stack-to-pot ratio."""
    nodes = np.flatnonzero(tree.street_start & (tree.kind == DECISION))
    behind = (np.array(tree.rules.starting_stacks) - tree.put_in[nodes]).min(axis=1)
    depth = behind / tree.pot[nodes]
    order = np.lexsort((depth, tree.street[nodes]))
    first = np.searchsorted(tree.street[nodes][order], np.arange(tree.rules.streets + 1))
    return depth[order], nodes[order].astype(np.int32), first.astype(np.int64)


@inline
def probability_of(strategy, node, child, bucket):
    """The probability of a child for a bucket; for a hand that cannot be (-1), that of any child."""
    children = strategy.sizes.children[node]
    if bucket < 0:
        return 1.0 / children
    first = strategy.offset[strategy.decision[node]] + np.int64(bucket) * children
    total = 0
    for k in range(children):
        total += strategy.level[first + k]
    return strategy.level[first + child - strategy.sizes.first_child[node]] / total
