"""How many of all possible opponents' hands two hole cards beat on a board (hold'em, one deck).

This is how it looks at 990 hands in a tenth of a microsecond. Without a flush only ranks count, and there are 91 pairs
of ranks, each held in as many ways as its cards are unseen. At most one suit can give a flush on a board; the hands
with enough cards of it are left out of the pairs of ranks. They matter only to a hand that has a flush itself.

Hands are counted in halves of a win: 2 for each hand beaten, 1 for each tie. As in evaluator.py, cards are trusted to
be different and 0 to 51 (other numbers give nonsense, but touch no foreign memory), and nothing is allocated.
"""

from __future__ import annotations

import numpy as np

from ..cards.evaluator import CATEGORY_FIRST, FLUSH_VALUE, RANK_VALUE, ROW_OFFSET, start_code, value_of
from ..cards.evaluator_tables import (
    FLUSH_BITS,
    KEY_MASK,
    MASK_SHIFT,
    RANK_KEYS,
    RANK_MASK,
    RANKS,
    ROW_BITS,
    ROW_MASK,
    SUIT_BITS,
    SUIT_SHIFT,
    SUITS,
)
from ..compiled.compiler import compiled, inline
from ..compiled.scalars import int32, int64
from .holdem import DECK, FLUSH, HOLE

LEAST_FLUSH = int(CATEGORY_FIRST[5])
# The pairs of ranks in one flat list of constants: 32 bits and no inner loop are what compilers make vectors of.
PAIRS = tuple((high, low) for high in range(RANKS) for low in range(high + 1))
PAIR_KEY = np.array([RANK_KEYS[high] + RANK_KEYS[low] for high, low in PAIRS], np.int32)
PAIR_HIGH = np.array([high for high, _ in PAIRS], np.int32)
PAIR_LOW = np.array([low for _, low in PAIRS], np.int32)
PAIR_COUNT = len(PAIRS)
ROW_32, ROW_BITS_32 = int32(ROW_MASK), int32(ROW_BITS)
# Unseen cards are counted by rank in a field of four bits each.
FIELD, FIELD_MASK = 4, 15
ALL_UNSEEN = sum(SUITS << (FIELD * rank) for rank in range(RANKS))
# Added to the counters of a board's suits, these set FLUSH_BITS' bit of a suit that is there three times or more.
THREE_OF_SUIT = sum(5 << (SUIT_SHIFT + SUIT_BITS * suit) for suit in range(SUITS))


@inline
def seen_field(card: int) -> int:
    """A card's part in the counts of seen cards by rank."""
    return int64(1) << (FIELD * ((int64(card) & 63) >> 2))


@inline
def halves(own: int, other: int) -> int:
    """2 for a win, 1 for a tie, 0 for a loss."""
    return int32(own > other) + int32(own >= other)


@inline
def pair_value(key: int, pair: int) -> int:
    """The class, if there is no flush, of a pair of ranks on a board whose cards have this sum of keys (int32)."""
    full = int32(key + PAIR_KEY[pair])
    column = np.uint32(full >> ROW_BITS_32)
    return int32(RANK_VALUE[np.uint32(ROW_OFFSET[np.uint32(full & ROW_32)] + column)])


@inline
def ways(unseen: int, apart: int, pair: int) -> int:
    """In how many ways a pair of ranks can be held. apart: mask of ranks of which no two are counted together."""
    high, low = PAIR_HIGH[pair], PAIR_LOW[pair]
    many = int32((unseen >> (FIELD * high)) & FIELD_MASK)
    if high == low:
        return int32(many * (many - 1) >> 1)
    return int32(many * ((unseen >> (FIELD * low)) & FIELD_MASK) - ((apart >> high) & (apart >> low) & 1))


@inline
def count_pairs(own: int, key: int, unseen: int, apart: int) -> int:
    """Halves won against the hands without a flush. key: the board's, start code included; see `ways`."""
    own, key = int32(own), int32(key)
    total = int32(0)
    for pair in range(PAIR_COUNT):
        total += ways(unseen, apart, pair) * halves(own, pair_value(key, pair))
    return int64(total)


@inline
def count_flushes(own: int, on_board: int, held: int, free: int, others: int) -> int:
    """Halves won against the hands with a flush.

    on_board: mask of the suit's ranks on the board; held: how many these are (3, 4, 5); free: mask of its unseen
    ranks; others: how many unseen cards are of other suits.
    """
    total = int64(0)
    if held == FLUSH:
        total += (others * (others - 1) >> 1) * halves(own, FLUSH_VALUE[on_board])
    for high in range(RANKS):
        if (free >> high) & 1:
            with_high = on_board | (1 << high)
            if held > 3:
                total += others * halves(own, FLUSH_VALUE[with_high])
            for low in range(high):
                if (free >> low) & 1:
                    total += halves(own, FLUSH_VALUE[with_high | (1 << low)])
    return total


@inline
def suit_of_bits(bits: int) -> int:
    """The suit whose bit of FLUSH_BITS is set."""
    return ((bits >> 39) & 1) + 2 * ((bits >> 43) & 1) + 3 * ((bits >> 47) & 1)


@inline
def spread_ranks(mask: int) -> tuple[int, int]:
    """A mask of ranks as counts by rank, and how many ranks it has."""
    fields = int64(0)
    count = int64(0)
    for rank in range(RANKS):
        bit = (mask >> rank) & 1
        fields |= bit << (FIELD * rank)
        count += bit
    return fields, count


@compiled
def count_halves(hole_code: int, hole_mask: int, code: int, mask: int, unseen: int, count: int) -> int:
    """Halves won against every hand that the unseen cards make, on a board of `count` (3, 4 or 5) cards as it is.

    hole_code, hole_mask, code, mask: the sums over the hole cards' and the board's card_code and card_mask; unseen:
    ALL_UNSEEN less seen_field of all these cards.
    """
    start = start_code(HOLE + count)
    own = value_of(start + code + hole_code, mask + hole_mask)
    key = (start + code) & KEY_MASK
    suits = (code + THREE_OF_SUIT) & FLUSH_BITS
    if suits == 0:
        return count_pairs(own, key, unseen, int64(0))
    suit = suit_of_bits(suits)
    on_board = (mask >> (MASK_SHIFT * suit)) & RANK_MASK
    free = RANK_MASK & ~((mask | hole_mask) >> (MASK_SHIFT * suit))
    held = (code >> (SUIT_SHIFT + SUIT_BITS * suit)) & FIELD_MASK
    fields, suited = spread_ranks(free)
    total = int64(0)
    if held == 3:
        total += count_pairs(own, key, unseen, free)
    elif held == 4:
        total += count_pairs(own, key, unseen - fields, int64(0))
    if own >= LEAST_FLUSH:
        total += count_flushes(own, on_board, held, free, DECK - HOLE - count - suited)
    return total
