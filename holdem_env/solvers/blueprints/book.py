"""A strategy as kernels read it, and which games it can play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...engine.record import CHECK_CALL
from ...game.rules import Rules
from ..trees.betting_tree import BettingTree
from ..trees.walking import DECISION, SHOWDOWN
from .following import Book
from .strategy import Strategy
from .translation import Sizes

SAME = (
    *("structure", "seats", "deck", "hole_cards", "hole_cards_used", "board_cards", "first_to_act", "ranking", "split"),
    *("max_raises", "uncapped_heads_up"),
)
"""Fields of Rules that must be those of the strategy's game."""
IN_BIG_BLINDS = ("small_blind", "ante", "big_blind_ante", "min_bet")
"""Fields of a RULES record that must be the same in big blinds."""


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


def book_of(strategy: Strategy) -> Book:
    """A strategy as kernels read it."""
    tree = strategy.tree
    sizes = tree_sizes(tree)
    depth, node, first = _entries(tree)
    settled = (tree.kind == SHOWDOWN) & ~sizes.is_all_in
    shortest = float(min(tree.rules.starting_stacks)) / tree.rules.blinds[1]
    arrays = (tree.kind, tree.street, tree.player, tree.decision, settled, strategy.offset, strategy.probability)
    return Book(sizes, *arrays, depth, node, first, shortest)


def _entries(tree: BettingTree) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]:
    """Where streets begin, by street and what is left behind in pots."""
    nodes = np.flatnonzero(tree.street_start & (tree.kind == DECISION))
    behind = (np.array(tree.rules.starting_stacks) - tree.put_in[nodes]).min(axis=1)
    depth = behind / tree.pot[nodes]
    order = np.lexsort((depth, tree.street[nodes]))
    first = np.searchsorted(tree.street[nodes][order], np.arange(tree.rules.streets + 1))
    return depth[order], nodes[order].astype(np.int32), first.astype(np.int64)


def check_game(name: str, own: Rules, played: Rules) -> None:
    """Raises ValueError, naming the differences, if a strategy for the rules `own` cannot play a game. Stacks may
    differ, and all chips may be multiplied."""
    wrong = [
        f"{field} {getattr(own, field)!r}, not {getattr(played, field)!r}"
        for field in SAME
        if getattr(own, field) != getattr(played, field)
    ]
    mine = own.record[0]
    for stage in played.record if not wrong else ():
        for field in IN_BIG_BLINDS:
            here, there = mine[field] / mine["big_blind"], stage[field] / stage["big_blind"]
            if not np.array_equal(here, there):
                wrong.append(f"{field} of {np.max(here):g} big blinds, not {np.max(there):g}")
        if wrong:
            break
    if wrong:
        raise ValueError(f"agent {name!r} plays another game: {'; '.join(wrong)}")
