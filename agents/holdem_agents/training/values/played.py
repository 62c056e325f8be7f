"""Rivers, or the beginnings of other streets, that a strategy comes to in its own play, with both players' ranges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.sampling import sampled_columns
from holdem_env.cards.combos import combo_number, possible_combos
from holdem_env.cards.text import CARDS
from holdem_env.solvers.blueprints.strategy import Strategy
from holdem_env.solvers.card_tables.abstraction import SIZES as BOARD_SIZES
from holdem_env.solvers.card_tables.abstraction import CardAbstraction
from holdem_env.solvers.trees.walking import DECISION

RIVER = 3
PLAYERS = 2
DEALT = 9
"""Cards of a deal: two of each player, and the board."""
MAX_HANDS_A_RIVER = 2_000
"""A strategy that comes to a river with a decision less often is refused."""


class River(NamedTuple):
    """A river that the strategy came to. node: of its tree. ranges: (2, 1326), by player, that sum to 1 each. hands:
    how many were played to come there."""

    node: int
    board: tuple[int, ...]
    ranges: NDArray[np.float64]
    hands: int


def sampled_rivers(strategy: Strategy, seed: int = 0, street: int = RIVER) -> Iterator[River]:
    """Rivers with a decision that the strategy comes to when it plays itself, without end; or where another street
    begins, with the whole board. Raises ValueError for a
    strategy of another game than Texas hold'em, or that hardly ever comes there."""
    CardAbstraction.check_rules(strategy.rules)
    random = np.random.default_rng(seed)
    hands = 0
    while True:
        hands += 1
        deal = random.permutation(CARDS)[:DEALT].tolist()
        deal[4:7] = sorted(deal[4:7])
        node = _played(strategy, deal, random, street)
        if node is not None:
            board = tuple(deal[4:])
            yield River(node, board, ranges_at(strategy, node, board), hands)
            hands = 0
        elif hands > MAX_HANDS_A_RIVER:
            raise ValueError(f"river: the strategy came to no river with a decision in {hands - 1:,} hands")


def ranges_at(strategy: Strategy, node: int, board: tuple[int, ...]) -> NDArray[np.float64]:
    """(2, 1326): how likely each hand of both players is at a node, by Bayes' rule; each sums to 1."""
    tree = strategy.tree
    ranges = np.tile(possible_combos(np.array(board, np.int64)).astype(np.float64), (PLAYERS, 1))
    while node:
        parent = int(tree.parent[node])
        rows = rows_at(strategy, parent, board)
        ranges[tree.player[parent]] *= rows[:, node - int(tree.first_child[parent])]
        node = parent
    normal: NDArray[np.float64] = ranges / ranges.sum(axis=1, keepdims=True)
    return normal


def rows_at(strategy: Strategy, node: int, board: tuple[int, ...]) -> NDArray[np.float64]:
    """(1326, children): what the strategy does at a node with each hand, by the cards that lie there. Hands
    that cannot be have even rows."""
    tree = strategy.tree
    street = int(tree.street[node])
    buckets = strategy.cards.buckets(street, board[: BOARD_SIZES[street]])
    by_bucket = strategy.probabilities(int(tree.decision[node]))
    rows: NDArray[np.float64] = np.where((buckets >= 0)[:, None], by_bucket[buckets], 1 / by_bucket.shape[1])
    return rows


def _played(strategy: Strategy, deal: list[int], random: np.random.Generator, last: int) -> int | None:
    """The node at which a hand came to a street with somebody to act, if it did."""
    tree, board = strategy.tree, deal[PLAYERS * 2 :]
    hands = [combo_number(*deal[2 * player : 2 * player + 2]) for player in range(PLAYERS)]
    node = 0
    while tree.kind[node] == DECISION:
        street = int(tree.street[node])
        if street == last:
            return node
        buckets = strategy.cards.buckets(street, board[: BOARD_SIZES[street]])
        probabilities = strategy.probabilities(int(tree.decision[node]), int(buckets[hands[tree.player[node]]]))
        node = int(tree.first_child[node]) + int(sampled_columns(probabilities[None], random)[0])
    return None
