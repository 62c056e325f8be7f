"""Between the page's chips, which may have a decimal, and the solver's, which are whole: tenths of them then."""

from __future__ import annotations

from holdem_env.solvers.reading import find_place, scale_words
from holdem_env.solvers.solution import Solution


def parts_of(solution: Solution) -> int:
    """How many of the solution's chips are one of the page's."""
    return 1 if solution.spot is None else solution.spot.parts


def shown_chips(solution: Solution, amount: int) -> int | float:
    """An amount of the solution in the page's chips."""
    return amount if parts_of(solution) == 1 else amount / parts_of(solution)


def moves_of(solution: Solution, node: int) -> list[str]:
    """The moves of a decision, in the page's chips."""
    return [scale_words(word, 1 / parts_of(solution)) for word in solution.moves(node)]


def path_of(solution: Solution, node: int) -> str:
    """What a lock of a decision is called: the moves to it, without cards, as it holds on all that may be dealt."""
    return scale_words(", ".join(solution.tree.path(node)), 1 / parts_of(solution))


def node_at(solution: Solution, path: list[str]) -> tuple[int, tuple[int, ...]]:
    """The node and the cards at the end of a path in the page's chips. Raises ValueError for one that is not there."""
    parts = parts_of(solution)
    try:
        return find_place(solution.tree, [scale_words(word, parts) for word in path])
    except ValueError as error:
        raise ValueError(scale_words(str(error), 1 / parts)) from None
