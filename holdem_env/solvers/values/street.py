"""`solve_street`: the betting of one street solved by CFR, its ends valued by a network (Moravčík et al. 2017).

The walk is everybody's (walk.py): down for both players, the network, up for both. Both players' regrets are updated in
every iteration, as the network values the hands of both at once. CFR+ (Tammelin 2014) with quadratic averaging
converges best so: `python -m benchmarks.street_search`.
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
from ..cfr import VALUE, Discounting, normalize
from ..public_game import PublicGame
from ..solver import FACTORS, NO_BOARDS, Solver
from ..trees.betting_tree import BettingTree
from ..trees.walking import DECISION, SHOWDOWN
from ..walk import DOWN, VALUED, Part, run
from ..workspace import new_workspace
from .network import TINY, Buckets, ValueNetwork, seen_of
from .pairs import pairs_of

Floats = NDArray[np.float32]
ByHand = NDArray[np.float64]  # (2, 1326), by player
FIRST_WINS, SECOND_WINS = 0, 1
CFR_PLUS = Discounting(inf, -inf, 2.0)
NEVER = 1e-30  # the weight of hands that never come, a range's sum being 1: search asks for those, too


class StreetSearch(NamedTuple):
    """How a street is played. strategies: by node, (1326, children) float32, zeros for hands with a card of the board.
    values: (2, 1326) float64, the chips that each hand takes out of the pot from the root on, less what it puts in;
    NaN where there is none. iterations: that were run."""

    strategies: dict[int, Floats]
    values: ByHand
    iterations: int


def solve_street(
    tree: BettingTree,
    board: tuple[int, ...],
    ranges: ByHand,
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
        solver = _StreetSolver(tree, board, ranges, network)
        while solver.iterations < iterations:
            solver.iterate(1)
            if deadline is not None and time.perf_counter() >= deadline:
                break
        return solver.result()


@lru_cache(maxsize=1)
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


class _StreetSolver(Solver):
    """A street while it is solved. Hands are those of `pairs_of`."""

    def __init__(self, tree: BettingTree, board: tuple[int, ...], ranges: ByHand, network: ValueNetwork) -> None:
        self.network, self.pairs = network, pairs_of(board)
        self.buckets = Buckets.on(network.cards, board, self.pairs)
        weights = np.zeros(ranges.shape)
        held = ranges[:, self.pairs.combos]
        weights[:, self.pairs.combos] = held / np.maximum(held.sum(axis=1, keepdims=True), TINY) + NEVER
        game = PublicGame(tree, tree.rules, board, weights, isomorphic=False, one_street=True)
        super().__init__(game, discounting=CFR_PLUS)
        self.workspaces = [self.workspace, new_workspace(self.arrays)]
        segments = self.arrays.segments
        ends = segments.chance_nodes[: segments.first_chance_node[1]]
        payoff = np.asarray(tree.payoff[ends], np.float32)  # (E, 3, 2)
        self.lost = np.stack((payoff[:, SECOND_WINS, 0], payoff[:, FIRST_WINS, 1]), axis=1)
        self.won = np.stack((payoff[:, FIRST_WINS, 0], payoff[:, SECOND_WINS, 1]), axis=1)
        self.first_leaf = int((tree.kind[ends] == SHOWDOWN).sum())  # all-ins are the first
        leaves = ends[self.first_leaf :]
        put_in, pot = np.asarray(tree.put_in[leaves], np.float32), np.asarray(tree.pot[leaves], np.float32)
        self.lost[self.first_leaf :], self.won[self.first_leaf :] = -put_in, pot[:, None] - put_in
        in_pots = [left_to_bet(tree, node) / tree.pot[node] for node in leaves.tolist()]
        self.depth = np.array(in_pots, np.float32)

    def _run(self, mode: int, factors: Any, weights: Any = None) -> NDArray[Any]:
        """See `Solver`: down for both players, the network, up for both."""
        values, rows = np.zeros_like(self.game.weights), self.arrays.segments.chance_reach_row
        for k in range(len(factors)):
            down = Part(DOWN, mode, self.game.weights, 0, NO_BOARDS, np.zeros((0, 0, 0), np.float32))
            for hero, work in enumerate(self.workspaces):
                run(self.arrays, work, self.sums, factors[k : k + 1], down._replace(hero=hero), values)
            reaches = [work.reach[0, rows[1 - hero]] for hero, work in enumerate(self.workspaces)]
            others = np.stack(reaches, axis=1)  # (E, 2, width), of the other player
            found = np.zeros_like(others)
            count = len(self.pairs.combos)
            found[:, :, :count] = self._end_values(np.ascontiguousarray(others[:, :, :count]))
            for hero, work in enumerate(self.workspaces):
                up = down._replace(part=VALUED, hero=hero, found=np.ascontiguousarray(found[None, :, hero]))
                run(self.arrays, work, self.sums, factors[k : k + 1], up, values)
        return values

    def _end_values(self, others: Floats) -> Floats:
        """(E, 2, N): both players' counterfactual values in chips where the street ends. others: (E, 2, N), the other
        player's reach probabilities."""
        first, met = self.first_leaf, self.pairs.met(others)
        values = met * self.lost[:, :, None]
        shares = self.pairs.won(others)
        if first < len(others):
            own, there = others[first:, ::-1], met[first:]
            equity = np.asarray(shares[first:] / np.maximum(there, TINY), np.float32)
            seen = seen_of(own, there, equity, self.buckets, self.depth)
            shares[first:] += self.network(seen)[:, :, self.buckets.number] * there
        return np.asarray(values + shares * (self.won - self.lost)[:, :, None])

    def result(self) -> StreetSearch:
        """The average strategies and what they win."""
        root, tree = self.by_hand(self._run(VALUE, np.ones((1, FACTORS), np.float32))), self.game.tree
        strategies = {}
        for node in self.arrays.segments.action_nodes.tolist():
            rows = self.game.rows(self.cumulative_strategy.values, node)[0, :, : len(self.pairs.combos)]
            whole = np.zeros((COMBOS, len(rows)), np.float32)
            whole[self.pairs.combos] = normalize(rows, axis=0).T
            strategies[node] = whole
        return StreetSearch(strategies, root + np.asarray(tree.put_in[0])[:, None], self.iterations)


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
