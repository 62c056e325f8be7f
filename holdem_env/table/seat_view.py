"""SeatView: a table as one seat may see it."""

from __future__ import annotations

from typing import NamedTuple, SupportsIndex

import numpy as np

from ..cards.text import UNKNOWN, Cards
from ..engine import record
from ..engine.seat_view import new_views, view_rows
from ..game.rules import Rules
from .hand_setup import checked_seat
from .parts import Operation
from .state import TableState

ONE_ROW = np.zeros(1, np.int64)
# The operations of the log whose cards everybody sees, and those whose cards only their seat sees. A burned card, or
# one that goes back unseen (R35), nobody sees.
FACE_UP = ("deal_board", "show", "expose", "deal_early", "deal_too_many", "draw_button")
OWN = ("deal_hole", "replace_card")


class Move(NamedTuple):
    """A move of this hand."""

    seat: int
    """Who made it."""
    street: int
    """In which betting round."""
    move: int
    """The engine move: -1 folded, 0 checked or called, a positive number is the street total raised to."""


class SeatView(TableState):
    """A table as one seat may see it, made by `Table.view(seat)` or given to a `TableAgent`.

    For everything that is open it has the names of a Table. The seat sees its own hole cards, those that lie face up,
    the board, and all betting. What it cannot see is unknown (`Cards("??")`): other hole cards, burned cards, and
    mucked hands even after the hand. The deck, the seed and the numbers of hand and table are not there.

    A view is a copy: it stays as it is when the table goes on, and nothing done to it reaches the table. `records` are
    the copied record for encoders and agents. Agents that mix draw from a random word for the decision. Views in
    matches have it; with those of `Table.view` they always draw the same.

    Args:
        records: An array of one TABLE record that `view_rows` has written for this seat.
        rules: The game.
        seat: The seat that sees it.
        log: What the seat has seen happen, an Operation each. A match keeps no log; there it is empty, and `moves` has
            what was done.
    """

    def __init__(self, records: record.Records, rules: Rules, seat: int, log: list[Operation] | None = None) -> None:
        self.rules, self.log = rules, log or []
        self._records, self._seat = records, seat

    @property
    def seat(self) -> int:
        """The seat whose view this is."""
        return self._seat

    def hole_cards(self, seat: SupportsIndex | None = None) -> Cards:
        """A seat's hole cards, by default the viewer's; "??" for each card that is hidden."""
        return super().hole_cards(self._seat if seat is None else seat)

    def nearest_raise(self, total: float) -> int | None:
        """The legal bet or raise nearest to a street total, in whole chips and not above it unless it is below the
        least; None if no raise is legal."""
        least, most = self.legal.raise_min, self.legal.raise_max
        if least is None or most is None:
            return None
        chip = self.game.smallest_chip
        return max(least, min(most, int(total) // chip * chip))

    @property
    def moves(self) -> list[Move]:
        """The moves of this hand, oldest first; of a hand with more than 64 the latest 64."""
        t = self._records[0]
        count = int(t["moves"])
        places = [number % record.MAX_MOVES for number in range(max(0, count - record.MAX_MOVES), count)]
        made = t["made"][places]
        columns = (made[name].tolist() for name in Move._fields)
        return [Move(*move) for move in zip(*columns, strict=True)]


def view_of(table: TableState, seat: SupportsIndex | None = None) -> SeatView:
    """See `Table.view`."""
    if seat is None and table.actor is None:
        raise ValueError(f"view: the hand is over, nobody is to act; name a seat, 0..{table.rules.seats - 1}")
    viewer = checked_seat(table.rules, table.actor if seat is None else seat)  # type: ignore[arg-type]
    copy = record_seen(table.records, table.rules, viewer)
    return SeatView(copy, table.rules, viewer, [seen(operation, viewer) for operation in table.log])


def record_seen(records: record.Records, rules: Rules, seat: SupportsIndex) -> record.Records:
    """A copy of one TABLE record as a seat may see it. Raises ValueError if there is no such seat."""
    copy = new_views(1)
    view_rows(records, rules.record, ONE_ROW, copy, np.array([checked_seat(rules, seat)]))
    return copy


def seen(operation: Operation, seat: int) -> Operation:
    """An operation as a seat sees it: cards that it cannot see are unknown."""
    kind = operation.kind
    is_open = kind in FACE_UP or (kind == "take_back" and operation.seat is None)
    if is_open or (kind in OWN and operation.seat == seat):
        return operation
    return operation._replace(cards=Cards([UNKNOWN] * len(operation.cards)))
