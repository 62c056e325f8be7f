"""Drawing one of the offered actions at each of many tables, all equally likely.

The processor cannot predict which actions are offered, so the code has no branches that depend on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from ..compiled.compiler import inline, kernel
from ..engine.random_numbers import action_number, random_below

WORD = 8
ONES, TOP_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
S7, S8, S56 = np.uint64(7), np.uint64(8), np.uint64(56)


def _eight_bytes(typing: Any, bytes_type: Any, at: Any) -> Any:
    """Eight bytes of an array as one number, the first the lowest."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(make_array(bytes_type)(context, builder, arguments[0]).data, [arguments[1]])
        return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(bytes_type, types.int64), generate


def _plain_eight_bytes(given: Any, at: int) -> Any:
    return given.reshape(-1)[at : at + WORD].view("<u8")[0]


eight_bytes = _plain_eight_bytes if config.DISABLE_JIT else intrinsic(_eight_bytes)


@inline
def draw_of_few(t, mask, row, salt):
    """Draw one of at most eight actions, whose mask fills the bytes of one number. A multiplication gives all running
    sums of the mask; a subtraction shows which sums the drawn number has passed."""
    count = mask.shape[1]
    offers = eight_bytes(mask, row * count) << S8 * np.uint64(WORD - count) >> S8 * np.uint64(WORD - count)
    sums = offers * ONES
    drawn = np.uint64(random_below(action_number(t, salt), sums >> S56))
    passed = (((drawn * ONES) | TOP_BITS) - sums) & TOP_BITS
    return np.int64(((passed >> S7) * ONES) >> S56)


@inline
def draw_of_any(t, mask, row, salt):
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
def draw_offered(tables, mask, salt, actions):
    """Draw one of the offered actions at each table by a hash of the deal, the decision and the salt.

    mask: (N, A) int8, zeros and ones. actions: (N,) int64, written.
    """
    # draw_of_few reads eight bytes from the start of a row; the last rows do not have that many after them.
    few = max(tables.size - WORD, 0) if mask.shape[1] <= WORD else 0
    for row in range(few):
        actions[row] = draw_of_few(tables[row], mask, row, salt)
    for row in range(few, tables.size):
        actions[row] = draw_of_any(tables[row], mask, row, salt)
