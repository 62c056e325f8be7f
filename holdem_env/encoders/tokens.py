"""The `tokens` observation: the hand as a sequence of events, a row of eight numbers each, for recurrent and attention
models.

First who sits there, clockwise from the left of the button, then the observer's cards, then board cards and moves in
the order in which they came, at last who is to act; the rows after that are zeros. Where the dealer can err, the cards
that it exposed (R33-R38) stand before who is to act, lowest first. The first four columns are small
whole numbers, made for embedding tables; the others lie in 0..1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints, float32, int64
from ..engine.betting import call_price
from ..engine.posting import bet_posted
from ..engine.record import DECK, MAX_MOVES, MAX_STREETS, NOBODY, RulesRecord, TableRecord
from ..engine.replay import (
    RAISED,
    begin_replay,
    chips_not_bet,
    come_to_move,
    first_move,
    first_street,
    replay_move,
)
from ..engine.seats import distance, next_seat
from ..game.rules import Rules
from .base import HALF_AMOUNT, Layout, Legend, ObservationEncoder, Shape, big_blind, raise_fraction, ranges, squash

if TYPE_CHECKING:  # spaces are imported when asked for
    from gymnasium.spaces import Box

KINDS = ["padding", "player", "own card", "board card", "fold", "check", "call", "bet or raise", "to act"]
EXPOSED_KIND = "card exposed by a dealer's error"
PLAYER, OWN_CARD, BOARD_CARD, FIRST_MOVE, TO_ACT, EXPOSED_CARD = 1, 2, 3, 4, 8, 9
MAX_EXPOSED = 10  # a hole card; a flop too early, and one with four cards; turn and river too early
COLUMNS = [
    "kind of the event",
    "player: 1 + seats clockwise from the observer; 0 none",
    "street: 1 + street; 0 none",
    "card: 1 + 4 * rank + suit; 0 none",
    "chips put in (player: antes and blinds; to act: chips to call)",
    "street total that the move comes to (player: starting stack; to act: pot)",
    "part of the pot after the call: of a raise x / (1 + x), of a call (to act: the call; player: the phase, if mixed)",
    "takes the whole stack (player: has the button)",
]
WIDTH = len(COLUMNS)
KIND, PLAYER_AT, STREET_AT, CARD, CHIPS, TOTAL, PART, FLAG = range(WIDTH)


@inline
def write_event(out: Floats, at: int, kind: int, who: int, street: int, card: int) -> int:
    """The whole numbers of a row."""
    out[at + KIND] = kind
    out[at + PLAYER_AT] = who
    out[at + STREET_AT] = street
    out[at + CARD] = card
    return at + WIDTH


@inline
def write_players(t: TableRecord, r: RulesRecord, observer: int, half: float, out: Floats, at: int) -> int:
    """Those who were dealt in, from the left of the button; the button is the last."""
    seat = t.button
    for _ in range(r.seats):
        seat = next_seat(r, seat)
        if t.was_dealt[seat]:
            out[at + CHIPS] = squash(bet_posted(t, r, seat) + chips_not_bet(t, r, seat), half)
            out[at + TOTAL] = squash(t.start_stack[seat], half)
            out[at + PART] = (1 + t.phase) / r.phases if r.phases > 1 else 0.0
            out[at + FLAG] = 1.0 if seat == t.button else 0.0
            at = write_event(out, at, PLAYER, 1 + distance(r, observer, seat), 0, 0)
    return at


@inline
def write_own_cards(t: TableRecord, r: RulesRecord, observer: int, out: Floats, at: int) -> int:
    """The observer's cards."""
    if t.was_dealt[observer]:
        for k in range(r.hole_cards):
            at = write_event(out, at, OWN_CARD, 1, 1, 1 + int64(t.hole[observer, k]))
    return at


@inline
def write_board(t: TableRecord, r: RulesRecord, street: int, out: Floats, at: int) -> int:
    """The board cards of one street, as far as they are dealt."""
    first = 0
    for earlier in range(street):
        first += r.board_cards[earlier]
    for k in range(first, min(first + r.board_cards[street], t.board_count)):
        at = write_event(out, at, BOARD_CARD, 0, 1 + street, 1 + int64(t.board[k]))
    return at


