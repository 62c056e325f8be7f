"""`solve_subgame` and `solve_tree`: a spot, or a betting tree on a board, solved until it is good enough; and
`exploitability`, of any strategies for the rest of a hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..equities.questions import CardsLike
from ..game.rules_input import RulesLike, as_rules
from ..table.hand_setup import Stacks
from .bar import Progress
from .cfr import spot_discounting
from .gadget import Guard, GuardedSolver
from .games import MAX_MEMORY, check_hands, check_memory, spot_tree
from .games import subgame_size as subgame_size
from .public_game import PublicGame, size_of
from .reading import Locked, Ranges, read_locked, read_ranges, read_subgame_board
from .solution import Solution
from .solution_file import Spot
from .solver import Solver
from .solving import SPOT, Accuracy, Stop, Until, checked_threads, solved, stopped
from .trees import BetSizes, BettingTree
from .trees.bet_sizes import BetSizesLike
from .trees.utility import Utility
from .trees.walking import DECISION

Bits: TypeAlias = Literal[16, 32]
FLOP, RIVER = 3, 3  # cards; the number of the street
Plays: TypeAlias = Callable[[int], NDArray[np.float64]]
"""Given a node, what the player to act does there with each hand: (1326, children) probabilities."""


def solve_subgame(
    board: CardsLike | None = None,
    ranges: Ranges | None = None,
    pot: int | None = None,
    stacks: Stacks | None = None,
    sizes: BetSizesLike = None,
    rules: RulesLike | None = None,
    accuracy: Accuracy = "usual",
    iterations: int | None = None,
    seconds: float | None = None,
    *,
    utility: Utility | None = None,
    resume: Solution | Path | str | None = None,
    **how: Any,
) -> Solution:
    """Solve the rest of a hand from the beginning of a river, a turn or a flop.

    >>> solution = solve_subgame("Ks7h2d3c9s", ["77, K9s, AQo", "KQ, A9s, 88"], pot=100, stacks=200, sizes="75%, a")
    >>> solution.exploitability_percent < 0.5
    True

    Args:
        board: Its cards, such as "Ks7h2d3c".
        ranges: Of player 0, who has the button and acts last, and of player 1: each a text ("77+, AQs+"), a Range or
            (1326,) weights in the order of `cards.combos`.
        pot: The chips in the middle.
        stacks: What players 0 and 1 have left, or one amount for both.
        sizes: Bets and raises as `BetSizes` takes them; "a" is all-in, and so are sizes above the stack.
        rules: The structure, the smallest bet, the rake; by default no limit without rake.
        accuracy, iterations, seconds: When it stops, as in `solve_tree`.
        utility: What chips are worth, as in `BettingTree.from_rules`; values are then in its unit.
        resume: A solution that `stop` or `seconds` has ended, or its file, to continue. The spot and how it is solved
            are its own. Only the limits, `threads`, `progress` and `stop` count here; `iterations` are further ones.
        **how: Keywords of `solve_tree`: locked, progress, most_memory, threads, bits, stop, algorithm.

    Raises:
        ValueError: If a board, ranges, pot, stacks, sizes or rules are invalid, or for more than two seats. Before it
            starts, if the subgame needs more than `most_memory` bytes; the message says how large it is. If the
            solution to resume came to its end, or is of another spot.
    """
    if resume is not None:
        asked: dict[str, Any] = {"board": board, "ranges": ranges, "pot": pot, "stacks": stacks}
        asked |= {"sizes": sizes, "rules": rules, "utility": utility}
        return _resumed(resume, asked, _until(accuracy, iterations, seconds), **how)
    if board is None or ranges is None or pot is None or stacks is None:
        raise TypeError("solve_subgame: give `board`, `ranges`, `pot` and `stacks`, or `resume`")
    tree = spot_tree(board, pot, stacks, sizes, rules, utility)
    left = stacks if isinstance(stacks, str) else np.asarray(stacks).tolist()
    spot = Spot(board=tuple(read_subgame_board(board)), pot=int(pot), stacks=left)
    how |= {"accuracy": accuracy, "iterations": iterations, "seconds": seconds}
    return solve_tree(tree, board, ranges, spot=spot, **how)


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
    most_memory: int = MAX_MEMORY,
    threads: int | None = None,
    bits: Bits | None = None,
    stop: Stop = None,
    algorithm: str = "dcfr",
    spot: Spot | None = None,
) -> Solution:
    """Solve a betting tree whose root is on the flop, the turn or the river.

    Args:
        tree: The betting, of `BettingTree.from_spot` or `from_record`.
        board: The cards at the root.
        ranges: Of players 0 (the button) and 1, each a text, a Range or (1326,) weights.
        accuracy: The exploitability, in percent of the pot, at which it stops; None does not compute it.
        iterations: How many at most.
        seconds: How long at most.
        locked: Strategies that are held fixed, by node or by path ("check, bet 50"): an array (1326, children), or
            (children,) for all hands. Isomorphic cards are then not taken together.
        guard: Solve for one player, whose opponent may come with other hands than those of its range (`gadget`); what
            the solution then says of the opponent, and its exploitability, is no measure of anything. On rivers.
        progress: Called about every second with the iterations run and the latest exploitability in percent of the pot;
            True shows a bar on stderr.
        most_memory: Bytes that it may take.
        threads: Share out turns and flops among these; by default all cores. The solution does not depend on it.
        bits: Of regrets and strategies, 32 or 16; by default 16 where 32 take more than most_memory.
        stop: Asked about every second whether to end with what there is.
        algorithm: As in `solve`; DCFR forgets its beginning sooner here.
        spot: What the solution says of itself in a file.

    Raises:
        ValueError: For a board, ranges or locked strategies that cannot be, for rules with other hands than Texas
            hold'em's, and, before it takes any memory, for a tree that needs more than `most_memory`.
        TypeError: For ranges and locked strategies of other types.
    """
    started, until = time.perf_counter(), _until(accuracy, iterations, seconds)
    check_hands(tree.rules)
    cards = read_subgame_board(board, int(tree.street[0]))
    weights, held = read_ranges(ranges, cards), read_locked(locked, tree)
    discounting = spot_discounting(algorithm)
    if guard and algorithm != "dcfr":
        raise ValueError(f"`algorithm` must be 'dcfr' with a guard, got {algorithm!r}")
    alike = not held and guard is None
    size = replace(size_of(tree, tree.rules, cards, weights, alike), kept=3 if discounting.predictive else 2)
    size = size.fitting(most_memory, bits or (32 if guard or discounting.predictive else None))
    check_memory(size, most_memory)
    cores = checked_threads(threads)
    if guard:
        solver: Solver = GuardedSolver(tree, cards, weights, guard)
    else:
        solver = Solver(PublicGame(tree, tree.rules, cards, weights, alike), size.bits, cores, discounting)
    solver.lock(held)
    about: dict[str, Any] = {"sizes": tree.sizes, "spot": spot, "algorithm": algorithm}
    return solved(solver, until, SPOT, started, progress, stop, **about)


def _until(accuracy: Accuracy, iterations: int | None, seconds: float | None) -> Until:
    if accuracy is None and iterations is None and seconds is None:
        raise ValueError("solve: say when it stops: accuracy, iterations or seconds")
    return Until(accuracy, iterations, seconds, "percent")


def _differences(solution: Solution, spot: Spot, asked: Mapping[str, Any]) -> list[str]:
    """Return the names of those arguments of `solve_subgame` that are given and not the solution's."""
    tree = solution.tree
    same: dict[str, Callable[[Any], bool]] = {
        "board": lambda given: _placed(read_subgame_board(given)) == _placed(solution.board),
        "ranges": lambda given: np.array_equal(read_ranges(given, solution.board), solution.ranges),
        "pot": lambda given: int(given) == spot.pot,
        "stacks": lambda given: np.broadcast_to(given, 2).tolist() == np.broadcast_to(spot.stacks, 2).tolist(),
        "sizes": lambda given: BetSizes.parse(given) == tree.sizes,
        "rules": lambda given: not tree.rules.differences(as_rules(given)),
        "utility": lambda given: given == tree.utility,
    }
    return [name for name, given in asked.items() if given is not None and not same[name](given)]


