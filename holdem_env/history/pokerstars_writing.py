"""Writing a Table as PokerStars' text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, SupportsIndex

from ..cards.text import UNKNOWN, card_name
from ..engine.legality import deed_text
from ..engine.record import CHECK_CALL, FOLD, NOBODY
from ..game.rules import Rules
from ..table.table import Table
from .errors import HistoryError
from .files import StrPath
from .hands_in_words import hand_in_words
from .money import money_text
from .names import distinct_names
from .pokerstars_hands import SHAPES
from .pokerstars_text import NO_DATE, STREETS
from .times import time_of
from .writing import DEALER_ERRORS, HandOptions, HandToWrite, check_log, inexpressible, write_hands

SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_FORMAT = "PokerStars' format"
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
_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_ZONE = re.compile(r"[A-Z]{1,5}")
_NOT_NAMES = re.compile(r"PokerStars .*(Hand|Game) #|\*\*\*|Seat \d|Table '|Dealt to |Uncalled bet|Total pot|Board \[")


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
    """Return a finished Table as the text of one hand.

    The text reads back as the same hand, with the same moves and payoffs.

    Args:
        table: The table.
        hand: Number of the hand; 1 by default, and for a name that is not a number.
        players: Names by seat; "player 1", "player 2" and so on by default. Equal names are numbered.
        unit: The value of a chip, such as Decimal("0.01"); `HandRecord.unit` for a hand that was read.
        known: The cards that may be written, such as `HandRecord.known_cards`; by default all.
        metadata: Fields by PHH's names, such as those of a HandRecord: table, seats (the numbers of the seats),
            seat_count, currency, event ("Tournament #12") and level, time, day, month and year. Any other field is
            ignored.
        public: Write only the cards that everybody has seen: the board, and the hands that were shown.
        seat: Write the view of this seat: a line "Dealt to" for it alone. By default every seat with known cards has
            one, so that nothing is lost; trackers expect the view of one seat.
        time: When the hand was played, written in UTC, or as it is if it has no zone. By default the metadata's. A hand
            without a time is dated 1970/01/01, as the format needs a date.
        table_name: By default the metadata's, or "holdem".
        currency: "USD", "EUR" or "GBP"; by default the metadata's, or play money.

    Raises:
        HistoryError: If the format cannot express the game or the hand: other cards than hold'em's and Omaha's, no
            blinds, unusual bets, unknown board cards, a hand that is not over or has a dealer's error.
        ValueError: If a name reads like a line of the format, the currency is unknown, or the seat does not exist.
    """
    shared = hand, players, unit, known, metadata or {}, public, seat
    return text_of(table, HandOptions(*shared, time, table_name, currency))


def text_of(table: Table, options: HandOptions) -> str:
    """As `dumps`."""
    return "\n".join(_Printer(table, options).lines()) + "\n"


def framed(text: str, key: object) -> str:
    """The text of a hand as it stands in a file."""
    return f"{text}\n\n\n"


def write(tables: Table | Iterable[Table], path: StrPath, **options: Any) -> None:
    """Write Tables to a file.

    A name that ends in `.xz` or `.gz` compresses. An error leaves the file as it was.

    Args:
        tables: A Table, or any number.
        path: The file.
        **options: The keyword arguments of `dumps`. They hold for every hand, and `hand` counts from 1.

    Raises:
        HistoryError: As in `dumps`.
        ValueError: As in `dumps`.
    """
    write_hands(dumps, framed, tables, path, options)


@dataclass
class _Printer(HandToWrite):
    """Prints a hand in one walk over its log; the summary says what came of it."""

    def __post_init__(self) -> None:
        self.game_name = check_expressible(self.table, self.options.hand)
        super().__post_init__()
        self.metadata = self.options.metadata
        self.dealt.sort()
        self.rules, board = self.table.game, self.table.board
        if self.visible is not None and not self.visible.issuperset(board):
            raise inexpressible(_FORMAT, self.options.hand, "board cards that are not known")
        self.names = names_for(self.options.players, self.rules.seats)
        found = re.fullmatch(r"Tournament #\d+", str(self.metadata.get("event", "")))
        self.tournament = found[0] if found else None
        self.sign = self._sign()
        self.numbers = self._seat_numbers()
        self.button = self._button()
        # On the way through the log: each seat's chips and bet, the bet to match, and the street.
        self.stacks, self.bets = self.table.starting_stacks, [0] * self.rules.seats
        self.level, self.street = max(self.rules.blinds), 0
        # For the summary: the street on which a seat folded, who bet, who showed, and what a seat won.
        self.folded, self.bettors, self.shown, self.won = dict[int, int](), set[int](), set[int](), Counter[int]()

    def _sign(self) -> str:
        """The sign before amounts; "" for play money, and for a tournament's chips."""
        if self.options.currency is not None and self.options.currency not in SIGNS:
            raise ValueError(f"currency: {self.options.currency!r} is not one of {', '.join(SIGNS)}")
        self.code = self.options.currency or self.metadata.get("currency")
        if self.tournament:
            return ""
        return SIGNS.get(str(self.code), str(self.metadata.get("currency_symbol", "")))

    def _seat_numbers(self) -> list[int]:
        """The numbers of the seats: those of the metadata if they fit, otherwise from 1."""
        given = self.metadata.get("seats")
        numbers = list(given) if isinstance(given, list | tuple) else []
        are_numbers = all(type(k) is int and k > 0 for k in numbers) and len(numbers) == self.rules.seats
        if are_numbers and numbers == sorted(set(numbers)):
            return numbers
        return [k + 1 for k in range(self.rules.seats)]

    def _button(self) -> int:
        """The number of the seat with the button; the metadata's where it lies at a seat without a player, and the
        player next to it on the right stands for it."""
        own, given = self.numbers[self.table.button], self.metadata.get("_button")
        numbers = [self.numbers[seat] for seat in self.dealt]
        if self.metadata.get("seats") != self.numbers or type(given) is not int or given <= 0 or given in numbers:
            return own
        return given if max([n for n in numbers if n < given] or numbers) == own else own

    def lines(self) -> list[str]:
        """All lines of the hand. Hands that are shown stand at the end, even if they lay open before the last card."""
        log, lines, showing = self.table.log, self._head(), list[str]()
        for k, (kind, seat, amount, cards, _) in enumerate(log):
            before = log[k - 1]
            if kind == "deal_hole" and before.kind != kind:
                lines += ["*** HOLE CARDS ***", *self._dealt_to()]
            elif kind == "deal_board":
                lines.append(self._board(cards))
            elif seat is None:
                continue
            elif kind in ("show", "muck"):
                showing.append(self._showed(kind, seat))
            elif kind == "post_dead" and (before.kind, before.seat) == ("post_live", seat):
                # Two operations, but one line.
                lines[-1] = self._paid(seat, f"posts small & big blinds {self.money(before.amount + amount)}", amount)
            else:
                lines += self._acted(kind, seat, amount)
        live = [seat for seat in self.dealt if seat not in self.folded]
        if len(live) > 1:
            lines += ["*** SHOW DOWN ***", *showing, *self._collected()]
        else:  # who wins alone shows after the pot was taken, or not
            hidden = [f"{self.names[live[0]]}: doesn't show hand"]
            lines += [*self._collected(), *(showing if self.shown else hidden)]
        return [*lines, *self._summary()]

    def _head(self) -> list[str]:
        rules = self.rules
        small, big = (rules.street_bets[0], rules.street_bets[-1]) if rules.structure == "fixed_limit" else rules.blinds
        stakes = f"{self.money(small)}/{self.money(big)}"
        game = f"{self.game_name} {_STRUCTURES[rules.structure]}"
        if self.tournament:
            buy_in, level = self.metadata.get("_buy_in") or "Freeroll", roman(self.metadata.get("level") or 1)
            game = f"{self.tournament}, {buy_in}  {game} - Level {level} ({stakes})"
        else:
            game = f" {game} ({stakes}{f' {self.code}' if self.sign and self.code else ''})"
        play_money = "" if self.sign or self.tournament else "(Play Money) "
        seats = self.metadata.get("seat_count")
        most = max(seats if type(seats) is int else 0, len(self.dealt))
        table_name = self.options.table_name or self.metadata.get("table") or "holdem"
        number = int(str(self.options.hand)) if str(self.options.hand).isdecimal() else 1
        return [
            f"PokerStars Hand #{number}: {game} - {self._when()}",
            f"Table '{table_name}' {most}-max {play_money}Seat #{self.button} is the button",
            *(
                f"Seat {self.numbers[seat]}: {self.names[seat]} ({self.money(chips)} in chips)"
                f"{'' if seat in self.dealt else ' is sitting out'}"
                for seat, chips in enumerate(self.table.starting_stacks)
                if seat in self.dealt or chips
            ),
        ]

    def _when(self) -> str:
        if self.options.time is not None:
            return time_text(self.options.time)
        return time_text(time_of(self.metadata), self.metadata.get("time_zone_abbreviation"))

    def _dealt_to(self) -> list[str]:
        """Everybody's cards, or in a seat's view its own."""
        is_open = self.viewer is None and not self.options.public
        seats = [seat for seat in self.dealt if is_open or seat == self.viewer]
        return [f"Dealt to {self.names[seat]} {self._hole(seat)}" for seat in seats if self._is_known(seat)]

    def _acted(self, kind: str, seat: int, amount: int) -> list[str]:
        name = self.names[seat]
        match kind:
            case "fold":
                self.folded[seat] = self.street
                return [f"{name}: {deed_text(FOLD, 0, 0)}"]
            case "check":
                return [f"{name}: {deed_text(CHECK_CALL, 0, 0)}"]
            case "call":
                self.bets[seat] += amount
                return [self._paid(seat, deed_text(CHECK_CALL, amount, 0, self.money), amount)]
            case "bet" | "raise":
                words = deed_text(amount, 0, self.level, self.money)
                added = amount - self.bets[seat]
                self.bets[seat] = self.level = amount
                return [self._paid(seat, words, added)]
            case "return_uncalled":
                self.stacks[seat] += amount
                return [f"Uncalled bet ({self.money(amount)}) returned to {name}"]
            case "post_small_blind" | "post_big_blind" | "post_live" | "post_straddle":
                self.bets[seat] += amount
                self.level = self.bets[seat] if kind == "post_straddle" else self.level
        return [self._paid(seat, f"{_POSTS[kind]} {self.money(amount)}", amount)] if kind in _POSTS else []

    def _paid(self, seat: int, words: str, amount: int) -> str:
        """A line about chips that go in."""
        self.stacks[seat] -= amount
        self.bettors |= set() if words.startswith(_POSTS["post_ante"]) else {seat}
        all_in = "" if self.stacks[seat] else " and is all-in"
        return f"{self.names[seat]}: {words}{all_in}"

    def _board(self, cards: Sequence[int]) -> str:
        self.bets, self.level = [0] * len(self.bets), 0
        before = sum(list(STREETS.values())[: self.street])
        street = list(STREETS)[self.street]
        self.street += 1
        old = f"{cards_in_brackets(self.table.board[:before])} " if before else ""
        return f"*** {street} *** {old}{cards_in_brackets(cards)}"

    def _showed(self, kind: str, seat: int) -> str:
        if kind == "muck":
            return f"{self.names[seat]}: mucks hand"
        if not self._is_known(seat):
            return f"{self.names[seat]}: doesn't show hand"
        self.shown.add(seat)
        return f"{self.names[seat]}: shows {self._hole(seat)} ({self._in_words(seat)})"

    def _collected(self) -> list[str]:
        """Who takes the pots, side pots first. Dead money alone below the main pot (R27) is part of it here."""
        row, lines = self.table.records[0], list[str]()
        lowest = int(row["pots"] > 1 and row["pot_level"][0] == 0 and row["live"] > 1)
        pushed = sorted((step for step in self.table.log if step.kind == "push_pot"), key=lambda step: -(step.pot or 0))
        self.pots = [0] * (max((step.pot or 0 for step in pushed), default=0) + 1 - lowest)
        for _, seat, amount, _, of_table in pushed:
            assert seat is not None
            pot = max((of_table or 0) - lowest, 0)
            self.pots[pot] += amount
            self.won[seat] += amount
            lines.append(f"{self.names[seat]} collected {self.money(amount)} from {self._pot_name(pot)}")
        return lines

    def _pot_name(self, pot: int) -> str:
        side = "side pot" if len(self.pots) == 2 else f"side pot-{pot}"
        return "pot" if len(self.pots) == 1 else side if pot else "main pot"

    def _summary(self) -> list[str]:
        board, rake, parts = self.table.board, self.table.rake, ""
        if len(self.pots) > 1:
            parts = "".join(f" {self._pot_name(k).capitalize()} {self.money(pot)}." for k, pot in enumerate(self.pots))
        return [
            "*** SUMMARY ***",
            f"Total pot {self.money(sum(self.pots) + rake)}{parts} | Rake {self.money(rake)}",
            *([f"Board {cards_in_brackets(board)}"] if board else []),
            *(f"Seat {self.numbers[seat]}: {self.names[seat]}{self._outcome(seat)}" for seat in self.dealt),
        ]

    def _outcome(self, seat: int) -> str:
        row, won = self.table.records[0], self.won[seat]
        place = " (button)" if self.numbers[seat] == self.button else ""
        place += " (small blind)" if seat == row["small_blind_seat"] else ""
        place += " (big blind)" if seat == row["big_blind_seat"] else ""
        if seat in self.folded:
            free = "" if seat in self.bettors or self.folded[seat] else " (didn't bet)"
            return f"{place} folded {_FOLDED[self.folded[seat]]}{free}"
        if seat in self.shown:
            what = f"won ({self.money(won)})" if won else "lost"
            return f"{place} showed {self._hole(seat)} and {what} with {self._in_words(seat)}"
        if won:
            return f"{place} collected ({self.money(won)})"
        return f"{place} mucked{f' {self._hole(seat)}' if self._is_known(seat) else ''}"

    # Money and cards

    def money(self, chips: int) -> str:
        """An amount as text, without needless zeros for whole ones."""
        return money_text(chips, Decimal(self.options.unit), self.sign, grouped=False)

    def _is_known(self, seat: int) -> bool:
        """Whether all of a seat's cards may be written."""
        cards = self.table.hole_cards(seat)
        return UNKNOWN not in cards and (self.visible is None or self.visible.issuperset(cards))

    def _hole(self, seat: int) -> str:
        return cards_in_brackets(self.table.hole_cards(seat))

    def _in_words(self, seat: int) -> str:
        """What a seat holds in the end."""
        if self.rules.ranking != "standard":
            return "a hand"
        return hand_in_words(self.table.hole_cards(seat), self.table.board, self.rules.hole_cards_used)


