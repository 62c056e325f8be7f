"""`grown_tree`: a betting tree in which one player, or both, have the moves that a function names, and the other those
of bet sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import kernel
from ...compiled.records import Records
from ...compiled.scalars import Ints
from ...engine import batch, record
from ...engine.batch import NO_MOVE
from ...engine.record import NOBODY
from ...game.rules_input import RulesLike
from .bet_sizes import PASSIVE, BetSizes, MenuArrays
from .betting_tree import BettingTree, TooLarge
from .roots import dead_money, from_table, outcomes_of
from .walking import DECISION, NodeArrays, list_moves, new_nodes, push_pots_again, write_node, write_payoffs

Named: TypeAlias = Callable[[NDArray[np.int64], Records], Sequence[NDArray[np.int64]]]
"""Given nodes (K,) and their records (K,): the engine moves of each, ascending."""
MAX_NODES = 50_000


def grown_tree(
    rules: RulesLike, tables: Records, sizes: BetSizes, player: int | None, named: Named, most_nodes: int = MAX_NODES
) -> BettingTree:
    """The betting tree from a hand that is being played, level by level.

    tables: as `BettingTree.from_record` takes them. player: who has the moves that `named` says; 0 has the button, None
    is both. The other player has fold, check or call, and the sizes. Cards in the records are any. Raises ValueError as
    `from_record` does, and TooLarge for more than `most_nodes` nodes.
    """
    game, root = from_table(rules, tables)
    log, menus = record.new_log(listening=False), sizes.arrays(game, int(root["street"][0]))
    dead, owed = dead_money(game, root)
    nodes = new_nodes(most_nodes, outcomes_of(game))
    level, parents, made, first = root, np.full(1, -1), np.full(1, NO_MOVE), 0
    while len(level):
        end = first + len(level)
        write_level(level, game.record, log, dead, owed, nodes, first, parents, made)
        here = np.flatnonzero(nodes.kind[first:end] == DECISION)
        if player is None:
            moves = [*named(first + here, level[here])]
        else:
            listed = np.full((len(here), menus.most), NO_MOVE, np.int64)
            list_level(level, game.record, menus, here, listed)
            moves = [row[row != NO_MOVE] for row in listed]
            own = np.flatnonzero(nodes.player[first + here] == player)
            if len(own):
                for k, given in zip(own, named(first + here[own], level[here[own]]), strict=True):
                    moves[k] = given
        counts = np.array([len(each) for each in moves], np.int64)
        if end + counts.sum() > most_nodes:
            raise TooLarge(f"betting tree: more than the {most_nodes:,} nodes allowed", "give fewer sizes")
        nodes.children[first + here] = counts
        nodes.first_child[first + here] = end + np.cumsum(counts) - counts
        parents = first + np.repeat(here, counts)
        made = np.concatenate([*moves, np.zeros(0, np.int64)])
        level = np.take(level, parents - first)
        batch.play_moves(level, game.record, log, np.arange(len(level)), made)
        first = end
    arrays = NodeArrays(**{name: array[:first].copy() for name, array in nodes._asdict().items()})
    return BettingTree(game, sizes, arrays, int(root["bet_to_match"][0]))


@kernel
def write_level(
    records: Records,
    rules: Records,
    log: Records,
    dead: Ints,
    owed: Ints,
    nodes: NodeArrays,
    first: int,
    parents: Ints,
    moves: Ints,
) -> None:
    """Write nodes from `first` on, one for each record, with payoffs at ends; children are left out."""
    r = rules[0]
    won = np.zeros(nodes.payoff.shape[1:], np.int64)
    for k in range(records.size):
        t = records[k]
        write_node(t, nodes, first + k, parents[k], moves[k], dead)
        if t.actor == NOBODY:
            push_pots_again(t, r, log[0], won)
            write_payoffs(nodes, first + k, won, owed)


@kernel
def list_level(records: Records, rules: Records, menus: MenuArrays, rows: Ints, listed: Ints) -> None:
    """List the menu's moves of records[rows], ascending; rows of `listed` keep NO_MOVE behind them."""
    r = rules[0]
    choices = np.zeros(PASSIVE + menus.sizes.shape[4], np.int64)
    for k in range(rows.size):
        list_moves(records[rows[k]], r, menus, NO_MOVE, choices, listed[k])
