"""What a Table shows: its pots, what was posted, and the operations in its log."""

from __future__ import annotations

from typing import NamedTuple

from ..cards.text import Cards
from ..engine.record import OPERATIONS, POSTINGS


class Posting(NamedTuple):
    """What one seat posted before the deal, in chips (R6-R10); a short stack posts what it has (R9)."""

    kinds: tuple[str, ...]
    """What for, in the order of posting, in the words of the log: "post_ante", "post_small_blind", "post_big_blind",
    "post_big_blind_ante", "post_live" and "post_dead" (missed blinds), "post_straddle"."""
    ante: int
    """The uniform ante: a contribution like any other, but it does not count towards calling (R8)."""
    bet: int
    """Blinds and straddle, and a missed big blind: these count as the seat's first bet."""
    dead: int
    """Dead money in the main pot: a big-blind ante (R8), and a missed small blind (R10)."""


def posting_kinds(bits: int) -> tuple[str, ...]:
    """The names of the postings whose bits stand in a record's `posted`."""
    return tuple(name for kind, name in enumerate(OPERATIONS[:POSTINGS]) if bits >> kind & 1)


class Pot(NamedTuple):
    """A pot: its chips, and the seats that contest it (R27)."""

    amount: int
    """Chips."""
    seats: tuple[int, ...]
    """The seats that can win it, which have put in enough and not folded."""


class Operation(NamedTuple):
    """One thing that happened at the table; `Table.log` is a list of them."""

    kind: str
    """One of `holdem_env.engine.record.OPERATIONS`."""
    seat: int | None
    """The seat that acted; None for the dealer, who burns, deals the board and takes the rake."""
    amount: int
    """Chips; for a bet or raise, the street total."""
    cards: Cards
    """The cards dealt, burned or shown, or drawn for the button."""
    pot: int | None
    """The pot of a push_pot; the main pot is 0. In hi-lo, a pot's high half is pushed first, then its low half."""

    def __str__(self) -> str:
        who = "" if self.seat is None else f"seat {self.seat} "
        parts = [str(self.amount)] if self.amount else []
        parts += [str(self.cards)] if self.cards else []
        parts += [f"of pot {self.pot}"] if self.pot is not None else []
        return f"{who}{self.words} {' '.join(parts)}".rstrip()

    @property
    def words(self) -> str:
        """Its kind in words, before its amount, such as "raise to" or "post small blind"."""
        return "raise to" if self.kind == "raise" else self.kind.replace("_", " ")
