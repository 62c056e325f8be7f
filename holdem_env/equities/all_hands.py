"""All 1,326 hands on one board of five cards at once: their values, and how many hands each of them beats (hold'em).

The 1,081 hands that a board leaves possible are sorted by value. A walk up the order then counts for each of them the
hands that it beats and ties, leaving out those that hold one of its cards. A board takes about 14 µs; asking
`strength.made_strength` for each hand would take 1,081 times 0.1 µs.

Hands are numbered as in cards/combos.py. Cards are trusted to be different and 0 to 51.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import COMBO_CARDS, COMBOS
from ..cards.evaluator import CARD_CODE, CARD_MASK, card_code, card_mask, start_code, value_of
from ..compiled.compiler import inline, kernel
from ..compiled.scalars import Ints, int64
from .holdem import DECK, HOLE, RIVER
from .range_sweep import VALUE_SHIFT, sort_by_value

HAND_HIGH: NDArray[np.int64] = COMBO_CARDS[:, 0].copy()
HAND_LOW: NDArray[np.int64] = COMBO_CARDS[:, 1].copy()
HAND_CODE: NDArray[np.int64] = CARD_CODE[HAND_HIGH] + CARD_CODE[HAND_LOW]
HAND_MASK: NDArray[np.int64] = CARD_MASK[HAND_HIGH] + CARD_MASK[HAND_LOW]
NOT_POSSIBLE = 0
"""Stands for the value of a hand that holds a card of the board; values are 1 to 7462."""
PLACE = (1 << VALUE_SHIFT) - 1
MAX_HALVES = (DECK - HOLE - RIVER) * (DECK - HOLE - RIVER - 1)
"""What a hand gets that beats all 990 others: 1,980 halves."""


@inline
def board_sums(board: Ints, count: int) -> tuple[int, int]:
    """The sums over the first `count` cards of a board that the evaluator needs: code and mask."""
    code = mask = int64(0)
    for i in range(count):
        code += card_code(board[i])
        mask += card_mask(board[i])
    return code, mask


@inline
def sort_hands(code: int, mask: int, items: Ints, spare: Ints) -> int:
    """List the hands that are possible on a board of five cards, weakest first, as value << VALUE_SHIFT | combo.

    code, mask: from `board_sums`; items, spare: (1326,) int64. Returns how many there are.
    """
    start = start_code(HOLE + RIVER) + code
    count = 0
    for combo in range(COMBOS):
        if HAND_MASK[combo] & mask == 0:
            items[count] = (value_of(start + HAND_CODE[combo], mask + HAND_MASK[combo]) << VALUE_SHIFT) | combo
            count += 1
    sort_by_value(items, spare, count)
    return count


@inline
def count_sorted(items: Ints, count: int, by_card: Ints, halves: Ints) -> None:
    """The halves of wins of each sorted hand against all others: 2 for a win, 1 for a tie, up to 1,980.

    items, count: from `sort_hands`; by_card: (52,) int64 to work in; halves: (1326,), set where a hand is possible.
    """
    by_card[:] = 0
    total = first = 0
    while first < count:
        value = items[first] >> VALUE_SHIFT
        end = first
        while end < count and items[end] >> VALUE_SHIFT == value:
            combo = items[end] & PLACE
            halves[combo] = total - by_card[HAND_HIGH[combo]] - by_card[HAND_LOW[combo]]
            end += 1
        for i in range(first, end):
            combo = items[i] & PLACE
            by_card[HAND_HIGH[combo]] += 1
            by_card[HAND_LOW[combo]] += 1
        total += end - first
        for i in range(first, end):  # the hand itself is taken off with both of its cards
            combo = items[i] & PLACE
            halves[combo] += total - by_card[HAND_HIGH[combo]] - by_card[HAND_LOW[combo]] + 1
        first = end


@kernel
def value_hands(boards: Ints, values: Ints) -> None:
    """The class of every hand on each of `boards` (N, 5) int64, into `values` (N, 1326); NOT_POSSIBLE (0) for hands
    that hold a card of the board."""
    for b in range(len(boards)):
        code, mask = board_sums(boards[b], RIVER)
        start = start_code(HOLE + RIVER) + code
        for combo in range(COMBOS):
            if HAND_MASK[combo] & mask == 0:
                values[b, combo] = value_of(start + HAND_CODE[combo], mask + HAND_MASK[combo])
            else:
                values[b, combo] = NOT_POSSIBLE


@kernel
def count_hands(boards: Ints, halves: Ints) -> None:
    """The halves of wins, 0 to 1,980, of every hand against the 990 others on each of `boards` (N, 5) int64, into
    `halves` (N, 1326); -1 for hands that hold a card of the board."""
    items, spare = np.empty(COMBOS, np.int64), np.empty(COMBOS, np.int64)
    by_card = np.empty(DECK, np.int64)
    for b in range(len(boards)):
        halves[b, :] = -1
        code, mask = board_sums(boards[b], RIVER)
        count = sort_hands(code, mask, items, spare)
        count_sorted(items, count, by_card, halves[b])


def hand_values(board: Any) -> NDArray[np.int64]:
    """(1326,) int64: the class, 1 to 7462, of every hand on a board of five cards; 0 for hands that hold one of them.

    >>> values = hand_values([0, 5, 10, 15, 51])
    >>> int((values > 0).sum())
    1081
    """
    values = np.empty(COMBOS, np.int64)
    value_hands(np.asarray(board, np.int64)[None], values[None])
    return values
