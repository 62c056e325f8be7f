"""The walk through a betting tree: the engine's own moves, played on copies of one table record.

A stack of records holds the nodes from the root to the one that is played. The children of a node are numbered together
when it is opened, so every child's number is greater than its parent's.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import compiled, inline, kernel
from ...compiled.records import Records
from ...compiled.scalars import Ints
from ...encoders.base import offer_passive
from ...encoders.bet_sizes import exceed_stack, offer_sizes
from ...engine.batch import NO_MOVE
from ...engine.dealing import burn_and_deal_board, deal_hole_cards, fresh_deck
from ...engine.hand import apply_move
from ...engine.random_numbers import GOLDEN, hand_stream, mix, random_below
from ...engine.record import NOBODY, LogRecord, RulesRecord, TableRecord
from ...equities.all_in_value import split_pots
from .bet_sizes import PASSIVE, MenuArrays

DECISION, FOLDED, SHOWDOWN = 0, 1, 2
SEATS = 2
TOO_DEEP = -1  # returned instead of a number of nodes
# Who wins the showdown: player 0, player 1, both. What their hands are worth then.
OUTCOMES = ((2, 1), (1, 2), (1, 1))
# What their lows are worth (R32), if pots are split: there are none, or one wins or both. An outcome of three for each.
LOWS = ((0, 0), (2, 1), (1, 2), (1, 1))


# Of a node that the walk has opened: its number and its first child's, how many children there are and how many of them
# are done; and whether the moves to it were played.
LEVEL = np.dtype([(name, np.int64) for name in ("node", "first", "children", "done", "was_played")], align=True)


class Level(Protocol):
    """A LEVEL record as an annotation."""

    node: int
    first: int
    children: int
    done: int
    was_played: int


class NodeArrays(NamedTuple):
    """What the walk writes of each node; `BettingTree` says what it means."""

    kind: NDArray[np.int8]
    street: NDArray[np.int8]
    player: NDArray[np.int8]
    wagers: NDArray[np.int8]
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    children: NDArray[np.int32]
    move: NDArray[np.int64]
    pot: NDArray[np.int64]
    put_in: NDArray[np.int64]
    payoff: NDArray[Any]


def new_nodes(count: int, outcomes: int) -> NodeArrays:
    """Arrays for `count` nodes."""
    kinds = [np.int8] * 4 + [np.int32] * 3 + [np.int64] * 2
    per_player = [np.zeros((count, SEATS), np.int64), np.zeros((count, outcomes, SEATS), np.int64)]
    return NodeArrays._make([*(np.zeros(count, kind) for kind in kinds), *per_player])


@kernel
def deal_again(records: Records, rules: Records, log: Records) -> None:
    """Deal the cards of the hand in records[0] again, from a deck in its factory order: no node of a tree depends on
    cards, and in a view some are hidden."""
    t, r = records[0], rules[0]
    street = t.street
    fresh_deck(t, r)
    t.cursor = 0
    t.board_count = 0
    deal_hole_cards(t, r, log[0], False)
    for k in range(street + 1):
        t.street = k
        burn_and_deal_board(t, r, log[0])


@inline
def add_move(moves: Ints, count: int, move: int) -> int:
    """Put a move in its place among ascending ones, unless it is there already. Returns how many there are."""
    at = count
    while at > 0 and moves[at - 1] > move:
        at -= 1
    if at > 0 and moves[at - 1] == move:
        return count
    for k in range(count, at, -1):
        moves[k] = moves[k - 1]
    moves[at] = move
    return count + 1


@compiled
def list_moves(t: TableRecord, r: RulesRecord, menus: MenuArrays, played: int, choices: Ints, moves: Ints) -> int:
    """List the moves of a node in ascending order: fold, check or call, the sizes of the menu for the player, the
    street and its number of wagers, of which those above the stack are all-in, and the move that was played. Returns
    how many there are."""
    player, wagers = t.actor ^ t.button, min(t.wagers, menus.sizes.shape[2] - 1)
    sizes, flags = menus.sizes[player, t.street, wagers], menus.flags[player, t.street, wagers]
    choices[:] = NO_MOVE
    offer_passive(t, t.actor, choices)
    offer_sizes(t, r, sizes, flags[0], flags[1], choices)
    count = 0
    for k in range(choices.size):
        if choices[k] != NO_MOVE:
            count = add_move(moves, count, choices[k])
    if not flags[0] and exceed_stack(t, r, sizes):  # all-in is no size
        count = add_move(moves, count, t.raise_max)
    if flags[2] and t.raise_max > 0:
        for to in range(t.raise_min, t.raise_max + 1, r.smallest_chip):
            moves[count] = to
            count += 1
        count = add_move(moves, count, t.raise_max)
    return count if played == NO_MOVE else add_move(moves, count, played)


@inline
def first_better(one: int, other: int) -> int:
    """Which of OUTCOMES it is if hands are worth this."""
    return 2 if one == other else 0 if one > other else 1


@compiled
def push_pots_again(t: TableRecord, r: RulesRecord, log: LogRecord, won: Ints) -> None:
    """Write what players 0 and 1 win net when the hand is over, for each outcome of the showdown: the engine pushes the
    pots again, once for each. won: (outcomes, 2) int64."""
    one, two = t.button, 1 - t.button
    stacks = t.stack[one] - t.start_stack[one], t.stack[two] - t.start_stack[two]
    if t.live == 1:
        for outcome in range(len(won)):
            won[outcome, 0], won[outcome, 1] = stacks
        return
    fell = first_better(t.value[one], t.value[two])
    if max(t.low_value[one], t.low_value[two]) > 0:
        fell += len(OUTCOMES) * (1 + first_better(t.low_value[one], t.low_value[two]))
    for outcome in range(len(won)):
        t.stack[one], t.stack[two] = 0, 0
        t.value[one], t.value[two] = OUTCOMES[outcome % len(OUTCOMES)]
        t.low_value[one], t.low_value[two] = LOWS[outcome // len(OUTCOMES)]
        split_pots(t, r, log)
        won[outcome, 0], won[outcome, 1] = t.stack[one], t.stack[two]
    before = stacks[0] - won[fell, 0], stacks[1] - won[fell, 1]
    for outcome in range(len(won)):
        won[outcome, 0] += before[0]
        won[outcome, 1] += before[1]


@inline
def write_node(t: TableRecord, nodes: NodeArrays, node: int, parent: int, move: int, dead: Ints) -> None:
    """Write a node, without payoffs. dead: the chips of each player that are not its own contribution."""
    over = t.actor == NOBODY
    flip = t.button
    nodes.kind[node] = DECISION if not over else FOLDED if t.live == 1 else SHOWDOWN
    # At the end the engine has dealt the rest of the board; the last street with a decision is the parent's.
    nodes.street[node] = nodes.street[parent] if over and parent >= 0 else t.street
    nodes.player[node] = -1 if over else t.actor ^ flip
    nodes.wagers[node] = min(t.wagers, 127)
    nodes.parent[node] = parent
    nodes.first_child[node] = -1
    nodes.children[node] = 0
    nodes.move[node] = move
    one, two = t.total[flip] + dead[0], t.total[1 - flip] + dead[1]
    nodes.put_in[node, 0], nodes.put_in[node, 1] = one, two
    nodes.pot[node] = one + two


@inline
def write_payoffs(nodes: NodeArrays, node: int, won: Ints, owed: Ints) -> None:
    """Write the payoffs of an end. owed: what each player had put in before its stack was counted."""
    for outcome in range(len(won)):
        for player in range(SEATS):
            nodes.payoff[node, outcome, player] = won[outcome, player] - owed[player]


@inline
def next_played(level: Level, played: Ints, depth: int) -> int:
    """The move that was played at a node; NO_MOVE if none was, or if others led to the node."""
    return played[depth] if level.was_played and depth < played.size else NO_MOVE


@kernel
def walk_tree(
    records: Records,
    levels: Records,
    rules: Records,
    log: Records,
    menus: MenuArrays,
    played: Ints,
    dead: Ints,
    owed: Ints,
    nodes: NodeArrays,
    most: int,
) -> int:
    """Walk the tree from the record records[0]; returns its number of nodes, TOO_DEEP, or more than `most` as soon as
    there are more.

    records, levels: a TABLE and a LEVEL record for each level of the tree. played: moves that are in the tree whatever
    the sizes. dead, owed: (2,) int64, by player. nodes: written if there are any.
    """
    r = rules[0]
    writes = nodes.kind.size > 0
    choices = np.zeros(PASSIVE + menus.sizes.shape[4], np.int64)
    moves = np.zeros((levels.size, menus.most), np.int64)
    won = np.zeros(nodes.payoff.shape[1:], np.int64)
    # Every turn of the loop writes a node, the root first, and makes the next move.
    depth, node, parent, move, count = 0, 0, -1, NO_MOVE, 1
    levels[0].was_played = 1
    while True:
        t = records[depth]
        is_open = t.actor != NOBODY
        if is_open:  # its children are numbered from `count` on
            at, opened = count, levels[depth]
            opened.node, opened.first, opened.done = node, count, 0
            opened.children = list_moves(t, r, menus, next_played(opened, played, depth), choices, moves[depth])
            count += opened.children
            if count > most:
                return count
        if writes:
            write_node(t, nodes, node, parent, move, dead)
            if is_open:
                nodes.first_child[node] = at
                nodes.children[node] = count - at
            else:
                push_pots_again(t, r, log[0], won)
                write_payoffs(nodes, node, won, owed)
        if not is_open:
            depth -= 1
        while depth >= 0 and levels[depth].done == levels[depth].children:
            depth -= 1
        if depth < 0:
            return count
        if depth + 1 == levels.size:
            return TOO_DEEP
        level = levels[depth]
        parent, node, move = level.node, level.first + level.done, moves[depth, level.done]
        level.done += 1
        levels[depth + 1].was_played = level.was_played and move == next_played(level, played, depth)
        depth += 1
        records[depth] = records[depth - 1]
        apply_move(records[depth], r, log[0], move)


@kernel
def estimate_nodes(records: Records, rules: Records, log: Records, menus: MenuArrays, probes: int) -> float:
    """An unbiased estimate of the number of nodes below records[0] (Knuth 1975): random ways down the tree, of which
    each node stands for as many as there were moves on the way."""
    r, t = rules[0], records[1]
    choices = np.zeros(PASSIVE + menus.sizes.shape[4], np.int64)
    moves = np.zeros(menus.most, np.int64)
    stream = hand_stream(0, 0, 0)
    total = 0.0
    for _ in range(probes):
        records[1] = records[0]
        ways = 1.0
        total += ways
        while t.actor != NOBODY:
            count = list_moves(t, r, menus, NO_MOVE, choices, moves)
            ways *= count
            total += ways
            stream += GOLDEN
            apply_move(t, r, log[0], moves[random_below(mix(stream), count)])
    return total / probes
