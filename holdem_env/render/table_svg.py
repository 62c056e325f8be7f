"""A table as a picture: the one drawing that notebooks, environments, films and pages show."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

from ..cards.text import Cards
from ..engine.record import HIDDEN, MUCKED, Records
from ..game.rules import Rules
from ..game.street_names import street_name
from ..game.title import game_title
from ..table.hand_setup import checked_seat
from ..table.seat_view import SeatView, record_seen
from ..table.state import TableState
from ..utils.shown_names import shown_name
from .cards_svg import GAP, RATIO, card, card_row
from .pencil import Pencil
from .places import Layout, Place, layout_for, places
from .table_text import table_text

Amount = Callable[[int], str]
PANEL_DROP, PANEL_HEIGHT = 4 / 3, 60.0
"""How far below the upper edge of its cards a seat's panel begins, in widths of a card, and how high it is."""


def table_svg(
    table: TableState,
    seat: SupportsIndex | None = None,
    names: Sequence[str] = (),
    theme: str = "auto",
    layout: str = "tall",
    notes: Sequence[str] = (),
    amount: Amount | None = None,
) -> str:
    """See `Table.svg`. layout: one of `places.LAYOUTS`. notes: a word for each seat, such as what it did last, which is
    drawn where there is nothing else to say of it. amount: how chips are written; by default as their number, and for a
    page in big blinds, too."""
    own = isinstance(table, SeatView)
    return records_svg(table.records, table.rules, _viewer(table, seat), names, theme, own, layout, notes, amount)


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
    layout: str = "tall",
    notes: Sequence[str] = (),
    amount: Amount | None = None,
) -> str:
    """One TABLE record, in an array of length one, as a picture. own: it is this seat's view already; layout, notes and
    amount as in `table_svg`."""
    for what, given in (("names", names), ("notes", notes)):
        if len(given) not in (0, rules.seats):
            raise ValueError(f"{what}: {len(given)} {what} for {rules.seats} seats; give one for each seat, or none")
    seen = records if seat is None or own else record_seen(records, rules, seat)
    return _Drawing(_Recorded(seen, rules), seat or 0, names, Pencil(theme), layout, notes, amount).picture()


class _Recorded(TableState):
    """What can be read from a record."""

    def __init__(self, records: Records, rules: Rules) -> None:
        self.rules, self.log, self._records = rules, [], records


