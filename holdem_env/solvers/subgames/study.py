"""`solve_subgame` and `solve_tree`: a spot, or a betting tree on a board, solved until it is good enough; how large a
spot is; and `exploitability`, of any strategies for the rest of a hand."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import nan
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...equities.questions import CardsLike
from ...game.given_rules import RulesLike, as_rules
from ...game.rules import Rules
from ...table.starting import Stacks
from ...utils.runner import number_of_workers
from ..public_game import GameSize, PublicGame, size_of
from ..solver import Solver
from ..trees import BetSizes, BettingTree
from ..trees.bet_sizes import BetSizesLike
from ..trees.building import size_text
from ..trees.walking import DECISION
from .bar import Progress, watched
from .guarding import Guard, GuardedSolver
from .reading import (
    CARDS_ON_STREET,
    MOST_MEMORY,
    Locked,
    Ranges,
    check_game,
    read_locked,
    read_ranges,
    read_subgame_board,
)
from .solution import SubgameSolution, load_solver, results_of

MOST_ITERATIONS = 10_000
FIRST_CHECK = 30
"""Iterations before the exploitability is computed for the first time."""
SLOW, FIRST_SLOW_CHECK = 0.5, 10
"""Seconds of an iteration from which on it is computed after fewer."""
LEAST_GROWTH, MOST_GROWTH = 1.2, 2.0
"""The exploitability is computed again after this multiple of the iterations."""
UNTIMED_ITERATIONS = 8
"""Iterations that are run without another look at the clock."""
FINAL_COST = 4
"""The time that exploitability and EV take at the end, in iterations."""
PLAIN = Rules(seats=2, blinds=(1, 2), min_bet=1)
"""No limit, bets of one chip and more."""
Bits: TypeAlias = Literal[16, 32]
STREET_WITH = {cards: street for street, cards in CARDS_ON_STREET.items()}
MOST_NODES = 1_000_000
RIVER = 3
Plays: TypeAlias = Callable[[int], NDArray[np.float64]]
"""Given a node, what the player to act does there with each hand: (1326, children) probabilities."""


def solve_subgame(
    board: CardsLike,
    ranges: Ranges,
    pot: int,
    stacks: Stacks,
    sizes: BetSizesLike = None,
    rules: RulesLike | None = None,
    accuracy: float | None = 0.5,
    iterations: int | None = None,
    seconds: float | None = None,
    locked: Locked | None = None,
    progress: Progress | bool | None = None,
    most_memory: int = MOST_MEMORY,
    threads: int | None = None,
    bits: Bits | None = None,
    stop: Callable[[], bool] | None = None,
) -> SubgameSolution:
    """Solve the rest of a hand from the beginning of a river, a turn or a flop.

    board: its cards, such as "Ks7h2d3c". ranges: of player 0, who has the button and acts last, and of player 1; each
    a text ("77+, AQs+"), a Range or (1326,) weights in the order of `cards.combos`. pot: the chips in the middle.
    stacks: what players 0 and 1 have left, or one amount for both. sizes: bets and raises as `BetSizes` takes them;
    "a" is all-in, and so are sizes above the stack. rules: the structure, the smallest bet, the rake; by default no
    limit without rake. accuracy, iterations, seconds: when it stops; locked: strategies held fixed, by path such as
    "check, bet 50", or by node; progress, most_memory, threads, bits, stop: as in `solve_tree`.

    >>> solution = solve_subgame("Ks7h2d3c9s", ["77, K9s, AQo", "KQ, A9s, 88"], pot=100, stacks=200, sizes="75%, a")
    >>> solution.exploitability_percent < 0.5
    True

    Raises ValueError for boards, ranges, pots, stacks, sizes or rules that cannot be, for more than two seats, and,
    before it starts, for a subgame that needs more than `most_memory` bytes; the message says how large it is.
    """
    tree = spot_tree(board, pot, stacks, sizes, rules)
    return solve_tree(
        tree,
        board,
        ranges,
        accuracy=accuracy,
        iterations=iterations,
        seconds=seconds,
        locked=locked,
        progress=progress,
        most_memory=most_memory,
        threads=threads,
        bits=bits,
        stop=stop,
    ).with_spot(pot, stacks)


def subgame_size(
    board: CardsLike,
    ranges: Ranges,
    pot: int,
    stacks: Stacks,
    sizes: BetSizesLike = None,
    rules: RulesLike | None = None,
    locked: Locked | None = None,
) -> GameSize:
    """How large a subgame is, without solving it. Arguments and errors as those of `solve_subgame`."""
    tree = spot_tree(board, pot, stacks, sizes, rules)
    cards = read_subgame_board(board)
    return size_of(tree, tree.rules, cards, read_ranges(ranges, cards), isomorphic=not read_locked(locked, tree))


def spot_tree(board: CardsLike, pot: int, stacks: Stacks, sizes: BetSizesLike, rules: RulesLike | None) -> BettingTree:
    """The betting tree of a spot."""
    game = PLAIN if rules is None else as_rules(rules)
    cards = read_subgame_board(board)
    if game.seats == 2:  # the tree refuses others
        check_game(game)
    return BettingTree.from_spot(
        game, BetSizes.parse(sizes), STREET_WITH[len(cards)], pot, stacks, most_nodes=MOST_NODES
    )


def solve_tree(
    tree: BettingTree,
    board: CardsLike,
    ranges: Ranges,
    *,
    accuracy: float | None = 0.5,
    iterations: int | None = None,
    seconds: float | None = None,
    locked: Locked | None = None,
    guard: Guard | None = None,
    progress: Progress | bool | None = None,
    most_memory: int = MOST_MEMORY,
    threads: int | None = None,
    bits: Bits | None = None,
    stop: Callable[[], bool] | None = None,
) -> SubgameSolution:
    """Solve a betting tree whose root is on the flop, the turn or the river, by discounted CFR.

    board: the cards at the root. ranges: of players 0 (the button) and 1, each a text, a Range or (1326,) weights.
    accuracy: the exploitability, in percent of the pot, at which it stops; None does not compute it. iterations,
    seconds: limits at which it stops, too. locked: strategies that are held fixed, by node or by path ("check, bet
    50"): an array (1326, children), or (children,) for all hands. Isomorphic cards are then not taken together.
    guard: solve for one player, whose opponent may come with other hands than those of its range (`guarding`); what the
    solution then says of the opponent, and its exploitability, is no measure of anything. On rivers.
    progress: called about every second with the iterations run and the latest exploitability in percent of the pot;
    True shows a bar on stderr.
    most_memory: bytes that it may take. threads: share out turns and flops among these; by default all cores. The
    solution does not depend on it. bits: of regrets and strategies, 32 or 16; by default 16 where 32 take more than
    most_memory. stop: asked about every second whether to end with what there is.

    Raises ValueError or TypeError for a board, ranges or locked strategies that cannot be, for rules with other hands
    than Texas hold'em's, and, before it takes any memory, for a tree that needs more than `most_memory`.
    """
    started = time.perf_counter()
    check_game(tree.rules)
    cards = read_subgame_board(board, int(tree.street[0]))
    weights = read_ranges(ranges, cards)
    held = read_locked(locked, tree)
    until = _Until(started, accuracy, iterations, seconds, stop)
    alike = not held and guard is None
    size = size_of(tree, tree.rules, cards, weights, isomorphic=alike)
    size = size.fitting(most_memory, 32 if guard else bits)
    if size.memory > most_memory:
        raise ValueError(f"subgame: {size}; {size_text(most_memory)} are allowed. Give fewer sizes or hands")
    cores = _checked_threads(threads)
    solver = (
        GuardedSolver(tree, cards, weights, guard)
        if guard
        else Solver(PublicGame(tree, tree.rules, cards, weights, alike), size.bits, cores)
    )
    solver.lock(held)
    with watched(progress, accuracy, iterations, seconds) as until.progress:
        return _solved(solver, until)


def resume_subgame(
    path: Path | str,
    accuracy: float | None = 0.5,
    iterations: int | None = None,
    seconds: float | None = None,
    progress: Progress | bool | None = None,
    threads: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> SubgameSolution:
    """Go on with a solution that was saved after it had been stopped (`stop`). The arguments are those of
    `solve_tree`; iterations: further ones.

    Raises FileNotFoundError, and ValueError for a file that is damaged, is no solution, or was solved to its end.
    """
    until = _Until(time.perf_counter(), accuracy, iterations, seconds, stop)
    solver, header = load_solver(path, _checked_threads(threads))
    until.before = float(header["seconds"])
    with watched(progress, accuracy, None, seconds) as until.progress:
        solution = _solved(solver, until)
    return solution.with_spot(header["pot"], header["stacks"])


def _solved(solver: Solver, until: _Until) -> SubgameSolution:
    """Iterate, and ask for the results."""
    was_stopped = _iterate(solver, until)
    results = results_of(solver) | {"seconds": until.seconds()}
    return SubgameSolution(solver.game, solver.cumulative_strategy, results, solver if was_stopped else None)


def _checked_threads(threads: int | None) -> int:
    if threads is not None and threads < 1:
        raise ValueError(f"threads: must be 1 or more, got {threads}")
    return threads or number_of_workers(-1)


class _Until:
    """When solving ends, and how far it is. progress: see `solve_tree`. before: seconds of an earlier call."""

    progress: Progress | None = None
    before = 0.0

    def __init__(
        self,
        started: float,
        accuracy: float | None,
        iterations: int | None,
        seconds: float | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        given = {"accuracy": accuracy, "iterations": iterations, "seconds": seconds}
        if not any(value is not None for value in given.values()):
            raise ValueError("solve: say when it stops: accuracy, iterations or seconds")
        for name, value in given.items():
            if value is not None and not value > 0:
                raise ValueError(f"{name}: {value} is not above 0")
        self.started, self.accuracy, self.stop = started, accuracy, stop
        self.deadline = None if seconds is None else started + seconds
        self.most, self.spent, self.done = iterations or MOST_ITERATIONS, 0.0, 0

    def allows(self, wanted: int) -> int:
        """How many of the wanted iterations may be run now: one, to see how long it takes, where time is limited."""
        count = min(wanted, self.most - self.done)
        if self.deadline is None or count <= 0:
            return max(count, 0)
        left = self.deadline - time.perf_counter()
        if self.done == 0:
            return 1
        affordable = int(left / (self.spent / self.done)) - FINAL_COST
        if affordable > UNTIMED_ITERATIONS:
            affordable //= 2  # then it looks at the clock again: the machine may have got busier
        return max(0, min(count, affordable))

    def seconds(self) -> float:
        """How long it has taken so far, and before it was resumed."""
        return self.before + time.perf_counter() - self.started

    def in_a_second(self) -> int:
        """How many iterations take about a second; one, to see how long it takes."""
        return max(1, int(self.done / self.spent)) if self.spent else 1

    def run(self, solver: Solver, count: int) -> None:
        began = time.perf_counter()
        solver.iterate(count)
        self.spent += time.perf_counter() - began
        self.done += count


def _iterate(solver: Solver, until: _Until) -> bool:
    """Run iterations until one of the limits is reached. Returns whether `stop` has ended it."""
    accuracy, progress, stop = until.accuracy, until.progress, until.stop
    pot, percent, is_watched = int(solver.game.tree.pot[0]), nan, progress is not None or stop is not None
    first = FIRST_CHECK if accuracy is not None or progress is not None else until.most
    check_at = max(first, solver.iterations + 1)
    while not (stop and stop()):
        wanted = check_at - solver.iterations
        count = until.allows(min(wanted, until.in_a_second()) if is_watched else wanted)
        if not count:
            return False
        until.run(solver, count)
        if until.done == 1 and check_at == FIRST_CHECK and until.spent > SLOW:
            check_at = FIRST_SLOW_CHECK
        if solver.iterations < check_at:
            if progress is not None:
                progress(solver.iterations, percent)
            continue
        percent = 100 * solver.exploitability() / pot
        if progress is not None:
            progress(solver.iterations, percent)
        if accuracy is not None and percent <= accuracy:
            return False
        excess = percent / accuracy if accuracy else MOST_GROWTH
        check_at = int(solver.iterations * min(MOST_GROWTH, max(LEAST_GROWTH, excess**0.5))) + 1
    return True


def exploitability(tree: BettingTree, board: CardsLike, ranges: Ranges, plays: Plays) -> float:
    """What a best response inside the tree gains over strategies on a river, in chips: the mean of both players.

    All hands and their cards count, so that it is exact. tree: its root is on the river. board: five cards. ranges: of
    players 0 (the button) and 1, as `solve_tree` takes them. plays: asked once for each decision; rows of hands that
    are on the board count for nothing.

    Raises ValueError or TypeError for a tree of another street, and for boards, ranges and strategies that cannot be.
    """
    check_game(tree.rules)
    if tree.street[0] != RIVER:
        raise ValueError(f"exploitability: the tree begins on street {tree.street[0]}; give one of a river, street 3")
    cards = read_subgame_board(board, RIVER)
    held = read_locked({int(node): plays(int(node)) for node in np.flatnonzero(tree.kind == DECISION)}, tree)
    solver = Solver(PublicGame(tree, tree.rules, cards, read_ranges(ranges, cards), isomorphic=False))
    for node, strategy in held.items():
        solver.set_strategy(node, strategy)
    return solver.exploitability()
