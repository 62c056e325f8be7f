"""How much of a budget is spent, and what follows from it: falling rates, the end of training, the progress bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from .config import Budget


class Clock:
    """Tells which part of a budget is spent, 0 to 1. Time runs from the first question."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._start: float | None = None

    def elapsed(self) -> float:
        """Seconds since the first question."""
        if self._start is None:
            self._start = monotonic()
        return monotonic() - self._start

    def go_on_from(self, seconds: float) -> None:
        """So much time is spent already."""
        self._start = monotonic() - seconds

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """What is done inside takes no time of the budget: evaluations, say."""
        seconds = self.elapsed()
        try:
            yield
        finally:
            self.go_on_from(seconds)

    def spent(self, decisions: int) -> float:
        """The part of the budget that is spent after so many decisions."""
        elapsed = self.elapsed()
        done = decisions / self.budget.decisions if self.budget.decisions else elapsed / (self.budget.seconds or 1)
        return min(done, 1.0)
