"""Timing contestants in turns, the statistics of what came out, and printing it. All benchmarks measure with this."""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import NamedTuple

Contestant = Callable[[], int]
"""Does some work and returns how much of it (decisions, hands)."""
Maker = Callable[[], Contestant]
"""Prepares a contestant: imports, tables, a first check."""


@dataclass(frozen=True)
class Options:
    """How long to measure. repeats: turns of each contestant. seconds: the least length of a turn. only: leave out
    whatever does not have this text in its title."""

    repeats: int = 7
    seconds: float = 0.2
    only: str = ""

    def wants(self, title: str) -> bool:
        return self.only.lower() in title.lower()


class Stopwatch:
    """Adds up the seconds that pass in its `with` blocks."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> Stopwatch:
        self._start = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._start


class Spread(NamedTuple):
    """The median of several measurements, and their quartiles."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{figure(self.median)} ({figure(self.low)} to {figure(self.high)})"


def spread(values: Iterable[float]) -> Spread:
    """Median and quartiles. Quartiles, because one hiccup of a busy machine would stretch the range."""
    seen = list(values)
    if len(seen) == 1:
        return Spread(seen[0], seen[0], seen[0])
    low, median, high = statistics.quantiles(seen, n=4, method="inclusive")
    return Spread(median, low, high)


def ratios(values: Sequence[float], base: Sequence[float]) -> Spread:
    """The spread of the ratios of measurements that were taken in turns: each to the one of the same turn."""
    return spread(one / other for one, other in zip(values, base, strict=True))


def turn(work: Contestant, seconds: float) -> float:
    """Work per second, in one turn of at least `seconds`."""
    watch, amount = Stopwatch(), 0
    while not amount or watch.seconds < seconds:
        with watch:
            amount += work()
    return amount / watch.seconds


def in_turns(contestants: Mapping[str, Contestant], options: Options) -> dict[str, list[float]]:
    """Work per second of each contestant, turn by turn. One piece of work before the first turn is not counted."""
    for work in contestants.values():
        work()
    seen: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(options.repeats):
        for name, work in contestants.items():
            seen[name].append(turn(work, options.seconds))
    return seen


def race(title: str, unit: str, makers: Mapping[str, Maker], options: Options) -> dict[str, list[float]]:
    """Measure contestants in turns and print a table of rates, with ratios to the first; returns the rates.

    Who needs a package that is not installed is left out, and the table says so.
    """
    if not options.wants(title):
        return {}
    print(f"\n{title}: {unit}, median and quartiles of {options.repeats} turns")
    rates = in_turns(_prepared(makers), options)
    base = next(iter(rates.values()), [])
    print_columns((name, str(spread(seen)), f"{ratios(seen, base)} x") for name, seen in rates.items())
    return rates


def _prepared(makers: Mapping[str, Maker]) -> dict[str, Contestant]:
    contestants = {}
    for name, maker in makers.items():
        try:
            contestants[name] = maker()
        except ModuleNotFoundError as error:
            if str(error.name).startswith("holdem"):
                raise
            print(f"  {name}: left out, {error.name} is not installed")
    return contestants


def figure(value: float) -> str:
    """A number with about three digits that count: 7,910,000 and 55.1 and 0.392."""
    if not value:
        return "0"
    digits = 2 - int(f"{value:e}".partition("e")[2])
    return f"{round(value, digits):,.{max(0, digits)}f}"


def print_columns(rows: Iterable[Sequence[str]]) -> None:
    """Rows of a table: names on the left, the rest flush right."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for name, *cells in lines:
        padded = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        print("  " + "   ".join(chain([f"{name:{widths[0]}}"], padded)).rstrip(), flush=True)


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process, and those it starts, on one core, where the system lets us."""
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
    """The processor, its cores, how busy they are, and versions, in one line."""
    versions = f"Python {sys.version.split()[0]}, NumPy {version('numpy')}, Numba {version('numba')}"
    return f"{processor()} ({platform.machine()}), {cores()}{_load()}; {platform.system()}, {versions}"


def processor() -> str:
    """The processor's name, as the system knows it."""
    described = Path("/proc/cpuinfo")
    for line in described.read_text(encoding="utf-8").splitlines() if described.is_file() else ():
        key, _, name = line.partition(":")
        if key.strip() == "model name":
            return name.strip()
    return platform.processor() or "unknown processor"


def cores() -> str:
    """How many cores there are, and how many of them this process may use."""
    there = os.cpu_count() or 1
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else there
    return f"{there} cores" if ours == there else f"{ours} of {there} cores"


def _load() -> str:
    return f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
