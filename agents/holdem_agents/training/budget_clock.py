"""The clock of a training run: how much of its budget is spent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from .config import Budget


class BudgetClock:
    """Measures the spent fraction of a budget, from 0 to 1. Time runs from the first call of any method.

    paused_seconds: the time spent in `paused`.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.paused_seconds = 0.0
        self._start: float | None = None

    def elapsed(self) -> float:
        """Seconds since the clock started."""
        if self._start is None:
            self._start = monotonic()
        return monotonic() - self._start

    def set_elapsed(self, seconds: float) -> None:
        """Continue as if this much time had passed since the start."""
        self._start = monotonic() - seconds

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Work inside this context, such as an evaluation, takes no time of the budget."""
        seconds = self.elapsed()
        try:
            yield
        finally:
            self.paused_seconds += self.elapsed() - seconds
            self.set_elapsed(seconds)

    def spent(self, decisions: int) -> float:
        """The fraction of the budget that is spent after this many decisions."""
        elapsed = self.elapsed()
        done = decisions / self.budget.decisions if self.budget.decisions else elapsed / (self.budget.seconds or 1)
        return min(done, 1.0)
