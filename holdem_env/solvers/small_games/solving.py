"""`solve`: an equilibrium of a small game for two, as near as wanted."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import ceil, comb, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...game.given_rules import RulesLike, as_rules
from ...game.rules import Rules
from ..trees import BetSizes, BettingTree
from ..trees.bet_sizes import BetSizesLike
from .algorithms import Algorithm, algorithm_of
from .every_move import Betting, TooManyNodes, every_move
from .hands import Hands
from .outcomes import example_deals
from .public_tree import PublicTree, Size, least_boards, size_of
from .responses import expected_values, exploitability_of
from .solution import Solution, TracePoint
from .sweeps import normalise_all, train

GIB = 2**30
MOST_MEMORY = 4 * GIB
MOST_ITERATIONS = 20_000
PRECISE_ENTRIES = 4_000_000
"""A strategy of more numbers is kept in single precision."""
USUAL_ACCURACY = 0.001
"""Of a unit of reward (the big blind, or a chip in games without one)."""
FIRST_CHECK, LATER_CHECKS = 10, 1.1


@dataclass(frozen=True)
class Limits:
    """When solving ends: at this exploitability in chips per hand, after so many iterations, or after so many
    seconds."""

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
) -> Solution:
    """Solve a small game for two players: a strategy that can hardly be exploited, with a figure that says how much.

    rules: Rules, a preset such as "kuhn" or "leduc", a dict or a file. Both stacks are alike.
    algorithm: "dcfr", "cfr+" or "pcfr+".
    sizes: bet sizes as `BetSizes` takes them; by default every legal raise. In fixed limit there is only one.
    accuracy: the exploitability, in chips per hand, at which it is enough; by default a thousandth of a big blind, or
        of a chip in games without blinds (`Rules.unit`). It is computed every so often by a best response.
    iterations, seconds: it ends after so many at the latest, whatever the accuracy.
    most_memory: in bytes, 4 GiB by default.

    Raises ValueError for an unknown algorithm; for games of more than two seats, of sessions, or with dealer's errors;
    for limits that cannot be; and for a game that needs more memory, before it takes any: the message says how much.
    """
    game, method = as_rules(rules), algorithm_of(algorithm)
    check_game(game)
    limits = _limits(game, accuracy, iterations, seconds)
    start = time.perf_counter()
    tree = tree_of(game, sizes, most_memory, 3 if method.predicts else 2)
    solving = Solving(tree, method)
    trace = _run(solving, limits, start)
    strategy = solving.finish()
    return Solution(
        rules=game,
        sizes=None if sizes is None else BetSizes.parse(sizes),
        algorithm=algorithm,
        iterations=solving.iterations,
        exploitability=trace[-1].exploitability,
        values=expected_values(tree, strategy),
        seconds=trace[-1].seconds,
        trace=tuple(trace),
        tree=tree,
        strategy=strategy,
    )


class Solving:
    """A game while it is solved. averages: (tree.entries,) weights of moves, of which the strategy is made."""

    def __init__(self, tree: PublicTree, method: Algorithm) -> None:
        kind = np.float64 if tree.entries <= PRECISE_ENTRIES else np.float32
        self.tree, self.method, self.iterations = tree, method, 0
        self.regrets, self.averages = np.zeros(tree.entries, kind), np.zeros(tree.entries, kind)
        self._predicted = np.zeros(tree.entries if method.predicts else 0, kind)

    def iterate(self, count: int) -> None:
        """Run so many iterations."""
        tree, steps = self.tree, self.method.steps(self.iterations + 1, count)
        learnt = self.regrets, self.averages, self._predicted
        train(tree.arrays, tree.most_depth, tree.most_children, *learnt, steps)
        self.iterations += count

    def finish(self) -> NDArray[np.floating[Any]]:
        """The average strategy as probabilities, (tree.entries,). Nothing can be iterated after it."""
        self.regrets = self._predicted = self.averages[:0]  # their memory is free
        normalise_all(self.tree.arrays, self.tree.most_children, self.averages)
        return self.averages


def _run(solving: Solving, limits: Limits, start: float) -> list[TracePoint]:
    """Iterate until a limit is reached. The exploitability at each check."""
    trace: list[TracePoint] = []
    began = time.perf_counter()
    while True:
        done = solving.iterations
        count = max(FIRST_CHECK, ceil(done * (LATER_CHECKS - 1)))
        if limits.seconds < inf:
            spent, left = time.perf_counter() - began, start + limits.seconds - time.perf_counter()
            count = min(count, max(1, int(left * done / spent))) if done else 1
        solving.iterate(min(count, limits.iterations - done))
        gain = exploitability_of(solving.tree, solving.averages)
        now = time.perf_counter() - start
        trace.append(TracePoint(solving.iterations, now, gain))
        if gain <= limits.accuracy or solving.iterations >= limits.iterations or now >= limits.seconds:
            return trace


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


def check_game(game: Rules) -> None:
    """Raise ValueError for rules that are not those of single hands for two with equal stacks."""
    if game.seats != 2:
        raise ValueError(f"solve: games for two seats can be solved; these rules have {game.seats}: give seats=2")
    if game.session is not None or game.dealer_errors is not None:
        raise ValueError(
            "solve: single hands without dealer's errors can be solved; give the rules with session=None and "
            "dealer_errors=None"
        )
    if len(set(game.starting_stacks)) > 1:
        raise ValueError(f"solve: both stacks must be alike; here they are {game.starting_stacks}")


def tree_of(game: Rules, sizes: BetSizesLike, most_memory: int, copies: int) -> PublicTree:
    """The public tree of a game. copies: how many numbers are kept for each of a strategy. Raises ValueError if it
    needs more memory than allowed; the message says how much."""
    count = comb(len(game.deck), game.hole_cards)
    if game.showing != "automatic":  # it changes no chips
        game = game.replace(showing="automatic")
    if sizes is not None or (game.structure == "fixed_limit" and game.split == "high"):
        betting: Betting = BettingTree.from_rules(game, sizes)
        _check_size(size_of(game, betting, count), most_memory, copies)
        return PublicTree(Hands(game), betting)
    # Examples of showdowns need a list of the boards, so that the last street alone must fit.
    boards = least_boards(game)[-1]
    _check_size(Size(boards, count, boards * count * 2), most_memory, copies)
    hands = Hands(game)
    try:
        betting = every_move(game, example_deals(hands))
    except TooManyNodes as error:
        raise ValueError(f'solve: {error}; give bet sizes, such as sizes="pot, all-in", or smaller stacks') from None
    _check_size(size_of(game, betting, count), most_memory, copies)
    return PublicTree(hands, betting)


def _check_size(size: Size, most_memory: int, copies: int) -> None:
    """Raise ValueError for a game that needs more memory than allowed."""
    bytes_each = 8 if size.entries <= PRECISE_ENTRIES else 4
    if (needed := size.entries * bytes_each * copies) > most_memory:
        raise ValueError(
            f"solve: this game has at least {size.decisions:,} decisions with a board and {size.hands:,} hands for each; "
            f"a strategy for them takes {needed / GIB:,.1f} GiB while it is made, and most_memory is "
            f"{most_memory / GIB:,.1f} GiB. Give more memory, fewer bet sizes, or a smaller game such as 'leduc'"
        )
