"""A typical range: what tells boards apart that suit the hands people play from boards that miss them.

Strength against a random hand hardly knows the board: on every board, one hand in ten is among the best tenth. But
players see a flop with better hands than random ones. So each hand has a weight, 1 to 16, by its place among the
starting hands. A hand's share against this range depends on the board: the same place among all hands is worth more on
a board of low cards than on one of high cards, which typical hands hit.

The weights and all counts are whole numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBOS
from ...cards.evaluator import start_code, value_of
from ...compiled.compiler import inline
from ...compiled.scalars import Ints, int64
from ...equities.all_hands import HAND_CODE, HAND_HIGH, HAND_LOW, HAND_MASK, PLACE, board_sums
from ...equities.holdem import HOLE, RIVER
from ...equities.range_sweep import VALUE_SHIFT
from ...equities.strength import PREFLOP
from .isomorphism import PREFLOP_CLASS, RANK_COUNT

LARGEST_WEIGHT = 16
SHARE_SCALE = 31_680  # a share of one, as the whole number that shares against the typical range are given as


def _weights() -> NDArray[np.int64]:
    strength = PREFLOP[0, PREFLOP_CLASS // RANK_COUNT, PREFLOP_CLASS % RANK_COUNT]
    order = np.lexsort((PREFLOP_CLASS, strength))
    place = np.empty(COMBOS, np.int64)
    place[order] = np.arange(COMBOS)
    lowest = np.full(RANK_COUNT * RANK_COUNT, COMBOS)
    np.minimum.at(lowest, PREFLOP_CLASS, place)  # hands of a class have one weight, that of the first of them
    weights: NDArray[np.int64] = 1 + lowest[PREFLOP_CLASS] * LARGEST_WEIGHT // COMBOS
    weights.flags.writeable = False
    return weights


WEIGHTS = _weights()  # (1326,) int64: the weight of each hand in the typical range, 1 to 16


@inline
def count_weighted(items: Ints, count: int, by_card: Ints, won: Ints, met: Ints) -> None:
    """Count the sorted hands against the typical range: add to won (1326,) the halves of wins times weights, and to met
    (1326,) the weights of all hands that each meets. items, count: from `sort_hands`; by_card: (52,) to work in."""
    by_card[:] = 0
    every = int64(0)
    for i in range(count):
        combo = items[i] & PLACE
        by_card[HAND_HIGH[combo]] += WEIGHTS[combo]
        by_card[HAND_LOW[combo]] += WEIGHTS[combo]
        every += WEIGHTS[combo]
    for i in range(count):  # the hand itself is taken off with both of its cards
        combo = items[i] & PLACE
        met[combo] += every - by_card[HAND_HIGH[combo]] - by_card[HAND_LOW[combo]] + WEIGHTS[combo]
    by_card[:] = 0
    below = int64(0)
    first = 0
    while first < count:
        value = items[first] >> VALUE_SHIFT
        end = first
        while end < count and items[end] >> VALUE_SHIFT == value:
            combo = items[end] & PLACE
            won[combo] += below - by_card[HAND_HIGH[combo]] - by_card[HAND_LOW[combo]]
            end += 1
        for i in range(first, end):
            combo = items[i] & PLACE
            by_card[HAND_HIGH[combo]] += WEIGHTS[combo]
            by_card[HAND_LOW[combo]] += WEIGHTS[combo]
            below += WEIGHTS[combo]
        for i in range(first, end):
            combo = items[i] & PLACE
            won[combo] += below - by_card[HAND_HIGH[combo]] - by_card[HAND_LOW[combo]] + WEIGHTS[combo]
        first = end


@inline
def share(won: int, met: int) -> int:
    """The share, 0 to SHARE_SCALE, of this many weighted halves among so much weight, rounded down."""
    return won * (SHARE_SCALE // 2) // met


@inline
def hand_shares(hole: Ints, board: Ints) -> tuple[int, int]:
    """What a hand, (2,), wins on a board of five cards: the halves against all hands, 0 to 1,980, and the share against
    the typical range."""
    code, mask = board_sums(board, RIVER)
    start = start_code(HOLE + RIVER) + code
    own_code, own_mask = board_sums(hole, HOLE)
    own = value_of(start + own_code, mask + own_mask)
    halves = won = met = int64(0)
    for combo in range(COMBOS):
        if HAND_MASK[combo] & (mask | own_mask):
            continue
        value = value_of(start + HAND_CODE[combo], mask + HAND_MASK[combo])
        gained = int64(own > value) + int64(own >= value)
        halves += gained
        won += WEIGHTS[combo] * gained
        met += WEIGHTS[combo]
    return halves, share(won, met)


@inline
def deal_shares(hole: Ints, board: Ints) -> tuple[int, int, int, int]:
    """`hand_shares` of two hands, (2, 2), in one pass: the halves of the first and the second, then both shares."""
    code, mask = board_sums(board, RIVER)
    start = start_code(HOLE + RIVER) + code
    first_code, first_mask = board_sums(hole[0], HOLE)
    second_code, second_mask = board_sums(hole[1], HOLE)
    first, second = value_of(start + first_code, mask + first_mask), value_of(start + second_code, mask + second_mask)
    halves_1 = halves_2 = won_1 = won_2 = met_1 = met_2 = int64(0)
    for combo in range(COMBOS):
        if HAND_MASK[combo] & mask:
            continue
        value = value_of(start + HAND_CODE[combo], mask + HAND_MASK[combo])
        one = int64((HAND_MASK[combo] & first_mask) == 0)
        two = int64((HAND_MASK[combo] & second_mask) == 0)
        weight = WEIGHTS[combo]
        gained_1 = one * (int64(first > value) + int64(first >= value))
        gained_2 = two * (int64(second > value) + int64(second >= value))
        halves_1 += gained_1
        halves_2 += gained_2
        won_1 += weight * gained_1
        won_2 += weight * gained_2
        met_1 += weight * one
        met_2 += weight * two
    return halves_1, halves_2, share(won_1, met_1), share(won_2, met_2)
