"""Antes, blinds and straddle (R6-R9)."""

from __future__ import annotations

from ..compiled.compiler import inline
from .betting import put_in, update_cap
from .log import note
from .record import (
    FIXED_LIMIT,
    NOBODY,
    OWES_BIG,
    OWES_SMALL,
    POST_ANTE,
    POST_BIG_BLIND,
    POST_BIG_BLIND_ANTE,
    POST_DEAD,
    POST_LIVE,
    POST_SMALL_BLIND,
    POST_STRADDLE,
)
from .seats import next_dealt, next_seat


@inline
def pay_ante(t, seat, amount):
    """Chips into the pot that do not count towards calling (R8)."""
    paid = min(amount, t.stack[seat])
    t.stack[seat] -= paid
    t.pot += paid
    if paid > 0 and t.stack[seat] == 0:
        t.with_chips -= 1
    return paid


@inline
def post_antes(t, r, log):
    """R8: a uniform ante is a contribution like any other."""
    seat = t.button
    for _ in range(t.dealt):
        seat = next_dealt(t, r, seat)
        paid = pay_ante(t, seat, r.ante)
        t.total[seat] += paid
        note(log, POST_ANTE, seat, paid, -1)


@inline
def post_blind(t, log, kind, seat, amount):
    """R9: a short stack posts what it has."""
    if seat != NOBODY and amount > 0 and t.stack[seat] > 0:
        paid = put_in(t, seat, amount)
        t.street_bets[seat, 0] += paid
        note(log, kind, seat, paid, -1)


@inline
def post_straddle(t, r, log):
    """R8: with three or more players, only in full; the bet to match, and the minimum raise; the second bet of
    fixed limit."""
    seat = next_dealt(t, r, t.big_blind_seat)
    missing = r.straddle - t.bet[seat]  # whoever comes back here has posted a live blind (R10)
    if t.dealt < 3 or t.stack[seat] < missing:
        return
    post_blind(t, log, POST_STRADDLE, seat, missing)
    t.straddle_seat = seat
    t.level = r.straddle
    t.full_level = r.straddle
    t.wagers += 1
    if r.structure != FIXED_LIMIT:
        t.raise_size = r.straddle


@inline
def post_missed(t, r, log):
    """R10: who returns posts what it owes, from the left of the button: the big blind live, the small one dead."""
    seat = t.button
    for _ in range(r.seats):
        seat = next_seat(r, seat)
        if t.was_dealt[seat] and t.posts[seat] & OWES_BIG:
            post_blind(t, log, POST_LIVE, seat, r.big_blind)
        if t.was_dealt[seat] and t.posts[seat] & OWES_SMALL and t.stack[seat] > 0:
            paid = pay_ante(t, seat, r.small_blind)
            t.dead += paid
            note(log, POST_DEAD, seat, paid, -1)


@inline
def post_all(t, r, log):
    """Everything that is posted before the deal. The price to call is that of the full blind, posted or not (R9)."""
    if r.ante > 0:
        post_antes(t, r, log)
    post_blind(t, log, POST_SMALL_BLIND, t.small_blind_seat, r.small_blind)
    post_blind(t, log, POST_BIG_BLIND, t.big_blind_seat, r.big_blind)
    t.level = max(r.small_blind, r.big_blind)
    t.full_level = t.level
    if r.big_blind_ante > 0 and t.stack[t.big_blind_seat] > 0:
        paid = pay_ante(t, t.big_blind_seat, r.big_blind_ante)
        t.dead += paid
        note(log, POST_BIG_BLIND_ANTE, t.big_blind_seat, paid, -1)
    if r.is_session != 0:
        post_missed(t, r, log)
    if r.straddle > 0:
        post_straddle(t, r, log)
    update_cap(t, r)
