"""A table as text that a person can read."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..cards.text import Cards
from ..engine.legality import choice_text, legal_moves
from ..engine.record import HIDDEN, MUCKED, NOBODY
from ..game.rules import Rules
from ..game.street_names import street_name
from ..game.title import game_title


def table_text(t: Any, rules: Rules) -> str:
    """One TABLE record as text: the game, the board, a line per seat, who is to act. All hole cards are shown."""
    return "\n".join([_head(t, rules), *_exposed(t), *(_seat(t, rules, seat) for seat in range(rules.seats)), _foot(t)])


def _head(t: Any, rules: Rules) -> str:
    board = Cards(t["board"][: t["board_count"]].tolist())
    street = "over" if t["over"] else "showing" if t["showing"] else street_name(rules, int(t["street"]))
    return f"{game_title(rules)}  {street:8} board {str(board) or '-':10}  pot {t['pot']}"


def _exposed(t: Any) -> list[str]:
    """R33-R38: the cards that everybody has seen by a dealer's error, if there are any."""
    cards = Cards(t["exposed"].nonzero()[0].tolist())
    return [f"    exposed by the dealer: {cards}"] if cards else []


def _seat(t: Any, rules: Rules, seat: int) -> str:
    if not t["was_dealt"][seat]:
        return f"    seat {seat}  -"
    marks = ("D" if seat == t["button"] else " ") + (">" if seat in (t["actor"], t["showing"] - 1) else " ")
    cards = Cards(t["hole"][seat, : rules.hole_cards].tolist())
    return f" {marks} seat {seat}  {cards!s:5} stack {t['seats']['stack'][seat]:>7}  {_deed(t, seat)}".rstrip()


def _deed(t: Any, seat: int) -> str:
    """What there is to say of a seat: its bet, that it folded or is all-in, what it won or lost."""
    words = []
    if t["seats"]["bet"][seat]:
        words.append(f"bet {t['seats']['bet'][seat]}")
    if not t["in_hand"][seat]:
        words.append("folded")
    elif t["seats"]["stack"][seat] == 0 and not t["over"]:
        words.append("all-in")
    if (t["over"] or t["showing"]) and t["shown"][seat] != HIDDEN:
        words.append("mucks" if t["shown"][seat] == MUCKED else "shows")
    if t["over"]:
        words.append(f"{t['seats']['stack'][seat] - t['start_stack'][seat]:+d}")
    return ", ".join(words)


def _foot(t: Any) -> str:
    if t["showing"]:
        return f"{choice_text(t).capitalize()}."
    if t["actor"] == NOBODY:
        return "The hand is over."
    return f"Seat {t['actor']} to act: {legal_moves(np.atleast_1d(t))}"
