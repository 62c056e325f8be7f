"""What PokerStars' format can express: games, hands and names; and the time in a hand's first line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from ..engine.record import NOBODY
from ..game.rules import Rules
from ..table.table import Table
from .errors import HistoryError
from .names import distinct_names
from .pokerstars_hands import SHAPES
from .pokerstars_text import NO_DATE
from .writing import DEALER_ERRORS, check_log

_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_NOT_NAMES = re.compile(r"PokerStars .*(Hand|Game) #|\*\*\*|Seat \d|Table '|Dealt to |Uncalled bet|Total pot|Board \[")


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


def time_text(when: datetime | None) -> str:
    """A time as in a hand's first line, in UTC; a time without a zone is taken for UTC."""
    if when is None:
        return "{}/{:02}/{:02} 0:00:00 UTC".format(*NO_DATE)
    when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return f"{when:%Y/%m/%d} {when.hour}:{when:%M:%S} UTC"


def check_expressible(table: Table, hand: int | str | None) -> str:
    """The name of the game. Raises HistoryError for what the format cannot say."""
    check_log("PokerStars' format", hand, table, DEALER_ERRORS)
    rules = table.game

    def refuse(what: str) -> HistoryError:
        return HistoryError(None, hand, f"PokerStars' format cannot express {what}")

    game = next((name for name, shape in SHAPES.items() if not rules.hand_differences(Rules(**shape))), None)
    if game is None:
        raise refuse(f"this game: it differs from hold'em in {', '.join(rules.hand_differences())}")
    small, big = rules.blinds
    if not big:
        raise refuse("a game without a big blind")
    bets = (big, big, 2 * big, 2 * big) if rules.structure == "fixed_limit" else (big,) * 4
    if rules.street_bets != bets:
        raise refuse(f"bets of {rules.street_bets} with a big blind of {big}")
    if not table.is_over:
        raise HistoryError(None, hand, "the hand is not over; PokerStars' text ends with its result")
    dealt = sum(len(step.cards) for step in table.log if step.kind == "deal_board")
    if dealt != len(table.board) or sum(table.payoffs) != -table.rake:
        raise refuse("a hand that begins in the middle")
    if table.records["small_blind_seat"][0] == NOBODY and not small:
        raise refuse("a game without a small blind in which nobody has it")
    return game