@inline
def write_move(
    past: TableRecord,
    t: TableRecord,
    r: RulesRecord,
    observer: int,
    k: int,
    seat: int,
    half: float,
    out: Floats,
    at: int,
) -> int:
    """Move k, which `past` has come to."""
    call, level, pot = call_price(past, seat), past.bet_to_match, past.pot
    kind = replay_move(past, t, r, k)
    paid = past.pot - pot
    out[at + CHIPS] = squash(paid, half)
    out[at + TOTAL] = squash(past.bet[seat], half)
    if kind == RAISED:
        fraction = raise_fraction(past.bet[seat], level, pot, call)
        out[at + PART] = fraction / (1.0 + fraction)
    elif paid > 0:
        out[at + PART] = call / (pot + call)
    out[at + FLAG] = 1.0 if paid > 0 and past.stack[seat] == 0 else 0.0
    return write_event(out, at, FIRST_MOVE + kind, 1 + distance(r, observer, seat), 1 + past.street, 0)


@inline
def write_history(
    past: TableRecord, t: TableRecord, r: RulesRecord, observer: int, half: float, out: Floats, at: int
) -> int:
    """Board cards and moves in the order in which they came. past: a record to replay the betting in."""
    begin_replay(past, t, r, first_street(t))
    dealt = -1  # the last street whose cards are written
    for k in range(first_move(t), t.moves):
        seat = come_to_move(past, t, r, k)
        for street in range(dealt + 1, past.street + 1):
            at = write_board(t, r, street, out, at)
            dealt = street
        at = write_move(past, t, r, observer, k, seat, half, out, at)
    for street in range(dealt + 1, r.streets):
        at = write_board(t, r, street, out, at)
    return at


@inline
def write_exposed_cards(t: TableRecord, out: Floats, at: int) -> int:
    """The cards that a dealer's error showed to everybody, wherever they lie now."""
    for card in range(DECK):
        if t.exposed[card]:
            at = write_event(out, at, EXPOSED_CARD, 0, 0, 1 + card)
    return at


@inline
def write_to_act(t: TableRecord, r: RulesRecord, observer: int, half: float, out: Floats, at: int) -> int:
    """Whose turn it is."""
    if t.actor != NOBODY:
        call = call_price(t, t.actor)
        out[at + CHIPS] = squash(call, half)
        out[at + TOTAL] = squash(t.pot, half)
        out[at + PART] = call / max(t.pot + call, 1)
        out[at + FLAG] = 1.0 if call == t.stack[t.actor] else 0.0
        at = write_event(out, at, TO_ACT, 1 + distance(r, observer, t.actor), 1 + t.street, 0)
    return at


@kernel
def observe_tokens(tables: Records, rules: Records, rows: Ints, seats: Ints, out: Floats) -> None:
    """The observations of a batch."""
    past = tables[:1].copy()
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        half = float32(HALF_AMOUNT * big_blind(r))
        out[k, :] = 0.0
        at = write_players(t, r, seats[k], half, out[k], 0)
        at = write_own_cards(t, r, seats[k], out[k], at)
        at = write_history(past[0], t, r, seats[k], half, out[k], at)
        if r.dealer_errors != 0:
            at = write_exposed_cards(t, out[k], at)
        write_to_act(t, r, seats[k], half, out[k], at)


class Tokens(ObservationEncoder):
    """Events in rows of eight numbers; the layout names the columns. Of more than 64 moves it has the latest 64."""

    name = "tokens"
    kernel = staticmethod(observe_tokens)
    layout_axis = 1

    def layout(self, rules: Rules) -> Layout:
        return ranges([(column, 1) for column in COLUMNS])

    def legend(self, rules: Rules) -> Legend:
        return {"Kinds of events": _kinds(rules)}

    def shape(self, rules: Rules) -> Shape:
        exposed = 0 if rules.dealer_errors is None else MAX_EXPOSED
        cards = max(stage.hole_cards + sum(stage.board_cards) for stage in rules.stages)
        return (rules.seats + cards + MAX_MOVES + 1 + exposed, WIDTH)

    def space(self, rules: Rules) -> Box:
        from gymnasium.spaces import Box

        high = np.ones(self.shape(rules), np.float32)
        high[:, :CHIPS] = len(_kinds(rules)) - 1, rules.seats, MAX_STREETS, DECK
        return Box(np.zeros_like(high), high, dtype=np.float32)


def _kinds(rules: Rules) -> list[str]:
    return KINDS if rules.dealer_errors is None else [*KINDS, EXPOSED_KIND]
