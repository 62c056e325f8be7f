"""Writing a Table as PHH text: the standard fields, and a field of our own for rules that PHH cannot express."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, SupportsIndex

from ..cards.text import UNKNOWN, cards_text
from ..table.starting import checked_seat
from ..table.table import Operation, Table
from .errors import HistoryError, check_dealing, reason
from .files import StrPath, kind_of, open_text
from .phh_money import PER_PLAYER, RULES_FIELD, Forced, Money
from .phh_rules import BETS, MAX_RAISES, carried, read_rules, variant_of, with_amounts

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_WORDS = {"fold": "f", "check": "cc", "call": "cc"}


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
    """A Table, finished or not, as the text of a `.phh` file.

    The text reads back as the same hand, with the same moves, cards and payoffs; the seat left of the button becomes
    seat 0.

    hand: its number or name.
    players: names by seat.
    unit: the value of a chip; `HandRecord.unit` for a hand that was read.
    known: the cards to write, such as `HandRecord.known_cards`; other cards are written as `??`. By default all cards
        are written.
    public: write only the cards that everybody has seen: the board, and the hands that were shown.
    seat: whose view to write: the public cards and the seat's own hole cards.
    metadata: further fields, such as `event` or `_note`. Standard fields in it are ignored.

    PHH has no code for pot-limit hold'em; it is written as no-limit, and the field `_holdem_env` restores it when this
    library reads the file.

    Raises HistoryError for a game without a PHH code and for a hand with a dealer's error, ValueError for metadata that
    TOML cannot hold, or a seat that does not exist.
    """
    check_dealing(table, hand, "PHH")
    if public or seat is not None:
        seen = _seen(table, seat)
        known = seen if known is None else seen & set(known)
    order = _order(table)
    forced = _forced(table)
    stacks = tuple(table.starting_stacks[seat] for seat in order)

    def money(amount: int) -> Decimal:
        return amount * Decimal(unit)

    fields: dict[str, Any] = {"variant": variant_of(table.game)}
    fields |= _money_fields(table, forced, stacks, money)
    fields["actions"] = _actions(table, order, money, known)
    fields |= {"hand": hand} if hand is not None else {}
    fields |= {"seats": [seat + 1 for seat in order], "seat_count": table.game.seats}
    fields |= {"players": [players[seat] for seat in order]} if players is not None else {}
    fields |= {"finishing_stacks": [money(table.stacks[seat]) for seat in order]} if table.is_over else {}
    extras = with_amounts(_extras(table, stacks, forced, _chip_of_a_reader(fields) / Decimal(unit)), money)
    fields |= {RULES_FIELD: extras} if extras else {}
    further = {name: value for name, value in (metadata or {}).items() if name not in fields}
    return "".join(f"{_toml_key(name)} = {_toml(value)}\n" for name, value in (fields | further).items())


def _seen(table: Table, seat: SupportsIndex | None) -> set[int]:
    """The cards that everybody has seen, and those of a seat."""
    own = [] if seat is None else [checked_seat(table.game, seat)]
    shown = [other for other in range(table.game.seats) if table.is_shown(other)]
    return {*table.board, *(card for other in (*own, *shown) for card in table.hole_cards(other))}


def write(tables: Table | Iterable[Table], path: StrPath, **options: Any) -> None:
    """Write one Table to a `.phh` file, or any number to a `.phhs` file. A name that ends in `.xz` or `.gz` compresses.

    options: the keyword arguments of `dumps`. In a `.phhs` they hold for every hand, and `hand` counts from 1.
    Raises ValueError for several tables and a name that does not end in `.phhs`; otherwise as `dumps`.
    """
    many = kind_of(path) == ".phhs"
    if isinstance(tables, Table):
        tables = [tables]
    elif not many:
        raise ValueError(f"{path}: several hands go into a .phhs file, a .phh holds one")
    texts = (f"[{k}]\n{dumps(table, **{'hand': k, **options})}\n" for k, table in enumerate(tables, 1))
    if not many:
        texts = (dumps(table, **options) for table in tables)
    with open_text(path, "w") as file:
        file.writelines(texts)


def _order(table: Table) -> list[int]:
    """The seats dealt in, in the order of PHH's players: from the left of the button (heads-up from the big blind)."""
    clockwise = [(table.button + 1 + i) % table.game.seats for i in range(table.game.seats)]
    return [seat for seat in clockwise if table.records["was_dealt"][0, seat]]


def _forced(table: Table) -> Forced:
    rules = table.game
    straddle = rules.straddle if any(operation.kind == "post_straddle" for operation in table.log) else 0
    return Forced(*rules.blinds, rules.ante, rules.big_blind_ante, straddle)


def _money_fields(
    table: Table, forced: Forced, stacks: tuple[int, ...], money: Callable[[int], Decimal]
) -> dict[str, Any]:
    seats = len(stacks)
    antes = [forced.ante] * seats
    antes[1] += forced.big_blind_ante
    blinds = [forced.small_blind, forced.big_blind] + [forced.straddle] * (seats > 2) + [0] * (seats - 3)
    fields: dict[str, Any] = {
        # `true` means that a short ante makes a side pot (R8). Only a uniform ante can be short.
        "ante_trimming_status": not forced.big_blind_ante or any(stack < forced.ante for stack in stacks),
        "antes": [money(ante) for ante in antes],
        "blinds_or_straddles": [money(blind) for blind in blinds],
    }
    bets = table.game.street_bets
    if table.game.structure == "fixed_limit":
        fields |= {"small_bet": money(bets[0]), "big_bet": money(bets[-1])}
    else:
        fields["min_bet"] = money(bets[0])
    return fields | {"starting_stacks": [money(stack) for stack in stacks]}


def _chip_of_a_reader(fields: dict[str, Any]) -> Decimal:
    """What a reader takes for the smallest chip, in the file's money."""
    amounts = [action.split()[2] for action in fields["actions"] if " cbr " in action]
    return Money.of(fields, (*PER_PLAYER, *BETS[fields["variant"]]), amounts).unit


def _extras(table: Table, stacks: tuple[int, ...], forced: Forced, usual_chip: Decimal) -> dict[str, Any]:
    """What the standard fields do not carry, in chips. usual_chip: the smallest chip by the standard fields."""
    rules = table.game
    fixed = rules.structure == "fixed_limit"
    bets = (rules.street_bets[0], rules.street_bets[-1]) if fixed else (rules.street_bets[0],)
    try:
        plain = read_rules(variant_of(rules), stacks, forced, bets, MAX_RAISES)
        found = carried(rules, plain)
    except ValueError as problem:
        raise HistoryError(None, None, reason(problem)) from problem
    found.pop("smallest_chip", None)
    return found if rules.smallest_chip == usual_chip else {"smallest_chip": rules.smallest_chip, **found}


def _actions(
    table: Table, order: list[int], money: Callable[[int], Decimal], known: Collection[int] | None
) -> list[str]:
    players = {seat: f"p{number}" for number, seat in enumerate(order, 1)}

    def text(cards: Iterable[int]) -> str:
        return cards_text(card if known is None or card in known else UNKNOWN for card in cards)

    actions = [f"d dh {player} {text(table.hole_cards(seat))}" for seat, player in players.items()]
    for operation in _written(table):
        action = _action(operation, players, money, text)
        if action:
            actions.append(action)
    return actions


def _action(
    operation: Operation, players: dict[int, str], money: Callable[[int], Decimal], text: Callable[[Iterable[int]], str]
) -> str | None:
    kind = operation.kind
    if kind == "deal_board":
        return f"d db {text(operation.cards)}"
    if operation.seat is None:
        return None
    player = players[operation.seat]
    if kind in _WORDS:
        return f"{player} {_WORDS[kind]}"
    if kind in ("bet", "raise"):
        return f"{player} cbr {_toml(money(operation.amount))}"
    if kind == "show":
        return f"{player} sm {text(operation.cards)}"
    return f"{player} sm" if kind == "muck" else None


def _written(table: Table) -> list[Operation]:
    """The log without the muck of a player who wins alone (R30): in PHH nobody mucks without a showdown."""
    alone = sum(not table.is_folded(seat) for seat in range(table.game.seats)) == 1
    return [operation for operation in table.log if not (alone and operation.kind == "muck")]


def _toml_key(name: object) -> str:
    return str(name) if _BARE_KEY.fullmatch(str(name)) else _toml(str(name))


def _toml(value: object) -> str:
    """A value as TOML text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        whole = value.to_integral_value()
        return str(int(whole)) if value == whole else f"{value.normalize():f}"
    if isinstance(value, int | float | datetime.date | datetime.time):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_toml_key(name)} = {_toml(part)}" for name, part in value.items()) + "}"
    if isinstance(value, Iterable):
        return "[" + ", ".join(_toml(part) for part in value) + "]"
    raise ValueError(f"{value!r} cannot be written in TOML")
