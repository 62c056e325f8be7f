"""The moves of a hand once more, for encoders that show the betting as it went: what each put in, and how large it was.

The record remembers the latest MAX_MOVES moves. Of a longer hand the replay begins at the oldest that is remembered, as
if nothing had been bet before it on its street but the blinds.

`begin_replay`, then `replay_move` for k in range(first_move(t), t.moves). They work in `state`, `bet` and `put`, int64
arrays of STATE, MAX_SEATS and MAX_SEATS, which a kernel makes once.
"""

from __future__ import annotations

from ..compiled.compiler import inline
from ..engine.posting import ante_posted, bet_posted, dead_posted, level_posted
from ..engine.record import CHECK_CALL, FOLD, MAX_MOVES

STATE = 5
# Before a move: the pot, the bet to match, the street. Of the move: chips it put in, whether it took the whole stack.
POT, LEVEL, STREET, PAID, ALL_IN = range(STATE)

FOLDED, CHECKED, CALLED, RAISED = range(4)


@inline
def first_move(t):
    """The oldest move that is remembered."""
    return max(t.moves - MAX_MOVES, 0)


@inline
def street_chips(t, r, seat):
    """What a seat has put in as street bets, blinds included."""
    chips = 0
    for street in range(r.streets):
        chips += t.street_bets[seat, street]
    return chips


@inline
def chips_not_bet(t, r, seat):
    """What a seat has put in that is no street bet: its ante, and dead money."""
    return ante_posted(t, r, seat) + dead_posted(t, r, seat)


@inline
def open_street(t, r, street, state, bet):
    """Nobody has bet on this street, but for the blinds."""
    state[STREET] = street
    state[LEVEL] = level_posted(t, r) if street == 0 else 0
    for seat in range(r.seats):
        bet[seat] = bet_posted(t, r, seat) if street == 0 else 0


@inline
def begin_replay(t, r, state, bet, put):
    """The table as it was before the oldest remembered move."""
    first = first_move(t)
    street = t.move_street[first % MAX_MOVES] if t.moves > 0 else t.street
    open_street(t, r, street, state, bet)
    state[POT] = t.dead
    for seat in range(r.seats):
        put[seat] = bet[seat] + chips_not_bet(t, r, seat)
        state[POT] += bet[seat] + ante_posted(t, r, seat)
        for earlier in range(street):
            put[seat] += t.street_bets[seat, earlier]
            state[POT] += t.street_bets[seat, earlier]


@inline
def come_to(t, r, k, state, bet):
    """Before move k: if it is the first of a new street, the bets of the old one are gone."""
    street = t.move_street[k % MAX_MOVES]
    if street != state[STREET]:
        open_street(t, r, street, state, bet)


@inline
def call_of(t, seat, state, bet, put):
    """Chips that the seat must add to stay in, at most its stack."""
    return max(min(state[LEVEL] - bet[seat], t.start_stack[seat] - put[seat]), 0)


@inline
def raise_fraction(total, level, pot, call):
    """A raise as a part of the pot after the call."""
    return (total - level) / max(pot + call, 1)


@inline
def replay_move(t, k, state, bet, put):
    """Play move k: afterwards bet and put are those after the move, POT and LEVEL too. Returns its kind."""
    at = k % MAX_MOVES
    seat = t.move_seat[at]
    move = t.move[at]
    call = call_of(t, seat, state, bet, put)
    kind = RAISED
    paid = move - bet[seat]
    if move == FOLD:
        kind = FOLDED
        paid = 0
    elif move == CHECK_CALL:
        kind = CALLED if call > 0 else CHECKED
        paid = call
    else:
        state[LEVEL] = move
    bet[seat] += paid
    put[seat] += paid
    state[POT] += paid
    state[PAID] = paid
    state[ALL_IN] = 1 if kind >= CALLED and put[seat] >= t.start_stack[seat] else 0
    return kind
