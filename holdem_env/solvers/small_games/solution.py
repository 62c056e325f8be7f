"""`GameSolution`: a solved small game, with the figure that says how well, as an agent, a table and a file."""

from __future__ import annotations

from pathlib import Path

from .games import MOST_MEMORY
from .solution_agent import SolutionAgent
from .solution_file import read_solution, write_solution
from .solved_game import SolvedGame
from .words import table_of


class GameSolution(SolvedGame):
    """A strategy for both seats of a small game, near an equilibrium.

    rules: the game. sizes: the bet sizes, None for every legal raise. algorithm, iterations, seconds: how it was found.
    exploitability: the mean of what both seats would gain by a best response, in chips per hand (NashConv / 2); exact,
    among the bet sizes of the solution. values: what player 0, on the button, and player 1 win per hand, in chips, when
    both play it. trace: the exploitability on the way.
    tree: the public tree; strategy: (tree.entries,) probabilities, as `PublicTree` lays them out.
    """

    def agent(self, seed: int = 0) -> SolutionAgent:
        """The solution as an agent, which plays it in either seat and gives its probabilities. seed: with the same one
        it plays the same in the same hand."""
        return SolutionAgent(self, seed)

    def table(self) -> str:
        """The strategy in words: a line for each decision and hand. Raises ValueError for games of more than 2,000 such
        lines."""
        return table_of(self.tree, self.strategy)

    def save(self, path: str | Path) -> None:
        """Write the solution to a .solved file, which holds data alone; `load_solution` reads it, and
        `make_agent(path)` makes an agent of it. Raises ValueError for another suffix, OSError."""
        write_solution(Path(path), self)

    def __str__(self) -> str:
        on, off = self.values
        return (
            f"{self.algorithm}, {self.iterations:,} iterations, {self.seconds:.2f} s: exploitability "
            f"{self.exploitability:.3g} chips per hand; on the button {on:+.4f}, off it {off:+.4f}"
        )


def load_solution(path: str | Path, most_memory: int = MOST_MEMORY) -> GameSolution:
    """The solution in a .solved file. most_memory: bytes that its game may need.

    Raises FileNotFoundError, and ValueError, naming the file, for one that is damaged, of another kind or format, or
    does not fit its own rules.
    """
    return GameSolution(**read_solution(Path(path), most_memory))


def load(path: str | Path, seed: int = 0) -> SolutionAgent:
    """The agent that plays the solution in a file, for `make_agent`. Raises as `load_solution` does."""
    return SolutionAgent(load_solution(path), seed, Path(path))
