"""Keeping the memory of this process from others of the same user, while agents play in processes of their own."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

GET_DUMPABLE, SET_DUMPABLE = 3, 4

_lock = Lock()
_holders = 0
_before = 1


def _prctl(option: int, value: int = 0) -> int:
    return int(ctypes.CDLL(None, use_errno=True).prctl(option, ctypes.c_ulong(value), 0, 0, 0))


def forbid() -> None:
    """No other process may read the memory of this one (PR_SET_DUMPABLE 0), until `allow` was called as often."""
    global _holders, _before
    if sys.platform != "linux":
        return
    with _lock:
        if _holders == 0:
            _before = _prctl(GET_DUMPABLE)
            _prctl(SET_DUMPABLE, 0)
        _holders += 1


def allow() -> None:
    """Undo `forbid`: the last call puts things back as they were."""
    global _holders
    if sys.platform != "linux":
        return
    with _lock:
        _holders -= 1
        if _holders == 0 and _before == 1:  # nothing else may be set
            _prctl(SET_DUMPABLE, 1)


@contextmanager
def unreadable() -> Iterator[None]:
    """`forbid`, and `allow` at the end."""
    forbid()
    try:
        yield
    finally:
        allow()
