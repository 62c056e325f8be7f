"""`solve_street`: the betting of one street solved by CFR, its ends valued by a network (Moravčík et al. 2017).

Both players' regrets are updated in every iteration, as the network values the hands of both at once. CFR+ (Tammelin
2014) with quadratic averaging converges best so: `python -m benchmarks.street_search`.
"""

from __future__ import annotations

import time
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from ...cards.combos import COMBOS
from ..cfr import Discounting, normalize
from ..trees.betting_tree import BettingTree
from ..trees.walking import DECISION, FOLDED, SHOWDOWN
from .inputs import PLAYERS, TINY, Buckets, seen_of
from .network import ValueNetwork
from .pairs import Pairs, pairs_of

Floats = NDArray[np.float32]
FIRST_WINS, SECOND_WINS = 0, 1
CFR_PLUS = Discounting(inf, -inf, 2.0)


class StreetSearch(NamedTuple):
    """How a street is played. strategies: by node, (1326, children) float32, zeros for hands with a card of the board.
    values: (2, 1326) float64, the chips that each hand takes out of the pot from the root on, less what it puts in;
    NaN where there is none. iterations: that were run."""

    strategies: dict[int, Floats]
    values: NDArray[np.float64]
    iterations: int


def solve_street(
    tree: BettingTree,
    board: tuple[int, ...],
    ranges: NDArray[np.float64],
    network: ValueNetwork,
    iterations: int,
    seconds: float | None = None,
) -> StreetSearch:
    """Solve the first street of a betting tree.

    board: the three or four cards at its root. ranges: (2, 1326), by player. network: of the next street's card.
    iterations, seconds: limits, at least one iteration. It uses one core, and the same numbers on any machine with the
    same BLAS: sums of several threads would differ.
    """
    deadline = None if seconds is None else time.perf_counter() + seconds
    with _threads().limit(limits=1, user_api="blas"):
        solver = _Solver(tree, board, ranges, network, pairs_of(board))
        kept = CFR_PLUS.factors(1, iterations)[:, 2].astype(np.float32)
        done = 0
        while done < iterations and (done == 0 or deadline is None or time.perf_counter() < deadline):
            solver.iterate(kept[done])
            done += 1
        return solver.result(done)


@lru_cache(maxsize=1)
def _threads() -> ThreadpoolController:
    """Of NumPy's BLAS."""
    return ThreadpoolController()


