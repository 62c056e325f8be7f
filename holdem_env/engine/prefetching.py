"""Telling the processor which memory it will need next: a large batch of tables would else wait for it at each line."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from ..compiled.compiler import inline
from ..compiled.records import CACHE_LINE, place_of
from .record import MAX_MOVES, MOVE, TABLE

BYTE, INT32 = ir.IntType(8), ir.IntType(32)
MOVE_SIZE = MOVE.itemsize
TO_WRITE, KEEP, DATA = INT32(1), INT32(3), INT32(1)
LINES_BEFORE_SEATS = place_of(TABLE, "seats") // CACHE_LINE
# Other lines that moves touch, or the ends of hands, which have what lies between the cards and the moves.
RAISES, CARDS, MOVES = (place_of(TABLE, name) // CACHE_LINE * CACHE_LINE for name in ("street_raises", "deck", "made"))


def _fetch(typing: Any, records: Any, index: Any, offset: Any) -> Any:
    """The line that lies `offset` bytes behind the beginning of records[index]; past the end nothing happens."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, offset = arguments
        first = builder.bitcast(make_array(records)(context, builder, array).data, BYTE.as_pointer())
        size = ir.Constant(index.type, records.dtype.bitwidth // 8)
        place = builder.gep(first, [builder.add(builder.mul(index, size), offset)])
        kind = ir.FunctionType(ir.VoidType(), [place.type, INT32, INT32, INT32])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(prefetch, [place, TO_WRITE, KEEP, DATA])
        return context.get_dummy_value()

    return types.void(records, types.int64, types.int64), generate


def _fetch_nothing(records: Any, index: int, offset: int) -> None:
    """Plain Python has nothing to tell the processor."""


fetch = _fetch_nothing if config.DISABLE_JIT else intrinsic(_fetch)


@inline
def fetch_table(tables, index, seats):
    """What a move at a table needs. The index may lie beyond the last table."""
    for line in range(LINES_BEFORE_SEATS + seats):
        fetch(tables, index, line * CACHE_LINE)
    fetch(tables, index, RAISES)


@inline
def fetch_move(tables, index):
    """Where the next move at a table is written. What `fetch_table` fetches should be there by now."""
    fetch(tables, index, MOVES + tables[index].moves % MAX_MOVES * MOVE_SIZE)


@inline
def fetch_ending(tables, index):
    """What the end of a betting round, of a hand, and the next deal need besides."""
    for place in range(CARDS, MOVES, CACHE_LINE):
        fetch(tables, index, place)
