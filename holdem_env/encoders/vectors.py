"""A line of a record as numbers of an observation, all at once: what the compiler does not find by itself.

Each is written in the compiler's own terms, for any processor, and as plain Python, which says what it does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config, errors
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from ..compiled.records import place_of
from ..engine.record import MAX_STREETS, SEAT, TABLE

LINE = SEAT.itemsize // 8  # amounts in a seat's line
CLEARED, WIDTH = 128, 16
SEATS_AT, RAISES_AT = (place_of(TABLE, name) for name in ("seats", "street_raises"))
FLOAT, BYTE, INT32, INT64 = ir.FloatType(), ir.IntType(8), ir.IntType(32), ir.IntType(64)


def _constant(kind: ir.Type, value: float, length: int) -> ir.Constant:
    return ir.Constant(ir.VectorType(kind, length), [value] * length)


def spread(builder: Any, value: Any, length: int) -> Any:
    """A vector of the same number, over and over."""
    vector = builder.insert_element(_constant(value.type, ir.Undefined, length), value, INT32(0))
    return builder.shuffle_vector(vector, vector, _constant(INT32, 0, length))


def _load(builder: Any, pointer: Any, offset: Any, kind: ir.Type, length: int, align: int) -> Any:
    """A vector that lies `offset` bytes behind a pointer."""
    place = builder.gep(builder.bitcast(pointer, BYTE.as_pointer()), [offset])
    return builder.load(builder.bitcast(place, ir.VectorType(kind, length).as_pointer()), align=align)


def _store(context: Any, builder: Any, array_type: Any, array: Any, at: Any, vector: Any) -> None:
    """Write a vector of floats to places from `at` of an array without gaps."""
    if array_type.layout != "C":
        raise errors.TypingError("observations are written to contiguous rows; give `out` as C-contiguous, (K, size)")
    place = builder.gep(make_array(array_type)(context, builder, array).data, [at])
    builder.store(vector, builder.bitcast(place, vector.type.as_pointer()), align=4)


def _squash_line(typing: Any, table: Any, seat: Any, half: Any, out: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, seat, half, out, at = arguments
        offset = builder.add(builder.mul(seat, INT64(SEAT.itemsize)), INT64(SEATS_AT))
        chips = _load(builder, record, offset, INT64, LINE, 8)
        chips = builder.sitofp(chips, ir.VectorType(FLOAT, LINE))
        whole = builder.fadd(chips, spread(builder, half, LINE))
        _store(context, builder, signature.args[3], out, at, builder.fdiv(chips, whole))
        return context.get_dummy_value()

    return types.void(table, types.int64, types.float32, out, types.int64), generate


def _raise_counts(typing: Any, table: Any, seat: Any, most: Any, out: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, seat, most, out, at = arguments
        offset = builder.add(builder.mul(seat, INT64(MAX_STREETS)), INT64(RAISES_AT))
        raises = builder.zext(_load(builder, record, offset, BYTE, MAX_STREETS, 1), ir.VectorType(INT32, MAX_STREETS))
        bound = spread(builder, builder.trunc(most, INT32), MAX_STREETS)
        fewer = builder.select(builder.icmp_signed("<", raises, bound), raises, bound)
        counts = [builder.sitofp(vector, ir.VectorType(FLOAT, MAX_STREETS)) for vector in (fewer, bound)]
        _store(context, builder, signature.args[3], out, at, builder.fdiv(*counts))
        return context.get_dummy_value()

    return types.void(table, types.int64, types.int64, out, types.int64), generate


def _clear(typing: Any, out: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = _constant(FLOAT, 0.0, WIDTH)
        for at in range(0, CLEARED, WIDTH):
            _store(context, builder, out, arguments[0], INT64(at), zeros)
        return context.get_dummy_value()

    return types.void(out), generate


def _plain_clear(out: Any) -> None:
    out[:CLEARED] = 0.0


def _plain_squash_line(t: Any, seat: int, half: Any, out: Any, at: int) -> None:
    chips = t.seats[seat : seat + 1].view(np.int64).astype(np.float32)
    out[at : at + LINE] = chips / (chips + np.float32(half))


def _plain_raise_counts(t: Any, seat: int, most: int, out: Any, at: int) -> None:
    out[at : at + MAX_STREETS] = np.minimum(t.street_raises[seat], most) / np.float32(most)


if config.DISABLE_JIT:
    clear, squash_line, raise_counts = _plain_clear, _plain_squash_line, _plain_raise_counts
else:
    clear, squash_line, raise_counts = intrinsic(_clear), intrinsic(_squash_line), intrinsic(_raise_counts)
clear.__doc__ = """Write zeros to out[:CLEARED]."""
squash_line.__doc__ = """Write the LINE amounts of a seat's line, squashed, to out[at : at + LINE]."""
raise_counts.__doc__ = """Write the raises of a seat on the streets, parts of `most`, to out[at : at + MAX_STREETS]."""
