"""The betting of a hand once more, played by the engine's own functions: what each remembered move cost, and how large
the pot, the bet to match and the stacks were before it.

`past` is a table record to work in, of which only the betting is written: chips, bets, the round. Observations and
blueprints replay so:

    begin_replay(past, t, r, first_street(t))
    for k in range(first_move(t), t.moves):
        seat = come_to_move(past, t, r, k)
        ...  # `past` is the table before move k: call_price(past, seat), raise_range(past, r, seat), past.pot
        replay_move(past, t, r, k)

The record remembers the latest MAX_MOVES moves. Of a longer hand the replay begins at the oldest of them, as if on its
street only the blinds had been bet, and nobody had folded before it.
"""

from __future__ import annotations

from ..compiled.compiler import inline
from ..compiled.scalars import int64
from .betting import commit_chips, raise_to, start_betting_round, update_cap
from .posting import ante_posted, bet_posted, dead_posted, level_posted
from .record import CHECK_CALL, FIXED_LIMIT, FOLD, MAX_MOVES, NOBODY, RulesRecord, TableRecord

FOLDED, CHECKED, CALLED, RAISED = range(4)


@inline
def first_move(t: TableRecord) -> int:
    """The number of the oldest move that is remembered."""
    return max(t.moves - MAX_MOVES, 0)


@inline
def first_street(t: TableRecord) -> int:
    """The street of the oldest move that is remembered."""
    return int64(t.move_street[first_move(t) % MAX_MOVES]) if t.moves > 0 else int64(t.street)


@inline
def chips_not_bet(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """What a seat has put in that is no street bet: its ante, and dead money."""
    return ante_posted(t, r, seat) + dead_posted(t, r, seat)


@inline
def begin_round(past: TableRecord, t: TableRecord, r: RulesRecord, street: int) -> None:
    """Begin the betting round of a street; before the flop the blinds count as bets."""
    past.street = street
    start_betting_round(past, r)
    if street == 0:
        past.bet_to_match = level_posted(t, r)
        past.last_full_bet = past.bet_to_match
        if t.straddle_seat != NOBODY:
            past.wagers = 1
            past.raise_size = past.raise_size if r.structure == FIXED_LIMIT else r.straddle
            update_cap(past, r)
        for seat in range(r.seats):
            past.bet[seat] = bet_posted(t, r, seat)


@inline
def begin_replay(past: TableRecord, t: TableRecord, r: RulesRecord, street: int) -> None:
    """Make `past` the table as it was when a street of its hand began."""
    past.button = t.button
    past.live = past.with_chips = t.dealt
    begin_round(past, t, r, street)
    past.pot = t.dead
    for seat in range(r.seats):
        chips = past.bet[seat]
        for earlier in range(street):
            chips += t.street_bets[seat, earlier]
        past.pot += chips + ante_posted(t, r, seat)
        past.stack[seat] = t.start_stack[seat] - chips - chips_not_bet(t, r, seat)
        past.in_hand[seat] = t.was_dealt[seat]


@inline
def come_to_move(past: TableRecord, t: TableRecord, r: RulesRecord, k: int) -> int:
    """Make `past` the table before move k: where this is the first of a street, its betting round begins. Returns whose
    move it is."""
    street = t.move_street[k % MAX_MOVES]
    if street != past.street:
        begin_round(past, t, r, street)
    return int64(t.move_seat[k % MAX_MOVES])


@inline
def replay_move(past: TableRecord, t: TableRecord, r: RulesRecord, k: int) -> int:
    """Play move k on `past`. Returns its kind: FOLDED, CHECKED, CALLED or RAISED."""
    seat, move = int64(t.move_seat[k % MAX_MOVES]), t.move[k % MAX_MOVES]
    kind = RAISED
    if move == FOLD:
        kind = FOLDED
        past.in_hand[seat] = 0
        past.live -= 1
    elif move == CHECK_CALL:
        paid = commit_chips(past, seat, past.bet_to_match - past.bet[seat])
        kind = CALLED if paid > 0 else CHECKED
    else:
        raise_to(past, r, seat, move)
    past.bet_acted_on[seat] = past.bet_to_match
    return kind
