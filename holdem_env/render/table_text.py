"""A table as text that a person can read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..cards.text import Cards
from ..engine.legality import choice_text, legal_moves
from ..engine.record import HIDDEN, MUCKED, NOBODY
from ..game.rules import Rules
from ..game.street_names import street_name
from ..game.title import game_title


def table_text(t: Any, rules: Rules, names: Sequence[str] = (), amount: Callable[[int], str] = str) -> str:
    """One TABLE record as text: the game, the board, a line per seat, who is to act. All hole cards are shown.

    names: of the seats; by default "seat 0", "seat 1" and so on. amount: how chips are written, by default as their
    number."""
    known = list(names) or [f"seat {seat}" for seat in range(rules.seats)]
    longest = max(map(len, known))
    seats = (_seat(t, rules, seat, known[seat].ljust(longest), amount) for seat in range(rules.seats))
    return "\n".join([_head(t, rules, amount), *_exposed(t), *seats, _foot(t, known, amount)])


def _head(t: Any, rules: Rules, amount: Callable[[int], str]) -> str:
    board = Cards(t["board"][: t["board_count"]].tolist())
    street = "over" if t["over"] else "showing" if t["showing"] else street_name(rules, int(t["street"]))
    return f"{game_title(rules, amount)}  {street:8} board {str(board) or '-':10}  pot {amount(int(t['pot']))}"


def _exposed(t: Any) -> list[str]:
    """R33-R38: the cards that everybody has seen by a dealer's error, if there are any."""
    cards = Cards(t["exposed"].nonzero()[0].tolist())
    return [f"    exposed by the dealer: {cards}"] if cards else []


def _seat(t: Any, rules: Rules, seat: int, name: str, amount: Callable[[int], str]) -> str:
    if not t["was_dealt"][seat]:
        return f"    {name}  -"
    marks = ("D" if seat == t["button"] else " ") + (">" if seat in (t["actor"], t["showing"] - 1) else " ")
    cards = Cards(t["hole"][seat, : rules.hole_cards].tolist())
    stack = amount(int(t["seats"]["stack"][seat]))
    return f" {marks} {name}  {cards!s:5} stack {stack:>7}  {_deed(t, seat, amount)}".rstrip()


def _deed(t: Any, seat: int, amount: Callable[[int], str]) -> str:
    """What there is to say of a seat: its bet, that it folded or is all-in, what it won or lost."""
    words = []
    if t["seats"]["bet"][seat]:
        words.append(f"bet {amount(int(t['seats']['bet'][seat]))}")
    if not t["in_hand"][seat]:
        words.append("folded")
    elif t["seats"]["stack"][seat] == 0 and not t["over"]:
        words.append("all-in")
    if (t["over"] or t["showing"]) and t["shown"][seat] != HIDDEN:
        words.append("mucks" if t["shown"][seat] == MUCKED else "shows")
    if t["over"]:
        won = int(t["seats"]["stack"][seat] - t["start_stack"][seat])
        words.append(("" if won < 0 else "+") + amount(won))
    return ", ".join(words)


def _foot(t: Any, names: Sequence[str], amount: Callable[[int], str]) -> str:
    if t["showing"]:
        return f"{choice_text(t).capitalize()}."
    if t["actor"] == NOBODY:
        return "The hand is over."
    legal = re.sub(r"\d+", lambda chips: amount(int(chips[0])), str(legal_moves(np.atleast_1d(t))))
    name = names[t["actor"]]
    return f"{name[0].upper()}{name[1:]} to act: {legal}"
