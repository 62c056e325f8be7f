"""Antes, blinds, straddle (R6-R9) and missed blinds (R10): what is posted before the deal.

The record keeps what every seat posted (`posted`, a bit for each kind). The chips follow from it, the rules and the
starting stack, because a short stack posts what it has: `ante_posted`, `bet_posted` and `dead_posted` give them at any
time, also when the hand is over.
"""

from __future__ import annotations

from ..compiled.compiler import inline, noinline
from .betting import commit_chips, pay_into_pot, update_cap
from .log import note
from .record import (
    FIXED_LIMIT,
    LOG_TYPE,
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
    RULES_TYPE,
    TABLE_TYPE,
    LogRecord,
    RulesRecord,
    TableRecord,
)
from .seats import next_dealt, next_seat


@inline
def has_posted(t: TableRecord, seat: int, kind: int) -> bool:
    """Whether a seat posted this before the deal: one of the first POSTINGS operations."""
    return (t.posted[seat] >> kind) & 1 != 0


@inline
def ante_posted(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """The chips of a seat's ante, which counts in the pot and not towards calling (R8)."""
    return min(r.ante, t.start_stack[seat]) if has_posted(t, seat, POST_ANTE) else 0


@inline
def bet_posted(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """The chips that a seat posted as its street bet: a blind, a missed big blind, or the straddle (R6-R10)."""
    chips = 0
    if has_posted(t, seat, POST_SMALL_BLIND):
        chips += r.small_blind
    if has_posted(t, seat, POST_BIG_BLIND):
        chips += r.big_blind
    if has_posted(t, seat, POST_LIVE):
        chips += r.big_blind
    if has_posted(t, seat, POST_STRADDLE):
        chips = r.straddle
    return min(chips, t.start_stack[seat] - ante_posted(t, r, seat))


@inline
def dead_posted(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """The chips that a seat posted as dead money: the big-blind ante (R8), a missed small blind (R10)."""
    chips = 0
    if has_posted(t, seat, POST_BIG_BLIND_ANTE):
        chips += r.big_blind_ante
    if has_posted(t, seat, POST_DEAD):
        chips += r.small_blind
    return min(chips, t.start_stack[seat] - ante_posted(t, r, seat) - bet_posted(t, r, seat)) if chips > 0 else 0


@inline
def level_posted(t: TableRecord, r: RulesRecord) -> int:
    """The street total to match after the posting: the straddle, or a blind in full, by whichever seat (R8, R9)."""
    return r.straddle if t.straddle_seat != NOBODY else max(r.small_blind, r.big_blind)


@inline
def note_posting(t: TableRecord, log: LogRecord, kind: int, seat: int, chips: int) -> None:
    """Write a posting to the record and to the log."""
    t.posted[seat] |= 1 << kind
    note(log, kind, seat, chips, -1)


@inline
def post_antes(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R8: post the uniform ante, which is a contribution like any other."""
    seat = t.button
    for _ in range(t.dealt):
        seat = next_dealt(t, r, seat)
        paid = pay_into_pot(t, seat, r.ante)  # which does not count towards calling
        t.total[seat] += paid
        note_posting(t, log, POST_ANTE, seat, paid)


@inline
def post_bet(t: TableRecord, log: LogRecord, kind: int, seat: int, amount: int) -> None:
    """Post chips that count as the seat's bet. R9: a short stack posts what it has."""
    if seat != NOBODY and amount > 0 and t.stack[seat] > 0:
        paid = commit_chips(t, seat, amount)
        t.street_bets[seat, 0] += paid
        note_posting(t, log, kind, seat, paid)


@inline
def post_dead_money(t: TableRecord, log: LogRecord, kind: int, seat: int, amount: int) -> None:
    """R8, R10: post chips that are nobody's contribution and lie in the main pot."""
    if amount > 0 and t.stack[seat] > 0:
        paid = pay_into_pot(t, seat, amount)
        t.dead += paid
        note_posting(t, log, kind, seat, paid)


@inline
def post_missed_blinds(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R10: returning players post the blinds they owe, from the left of the button: the big blind live, the small blind
    dead."""
    seat = t.button
    for _ in range(r.seats):
        seat = next_seat(r, seat)
        if t.was_dealt[seat] and t.posts[seat] & OWES_BIG:
            post_bet(t, log, POST_LIVE, seat, r.big_blind)
        if t.was_dealt[seat] and t.posts[seat] & OWES_SMALL:
            post_dead_money(t, log, POST_DEAD, seat, r.small_blind)


@inline
def post_straddle(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R8: post the straddle, only with three or more players and only in full. It is the bet to match and the minimum
    raise, and the second bet of fixed limit."""
    seat = next_dealt(t, r, t.big_blind_seat)
    missing = r.straddle - t.bet[seat]  # a returning player may have posted a live blind (R10)
    if t.dealt < 3 or t.stack[seat] < missing:
        return
    post_bet(t, log, POST_STRADDLE, seat, missing)
    t.straddle_seat = seat
    t.bet_to_match = level_posted(t, r)
    t.last_full_bet = t.bet_to_match
    t.wagers += 1
    if r.structure != FIXED_LIMIT:
        t.raise_size = r.straddle


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def post_all(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """Everything that is posted before the deal. The price to call is that of the full blind, even if nobody posted it
    in full (R9)."""
    if r.ante > 0:
        post_antes(t, r, log)
    post_bet(t, log, POST_SMALL_BLIND, t.small_blind_seat, r.small_blind)
    post_bet(t, log, POST_BIG_BLIND, t.big_blind_seat, r.big_blind)
    t.bet_to_match = level_posted(t, r)
    t.last_full_bet = t.bet_to_match
    post_dead_money(t, log, POST_BIG_BLIND_ANTE, t.big_blind_seat, r.big_blind_ante)
    if r.is_session != 0:
        post_missed_blinds(t, r, log)
    if r.straddle > 0:
        post_straddle(t, r, log)
    update_cap(t, r)
