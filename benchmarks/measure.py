"""Timing several contestants in turns, and printing what came out."""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version

Contestant = Callable[[], int]
"""Does some work and returns how much of it (decisions, hands)."""


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process on one core, where the system lets us."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def machine() -> str:
    """The machine and versions in one line."""
    return f"{platform.machine()}, Python {sys.version.split()[0]}, NumPy {version('numpy')}, Numba {version('numba')}"


def rates(contestants: dict[str, Contestant], rounds: int = 5) -> dict[str, float]:
    """Work per second of each, the median over rounds in which they take turns; one round before is not counted."""
    seen: dict[str, list[float]] = {name: [] for name in contestants}
    for counted in range(rounds + 1):
        for name, work in contestants.items():
            start = time.perf_counter()
            amount = work()
            if counted:
                seen[name].append(amount / (time.perf_counter() - start))
    return {name: statistics.median(values) for name, values in seen.items()}


def print_rates(title: str, result: dict[str, float], base: str, unit: str) -> None:
    """A table of rates, and their ratios to one of them."""
    print(f"\n{title}")
    width = max(map(len, result))
    for name, rate in result.items():
        print(f"  {name:{width}}  {rate:>13,.0f} {unit}  {rate / result[base]:>8.1f}x")
