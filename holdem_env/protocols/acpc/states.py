"""The states of a hand as its players receive them: MATCHSTATE lines."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from ...cards.text import UNKNOWN, Cards
from ...history.acpc_text import by_position, last_street, state_text
from ...table.seat_view import Move
from ...table.state import TableState

HIDDEN = Cards([UNKNOWN])


@dataclass
class Hand:
    """A hand as one seat receives it.

    table: what the seat may see. number: of the hand. first: the seat at position 0. moves: all of the hand so far.
    """

    table: TableState
    seat: int
    number: int
    first: int
    moves: Sequence[Move]

    def now(self) -> str:
        """The present state. Once the hand is over, the hands of a showdown are open."""
        table = self.table
        live = [seat for seat in range(table.rules.seats) if not table.is_folded(seat)]
        is_showdown = table.is_over and len(live) > 1
        return self._state(self.moves, last_street(table), {self.seat, *(live if is_showdown else ())})

    def before(self, made: int) -> str:
        """The state before the move after the first `made` ones."""
        return self._state(self.moves[:made], self.moves[made].street, {self.seat})

    def _state(self, moves: Sequence[Move], street: int, seen: Set[int]) -> str:
        order = by_position(self.table.rules.seats, self.first)
        holes = [self.table.hole_cards(seat) if seat in seen else HIDDEN for seat in order]
        return f"MATCHSTATE:{order.index(self.seat)}:{state_text(self.table, self.number, moves, holes, street)}"
