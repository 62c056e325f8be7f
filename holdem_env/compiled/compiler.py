"""The decorators of compiled functions. Which one?

| decorator | for |
|---|---|
| `inline` | a small function, merged into its callers; the usual choice |
| `compiled` | a larger function, called by compiled ones rather than merged, or one that recurses |
| `noinline(*types)` | a large function that many kernels call: compiled once, for these types; it returns nothing |
| `kernel` | an entry point for Python: takes arrays and loops over tables |
| `typed(signature)` | a function of a fixed signature, to be handed to a kernel as a value |
| `kernel_of(signature, f)` | a kernel of a fixed signature, such as one that takes functions as values |

An integer index of an array counts from the front, in every function decorated here: -1 is not the last place but one
outside the array. `negative_indices=True` of `kernel` and `typed` gives a function Python's meaning; functions that it
calls keep their own. Encoders made by `observation_encoder` and `action_encoder` have Python's.

Run as plain Python (NUMBA_DISABLE_JIT=1), every decorator gives the function as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

import numba
from numba import config

from .cache import cache_place, say_when_compiling
from .tricks import CHECKS as CHECKS
from .tricks import uses

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
# Functions that only compiled ones call need no wrappers for Python and C, which take a third of compiling them.
WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _steps(negative_indices: bool) -> dict[str, Any]:
    """The option that adds our own steps to a compilation."""
    front, borrows = uses("indexing") and not negative_indices, uses("borrowing")
    if not front and not borrows:
        return {}
    from .insides.steps import compiler_with  # only where it is in use: it needs Numba's insides

    return {"pipeline_class": compiler_with(front, borrows)}


STEPS = {negative_indices: _steps(negative_indices) for negative_indices in (False, True)}


def _compile(function: Function, *signature: Any, negative_indices: bool = False, **options: Any) -> Function:
    """njit with our options and our cache folder. Numba fixes a function's cache place when it is decorated."""
    if config.DISABLE_JIT:
        return function
    place = cache_place(function)
    previous = config.CACHE_DIR
    config.CACHE_DIR = str(place or "")
    try:
        settings = {**OPTIONS, **STEPS[negative_indices], **options}
        if place is None:
            return numba.njit(*signature, **settings)(function)  # type: ignore[no-any-return]
        return kept(function, *signature, **settings)  # type: ignore[no-any-return]
    finally:
        config.CACHE_DIR = previous


def kept(function: Callable[..., Any], *signature: Any, **settings: Any) -> Any:
    """njit with a cache in the folder that stands in Numba's CACHE_DIR."""
    kept_function = _with_cache(function, *signature, **settings)
    if not uses("general_types"):
        return kept_function
    from .insides.general_types import compile_for_types  # only where it is in use: it needs Numba's insides

    return compile_for_types(kept_function)


def _with_cache(function: Callable[..., Any], *signature: Any, **settings: Any) -> Any:
    if not uses("sturdy_cache"):
        return numba.njit(*signature, cache=True, **settings)(function)
    from .insides.sturdy_cache import give_cache  # only where it is in use: it needs Numba's insides

    return give_cache(numba.njit(**settings)(function), signature)


def inline(function: Function) -> Function:
    """A small function, merged into its callers."""
    return _compile(function, forceinline=True, **WITHOUT_WRAPPERS)


def compiled(function: Function) -> Function:
    """A larger function, called rather than merged. Compiled functions alone call it: for Python it has no wrapper."""
    return _compile(function, **WITHOUT_WRAPPERS)


@overload
def kernel(function: Function) -> Function: ...


@overload
def kernel(*, negative_indices: bool) -> Callable[[Function], Function]: ...


def kernel(function: Any = None, *, negative_indices: bool = False) -> Any:
    """An entry point for Python: takes arrays, loops over tables. Each is compiled with all that it calls, but for
    functions that are `noinline`.

    negative_indices: whether -1 is the last place of an array, as in Python, at the price of a comparison at each
    access.
    """
    if function is None:
        return lambda given: kernel_with(given, negative_indices)
    return kernel_with(function, negative_indices)


def kernel_with(function: Function, negative_indices: bool) -> Function:
    """`kernel`, its option given."""
    entry = _compile(function, negative_indices=negative_indices)
    if uses("noinline"):
        from .insides.linking import load_before_compiling

        load_before_compiling(entry)
    return entry


def kernel_of(signature: Any, function: Function) -> Function:
    """A kernel of a fixed signature, such as one that takes functions as values; compiled at once."""
    return _compile_typed(function, signature)


def typed(signature: Any, negative_indices: bool = False) -> Callable[[Function], Function]:
    """A function of a fixed signature, compiled at once, that can be handed to a kernel as a value."""
    return lambda function: _compile_typed(function, signature, negative_indices)


def _compile_typed(function: Function, signature: Any, negative_indices: bool = False) -> Function:
    if uses("noinline"):
        from .insides.linking import load_separate

        load_separate(function)
    return _compile(function, signature, negative_indices=negative_indices)


def noinline(*arguments: Any) -> Callable[[Function], Function]:
    """A large function that many kernels call, compiled once for all of them, for arguments of these types; it returns
    nothing.

    Plain Python calls it as it is. So that an index out of bounds reaches Python as an error, a bounds-checked engine
    links it as usual.
    """

    def decorate(function: Function) -> Function:
        if not uses("noinline"):
            return compiled(function)
        from .insides.linking import separate

        return separate(function, arguments, _compile)  # type: ignore[no-any-return]

    return decorate


say_when_compiling()
