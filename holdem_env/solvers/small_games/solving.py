"""`solve`: an equilibrium of a small game for two, as near as wanted."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ...game.given_rules import RulesLike, as_rules
from ..bar import Progress, watched
from ..cfr import discounting_of
from ..packing import Numbers
from ..reading import Locked, read_locked
from ..solution import Solution
from ..solver import Solver
from ..solving import WHOLE_GAME, Accuracy, TracePoint, Until, checked_threads, iterate
from ..trees import BetSizes
from ..trees.bet_sizes import BetSizesLike
from .game import MOST_MEMORY, check_game, game_of


def solve(
    rules: RulesLike,
    algorithm: str = "dcfr",
    *,
    sizes: BetSizesLike = None,
    accuracy: Accuracy = "usual",
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int | None = 1,
    bits: int | None = None,
    locked: Locked | None = None,
    progress: Progress | bool | None = None,
    stop: Callable[[], bool] | None = None,
    most_memory: int = MOST_MEMORY,
) -> Solution:
    """Solve a small game for two players: a strategy that can hardly be exploited, with a figure that says how much.

    Args:
        rules: Rules, a preset such as "kuhn" or "leduc", a dict or a file. Both stacks are alike.
        algorithm: "dcfr", "cfr+" or "pcfr+".
        sizes: Bet sizes as `BetSizes` takes them; by default every legal raise. In fixed limit there is only one.
        accuracy: The exploitability, in chips a hand, at which it is enough; by default a thousandth of a big blind, or
            of a chip in games without blinds (`Rules.unit`). None: it is not computed while solving.
        iterations: How many at most; by default 20,000.
        seconds: How long at most.
        threads: Share out the boards among these; None for all cores. The solution does not depend on it.
        bits: Of each regret, 64, 32 or (but for pcfr+) 16; by default 64 in games of up to 4,000,000 numbers, else 32.
        locked: Strategies that are held fixed, by node or by path: (H, children) probabilities, or (children,) for all
            hands, in the order of `Solution.hands`. Isomorphic cards are then not taken together.
        progress: Called about every second with the iterations run and the latest exploitability in chips; True shows a
            bar on stderr.
        stop: Asked about every second whether to end with what there is.
        most_memory: Bytes, 4 GiB by default.

    Raises:
        ValueError: For an unknown algorithm; for games of more than two seats, of sessions, or with dealer's errors;
            for limits that cannot be; and for a game that needs more memory, before it takes any: it says how much.
    """
    start, game, discounting = time.perf_counter(), as_rules(rules), discounting_of(algorithm)
    check_game(game)
    until = Until(accuracy, iterations, seconds)
    cores, kept = checked_threads(threads), 3 if discounting.predictive else 2
    public = game_of(game, sizes, most_memory, kept, isomorphic=not locked, bits=bits)
    solver = Solver(public, bits, cores, discounting)
    solver.lock(held := read_locked(locked, public.tree, len(public.hands)))
    with watched(progress, until.wanted(solver), iterations, seconds, "chips a hand") as watching:
        trace = iterate(solver, until, WHOLE_GAME, start, watching, stop).trace
    if accuracy is not None and (not trace or trace[-1].iterations != solver.iterations):
        gain = solver.exploitability()
        trace.append(TracePoint(solver.iterations, time.perf_counter() - start, gain))
    done, cumulative = solver.iterations, solver.cumulative_strategy.values
    del solver  # its regrets make room for the strategy
    return Solution(
        public,
        Numbers(public.strategy(cumulative), np.ones(0, np.float32)),
        rules=game,
        is_whole=True,
        sizes=None if sizes is None else BetSizes.parse(sizes),
        algorithm=algorithm,
        iterations=done,
        seconds=trace[-1].seconds if trace and accuracy is not None else time.perf_counter() - start,
        trace=trace,
        locked=[*held],
        threads=cores,
    )
