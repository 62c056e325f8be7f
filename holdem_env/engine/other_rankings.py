"""Rankings beside the standard one: an exact number of hole cards (Omaha), short deck, the low half (R32), games of one
or two cards.

All take arrays of cards and how many of them count, as they stand in the record. Values are above 0, bigger is better,
hands that tie are equal; values of different rankings cannot be compared. The cards are trusted as in evaluator.py.
"""

from __future__ import annotations

import numpy as np

from ..cards.evaluator import CATEGORY_FIRST, card_code, card_mask, evaluate_hole_and_board, start_code, value_of
from ..cards.evaluator_tables import FLUSH, MASK_SHIFT, RANK_MASK, STRAIGHT, STRAIGHT_FLUSH, SUITS
from ..compiled.compiler import compiled, inline
from ..compiled.scalars import Ints, int64
from .record import MAX_BOARD, MAX_HOLE, SHORT_DECK_RANKING

HAND = 5
# By the cards chosen of a board or a hand, as bits: how many they are. Hands of more than six cards would need more.
CHOSEN = np.array([number.bit_count() for number in range(1 << 6)], np.int64)
MAX_CHOSEN = CHOSEN.size - 1
assert 1 << max(MAX_BOARD, MAX_HOLE) <= CHOSEN.size
EVERY_CARD = -1  # as bits, too

# Short deck: A-6-7-8-9 takes the place of A-5-4-3-2, which this deck does not hold; flushes change places with full
# houses. (The classes between are those of the standard ranking.)
FULL_HOUSE, QUADS = 6, 7
LOWEST_STRAIGHT, FIRST_FLUSH, FIRST_FULL_HOUSE, FIRST_QUADS, LOWEST_STRAIGHT_FLUSH = (
    int(CATEGORY_FIRST[category]) for category in (STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH)
)
FLUSHES, FULL_HOUSES = FIRST_FULL_HOUSE - FIRST_FLUSH, FIRST_QUADS - FIRST_FULL_HOUSE
NINE_LOW = sum(1 << rank for rank in (12, 4, 5, 6, 7))

# Lows: ace, two ... eight are bits 0 to 7; other cards have none.
LOW_RANKS = 8
ALL_LOW = (1 << LOW_RANKS) - 1
ACE = 12


def _low_bits() -> np.ndarray:
    """A card's bit; 64 entries, so that an index can be cut to six bits."""
    bits = np.zeros(64, np.int64)
    for card in range(52):
        rank = card // SUITS
        if rank == ACE or rank < LOW_RANKS - 1:
            bits[card] = 1 << (0 if rank == ACE else rank + 1)
    return bits


def _low_values() -> np.ndarray:
    """What a set of low ranks is worth: its five lowest, compared from the highest down; fewer than five are none."""
    values = np.zeros(1 << LOW_RANKS, np.int64)
    for ranks in range(1 << LOW_RANKS):
        five = ranks
        while five.bit_count() > HAND:
            five ^= 1 << (five.bit_length() - 1)
        values[ranks] = (1 << LOW_RANKS) - five if five.bit_count() == HAND else 0
    return values


LOW_BIT, LOW_VALUE = _low_bits(), _low_values()


@inline
def low_bit(card: int) -> int:
    """A card's bit in a set of low ranks."""
    return LOW_BIT[card & 63]


@inline
def short_deck_value(value: int, mask: int) -> int:
    """The value in short deck of cards that have this value in the standard ranking."""
    ranks = int64(0)
    for suit in range(SUITS):
        suited = (mask >> (MASK_SHIFT * suit)) & RANK_MASK
        if suited & NINE_LOW == NINE_LOW:
            return max(value, LOWEST_STRAIGHT_FLUSH)
        ranks |= suited
    if value < LOWEST_STRAIGHT:
        return LOWEST_STRAIGHT if ranks & NINE_LOW == NINE_LOW else value
    if FIRST_FLUSH <= value < FIRST_FULL_HOUSE:
        return value + FULL_HOUSES
    if FIRST_FULL_HOUSE <= value < FIRST_QUADS:
        return value - FLUSHES
    return value


@compiled
def value_of_short_deck(hole: Ints, hole_count: int, board: Ints, board_count: int) -> int:
    """The best five of all cards, 5 to 7 of them, in short deck."""
    mask = int64(0)
    for i in range(hole_count):
        mask += card_mask(hole[i])
    for i in range(board_count):
        mask += card_mask(board[i])
    return short_deck_value(evaluate_hole_and_board(hole, hole_count, board, board_count), mask)


@compiled
def value_of_exactly(hole: Ints, hole_count: int, used: int, board: Ints, board_count: int, ranking: int) -> int:
    """The best five that are `used` cards of the hand and the others of the board."""
    best = int64(0)
    for of_board in range(1 << board_count):
        if CHOSEN[of_board & MAX_CHOSEN] != HAND - used:
            continue
        board_code, board_mask = start_code(HAND), int64(0)
        for i in range(board_count):
            if (of_board >> i) & 1:
                board_code += card_code(board[i])
                board_mask += card_mask(board[i])
        for of_hand in range(1 << hole_count):
            if CHOSEN[of_hand & MAX_CHOSEN] != used:
                continue
            code, mask = board_code, board_mask
            for i in range(hole_count):
                if (of_hand >> i) & 1:
                    code += card_code(hole[i])
                    mask += card_mask(hole[i])
            value = value_of(code, mask)
            if ranking == SHORT_DECK_RANKING:
                value = short_deck_value(value, mask)
            best = max(best, value)
    return best


@inline
def low_ranks(cards: Ints, count: int, chosen: int) -> int:
    """The set of low ranks of the chosen ones of the first `count` cards."""
    ranks = int64(0)
    for i in range(count):
        if (chosen >> i) & 1:
            ranks |= low_bit(cards[i])
    return ranks


@compiled
def low_value(hole: Ints, hole_count: int, used: int, board: Ints, board_count: int) -> int:
    """R32: the best low of five different ranks of eight or lower, ace low; 0 if there is none. used: how many
    of the hand exactly; -1: any number."""
    if used < 0:
        everything = low_ranks(hole, hole_count, EVERY_CARD) | low_ranks(board, board_count, EVERY_CARD)
        return LOW_VALUE[everything & ALL_LOW]
    best = int64(0)
    for of_board in range(1 << board_count):
        if CHOSEN[of_board & MAX_CHOSEN] == HAND - used:
            ranks = low_ranks(board, board_count, of_board)
            for of_hand in range(1 << hole_count):
                if CHOSEN[of_hand & MAX_CHOSEN] == used:
                    best = max(best, LOW_VALUE[(ranks | low_ranks(hole, hole_count, of_hand)) & ALL_LOW])
    return best


@compiled
def pair_value(hole: Ints, hole_count: int, board: Ints, board_count: int) -> int:
    """Of one or two cards: a pair, else the higher card, then the lower."""
    high, low = int64(-1), int64(-1)
    for i in range(hole_count + board_count):
        rank = int64(hole[i] if i < hole_count else board[i - hole_count]) >> 2
        high, low = max(high, rank), max(low, min(high, rank))
    return (ACE + 2) * (ACE + 2) + high if high == low else (ACE + 2) * high + low + 2
