"""`Numbers`: the regrets of a game, or its cumulative strategy, in 64, 32 or in 16 bits each."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import compiled, inline
from .boards import CACHE_LINE
from .cfr import Block
from .public_game import GameArrays

ZERO, ONE = np.float32(0.0), np.float32(1.0)
STEPS, MAGNITUDE = np.float32(32767.0), np.int32(0x7FFFFFFF)
GOLDEN, PLASTIC, FRACTIONS = 40503, 49471, 1 << 16  # the golden and the plastic ratio's fractions, in 65,536ths
WHOLE = 4  # bytes of a number that is not packed, at least
TYPES = {64: np.float64, 32: np.float32, 16: np.int16}  # by bits


class Numbers(NamedTuple):
    """Regrets or a cumulative strategy: one block for each action node on each board."""

    values: NDArray[Any]  # (entries,) float64 or float32, or int16: parts of the block's unit
    unit: NDArray[np.float32]  # (blocks,): what 1 stands for in 16 bits


@compiled
def unpack(numbers: NDArray[Any], first: int, size: int, unit: Any, block: NDArray[Any]) -> None:
    """The numbers of a block of 16 bits."""
    values = numbers[first : first + size]
    for i in range(size):
        block[i] = np.float32(values[i]) * unit


@inline
def pack(work: Any, block: Block, iteration: Any, number: int) -> Any:
    """Write a block, which stands in the workspace as floats, in 16 bits; returns its unit: the largest number is
    almost STEPS of them.

    Numbers are rounded up where their fraction is above a threshold that goes through all fractions from one iteration
    to the next (the golden ratio's multiples), so that what an iteration adds counts, however small it is: rounded to
    the nearest, what has grown large stays what it is. number: the block's, which has thresholds of its own."""
    size, first = block.actions * block.width, block.first
    floats, bits, most_bits = work.block, work.block_bits, np.int32(0)
    for i in range(size):  # floats without their sign are in order as integers, whose maximum is vectorized
        most_bits = max(most_bits, bits[i] & MAGNITUDE)
    bits[size] = most_bits
    most = floats[size]
    parts = (STEPS - ONE) / most if most > ZERO else ZERO
    up = np.float32((np.int64(iteration) * GOLDEN + number * PLASTIC) % FRACTIONS) / np.float32(FRACTIONS)
    above_zero = STEPS + ONE  # conversions cut off towards 0
    values = block.weights[first : first + size]
    for i in range(size):
        values[i] = np.int16(np.int32(floats[i] * parts + up + above_zero) - np.int32(above_zero))
    return most / (STEPS - ONE)


def new_numbers(game: GameArrays, bits: int) -> Numbers:
    """Zeros for all action nodes. bits: 64, 32 or 16, of each."""
    kind = TYPES[bits]
    return Numbers(aligned_zeros(kind, int(game.offset[-1])), np.ones(int(game.first_block[-1]), np.float32))


def aligned_zeros(dtype: Any, *shape: int) -> NDArray[Any]:
    """As numpy.zeros, beginning at a cache line. Rows are whole cache lines, but NumPy's memory begins
    anywhere: where vectors of eight hands straddle cache lines an iteration takes 12 % longer (`python -m benchmarks
    solvers`, rivers)."""
    size = prod(shape) * np.dtype(dtype).itemsize
    memory = np.zeros(size + CACHE_LINE, np.uint8)
    first = -memory.ctypes.data % CACHE_LINE
    return np.asarray(memory[first : first + size].view(dtype).reshape(shape))
