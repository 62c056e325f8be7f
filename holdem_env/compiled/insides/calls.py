"""Kernels called by address, as C does: one kernel, compiled once, calls whichever others it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError

from .llvm import VOID, function_at


def entry_address(function: Any, arguments: tuple[Any, ...]) -> int:
    """Where the machine code of a compiled function begins for callers in C."""
    code = function.overloads[arguments]
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_cfunc_wrapper_name))


def _is_alike(given: Any, expected: Any) -> bool:
    """Whether an array lies in memory as another; whether it may be written to makes no difference."""
    return (given.dtype, given.ndim, given.layout) == (expected.dtype, expected.ndim, expected.layout)


def call_of_five(accepted: tuple[tuple[Any, ...], ...]) -> Callable[..., Any]:
    """The intrinsic for kernels of five arrays of these types; see `caller_of` in intrinsics.py."""

    def typed(typing: Any, address: Any, first: Any, second: Any, third: Any, fourth: Any, fifth: Any) -> Any:
        given = first, second, third, fourth, fifth
        if not any(all(map(_is_alike, given, expected)) for expected in accepted):
            wanted = " or ".join(map(str, accepted))
            raise TypingError(f"a kernel called by its address takes arrays like {wanted}, not {given}")

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, *arrays = arguments
            kind = ir.FunctionType(VOID, [array.type for array in arrays])
            builder.call(function_at(builder, address, kind), arrays)
            return context.get_dummy_value()

        return types.void(types.int64, *given), generate

    return typed
