"""Numba's cache of machine code, made sturdy: a broken file is compiled again, a full disk costs only the caching, and
no process takes the code of other types for that of its own.

It saves no time. Numba raises an error for each file that was cut short, say by a crash of the machine, in every
process until somebody deletes it, and ends in an error where the disk is full. It numbers the files of a function's
signatures, and names them in the index before they are written: two processes that compile one function for different
types at the same time choose the same number, and whoever reads meanwhile, or ever after, runs code for other types,
which crashes. Without this trick the cache is Numba's.
"""

from __future__ import annotations

import warnings
from hashlib import sha256
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.typeinfer import register_dispatcher

from ..folders import CACHE_VARIABLE, CompileCacheWarning


class FilesBySignature(IndexDataCacheFile):
    """The files of one function. Each signature has a name of its own, and is written before the index names it."""

    def save(self, key: Any, data: Any) -> None:
        """Keep machine code under a key. What another process adds to the index meanwhile may be lost, and is compiled
        again."""
        name = self._data_name(int(sha256(self._dump(key)).hexdigest()[:12], 16))
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})


class SturdyCache(FunctionCache):
    """The cache of one function. An entry that cannot be read is dropped, compiled and written again."""

    has_warned = False

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = FilesBySignature(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature; None if it has to be compiled."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # of pickle, for files that were cut short: it may be any
            self._drop()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code, as far as the disk has room."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self._warn(error)
        except Exception:  # the index cannot be read
            self._drop()
            self._save_again(sig, data)

    def _save_again(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self._warn(error)

    def _drop(self) -> None:
        """Begin a new index, in which nothing is kept yet."""
        try:
            self.flush()
        except OSError as error:
            self._warn(error)

    def _warn(self, error: OSError) -> None:
        _warn_once(f"{self.cache_path}: {error.strerror or error}")


def _warn_once(reason: str) -> None:
    if SturdyCache.has_warned:
        return
    SturdyCache.has_warned = True
    warnings.warn(
        f"holdem_env cannot keep its compiled engine: {reason}. Each process will compile it again (half a minute). "
        f"Make room, or set {CACHE_VARIABLE} to a folder that can be written.",
        CompileCacheWarning,
        stacklevel=2,
    )


def give_cache(dispatcher: Any, signature: tuple[Any, ...]) -> Any:
    """A function that `numba.njit` has decorated without a cache, given one, and compiled if a signature is given."""
    try:
        dispatcher._cache = SturdyCache(dispatcher.py_func)
    except RuntimeError as error:  # Numba has found no folder that it can write to
        _warn_once(str(error))
    if signature:
        with register_dispatcher(dispatcher):
            for one in signature:
                dispatcher.compile(one)
            dispatcher.disable_compile()
    return dispatcher