class _Drawing:
    """One picture of one table. first: the seat at the bottom."""

    def __init__(
        self,
        table: TableState,
        first: int,
        names: Sequence[str],
        pencil: Pencil,
        layout: str,
        notes: Sequence[str],
        amount: Amount | None,
    ) -> None:
        self.table, self.pencil, self.notes = table, pencil, notes
        self.amount = amount or "{:,}".format
        self.in_chips = amount is None
        self.t: Any = table.records[0]
        self.seats = table.rules.seats
        self.names = [shown_name(name, 40) for name in names] or [f"Seat {seat}" for seat in range(self.seats)]
        self.layout: Layout = layout_for(self.seats, layout)
        self.places = places(self.seats, first, layout)
        self.is_dealt = bool(self.t["was_dealt"].any())
        self.positions = table.positions if self.is_dealt else {}

    def picture(self) -> str:
        pencil, layout, scale = self.pencil, self.layout, self.layout.scale
        felt = pencil.box(0, 0, layout.width, layout.height, "page", round=16 * scale)
        felt += pencil.box(*layout.felt, "felt", "rail", round=layout.round, line=14 * scale)
        seats = "".join(self._seat(seat) for seat in range(self.seats))
        foot = self._foot() if layout.is_alone else ""
        label = table_text(self.t, self.table.game, () if self.in_chips else self.names, self.amount)
        return pencil.picture(layout.width, layout.height, felt + self._head() + self._middle() + seats + foot, label)

    # Above, in the middle, below

    def _head(self) -> str:
        exposed = f" · exposed: {self.table.exposed}" if self.table.exposed else ""
        width, scale = self.layout.width, self.layout.scale
        size, y = 22 * scale, 32 * scale
        room = (width - 200) if self.layout.is_alone else width * 0.34  # elsewhere the seats come up to the words
        title = self.pencil.words(
            20 * scale, y, game_title(self.table.game, self.amount) + exposed, size, "ink", anchor="start", within=room
        )
        street = min(150 * scale, room)
        return title + self.pencil.words(
            width - 20 * scale, y, self._street(), size, "dim", anchor="end", within=street
        )

    def _street(self) -> str:
        if self.table.is_over or self.table.is_showing:
            return "hand over" if self.table.is_over else "showdown"
        street = self.table.street
        return street_name(self.table.game, street)

    def _middle(self) -> str:
        """The pot, the board, and what is in each of several pots."""
        layout, middle, scale = self.layout, self.layout.width / 2, self.layout.scale
        width, room = layout.board, 330 if layout.is_alone else 5 * (layout.board + GAP)
        top = layout.board_middle - width * RATIO / 2
        lines, below = self._pot_lines(), top + width * RATIO + 30 * scale
        pot = (
            self._amount(middle, top - 22 * scale, lines[0], 28 * scale, "on-felt", bold=True, within=room)
            if lines
            else ""
        )
        parts = [
            self._amount(middle, below + 24 * scale * k, line, 20 * scale, "on-felt", within=room)
            for k, line in enumerate(lines[1:])
        ]
        return self._board(middle, top, width) + pot + "".join(parts)

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
            return [f"Rake {self.amount(rake)}"] if rake else []
        lines, pots = [f"Pot {self.amount(self.table.pot)}"], self.table.pots
        if len(pots) > 1:
            parts = [
                f"{name} {self.amount(pot.amount)}" for name, pot in zip(_pot_names(self.table), pots, strict=True)
            ]
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
        return self._lines(f"{self.names[seat]} to act", _spelt(str(table.legal), self.amount))

    def _lines(self, bold: str, plain: str) -> str:
        middle, foot, within = self.layout.width / 2, self.layout.height, self.layout.width - 40
        return self.pencil.words(middle, foot - 50, bold, 23, "ink", bold=True, within=within) + self.pencil.words(
            middle, foot - 20, plain, 23, "ink", within=within
        )

    def _winners(self) -> str:
        won = [
            f"{self.names[seat]} wins {self.amount(chips)}"
            for seat, chips in enumerate(self.table.payoffs)
            if chips > 0
        ]
        return ", ".join(won) or "Nobody wins chips"

    # A seat

    def _seat(self, seat: int) -> str:
        place = self.places[seat]
        if not self.t["was_dealt"][seat]:
            return self.pencil.faded(self._panel(seat, place, turn=False))
        cards = card_row(self.pencil, self._cards(seat), place.x, place.y, place.cards, place.within)
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
        pencil, scale, whole = self.pencil, self.layout.scale, self.layout.panel * self.layout.scale
        left, top = place.x - whole / 2, place.y + PANEL_DROP * place.cards
        edge, line = ("turn", 5.0) if turn else ("edge", 1.5)
        box = pencil.box(left, top, whole, PANEL_HEIGHT * scale, "panel", edge, round=12 * scale, line=line * scale)
        inner = left + 12 * scale, left + whole - 12 * scale
        return box + self._name(seat, *inner, top) + self._purse(seat, *inner, top)

    def _name(self, seat: int, left: float, right: float, top: float) -> str:
        """The first line of a panel: the name, and where there is no better place for it the position."""
        scale, position = self.layout.scale, self._position(seat)
        is_beside = bool(position) and not self.layout.is_roomy
        room = right - left - (2 + (16 + 10 * len(position) if is_beside else 0)) * scale
        name = self.pencil.words(
            left, top + 24 * scale, self.names[seat], 19 * scale, "ink", anchor="start", within=room
        )
        if is_beside:
            name += self.pencil.words(right, top + 23 * scale, position, 16 * scale, "dim", anchor="end")
        return name

    def _purse(self, seat: int, left: float, right: float, top: float) -> str:
        """The second line of a panel: the stack and a remark."""
        scale, (note, colour) = self.layout.scale, self._note(seat)
        size, wide = 18 * scale, 10.5 * len(note)
        if self.layout.is_roomy and not self.table.is_over:
            note = " · ".join(filter(None, [self._position(seat), note]))
            size, wide = 16 * scale, 8.6 * len(note)
        room = right - left - (6 + wide if note else 0) * scale
        shade = "dim" if self.t["was_dealt"][seat] and self.table.is_folded(seat) else "ink"
        stack = self.amount(self.table.stacks[seat])
        chips = self._amount(left, top + 50 * scale, stack, 22 * scale, shade, anchor="start", bold=True, within=room)
        return chips + self._amount(right, top + 49 * scale, note, size, colour, anchor="end")

    def _position(self, seat: int) -> str:
        return self.positions[seat].name if seat in self.positions else ""

    def _note(self, seat: int) -> tuple[str, str]:
        """The remark on a seat next to its stack, and its colour."""
        t, chips = self.t, int(self.table.payoffs[seat])
        if not t["was_dealt"][seat]:
            return ("out" if t["seats"]["stack"][seat] else "empty"), "dim"
        if self.table.is_over and chips:
            return ("+" if chips > 0 else "−") + self.amount(abs(chips)), "plus" if chips > 0 else "minus"
        if self.table.is_folded(seat):
            return "folded", "dim"
        if self.table.stacks[seat] == 0 and not self.table.is_over:
            return "all-in", "minus"
        if t["shown"][seat] != HIDDEN:
            return ("mucks" if t["shown"][seat] == MUCKED else "shows"), "dim"
        return shown_name(self.notes[seat], 10) if self.notes and self.notes[seat] else "", "dim"

    def _bet(self, seat: int, place: Place) -> str:
        chips, (x, y) = self.table.bets[seat], place.bet
        if not chips:
            return ""
        anchor, scale = "start" if place.inward > 0 else "end", self.layout.scale
        return self.pencil.disc(x, y, 10 * scale, "chip", "chip-edge", line=2 * scale) + self._amount(
            x + 17 * place.inward * scale, y + 8 * scale, self.amount(chips), 23 * scale, "on-felt", anchor=anchor,
            bold=True, within=self.layout.bet_width,
        )  # fmt: skip

    def _dealer_button(self, seat: int, place: Place) -> str:
        if seat != self.table.button:
            return ""
        scale = self.layout.scale
        x = place.x + place.inward * (self.layout.panel / 2 + 2) * scale
        y = place.y + PANEL_DROP * place.cards + PANEL_HEIGHT * scale
        return self.pencil.disc(x, y, 13 * scale, "card", "card-edge", line=2 * scale) + self.pencil.words(
            x, y + 6 * scale, "D", 18 * scale, "suit-s", bold=True
        )

    def _amount(self, x: float, y: float, text: str, size: float, colour: str, **how: Any) -> str:
        """A text with amounts; for a page, in big blinds, too."""
        if self.layout.is_alone or not self.in_chips or not re.search(r"(?<![A-Z])\d", text):  # "MP2" is no amount
            return self.pencil.words(x, y, text, size, colour, **how)
        in_bb = self.pencil.words(x, y, _in_big_blinds(text, self.table.rules.unit), size, colour, **how)
        return f'<g class="amount-chips">{self.pencil.words(x, y, text, size, colour, **how)}</g>' + (
            f'<g class="amount-bb" display="none">{in_bb}</g>'
        )


def _in_big_blinds(text: str, unit: int) -> str:
    """A text whose amounts are in big blinds: "Pot 150" of blinds 1/2 is "Pot 75 bb"."""

    def spelt(found: re.Match[str]) -> str:
        return f"{int(found[0].replace(',', '')) / unit:,.1f}".removesuffix(".0") + " bb"

    return re.sub(r"(?<![A-Z])\d[\d,]*", spelt, text)


def _pot_names(table: TableState) -> list[str]:
    """What the pots are called, the lowest first: dead money alone (R27), the main pot, side pots."""
    has_dead = len(table.pots) > 1 and int(table.records["dead"][0]) == table.pots[0].amount
    names = ["dead"] * has_dead + ["main"]
    return names + ["side"] * (len(table.pots) - len(names))


def _spelt(text: str, amount: Amount) -> str:
    """A text with its amounts as they are written here, and ranges as people write them."""
    return re.sub(r"\d+", lambda number: amount(int(number[0])), text.replace("..", "–"))
