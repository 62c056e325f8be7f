"""Functions that are compiled once and linked by symbol, however many kernels call them.

Numba links the code of every function into each of its callers and optimizes it there again: a large function that many
kernels call is paid for once a kernel, which makes the first compilation three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core.dispatcher import Dispatcher

from ..ahead import alone, is_taken
from .calls import entry_address


class _Separate:
    """A separately compiled function: its callers know its symbol, whose address is needed when they are linked."""

    def __init__(self, function: Callable[..., Any], signature: Any, compile_typed: Callable[..., Any]) -> None:
        self.external = types.ExternalFunction(f"{function.__module__}.{function.__qualname__}", signature)
        self._function, self._compile_typed = function, compile_typed
        self.is_loaded = False

    @cached_property
    def calls(self) -> list[_Separate]:
        """The separately compiled functions that it calls."""
        return _called_by(self._function)

    def load(self) -> None:
        """Compile the function, or take it from the cache, and tell the linker its address. What it calls is loaded."""
        signature = self.external.sig
        with alone(self.external.symbol):
            compiled = self._compile_typed(self._function, signature)
        llvm.add_symbol(self.external.symbol, entry_address(compiled, signature.args))
        self.is_loaded = True


_separate: dict[Any, _Separate] = {}


def separate(function: Callable[..., Any], arguments: tuple[Any, ...], compile_typed: Callable[..., Any]) -> Any:
    """What callers of a separately compiled function call in its place.

    arguments: their types; it returns nothing. compile_typed: compiles a function for a signature.
    """
    made = _Separate(function, types.void(*arguments), compile_typed)
    _separate[made.external] = made
    return made.external


def load_all() -> None:
    """Load every separately compiled function, the last one first: another process begins with the first one."""
    _load(list(reversed(_separate.values())))


def load_separate(function: Any) -> None:
    """Load every separately compiled function that a function calls, itself or through those it is linked with."""
    _load(_called_by(function))


def _load(wanted: list[_Separate]) -> None:
    """Load these functions and all that they call, each after what it calls itself; one that another process compiles
    now is left for later."""
    left = dict.fromkeys(wanted)
    for each in wanted:
        left |= dict.fromkeys(_all_under(each))
    left = {each: None for each in left if not each.is_loaded}
    while left:
        ready = [each for each in left if all(called.is_loaded for called in each.calls)]
        free = (each for each in ready if not is_taken(each.external.symbol))
        chosen = next(free, ready[0])
        chosen.load()
        del left[chosen]


def _all_under(function: _Separate) -> Iterator[_Separate]:
    for called in function.calls:
        yield called
        yield from _all_under(called)


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
