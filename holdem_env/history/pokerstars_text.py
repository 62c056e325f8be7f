"""The pieces of PokerStars' text: where a hand begins and ends, amounts of money, and its first two lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import time
from decimal import Decimal
from typing import Any

from .files import Kept, Piece
from .times import ZONES

AMOUNT = r"(?:[^\w\s.,()\[\]'\"/|+-]{0,2})(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?"
"""An amount as the format writes it: a sign of its currency if it has one, and digits, also as 1,234.50."""
MAX_DIGITS = 18
NO_DATE = (1970, 1, 1)
"""The date that is written for a hand without one: the format needs a date, and trackers do not read hands without."""
STREETS = {"FLOP": 3, "TURN": 1, "RIVER": 1}
"""The words for the streets, and how many cards each brings."""
STRUCTURES = {"No Limit": "no_limit", "Pot Limit": "pot_limit", "Fixed Limit": "fixed_limit", "Limit": "fixed_limit"}

_HEADER = re.compile(r"\ufeff?PokerStars (?P<kind>(?:Zoom |Home Game )*)(?:Hand|Game) #(?P<number>\d+):\s*(?P<rest>.*)")
_SIGN = re.compile(r"[^\d,.]*")
_GAME = re.compile(
    r"(?P<game>(?:(?:6\+|Split|Showtime|Tempest|Swap|Unfold|Fusion|Deep Water|[456] Card) )?"
    r"(?:Hold'em|Omaha(?: Hi/Lo)?|Courchevel(?: Hi/Lo)?)) (?P<limit>No Limit|Pot Limit|Fixed Limit|Limit)\b"
    r"(?P<more>[^(]*)"
)
_CLUB = re.compile(r"\{(?P<club>.*)\}\s*")
_TOURNAMENT = re.compile(r"(?P<event>Tournament #\d+), (?P<buy_in>.*)")
# A mixed game has its stakes behind the game of the hand: HORSE (Hold'em Limit, $3/$6 USD).
_STAKES = re.compile(rf"\((?:[^()]*, )?(?P<small>{AMOUNT})/(?P<big>{AMOUNT})(?P<more>[^)]*)\)")
_LEVEL = re.compile(r"Level (?P<level>[IVXLCDM]+|\d+)\b")
_WHEN = re.compile(
    r"(?P<year>\d{4})[/-](?P<month>\d\d?)[/-](?P<day>\d\d?)(?: - |[ T])"
    r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)(?:\.\d+)?\s*\(?(?P<zone>[A-Z]{1,5})?\b"
)
_CODE = re.compile(r"^ ([A-Z]{3})\b")
_TABLE = re.compile(r"Table '(?P<name>.*)'(?P<more>.*) Seat #(?P<button>\d{1,3}) is the button")
_MOST_SEATS = re.compile(r"\b(\d{1,2})-max\b")


@dataclass(frozen=True)
class Header:
    """What the first two lines say. small, big: as the stakes stand there, blinds or (in fixed limit) bets.

    metadata: what has no meaning for the rules, by PHH's names for such fields.
    """

    number: int
    game: str
    structure: str
    small: Decimal
    big: Decimal
    sign: str
    button: int
    is_tournament: bool
    metadata: dict[str, Any] = field(default_factory=dict)


def is_header(line: str) -> bool:
    """Whether a hand begins with this line."""
    return _HEADER.match(line) is not None


def readable(line: str) -> str:
    """A line without the spaces around it. Older files are in a code page of Windows instead of UTF-8."""
    if not line.isascii():
        if any("\ud800" <= sign <= "\udfff" for sign in line):
            line = line.encode("utf-8", "surrogateescape").decode("cp1252", "replace")
        line = line.replace("\xa0", " ")
    return line.strip()


def raw_hands(lines: Iterable[str]) -> Iterator[Piece]:
    """Split the lines of a file at the first lines of hands. What stands before the first hand is left out, and so are
    blank lines."""
    kept: Kept | None = None
    for number, given in enumerate(lines, 1):
        line = readable(given)
        if is_header(line):
            if kept is not None:
                yield kept.piece()
            kept = Kept(number)
        if kept is not None and line:
            kept.add(f"{line}\n")
    if kept is not None:
        yield kept.piece()


def money(text: str) -> Decimal:
    """An amount that AMOUNT has matched. Raises ValueError if it has too many digits for a count of chips."""
    digits = _SIGN.sub("", text, count=1).replace(",", "")
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"{text[:30]!r} is not an amount of chips: it has more than {MAX_DIGITS} digits")
    return Decimal(digits)


def sign_of(text: str) -> str:
    """The sign of the currency before an amount, or ""."""
    found = _SIGN.match(text)
    return found[0] if found else ""


def read_header(first: str, second: str) -> Header:
    """The first two lines of a hand. Raises ValueError, naming what is wrong, for a game that cannot be played."""
    head = _HEADER.match(first)
    if head is None:
        raise ValueError(f"{first[:60]!r} is not the first line of a hand")
    rest = head["rest"]
    if club := _CLUB.match(rest):
        rest = rest[club.end() :]
    game, stakes, table = _GAME.search(rest), _STAKES.search(rest), _TABLE.match(second)
    if game is None:
        raise ValueError(f"{rest[:80]!r}: the game is neither hold'em nor Omaha")
    if "Pre-Flop" in game["more"]:
        raise ValueError("a game that is pot-limit before the flop and no-limit after it cannot be played")
    if stakes is None:
        raise ValueError(f"{rest[:80]!r} does not name the blinds, such as ($1/$2 USD)")
    if "CAP" in f"{stakes['more']} {game['more']}".upper():
        raise ValueError("a game with a cap on what a player may bet in a hand cannot be played")
    if table is None:
        raise ValueError(f"{second[:80]!r} does not name table and button, such as Table 'Ada' 6-max Seat #1 is ...")
    tournament = _TOURNAMENT.search(rest[: game.start()])
    metadata = _table_fields(table) | _time_fields(rest) | _stakes_fields(stakes, tournament is None, table)
    metadata |= {"_club": club["club"]} if club else {}
    if tournament:
        level = _LEVEL.search(rest)
        metadata |= {"event": tournament["event"], "_buy_in": tournament["buy_in"].strip()}
        metadata |= {"level": level["level"]} if level else {}
    if head["kind"].strip():
        metadata["_kind"] = head["kind"].strip()
    return Header(
        number=int(head["number"][:MAX_DIGITS]),
        game=game["game"],
        structure=STRUCTURES[game["limit"]],
        small=money(stakes["small"]),
        big=money(stakes["big"]),
        sign=sign_of(stakes["small"]) or sign_of(stakes["big"]),
        button=int(table["button"]),
        is_tournament=tournament is not None,
        metadata={"venue": "PokerStars", **metadata},
    )


def _table_fields(table: re.Match[str]) -> dict[str, Any]:
    most = _MOST_SEATS.search(table["more"])
    return {"table": table["name"], **({"seat_count": int(most[1])} if most else {})}


def _stakes_fields(stakes: re.Match[str], is_cash: bool, table: re.Match[str]) -> dict[str, Any]:
    sign, code = sign_of(stakes["small"]), _CODE.match(stakes["more"])
    if "Play Money" in table["more"] or not (is_cash and sign):
        return {}
    return {"currency_symbol": sign, **({"currency": code[1]} if code else {})}


def _time_fields(rest: str) -> dict[str, Any]:
    """The day and the time, by PHH's names: those in brackets, where a local time stands before them. Raises ValueError
    for a day or a time that does not exist."""
    found = list(_WHEN.finditer(rest))[::-1]
    when = max(found, key=lambda each: each["zone"] in ZONES, default=None)
    if when is None or tuple(int(when[name]) for name in ("year", "month", "day")) == NO_DATE:
        return {}
    fields: dict[str, Any] = {name: int(when[name]) for name in ("year", "month", "day")}
    if not (1 <= fields["month"] <= 12 and 1 <= fields["day"] <= 31):
        raise ValueError(f"{when[0]!r} is not a day and a time")
    try:
        fields["time"] = time(int(when["hour"]), int(when["minute"]), int(when["second"]))
    except ValueError:
        raise ValueError(f"{when[0]!r} is not a day and a time") from None
    if when["zone"]:
        fields["time_zone_abbreviation"] = when["zone"]
        fields |= {"time_zone": ZONES[when["zone"]]} if when["zone"] in ZONES else {}
    return fields