def check_game(rules: Rules, hand: int | str | None = None) -> str:
    """Return the name of a game. Raises HistoryError for one that the format cannot say. hand: named in the error."""
    game = next((name for name, shape in SHAPES.items() if not rules.hand_differences(Rules(**shape))), None)
    if game is None:
        differs = ", ".join(rules.hand_differences())
        raise inexpressible(_FORMAT, hand, f"this game: it differs from hold'em in {differs}")
    big = rules.big_blind
    if not big:
        raise inexpressible(_FORMAT, hand, "a game without a big blind")
    bets = (big, big, 2 * big, 2 * big) if rules.structure == "fixed_limit" else (big,) * 4
    if rules.street_bets != bets:
        raise inexpressible(_FORMAT, hand, f"bets of {rules.street_bets} with a big blind of {big}")
    return game


def check_expressible(table: Table, hand: int | str | None) -> str:
    """The name of the game. Raises HistoryError for what the format cannot say."""

    def refuse(what: str) -> HistoryError:
        return inexpressible(_FORMAT, hand, what)

    check_log(_FORMAT, hand, table, DEALER_ERRORS)
    game = check_game(table.game, hand)
    if not table.is_over:
        raise HistoryError(None, hand, "the hand is not over; PokerStars' text ends with its result")
    dealt = sum(len(step.cards) for step in table.log if step.kind == "deal_board")
    if dealt != len(table.board) or sum(table.payoffs) != -table.rake:
        raise refuse("a hand that begins in the middle")
    if table.records["small_blind_seat"][0] == NOBODY and not table.game.small_blind:
        raise refuse("a game without a small blind in which nobody has it")
    return game


