"""Threads that share the rows of a batch. What they run releases the interpreter's lock, as compiled functions do."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

from .validation import whole_number

LEAST = 32
"""Fewer rows are not worth waking another thread."""


class Threads:
    """`count` threads, the caller's among them, that start when they are needed. Raises ValueError for fewer than 1."""

    def __init__(self, count: int) -> None:
        if whole_number("threads", count, "a whole number") < 1:
            raise ValueError(f"threads: {count}; give 1 or more")
        self.count = count
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def share(self, work: Callable[[int, int], None], rows: int) -> None:
        """Call `work(first, last)` for parts of range(rows), at the same time. The calling thread takes the first part,
        because waking another takes time."""
        parts = max(min(self.count, rows // LEAST), 1)
        first, *others = pairwise(rows * part // parts for part in range(parts + 1))
        waiting = [self._started().submit(work, *part) for part in others]
        work(*first)
        for other in waiting:
            other.result()

    def _started(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():  # a forked process has the pool without its threads
            self._pool, self._process = ThreadPoolExecutor(self.count - 1), os.getpid()
        return self._pool

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_pool": None}
