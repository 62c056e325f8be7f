"""A line of integers as fractions, all at once: what the compiler does not find by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError

from .llvm import FLOAT, INT64, byte_at, first_of, load, spread, store


def line_of_fractions(first: int, size: int, count: int) -> Callable[..., Any]:
    """The intrinsic for records with such lines; see `line_fractions` in intrinsics.py."""

    def typed(typing: Any, record: Any, line: Any, half: Any, out: Any, at: Any) -> Any:
        if out.layout != "C":
            raise TypingError("observations are written to contiguous rows; give `out` as C-contiguous, (K, size)")

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            record, line, half, to, at = arguments
            offset = builder.add(builder.mul(line, INT64(size)), INT64(first))
            whole = load(builder, byte_at(builder, record, offset), ir.VectorType(INT64, count), 8)
            part = builder.sitofp(whole, ir.VectorType(FLOAT, count))
            fractions = builder.fdiv(part, builder.fadd(part, spread(builder, half, count)))
            place = byte_at(builder, first_of(context, builder, out, to), builder.mul(at, INT64(4)))
            store(builder, fractions, place, 4)
            return context.get_dummy_value()

        return types.void(record, types.int64, types.float32, out, types.int64), generate

    return typed
