"""HandSummary, what a list of hands says of each: who played, the pot, the street reached, the result."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from ..cards.text import UNKNOWN
from ..game.street_names import STREETS
from ..table.table import Table
from .hand_record import HandRecord
from .results import ODD_CHIPS, difference

STREET_OF_BOARD = {0: 0, 3: 1, 4: 2, 5: 3}
"""The betting round by the number of board cards, in games with hold'em's streets."""


class HandSummary(NamedTuple):
    """What a list says of one hand. Amounts are in the money of its file."""

    hand: int | str
    """Its name in the file."""
    players: tuple[str, ...]
    """Names by seat; "Seat 0", "Seat 1" and so on where the file has none."""
    pot: float
    """All chips that were played for, at the end of the hand, with the rake and without an uncalled bet."""
    big_blind: float
    """The big blind; where there is none, the ante, else 1."""
    street: int
    """The last street that was dealt, 0 (preflop) to 3 (river)."""
    showdown: bool
    """Whether two or more players were left at the end."""
    payoffs: tuple[float, ...] | None
    """Net result by seat, or None where the file does not tell it."""

    @property
    def street_name(self) -> str:
        """The last street in words."""
        return STREETS[self.street]


def seat_names(players: Sequence[str] | None, seats: int) -> tuple[str, ...]:
    """Names by seat; "Seat 0" and so on without any."""
    return tuple(players) if players else tuple(f"Seat {seat}" for seat in range(seats))


def summary_of(hand: HandRecord) -> HandSummary:
    """The summary of a recorded hand. It is replayed; raises HistoryError as `HandRecord.replay` does."""
    table = hand.replay()
    found = summary_of_table(table, hand.hand, hand.players, hand.unit)
    return found._replace(
        street=STREET_OF_BOARD.get(len(hand.board), found.street), payoffs=_payoffs(hand, table, found)
    )


def _payoffs(hand: HandRecord, table: Table, found: HandSummary) -> tuple[float, ...] | None:
    """As the file states them, where its moves do not contradict it; else as replayed, unless cards that were filled in
    have decided."""
    stated = hand.payoffs_of(table)
    filled_in = any(UNKNOWN in cards for seat, cards in enumerate(hand.holes) if not table.is_folded(seat))
    is_guessed = found.showdown and filled_in
    if stated is not None and (
        difference(hand, table) in (None, ODD_CHIPS) or (is_guessed and sum(stated) == sum(table.payoffs))
    ):
        return tuple(float(chips) * float(hand.unit) for chips in stated)
    return None if is_guessed else found.payoffs


def summary_of_table(
    table: Table, hand: int | str, players: Sequence[str] | None = None, unit: Decimal | int = 1
) -> HandSummary:
    """The summary of a played hand. players: names by seat; unit: what a chip is worth."""
    t, rules, value = table.records[0], table.game, float(unit)
    pot = int(t["seats"]["total"][: rules.seats].sum()) + int(t["dead"])
    return HandSummary(
        hand=hand,
        players=seat_names(players, rules.seats),
        pot=pot * value,
        big_blind=(rules.big_blind or rules.ante or 1) * value,
        street=table.street,
        showdown=sum(not table.is_folded(seat) for seat in range(rules.seats)) > 1,
        payoffs=tuple(chips * value for chips in table.payoffs) if table.is_over else None,
    )
