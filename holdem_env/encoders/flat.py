"""The `flat` observation: cards, seats, amounts and the betting of the hand as one row of numbers in 0..1.

Seats are counted from the observer clockwise, so the observer is seat 0 of every observation. An amount of chips a
is written a / (a + 20 big blinds): small bets stay apart, no stack is too deep. Nothing but the observer's own
cards, the board and what was done openly is in it: where the dealer can err, the cards that it exposed, too.
"""

from __future__ import annotations

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints, float32
from ..engine.betting import call_price
from ..engine.record import DECK, MAX_BOARD, MAX_STREETS, NOBODY, RulesRecord, TableRecord
from ..engine.seats import distance, next_seat
from ..game.rules import Rules
from .base import (
    HALF_AMOUNT,
    Layout,
    ObservationEncoder,
    big_blind,
    exposed_lengths,
    phases,
    ranges,
    squash,
    write_exposed,
)

# What stands where in the numbers of a player: chips first.
LIVE = 3 + MAX_STREETS
ALL_IN, LAST_WAGER, TURN, RAISES = LIVE + 1, LIVE + 2, LIVE + 3, LIVE + 4
PER_SEAT = RAISES + MAX_STREETS
SCALARS = 9
MANY_RAISES = 4  # raises on a street that are written as 1
CLEARED = 128  # numbers that are zeroed at first: the shortest observation has more


@inline
def clear(out: Floats) -> None:
    """Zeros where cards, street and place are written, and further."""
    for k in range(CLEARED):
        out[k] = 0.0


@inline
def raise_counts(t: TableRecord, seat: int, out: Floats, at: int) -> None:
    """A seat's raises on the streets, many as one."""
    for street in range(MAX_STREETS):
        raises = min(t.street_raises[seat, street], MANY_RAISES)
        out[at + street] = float32(raises) / float32(MANY_RAISES)


@inline
def write_cards(t: TableRecord, r: RulesRecord, seat: int, out: Floats, at: int) -> int:
    """Own cards and board, each as 52 zeros and ones."""
    if t.was_dealt[seat]:
        for k in range(r.hole_cards):
            out[at + t.hole[seat, k]] = 1.0
    at += DECK
    for k in range(MAX_BOARD - 1, -1, -1):  # without branches: how many there are is as good as random
        dealt = k < t.board_count
        out[at + (t.board[k] if dealt else 0)] = 1.0 if dealt else 0.0
    return at + DECK


@inline
def write_place(t: TableRecord, r: RulesRecord, seat: int, out: Floats, at: int) -> int:
    """The street, and where the observer sits: seats clockwise from the button."""
    out[at + t.street] = 1.0
    at += MAX_STREETS
    out[at + distance(r, t.button, seat)] = 1.0
    return at + r.seats


@inline
def write_seat(t: TableRecord, other: int, half: float, out: Floats, at: int) -> None:
    """One player: chips, and part in the hand. Who wagered last and who is to act is marked apart."""
    out[at] = squash(t.stack[other], half)
    out[at + 1] = squash(t.bet[other], half)
    out[at + 2] = squash(t.total[other], half)
    for street in range(MAX_STREETS):
        out[at + 3 + street] = squash(t.street_bets[other, street], half)
    live = t.in_hand[other]
    out[at + LIVE] = live
    out[at + ALL_IN] = live & (t.stack[other] == 0)
    out[at + LAST_WAGER] = 0.0
    out[at + TURN] = 0.0
    raise_counts(t, other, out, at + RAISES)


@inline
def mark_seat(r: RulesRecord, seat: int, other: int, out: Floats, at: int) -> None:
    """A one at `at`, counted for the observer: in the numbers of the player who is meant, if anybody is."""
    out[at + PER_SEAT * distance(r, seat, max(other, 0))] = other != NOBODY


@inline
def write_decision(t: TableRecord, r: RulesRecord, seat: int, half: float, out: Floats, at: int) -> None:
    """The price and the right to raise, which are there only while the observer is to act."""
    out[at] = squash(t.pot, half)
    out[at + 1] = t.live / float32(r.seats)
    out[at + 2] = min(t.wagers, MANY_RAISES) / float32(MANY_RAISES)
    if t.actor != seat or t.actor == NOBODY:
        out[at + 3 : at + SCALARS] = 0.0
        return
    call = call_price(t, seat)
    out[at + 3] = squash(call, half)
    out[at + 4] = float32(call) / float32(max(t.pot + call, 1))
    out[at + 5] = float32(t.stack[seat]) / float32(t.stack[seat] + t.pot + call)
    out[at + 6] = t.raise_max > 0
    out[at + 7] = squash(t.raise_min, half)
    out[at + 8] = squash(t.raise_max, half)


@inline
def write_flat(t: TableRecord, r: RulesRecord, seat: int, out: Floats) -> None:
    """The whole observation of one seat."""
    clear(out)
    half = float32(HALF_AMOUNT * big_blind(r))
    at = write_cards(t, r, seat, out, 0)
    at = write_place(t, r, seat, out, at)
    first, other = at, seat
    for _ in range(r.seats):
        write_seat(t, other, half, out, at)
        at += PER_SEAT
        other = next_seat(r, other)
    mark_seat(r, seat, t.aggressor, out, first + LAST_WAGER)
    mark_seat(r, seat, t.actor, out, first + TURN)
    write_decision(t, r, seat, half, out, at)
    at += SCALARS
    if r.phases > 1:
        out[at : at + r.phases] = 0.0
        out[at + t.phase] = 1.0
        at += r.phases
    if r.dealer_errors != 0:
        write_exposed(t, out, at)


@kernel
def observe_flat(tables: Records, rules: Records, rows: Ints, seats: Ints, out: Floats) -> None:
    """The observations of a batch."""
    for k in range(rows.size):
        t = tables[rows[k]]
        write_flat(t, rules[t.stage], seats[k], out[k])


class Flat(ObservationEncoder):
    """Cards, seats, amounts and betting history in one row; the layout says what stands where."""

    name = "flat"
    kernel = staticmethod(observe_flat)

    def layout(self, rules: Rules) -> Layout:
        lengths = [("own card, by 4 * rank + suit", DECK), ("board card, by 4 * rank + suit", DECK)]
        lengths += [("street", MAX_STREETS), ("own place, seats clockwise from the button", rules.seats)]
        for k in range(rules.seats):
            who = "own" if k == 0 else f"opponent {k}'s"
            lengths += [(f"{who} stack", 1), (f"{who} street bet", 1), (f"{who} total in the pot", 1)]
            lengths += [(f"{who} chips put in on street {street}", 1) for street in range(MAX_STREETS)]
            lengths += [(f"{who} hand is live", 1), (f"{who} all-in", 1), (f"{who} last wager on the street", 1)]
            lengths += [(f"{who} turn to act", 1)]
            lengths += [(f"{who} raises on street {street}, 4 or more = 1", 1) for street in range(MAX_STREETS)]
        lengths += [("pot", 1), ("live players / seats", 1), ("full wagers on the street, 4 or more = 1", 1)]
        lengths += [("to call (0 unless to act, as all that follow)", 1), ("to call / pot after the call", 1)]
        lengths += [
            ("stack / (stack + pot after the call)", 1),
            ("right to raise", 1),
            ("least raise to", 1),
            ("greatest raise to", 1),
        ]
        lengths += [(f"phase {name}", 1) for name in phases(rules)]
        return ranges(lengths + exposed_lengths(rules))
