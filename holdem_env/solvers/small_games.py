"""`solve`: an equilibrium of a small game for two, as near as wanted."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ..game.differences import difference_text
from ..game.rules_input import RulesLike, as_rules
from .bar import Progress
from .cfr import discounting_of
from .games import MAX_MEMORY, check_game, game_of
from .games import game_size as game_size
from .reading import Locked, read_locked
from .solution import Solution
from .solver import Solver
from .solving import WHOLE_GAME, Accuracy, Stop, Until, checked_threads, solved, stopped
from .trees import BetSizes
from .trees.bet_sizes import BetSizesLike
from .trees.utility import Utility


def solve(
    rules: RulesLike | None = None,
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
    stop: Stop = None,
    most_memory: int = MAX_MEMORY,
    utility: Utility | None = None,
    resume: Solution | Path | str | None = None,
) -> Solution:
    """Solve a small game for two players, and measure how much its strategy can be exploited.

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
        stop: Asked about every second whether to end with the solution so far.
        most_memory: Bytes, 4 GiB by default.
        utility: What chips are worth, as in `BettingTree.from_rules`; values are then in its unit.
        resume: A solution that `stop` or `seconds` has ended, or its file, to continue. The game and how it is solved
            are its own. Only the limits, `threads`, `progress` and `stop` count here; `iterations` are further ones.

    Raises:
        ValueError: If the algorithm is unknown; if the game has more than two seats, a session, or dealer's errors; if
            a limit is invalid; if the game needs more memory, with the amount, before it takes any; or if the solution
            to resume has other rules, or came to its end.
    """
    start, until, cores = time.perf_counter(), Until(accuracy, iterations, seconds), checked_threads(threads)
    if resume is not None:
        earlier, solver = stopped(resume, most_memory, cores)
        if not earlier.is_whole:
            raise ValueError("`resume` must be a whole game, got the rest of a hand: use `solve_subgame`")
        if rules is not None and (names := earlier.rules.differences(given := as_rules(rules))):
            raise ValueError(f"`rules` must be those of `resume`: {difference_text(earlier.rules, given, names)}")
        about: dict[str, Any] = {"rules": earlier.rules, "sizes": earlier.sizes, "algorithm": earlier.algorithm}
        return solved(solver, until, WHOLE_GAME, start, progress, stop, earlier, is_whole=True, **about)
    if rules is None:
        raise TypeError("solve: give `rules` or `resume`")
    game, discounting = as_rules(rules), discounting_of(algorithm)
    check_game(game)
    kept = 3 if discounting.predictive else 2
    public = game_of(game, sizes, most_memory, kept=kept, isomorphic=not locked, bits=bits, utility=utility)
    solver = Solver(public, bits, cores, discounting)
    solver.lock(read_locked(locked, public.tree, len(public.hands)))
    about = {"rules": game, "sizes": None if sizes is None else BetSizes.parse(sizes), "algorithm": algorithm}
    return solved(solver, until, WHOLE_GAME, start, progress, stop, is_whole=True, **about)
