"""The places in a strategy's tree where a real hand may be, and how likely each of them is (`follow_history`).

A hand may be at several nodes at once: an opponent's wager between two sizes stands for both (translation.py). A place
is a node with the probability that it is the one. That depends on the seat's own hole cards: had the seat chosen one
reading when the opponent bet and kept to it, its later moves would tell which. So each place has a reach probability
for each hand, the product of the probabilities of all readings and of all of the seat's own moves on the way.

The engine replays the betting, and each move takes every place to the children that stand for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import compiled, inline
from ...compiled.records import Records
from ...compiled.scalars import Ints
from ...engine import record
from ...engine.betting import call_price, raise_range
from ...engine.record import CHECK_CALL, FOLD, MAX_MOVES, RulesRecord, TableRecord
from ...engine.replay import begin_replay, come_to_move, first_move, first_street, replay_move
from ..trees.walking import DECISION
from .strategy import StrategyArrays, probability_of
from .translation import NO_CHILD, call_child, real_move, translate

MAX_PLACES = 8
# What a place is to the player to act: its node decides; its round is over, as a small wager was taken for a check or
# a call; or the tree has nothing to say.
DECIDES, ROUND_OVER, LOST = 0, 1, 2


class Places(NamedTuple):
    """The places of a hand, for H hole cards. There are two sets of them: each move makes one from the other."""

    node: NDArray[np.int32]  # (2, MAX_PLACES)
    reading: NDArray[np.float64]  # (2, MAX_PLACES): how likely each is by translation alone
    reach: NDArray[np.float64]  # (2, MAX_PLACES, H): the same times the seat's own moves, with each hand
    used: NDArray[np.int64]  # (2,): how many there are in each set
    past: Records  # (1,): a table record to replay the betting in


class Query(NamedTuple):
    """What is asked of a strategy: what H hands of one seat do at a table. buckets: (streets, H), -1 for hands that
    cannot be. places: for H hands. all_in_stays: see `real_move`."""

    strategy: StrategyArrays
    buckets: Ints
    places: Places
    all_in_stays: bool


def new_places(hands: int) -> Places:
    """Memory for the places of one hand, for `hands` hole cards at a time."""
    return Places(
        np.zeros((2, MAX_PLACES), np.int32),
        np.zeros((2, MAX_PLACES)),
        np.zeros((2, MAX_PLACES, hands)),
        np.zeros(2, np.int64),
        record.new_records(record.TABLE, 1),
    )


@inline
def turn_at(strategy: StrategyArrays, node: int, street: int, player: int) -> int:
    """What a place is to a player who is to act on a street: DECIDES, ROUND_OVER or LOST."""
    if strategy.kind[node] == DECISION:
        if strategy.street[node] == street:
            return DECIDES if strategy.player[node] == player else LOST
        return ROUND_OVER if strategy.street[node] > street else LOST
    return ROUND_OVER if strategy.is_checked_down[node] and strategy.street[node] == street else LOST


@inline
def move_place(places: Places, now: int, place: int, node: int, share: Any) -> None:
    """Move a share of a place to a node of the other set, whatever the hand."""
    reading = places.reading[now, place] * share
    at = place_for(places, 1 - now, node, reading)
    if at != NO_CHILD:
        places.reading[1 - now, at] += reading
        for hand in range(places.reach.shape[2]):
            places.reach[1 - now, at, hand] += places.reach[now, place, hand] * share


@inline
def move_place_by_strategy(query: Query, now: int, place: int, child: int, share: Any) -> None:
    """Move a share of a place to a child that its player chose, by the probability with which each hand does."""
    strategy, buckets, places, _ = query
    node, reading = places.node[now, place], places.reading[now, place] * share
    at = place_for(places, 1 - now, child, reading)
    if at != NO_CHILD:
        street = strategy.street[node]
        places.reading[1 - now, at] += reading
        for hand in range(places.reach.shape[2]):
            played = probability_of(strategy, node, child, buckets[street, hand])
            places.reach[1 - now, at, hand] += places.reach[now, place, hand] * played * share


@inline
def place_for(places: Places, into: int, node: int, reading: Any) -> int:
    """The place of a node in a set that is being made. If all are taken, it is that of the least likely one if that is
    less likely than this, else NO_CHILD."""
    count = places.used[into]
    for k in range(count):
        if places.node[into, k] == node:
            return k
    at = count
    if count < MAX_PLACES:
        places.used[into] = count + 1
    else:
        at = 0
        for k in range(1, count):
            if places.reading[into, k] < places.reading[into, at]:
                at = k
        if places.reading[into, at] >= reading:
            return NO_CHILD
    places.node[into, at] = node
    places.reading[into, at] = 0.0
    places.reach[into, at, :] = 0.0
    return at


@inline
def check_to_street(strategy: StrategyArrays, places: Places, now: int, street: int) -> None:
    """Where the real street is later than a place's, its round is checked or called to its end."""
    for k in range(places.used[now]):
        node = places.node[now, k]
        while strategy.kind[node] == DECISION and strategy.street[node] < street:
            node = call_child(strategy.sizes, node)
        places.node[now, k] = node


