"""`Solution`: a solved small game, with the figure that says how well, as an agent, a table and a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game.rules import Rules
from ..trees import BetSizes
from .public_tree import PublicTree
from .words import table_of

if TYPE_CHECKING:
    from .solution_agent import SolutionAgent


class TracePoint(NamedTuple):
    """What was reached on the way: after so many iterations and seconds, this exploitability in chips per hand."""

    iterations: int
    seconds: float
    exploitability: float


@dataclass(frozen=True)
class Solution:
    """A strategy for both seats of a small game, near an equilibrium.

    rules: the game. sizes: the bet sizes, None for every legal raise. algorithm, iterations, seconds: how it was found.
    exploitability: the mean of what both seats would gain by a best response, in chips per hand (NashConv / 2); exact,
    among the bet sizes of the solution. values: what player 0, on the button, and player 1 win per hand, in chips, when
    both play it. trace: the exploitability on the way.
    tree: the public tree; strategy: (tree.entries,) probabilities, as `PublicTree` lays them out.
    """

    rules: Rules
    sizes: BetSizes | None
    algorithm: str
    iterations: int
    exploitability: float
    values: tuple[float, float]
    seconds: float
    trace: tuple[TracePoint, ...] = field(repr=False)
    tree: PublicTree = field(repr=False)
    strategy: NDArray[np.floating[Any]] = field(repr=False)

    def agent(self, seed: int = 0) -> SolutionAgent:
        """The solution as an agent, which plays it in either seat and gives its probabilities. seed: with the same one
        it plays the same in the same hand."""
        from .solution_agent import SolutionAgent

        return SolutionAgent(self, seed)

    def table(self) -> str:
        """The strategy in words: a line for each decision and hand. Raises ValueError for games of more than 2,000 such
        lines."""
        return table_of(self.tree, self.strategy)

    def save(self, path: str | Path) -> None:
        """Write the solution to a .solved file, which holds data alone; `load_solution` reads it, and
        `make_agent(path)` makes an agent of it. Raises ValueError for another suffix, OSError."""
        from .solution_file import save_solution

        save_solution(Path(path), self)

    def __str__(self) -> str:
        on, off = self.values
        return (
            f"{self.algorithm}, {self.iterations:,} iterations, {self.seconds:.2f} s: exploitability "
            f"{self.exploitability:.3g} chips per hand; on the button {on:+.4f}, off it {off:+.4f}"
        )
