"""Range queries by copies: what an agent does with each of the 1,326 hands, asked with each hand put in its place."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import COMBO_CARDS, COMBOS
from ..cards.text import CARDS
from ..compiled.records import Records
from ..engine.batch import NO_MOVE
from ..engine.record import NO_CARD, SHOWN
from ..game.rules import FULL_DECK, Rules

Rows = NDArray[np.int64]
Likely = tuple[Rows, NDArray[np.float64]]
"""Moves and their probabilities, as `Agent.probabilities` or `Agent.range_probabilities` gives them."""
HOLE = 2
TABLES_AT_ONCE = 8  # whose copies, 1,326 of 2.75 kB each, are asked for together


def check_two_cards(rules: Rules) -> None:
    """Raises ValueError for games whose hands are not two cards of the full deck: ranges have 1,326 hands."""
    if any(stage.hole_cards != HOLE or stage.deck != FULL_DECK for stage in rules.stages):
        raise ValueError(
            f"range queries are for games with two hole cards and the full deck; here are {rules.hole_cards} hole "
            f"cards and a deck of {len(rules.deck)}. Ask such games' agents for `probabilities`"
        )


def hands_left(tables: Records, rows: Rows) -> NDArray[np.bool_]:
    """(K, 1326): the hands that the seat to act may have, without cards of the board and of hands others have shown."""
    some = np.take(tables, rows)
    free = np.ones((len(rows), CARDS + 1), np.bool_)  # the last column takes NO_CARD
    each = np.arange(len(rows))[:, None]
    is_out = np.arange(some["board"].shape[1]) < some["board_count"][:, None]
    free[each, np.where(is_out, some["board"], CARDS)] = False
    hole = some["hole"][:, :, :HOLE]
    shown = (some["shown"] == SHOWN)[:, :, None] & (hole != NO_CARD)
    shown[np.arange(len(rows)), some["actor"]] = False
    free[each, np.where(shown, hole, CARDS).reshape(len(rows), -1)] = False
    return free[:, COMBO_CARDS[:, 0]] & free[:, COMBO_CARDS[:, 1]]


def range_by_copies(
    probabilities_of: Callable[[Records, Rules, Rows], Likely],
    tables: Records,
    rules: Rules,
    rows: Rows,
    hands: NDArray[np.bool_] | None = None,
) -> Likely:
    """What `Agent.range_probabilities` gives, by asking an agent's `probabilities` with each hand.

    hands: (K, 1326), those that matter; the others are not asked for and get 0. By default all that can be.
    Raises ValueError for games whose hands are not two cards of the full deck, and whatever `probabilities_of` raises.
    """
    check_two_cards(rules)
    parts: list[Likely] = []
    for first in range(0, len(rows), TABLES_AT_ONCE):
        some = rows[first : first + TABLES_AT_ONCE]
        asked = hands_left(tables, some)
        which, combos = np.nonzero(asked if hands is None else asked & hands[first : first + TABLES_AT_ONCE])
        copies = np.take(tables, some[which])  # ten times faster than indexing
        copies["hole"][np.arange(len(which)), copies["actor"], :HOLE] = COMBO_CARDS[combos]
        answer = probabilities_of(copies, rules, np.arange(len(which)))
        moves, probabilities = np.asarray(answer[0], np.int64), np.asarray(answer[1], np.float64)
        if moves.ndim != 2 or moves.shape != probabilities.shape or len(moves) != len(which):
            raise ValueError(
                f"probabilities must give moves and their probabilities, both ({len(which)}, A); it gave "
                f"{moves.shape} and {probabilities.shape}"
            )
        ends = np.searchsorted(which, np.arange(len(some) + 1))
        for begin, end in pairwise(ends):
            parts.append(_united(moves[begin:end], probabilities[begin:end], combos[begin:end]))
    return padded(parts)


def _united(moves: Rows, probabilities: NDArray[np.float64], combos: Rows) -> Likely:
    """One table's answers, (H, A) each, as (1, B) moves, each once, and (1, 1326, B) probabilities."""
    every = np.unique(moves[moves != NO_MOVE])  # none if no hand matters
    united = np.zeros((1, COMBOS, len(every)))
    for column, move in enumerate(every):
        united[0, combos, column] = (probabilities * (moves == move)).sum(axis=1)
    return every[None], united


def padded(parts: list[Likely], hands: tuple[int, ...] = (COMBOS,)) -> Likely:
    """Answers about several tables as one: moves (K, A), padded with NO_MOVE, and probabilities (K, *hands, A)."""
    count, width = sum(len(moves) for moves, _ in parts), max((moves.shape[1] for moves, _ in parts), default=0)
    moves, probabilities = np.full((count, width), NO_MOVE, np.int64), np.zeros((count, *hands, width))
    at = 0
    for some, likely in parts:
        moves[at : at + len(some), : some.shape[1]] = some
        probabilities[at : at + len(some), ..., : some.shape[1]] = likely
        at += len(some)
    return moves, probabilities
