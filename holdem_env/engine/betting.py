"""Betting: who may do what, and what a move does (R14-R24).

Two integers per seat decide the right to raise: the level the seat last acted on, and the level of the last full
bet or raise. There are no special cases for short all-ins.
"""

from __future__ import annotations

from ..compiled.compiler import inline
from .log import note
from .record import (
    AT_START,
    CHECK_CALL,
    DID_BET,
    DID_CALL,
    DID_CHECK,
    DID_FOLD,
    DID_RAISE,
    FIXED_LIMIT,
    FOLD,
    MAX_MOVES,
    MOST_RAISES,
    NO_CAP,
    NOBODY,
    NOT_ACTED,
    POT_LIMIT,
    WHEN_TWO_LEFT,
)


@inline
def put_in(t, seat, amount):
    """Move chips from a stack to the seat's street bet; returns how many there were (R9, R20). Counts who has
    chips left."""
    paid = min(amount, t.stack[seat])
    t.stack[seat] -= paid
    t.bet[seat] += paid
    t.total[seat] += paid
    t.pot += paid
    if paid > 0 and t.stack[seat] == 0:
        t.with_chips -= 1
    return paid


@inline
def may_reopen(t, r, seat):
    """R21-R24: whether the seat has the right to raise: it has not acted yet, or the bet has risen by a full raise
    since."""
    acted = t.acted_level[seat]
    if acted == NOT_ACTED or t.full_level > acted:
        return True
    return r.cumulative != 0 and t.level - acted >= t.raise_size


@inline
def somebody_could_call_more(t, r, seat):
    """R20: a live opponent whose stack and street bet together exceed the current bet."""
    for other in range(r.seats):
        if other != seat and t.in_hand[other] and t.stack[other] + t.bet[other] > t.level:
            return True
    return False


@inline
def chips_to_call(t, seat):
    """R20: what a call puts in: 0 if checking is free, and not more than the stack."""
    return min(t.level - t.bet[seat], t.stack[seat])


@inline
def raise_range(t, r, seat):
    """The least and the greatest street total the seat may raise to; (0, 0) if it may not raise."""
    all_in = t.stack[seat] + t.bet[seat]
    if all_in <= t.level or t.capped != 0 or not may_reopen(t, r, seat) or not somebody_could_call_more(t, r, seat):
        return 0, 0
    if r.structure == FIXED_LIMIT:  # R18; R24: a short all-in is completed, so the last full level counts
        target = min(t.full_level + t.raise_size, all_in)
        return target, target
    least = t.level + t.raise_size  # R16, R22
    most = all_in
    if r.structure == POT_LIMIT:  # R17
        cap = t.level + t.pot + (t.level - t.bet[seat])
        cap -= cap % r.smallest_chip
        most = min(max(cap, least), all_in)
    return min(least, most), most


@inline
def is_legal(t, r, move):
    """Whether the seat to act may make this move."""
    if t.actor == NOBODY:
        return False
    if move == FOLD or move == CHECK_CALL:
        return True
    if move < t.raise_min or move > t.raise_max or t.raise_min == 0:
        return False
    return move % r.smallest_chip == 0


@inline
def update_cap(t, r):
    """R18: note that the betting is capped. What is capped stays capped."""
    if r.structure != FIXED_LIMIT or r.max_raises[t.street] == NO_CAP or t.wagers < r.max_raises[t.street]:
        return
    exempt = t.uncapped != 0 or (r.uncapped_heads_up == WHEN_TWO_LEFT and t.live == 2)
    if not exempt:
        t.capped = 1


@inline
def open_street(t, r):
    """Begin a betting round in which nobody has bet."""
    t.level = 0
    t.full_level = 0
    t.raise_size = r.min_bet[t.street]
    t.wagers = 0
    t.capped = 0
    t.uncapped = 1 if r.uncapped_heads_up == AT_START and t.live == 2 else 0
    t.aggressor = NOBODY
    for seat in range(r.seats):
        t.bet[seat] = 0
        t.acted_level[seat] = NOT_ACTED
    update_cap(t, r)


@inline
def wager_to(t, r, seat, target):
    """Bet or raise to a street total, and decide whether it counts as a full bet or raise (R21, R24)."""
    put_in(t, seat, target - t.bet[seat])
    # The half-bet rule measures from the last full level; the full-bet rule of big-bet games from the bet as it stands.
    from_full_level = r.structure == FIXED_LIMIT or r.reopen_fraction < 1.0
    base = t.full_level if from_full_level else t.level
    if target - base >= t.raise_size or (r.reopen_fraction < 1.0 and target - base >= r.reopen_fraction * t.raise_size):
        if r.structure != FIXED_LIMIT:
            t.raise_size = max(t.raise_size, target - t.level)
        t.full_level = target
        t.wagers += 1
        update_cap(t, r)
    t.level = target
    t.aggressor = seat


@inline
def remember(t, seat, move):
    """Keep the move where encoders find it."""
    at = t.moves % MAX_MOVES
    t.move_seat[at] = seat
    t.move_street[at] = t.street
    t.move[at] = move
    t.moves += 1


@inline
def make_move(t, r, log, move):
    """What the seat to act does: fold, check or call, or raise to a total. The move must be legal."""
    seat = t.actor
    before = t.bet[seat]
    remember(t, seat, move)
    if move == FOLD:
        t.in_hand[seat] = 0
        t.live -= 1
        t.with_chips -= 1
        note(log, DID_FOLD, seat, 0, -1)
    elif move == CHECK_CALL:
        paid = put_in(t, seat, t.level - before)
        note(log, DID_CALL if paid > 0 else DID_CHECK, seat, paid, -1)
    else:
        note(log, DID_RAISE if t.level > 0 else DID_BET, seat, move, -1)
        wager_to(t, r, seat, move)
        t.street_raises[seat, t.street] = min(t.street_raises[seat, t.street] + 1, MOST_RAISES)
    t.street_bets[seat, t.street] += t.bet[seat] - before
    t.acted_level[seat] = t.level


@inline
def largest_other_bet(t, r, seat):
    """The largest street bet among a seat's live opponents."""
    largest = 0
    for other in range(r.seats):
        if other != seat and t.in_hand[other]:
            largest = max(largest, t.bet[other])
    return largest


@inline
def must_act(t, r, seat):
    """R15, R25: whether the seat still has a decision in this round."""
    if not t.in_hand[seat] or t.stack[seat] == 0:
        return False
    if t.acted_level[seat] != NOT_ACTED and t.bet[seat] >= t.level:
        return False
    # The only one with chips left is asked only when a live opponent has put in more.
    return t.with_chips > 1 or largest_other_bet(t, r, seat) > t.bet[seat]


@inline
def ask_next(t, r, after):
    """Make the first seat clockwise after `after` that must act the actor, and say what it may raise to. NOBODY
    ends the round."""
    t.actor = NOBODY
    t.raise_min = 0
    t.raise_max = 0
    seat = after
    for _ in range(r.seats):
        seat += 1
        if seat >= r.seats:
            seat = 0
        if must_act(t, r, seat):
            t.actor = seat
            t.raise_min, t.raise_max = raise_range(t, r, seat)
            return
