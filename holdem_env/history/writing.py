"""What the writers of hands share: what of a hand may be written, what a format cannot express, and files of hands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, SupportsIndex

from ..engine.record import NOBODY
from ..table.hand_setup import checked_seat
from ..table.table import Table
from .errors import HistoryError
from .files import StrPath, whole_text

DEALER_ERRORS = {
    "expose": "a dealer's error: a hole card was exposed (R33-R38)",
    "extra_card": "a dealer's error: the first player was dealt a card too many (R33-R38)",
    "deal_early": "a dealer's error: board cards were dealt before the betting was complete (R33-R38)",
    "deal_too_many": "a dealer's error: the flop had too many cards (R33-R38)",
}
MISSED_BLINDS = {
    "post_live": "missed blinds: a missed big blind was posted (R10)",
    "post_dead": "missed blinds: a missed small blind was posted (R10)",
}


@dataclass(frozen=True)
class HandOptions:
    """How to write a hand: the arguments of `phh.dumps` and `pokerstars.dumps`, which say what they mean."""

    hand: int | str | None = None
    players: Sequence[str] | None = None
    unit: Decimal | int = 1
    known: Collection[int] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    public: bool = False
    seat: SupportsIndex | None = None
    time: datetime | None = None
    table_name: str | None = None
    currency: str | None = None


@dataclass
class HandToWrite:
    """A hand and how to write it.

    Raises:
        ValueError: If the seat of the options does not exist.
    """

    table: Table
    options: HandOptions

    def __post_init__(self) -> None:
        self.viewer = None if self.options.seat is None else checked_seat(self.table.game, self.options.seat)
        self.dealt = dealt_clockwise(self.table)

    @cached_property
    def visible(self) -> set[int] | None:
        """The known cards that everybody or the viewer has seen, which may be written; None for all cards."""
        known = None if self.options.known is None else set(self.options.known)
        if not self.options.public and self.viewer is None:
            return known
        table = self.table
        seen_of = (seat for seat in range(table.game.seats) if seat == self.viewer or table.is_shown(seat))
        seen = {*table.board, *(card for seat in seen_of for card in table.hole_cards(seat))}
        return seen if known is None else seen & known


def dealt_clockwise(table: Table) -> list[int]:
    """The seats dealt in, from the left of the button; heads-up from the big blind."""
    clockwise = [(table.button + 1 + k) % table.game.seats for k in range(table.game.seats)]
    return [seat for seat in clockwise if table.records["was_dealt"][0, seat]]


def inexpressible(format: str, hand: int | str | None, what: str) -> HistoryError:
    """The error of a hand that a format cannot express."""
    return HistoryError(None, hand, f"{format} cannot express {what}")


def check_log(format: str, hand: int | str | None, table: Table, refused: Mapping[str, str]) -> None:
    """Raise HistoryError for operations that a format cannot express. refused: what they are, by their kind."""
    for operation in table.log:
        if operation.kind in refused:
            raise inexpressible(format, hand, refused[operation.kind])


def check_dealing(format: str, hand: int | str | None, table: Table) -> None:
    """Raise HistoryError for a hand that PHH and the ACPC's format cannot express: with a dealer's error (R33-R38),
    missed blinds, a dead small blind, the button at an empty seat, or blinds elsewhere than left of it (R10)."""
    check_log(format, hand, table, DEALER_ERRORS)
    check_log(format, hand, table, MISSED_BLINDS)
    row, dealt = table.records[0], dealt_clockwise(table)
    if row["small_blind_seat"] == NOBODY:
        raise inexpressible(format, hand, "a hand in which nobody has the small blind (R10)")
    if not row["was_dealt"][row["button"]]:
        raise inexpressible(format, hand, "a button at an empty seat (R10)")
    usual = dealt[::-1] if len(dealt) == 2 else dealt[:2]  # heads-up the button has the small blind (R6, R7)
    if [row["small_blind_seat"], row["big_blind_seat"]] != usual:
        raise inexpressible(format, hand, "blinds elsewhere than left of the button (R10)")


def write_hands(
    dumps: Callable[..., str],
    framed: Callable[[str, object], str],
    tables: Table | Iterable[Table],
    path: StrPath,
    options: Mapping[str, Any],
) -> None:
    """Write one Table or several to a file, numbered from 1; an error leaves what was there before. dumps, options:
    what makes the text, and its arguments. framed: the text as it stands in the file."""
    with whole_text(path) as file:
        for number, table in enumerate([tables] if isinstance(tables, Table) else tables, 1):
            file.write(framed(dumps(table, **{"hand": number, **options}), number))
