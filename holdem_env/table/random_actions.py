"""Drawing one of the offered actions at each of many tables, all equally likely.

The processor cannot predict which actions are offered, so the code has no branches that depend on it.
"""

from __future__ import annotations

import numpy as np

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Ints, Word, int64
from ..engine.random_numbers import action_number, random_below
from ..engine.record import TableRecord

WORD = 8
ONES, TOP_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
S7, S8, S16, S24, S32, S40, S48, S56 = (np.uint64(bits) for bits in (7, 8, 16, 24, 32, 40, 48, 56))


@inline
def eight_bytes(flat: Ints, at: int) -> Word:
    """Eight bytes of an array as one number, the first the lowest: written so, compilers make one load of it."""
    word = np.uint64(flat[at])
    word |= np.uint64(flat[at + 1]) << S8
    word |= np.uint64(flat[at + 2]) << S16
    word |= np.uint64(flat[at + 3]) << S24
    word |= np.uint64(flat[at + 4]) << S32
    word |= np.uint64(flat[at + 5]) << S40
    word |= np.uint64(flat[at + 6]) << S48
    word |= np.uint64(flat[at + 7]) << S56
    return word


@inline
def draw_of_few(t: TableRecord, count: int, flat: Ints, row: int, salt: int) -> int:
    """Draw one of at most eight actions, whose mask fills the bytes of one number. A multiplication gives all running
    sums of the mask; a subtraction shows which sums the drawn number has passed.

    count: how many actions there are. flat: the mask of all tables, row by row, as bytes.
    """
    offers = eight_bytes(flat, row * count) << S8 * np.uint64(WORD - count) >> S8 * np.uint64(WORD - count)
    sums = offers * ONES
    drawn = np.uint64(random_below(action_number(t, salt), sums >> S56))
    passed = (((drawn * ONES) | TOP_BITS) - sums) & TOP_BITS
    return int64(((passed >> S7) * ONES) >> S56)


@inline
def draw_of_any(t: TableRecord, mask: Ints, row: int, salt: int) -> int:
    """Draw one of any number of actions, with a running sum of the mask."""
    offered = 0
    for action in range(mask.shape[1]):
        offered += mask[row, action]
    drawn = random_below(action_number(t, salt), offered)
    passed = chosen = 0
    for action in range(mask.shape[1]):
        passed += mask[row, action]
        chosen += passed <= drawn
    return chosen


@kernel
def draw_offered(tables: Records, mask: Ints, salt: int, actions: Ints) -> None:
    """Draw one of the offered actions at each table by a hash of the deal, the decision and the salt.

    mask: (N, A) int8, zeros and ones. actions: (N,) int64, written.
    """
    # draw_of_few reads eight bytes from the start of a row; the last rows do not have that many after them.
    few = max(tables.size - WORD, 0) if mask.shape[1] <= WORD else 0
    flat = mask.reshape(-1).view(np.uint8)
    for row in range(few):
        actions[row] = draw_of_few(tables[row], mask.shape[1], flat, row, salt)
    for row in range(few, tables.size):
        actions[row] = draw_of_any(tables[row], mask, row, salt)
