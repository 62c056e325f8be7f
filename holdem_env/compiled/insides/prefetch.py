"""Telling the processor which memory will be needed next: a large batch would else wait for it at each cache line."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from .llvm import BYTE, INT32, INT64, VOID, byte_at, first_of, pointer_to

FOR_WRITING, KEEP, DATA = INT32(1), INT32(3), INT32(1)


def prefetch_line(typing: Any, records: Any, index: Any, offset: Any) -> Any:
    """The intrinsic; see `prefetch` in intrinsics.py."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, offset = arguments
        size = INT64(records.dtype.bitwidth // 8)
        behind = builder.add(builder.mul(index, size), offset)
        place = byte_at(builder, first_of(context, builder, records, array), behind)
        kind = ir.FunctionType(VOID, [pointer_to(BYTE), INT32, INT32, INT32])
        instruction = builder.module.declare_intrinsic("llvm.prefetch", [pointer_to(BYTE)], kind)
        builder.call(instruction, [place, FOR_WRITING, KEEP, DATA])
        return context.get_dummy_value()

    return types.void(records, types.int64, types.int64), generate
