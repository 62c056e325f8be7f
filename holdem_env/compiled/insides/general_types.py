"""Calls compile a function for the types of the arguments, not for their constants as well.

While Numba infers types, a variable that begins as 0 has at first the type of this constant: each function that it is
passed to is compiled for it, never called so, and compiled again for integers. That was a quarter of all compilation:
147 seconds of the engine, the arena, and rivers to flops became 106 (`holdem compile` prints them).
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.errors import TypingError

UNLITERAL: Any = types.unliteral  # type: ignore[attr-defined]


def compile_for_types(dispatcher: Any) -> Any:
    """The function, which is now compiled for constants only where it cannot be for their types."""
    for_constants = dispatcher.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        general = tuple(map(UNLITERAL, args)), {name: UNLITERAL(kind) for name, kind in kws.items()}
        try:
            return for_constants(*general)
        except TypingError:
            return for_constants(args, kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher
