"""Writing a Table as PHH text: the standard fields, and a field of our own for rules that PHH cannot express."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, SupportsIndex

from ..cards.text import UNKNOWN, cards_text
from ..game.rules import Rules
from ..table.table import Table
from .errors import HistoryError, reason
from .files import StrPath, kind_of
from .phh_money import MAX_PLACES, PER_PLAYER, RULES_FIELD, Forced, Money
from .phh_rules import BETS, MAX_RAISES, carried, read_rules, variant_of, with_amounts
from .writing import HandOptions, HandToWrite, check_dealing, write_hands

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


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
) -> str:
    """Return a Table, finished or not, as the text of a `.phh` file.

    The text reads back as the same hand, with the same moves, cards and payoffs; the seat left of the button becomes
    seat 0. PHH has no code for pot-limit hold'em. It is written as no-limit, and the field `_holdem_env` restores it
    when this library reads the file.

    Args:
        table: The table.
        hand: Number or name of the hand.
        players: Names by seat.
        unit: The value of a chip; `HandRecord.unit` for a hand that was read.
        known: The cards to write, such as `HandRecord.known_cards`; other cards are written as `??`. By default all
            cards are written.
        metadata: Further fields, such as `event` or `_note`. Standard fields in it are ignored.
        public: Write only the cards that everybody has seen: the board, and the hands that were shown.
        seat: Write the view of this seat: the public cards and the seat's own hole cards.

    Raises:
        HistoryError: If the game has no PHH code, or the hand has a dealer's error.
        ValueError: If TOML cannot hold the metadata, or the seat does not exist.
    """
    return text_of(table, HandOptions(hand, players, unit, known, metadata or {}, public, seat))


def text_of(table: Table, options: HandOptions) -> str:
    """As `dumps`."""
    check_dealing("PHH", options.hand, table)
    return _Printer(table, options).text()


def check_game(rules: Rules) -> None:
    """Raise HistoryError for a game without a PHH code."""
    forced = Forced(*rules.blinds, rules.ante, rules.big_blind_ante, rules.straddle)
    _carried(rules, rules.starting_stacks, forced)


def _carried(rules: Rules, stacks: tuple[int, ...], forced: Forced) -> dict[str, Any]:
    """What the standard fields do not carry of a game, in chips. Raises HistoryError as `check_game`."""
    try:
        return carried(rules, read_rules(variant_of(rules), stacks, forced, _bets_of(rules), MAX_RAISES))
    except ValueError as problem:
        raise HistoryError(None, None, reason(problem)) from problem


def _bets_of(rules: Rules) -> tuple[int, ...]:
    bets = rules.street_bets
    return (bets[0], bets[-1]) if rules.structure == "fixed_limit" else bets[:1]


def in_phhs(text: str, key: object) -> str:
    """Return the text of a hand as it stands in a `.phhs`, under a key."""
    return f"[{key}]\n{text}\n"


def write(tables: Table | Iterable[Table], path: StrPath, **options: Any) -> None:
    """Write one Table to a `.phh` file, or any number to a `.phhs` file.

    A name that ends in `.xz` or `.gz` compresses. An error leaves the file as it was.

    Args:
        tables: A Table, or any number.
        path: The file.
        **options: The keyword arguments of `dumps`. In a `.phhs` they hold for every hand, and `hand` counts from 1.

    Raises:
        ValueError: If there are several tables and the name does not end in `.phhs`, or as in `dumps`.
        HistoryError: As in `dumps`.
    """
    if kind_of(path) == ".phhs":
        write_hands(dumps, in_phhs, tables, path, options)
    elif isinstance(tables, Table):
        write_hands(dumps, lambda text, key: text, tables, path, {"hand": None, **options})
    else:
        raise ValueError(f"{path}: several hands go into a .phhs file, a .phh holds one")


class _Printer(HandToWrite):
    """Prints a hand as PHH. Its players are the seats dealt in, from the left of the button."""

    def text(self) -> str:
        """The fields of the hand, one a line."""
        table, players = self.table, self.options.players
        fields = {"variant": variant_of(table.game), **self._bets_and_stacks(), "actions": list(self._actions())}
        fields |= {"hand": self.options.hand} if self.options.hand is not None else {}
        fields |= {"seats": [seat + 1 for seat in self.dealt], "seat_count": table.game.seats}
        fields |= {"players": [players[seat] for seat in self.dealt]} if players is not None else {}
        fields |= {"finishing_stacks": self._money(table.stacks[seat] for seat in self.dealt)} if table.is_over else {}
        extras = with_amounts(self._extras(fields), self._amount)
        fields |= {RULES_FIELD: extras} if extras else {}
        known = {*fields, "finishing_stacks", "winnings"}  # a result is that of the table
        further = {name: value for name, value in self.options.metadata.items() if name not in known}
        return "".join(f"{_toml_key(name)} = {_toml(value)}\n" for name, value in (fields | further).items())

    def _amount(self, chips: int) -> Decimal:
        return chips * Decimal(self.options.unit)

    def _money(self, amounts: Iterable[int]) -> list[Decimal]:
        return [self._amount(chips) for chips in amounts]

    @cached_property
    def _stacks(self) -> tuple[int, ...]:
        return tuple(self.table.starting_stacks[seat] for seat in self.dealt)

    @cached_property
    def _forced(self) -> Forced:
        rules = self.table.game
        straddle = rules.straddle if any(operation.kind == "post_straddle" for operation in self.table.log) else 0
        return Forced(*rules.blinds, rules.ante, rules.big_blind_ante, straddle)

    def _bets_and_stacks(self) -> dict[str, Any]:
        seats, forced = len(self.dealt), self._forced
        antes = [forced.ante] * seats
        antes[1] += forced.big_blind_ante
        blinds = [forced.small_blind, forced.big_blind] + [forced.straddle] * (seats > 2) + [0] * (seats - 3)
        return {
            # `true` means that a short ante makes a side pot (R8). Only a uniform ante can be short.
            "ante_trimming_status": not forced.big_blind_ante or any(stack < forced.ante for stack in self._stacks),
            "antes": self._money(antes),
            "blinds_or_straddles": self._money(blinds),
            **dict(zip(BETS[variant_of(self.table.game)], self._money(_bets_of(self.table.game)), strict=True)),
            "starting_stacks": self._money(self._stacks),
        }

    def _actions(self) -> Iterator[str]:
        table = self.table
        players: dict[int | None, str] = {seat: f"p{number}" for number, seat in enumerate(self.dealt, 1)}
        # In PHH nobody mucks without a showdown, as a player who wins alone does here (R30).
        is_alone = table.records["in_hand"][0].sum() == 1
        for seat in self.dealt:
            yield f"d dh {players[seat]} {self._cards(table.hole_cards(seat))}"
        for operation in table.log:
            player = players.get(operation.seat)
            match operation.kind:
                case "deal_board":
                    yield f"d db {self._cards(operation.cards)}"
                case "fold":
                    yield f"{player} f"
                case "check" | "call":
                    yield f"{player} cc"
                case "bet" | "raise":
                    yield f"{player} cbr {_toml(self._amount(operation.amount))}"
                case "show":
                    yield f"{player} sm {self._cards(operation.cards)}"
                case "muck" if not is_alone:
                    yield f"{player} sm"

    def _cards(self, cards: Iterable[int]) -> str:
        visible = self.visible
        return cards_text(card if visible is None or card in visible else UNKNOWN for card in cards)

    def _extras(self, fields: dict[str, Any]) -> dict[str, Any]:
        """What the standard fields do not carry, in chips."""
        rules, variant = self.table.game, fields["variant"]
        found = _carried(rules, self._stacks, self._forced)
        found.pop("smallest_chip", None)
        # What a reader takes for the smallest chip.
        amounts = [action.split()[2] for action in fields["actions"] if " cbr " in action]
        usual = Money.of(fields, (*PER_PLAYER, *BETS[variant]), amounts).unit / Decimal(self.options.unit)
        return found if rules.smallest_chip == usual else {"smallest_chip": rules.smallest_chip, **found}


def _toml_key(name: object) -> str:
    return str(name) if _BARE_KEY.fullmatch(str(name)) else _toml(str(name))


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        if not value.is_finite():
            return str(float(value))  # inf, -inf, nan
        if abs(value.adjusted()) > MAX_PLACES:  # 1e99999999 would fill the memory
            return f"{value:e}"
        digits = f"{value:f}"
        return digits.rstrip("0").rstrip(".") if "." in digits else digits
    if isinstance(value, int | float | datetime.date | datetime.time):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_toml_key(name)} = {_toml(part)}" for name, part in value.items()) + "}"
    if isinstance(value, Iterable):
        return "[" + ", ".join(_toml(part) for part in value) + "]"
    raise ValueError(f"{value!r} cannot be written in TOML")
