"""`solve`: an equilibrium of a small game for two, as near as wanted."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import ceil, inf

from ...game.given_rules import RulesLike, as_rules
from ...game.rules import Rules
from ..cfr import discounting_of
from ..solver import Solver
from ..trees import BetSizes
from ..trees.bet_sizes import BetSizesLike
from .game import MOST_MEMORY, check_game, game_of
from .solution import GameSolution, TracePoint

MOST_ITERATIONS = 20_000
USUAL_ACCURACY = 0.001
"""Of a unit of reward (the big blind, or a chip in games without one)."""
FIRST_CHECK = 10
SOONEST_CHECK, LATEST_CHECK = 0.05, 0.5
"""The exploitability is computed again after this part of the iterations done."""
USUAL_FALL = 1 / 1.5
"""By DCFR the exploitability falls with about the 1.5th power of the iterations."""


@dataclass(frozen=True)
class Limits:
    """When solving ends: at an exploitability in chips per hand, after a number of iterations, or of seconds."""

    accuracy: float
    iterations: int
    seconds: float


def solve(
    rules: RulesLike,
    algorithm: str = "dcfr",
    *,
    sizes: BetSizesLike = None,
    accuracy: float | None = None,
    iterations: int = MOST_ITERATIONS,
    seconds: float | None = None,
    most_memory: int = MOST_MEMORY,
) -> GameSolution:
    """Solve a small game for two players: a strategy that can hardly be exploited, with a figure that says how much.

    rules: Rules, a preset such as "kuhn" or "leduc", a dict or a file. Both stacks are alike.
    algorithm: "dcfr", "cfr+" or "pcfr+".
    sizes: bet sizes as `BetSizes` takes them; by default every legal raise. In fixed limit there is only one.
    accuracy: the exploitability, in chips per hand, at which it is enough; by default a thousandth of a big blind, or
        of a chip in games without blinds (`Rules.unit`). It is computed every so often by a best response.
    iterations, seconds: limits at which it ends, whatever the accuracy.
    most_memory: in bytes, 4 GiB by default.

    Raises ValueError for an unknown algorithm; for games of more than two seats, of sessions, or with dealer's errors;
    for limits that cannot be; and for a game that needs more memory, before it takes any: the message says how much.
    """
    game, discounting = as_rules(rules), discounting_of(algorithm)
    check_game(game)
    limits = _limits(game, accuracy, iterations, seconds)
    start = time.perf_counter()
    public = game_of(game, sizes, most_memory, 3 if discounting.predictive else 2)
    solver = Solver(public, discounting=discounting)
    trace = _run(solver, limits, start)
    (on, off), done, cumulative = solver.winnings().tolist(), solver.iterations, solver.cumulative_strategy.values
    del solver  # its regrets make room for the strategy
    return GameSolution(
        rules=game,
        sizes=None if sizes is None else BetSizes.parse(sizes),
        algorithm=algorithm,
        iterations=done,
        exploitability=trace[-1].exploitability,
        values=(on, off),
        seconds=trace[-1].seconds,
        trace=tuple(trace),
        game=public,
        strategy=public.strategy(cumulative),
    )


def _run(solver: Solver, limits: Limits, start: float) -> list[TracePoint]:
    """Iterate until a limit is reached. The exploitability at each check."""
    trace: list[TracePoint] = []
    began = time.perf_counter()
    while True:
        done = solver.iterations
        count = _until_next_check(trace, limits.accuracy)
        if limits.seconds < inf:
            spent, left = time.perf_counter() - began, start + limits.seconds - time.perf_counter()
            count = min(count, max(1, int(left * done / spent))) if done else 1
        solver.iterate(min(count, limits.iterations - done))
        gain = solver.exploitability()
        now = time.perf_counter() - start
        trace.append(TracePoint(solver.iterations, now, gain))
        if gain <= limits.accuracy or solver.iterations >= limits.iterations or now >= limits.seconds:
            return trace


def _until_next_check(trace: list[TracePoint], accuracy: float) -> int:
    """How many iterations until the exploitability is computed again: when it may be good enough, if it falls as fast
    as it usually does, but not for long."""
    if not trace:
        return FIRST_CHECK
    done, gain = trace[-1].iterations, trace[-1].exploitability
    more = (gain / accuracy) ** USUAL_FALL - 1 if accuracy > 0 else inf
    return max(FIRST_CHECK // 2, ceil(done * min(max(more, SOONEST_CHECK), LATEST_CHECK)))


def _limits(game: Rules, accuracy: float | None, iterations: int, seconds: float | None) -> Limits:
    wanted = USUAL_ACCURACY * game.unit if accuracy is None else float(accuracy)
    longest = inf if seconds is None else float(seconds)
    if not wanted >= 0:
        raise ValueError(f"accuracy: {accuracy} is no exploitability; give chips per hand, 0 or more")
    if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 1:
        raise ValueError(f"iterations: {iterations!r} is not a number of iterations, 1 or more")
    if not longest > 0:
        raise ValueError(f"seconds: {seconds} is no time; give more than 0")
    return Limits(wanted, iterations, longest)
