"""Cards: the seeded deck of a hand, dealing, burning (R4).

Hand h of table t under seed s has always the same deck, whatever the players do and however the work is divided:
every random number is a hash of (s, t, h, its place), and nothing is carried from one hand to the next.
"""

from __future__ import annotations

from ..compiled.compiler import inline
from .log import note_cards
from .random_numbers import draw_to, hand_stream
from .record import BURN, DEAL_BOARD, DEAL_HOLE, EXPOSE, NOBODY, LogRecord, RulesRecord, TableRecord
from .seats import next_seat


@inline
def fresh_deck(t: TableRecord, r: RulesRecord) -> None:
    """The deck in its factory order, and no dealer's errors given."""
    t.errors_injected = 0
    t.orders_injected = 0
    for i in range(r.deck_size):
        t.deck[i] = r.deck[i]


@inline
def shuffle(t: TableRecord, r: RulesRecord, first: int, count: int) -> None:
    """Bring random cards of the rest of the deck to places first..first+count-1 (Fisher and Yates).

    A longer shuffle of the same hand begins with the same cards, so a game need only shuffle what it can deal.
    """
    stream = hand_stream(t.seed, t.table_id, t.hand)
    for i in range(first, min(first + count, r.deck_size)):
        stream = draw_to(t.deck, i, r.deck_size, stream)


@inline
def expose(t: TableRecord, first: int, count: int) -> None:
    """Everybody sees the cards at these places of the deck (R33-R38)."""
    for i in range(first, first + count):
        t.exposed[t.deck[i]] = 1


@inline
def deal_hole_cards(t: TableRecord, r: RulesRecord, log: LogRecord, dealer_errs: bool) -> int:
    """R4: one card at a time, clockwise from the first dealt seat left of the button. Returns how many cards were
    exposed.

    dealer_errs: whether the dealer exposes the cards marked in `exposed_deal` (R33, R34). At a misdeal, which is the
    first card exposed or any two, dealing stops and 2 is returned.
    """
    exposed = 0
    for k in range(r.hole_cards):
        seat = t.button
        for _ in range(r.seats):
            seat = next_seat(r, seat)
            if t.was_dealt[seat]:
                t.hole[seat, k] = t.deck[t.cursor]
                note_cards(log, DEAL_HOLE, seat, t.deck, t.cursor, 1)
                if dealer_errs and (t.exposed_deal >> t.cursor) & 1:
                    expose(t, t.cursor, 1)
                    note_cards(log, EXPOSE, seat, t.deck, t.cursor, 1)
                    exposed += 1
                    if t.cursor == 0 or exposed > 1:
                        return 2
                t.cursor += 1
    return exposed


@inline
def burn_cards(t: TableRecord, r: RulesRecord, log: LogRecord, street: int) -> None:
    """Burn the cards that come before the board cards of a street (R4)."""
    if r.burn_cards[street] > 0:
        note_cards(log, BURN, NOBODY, t.deck, t.cursor, r.burn_cards[street])
        t.cursor += r.burn_cards[street]


@inline
def deal_board_cards(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """Deal the board cards of the street, without a burn."""
    note_cards(log, DEAL_BOARD, NOBODY, t.deck, t.cursor, r.board_cards[t.street])
    for _ in range(r.board_cards[t.street]):
        t.board[t.board_count] = t.deck[t.cursor]
        t.board_count += 1
        t.cursor += 1


@inline
def burn_and_deal_board(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R4: burn, then deal the board cards of the street."""
    if r.board_cards[t.street] == 0:
        return
    burn_cards(t, r, log, t.street)
    deal_board_cards(t, r, log)
