"""A quick look at a hand in PokerStars' text, for lists of many hands: parsed, but not played."""

from __future__ import annotations

import re

from .errors import HistoryError
from .files import Piece
from .hand_record import FOLD
from .pokerstars import parser
from .pokerstars_text import AMOUNT, money
from .summary import STREET_OF_BOARD, HandSummary, seat_names

_POT = re.compile(rf"^Total pot (?P<pot>{AMOUNT})", re.MULTILINE)
_parse = parser("")


def quick_summary(piece: Piece) -> HandSummary | None:
    """The summary of a hand, or None if only the replay can tell."""
    pot = _POT.search(piece.text)
    try:
        hand = _parse(piece)
    except HistoryError:
        return None  # parsing it with its file raises the error
    if hand is None or pot is None:
        return None
    seats, unit = hand.rules.seats, float(hand.unit)
    return HandSummary(
        hand=hand.hand,
        players=seat_names(hand.players, seats),
        pot=float(money(pot["pot"])),
        big_blind=(hand.rules.big_blind or hand.rules.ante or 1) * unit,
        street=STREET_OF_BOARD.get(len(hand.board), 0),
        showdown=seats - sum(move.kind == FOLD for move in hand.moves) > 1,
        payoffs=None,
    )