def _placed(board: Sequence[int]) -> tuple[int, ...]:
    return (*sorted(board[:FLOP]), *board[FLOP:])


def _resumed(
    resume: Solution | Path | str,
    asked: Mapping[str, Any],
    until: Until,
    progress: Progress | bool | None = None,
    threads: int | None = None,
    stop: Stop = None,
    most_memory: int = MAX_MEMORY,
) -> Solution:
    """Go on with a solution, after a look at whether it is of what the caller says."""
    started = time.perf_counter()
    earlier, solver = stopped(resume, most_memory, checked_threads(threads))
    spot = earlier.spot
    if spot is None:
        raise ValueError("`resume` must be the rest of a hand, got a whole game: use `solve`")
    if names := _differences(earlier, spot, asked):
        raise ValueError(f"`resume` must be of the same spot, got another {', '.join(names)}")
    about: dict[str, Any] = {"sizes": earlier.sizes, "spot": spot, "algorithm": earlier.algorithm}
    return solved(solver, until, SPOT, started, progress, stop, earlier, **about)


def exploitability(tree: BettingTree, board: CardsLike, ranges: Ranges, plays: Plays) -> float:
    """Return what a best response inside the tree gains over strategies on a river, in chips: the mean of both players.

    All hands and their cards count, so that it is exact.

    Args:
        tree: Its root is on the river.
        board: Five cards.
        ranges: Of players 0 (the button) and 1, as `solve_tree` takes them.
        plays: Asked once for each decision; rows of hands that are on the board count for nothing.

    Raises:
        ValueError: For a tree of another street, and for boards, ranges and strategies that cannot be.
        TypeError: For ranges of another type.
    """
    check_hands(tree.rules)
    if tree.street[0] != RIVER:
        raise ValueError(f"exploitability: the tree begins on street {tree.street[0]}; give one of a river, street 3")
    cards = read_subgame_board(board, RIVER)
    held = read_locked({int(node): plays(int(node)) for node in np.flatnonzero(tree.kind == DECISION)}, tree)
    solver = Solver(PublicGame(tree, tree.rules, cards, read_ranges(ranges, cards), isomorphic=False))
    for node, strategy in held.items():
        solver.set_strategy(node, strategy)
    return solver.exploitability()
