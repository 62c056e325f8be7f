"""How far a game is solved: what is called meanwhile, and a bar on stderr for `progress=True`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isnan
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, float], None]
"""Called about every second with the iterations run and the exploitability that was computed last, in percent of the
pot, or in chips a hand; NaN before the first."""
WIDTH, LINE = 30, 100
FULL, EMPTY = "█", "░"
USUAL_ITERATIONS = 80  # to half a percent of the pot


class Pace:
    """About how many iterations it takes to an exploitability, in percent of the pot."""

    def __init__(self, accuracy: float) -> None:
        self.accuracy = accuracy
        self._checks: dict[float, int] = {}
        self._first: tuple[int, float] | None = None

    def needed(self, iterations: int, percent: float) -> float:
        """How many it takes in all, as seen after some: the exploitability falls about as 1 / iterations ** 1.5."""
        if isnan(percent):
            return float(USUAL_ITERATIONS)
        first = self._checks.setdefault(percent, iterations)
        return float(first * max(percent / self.accuracy, 1.0) ** (1 / 1.5))

    def seconds_left(self, iterations: int, percent: float) -> float | None:
        """About how long it still takes; None at the first call, before which code may have been compiled."""
        self._first = before, since = self._first or (iterations, time.monotonic())
        if iterations == before:
            return None
        each = (time.monotonic() - since) / (iterations - before)
        return each * max(self.needed(iterations, percent) - iterations, 0.0)


class Bar:
    """A `Progress` that draws. accuracy: the exploitability at which it is solved. most: iterations. seconds: how long
    it may take."""

    def __init__(
        self, accuracy: float | None, most: int | None, seconds: float | None, unit: str = "% of the pot"
    ) -> None:
        self.most, self.seconds, self.unit = most, seconds, unit
        self.pace = Pace(accuracy) if accuracy else None
        self.began, self.part = time.perf_counter(), 0.0

    def __call__(self, iterations: int, percent: float) -> None:
        parts = [self.part]
        parts += [iterations / self.pace.needed(iterations, percent)] if self.pace else []
        parts += [iterations / self.most] if self.most else []
        parts += [(time.perf_counter() - self.began) / self.seconds] if self.seconds else []
        self.part = min(max(parts), 1.0)
        full = round(WIDTH * self.part)
        words = "" if isnan(percent) else f", exploitability {percent:.2f} {self.unit}"
        line = f"{FULL * full}{EMPTY * (WIDTH - full)} {iterations:,} iterations{words}"
        sys.stderr.write(f"\r{line:<{LINE}}")
        sys.stderr.flush()


@contextmanager
def watched(
    progress: Progress | bool | None, accuracy: float | None, most: int | None, seconds: float | None, unit: str
) -> Iterator[Progress | None]:
    """What is called while a subgame is solved: a function as it is, a bar for True."""
    if not isinstance(progress, bool):
        yield progress
        return
    yield Bar(accuracy, most, seconds, unit) if progress else None
    sys.stderr.write("\n" if progress else "")
