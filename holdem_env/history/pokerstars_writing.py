"""Writing a Table as PokerStars' text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, SupportsIndex

from ..cards.text import UNKNOWN, card_name
from ..table.starting import checked_seat
from ..table.table import Operation, Table
from .errors import HistoryError
from .files import StrPath, open_text
from .hands_in_words import hand_in_words
from .money import money_text
from .pokerstars_checks import check_expressible, names_for, roman, time_text
from .pokerstars_text import STREETS
from .times import time_of

SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_STRUCTURES = {"no_limit": "No Limit", "pot_limit": "Pot Limit", "fixed_limit": "Limit"}
_POSTS = {
    "post_ante": "posts the ante",
    "post_big_blind_ante": "posts the ante",
    "post_small_blind": "posts small blind",
    "post_big_blind": "posts big blind",
    "post_live": "posts big blind",
    "post_dead": "posts small blind",
    "post_straddle": "posts straddle",
}
_FOLDED = ("before Flop", "on the Flop", "on the Turn", "on the River")
_ALL_IN = " and is all-in"
_HANDS = "\n\n\n"  # between two hands


def dumps(
    table: Table,
    *,
    hand: int | str | None = None,
    players: Sequence[str] | None = None,
    unit: Decimal | int = 1,
    known: Collection[int] | None = None,
    metadata: Mapping[str, Any] | None = None,
    public: bool = False,
    seat: SupportsIndex | None = None,
    time: datetime | None = None,
    table_name: str | None = None,
    currency: str | None = None,
) -> str:
    """A finished Table as the text of one hand.

    The text reads back as the same hand, with the same moves and payoffs.

    hand: its number; 1 by default, and for a name that is no number.
    players: names by seat; "player 1", "player 2" and so on by default. Equal names are numbered.
    unit: the value of a chip, such as Decimal("0.01"); `HandRecord.unit` for a hand that was read.
    known: the cards that may be written, such as `HandRecord.known_cards`; by default all.
    public: write only the cards that everybody has seen: the board, and the hands that were shown.
    seat: whose view to write: a line "Dealt to" for this seat alone. Without it there is one for every seat whose cards
        are known, so that nothing is lost; trackers expect the view of one seat.
    time: when the hand was played; without a zone it is taken as UTC. By default what the metadata say. A hand without
        a time is dated 1970/01/01, as the format needs a date.
    table_name: by default the metadata's, or "holdem".
    currency: "USD", "EUR" or "GBP"; by default the metadata's, or play money.
    metadata: fields by PHH's names, such as those of a HandRecord: table, seats (the numbers of the seats), seat_count,
        currency, event ("Tournament #12") and level, time, day, month and year. Others are ignored.

    Raises HistoryError for a game or a hand that the format cannot express: other cards than hold'em's and Omaha's, no
    blinds, unusual bets, unknown board cards, a hand that is not over or has a dealer's error; ValueError for names
    that read like lines of the format, an unknown currency, or a seat that does not exist.
    """
    return (
        "\n".join(
            _Writer(table, hand, players, unit, known, metadata or {}, public, seat, time, table_name, currency).lines()
        )
        + "\n"
    )


def write(tables: Table | Iterable[Table], path: StrPath, **options: Any) -> None:
    """Write Tables to a file. A name that ends in `.xz` or `.gz` compresses.

    options: the keyword arguments of `dumps`. They hold for every hand, and `hand` counts from 1. Raises as `dumps`.
    """
    if isinstance(tables, Table):
        tables = [tables]
    with open_text(path, "w") as file:
        for number, table in enumerate(tables, 1):
            file.write(dumps(table, **{"hand": number, **options}) + _HANDS)


class _Writer:
    """Writes one hand."""

    def __init__(
        self,
        table: Table,
        hand: int | str | None,
        players: Sequence[str] | None,
        unit: Decimal | int,
        known: Collection[int] | None,
        metadata: Mapping[str, Any],
        public: bool,
        seat: SupportsIndex | None,
        time: datetime | None,
        table_name: str | None,
        currency: str | None,
    ) -> None:
        self.game_name = check_expressible(table, hand)
        self.table, self.rules, self.metadata = table, table.game, metadata
        self.number = int(str(hand)) if str(hand).isdecimal() else 1
        self.hero = None if seat is None else checked_seat(table.rules, seat)
        self.public = public
        self.known = None if known is None else set(known)
        if self.known is not None and not self.known.issuperset(table.board):
            raise HistoryError(None, hand, "PokerStars' format cannot express board cards that are not known")
        self.dealt = [k for k in range(self.rules.seats) if table.records["was_dealt"][0, k]]
        self.names = names_for(players, self.rules.seats)
        self.unit = Decimal(unit)
        self.code = currency or metadata.get("currency")
        self.sign = self._sign(currency)
        self.time = time or time_of(metadata)
        self.table_name = str(table_name or metadata.get("table") or "holdem")
        self.numbers = self._seat_numbers()

    def _sign(self, currency: str | None) -> str:
        if currency is not None and currency not in SIGNS:
            raise ValueError(f"currency: {currency!r} is not one of {', '.join(SIGNS)}")
        if self._tournament():
            return ""
        return SIGNS.get(str(self.code), "") or ("" if currency else str(self.metadata.get("currency_symbol", "")))

    def _tournament(self) -> str | None:
        found = re.fullmatch(r"Tournament #\d+", str(self.metadata.get("event", "")))
        return found[0] if found else None

    def _seat_numbers(self) -> list[int]:
        """The numbers of the seats: those of the metadata if they fit, otherwise from 1."""
        given = self.metadata.get("seats")
        numbers = list(given) if isinstance(given, list | tuple) else []
        are_numbers = all(type(k) is int and k > 0 for k in numbers) and len(numbers) == self.rules.seats
        if are_numbers and numbers == sorted(set(numbers)):
            return numbers
        return [k + 1 for k in range(self.rules.seats)]

    def money(self, chips: int) -> str:
        """An amount as text, without needless zeros for whole ones."""
        return money_text(chips, self.unit, self.sign, grouped=False)

    # The parts of the text

    def lines(self) -> list[str]:
        """All lines of the hand."""
        body = _Body(self)
        return [*self._head(), *body.lines(), *self._summary(body)]

    def _head(self) -> list[str]:
        rules = self.rules
        small, big = (rules.street_bets[0], rules.street_bets[-1]) if self._is_limit() else rules.blinds
        stakes = f"{self.money(small)}/{self.money(big)}"
        game = f"{self.game_name} {_STRUCTURES[rules.structure]}"
        if event := self._tournament():
            buy_in, level = self.metadata.get("_buy_in") or "Freeroll", roman(self.metadata.get("level") or 1)
            game = f"{event}, {buy_in}  {game} - Level {level} ({stakes})"
        else:
            code = f" {self.code}" if self.sign and self.code else ""
            game = f" {game} ({stakes}{code})"
        play_money = "" if self.sign or self._tournament() else "(Play Money) "
        seats = self.metadata.get("seat_count")
        most = max(seats if type(seats) is int else 0, len(self.dealt))
        return [
            f"PokerStars Hand #{self.number}: {game} - {time_text(self.time)}",
            f"Table '{self.table_name}' {most}-max {play_money}Seat #{self._button()} is the button",
            *(
                f"Seat {self.numbers[seat]}: {self.names[seat]} ({self.money(chips)} in chips){away}"
                for seat, chips, away in self._seated()
            ),
        ]

    def _is_limit(self) -> bool:
        return self.rules.structure == "fixed_limit"

    def _button(self) -> int:
        """The number of the seat with the button; the metadata's where it lies at a seat without a player, and the
        player next to it on the right stands for it."""
        own, given = self.numbers[self.table.button], self.metadata.get("_button")
        numbers = [self.numbers[seat] for seat in self.dealt]
        if self.metadata.get("seats") != self.numbers or type(given) is not int or given <= 0 or given in numbers:
            return own
        return given if max([n for n in numbers if n < given] or numbers) == own else own

    def _seated(self) -> list[tuple[int, int, str]]:
        """Seats with chips: those dealt in, and those held out."""
        stacks = self.table.starting_stacks
        return [
            (seat, stacks[seat], "" if seat in self.dealt else " is sitting out")
            for seat in range(self.rules.seats)
            if seat in self.dealt or stacks[seat]
        ]

    def cards(self, cards: Iterable[int]) -> str:
        """Known cards in brackets."""
        return f"[{' '.join(card_name(card) for card in cards)}]"

    def is_known(self, seat: int) -> bool:
        """Whether all of a seat's cards may be written: nothing hides them, or they were shown."""
        cards = self.table.hole_cards(seat)
        if self.known is not None and not self.known.issuperset(cards):
            return False
        hides = self.public or self.hero is not None
        return UNKNOWN not in cards and (not hides or seat == self.hero or self.table.is_shown(seat))

    def in_words(self, seat: int) -> str:
        """What a seat holds in the end."""
        if self.rules.ranking != "standard":
            return "a hand"
        return hand_in_words(self.table.hole_cards(seat), self.table.board, self.rules.hole_cards_used)

    def _summary(self, body: _Body) -> list[str]:
        rake = self.table.rake
        pots = body.pots
        total = sum(pots) + rake
        parts = ""
        if len(pots) > 1:
            names = ["Main pot", *(["Side pot"] if len(pots) == 2 else [f"Side pot-{k}" for k in range(1, len(pots))])]
            parts = "".join(f" {name} {self.money(pot)}." for name, pot in zip(names, pots, strict=True))
        lines = ["*** SUMMARY ***", f"Total pot {self.money(total)}{parts} | Rake {self.money(rake)}"]
        if self.table.board:
            lines.append(f"Board {self.cards(self.table.board)}")
        return [*lines, *(f"Seat {self.numbers[seat]}: {self._outcome(seat, body)}" for seat in self.dealt)]

    def _outcome(self, seat: int, body: _Body) -> str:
        row = self.table.records[0]
        who = self.names[seat]
        who += " (button)" if self.numbers[seat] == self._button() else ""
        who += " (small blind)" if seat == row["small_blind_seat"] else ""
        who += " (big blind)" if seat == row["big_blind_seat"] else ""
        won = body.won.get(seat, 0)
        if seat in body.folded:
            free = "" if seat in body.bettors or body.folded[seat] else " (didn't bet)"
            return f"{who} folded {_FOLDED[body.folded[seat]]}{free}"
        if seat in body.shown:
            cards = self.cards(self.table.hole_cards(seat))
            what = f"won ({self.money(won)})" if won else "lost"
            return f"{who} showed {cards} and {what} with {self.in_words(seat)}"
        if won:
            return f"{who} collected ({self.money(won)})"
        return f"{who} mucked{' ' + self.cards(self.table.hole_cards(seat)) if self.is_known(seat) else ''}"


