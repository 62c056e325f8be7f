"""The dealer's errors and their remedies (R33-R38): exposed cards, misdeals, premature board cards, reshuffles.

Which errors happen in a hand is given, or a hash of its seed, table and number. The players have no influence on it,
and the deck stays the one the seed gives. Every remedy only moves cards within the deck of the record, so cards are
never lost or doubled, and the places of R4 keep their meaning: `deck[:cursor]` is out, `deck[cursor:]` is the stub.

When a random error happens: an exposed hole card is any of those dealt, all equally likely; a premature card is turned
when the betting round that it comes too early for begins, or after some of its moves. A round in which nobody has a
decision is complete when it begins, so nothing can come too early for it. Nor can a card whose moment comes only when
the round is complete.
"""

from __future__ import annotations

import numpy as np

from ..compiled import types
from ..compiled.compiler import compiled, inline, noinline
from ..compiled.scalars import int64
from .betting import must_act
from .dealing import burn_and_deal_board, burn_cards, deal_board_cards, deal_hole_cards, expose
from .log import note, note_cards
from .random_numbers import GOLDEN, MIX_2, hand_stream, mix, random_below
from .record import (
    DEAL_EARLY,
    DEAL_EXTRA,
    DEAL_TOO_MANY,
    DEALER_ERRORS,
    DEALER_ERRS,
    EXPOSED_HOLE_CARD,
    EXTRA_CARD,
    EXTRA_CARDS,
    FLOP_TOO_MANY,
    LOG_TYPE,
    MISDEAL,
    NO_CARD,
    NOBODY,
    PREMATURE_FLOP,
    REPLACE_CARD,
    RESHUFFLE,
    RULES_TYPE,
    TABLE_TYPE,
    TAKE_BACK,
    LogRecord,
    RulesRecord,
    TableRecord,
)
from .seats import next_dealt

ERROR_SALT = 0x4D495344
RESHUFFLE_SALT = 0x53485546
FLOP, TURN, RIVER = 1, 2, 3
KINDS = len(DEALER_ERRORS)
S32 = np.uint64(32)


@compiled
def draw_errors(t: TableRecord, r: RulesRecord) -> None:
    """The errors of the hand, each with its own probability; they depend on seed, table and hand alone."""
    stream = hand_stream(t.seed ^ ERROR_SALT, t.table_id, t.hand)
    t.errors = 0
    for kind in range(KINDS):
        stream = stream + GOLDEN
        if int64(mix(stream) >> S32) < r.error_chance[kind]:
            t.errors |= 1 << kind


@inline
def draw_exposed(t: TableRecord, r: RulesRecord) -> None:
    """R33, R34: which hole card is exposed; all that are dealt are equally likely."""
    t.exposed_deal = 0
    if t.errors & EXPOSED_HOLE_CARD:
        stream = hand_stream(t.seed ^ ERROR_SALT, t.table_id, t.hand) + GOLDEN * np.uint64(KINDS + 1)
        t.exposed_deal = int64(1) << random_below(mix(stream), t.dealt * r.hole_cards)


@noinline(TABLE_TYPE, RULES_TYPE, types.int64)
def begin_errors(t: TableRecord, r: RulesRecord, street: int) -> None:
    """Before the posting of a hand that begins on this street: draw what will go wrong. Nothing has gone wrong yet."""
    t.follow_ups &= ~DEALER_ERRS  # of the hand before; what it exposed is cleared here, too
    if r.dealer_errors != 0 or t.errors_injected != 0:
        t.follow_ups |= DEALER_ERRS
    t.exposed[:] = 0
    t.reshuffles = 0
    t.premature_turn = NO_CARD
    t.premature_cards = 0
    if t.errors_injected == 0:
        draw_errors(t, r)
        draw_exposed(t, r)
    if street > 0:  # what was dealt before the hand began was dealt well
        t.exposed_deal = 0
        gone = EXPOSED_HOLE_CARD | EXTRA_CARD | EXTRA_CARDS | FLOP_TOO_MANY
        for earlier in range(street):
            gone |= PREMATURE_FLOP << earlier
        t.errors &= ~gone


@inline
def draw_moment(t: TableRecord, r: RulesRecord) -> int:
    """R36-R38: after how many moves of this round a random error turns the next street's cards: none, or one to all but
    one of the players who have a decision when it begins. The random numbers are the same whatever the players do."""
    stream = hand_stream(t.seed ^ ERROR_SALT, t.table_id, t.hand) + GOLDEN * np.uint64(KINDS + 2 + 2 * t.street)
    others = -1
    for seat in range(r.seats):
        others += must_act(t, r, seat)
    if others < 1 or int64(mix(stream) >> S32) >= r.error_mid_round:
        return 0
    return 1 + random_below(mix(stream + GOLDEN), others)


@noinline(TABLE_TYPE, RULES_TYPE)
def begin_round(t: TableRecord, r: RulesRecord) -> None:
    """A betting round begins: note it, and when the next street's cards come too early if the error is a random one."""
    t.round_began = t.moves
    if t.errors_injected == 0 and t.errors & (PREMATURE_FLOP << t.street):
        t.premature_after[t.street] = draw_moment(t, r)


@inline
def draw_order(t: TableRecord, r: RulesRecord, k: int) -> None:
    """The k-th order of the hand's reshuffles, whatever was dealt: a hash of seed, table, hand and k."""
    order = t.reshuffle_order[k]
    for i in range(r.deck_size):
        order[i] = r.deck[i]
    stream = mix(hand_stream(t.seed ^ RESHUFFLE_SALT, t.table_id, t.hand) + MIX_2 * np.uint64(k + 1))
    for i in range(r.deck_size - 1):
        stream = stream + GOLDEN
        j = i + random_below(mix(stream), r.deck_size - i)
        card = order[j]
        order[j] = order[i]
        order[i] = card


