"""`solve_subgame` and `solve_tree`: a spot, or a betting tree on a board, solved until it is good enough; how large a
spot is; and `exploitability`, of any strategies for the rest of a hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ...equities.questions import CardsLike
from ...game.given_rules import RulesLike, as_rules
from ...game.rules import Rules
from ...table.starting import Stacks
from ..bar import Progress, watched
from ..cfr import spot_discounting
from ..files import load_solver
from ..public_game import GameSize, PublicGame, size_of
from ..reading import (
    CARDS_ON_STREET,
    MOST_MEMORY,
    Locked,
    Ranges,
    check_game,
    read_locked,
    read_ranges,
    read_subgame_board,
)
from ..solution import Solution
from ..solver import Solver
from ..solving import SPOT, Accuracy, TracePoint, Until, checked_threads, iterate
from ..trees import BetSizes, BettingTree
from ..trees.bet_sizes import BetSizesLike
from ..trees.building import size_text
from ..trees.walking import DECISION
from .guarding import Guard, GuardedSolver

Stop: TypeAlias = Callable[[], bool] | None
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
    accuracy: Accuracy = "usual",
    iterations: int | None = None,
    seconds: float | None = None,
    locked: Locked | None = None,
    progress: Progress | bool | None = None,
    most_memory: int = MOST_MEMORY,
    threads: int | None = None,
    bits: Bits | None = None,
    stop: Stop = None,
    algorithm: str = "dcfr",
) -> Solution:
    """Solve the rest of a hand from the beginning of a river, a turn or a flop.

    board: its cards, such as "Ks7h2d3c". ranges: of player 0, who has the button and acts last, and of player 1; each
    a text ("77+, AQs+"), a Range or (1326,) weights in the order of `cards.combos`. pot: the chips in the middle.
    stacks: what players 0 and 1 have left, or one amount for both. sizes: bets and raises as `BetSizes` takes them;
    "a" is all-in, and so are sizes above the stack. rules: the structure, the smallest bet, the rake; by default no
    limit without rake. accuracy, iterations, seconds: when it stops; locked: strategies held fixed, by path such as
    "check, bet 50", or by node; progress, most_memory, threads, bits, stop, algorithm: as in `solve_tree`.

    >>> solution = solve_subgame("Ks7h2d3c9s", ["77, K9s, AQo", "KQ, A9s, 88"], pot=100, stacks=200, sizes="75%, a")
    >>> solution.exploitability_percent < 0.5
    True

    Raises ValueError for boards, ranges, pots, stacks, sizes or rules that cannot be, for more than two seats, and,
    before it starts, for a subgame that needs more than `most_memory` bytes; the message says how large it is.
    """
    tree, given = spot_tree(board, pot, stacks, sizes, rules), cast(Any, stacks)
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
        algorithm=algorithm,
        spot={"pot": int(pot), "stacks": given if isinstance(given, str) else np.asarray(given).tolist()},
    )


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
    accuracy: Accuracy = "usual",
    iterations: int | None = None,
    seconds: float | None = None,
    locked: Locked | None = None,
    guard: Guard | None = None,
    progress: Progress | bool | None = None,
    most_memory: int = MOST_MEMORY,
    threads: int | None = None,
    bits: Bits | None = None,
    stop: Stop = None,
    algorithm: str = "dcfr",
    spot: dict[str, Any] | None = None,
) -> Solution:
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
    most_memory. stop: asked about every second whether to end with what there is. algorithm: as in `solve`; DCFR
    forgets its beginning sooner here. spot: what the solution says of itself in a file.

    Raises ValueError or TypeError for a board, ranges or locked strategies that cannot be, for rules with other hands
    than Texas hold'em's, and, before it takes any memory, for a tree that needs more than `most_memory`.
    """
    started = time.perf_counter()
    check_game(tree.rules)
    cards = read_subgame_board(board, int(tree.street[0]))
    weights = read_ranges(ranges, cards)
    held = read_locked(locked, tree)
    until, discounting = _until(accuracy, iterations, seconds), spot_discounting(algorithm)
    if guard and algorithm != "dcfr":
        raise ValueError(f"`algorithm` must be 'dcfr' with a guard, got {algorithm!r}")
    alike = not held and guard is None
    size = size_of(tree, tree.rules, cards, weights, isomorphic=alike)
    size = replace(size, kept=3 if discounting.predictive else 2)
    size = size.fitting(most_memory, bits or (32 if guard or discounting.predictive else None))
    if size.memory > most_memory:
        raise ValueError(f"subgame: {size}; {size_text(most_memory)} are allowed. Give fewer sizes or hands")
    cores = checked_threads(threads)
    solver = (
        GuardedSolver(tree, cards, weights, guard)
        if guard
        else Solver(PublicGame(tree, tree.rules, cards, weights, alike), size.bits, cores, discounting)
    )
    solver.lock(held)
    return _solved(solver, until, started, stop, {"progress": progress, "spot": spot, "algorithm": algorithm})


def resume_subgame(
    path: Path | str,
    accuracy: Accuracy = "usual",
    iterations: int | None = None,
    seconds: float | None = None,
    progress: Progress | bool | None = None,
    threads: int | None = None,
    stop: Stop = None,
    most_memory: int = MOST_MEMORY,
) -> Solution:
    """Go on with a solution that was saved after it had been stopped (`stop`). The arguments are those of
    `solve_tree`; iterations: further ones.

    Raises FileNotFoundError, and ValueError for a file that is damaged, is no solution, or was solved to its end.
    """
    started, until = time.perf_counter(), _until(accuracy, iterations, seconds)
    solver, about = load_solver(path, checked_threads(threads), most_memory)
    before, earlier = about.pop("seconds"), about.pop("trace")
    return _solved(solver, until, started, stop, {**about, "progress": progress}, before, earlier)


def _until(accuracy: Accuracy, iterations: int | None, seconds: float | None) -> Until:
    """When solving a spot ends. Raises ValueError."""
    if accuracy is None and iterations is None and seconds is None:
        raise ValueError("solve: say when it stops: accuracy, iterations or seconds")
    return Until(accuracy, iterations, seconds, "percent")


def _solved(
    solver: Solver,
    until: Until,
    started: float,
    stop: Stop,
    more: dict[str, Any],
    before: float = 0.0,
    earlier: Sequence[TracePoint] = (),
) -> Solution:
    """Iterate, and say what was found. more: arguments of `Solution`, and `progress`. before, earlier: seconds and
    trace of an earlier call."""
    progress = more.pop("progress")
    wanted = until.wanted(solver) if until.accuracy is not None else None
    with watched(progress, wanted, None if earlier or before else until.iterations, until.seconds) as watching:
        was_stopped, trace = iterate(solver, until, SPOT, started, watching, stop)
    return Solution(
        solver.game,
        solver.cumulative_strategy,
        sizes=solver.game.tree.sizes,
        iterations=solver.iterations,
        seconds=before + time.perf_counter() - started,
        trace=[*earlier, *(point._replace(seconds=before + point.seconds) for point in trace)],
        locked=solver.locked,
        solver=solver if was_stopped else None,
        threads=solver.threads,
        **more,
    )


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
