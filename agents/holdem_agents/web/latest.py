"""A cache of what is costly to make."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Latest(Generic[Value]):
    """A cache of the `most` values used last. Threads may share it; values are made one at a time."""

    def __init__(self, most: int) -> None:
        self._most, self._kept, self._lock = most, dict[Hashable, Value](), Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """What was made for a key, or is made now."""
        with self._lock:
            value = self._kept.pop(key) if key in self._kept else make()
            self._kept[key] = value  # the last of them
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
            return value