def names_for(players: Sequence[str] | None, seats: int) -> list[str]:
    """Distinct names, one for each seat. Raises ValueError for one that reads like a line of the format,
    or too few of them."""
    given = [f"player {seat + 1}" for seat in range(seats)] if players is None else list(players)
    if len(given) != seats:
        raise ValueError(f"players: give a name for each of the {seats} seats, not {len(given)}")
    names = distinct_names(given)
    for name in names:
        if _NOT_NAMES.match(name):
            raise ValueError(f"players: {name!r} reads like a line of the format; give another name")
    return names


def roman(level: object) -> str:
    """The number of a level as the format writes it.

    >>> roman(14), roman("IV")
    ('XIV', 'IV')
    """
    if not str(level).isdecimal():
        return str(level)
    number, text = int(str(level)), ""
    for value, sign in _ROMAN:
        text, number = text + sign * min(number // value, 9), number % value
    return text


def time_text(when: datetime | None, zone: object = None) -> str:
    """A time as in a hand's first line, in UTC. A time without a zone keeps the abbreviation of a zone that only its
    file knows, or has none."""
    if when is None:
        return "{}/{:02}/{:02} 0:00:00 UTC".format(*NO_DATE)
    if when.tzinfo is not None:
        when, zone = when.astimezone(UTC), "UTC"
    known = f" {zone}" if isinstance(zone, str) and _ZONE.fullmatch(zone) else ""
    return f"{when:%Y/%m/%d} {when.hour}:{when:%M:%S}{known}"


def cards_in_brackets(cards: Iterable[int]) -> str:
    """Cards as the format writes them: "[As Kd]"."""
    return f"[{' '.join(map(card_name, cards))}]"
