"""A table as a picture: the one drawing that notebooks, environments, films and pages show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, SupportsIndex

from ..cards.text import Cards
from ..engine.record import HIDDEN, MUCKED, Records
from ..game.rules import Rules
from ..game.street_names import street_name
from ..game.title import game_title
from ..table.seat_view import SeatView, record_seen
from ..table.starting import checked_seat
from ..table.state import TableState
from ..utils.shown_names import shown_name
from .cards_svg import GAP, RATIO, card, card_row
from .pencil import Pencil
from .places import HEIGHT, SEAT_WIDTH, WIDTH, Place, places
from .table_text import table_text

HOLE_WIDTH, BOARD_WIDTH, BOARD_MIDDLE = 54.0, 62.0, 374.0
PANEL_DROP, PANEL_HEIGHT = 72.0, 60.0
"""How far below the upper edge of its cards a seat's panel begins, and how high it is."""


def table_svg(
    table: TableState, seat: SupportsIndex | None = None, names: Sequence[str] = (), theme: str = "auto"
) -> str:
    """See `Table.svg`."""
    return records_svg(table.records, table.rules, _viewer(table, seat), names, theme, own=isinstance(table, SeatView))


def _viewer(table: TableState, seat: SupportsIndex | None) -> int | None:
    if not isinstance(table, SeatView):
        return None if seat is None else checked_seat(table.rules, seat)
    if seat is not None and checked_seat(table.rules, seat) != table.seat:
        raise ValueError(f"seat: this is the view of seat {table.seat}, which does not show what seat {seat} sees")
    return table.seat


def records_svg(
    records: Records,
    rules: Rules,
    seat: int | None = None,
    names: Sequence[str] = (),
    theme: str = "auto",
    own: bool = False,
) -> str:
    """One TABLE record, in an array of length one, as a picture. own: it is this seat's view already."""
    if len(names) not in (0, rules.seats):
        raise ValueError(f"names: {len(names)} names for {rules.seats} seats; give one for each seat, or none")
    seen = records if seat is None or own else record_seen(records, rules, seat)
    return _Drawing(_Recorded(seen, rules), seat or 0, names, Pencil(theme)).picture()


class _Recorded(TableState):
    """What can be read from a record."""

    def __init__(self, records: Records, rules: Rules) -> None:
        self.rules, self.log, self._records = rules, [], records


