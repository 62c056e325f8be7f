"""Comparing a betting tree with a Table: random playouts of the tree's moves, and what must be true of every tree."""

from __future__ import annotations

import random

import numpy as np

from holdem_env import Table
from holdem_env.engine.record import TABLE, Records, new_records
from holdem_env.solvers.trees import BetSizes, BettingTree
from holdem_env.solvers.trees.walking import DECISION, FOLDED, SHOWDOWN


def check_playouts(tree: BettingTree, deal, playouts: int, seed: int = 0) -> None:
    """Play random moves of the tree at tables that `deal(seed)` makes, and compare every node on the way."""
    rng = random.Random(seed)
    for k in range(playouts):
        table, node = deal(seed + k), 0
        while not table.is_over:
            compare_decision(tree, node, table)
            move = rng.choice(tree.moves(node))
            table.play(move)
            node = tree.child(node, move)
            assert tree.move[node] == move
        compare_end(tree, node, table)


def compare_decision(tree: BettingTree, node: int, table: Table) -> None:
    t = table.records[0]
    seats = [table.button, 1 - table.button]
    assert tree.kind[node] == DECISION
    assert seats[tree.player[node]] == table.actor
    assert tree.street[node] == table.street
    assert tree.wagers[node] == t["wagers"]
    assert tree.moves(node) == _moves_of(tree, table)
    assert tree.pot[node] == table.pot
    dead = table.pot - sum(table.starting_stacks) + sum(table.stacks)  # what was in the middle before anybody's stack
    put_in = [table.starting_stacks[seat] - table.stacks[seat] for seat in seats]
    assert tree.put_in[node].tolist() == [put_in[0] + dead // 2, put_in[1] + dead - dead // 2]


def _moves_of(tree: BettingTree, table: Table) -> list[int]:
    """By the table's own rules, which know every legal move."""
    moves, legal = table.abstract_moves(tree.sizes), table.legal
    if tree.sizes == BetSizes("every"):
        least, most = legal.raise_min or 0, legal.raise_max or -1
        assert moves == [*([-1] if legal.call else []), 0, *range(least, most + 1, tree.rules.smallest_chip)]
    return moves


def compare_end(tree: BettingTree, node: int, table: Table) -> None:
    pushed = sum(operation.amount for operation in table.log if operation.kind == "push_pot")
    dead = sum(table.payoffs) + table.rake
    owed = dead // 2, dead - dead // 2
    won = [table.payoffs[seat] - owed[player] for player, seat in enumerate((table.button, 1 - table.button))]
    assert tree.kind[node] == (FOLDED if table.is_folded(0) or table.is_folded(1) else SHOWDOWN)
    assert tree.player[node] == -1
    assert tree.moves(node) == []
    assert tree.pot[node] == pushed + table.rake
    assert tree.payoff[node, outcome_at(table)].tolist() == won


def outcome_at(table: Table) -> int:
    """0: player 0 has the better hand, 1: player 1, 2: they tie; any after a fold. And three for each way that lows may
    fall: nobody has one, or likewise."""
    if table.is_folded(0) or table.is_folded(1):
        return random.randrange(3)

    def better(name: str) -> int:
        own, other = (int(table.records[name][0, seat]) for seat in (table.button, 1 - table.button))
        return 2 if own == other else 0 if own > other else 1

    return better("value") + (3 * (1 + better("low_value")) if table.records["low_value"][0].any() else 0)


def check_shape(tree: BettingTree) -> None:
    """How the nodes of any tree hang together, and where their chips are."""
    nodes = np.arange(len(tree))
    decides = tree.kind == DECISION
    assert tree.parent[0] == -1
    assert tree.move[0] == -2
    assert (tree.parent[1:] < nodes[1:]).all()
    assert ((tree.children > 0) == decides).all()
    assert ((tree.first_child >= 0) == decides).all()
    assert tree.decision[decides].tolist() == list(range(tree.decisions))
    assert (tree.decision[~decides] == -1).all()
    assert (tree.player[~decides] == -1).all()
    firsts = np.flatnonzero(decides)
    for child in range(int(tree.children.max(initial=0))):
        has = firsts[tree.children[firsts] > child]
        assert (tree.parent[tree.first_child[has] + child] == has).all()
    assert (tree.put_in.sum(axis=1) == tree.pot).all()
    inner = nodes[1:]
    later = tree.street[inner] > tree.street[tree.parent[inner]]
    assert (tree.street_start[inner] == later).all()
    assert not tree.street_start[0]
    check_payoffs(tree)


def check_payoffs(tree: BettingTree) -> None:
    rake = -tree.payoff.sum(axis=2)
    ends = tree.kind != DECISION
    assert (tree.payoff[~ends] == 0).all()
    assert (rake >= 0).all()
    assert (rake <= tree.pot[:, None]).all()
    if tree.rules.rake is None:
        assert (rake == 0).all()
    folds = tree.payoff[tree.kind == FOLDED]
    assert (folds == folds[:, :1]).all()
    pot, put_in, payoff = tree.pot[ends], tree.put_in[ends], tree.payoff[ends]
    wins = tree.kind[ends] == SHOWDOWN
    for player in range(2):  # who wins the showdown gets the pot without its rake, the other nothing
        won = (pot - rake[ends][:, player] - put_in[:, player])[wins]
        assert (payoff[wins, player, player] == won).all()
        assert (payoff[wins, player, 1 - player] == -put_in[wins, 1 - player]).all()
    odd = np.abs(payoff[wins, 2, 0] + put_in[wins, 0] - payoff[wins, 2, 1] - put_in[wins, 1])
    assert (odd <= tree.rules.smallest_chip).all()


def record_of(table: Table) -> Records:
    """The table's record, in memory of its own."""
    records = new_records(TABLE, 1)
    records[0] = table.records[0]
    return records
