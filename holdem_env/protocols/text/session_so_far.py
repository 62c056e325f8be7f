"""Earlier hands at a table, for the prompt: how often each seat came in and raised, and the last hands."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from ...cards.text import UNKNOWN
from ...table.seat_view import SeatView
from .situation import Betting, dealt_seats, hand_so_far, spaced

Place = tuple[int, int]  # a table, as the agent knows it, and its own seat there


@dataclass
class _Counts:
    """Hands that a seat was dealt, that it played of its own will before the flop, and that it raised there."""

    hands: int = 0
    played: int = 0
    raised: int = 0


@dataclass
class _Table:
    hands: deque[str]
    counts: dict[int, _Counts] = field(default_factory=dict)


class SessionSoFar:
    """The hands that are over, by table and own seat."""

    def __init__(self) -> None:
        self._tables: dict[Place, _Table] = {}

    def clear(self) -> None:
        self._tables.clear()

    def take(self, view: SeatView, most: int) -> None:
        """A hand is over. view: of the own seat, with the hands that were shown. most: how many hands are kept."""
        table = self._tables.setdefault(_place(view), _Table(deque(maxlen=most)))
        table.hands.append(_in_a_line(view))
        betting = Betting(view)
        made = [(move.seat, betting.describe(move)) for move in view.moves if move.street == 0]
        raised = {seat for seat, words in made if words.startswith(("bets", "raises"))}
        called = {seat for seat, words in made if words.startswith("calls")}
        for seat in dealt_seats(view):
            counts = table.counts.setdefault(seat, _Counts())
            counts.hands += 1
            counts.raised += seat in raised
            counts.played += seat in raised | called

    def text(self, view: SeatView) -> str:
        """All that is known at a table, for a message; empty before its first hand is over."""
        table = self._tables.get(_place(view))
        if table is None:
            return ""
        rates = [
            f"- seat {seat}{', you' * (seat == view.seat)}: came in {counts.played / counts.hands:.0%} of "
            f"{counts.hands} hands, raised before the flop {counts.raised / counts.hands:.0%}"
            for seat, counts in sorted(table.counts.items())
        ]
        last = [f"{k}. {hand}" for k, hand in enumerate(reversed(table.hands), 1)]
        return "\n".join(["The session so far:", *rates, "The last hands, the latest first:", *last])


def _place(view: SeatView) -> Place:
    return int(view.records["table_id"][0]), view.seat


def _in_a_line(view: SeatView) -> str:
    seen = {seat: view.hole_cards(seat) for seat in dealt_seats(view) if seat != view.seat}
    shown = [f"seat {seat} showed {spaced(cards)}" for seat, cards in seen.items() if UNKNOWN not in list(cards)]
    won = view.stacks[view.seat] - view.starting_stacks[view.seat]
    lines = [f"You had {spaced(view.hole_cards())}.", *hand_so_far(view), *(f"{each}." for each in shown)]
    return " ".join([*lines, f"You {'won' if won >= 0 else 'lost'} {abs(won)} chips."])
