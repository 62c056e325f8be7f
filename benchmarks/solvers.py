"""Solvers: small games solved per second, against OpenSpiel's C++ CFR+ on the same game to the same exploitability.

What counts for ours is a whole call of `solve`, with making the tree and every check by a best response; for OpenSpiel
only its iterations, so many as it needs, without checks. Both play Leduc poker with its six cards.
"""

from __future__ import annotations

from functools import partial

from holdem_env.solvers.small_games import solve
from holdem_env.solvers.small_games.algorithms import ALGORITHMS

from .measure import Contestant, Options, on_one_core, race

GAME, THEIRS = "leduc", "leduc_poker"
ACCURACY = 0.005  # chips per hand
CHECKED_EVERY = 10  # iterations of OpenSpiel's
ABOUT = 100  # of them are not enough
MOST_TURNS = 3  # OpenSpiel takes seconds


def ours(algorithm: str) -> Contestant:
    """Work is games solved."""

    def work() -> int:
        solution = solve(GAME, algorithm, accuracy=ACCURACY)
        assert solution.exploitability <= ACCURACY
        return 1

    return work


def openspiel() -> Contestant:
    """Its solver in C++, for as many iterations as it needs."""
    import pyspiel

    game = pyspiel.load_game(THEIRS)
    needed = 0
    solver = pyspiel.CFRPlusSolver(game)
    while needed < ABOUT or pyspiel.nash_conv(game, solver.average_policy()) / 2 > ACCURACY:
        for _ in range(CHECKED_EVERY):
            solver.evaluate_and_update_policy()
        needed += CHECKED_EVERY

    def work() -> int:
        fresh = pyspiel.CFRPlusSolver(game)
        for _ in range(needed):
            fresh.evaluate_and_update_policy()
        return 1

    return work


@on_one_core()
def main(options: Options) -> None:
    few = Options(min(options.repeats, MOST_TURNS), options.seconds, options.only)
    makers = {"OpenSpiel's C++ CFR+": openspiel} | {f"solve, {name}": partial(ours, name) for name in ALGORITHMS}
    race(f"Leduc poker to an exploitability of {ACCURACY}", "games solved/s", makers, few)


if __name__ == "__main__":
    main(Options())
