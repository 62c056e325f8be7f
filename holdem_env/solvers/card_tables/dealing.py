"""The buckets of both hands of a deal on all streets, for trainers: compiled, to be called inside their kernels. A deal
takes about half a microsecond once the tables are in the processor's cache."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...cards.combos import COMBOS
from ...compiled.compiler import inline, kernel
from ...compiled.scalars import Ints, int64
from ...equities.against_random import count_halves
from ...equities.holdem import HOLE, RIVER
from ...equities.strength import sums
from .boundaries import quantile_of, river_places, strength_group
from .isomorphism import PREFLOP_CLASS, combo_in, combo_of, flop_number, turn_number
from .typical_range import deal_shares, hand_shares

PREFLOP, FLOP, TURN, LAST = range(4)  # the streets, as columns of `out`
PLAYERS = 2


class DealTables(NamedTuple):
    """What `deal_buckets` reads, as read-only arrays; `CardAbstraction.deal_tables` makes it."""

    flop: Ints  # (1755, 1326) uint16
    turn: Ints  # (16432, 1326) uint16
    flop_row: Ints  # (22100,) int32: the canonical flop of each flop
    flop_renaming: Ints  # (22100,) uint8
    turn_row: Ints  # (270725,) int32
    turn_renaming: Ints  # (270725,) uint8
    river: Ints  # (groups, parts - 1) int32: where the parts of each group of strength meet (`boundaries.river_limits`)


@inline
def river_bucket(group: int, shared: int, limits: Ints) -> int:
    """The bucket on the river of a hand in this group of strength, and with such a share against the typical range."""
    return group * (limits.shape[1] + 1) + quantile_of(shared, limits[group])


@inline
def hand_river(limits: Ints, hole: Ints, board: Ints) -> int:
    """The bucket of one hand, (2,), on the river."""
    if limits.shape[1]:
        halves, shared = hand_shares(hole, board)
        return river_bucket(strength_group(halves, len(limits)), shared, limits)
    hole_code, hole_mask, code, mask, unseen = sums(hole, HOLE, board, RIVER)
    return strength_group(count_halves(hole_code, hole_mask, code, mask, unseen, RIVER), len(limits))


@inline
def deal_river(limits: Ints, hole: Ints, board: Ints, out: Ints) -> None:
    """The buckets of a deal on the river."""
    if limits.shape[1]:
        first, second, shared_1, shared_2 = deal_shares(hole, board)
        out[0, LAST] = river_bucket(strength_group(first, len(limits)), shared_1, limits)
        out[1, LAST] = river_bucket(strength_group(second, len(limits)), shared_2, limits)
    else:
        for player in range(PLAYERS):
            out[player, LAST] = hand_river(limits, hole[player], board)


@inline
def deal_buckets(tables: DealTables, hole: Ints, board: Ints, out: Ints) -> None:
    """The buckets of a deal: hole (2, 2) and board (5,), arrays of different cards of any integer dtype, into
    out (2, 4), by player and street."""
    a, b, c, d = int64(board[0]), int64(board[1]), int64(board[2]), int64(board[3])
    flop, turn = flop_number(a, b, c), turn_number(a, b, c, d)
    for player in range(PLAYERS):
        one, two = int64(hole[player, 0]), int64(hole[player, 1])
        out[player, PREFLOP] = PREFLOP_CLASS[combo_of(one, two)]
        out[player, FLOP] = tables.flop[tables.flop_row[flop], combo_in(tables.flop_renaming[flop], one, two)]
        out[player, TURN] = tables.turn[tables.turn_row[turn], combo_in(tables.turn_renaming[turn], one, two)]
    deal_river(tables.river, hole, board, out)


@kernel
def deals_buckets(tables: DealTables, holes: Ints, boards: Ints, out: Ints) -> None:
    """`deal_buckets` of many deals: holes (N, 2, 2), boards (N, 5), out (N, 2, 4)."""
    for i in range(len(holes)):
        deal_buckets(tables, holes[i], boards[i], out[i])


@kernel
def rivers_buckets(limits: Ints, holes: Ints, boards: Ints, out: Ints) -> None:
    """`hand_river` of many hands: holes (N, 2), boards (N, 5), out (N,)."""
    for i in range(len(holes)):
        out[i] = hand_river(limits, holes[i], boards[i])


@kernel
def river_buckets(board: Ints, limits: Ints, buckets: Ints) -> None:
    """The buckets of all hands on a board (5,) int64, into `buckets` (1326,); -1 where a hand holds a card of it."""
    group, shares = np.empty(COMBOS, np.int64), np.empty(COMBOS, np.int64)
    river_places(board, len(limits), group, shares)
    for combo in range(COMBOS):
        buckets[combo] = -1 if group[combo] < 0 else river_bucket(group[combo], shares[combo], limits)
