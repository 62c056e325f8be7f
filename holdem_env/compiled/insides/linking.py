"""Functions that are compiled once and linked by symbol, however many kernels call them.

Numba links the code of every function into each of its callers and optimizes it there again: a large function that many
kernels call is paid for once a kernel, which makes the first compilation three times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core.dispatcher import Dispatcher

from .calls import entry_address


class _Separate:
    """A separately compiled function: its callers know its symbol, whose address is needed when they are linked."""

    def __init__(self, function: Callable[..., Any], signature: Any, compile_typed: Callable[..., Any]) -> None:
        self.external = types.ExternalFunction(f"{function.__module__}.{function.__qualname__}", signature)
        self._function, self._compile_typed = function, compile_typed
        self._is_loaded = False

    def load(self) -> None:
        """Compile the function, or take it from the cache, and tell the linker its address."""
        if not self._is_loaded:
            load_separate(self._function)
            signature = self.external.sig
            compiled = self._compile_typed(self._function, signature)
            llvm.add_symbol(self.external.symbol, entry_address(compiled, signature.args))
            self._is_loaded = True


_separate: dict[Any, _Separate] = {}


def separate(function: Callable[..., Any], arguments: tuple[Any, ...], compile_typed: Callable[..., Any]) -> Any:
    """What callers of a separately compiled function call in its place.

    arguments: their types; it returns nothing. compile_typed: compiles a function for a signature.
    """
    made = _Separate(function, types.void(*arguments), compile_typed)
    _separate[made.external] = made
    return made.external


def load_separate(function: Any) -> None:
    """Load every separately compiled function that a function calls, itself or through those it is linked with."""
    for called in _called_by(function):
        called.load()


def load_before_compiling(entry: Any) -> None:
    """Load what a kernel calls before Numba compiles it, or takes it from the cache, for new types of arguments:
    machine code can be linked only when the addresses that it calls are known."""
    compile_for = entry._compile_for_args

    def load_and_compile(*args: Any, **kwargs: Any) -> Any:
        load_separate(entry.py_func)
        return compile_for(*args, **kwargs)

    entry._compile_for_args = load_and_compile


def _called_by(function: Any) -> list[_Separate]:
    """The separately compiled functions that a compiled function's source names, or those that it names and so on."""
    found, seen, waiting = [], set(), [function]
    while waiting:
        code = waiting.pop()
        for name in code.__code__.co_names:
            value = code.__globals__.get(name)
            if isinstance(value, types.ExternalFunction) and value in _separate:
                found.append(_separate[value])
            elif isinstance(value, Dispatcher) and value not in seen:
                seen.add(value)
                waiting.append(value.py_func)
    return found
