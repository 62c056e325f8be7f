"""`Until`, when solving ends, `iterate`, the one loop that solves, and `solved`, what it makes: a `Solution`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, nan
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ..utils.runner import number_of_workers
from .bar import Progress, watched
from .packing import Numbers
from .solution import Solution, TracePoint, load_solution
from .solver import Solver

Accuracy: TypeAlias = float | Literal["usual"] | None
Stop: TypeAlias = Callable[[], bool] | None
USUAL_CHIPS, USUAL_PERCENT = 0.001, 0.5
"""The usual accuracy: of a unit of reward (the big blind, or a chip without blinds), and in percent of the pot."""
SLOW, FIRST_SLOW_CHECK = 0.5, 10  # seconds of an iteration from which on the exploitability is computed after fewer
UNTIMED_ITERATIONS = 8  # iterations that are run without another look at the clock
FINAL_COST = 4  # the time that exploitability and EV take at the end, in iterations


@dataclass(frozen=True)
class Until:
    """When solving ends: whichever comes first.

    Attributes:
        accuracy: The exploitability that is good enough, computed at growing distances; "usual" for a thousandth of the
            game's unit of reward, or 0.5 % of the pot. None: it is not computed while solving.
        iterations: How many at most; None for the solver's own limit.
        seconds: How long at most; None for any time.
        unit: Of `accuracy`: chips a hand, or percent of the pot at the root.

    Raises:
        ValueError: If a limit is invalid.
    """

    accuracy: Accuracy = "usual"
    iterations: int | None = None
    seconds: float | None = None
    unit: Literal["chips", "percent"] = "chips"

    def __post_init__(self) -> None:
        if self.accuracy not in ("usual", None) and not float(self.accuracy or 0) >= 0:
            raise ValueError(f"`accuracy` must be 0 or more, in {self.unit}, got {self.accuracy}")
        count = self.iterations
        if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
            raise ValueError(f"`iterations` must be a whole number of at least 1, got {count!r}")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"`seconds` must be above 0, got {self.seconds}")

    def wanted(self, solver: Solver) -> float | None:
        """Return the accuracy as a number, in `unit`."""
        if self.accuracy != "usual":
            return self.accuracy
        return USUAL_PERCENT if self.unit == "percent" else USUAL_CHIPS * solver.game.rules.unit

    def measured(self, solver: Solver, exploitability: float) -> float:
        """Convert an exploitability from chips to `unit`; percent are of the solver's pot."""
        return 100 * exploitability / solver.game.tree.stake if self.unit == "percent" else exploitability


class Pace(NamedTuple):
    """When the exploitability is computed. first: after how many iterations. after: the next time, of the iterations
    done and by how much the exploitability exceeds what is wanted. most: iterations, if nobody limits them."""

    first: int
    after: Callable[[int, float], int]
    most: int


def _soon_after(done: int, excess: float) -> int:
    """By DCFR the exploitability falls with about the 1.5th power of the iterations."""
    return done + max(5, ceil(done * min(max(excess ** (1 / 1.5) - 1, 0.05), 0.5)))


def _later(done: int, excess: float) -> int:
    return int(done * min(2.0, max(1.2, excess**0.5))) + 1


WHOLE_GAME = Pace(10, _soon_after, 20_000)
SPOT = Pace(30, _later, 10_000)


def checked_threads(threads: int | None) -> int:
    """Return a number of threads; None for all cores. Raises ValueError."""
    if threads is not None and threads < 1:
        raise ValueError(f"`threads` must be 1 or more, got {threads}")
    return threads or number_of_workers(-1)


class _Clock:
    """How long iterations take, and how many there is time for."""

    def __init__(self, started: float, until: Until, most: int) -> None:
        self.deadline = inf if until.seconds is None else started + until.seconds
        self.most, self.spent, self.done = until.iterations or most, 0.0, 0

    def allows(self, wanted: int) -> int:
        """Return how many of the wanted iterations may run now; one, to see how long it takes, if time is limited."""
        count = min(wanted, self.most - self.done)
        if self.deadline == inf or count <= 0:
            return max(count, 0)
        if self.done == 0:
            return 1
        affordable = int((self.deadline - time.perf_counter()) / (self.spent / self.done)) - FINAL_COST
        if affordable > UNTIMED_ITERATIONS:
            affordable //= 2  # then it looks at the clock again: the machine may have got busier
        return max(0, min(count, affordable))

    def in_a_second(self) -> int:
        """Return about how many iterations take a second; one, to see how long it takes."""
        return max(1, int(self.done / self.spent)) if self.spent else 1

    def run(self, solver: Solver, count: int) -> None:
        began = time.perf_counter()
        solver.iterate(count)
        self.spent += time.perf_counter() - began
        self.done += count


