"""Going round the table: the next seat clockwise, the next seat that was dealt in, the distance between seats.

`for _ in range(r.seats): seat = next_seat(r, seat)` visits every seat once: the one after the first seat comes first,
the first seat itself comes last.
"""

from __future__ import annotations

from ..compiled.compiler import inline
from .record import NOBODY, RulesRecord, TableRecord


@inline
def next_seat(r: RulesRecord, seat: int) -> int:
    """The next seat clockwise."""
    return 0 if seat + 1 >= r.seats else seat + 1


@inline
def seat_before(r: RulesRecord, seat: int) -> int:
    """The next seat counterclockwise."""
    return seat - 1 if seat > 0 else r.seats - 1


@inline
def has_hand(t: TableRecord, seat: int) -> bool:
    """Whether a seat gets cards in the hand that begins: it has chips, and the session does not hold it out."""
    return t.stack[seat] > 0 and not t.held_out[seat]


@inline
def next_dealt(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """The next seat clockwise that was dealt in; NOBODY if no hand is running."""
    for _ in range(r.seats):
        seat = next_seat(r, seat)
        if t.was_dealt[seat]:
            return seat
    return NOBODY


@inline
def distance(r: RulesRecord, first: int, last: int) -> int:
    """How many seats clockwise from one to the other: 0 to seats - 1."""
    seats = last - first
    return seats if seats >= 0 else seats + r.seats


@inline
def steps(r: RulesRecord, first: int, last: int) -> int:
    """Like `distance`, but from a seat to itself it is once round the table: 1 to seats."""
    seats = last - first
    return seats if seats > 0 else seats + r.seats