@compiled
def follow_history(query: Query, t: TableRecord, r: RulesRecord, street: int, node: int, hero: int, end: int) -> int:
    """Follow the moves of a hand from the beginning of a street on, where it was at a node, up to its move number
    `end`. Returns which set of places is the result.

    street: 0, or the running one. hero: the seat whose hands are weighed."""
    strategy, _, places, _ = query
    past = places.past[0]
    places.used[0], places.node[0, 0] = 1, node
    places.reading[0, 0] = 1.0
    places.reach[0, 0, :] = 1.0
    begin_replay(past, t, r, street if street > 0 else first_street(t))
    now = 0
    for k in range(first_move(t), end):
        if t.move_street[k % MAX_MOVES] < street:
            continue
        seat, move = come_to_move(past, t, r, k), t.move[k % MAX_MOVES]
        check_to_street(strategy, places, now, past.street)
        places.used[1 - now] = 0
        if seat == hero:
            for place in range(places.used[now]):
                follow_own_move(query, past, r, now, place, seat, move)
        if places.used[1 - now] == 0:  # an opponent's move, or one that this strategy does not make
            for place in range(places.used[now]):
                read_move(query, past, r, now, place, seat, move, hero)
        now = 1 - now
        replay_move(past, t, r, k)
    check_to_street(strategy, places, now, t.street if end == t.moves else t.move_street[end % MAX_MOVES])
    return now


@inline
def follow_own_move(
    query: Query, past: TableRecord, r: RulesRecord, now: int, place: int, seat: int, move: int
) -> None:
    """Take a place to the children that mean a move of the seat's own."""
    strategy, _, places, all_in_stays = query
    node = places.node[now, place]
    turn = turn_at(strategy, node, past.street, seat ^ past.button)
    if turn == ROUND_OVER and move == CHECK_CALL:
        move_place(places, now, place, node, 1.0)
    if turn == DECIDES:
        call = call_price(past, seat)
        least, most = raise_range(past, r, seat)
        wager = past.bet_to_match, past.pot + call, r.smallest_chip
        first = strategy.sizes.first_child[node]
        for child in range(first, first + strategy.sizes.children[node]):
            if real_move(strategy.sizes, child, (least, most, call), wager, all_in_stays) == move:
                move_place_by_strategy(query, now, place, child, 1.0)


@inline
def read_move(
    query: Query, past: TableRecord, r: RulesRecord, now: int, place: int, seat: int, move: int, hero: int
) -> None:
    """Take a place to the children that a move stands for, as translation reads it. Of the hero's moves count how often
    each hand makes them, as they are read."""
    strategy, _, places, _ = query
    node = places.node[now, place]
    if turn_at(strategy, node, past.street, seat ^ past.button) != DECIDES or move == FOLD:
        move_place(places, now, place, node, 1.0)
        return
    lower, upper, share = call_child(strategy.sizes, node), NO_CHILD, 1.0
    if move != CHECK_CALL:
        wager = past.bet_to_match, past.pot + call_price(past, seat), r.smallest_chip
        lower, upper, share = translate(strategy.sizes, node, move, is_all_in(past, move), wager)
    for child, part in ((lower, share), (upper, 1.0 - share)):
        if child == NO_CHILD:
            continue
        if seat == hero:
            move_place_by_strategy(query, now, place, child, part)
        else:
            move_place(places, now, place, child, part)


@inline
def is_all_in(past: TableRecord, total: Any) -> bool:
    """Whether a wager takes all chips of its player or of the other one."""
    return total >= min(past.stack[0] + past.bet[0], past.stack[1] + past.bet[1])