class _Drawing:
    """One picture of one table. first: the seat at the bottom."""

    def __init__(self, table: TableState, first: int, names: Sequence[str], pencil: Pencil) -> None:
        self.table, self.pencil = table, pencil
        self.t: Any = table.records[0]
        self.seats = table.rules.seats
        self.names = [shown_name(name, 40) for name in names] or [f"Seat {seat}" for seat in range(self.seats)]
        self.places = places(self.seats, first)
        self.is_dealt = bool(self.t["was_dealt"].any())
        self.positions = table.positions if self.is_dealt else {}

    def picture(self) -> str:
        """The whole SVG."""
        pencil, table = self.pencil, self.table
        felt = pencil.box(0, 0, WIDTH, HEIGHT, "page", round=16)
        felt += pencil.box(58, 104, WIDTH - 116, 566, "felt", "rail", round=210, line=14)
        seats = "".join(self._seat(seat) for seat in range(self.seats))
        label = table_text(self.t, table.game)
        return pencil.picture(WIDTH, HEIGHT, felt + self._head() + self._middle() + seats + self._foot(), label)

    # Above, in the middle, below

    def _head(self) -> str:
        exposed = f" · exposed: {self.table.exposed}" if self.table.exposed else ""
        title = self.pencil.words(
            20, 32, _spelt(game_title(self.table.game)) + exposed, 22, "ink", anchor="start", within=520
        )
        return title + self.pencil.words(WIDTH - 20, 32, self._street(), 22, "dim", anchor="end", within=150)

    def _street(self) -> str:
        if self.table.is_over or self.table.is_showing:
            return "hand over" if self.table.is_over else "showdown"
        street = self.table.street
        return street_name(self.table.game, street)

    def _middle(self) -> str:
        pencil, middle = self.pencil, WIDTH / 2
        width, top = BOARD_WIDTH, BOARD_MIDDLE - BOARD_WIDTH * RATIO / 2
        board = self._board(middle, top, width)
        lines = self._pot_lines()
        pot = pencil.words(middle, top - 22, lines[0], 28, "on-felt", bold=True, within=330) if lines else ""
        below = top + BOARD_WIDTH * RATIO + 30
        return (
            board
            + pot
            + "".join(
                pencil.words(middle, below + 24 * k, line, 20, "on-felt", within=330)
                for k, line in enumerate(lines[1:])
            )
        )

    def _board(self, middle: float, top: float, width: float) -> str:
        """The board cards, and places for those to come."""
        cards, whole, step = self.table.board, sum(self.table.game.board_cards), width + GAP
        left = middle - (step * whole - GAP) / 2
        drawn = [card(self.pencil, number, left + step * k, top, width) for k, number in enumerate(cards)]
        slots = range(len(cards), whole)
        drawn += [self.pencil.slot(left + step * k, top, width, width * RATIO, width * 0.12) for k in slots]
        return "".join(drawn)

    def _pot_lines(self) -> list[str]:
        """All chips in the middle, and if there are several pots, what is in each (R27)."""
        if self.table.is_over:
            rake = self.table.rake
            return [f"Rake {rake:,}"] if rake else []
        lines, pots = [f"Pot {self.table.pot:,}"], self.table.pots
        if len(pots) > 1:
            parts = [f"main {pots[0].amount:,}", *(f"side {pot.amount:,}" for pot in pots[1:])]
            half = 3 if len(parts) > 3 else len(parts)
            lines += [" · ".join(parts[k : k + half]) for k in range(0, len(parts), half)]
        return lines

    def _foot(self) -> str:
        """Whose turn it is and what is legal, or who won, on two lines."""
        table = self.table
        if table.is_over:
            return self._lines("The hand is over", self._winners())
        seat = table.actor
        if seat is None:
            return ""
        if table.is_showing:
            return self._lines(f"{self.names[seat]} to show or to muck", f"show({seat}) or muck({seat})")
        return self._lines(f"{self.names[seat]} to act", _spelt(str(table.legal)))

    def _lines(self, bold: str, plain: str) -> str:
        middle, within = WIDTH / 2, WIDTH - 40
        return self.pencil.words(middle, HEIGHT - 50, bold, 23, "ink", bold=True, within=within) + self.pencil.words(
            middle, HEIGHT - 20, plain, 23, "ink", within=within
        )

    def _winners(self) -> str:
        won = [f"{self.names[seat]} wins {chips:,}" for seat, chips in enumerate(self.table.payoffs) if chips > 0]
        return ", ".join(won) or "Nobody wins chips"

    # A seat

    def _seat(self, seat: int) -> str:
        place = self.places[seat]
        if not self.t["was_dealt"][seat]:
            return self.pencil.faded(self._panel(seat, place, turn=False))
        cards = card_row(self.pencil, self._cards(seat), place.x, place.y, HOLE_WIDTH, SEAT_WIDTH)
        turn = seat == self.table.actor
        drawn = cards + self._panel(seat, place, turn)
        if self.table.is_folded(seat):
            drawn = self.pencil.faded(cards) + self._panel(seat, place, turn)
        return drawn + self._bet(seat, place) + self._dealer_button(seat, place)

    def _cards(self, seat: int) -> Cards:
        """Folded cards that are not seen are gone; other hidden cards lie face down."""
        cards = self.table.hole_cards(seat)
        return Cards() if self.table.is_folded(seat) and min(cards, default=0) < 0 else cards

    def _panel(self, seat: int, place: Place, turn: bool) -> str:
        pencil = self.pencil
        left, top = place.x - SEAT_WIDTH / 2, place.y + PANEL_DROP
        edge, line = ("turn", 5.0) if turn else ("edge", 1.5)
        box = pencil.box(left, top, SEAT_WIDTH, PANEL_HEIGHT, "panel", edge, round=12, line=line)
        position = self.positions[seat].name if seat in self.positions else ""
        room = SEAT_WIDTH - 26 - (16 + 10 * len(position) if position else 0)
        name = pencil.words(left + 12, top + 24, self.names[seat], 19, "ink", anchor="start", within=room)
        if position:
            name += pencil.words(left + SEAT_WIDTH - 12, top + 23, position, 16, "dim", anchor="end")
        note, colour = self._note(seat)
        stack, folded = self._stack(seat), "dim" if self.t["was_dealt"][seat] and self.table.is_folded(seat) else "ink"
        room = SEAT_WIDTH - 30 - 10.5 * len(note) if note else SEAT_WIDTH - 24
        chips = pencil.words(left + 12, top + 50, stack, 22, folded, anchor="start", bold=True, within=room)
        return box + name + chips + pencil.words(left + SEAT_WIDTH - 12, top + 49, note, 18, colour, anchor="end")

    def _stack(self, seat: int) -> str:
        return f"{self.table.stacks[seat]:,}"

    def _note(self, seat: int) -> tuple[str, str]:
        """What there is to say of a seat besides its stack, and in which colour."""
        t, chips = self.t, int(self.table.payoffs[seat])
        if not t["was_dealt"][seat]:
            return ("out" if t["seats"]["stack"][seat] else "empty"), "dim"
        if self.table.is_over and chips:
            return f"{chips:+,}".replace("-", "−"), "plus" if chips > 0 else "minus"
        if self.table.is_folded(seat):
            return "folded", "dim"
        if self.table.stacks[seat] == 0 and not self.table.is_over:
            return "all-in", "minus"
        if t["shown"][seat] != HIDDEN:
            return ("mucks" if t["shown"][seat] == MUCKED else "shows"), "dim"
        return "", "dim"

    def _bet(self, seat: int, place: Place) -> str:
        chips, (x, y) = self.table.bets[seat], place.bet
        if not chips:
            return ""
        anchor = "start" if place.inward > 0 else "end"
        return self.pencil.disc(x, y, 10, "chip", "chip-edge", line=2) + self.pencil.words(
            x + 17 * place.inward, y + 8, f"{chips:,}", 23, "on-felt", anchor=anchor, bold=True, within=100
        )

    def _dealer_button(self, seat: int, place: Place) -> str:
        if seat != self.table.button:
            return ""
        x, y = place.x + place.inward * (SEAT_WIDTH / 2 - 2), place.y + PANEL_DROP + PANEL_HEIGHT + 6
        return self.pencil.disc(x, y, 13, "card", "card-edge", line=2) + self.pencil.words(
            x, y + 6, "D", 18, "suit-s", bold=True
        )


def _spelt(text: str) -> str:
    """A text with separators in its amounts, and ranges as people write them."""
    return re.sub(r"\d+", lambda number: f"{int(number[0]):,}", text.replace("..", "–"))
