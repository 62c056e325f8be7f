"""Trees in which one player has the moves that a function names."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import Table
from holdem_env.solvers.trees.bet_sizes import BetSizes
from holdem_env.solvers.trees.building import TooLarge
from holdem_env.solvers.trees.growing import grown_tree

WIDE = 150
SIZES = BetSizes("all-in")


def every_raise(nodes, tables):
    """Check or call, and the lowest raises that a player has, up to WIDE of them."""
    found = []
    for table in tables:
        low, high = int(table["raise_min"]), int(table["raise_max"])
        raises = np.arange(low, min(low + WIDE, high + 1)) if low > 0 else np.zeros(0, np.int64)
        found.append(np.append(0, raises))
    return found


def river() -> Table:
    table = Table("heads-up-no-limit", seed=1, stacks=400)
    for move in (0, 0, 0, 0, 0, 0):
        table.play(move)
    assert table.street == 3
    return table


def test_a_player_may_have_more_moves_than_a_byte_counts() -> None:
    table = river()
    player = int(table.actor != table.button)
    tree = grown_tree(table.game, table.records, SIZES, player, every_raise)
    assert tree.children[0] == WIDE + 1
    first = tree.first_child[0]
    assert (tree.parent[first : first + WIDE + 1] == 0).all()
    assert tree.moves(0)[-1] == table.records["raise_min"][0] + WIDE - 1
    inner = np.flatnonzero(tree.children)
    assert (np.bincount(tree.parent[1:], minlength=len(tree))[inner] == tree.children[inner]).all()
    assert tree.children.sum() == len(tree) - 1


def test_more_nodes_than_allowed_are_refused_before_they_are_made() -> None:
    table = river()
    with pytest.raises(TooLarge, match="more than the 100 nodes allowed"):
        grown_tree(table.game, table.records, SIZES, 1, every_raise, most_nodes=100)
