"""From a root to the arrays of a betting tree: count its nodes, then write them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...engine import record
from ...game.rules import Rules
from .bet_sizes import BetSizes
from .roots import dead_money
from .walking import TOO_DEEP, NodeArrays, new_nodes, walk_tree

MOST_NODES = 20_000_000
MOST_MOVES = 1_000
"""The longest sequence of moves that a tree may have."""
NODE_BYTES = 98
"""What a node takes in the arrays of a tree."""


def _walk(
    game: Rules, sizes: BetSizes, root: record.Records, played: Sequence[int], nodes: NodeArrays, most: int
) -> int:
    records = record.new_records(record.TABLE, MOST_MOVES)
    records[0] = root[0]
    menus = sizes.arrays(game, int(root["street"][0]))
    log, moves = record.new_log(listening=False), np.array(played, np.int64)
    return int(walk_tree(records, game.record, log, menus, moves, *dead_money(root), nodes, most))


def counted(game: Rules, sizes: BetSizes, root: record.Records, played: Sequence[int], most_nodes: int) -> int:
    """The number of nodes. Raises ValueError if there are more than `most_nodes`."""
    count = _walk(game, sizes, root, played, new_nodes(0), most_nodes)
    if count == TOO_DEEP:
        raise ValueError(f"betting tree: hands have {MOST_MOVES:,} moves and more; give larger sizes, or most_wagers")
    if count > most_nodes:
        raise ValueError(
            f"betting tree: more than {most_nodes:,} nodes, {most_nodes * NODE_BYTES / 2**30:.2f} GiB of memory; "
            "give fewer sizes or most_wagers, or allow more with most_nodes"
        )
    return count


def walked(game: Rules, sizes: BetSizes, root: record.Records, played: Sequence[int], most_nodes: int) -> NodeArrays:
    """The nodes. Raises as `counted` does."""
    count = counted(game, sizes, root, played, most_nodes)
    nodes = new_nodes(count)
    _walk(game, sizes, root, played, nodes, count)
    return nodes
