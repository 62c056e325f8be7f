"""The `shown_cards` observation: what players showed, for agents that learn from it; joined to others as
"flat+shown_cards".

It has the hands that were tabled at the end of the last hand at this table, and those that lie face up in the running
hand: at an all-in (R25), and at its end (R29). A hand that was mucked is in neither. At the end of a hand that hand is
the last one.
"""

from __future__ import annotations

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints, int64
from ..engine.record import DECK, MAX_HOLE, SHOWN, RulesRecord, TableRecord
from ..engine.seats import next_seat
from ..game.rules import Rules
from .base import Layout, ObservationEncoder, exposed_lengths, ranges, write_exposed


@inline
def write_last_shown(t: TableRecord, seat: int, out: Floats, at: int) -> None:
    """The cards that a seat tabled in the last hand."""
    for k in range(MAX_HOLE):
        if t.last_shown[seat, k] > 0:
            out[at + int64(t.last_shown[seat, k]) - 1] = 1.0


@inline
def write_shown(t: TableRecord, r: RulesRecord, seat: int, out: Floats, at: int) -> None:
    """The cards of a seat that lie face up now."""
    if t.shown[seat] == SHOWN:
        for k in range(r.hole_cards):
            out[at + int64(t.hole[seat, k])] = 1.0


@kernel
def observe_shown_cards(tables: Records, rules: Records, rows: Ints, seats: Ints, out: Floats) -> None:
    """The observations of a batch."""
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        out[k, :] = 0.0
        seat = seats[k]
        at = 0
        for _ in range(r.seats):
            if t.shown_age + t.over == 1:
                write_last_shown(t, seat, out[k], at)
            write_shown(t, r, seat, out[k], at + DECK)
            at += 2 * DECK
            seat = next_seat(r, seat)
        if r.dealer_errors != 0:
            write_exposed(t, out[k], at)


class ShownCards(ObservationEncoder):
    """The cards that each player showed, in the last hand and in this one; zeros where nothing was shown."""

    name = "shown_cards"
    kernel = staticmethod(observe_shown_cards)

    def layout(self, rules: Rules) -> Layout:
        lengths = []
        for k in range(rules.seats):
            who = "own" if k == 0 else f"opponent {k}'s"
            lengths += [
                (f"{who} card that was tabled in the last hand, by 4 * rank + suit", DECK),
                (f"{who} card that lies face up in this hand, by 4 * rank + suit", DECK),
            ]
        return ranges(lengths + exposed_lengths(rules))
