"""From a root to the arrays of a betting tree: count its nodes, then write them."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import numpy as np

from ...engine import record
from ...game.rules import Rules
from .bet_sizes import BetSizes, MenuArrays
from .roots import dead_money, outcomes_of
from .walking import LEVEL, TOO_DEEP, NodeArrays, estimate_nodes, new_nodes, walk_tree

MAX_NODES = 20_000_000
MAX_MOVES = 1_000
"""The longest sequence of moves that a tree may have."""
NODE_BYTES = 101
"""What a node takes in the arrays of a tree."""
PROBES = 300_000
"""Random ways down a tree that is too large to be counted; they take less than 0.1 s."""
UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


class TooLarge(ValueError):
    """A betting tree has more nodes, or longer hands, than are allowed. Its arguments: what is wrong, what to do."""

    def __str__(self) -> str:
        return "; ".join(self.args)


def size_text(size: float) -> str:
    """A number of bytes in words: "1.9 MiB"."""
    unit = 0
    while size >= 1024 and unit + 1 < len(UNITS):
        size, unit = size / 1024, unit + 1
    return f"{size:,.1f} {UNITS[unit]}" if unit else f"{size:.0f} bytes"


def _levels(root: record.Records, count: int) -> record.Records:
    """Records for the levels of a walk, of which the first is the root."""
    records = record.new_records(record.TABLE, count)
    records[0] = root[0]
    return records


def _walk(
    game: Rules, menus: MenuArrays, root: record.Records, played: Sequence[int], nodes: NodeArrays, most: int
) -> int:
    records, levels = _levels(root, MAX_MOVES), record.new_records(LEVEL, MAX_MOVES)
    log = record.new_log(listening=False)
    moves = np.array(played, np.int64)
    return int(walk_tree(records, levels, game.record, log, menus, moves, *dead_money(game, root), nodes, most))


def _estimate(game: Rules, menus: MenuArrays, root: record.Records) -> int:
    """About how many nodes there are, two digits of it."""
    log = record.new_log(listening=False)
    nodes = float(estimate_nodes(_levels(root, 2), game.record, log, menus, PROBES))
    return int(round(nodes, 1 - int(log10(nodes))))


def menus_at(game: Rules, sizes: BetSizes, root: record.Records) -> MenuArrays:
    """The sizes for the streets from a root on."""
    return sizes.arrays(game, int(root["street"][0]))


def counted(game: Rules, menus: MenuArrays, root: record.Records, played: Sequence[int], most_nodes: int) -> int:
    """The number of nodes. Raises TooLarge if there are more than `most_nodes`."""
    count = _walk(game, menus, root, played, new_nodes(0, outcomes_of(game)), most_nodes)
    if count == TOO_DEEP:
        raise TooLarge(f"betting tree: hands have {MAX_MOVES:,} moves and more", "give larger sizes, or most_wagers")
    if count > most_nodes:
        nodes = int(max(_estimate(game, menus, root), count))
        raise TooLarge(
            f"betting tree: about {nodes:,} nodes or {size_text(nodes * NODE_BYTES)} of memory, more than the "
            f"{most_nodes:,} nodes allowed",
            "give fewer sizes or most_wagers, or allow more with most_nodes",
        )
    return count


def walked(game: Rules, sizes: BetSizes, root: record.Records, played: Sequence[int], most_nodes: int) -> NodeArrays:
    """The nodes. Raises as `counted` does."""
    menus = menus_at(game, sizes, root)
    count = counted(game, menus, root, played, most_nodes)
    nodes = new_nodes(count, outcomes_of(game))
    _walk(game, menus, root, played, nodes, count)
    return nodes