class _Solver:
    """A street while it is solved. Hands are those of `pairs`."""

    def __init__(
        self, tree: BettingTree, board: Any, ranges: NDArray[np.float64], network: ValueNetwork, pairs: Pairs
    ) -> None:
        self.tree, self.network, self.pairs = tree, network, pairs
        self.buckets = Buckets.on(network.cards, board, pairs)
        weights = ranges[:, pairs.combos]
        self.weights = (weights / np.maximum(weights.sum(axis=1, keepdims=True), TINY)).astype(np.float32)
        self.nodes = _nodes_of_street(tree)
        ends = [node for node in self.nodes if not _is_own(tree, node)]
        self.folds = [node for node in ends if tree.kind[node] == FOLDED]
        self.showdowns = [node for node in ends if tree.kind[node] == SHOWDOWN]
        self.leaves = [node for node in ends if tree.kind[node] == DECISION]
        self.decisions = [node for node in self.nodes if _is_own(tree, node)]
        shape = len(pairs.combos)
        self.regrets = {node: np.zeros((int(tree.children[node]), shape), np.float32) for node in self.decisions}
        self.cumulative = {node: np.zeros_like(rows) for node, rows in self.regrets.items()}
        self.depth = _depths(tree, self.leaves)

    def iterate(self, kept: np.float32) -> None:
        """Run an iteration. kept: of the cumulative strategies before it."""
        strategies = {node: normalize(rows, axis=0) for node, rows in self.regrets.items()}
        reach = self._reach(strategies)
        for node, strategy in strategies.items():
            self.cumulative[node] *= kept
            self.cumulative[node] += strategy * reach[node][int(self.tree.player[node])]
        values = self._values(strategies, reach)
        for node, rows in self.regrets.items():
            player = int(self.tree.player[node])
            first = int(self.tree.first_child[node])
            of_actions = np.stack([values[child][player] for child in range(first, first + len(rows))])
            rows += of_actions - values[node][player]
            np.maximum(rows, 0.0, out=rows)

    def _reach(self, strategies: dict[int, Floats]) -> dict[int, Floats]:
        """(2, N) at each node: both players' reach probabilities."""
        reach = {0: self.weights}
        for node in self.nodes[1:]:
            parent = int(self.tree.parent[node])
            here = reach[parent].copy()
            here[int(self.tree.player[parent])] *= strategies[parent][node - int(self.tree.first_child[parent])]
            reach[node] = here
        return reach

    def _values(self, strategies: dict[int, Floats], reach: dict[int, Floats]) -> dict[int, Floats]:
        """(2, N) at each node: both players' counterfactual values in chips."""
        values = self._end_values(reach)
        for node in reversed(self.decisions):
            first, player, strategy = int(self.tree.first_child[node]), int(self.tree.player[node]), strategies[node]
            children = np.stack([values[first + k] for k in range(len(strategy))])
            found = children.sum(axis=0)  # of the other player, whose reach has the probabilities
            found[player] = (strategy * children[:, player]).sum(axis=0)
            values[node] = found
        return values

    def _end_values(self, reach: dict[int, Floats]) -> dict[int, Floats]:
        """(2, N) at each end of the street."""
        ends = [*self.folds, *self.showdowns, *self.leaves]
        others = np.stack([reach[node][::-1] for node in ends])
        met = self.pairs.met(others)
        payoff = np.asarray(self.tree.payoff[ends], np.float32)  # (E, 3, 2)
        lost = np.stack((payoff[:, SECOND_WINS, 0], payoff[:, FIRST_WINS, 1]), axis=1)
        won = np.stack((payoff[:, FIRST_WINS, 0], payoff[:, SECOND_WINS, 1]), axis=1)
        start = len(self.folds)
        leaf = start + len(self.showdowns)
        put_in = np.asarray(self.tree.put_in[self.leaves], np.float32)
        pot = np.asarray(self.tree.pot[self.leaves], np.float32)
        lost[leaf:], won[leaf:] = -put_in, pot[:, None] - put_in
        values = met * lost[:, :, None]
        if start < len(ends):
            shares = self.pairs.won(others[start:])
            if self.leaves:
                own = np.stack([reach[node] for node in self.leaves])
                there = met[leaf:]
                equity = np.asarray(shares[leaf - start :] / np.maximum(there, TINY), np.float32)
                seen = seen_of(own, there, equity, self.buckets, self.depth)
                shares[leaf - start :] += self.network(seen)[:, :, self.buckets.number] * there
            values[start:] += shares * (won - lost)[start:, :, None]
        return dict(zip(ends, values))

    def result(self, iterations: int) -> StreetSearch:
        """The average strategies and what they win."""
        average = {node: normalize(rows, axis=0) for node, rows in self.cumulative.items()}
        root = self._values(average, self._reach(average))[0]
        met = self.pairs.met(self.weights[::-1])
        values = np.full((PLAYERS, COMBOS), np.nan)
        per_hand = np.divide(root, met, out=np.full_like(root, np.nan), where=met > 0)
        values[:, self.pairs.combos] = per_hand + np.asarray(self.tree.put_in[0], np.float32)[:, None]
        strategies = {}
        for node, rows in average.items():
            whole = np.zeros((COMBOS, len(rows)), np.float32)
            whole[self.pairs.combos] = rows.T
            strategies[node] = whole
        return StreetSearch(strategies, values, iterations)


def _is_own(tree: BettingTree, node: int) -> bool:
    """Whether somebody decides there on the tree's first street."""
    return bool(tree.kind[node] == DECISION and tree.street[node] == tree.street[0])


def _nodes_of_street(tree: BettingTree) -> list[int]:
    """The nodes of the first street and its ends, parents first."""
    nodes = [0]
    for node in nodes:
        if _is_own(tree, node):
            first = int(tree.first_child[node])
            nodes.extend(range(first, first + int(tree.children[node])))
    return nodes


def _depths(tree: BettingTree, leaves: list[int]) -> Floats:
    """(L,): what both can still bet at nodes, in pots."""
    return np.array([left_to_bet(tree, node) / tree.pot[node] for node in leaves], np.float32)


def left_to_bet(tree: BettingTree, node: int) -> int:
    """The chips that both players can still bet at a node: those of the largest bet below it that is called."""
    below, most = [node], 0
    for each in below:
        if tree.kind[each] == DECISION:
            first = int(tree.first_child[each])
            below.extend(range(first, first + int(tree.children[each])))
        elif tree.kind[each] == SHOWDOWN:
            most = max(most, int((tree.put_in[each] - tree.put_in[node]).min()))
    return most
