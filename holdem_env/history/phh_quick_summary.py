"""A quick look at a PHH record, for lists of many hands: its summary without parsing all of its TOML, or playing it.

It reads records whose arrays stand on one line each, as programs write them. The chips are added up as the record says;
that its moves are legal is not checked. Of any other record there is no quick look, and it is replayed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from math import inf
from typing import Any

from .files import Piece
from .phh_money import RULES_FIELD
from .phh_rules import VARIANTS
from .summary import STREET_OF_BOARD, HandSummary, seat_names

_FIELD = re.compile(
    r"^(variant|antes|blinds_or_straddles|starting_stacks|actions|players|finishing_stacks|winnings|hand|"
    rf"{RULES_FIELD})[ \t]*=[ \t]*(.*)$",
    re.MULTILINE,
)
_AMOUNT = re.compile(r"\d+(\.\d+)?", re.ASCII)
CARD = 2


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


_decode = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_number).decode


def quick_summary(piece: Piece) -> HandSummary | None:
    """The summary of a record, or None if only the whole reader can tell."""
    try:
        fields = _fields(piece.text)
        return None if fields is None else _summary(piece.key, fields)
    except Exception:  # whatever a stranger's record raises: the whole reader says what is wrong
        return None


def _fields(text: str) -> dict[str, Any] | None:
    """The fields wanted, with JSON for TOML: they agree on lists of plain strings and numbers."""
    if '"""' in text or "'''" in text:
        return None
    fields: dict[str, Any] = {}
    for name, value in _FIELD.findall(text):
        if name in fields or "\\" in value or ("'" in value and '"' in value):
            return None
        if name == RULES_FIELD:
            fields[name] = value
        else:
            fields[name] = _decode(value.replace("'", '"'))
    return fields


def _summary(key: str | None, fields: dict[str, Any]) -> HandSummary | None:
    stacks, seats = fields["starting_stacks"], len(fields["starting_stacks"])
    antes, blinds = fields["antes"], fields["blinds_or_straddles"]
    players = fields.get("players")
    if fields["variant"] not in VARIANTS or not len(antes) == len(blinds) == seats >= 2:
        return None
    if players is not None and (len(players) != seats or not all(isinstance(name, str) for name in players)):
        return None
    chips = _Chips(stacks, antes, blinds)
    board, live = 0, seats
    for text in fields["actions"]:
        who, what, *rest = text.split()
        if what == "f":
            live -= 1
        elif what == "cc":
            chips.call(int(who[1:]) - 1)
        elif what == "cbr":
            chips.bet_to(int(who[1:]) - 1, _amount(rest[0]))
        elif what == "db":
            cards, odd = divmod(len(rest[0]), CARD)
            if odd or not cards:
                return None
            board += cards
            chips.next_street()
        elif what not in ("dh", "sm") or "#" in text:
            return None
    chips.next_street()
    payoffs, big_blind = chips.payoffs(fields, live), float(blinds[1] or antes[1] or 1)
    if not 0 < big_blind < inf:
        return None
    return HandSummary(
        hand=_name(key, fields.get("hand")),
        players=seat_names(players, seats),
        pot=float(sum(chips.total)),
        big_blind=big_blind,
        street=STREET_OF_BOARD[board],
        showdown=live > 1,
        payoffs=None if payoffs is None else tuple(map(float, payoffs)),
    )


def _name(key: str | None, hand: object) -> int | str:
    if key is not None:
        return int(key) if key.isdecimal() else key
    return hand if isinstance(hand, int | str) else 1


def _amount(text: str) -> int | Decimal:
    if not _AMOUNT.fullmatch(text):
        raise ValueError(f"{text!r} is not an amount")
    return Decimal(text) if "." in text else int(text)


class _Chips:
    """What each player has put in, as far as a record's own numbers tell."""

    def __init__(self, stacks: Sequence[Any], antes: Sequence[Any], blinds: Sequence[Any]) -> None:
        if len(stacks) == 2:  # both arrays begin with the small blind, who is player 2 heads-up
            antes, blinds = antes[::-1], blinds[::-1]
        pairs = list(zip(stacks, antes, blinds, strict=True))
        if any(not (ante >= 0 and blind >= 0 and ante + blind <= stack) for stack, ante, blind in pairs):
            raise ValueError("a short ante or blind, whose posting the rules say, or one below 0")
        self.left = [stack - ante - blind for stack, ante, blind in pairs]
        self.total = list(antes)
        self.bets = list(blinds)
        self.level = max(blinds)

    def call(self, player: int) -> None:
        self._put(player, min(self.level - self.bets[player], self.left[player]))

    def bet_to(self, player: int, level: int | Decimal) -> None:
        self._put(player, level - self.bets[player])
        self.level = level

    def _put(self, player: int, chips: Any) -> None:
        if player < 0 or not 0 <= chips <= self.left[player]:
            raise ValueError("not this player's chips")
        self.left[player] -= chips
        self.bets[player] += chips

    def next_street(self) -> None:
        """The bets go into the pot, but for what nobody has called."""
        second, most = sorted(self.bets)[-2:]
        if most > second:
            self.bets[self.bets.index(most)] = second
        self.total = [total + bet for total, bet in zip(self.total, self.bets, strict=True)]
        self.bets = [0] * len(self.bets)
        self.level = 0

    def payoffs(self, fields: dict[str, Any], live: int) -> list[Any] | None:
        """Net chips: of a showdown as stated, else what the others have put in. Raises ValueError where another result
        is stated: the replay tells which is right."""
        stated: list[Any] | None = None
        if not all(chips >= 0 for name in ("finishing_stacks", "winnings") for chips in fields.get(name, ())):
            raise ValueError("chips below 0")
        if "finishing_stacks" in fields:
            pairs = zip(fields["finishing_stacks"], fields["starting_stacks"], strict=True)
            stated = [end - start for end, start in pairs]
        elif "winnings" in fields:
            stated = [won - put for won, put in zip(fields["winnings"], self.total, strict=True)]
        if live > 1 or (stated is None and RULES_FIELD in fields):
            return stated
        folded = {int(text.split()[0][1:]) - 1 for text in fields["actions"] if text.split()[1] == "f"}
        pot = sum(self.total)
        won = [pot * (player not in folded) - put for player, put in enumerate(self.total)]
        if stated not in (None, won):
            raise ValueError("the moves give another result than is stated")
        return won
