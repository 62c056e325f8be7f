"""The hand evaluator: the value of five to seven cards is a class from 1 (7-5-4-3-2) to 7462 (royal flush), R1-R3.

Cards are added up: start with `start_code(count)` and a mask of 0, add `card_code` and `card_mask` of each card, and
`value_of(code, mask)` is the value of the best five. The sums do not care about the order, so what hands share (a
board) is added up once. evaluator_tables.py says how the tables come about.

The functions trust their cards: all different, 0 to 51. Other numbers give a meaningless value but touch no foreign
memory: indices are cut to the size of the tables. That also tells the compiler that they are not negative, which saves
it work.
"""

from __future__ import annotations

from ..compiled.compiler import inline, kernel
from ..compiled.scalars import Ints, int64
from .evaluator_tables import FLUSH_BITS, HOLDEM, KEY_MASK, MASK_SHIFT, RANK_MASK, ROW_BITS, ROW_MASK, load_tables

_tables = load_tables()
CARD_CODE = _tables["card_code"]
CARD_MASK = _tables["card_mask"]
START_CODE = _tables["start_code"]
ROW_OFFSET = _tables["row_offset"]
RANK_VALUE = _tables["rank_value"]
FLUSH_VALUE = _tables["flush_value"]
CATEGORY_FIRST = _tables["category_first"]  # the lowest class of each category

CATEGORY_NAMES = HOLDEM.categories  # weakest first; the royal flush is the best straight flush
WORST_VALUE, BEST_VALUE = 1, 7462
LAST_CARD = 51


@inline
def start_code(count: int) -> int:
    """What the codes of `count` cards (5, 6 or 7) are added to."""
    return START_CODE[count & 7]


@inline
def card_code(card: int) -> int:
    """A card's part in the code of a hand: ranks and suit counters."""
    return CARD_CODE[card & 63]


@inline
def card_mask(card: int) -> int:
    """A card's part in the mask of a hand: one bit of 52, 16 * suit + rank."""
    return CARD_MASK[card & 63]


@inline
def value_of(code: int, mask: int) -> int:
    """The class of a hand from the sums over its cards."""
    flush = code & FLUSH_BITS
    if flush:
        # At most one suit has five of seven cards; 35, 39, 43 and 47 are the bits for clubs to spades.
        suit = ((flush >> 39) & 1) + 2 * ((flush >> 43) & 1) + 3 * ((flush >> 47) & 1)
        return int64(FLUSH_VALUE[(mask >> (MASK_SHIFT * suit)) & RANK_MASK])
    column = (code & KEY_MASK) >> ROW_BITS
    return int64(RANK_VALUE[int64(ROW_OFFSET[code & ROW_MASK]) + column])


@inline
def evaluate_cards(cards: Ints, count: int) -> int:
    """The class of the first `count` (5, 6 or 7) cards of an array."""
    code = start_code(count)
    mask = int64(0)
    for i in range(count):
        code += card_code(cards[i])
        mask += card_mask(cards[i])
    return value_of(code, mask)


@inline
def evaluate_hole_and_board(hole: Ints, hole_count: int, board: Ints, board_count: int) -> int:
    """The class of the first cards of two arrays taken together, any five of them."""
    code = start_code(hole_count + board_count)
    mask = int64(0)
    for i in range(hole_count):
        code += card_code(hole[i])
        mask += card_mask(hole[i])
    for i in range(board_count):
        code += card_code(board[i])
        mask += card_mask(board[i])
    return value_of(code, mask)


@inline
def category(value: int) -> int:
    """0 high card … 8 straight flush: the category that a class belongs to."""
    number = 0
    for higher in range(1, len(CATEGORY_FIRST)):
        number += value >= CATEGORY_FIRST[higher]
    return number


@kernel
def evaluate_batch(cards: Ints, out: Ints) -> None:
    """The classes of many hands: `cards` (N, 5..7) int8 or int64, C-contiguous, into `out` (N,) int64. Unchecked."""
    hands, count = cards.shape
    if count == 7:  # a fixed number, so that the inner loop is unrolled
        for hand in range(hands):
            out[hand] = evaluate_cards(cards[hand], 7)
    else:
        for hand in range(hands):
            out[hand] = evaluate_cards(cards[hand], count)


@inline
def fault(cards: Ints, count: int) -> int:
    """Not 0 if a card lies outside of 0 to 51 or is there twice. Without branches, as nearly all hands are good."""
    total = int64(0)
    union = int64(0)
    outside = int64(0)
    for i in range(count):
        card = cards[i]
        outside |= int64(card < 0) | int64(card > LAST_CARD)
        total += card_mask(card)
        union |= card_mask(card)
    return outside | (total ^ union)  # a bit added twice has moved on


@kernel
def first_fault(cards: Ints) -> int:
    """The first row of `cards` (N, 5..7) with a card outside of 0 to 51 or a card twice; -1 if all rows are hands."""
    hands, count = cards.shape
    faults = int64(0)
    if count == 7:
        for hand in range(hands):
            faults |= fault(cards[hand], 7)
    else:
        for hand in range(hands):
            faults |= fault(cards[hand], count)
    if faults:
        for hand in range(hands):
            if fault(cards[hand], count):
                return hand
    return -1
