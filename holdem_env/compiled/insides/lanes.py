"""`Lanes`: numbers that lie side by side, as one value that fits a register, with +, -, * and /."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload, register_model

from .llvm import DOUBLE, FLOAT, INT32, INT64, byte_at, first_of, load, same, spread, store

LINE_BITS = 512
"""Of a cache line, and of the longest register."""
OPERATIONS = {
    operator.add: "fadd",
    operator.sub: "fsub",
    operator.mul: "fmul",
    operator.truediv: "fdiv",
}


class Lanes(types.Type):
    """Numba's type of `count` numbers of a floating type."""

    def __init__(self, dtype: Any, count: int) -> None:
        self.dtype, self.count = dtype, count
        super().__init__(f"Lanes({dtype} x {count})")


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """A vector of LLVM."""

    def __init__(self, manager: Any, lanes: Any) -> None:
        super().__init__(manager, lanes, ir.VectorType(_kind(lanes.dtype), lanes.count))


def _kind(dtype: Any) -> ir.Type:
    return FLOAT if dtype == types.float32 else DOUBLE


def _operation(name: str) -> Callable[..., Any]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*arguments)

    def operate(typing: Any, a: Any, b: Any) -> Any:
        return a(a, b), generate

    operation = intrinsic(operate)

    def typed(a, b):
        return (lambda a, b: operation(a, b)) if isinstance(a, Lanes) and a == b else None

    return typed


for _operator, _name in OPERATIONS.items():
    overload(_operator, jit_options={"forceinline": True})(_operation(_name))


def _row_place(context: Any, builder: Any, row: Any, array: Any, place: Any) -> Any:
    if row.ndim != 1 or row.layout != "C":
        raise TypingError("lanes: give contiguous rows")
    offset = builder.mul(place, INT64(row.dtype.bitwidth // 8))
    return byte_at(builder, first_of(context, builder, row, array), offset)


def reader(count: int | None) -> Callable[..., Any]:
    """The intrinsic that reads `count` numbers of a row, or a line of them."""

    def typed(typing: Any, row: Any, place: Any) -> Any:
        lanes = Lanes(row.dtype, count or LINE_BITS // row.dtype.bitwidth)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            at = _row_place(context, builder, row, *arguments)
            return load(builder, at, context.get_value_type(lanes), row.dtype.bitwidth // 8)

        return lanes(row, types.int64), generate

    return typed


def filler(count: int | None) -> Callable[..., Any]:
    """The intrinsic that gives a number `count` times, or a line of it."""

    def typed(typing: Any, number: Any) -> Any:
        lanes = Lanes(number, count or LINE_BITS // number.bitwidth)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return spread(builder, arguments[0], lanes.count)

        return lanes(number), generate

    return typed


def write_lanes(typing: Any, row: Any, place: Any, lanes: Any) -> Any:
    """The intrinsic `write` of intrinsics.py."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, place, numbers = arguments
        store(builder, numbers, _row_place(context, builder, row, array, place), row.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(row, types.int64, lanes), generate


def choose_lanes(typing: Any, test: Any, positive: Any, other: Any) -> Any:
    """The intrinsic `choose` of intrinsics.py."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = same(_kind(test.dtype), 0.0, test.count)
        return builder.select(builder.fcmp_ordered(">", arguments[0], zeros), *arguments[1:])

    return positive(test, positive, other), generate


def transpose_lanes(typing: Any, row: Any, place: Any) -> Any:
    """The intrinsic `transpose` of intrinsics.py, of eight times eight numbers: blocks of four change places with those
    across the diagonal, then blocks of two within them, then single numbers."""
    size, count = row.dtype.bitwidth // 8, 8
    line = ir.VectorType(_kind(row.dtype), count)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = _row_place(context, builder, row, *arguments)
        places = [byte_at(builder, first, INT64(k * count * size)) for k in range(count)]
        lines = [load(builder, at, line, size) for at in places]
        for half in (4, 2, 1):
            upper = ir.Constant(ir.VectorType(INT32, count), [c + (c & half and count - half) for c in range(count)])
            lower = ir.Constant(ir.VectorType(INT32, count), [c + (half, count)[c & half > 0] for c in range(count)])
            for k in (k for k in range(count) if not k & half):
                pair = lines[k], lines[k + half]
                lines[k], lines[k + half] = (builder.shuffle_vector(*pair, mask) for mask in (upper, lower))
        for at, each in zip(places, lines, strict=True):
            store(builder, each, at, size)
        return context.get_dummy_value()

    return types.void(row, types.int64), generate


def count_of_line(typing: Any, row: Any) -> Any:
    """The intrinsic `line_size` of intrinsics.py."""
    count = INT64(LINE_BITS // row.dtype.bitwidth)
    return types.int64(row), lambda context, builder, signature, arguments: count


def floats_among(typing: Any, numbers: Any, floats: Any) -> Any:
    """The intrinsic `floats_of` of intrinsics.py."""
    place = 0 if isinstance(numbers.dtype, types.Float) else 1

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, arguments[place])

    return (numbers, floats)[place](numbers, floats), generate
