"""What each hand wins on a river that both players play by the blueprint, nothing being re-solved."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...compiled.records import Records
from ...engine import batch, record
from ...engine.batch import NO_MOVE
from ...game.rules import Rules
from ..cfr.updates import VALUE
from ..subgames.solver import SubgameSolver
from ..trees.bet_sizes import BetSizes
from ..trees.betting_tree import BettingTree
from ..trees.walking import DECISION
from .spots import Spot, at_spot

RangeStrategy = Callable[[Records, Rules, NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.float64]]]
"""Given (tables, rules, rows): moves (K, A), and the probabilities of each hand, (K, 1326, A)."""


def river_values(
    ranges_of: RangeStrategy, beginning: Spot, sizes: BetSizes, ranges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(2, 1326): the chips that each hand of both players takes out of the pot on average, less what it puts in from
    the beginning of the river on; 0 for hands that meet none.

    ranges_of: the blueprint's range queries. beginning: the spot when the river began. sizes: those of the
    blueprint; its bets are these at the real pot. ranges: (2, 1326), the hands that both may have.
    """
    root = at_spot(beginning)
    tree = BettingTree.from_record(beginning.game, root, sizes)
    nodes = np.flatnonzero(tree.kind == DECISION)
    moves, probabilities = ranges_of(_tables(tree, root, beginning.game), beginning.game, nodes)
    solver = SubgameSolver(tree, beginning.board, ranges, with_isomorphism=False)
    for node, made, strategy in zip(nodes.tolist(), moves, probabilities, strict=True):
        solver.set_strategy(node, _by_child(tree, node, made, strategy))
    values = solver.by_combo(solver.values(VALUE)) + tree.put_in[0][:, None]
    return np.asarray(np.nan_to_num(values), np.float64)


def _tables(tree: BettingTree, root: Records, game: Rules) -> Records:
    """A record for each node of a tree at which somebody is to act."""
    tables, log = record.new_records(record.TABLE, len(tree)), record.new_log(listening=False)
    tables[0] = root[0]
    depth = np.zeros(len(tree), np.int64)
    for node in range(1, len(tree)):  # a parent comes before its children
        depth[node] = depth[tree.parent[node]] + 1
    for level in range(1, int(depth.max()) + 1):
        rows = np.flatnonzero((depth == level) & (tree.kind == DECISION))
        tables[rows] = tables[tree.parent[rows]]
        batch.play_moves(tables, game.record, log, rows, tree.move[rows].astype(np.int64))
    return tables


def _by_child(
    tree: BettingTree, node: int, moves: NDArray[np.int64], probabilities: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(1326, children): probabilities of moves as those of a node's children. A wager that is rounded in another way
    is the nearest that is there; hands without probabilities have even rows."""
    first, children = int(tree.first_child[node]), int(tree.children[node])
    there = tree.move[first : first + children]
    rows = np.zeros((probabilities.shape[0], children))
    for move, column in zip(moves.tolist(), probabilities.T, strict=True):
        if move != NO_MOVE:
            rows[:, int(np.abs(there - move).argmin())] += column
    total = rows.sum(axis=1, keepdims=True)
    strategy: NDArray[np.float64] = np.divide(rows, total, out=np.full_like(rows, 1 / children), where=total > 0)
    return strategy