def iterate(
    solver: Solver, until: Until, pace: Pace, started: float, progress: Progress | None = None, stop: Stop = None
) -> tuple[bool, list[TracePoint]]:
    """Run iterations until it is enough. Return whether `stop` or time has cut it short, and the exploitability at each
    check. started: when solving began, by `time.perf_counter`. progress, stop: see `subgames.solve_tree`."""
    accuracy, clock, trace = until.wanted(solver), _Clock(started, until, pace.most), list[TracePoint]()
    reached, is_watched = nan, progress is not None or stop is not None
    is_checked = accuracy is not None or progress is not None
    check_at = max(pace.first, solver.iterations + 1) if is_checked else solver.iterations + clock.most
    while not (stop and stop()):
        wanted = check_at - solver.iterations
        count = clock.allows(min(wanted, clock.in_a_second()) if is_watched else wanted)
        if not count:
            return clock.done < clock.most, trace
        clock.run(solver, count)
        if clock.done == 1 and check_at == pace.first and clock.spent > SLOW:
            check_at = min(pace.first, FIRST_SLOW_CHECK)
        if solver.iterations < check_at:
            if progress is not None:
                progress(solver.iterations, reached)
            continue
        if not is_checked:
            return False, trace
        gain = solver.exploitability()
        trace.append(TracePoint(solver.iterations, time.perf_counter() - started, gain))
        reached = until.measured(solver, gain)
        if progress is not None:
            progress(solver.iterations, reached)
        if accuracy is not None and reached <= accuracy:
            return False, trace
        excess = 2.0 if accuracy is None else reached / accuracy if accuracy else inf
        check_at = pace.after(solver.iterations, excess)
    return True, trace


def solved(
    solver: Solver,
    until: Until,
    pace: Pace,
    started: float,
    progress: Progress | bool | None,
    stop: Stop,
    earlier: Solution | None = None,
    **about: Any,
) -> Solution:
    """Iterate, and return what was found. earlier: the solution that the solver goes on from, if any. about: arguments
    of `Solution`. The others are those of `iterate`."""
    is_whole, game, before = bool(about.get("is_whole")), solver.game, earlier.seconds if earlier else 0.0
    trace = list(earlier.trace) if earlier else []
    wanted = until.wanted(solver) if until.accuracy is not None else None
    unit = "chips a hand" if until.unit == "chips" else "% of the pot"
    with watched(progress, wanted, None if earlier else until.iterations, until.seconds, unit) as watching:
        was_cut, found = iterate(solver, until, pace, started, watching, stop)
    trace += [point._replace(seconds=before + point.seconds) for point in found]
    if is_whole and until.accuracy is not None and (not trace or trace[-1].iterations != solver.iterations):
        gain = solver.exploitability()
        trace.append(TracePoint(solver.iterations, before + time.perf_counter() - started, gain))
    if not was_cut:
        solver.forget_regrets()  # they make room for the strategy
    numbers, seconds = solver.cumulative_strategy, before + time.perf_counter() - started
    return Solution(
        game,
        Numbers(game.strategy(numbers.values), np.ones(0, np.float32)) if is_whole else numbers,
        iterations=solver.iterations,
        seconds=seconds,
        trace=trace,
        locked=solver.locked,
        solver=solver if was_cut else None,
        threads=solver.threads,
        **about,
    )


def stopped(resume: Solution | Path | str, most_memory: int, threads: int) -> tuple[Solution, Solver]:
    """Return a solution to go on from, and its solver. resume: the solution, or its file. Raises as `load_solution`,
    and ValueError for a solution that was solved to its end."""
    earlier = resume if isinstance(resume, Solution) else load_solution(resume, most_memory)
    if earlier.solver is None:
        raise ValueError("`resume` must be a solution that `stop` or `seconds` has ended, got one that came to its end")
    solver = earlier.solver.copy() if earlier is resume else earlier.solver  # the caller's stays as it is
    solver.use_threads(threads)
    return earlier, solver
