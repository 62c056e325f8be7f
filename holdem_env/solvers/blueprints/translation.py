"""Action translation: which wagers of the tree a real wager stands for (`translate`), and which real move a child of
the tree means (`real_move`).

A wager is measured by the part of the pot that it adds to a call: x = (total - level) / (pot + call). An opponent's
wager that the tree has is itself. One that lies between two sizes a and b of the tree stands for both: for a with the
probability (b - x) (1 + a) / ((b - a) (1 + x)) and else for b, the pseudo-harmonic mapping of Ganzfried and Sandholm
(2013). Against both readings the same bets are worth their price, so that nobody gains by choosing sizes in between.
Below the smallest size, a is 0: the wager stands for a check or a call, too. All-in is a size like any other,
which leaves no gap between the pot and all-in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import inline
from ...engine.bet_sizes import nearest_raise, raise_of_pot
from ...engine.record import CHECK_CALL, FOLD
from ..trees.betting_tree import BettingTree

NO_CHILD = -1
Wager = tuple[int, int, int]  # of a real wager: the total to match before it, the pot after a call, the smallest chip


class TreeSizes(NamedTuple):
    """A betting tree as translation reads it. N nodes."""

    move: NDArray[np.int64]  # (N,): the engine move that led to each node
    first_child: NDArray[np.int32]  # (N,)
    children: NDArray[np.int32]  # (N,)
    over: NDArray[np.int64]  # (N,): for a node that a wager led to, its chips beyond a call
    called: NDArray[np.int64]  # (N,): for a node that a wager led to, the pot if its player had called instead
    is_all_in: NDArray[np.bool_]  # (N,): whether the move that led there was a wager of all chips


def tree_sizes(tree: BettingTree) -> TreeSizes:
    """A betting tree as translation reads it."""
    call, over, called = (np.full(len(tree), value, np.int64) for value in (-1, 0, 1))
    calls, wagers = np.flatnonzero(tree.move == CHECK_CALL), np.flatnonzero(tree.move > CHECK_CALL)
    call[tree.parent[calls]] = calls
    called[wagers] = tree.pot[call[tree.parent[wagers]]]
    over[wagers] = tree.pot[wagers] - called[wagers]
    is_all_in = np.asarray((tree.put_in >= np.array(tree.rules.starting_stacks)).any(axis=1))
    return TreeSizes(tree.move, tree.first_child, tree.children, over, called, is_all_in)


@inline
def same_part(sizes: TreeSizes, child: int, wager: Wager) -> int:
    """The street total that is the same part of a real pot as the wager of a child is in the tree."""
    level, called, chip = wager
    return raise_of_pot(level, called, sizes.over[child], sizes.called[child], chip)


@inline
def call_child(sizes: TreeSizes, node: int) -> int:
    """The child to which a check or call leads."""
    first = sizes.first_child[node]
    for child in range(first, first + sizes.children[node]):
        if sizes.move[child] == CHECK_CALL:
            return child
    return NO_CHILD


@inline
def translate(sizes: TreeSizes, node: int, total: Any, all_in: Any, wager: Wager) -> tuple[int, int, Any]:
    """What a real wager at a node stands for: two children (the second may be NO_CHILD), and the first one's
    probability. total: the street total that it raises to. all_in: whether it takes all chips of one of the players."""
    level, called, _ = wager
    size = (total - level) / called
    first = sizes.first_child[node]
    lower, upper, all_in_child = call_child(sizes, node), NO_CHILD, NO_CHILD
    lower_size, upper_size, largest_size = 0.0, np.inf, -1.0
    for child in range(first, first + sizes.children[node]):
        if sizes.move[child] <= CHECK_CALL:
            continue
        if same_part(sizes, child, wager) == total and (all_in or not sizes.is_all_in[child]):
            return child, NO_CHILD, 1.0
        part = sizes.over[child] / sizes.called[child]
        if sizes.is_all_in[child]:
            all_in_child = child
        elif part > largest_size:
            largest_size = part
        if part <= size and part >= lower_size:
            lower, lower_size = child, part
        if part > size and part < upper_size:
            upper, upper_size = child, part
    if all_in and all_in_child != NO_CHILD and size > largest_size:
        return all_in_child, NO_CHILD, 1.0
    if upper == NO_CHILD:
        return lower, NO_CHILD, 1.0
    share = (upper_size - size) * (1.0 + lower_size) / ((upper_size - lower_size) * (1.0 + size))  # pseudo-harmonic
    return lower, upper, share


@inline
def real_move(sizes: TreeSizes, child: int, legal: Any, wager: Wager, all_in_stays: bool) -> int:
    """The real move that a child of the tree means. legal: the least and the most that may be raised to (0, 0 if no
    raise is legal), and the price of a call.

    All-in stays all-in, unless not all_in_stays, at far deeper stacks than the tree's. A size below the legal minimum
    becomes the minimum. Where nobody may raise, a raise becomes a call. Nobody folds where checking is free.
    """
    least, most, call = legal
    if sizes.move[child] == FOLD:
        return FOLD if call > 0 else CHECK_CALL
    if sizes.move[child] == CHECK_CALL or most == 0:
        return CHECK_CALL
    if sizes.is_all_in[child] and all_in_stays:
        return most
    return nearest_raise(least, most, same_part(sizes, child, wager), wager[2])
