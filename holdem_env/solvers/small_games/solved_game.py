"""A solved small game as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game.rules import Rules
from ..trees import BetSizes
from .public_tree import PublicTree


class TracePoint(NamedTuple):
    """What was reached on the way: after this many iterations and seconds, this exploitability in chips per hand."""

    iterations: int
    seconds: float
    exploitability: float


@dataclass(frozen=True)
class SolvedGame:
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
