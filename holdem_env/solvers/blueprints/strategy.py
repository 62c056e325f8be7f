"""`Strategy`: a strategy for a whole game, as buckets of hands play it at each decision of a tree, and its arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import inline
from ...game.rules import Rules
from ...game.title import game_title
from ..card_tables.abstraction import CardAbstraction
from ..trees.bet_sizes import BetSizes
from ..trees.betting_tree import BettingTree
from ..trees.walking import DECISION, SHOWDOWN
from .translation import TreeSizes, tree_sizes


def decision_rows(tree: BettingTree, buckets: Sequence[int]) -> NDArray[np.int64]:
    """(3, decisions): where a decision's entries begin, how many children it has and how many buckets. The entry of
    bucket b and child k is `first + b * children + k`."""
    nodes = np.flatnonzero(tree.decision >= 0)
    children, here = tree.children[nodes].astype(np.int64), np.array(buckets, np.int64)[tree.street[nodes]]
    return np.stack([np.cumsum(children * here) - children * here, children, here])


def entries_of(tree: BettingTree, buckets: Sequence[int]) -> int:
    """How many entries there are in all."""
    _, children, here = decision_rows(tree, buckets)
    return int(children @ here)


MAX_LEVEL = 15  # the level of a row's likeliest child; a probability is a level divided by the sum of its row


@dataclass(frozen=True, repr=False)
class Strategy:
    """A strategy for a whole game, quantised.

    Attributes:
        rules: The game.
        sizes, tree: The bet sizes, and the betting tree that they give.
        cards_config: The fields of the card abstraction `cards`.
        buckets: Number of buckets on each street.
        probability: uint8 levels 0..15: of decision d, bucket b and child k at `offset[d] + b * children + k`. A row's
            levels divided by their sum are its probabilities; no row is all 0.
        training: Facts about how it was made: the command, minutes, deals and so on.
    """

    rules: Rules
    sizes: BetSizes
    tree: BettingTree
    cards_config: Mapping[str, Any]
    buckets: tuple[int, ...]
    probability: NDArray[np.uint8]
    training: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Strategy for {game_title(self.rules)}: {self.tree.decisions:,} decisions, buckets {self.buckets}>"

    @cached_property
    def cards(self) -> CardAbstraction:
        """The card abstraction, which says which bucket a hand is in."""
        return CardAbstraction(**self.cards_config)

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """(decisions,) the tree's node of each decision."""
        return np.flatnonzero(self.tree.decision >= 0)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """(3, decisions): `decision_rows` of the tree."""
        return decision_rows(self.tree, self.buckets)

    @property
    def offset(self) -> NDArray[np.int64]:
        """(decisions,) where each decision's levels begin."""
        return np.asarray(self.rows[0])

    def levels(self, decision: int) -> NDArray[np.uint8]:
        """(buckets, children): the levels at a decision. A view; do not change it."""
        first, children, buckets = self.rows[:, decision].tolist()
        return self.probability[first : first + buckets * children].reshape(buckets, children)

    def probabilities(self, decision: int, bucket: int | None = None) -> NDArray[np.float64]:
        """The probabilities of a decision's children for one bucket, (children,), or for all, (buckets, children)."""
        levels = self.levels(decision).astype(np.float64)
        shares: NDArray[np.float64] = levels / levels.sum(axis=1, keepdims=True)
        return shares if bucket is None else shares[bucket]


def quantised(average: NDArray[np.floating[Any]], rows: NDArray[np.int64]) -> NDArray[np.uint8]:
    """An average strategy's sums, laid out as `Strategy.probability`, as levels: the likeliest child of a row gets
    MAX_LEVEL, the others their part of it, rounded. A row that was never visited gets equal levels. rows:
    `decision_rows`."""
    counts = np.repeat(rows[1], rows[2])
    best = np.repeat(np.maximum.reduceat(average, np.cumsum(counts) - counts), counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        levels = np.where(best > 0, average / best * np.float32(MAX_LEVEL), 1)
    return np.rint(levels).astype(np.uint8)


class StrategyArrays(NamedTuple):
    """A strategy as kernels read it. N nodes, D decisions, E beginnings of streets."""

    sizes: TreeSizes
    kind: NDArray[np.int8]  # (N,)
    street: NDArray[np.int8]  # (N,)
    player: NDArray[np.int8]  # (N,)
    decision: NDArray[np.int32]  # (N,)
    is_checked_down: NDArray[np.bool_]  # (N,): whether this is a showdown with nobody all-in
    offset: NDArray[np.int64]  # (D,): where the levels of a decision begin
    level: NDArray[np.uint8]  # of bucket b and child k at offset + b * children + k; by their sum, probabilities
    entry_depth: NDArray[np.float64]  # (E,): the shorter stack in pots where a street begins; ascending by street
    entry_node: NDArray[np.int32]  # (E,): where these streets begin
    entry_first: NDArray[np.int64]  # (streets + 1,): where each street's entries begin
    depth: float  # the shorter stack of the tree in big blinds


def strategy_arrays(strategy: Strategy) -> StrategyArrays:
    """A strategy as kernels read it."""
    tree, rules = strategy.tree, strategy.tree.rules
    sizes = tree_sizes(tree)
    checked_down = (tree.kind == SHOWDOWN) & ~sizes.is_all_in
    arrays = (tree.kind, tree.street, tree.player, tree.decision, checked_down, strategy.offset, strategy.probability)
    # Where streets begin, by street and stack-to-pot ratio.
    nodes = np.flatnonzero(tree.street_start & (tree.kind == DECISION))
    depth = (np.array(rules.starting_stacks) - tree.put_in[nodes]).min(axis=1) / tree.pot[nodes]
    order = np.lexsort((depth, tree.street[nodes]))
    first = np.searchsorted(tree.street[nodes][order], np.arange(rules.streets + 1)).astype(np.int64)
    shortest = float(min(rules.starting_stacks)) / rules.blinds[1]
    return StrategyArrays(sizes, *arrays, depth[order], nodes[order].astype(np.int32), first, shortest)


@inline
def probability_of(strategy: StrategyArrays, node: int, child: int, bucket: int) -> Any:
    """The probability of a child for a bucket; for a hand that cannot be (-1), that of any child."""
    children = strategy.sizes.children[node]
    if bucket < 0:
        return 1.0 / children
    first = strategy.offset[strategy.decision[node]] + np.int64(bucket) * children
    total = 0
    for k in range(children):
        total += strategy.level[first + k]
    return strategy.level[first + child - strategy.sizes.first_child[node]] / total
