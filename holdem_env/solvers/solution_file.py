"""The file of a solution (.solution): its game as it was asked, what was found, and the regrets of a solver that was
stopped before its end. Trees are made again from the header."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ..cards.combos import COMBOS
from ..game.rules import Rules
from ..utils.array_files import check_range
from ..utils.validation import Validated
from .boards import PLAYERS
from .cfr import discounting_of, spot_discounting
from .files import Arrays, Count, Finite, Header, Text, finite, packed
from .games import check_game, check_hands, check_memory, game_of, spot_tree
from .packing import STEPS, TYPES, Numbers
from .public_game import PublicGame, size_of
from .reading import read_ranges, read_subgame_board
from .solver import Solver
from .trees import BetSizes
from .trees.utility import Icm
from .trees.walking import DECISION

SUFFIX = ".solution"
SUM_TOLERANCE = 1e-3  # of single precision; sums of probabilities of one hand
FOUND = "values", "shares", "ev", "equity"  # what a solution has found, by the attributes of `Solution`
Bits = Literal[16, 32, 64]
ROUNDING = 1e-3  # of what is computed in single precision
NotNegative = Annotated[Finite, Field(ge=-ROUNDING)]  # but for rounding


class Spot(Validated):
    """Where the rest of a hand begins: cards on the board, chips in the middle, what players 0 and 1 have left. parts:
    into how many of the solution's chips the user's chip is cut: 10 where an amount had a decimal."""

    board: tuple[int, ...]
    pot: int
    stacks: int | str | tuple[int, ...]
    parts: Literal[1, 10] = 1


class SolutionHeader(Header):
    """The header of a solution's file: the fields of `Solution` (spot: None for a whole game), and how its strategy is
    stored. bits: of each probability; in 16 bits it is a part of 32,767. entries: how many probabilities there are.
    solver_bits: of each regret to go on with; None if it was solved to its end."""

    kind: Literal["solution"] = "solution"
    format: Literal[4] = 4
    rules: dict[str, Any]
    sizes: Any
    spot: Spot | None
    utility: Icm | None
    algorithm: Text
    iterations: Count
    seconds: NotNegative
    trace: tuple[tuple[Count, NotNegative, NotNegative], ...]
    locked: tuple[Annotated[int, Field(ge=0)], ...]
    isomorphic: bool
    exploitability: NotNegative
    bits: Bits
    entries: Count
    solver_bits: Bits | None


def contents(solution: Any) -> tuple[SolutionHeader, dict[str, NDArray[Any]]]:
    """Return what `files.write` writes of a `Solution`. Raises ValueError for a tree that came from neither rules nor a
    spot, and for chips that are worth a function."""
    tree, solver = solution.tree, solution.solver
    if not isinstance(tree.utility, Icm | None):
        raise ValueError("save: `utility` must be `Icm` or None, got a function, which a file cannot hold")
    if not solution.is_whole and solution.spot is None:
        raise ValueError("save: only solutions of `solve` and `solve_subgame` can be saved, got one of another tree")
    numbers = solution.numbers.values
    if not solution.is_whole:
        numbers = np.rint(solution.game.strategy(numbers) * STEPS).astype(np.int16)
    header = SolutionHeader(
        rules=(solution.rules if solution.is_whole else tree.rules).model_dump(mode="json"),
        sizes=None if solution.sizes is None else solution.sizes.config(),
        isomorphic=solution.game.isomorphic,
        bits=8 * numbers.itemsize,
        entries=numbers.size,
        solver_bits=None if solver is None else solver.bits,
        utility=tree.utility,
        trace=tuple(solution.trace),
        locked=tuple(solution.locked),
        **{name: getattr(solution, name) for name in ("spot", "algorithm", "iterations", "seconds", "exploitability")},
    )
    arrays = {"probabilities": packed(numbers), **{name: getattr(solution, name) for name in FOUND}}
    if not solution.is_whole:
        arrays["ranges"] = solution.ranges
    return header, arrays if solver is None else arrays | solver.state()


def game_in(header: SolutionHeader, arrays: Arrays, most_memory: int) -> PublicGame:
    """Return the game of a file, made again. Raises ValueError for one that cannot be, or is too large."""
    rules = Rules(**header.rules)
    kept = 1  # arrays of numbers: the strategy, and those of a solver
    if header.solver_bits is not None:
        kept += 3 if discounting_of(header.algorithm).predictive else 2
    if header.spot is None:
        check_game(rules)
        sizes = None if header.sizes is None else BetSizes.parse(header.sizes)
        how: dict[str, Any] = {"isomorphic": header.isomorphic, "bits": header.bits, "utility": header.utility}
        game = game_of(rules, sizes, most_memory, kept=kept, **how)
    else:
        check_hands(rules)
        board, spot = read_subgame_board(header.spot.board), header.spot
        tree = spot_tree(board, spot.pot, spot.stacks, BetSizes.parse(header.sizes), rules, header.utility)
        ranges = read_ranges(arrays.read("ranges", np.float64, (PLAYERS, COMBOS)), board)
        size = size_of(tree, rules, board, ranges, header.isomorphic)
        check_memory(replace(size, kept=kept, bits=header.solver_bits or header.bits), most_memory)
        game = PublicGame(tree, rules, board, ranges, header.isomorphic)
    if header.entries != game.entries:
        raise ValueError(f"it has {header.entries:,} probabilities, and the tree of its game {game.entries:,}")
    if not all(node < len(game.tree) and game.tree.kind[node] == DECISION for node in header.locked):
        raise ValueError("it locks nodes at which nobody acts")
    game.arrays.is_locked[list(header.locked)] = True
    return game


def numbers_in(header: SolutionHeader, arrays: Arrays, game: PublicGame) -> Numbers:
    """Return the strategies of a file. Raises ValueError for numbers that are no probabilities."""
    values = arrays.unpack("probabilities", TYPES[header.bits], header.entries)
    blocks, whole = (int(game.arrays.first_block[-1]), float(STEPS)) if header.bits == 16 else (0, 1.0)
    for node in game.decisions.tolist():
        rows = game.rows(values, node)
        if not ((rows >= 0).all() and (np.abs(rows.sum(axis=1) - whole) <= SUM_TOLERANCE * whole).all()):
            raise ValueError("its strategy is not made of probabilities")
    return Numbers(values, np.full(blocks, 1 / STEPS, np.float32))


def found_in(arrays: Arrays, game: PublicGame) -> dict[str, NDArray[np.float64]]:
    """Return what a file's solution has found. Raises ValueError for more than there is to win, and for shares beyond
    the pot."""
    shape, tree, found = (PLAYERS, len(game.hands)), game.tree, dict[str, NDArray[np.float64]]()
    most = (1 + ROUNDING) * float(np.abs(tree.payoff).max() + tree.pot.max())
    for name in FOUND:
        is_by_hand, is_share = name in ("ev", "equity"), name in ("shares", "equity")
        found[name] = arrays.read(name, np.float64, shape if is_by_hand else shape[:1])
        numbers = found[name][~np.isnan(found[name])] if is_by_hand else found[name]  # NaN: hands that are not there
        check_range(name, numbers, *((-ROUNDING, 1 + ROUNDING) if is_share else (-most, most)))
    return found


def solver_in(header: SolutionHeader, arrays: Arrays, game: PublicGame) -> Solver | None:
    """Return the solver of a file, ready to continue; None if it has none. Raises ValueError if a number is not
    finite."""
    if header.solver_bits is None:
        return None
    discounting = (discounting_of if header.spot is None else spot_discounting)(header.algorithm)
    solver = Solver(game, header.solver_bits, discounting=discounting)
    for name, there in solver.state().items():
        there[:] = arrays.read(name, there.dtype, there.shape)
        if there.dtype.kind == "f":
            finite(name, there)
    solver.iterations = header.iterations
    return solver
