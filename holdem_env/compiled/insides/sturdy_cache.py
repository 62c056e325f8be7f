"""Numba's cache of machine code, made sturdy: a broken file is compiled again, a full disk costs only the caching."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.typeinfer import register_dispatcher

from ..folders import CACHE_VARIABLE, CompileCacheWarning


class SturdyCache(FunctionCache):  # type: ignore[misc]
    """The cache of one function. What cannot be read is forgotten, so that it is compiled and written anew."""

    was_told = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature; None if it has to be compiled."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # of pickle, for files that were cut short: it may be any
            self._forget()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code, as far as the disk has room."""
        try:
            try:
                super().save_overload(sig, data)
            except OSError:
                raise
            except Exception:  # the index cannot be read
                self._forget()
                super().save_overload(sig, data)
        except OSError as error:
            self._tell(error)

    def _forget(self) -> None:
        """Begin a new index, in which nothing is kept yet."""
        try:
            self.flush()
        except OSError as error:
            self._tell(error)

    def _tell(self, error: OSError) -> None:
        if SturdyCache.was_told:
            return
        SturdyCache.was_told = True
        warnings.warn(
            f"holdem_env cannot keep its compiled engine: {self.cache_path}: {error.strerror or error}. Each process "
            f"will compile it again (half a minute). Make room, or set {CACHE_VARIABLE} to a folder that can be "
            "written.",
            CompileCacheWarning,
            stacklevel=2,
        )


def cached(dispatcher: Any, function: Callable[..., Any], signature: tuple[Any, ...]) -> Any:
    """A function as `numba.njit` decorates it, given its cache, and compiled if its signature is given."""
    dispatcher._cache = SturdyCache(function)
    if signature:
        with register_dispatcher(dispatcher):
            for one in signature:
                dispatcher.compile(one)
            dispatcher.disable_compile()
    return dispatcher