@compiled
def reshuffle(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """Reshuffle and cut the stub: its cards come in the order in which they stand in the next order of the deck."""
    k = t.reshuffles
    if k >= t.orders_injected:
        draw_order(t, r, k)
    in_stub = int64(0)
    for i in range(t.cursor, r.deck_size):
        in_stub |= int64(1) << int64(t.deck[i])
    at = t.cursor
    for i in range(r.deck_size):
        card = int64(t.reshuffle_order[k, i])
        if (in_stub >> card) & 1:
            t.deck[at] = card
            at += 1
    t.reshuffles = k + 1
    note(log, RESHUFFLE, NOBODY, 0, -1)


@inline
def deal_extra_cards(t: TableRecord, r: RulesRecord, log: LogRecord) -> int:
    """R35: the first player is dealt one card too many, or two. Returns how many; they still lie on the stub."""
    count = 0
    if t.errors & EXTRA_CARDS:
        count = 2
    elif t.errors & EXTRA_CARD:
        count = 1
    for i in range(count):
        note_cards(log, DEAL_EXTRA, next_dealt(t, r, t.button), t.deck, t.cursor + i, 1)
    return count


@inline
def replace_exposed(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R34: swap the exposed card with the top card of the stub, so that it is the first card burned."""
    place = 0
    while ((t.exposed_deal >> place) & 1) == 0:
        place += 1
    card = t.deck[place]
    t.deck[place] = t.deck[t.cursor]
    t.deck[t.cursor] = card
    for seat in range(r.seats):
        if t.was_dealt[seat]:
            for k in range(r.hole_cards):
                if t.hole[seat, k] == card:
                    t.hole[seat, k] = t.deck[place]
                    note_cards(log, REPLACE_CARD, seat, t.deck, place, 1)
                    return


@inline
def misdeal(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R33-R35: a misdeal: all cards go back and are dealt again after a reshuffle. Antes and blinds stay."""
    note(log, MISDEAL, NOBODY, 0, -1)
    t.exposed[:] = 0
    t.cursor = 0
    reshuffle(t, r, log)
    deal_hole_cards(t, r, log, False)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def deal_hole_cards_with_errors(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R33-R35: deal the hole cards with the dealer's errors, and put right what went wrong."""
    exposed = deal_hole_cards(t, r, log, True)
    extra = deal_extra_cards(t, r, log) if exposed < 2 else 0
    if exposed + extra > 1:
        misdeal(t, r, log)
    elif exposed == 1:
        replace_exposed(t, r, log)
    elif extra == 1:
        note_cards(log, TAKE_BACK, next_dealt(t, r, t.button), t.deck, t.cursor, 1)
    t.errors &= ~(EXPOSED_HOLE_CARD | EXTRA_CARD | EXTRA_CARDS)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def deal_too_early(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R36-R38: the dealer turns the cards of the next street when the betting round is not complete and as many moves
    have been made in it as there were to be."""
    bit = PREMATURE_FLOP << t.street
    if t.actor == NOBODY or t.street == RIVER or (t.errors & bit) == 0:
        return
    if t.moves - t.round_began < t.premature_after[t.street]:
        return
    t.errors &= ~bit
    count = r.board_cards[t.street + 1]
    burn_cards(t, r, log, t.street + 1)
    note_cards(log, DEAL_EARLY, NOBODY, t.deck, t.cursor, count)
    expose(t, t.cursor, count)
    if t.street + 1 == TURN:
        t.premature_turn = t.cursor
    else:
        t.premature_cards = count
    t.cursor += count


@inline
def take_back(t: TableRecord, log: LogRecord, count: int) -> None:
    """Put the last board cards back into the stub."""
    t.cursor -= count
    note_cards(log, TAKE_BACK, NOBODY, t.deck, t.cursor, count)


@inline
def take_back_set_aside(t: TableRecord, log: LogRecord) -> None:
    """R37: put the premature turn card back into the stub. Burned cards and the turn itself stay out."""
    card = t.deck[t.premature_turn]
    t.cursor -= 1
    for i in range(t.premature_turn, t.cursor):
        t.deck[i] = t.deck[i + 1]
    t.deck[t.cursor] = card
    t.premature_turn = NO_CARD
    note_cards(log, TAKE_BACK, NOBODY, t.deck, t.cursor, 1)


@inline
def deal_too_many(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R36: a flop with one card too many, which everybody sees and which goes back."""
    t.errors &= ~FLOP_TOO_MANY
    count = r.board_cards[FLOP] + 1
    note_cards(log, DEAL_TOO_MANY, NOBODY, t.deck, t.cursor, count)
    expose(t, t.cursor, count)
    t.cursor += count
    take_back(t, log, count)
    reshuffle(t, r, log)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def deal_board_after_errors(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R36-R38: deal the board cards of the street. Cards dealt too early go back first; then there is no further
    burn."""
    burned = t.premature_cards > 0 or (t.street == RIVER and t.premature_turn != NO_CARD)
    if t.premature_cards > 0:
        take_back(t, log, t.premature_cards)
        t.premature_cards = 0
    if t.street == RIVER and t.premature_turn != NO_CARD:
        take_back_set_aside(t, log)
    if burned:
        reshuffle(t, r, log)
    if t.street == FLOP and t.errors & FLOP_TOO_MANY:
        if not burned:
            burn_cards(t, r, log, FLOP)
        deal_too_many(t, r, log)
        burned = True
    if burned:
        deal_board_cards(t, r, log)
    else:
        burn_and_deal_board(t, r, log)
