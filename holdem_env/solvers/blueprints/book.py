"""A strategy as kernels read it, and which games it can play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...game.rules import Rules
from ...game.title import game_title
from ..trees.betting_tree import BettingTree
from ..trees.walking import DECISION, SHOWDOWN
from .branches import Book
from .strategy import Strategy
from .translation import tree_sizes

BETTING = ("structure", "seats", "first_to_act")
LIMITS = ("max_raises", "uncapped_heads_up")
"""Fields of Rules that must be those of the strategy's game; LIMITS in fixed limit alone."""
IN_BIG_BLINDS = ("small_blind", "ante", "big_blind_ante", "street_bets")
"""What must be the same in big blinds."""


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
    differ, and all chips may be multiplied; so may what does not change the betting, such as rake."""
    if wrong := _differences(own, played):
        raise ValueError(
            f"agent {name!r} cannot play {game_title(played)}: its strategy is for another game: {'; '.join(wrong)}"
        )


def _differences(own: Rules, played: Rules) -> list[str]:
    if hands := own.hand_differences(played):
        return [f"{field} {getattr(own, field)!r}, not {getattr(played, field)!r}" for field in hands]
    fields = (*BETTING, *(LIMITS if own.structure == "fixed_limit" else ()))
    for stage in played.stages:
        wrong = [
            f"{field} {getattr(own, field)!r}, not {getattr(stage, field)!r}"
            for field in fields
            if getattr(own, field) != getattr(stage, field)
        ]
        for field in IN_BIG_BLINDS if not wrong else ():
            here, there = _in_big_blinds(own, field), _in_big_blinds(stage, field)
            if not np.array_equal(here, there):
                wrong.append(f"{field} of {_text(here)} big blinds, not {_text(there)}")
        if wrong:
            return wrong
    return []


def _in_big_blinds(rules: Rules, field: str) -> NDArray[np.float64]:
    return np.atleast_1d(np.array(getattr(rules, field), np.float64)) / max(rules.big_blind, 1)


def _text(amounts: NDArray[np.float64]) -> str:
    return " / ".join(f"{amount:g}" for amount in dict.fromkeys(amounts.tolist()))
