"""From a hand's history to its places in a strategy's tree: the engine replays the betting, and each move takes every
place to the children that stand for it."""

from __future__ import annotations

from typing import Any

from ...compiled.compiler import compiled, inline
from ...compiled.scalars import Ints
from ...engine.betting import call_price, raise_range
from ...engine.record import CHECK_CALL, FOLD, MAX_MOVES, RulesRecord, TableRecord
from ...engine.replay import begin_replay, come_to_move, first_move, first_street, replay_move
from .places import DECIDES, ROUND_OVER, Places, begin_at, check_to_street, move_place, move_place_by_strategy, turn_at
from .strategy import StrategyArrays
from .translation import NO_CHILD, call_child, real_move, translate


@compiled
def follow_history(
    strategy: StrategyArrays,
    t: TableRecord,
    r: RulesRecord,
    places: Places,
    buckets: Ints,
    street: int,
    node: int,
    all_in_stays: bool,
    hero: int,
    end: int,
) -> int:
    """Follow the moves of a hand from the beginning of a street on, where it was at a node, up to its move number
    `end`. Returns which set of places is the result.

    street: 0, or the running one. hero: the seat whose hands are weighed. buckets: (streets, H). all_in_stays: see
    `real_move`."""
    begin_at(places, node)
    past = places.past[0]
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
                follow_own_move(strategy, past, r, places, buckets, now, place, seat, move, all_in_stays)
        if places.used[1 - now] == 0:  # an opponent's move, or one that this strategy does not make
            for place in range(places.used[now]):
                read_move(strategy, past, r, places, buckets, now, place, seat, move, hero)
        now = 1 - now
        replay_move(past, t, r, k)
    check_to_street(strategy, places, now, t.street if end == t.moves else t.move_street[end % MAX_MOVES])
    return now


@inline
def follow_own_move(
    strategy: StrategyArrays,
    past: TableRecord,
    r: RulesRecord,
    places: Places,
    buckets: Ints,
    now: int,
    place: int,
    seat: int,
    move: int,
    all_in_stays: bool,
) -> None:
    """Take a place to the children that mean a move of the seat's own."""
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
                move_place_by_strategy(strategy, places, buckets, now, place, child, 1.0)


@inline
def read_move(
    strategy: StrategyArrays,
    past: TableRecord,
    r: RulesRecord,
    places: Places,
    buckets: Ints,
    now: int,
    place: int,
    seat: int,
    move: int,
    hero: int,
) -> None:
    """Take a place to the children that a move stands for, as translation reads it. Of the hero's moves count how often
    each hand makes them, as they are read."""
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
            move_place_by_strategy(strategy, places, buckets, now, place, child, part)
        else:
            move_place(places, now, place, child, part)


@inline
def is_all_in(past: TableRecord, total: Any) -> bool:
    """Whether a wager takes all chips of its player or of the other one."""
    for player in range(2):
        if total >= past.stack[player] + past.bet[player]:
            return True
    return False
