"""`Numbers`: the regrets of a subgame, or its cumulative strategy, in 32 or in 16 bits each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import compiled
from .game import Subgame

ZERO, ONE = np.float32(0.0), np.float32(1.0)
STEPS, MAGNITUDE = np.float32(32767.0), np.int32(0x7FFFFFFF)
GOLDEN, PLASTIC, FRACTIONS = 40503, 49471, 1 << 16
"""The golden and the plastic ratio's fractions, in 65,536ths."""
WHOLE = 4
"""Bytes of a number that is not packed."""
CACHE_LINE = 64  # bytes


class Numbers(NamedTuple):
    """Regrets or a cumulative strategy: one block for each action node on each board, in 32 or in 16 bits."""

    values: Any
    """(entries,) float32, or int16: parts of the block's unit."""
    unit: Any
    """(blocks,) float32: what 1 stands for in 16 bits."""


@compiled
def unpack(numbers, first, size, unit, block):
    """The numbers of a block of 16 bits."""
    values = numbers[first : first + size]
    for i in range(size):
        block[i] = np.float32(values[i]) * unit


@compiled
def pack(work, size, numbers, first, iteration, number):
    """Write a block in 16 bits; returns its unit: the largest number is almost STEPS of them.

    Numbers are rounded up where their fraction is above a threshold that goes through all fractions from one iteration
    to the next (the golden ratio's multiples), so that what an iteration adds counts, however small it is: rounded to
    the nearest, what has grown large stays what it is. number: the block's, which has thresholds of its own."""
    block, bits, most_bits = work.block, work.block_bits, np.int32(0)
    for i in range(size):  # floats without their sign are in order as integers, whose maximum is vectorized
        most_bits = max(most_bits, bits[i] & MAGNITUDE)
    bits[size] = most_bits
    most = block[size]
    parts = (STEPS - ONE) / most if most > ZERO else ZERO
    up = np.float32((np.int64(iteration) * GOLDEN + number * PLASTIC) % FRACTIONS) / np.float32(FRACTIONS)
    above_zero = STEPS + ONE  # conversions cut off towards 0
    values = numbers[first : first + size]
    for i in range(size):
        values[i] = np.int16(np.int32(block[i] * parts + up + above_zero) - np.int32(above_zero))
    return most / (STEPS - ONE)


def new_numbers(game: Subgame, bits: int) -> Numbers:
    """Zeros for all action nodes. bits: 32 or 16, of each."""
    kind = np.float32 if bits == 8 * WHOLE else np.int16
    return Numbers(aligned_zeros(int(game.offset[-1]), kind), np.ones(int(game.first_block[-1]), np.float32))


def aligned_zeros(shape: Any, dtype: Any) -> NDArray[Any]:
    """As numpy.zeros, beginning at a cache line. Rows are whole cache lines (`BLOCK`), but NumPy's memory begins
    anywhere: where vectors of eight hands straddle cache lines an iteration takes 12 % longer (`python -m benchmarks
    solvers`, rivers)."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + CACHE_LINE, np.uint8)
    first = -memory.ctypes.data % CACHE_LINE
    aligned: NDArray[Any] = memory[first : first + size].view(dtype).reshape(shape)
    return aligned
