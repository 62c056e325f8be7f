"""`Strategy`: a strategy for a whole game, as buckets of hands play it at each decision of a betting tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...game.rules import Rules
from ..card_tables.abstraction import CardAbstraction
from ..trees.bet_sizes import BetSizes
from ..trees.betting_tree import BettingTree

MAX_LEVEL = 15
"""The level of a row's likeliest child; a probability is a level divided by the sum of its row."""


@dataclass(frozen=True)
class Strategy:
    """A strategy for a whole game, quantised.

    rules: the game. sizes, tree: the bet sizes, and the betting tree that they give. cards_config: the fields of the
    card abstraction `cards`. buckets: how many buckets each street has.
    offset: (decisions,) int64, where each decision's levels begin. probability: uint8, the levels: of decision d,
    bucket b and child k at `offset[d] + b * children + k`, 0..15. A row's levels divided by their sum are its
    probabilities; no row is all 0.
    training: facts about how it was made: the command, minutes, deals and so on.
    """

    rules: Rules
    sizes: BetSizes
    tree: BettingTree = field(repr=False)
    cards_config: Mapping[str, Any]
    buckets: tuple[int, ...]
    offset: NDArray[np.int64] = field(repr=False)
    probability: NDArray[np.uint8] = field(repr=False)
    training: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def cards(self) -> CardAbstraction:
        """The card abstraction, which says which bucket a hand is in."""
        return CardAbstraction(**self.cards_config)

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """(decisions,): the tree's node of each decision."""
        nodes = np.flatnonzero(self.tree.decision >= 0)
        return nodes[np.argsort(self.tree.decision[nodes], kind="stable")]

    def levels(self, decision: int) -> NDArray[np.uint8]:
        """(buckets, children): the levels at a decision. A view; do not change it."""
        node = self.nodes[decision]
        rows, children = self.buckets[self.tree.street[node]], int(self.tree.children[node])
        start = self.offset[decision]
        return self.probability[start : start + rows * children].reshape(rows, children)

    def probabilities(self, decision: int, bucket: int | None = None) -> NDArray[np.float64]:
        """The probabilities of a decision's children for one bucket, (children,), or for all, (buckets, children)."""
        levels = self.levels(decision).astype(np.float64)
        shares: NDArray[np.float64] = levels / levels.sum(axis=1, keepdims=True)
        return shares if bucket is None else shares[bucket]


def quantised(average: NDArray[np.floating[Any]], tree: BettingTree, offset: NDArray[np.int64]) -> NDArray[np.uint8]:
    """An average strategy's sums, laid out as `Strategy.probability`, as levels: the likeliest child of a row gets
    MAX_LEVEL, the others their part of it, rounded. A row that was never visited gets equal levels."""
    row = _row_starts(average.size, tree, offset)
    counts = np.diff(np.append(row, average.size))
    best = np.repeat(np.maximum.reduceat(average, row), counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        levels = np.where(best > 0, average / best * np.float32(MAX_LEVEL), 1)
    return np.rint(levels).astype(np.uint8)


def _row_starts(entries: int, tree: BettingTree, offset: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each row, of a decision and a bucket, begins."""
    nodes = np.flatnonzero(tree.decision >= 0)
    children = np.empty(nodes.size, np.int64)
    children[tree.decision[nodes]] = tree.children[nodes]
    rows = np.diff(np.append(offset, entries)) // children
    first = np.repeat(offset, rows)
    within = np.arange(rows.sum()) - np.repeat(np.cumsum(rows) - rows, rows)
    starts: NDArray[np.int64] = first + within * np.repeat(children, rows)
    return starts
