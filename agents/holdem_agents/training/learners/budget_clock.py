"""The clock of a training run: how much of its budget is spent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, process_time

from ..config import Budget


class BudgetClock:
    """Measures the spent fraction of a budget, from 0 to 1. Time runs from the first call of any method.

    Processor time is that of this process, with all its threads and without its child processes.
    paused_seconds: the time spent in `paused`.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.paused_seconds = 0.0
        self._start: float | None = None
        self._cpu_start = 0.0

    def elapsed(self) -> float:
        """Seconds since the clock started."""
        return monotonic() - self._begun()

    def cpu_elapsed(self) -> float:
        """Seconds of processor time since the clock started."""
        self._begun()
        return process_time() - self._cpu_start

    def _begun(self) -> float:
        """When the clock started, which it does now if it has not yet."""
        if self._start is None:
            self._start, self._cpu_start = monotonic(), process_time()
        return self._start

    def set_elapsed(self, seconds: float, cpu_seconds: float) -> None:
        """Continue as if this much time, and this much processor time, had passed since the start."""
        self._start, self._cpu_start = monotonic() - seconds, process_time() - cpu_seconds

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Work inside this context, such as an evaluation, takes no time of the budget."""
        before = self.elapsed(), self.cpu_elapsed()
        try:
            yield
        finally:
            self.paused_seconds += self.elapsed() - before[0]
            self.set_elapsed(*before)

    def spent(self, decisions: int) -> float:
        """The fraction of the budget that is spent after this many decisions."""
        elapsed, cpu_elapsed = self.elapsed(), self.cpu_elapsed()
        if self.budget.decisions is not None:
            done = decisions / self.budget.decisions
        elif self.budget.cpu_seconds is not None:
            done = cpu_elapsed / self.budget.cpu_seconds
        else:
            done = elapsed / (self.budget.seconds or 1)
        return min(done, 1.0)
