"""The buckets of both hands of a deal on all streets, for trainers: compiled, to be called inside their kernels.

    tables = abstraction.deal_tables()          # fills what is missing
    deal_buckets(tables, hole, board, out)      # in a kernel

A deal takes about half a microsecond once the tables are in the processor's cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_CARDS, COMBOS
from ...cards.text import CARDS, RANKS
from ...compiled.compiler import inline, kernel
from ...equities.against_random import count_halves
from ...equities.all_hands import MOST_HALVES, PLACE, board_sums, count_sorted, sort_hands
from ...equities.holdem import RIVER
from ...equities.strength import sums
from .isomorphism import combo_in, combo_of, flop_number, turn_number

RANK_COUNT = len(RANKS)
PREFLOP_CLASSES = RANK_COUNT * RANK_COUNT
PREFLOP, FLOP, TURN, LAST = range(4)
"""The streets, as columns of `out`."""
PLAYERS = 2


def _preflop_classes() -> NDArray[np.int64]:
    high, low = COMBO_CARDS[:, 0] >> 2, COMBO_CARDS[:, 1] >> 2
    suited = COMBO_CARDS[:, 0] & 3 == COMBO_CARDS[:, 1] & 3
    classes = np.where(suited, high * RANK_COUNT + low, low * RANK_COUNT + high)
    classes.flags.writeable = False
    return classes


PREFLOP_CLASS = _preflop_classes()
"""(1326,): each hand without its suits, 0 to 168: 13 * row + column of the usual square from the deuce up, where suited
hands have the higher rank as their row and others as their column."""


class DealTables(NamedTuple):
    """What `deal_buckets` reads, as read-only arrays; `CardAbstraction.deal_tables` makes it."""

    flop: Any
    """(1755, 1326) uint16."""
    turn: Any
    """(16432, 1326) uint16."""
    flop_row: Any
    """(22100,) int32: the canonical flop of each flop."""
    flop_renaming: Any
    """(22100,) uint8."""
    turn_row: Any
    """(270725,) int32."""
    turn_renaming: Any
    """(270725,) uint8."""
    river: Any
    """(1,) int64: the number of buckets on the river."""


@inline
def river_bucket(halves, count):
    """The bucket of a hand that wins so many halves, 0..1980, against all others on the river."""
    return halves * count // (MOST_HALVES + 1)


@inline
def deal_buckets(tables, hole, board, out):
    """The buckets of a deal: hole (2, 2) and board (5,), arrays of different cards of any integer dtype, into
    out (2, 4), by player and street."""
    a, b, c, d = np.int64(board[0]), np.int64(board[1]), np.int64(board[2]), np.int64(board[3])
    flop, turn = flop_number(a, b, c), turn_number(a, b, c, d)
    for player in range(PLAYERS):
        one, two = np.int64(hole[player, 0]), np.int64(hole[player, 1])
        out[player, PREFLOP] = PREFLOP_CLASS[combo_of(one, two)]
        out[player, FLOP] = tables.flop[tables.flop_row[flop], combo_in(tables.flop_renaming[flop], one, two)]
        out[player, TURN] = tables.turn[tables.turn_row[turn], combo_in(tables.turn_renaming[turn], one, two)]
        hole_code, hole_mask, code, mask, unseen = sums(hole[player], 2, board, RIVER)
        halves = count_halves(hole_code, hole_mask, code, mask, unseen, RIVER)
        out[player, LAST] = river_bucket(halves, tables.river[0])


@kernel
def deals_buckets(tables, holes, boards, out):
    """`deal_buckets` of many deals: holes (N, 2, 2), boards (N, 5), out (N, 2, 4)."""
    for i in range(len(holes)):
        deal_buckets(tables, holes[i], boards[i], out[i])


@kernel
def river_buckets(board, count, buckets):
    """The buckets of all hands on a board (5,) int64, into `buckets` (1326,); -1 where a hand holds a card of it."""
    items, spare = np.empty(COMBOS, np.int64), np.empty(COMBOS, np.int64)
    by_card, halves = np.empty(CARDS, np.int64), np.empty(COMBOS, np.int64)
    code, mask = board_sums(board, RIVER)
    hands = sort_hands(code, mask, items, spare)
    count_sorted(items, hands, by_card, halves)
    buckets[:] = -1
    for i in range(hands):
        combo = items[i] & PLACE
        buckets[combo] = river_bucket(halves[combo], count)
