"""Between the sizes: which wagers of the tree an opponent's wager stands for, and which real wager a child of the tree
is.

A wager is measured by the part of the pot that it adds to a call: x = (total - level) / (pot + call). An opponent's
wager that the tree has is itself. One that lies between two sizes a and b of the tree stands for both: for a with the
probability (b - x) (1 + a) / ((b - a) (1 + x)) and else for b, the pseudo-harmonic mapping of Ganzfried and Sandholm
(2013). Against both readings the same bets are worth their price, so that nobody gains by choosing sizes in between.
Below the smallest size, a is 0: the wager stands for a check or a call, too. All-in is a size like any other, so that
there is no gap between the pot and all-in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import inline, kernel
from ...engine.record import CHECK_CALL, FOLD
from ..trees.betting_tree import BettingTree

NO_CHILD = -1


class Sizes(NamedTuple):
    """A betting tree as translation reads it. N nodes."""

    move: NDArray[np.int64]
    """(N,): the engine move that led to each node."""
    first_child: NDArray[np.int32]
    """(N,)."""
    children: NDArray[np.int8]
    """(N,)."""
    over: NDArray[np.int64]
    """(N,): for a node that a wager led to, its chips beyond a call."""
    called: NDArray[np.int64]
    """(N,): for a node that a wager led to, the pot if its player had called instead."""
    is_all_in: NDArray[np.bool_]
    """(N,): whether the move that led there was a wager of all chips."""


def tree_sizes(tree: BettingTree) -> Sizes:
    """A betting tree as translation reads it."""
    nodes = np.arange(len(tree))
    call = np.full(len(tree), -1, np.int64)
    calls = nodes[tree.move == CHECK_CALL]
    call[tree.parent[calls]] = calls
    wagers = nodes[tree.move > CHECK_CALL]
    called = np.ones(len(tree), np.int64)
    over = np.zeros(len(tree), np.int64)
    called[wagers] = tree.pot[call[tree.parent[wagers]]]
    over[wagers] = tree.pot[wagers] - called[wagers]
    return Sizes(tree.move, tree.first_child, tree.children, over, called, _all_in(tree))


def _all_in(tree: BettingTree) -> NDArray[np.bool_]:
    """(N,): whether somebody has put in all chips."""
    stacks = np.array(tree.rules.starting_stacks, np.int64)
    return np.asarray((tree.put_in >= stacks).any(axis=1))


@inline
def lower_share(lower, upper, size):
    """The probability that a wager of `size` parts of the pot stands for the lower of its two neighbours."""
    return (upper - size) * (1.0 + lower) / ((upper - lower) * (1.0 + size))


@inline
def same_part(sizes, child, level, called, chip):
    """The street total that is the same part of a real pot as the wager of a child is in the tree, rounded down to
    whole chips as bet sizes are."""
    total = level + sizes.over[child] * called // sizes.called[child]
    return total - total % chip


@inline
def call_child(sizes, node):
    """The child to which a check or call leads."""
    first = sizes.first_child[node]
    for child in range(first, first + sizes.children[node]):
        if sizes.move[child] == CHECK_CALL:
            return child
    return NO_CHILD


@inline
def translate(sizes, node, total, level, called, all_in, chip):
    """What a real wager at a node stands for: two children (the second may be NO_CHILD), and the first one's
    probability."""
    size = (total - level) / called
    first = sizes.first_child[node]
    lower, upper, whole = call_child(sizes, node), NO_CHILD, NO_CHILD
    lower_size, upper_size, largest_size = 0.0, np.inf, -1.0
    for child in range(first, first + sizes.children[node]):
        if sizes.move[child] <= CHECK_CALL:
            continue
        if same_part(sizes, child, level, called, chip) == total and (all_in or not sizes.is_all_in[child]):
            return child, NO_CHILD, 1.0
        part = sizes.over[child] / sizes.called[child]
        if sizes.is_all_in[child]:
            whole = child
        elif part > largest_size:
            largest_size = part
        if part <= size and part >= lower_size:
            lower, lower_size = child, part
        if part > size and part < upper_size:
            upper, upper_size = child, part
    if all_in and whole != NO_CHILD and size > largest_size:
        return whole, NO_CHILD, 1.0
    if upper == NO_CHILD:
        return lower, NO_CHILD, 1.0
    return lower, upper, lower_share(lower_size, upper_size, size)


@inline
def real_move(sizes, child, limits, level, called, chip, keep_all_in):
    """The real move that a child of the tree means. limits: what may be raised to, least and most; 0, 0 if no raise is
    legal. `called` and `level` as in Wager.

    All-in stays all-in (unless not keep_all_in, at far deeper stacks than the tree's). A size below the legal minimum
    becomes the minimum. Where nobody may raise, a raise becomes a call. Nobody folds where checking is free.
    """
    least, most, call = limits
    if sizes.move[child] == FOLD:
        return FOLD if call > 0 else CHECK_CALL
    if sizes.move[child] == CHECK_CALL or most == 0:
        return CHECK_CALL
    if sizes.is_all_in[child] and keep_all_in:
        return most
    total = same_part(sizes, child, level, called, chip)
    return most if total >= most else max(total, least)


def readings(
    tree: BettingTree, node: int, total: int, level: int, called: int, all_in: bool = False, chip: int = 1
) -> dict[int, float]:
    """What a real wager at a decision of a tree stands for: one or two of the node's children, and the probability of
    each.

    total: the street total that it raises to. level: the total to match before it. called: the pot if its player had
    called instead. all_in: whether it takes all chips of one of the players. chip: the smallest chip.
    """
    lower, upper, share = _read(tree_sizes(tree), node, total, level, called, all_in, chip)
    return {int(lower): 1.0} if upper == NO_CHILD else {int(lower): float(share), int(upper): 1.0 - float(share)}


@kernel
def _read(sizes, node, total, level, called, all_in, chip):
    return translate(sizes, node, total, level, called, all_in, chip)