class _Body:
    """The lines from the first post to the last pot; and what the summary says of them."""

    def __init__(self, writer: _Writer) -> None:
        self.writer = writer
        self.folded: dict[int, int] = {}
        self.shown: set[int] = set()
        self.bettors: set[int] = set()
        self.won: dict[int, int] = {}
        self.pots: list[int] = []
        self._stacks = list(writer.table.starting_stacks)
        self._bets = [0] * len(self._stacks)
        self._level = 0
        self._street = 0

    def lines(self) -> list[str]:
        """The lines."""
        writer, log = self.writer, self.writer.table.log
        lines = [*self._posts(log), "*** HOLE CARDS ***"]
        for seat in writer.dealt:
            is_known = writer.hero in (None, seat) and not (writer.public and seat != writer.hero)
            if is_known and writer.is_known(seat):
                lines.append(f"Dealt to {writer.names[seat]} {writer.cards(writer.table.hole_cards(seat))}")
        for operation in log:
            lines += self._acted(operation)
        return [*lines, *self._showdown(log)]

    def _posts(self, log: Sequence[Operation]) -> list[str]:
        rules, lines = self.writer.rules, list[str]()
        self._level = max(rules.blinds)
        for k, operation in enumerate(log):
            kind, seat, amount = operation.kind, operation.seat, operation.amount
            if kind not in _POSTS or seat is None:
                continue
            words = _POSTS[kind]
            before, after = log[k - 1], log[k + 1] if k + 1 < len(log) else operation
            if kind == "post_live" and after.kind == "post_dead" and after.seat == seat:
                continue
            if kind == "post_dead" and before.kind == "post_live" and before.seat == seat:
                words, amount = "posts small & big blinds", amount + before.amount
                self._bets[seat] += before.amount
            elif kind in ("post_small_blind", "post_big_blind", "post_live", "post_straddle"):
                self._bets[seat] += amount
            if kind == "post_straddle":
                self._level = self._bets[seat]
            lines.append(self._said(seat, words, amount))
        return lines

    def _said(self, seat: int, words: str, amount: int, total: int | None = None) -> str:
        """A line about chips that go in: `amount` of them."""
        self._stacks[seat] -= amount
        self.bettors |= set() if words == _POSTS["post_ante"] else {seat}
        writer = self.writer
        shown = writer.money(amount if total is None else total)
        return f"{writer.names[seat]}: {words} {shown}{'' if self._stacks[seat] else _ALL_IN}"

    def _acted(self, operation: Operation) -> list[str]:
        kind, seat, amount = operation.kind, operation.seat, operation.amount
        if kind == "deal_board":
            return [self._dealt(operation)]
        if seat is None:
            return []
        name = self.writer.names[seat]
        if kind == "fold":
            self.folded[seat] = self._street
            return [f"{name}: folds"]
        if kind == "check":
            return [f"{name}: checks"]
        if kind == "call":
            self._bets[seat] += amount
            return [self._said(seat, "calls", amount)]
        if kind in ("bet", "raise"):
            return [self._raised(seat, amount)]
        if kind == "return_uncalled":
            self._stacks[seat] += amount
            return [f"Uncalled bet ({self.writer.money(amount)}) returned to {name}"]
        return []

    def _raised(self, seat: int, total: int) -> str:
        by, added = total - self._level, total - self._bets[seat]
        words = f"raises {self.writer.money(by)} to" if self._level else "bets"
        self._bets[seat] = self._level = total
        return self._said(seat, words, added, total)

    def _dealt(self, operation: Operation) -> str:
        self._bets, self._level = [0] * len(self._bets), 0
        before = sum(list(STREETS.values())[: self._street])
        street = list(STREETS)[self._street]
        self._street += 1
        cards = self.writer.cards
        old = f"{cards(self.writer.table.board[:before])} " if before else ""
        return f"*** {street} *** {old}{cards(operation.cards)}"

    def _showdown(self, log: Sequence[Operation]) -> list[str]:
        """Who shows and mucks, and the pots, side pots first. Who wins alone shows after the pot was taken, or not."""
        writer = self.writer
        live = [seat for seat in writer.dealt if seat not in self.folded]
        showing = [
            self._showed(step.kind, step.seat)
            for step in log
            if step.kind in ("show", "muck") and step.seat is not None
        ]
        collected = self._collected([step for step in log if step.kind == "push_pot" and step.seat is not None])
        if len(live) > 1:
            return ["*** SHOW DOWN ***", *showing, *collected]
        hidden = [f"{writer.names[live[0]]}: doesn't show hand"] if not self.shown else showing
        return [*collected, *hidden]

    def _showed(self, kind: str, seat: int) -> str:
        writer, name = self.writer, self.writer.names[seat]
        if kind == "muck":
            return f"{name}: mucks hand"
        if not writer.is_known(seat):
            return f"{name}: doesn't show hand"
        self.shown.add(seat)
        return f"{name}: shows {writer.cards(writer.table.hole_cards(seat))} ({writer.in_words(seat)})"

    def _lowest_pot(self) -> int:
        """The number of the main pot: 1 if dead money alone lies below it (R27), which this format counts as part of
        it."""
        t = self.writer.table.records[0]
        return int(t["pots"] > 1 and t["pot_level"][0] == 0 and t["live"] > 1)

    def _collected(self, pushed: list[Operation]) -> list[str]:
        writer, lines = self.writer, list[str]()
        lowest = self._lowest_pot()
        count = max((step.pot or 0 for step in pushed), default=0) + 1 - lowest
        self.pots = [0] * count
        for step in sorted(pushed, key=lambda step: -(step.pot or 0)):
            seat, pot = step.seat, max((step.pot or 0) - lowest, 0)
            assert seat is not None
            self.pots[pot] += step.amount
            self.won[seat] = self.won.get(seat, 0) + step.amount
            which = "pot" if count == 1 else "main pot" if pot == 0 else "side pot" if count == 2 else f"side pot-{pot}"
            lines.append(f"{writer.names[seat]} collected {writer.money(step.amount)} from {which}")
        return lines
