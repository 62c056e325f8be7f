"""How the ACPC writes a hand: the betting by round, `r300c/cr600c`, and the cards by position, `5d5c|9hQd/8dAs8s`.

Logs (`acpc`) and the messages between a dealer and its players have the same text. Position 0 is the seat left of the
button; see `acpc` for what the letters mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate

from ..cards.text import UNKNOWN, Cards, cards_text
from ..engine.record import CHECK_CALL, FOLD
from ..table.seat_view import Move
from ..table.state import TableState
from ..table.table import Table

BOARD_SIZES = (3, 1, 1)
ACTION = {"fixed_limit": re.compile(r"[rcf]"), "no_limit": re.compile(r"r\d+|[cf]", re.ASCII)}
"""One action, by the structure of the game. In no-limit the number is the player's total of the hand."""
_ON_BOARD = (0, *accumulate(BOARD_SIZES))
_WITHOUT_TOTAL = {"fold": FOLD, "check": CHECK_CALL, "call": CHECK_CALL}
_LETTERS = {FOLD: "f", CHECK_CALL: "c"}


def by_position(seats: int, first: int) -> list[int]:
    """The seats in the order of their positions. first: the seat at position 0."""
    return [(first + place) % seats for place in range(seats)]


def state_text(table: TableState, hand: int, moves: Sequence[Move], holes: Iterable[Cards], street: int) -> str:
    """What STATE and MATCHSTATE lines have in common: hand:betting:cards.

    moves: of this hand up to now. holes: by position; unknown cards are left out. street: the latest round, 0 to 3.
    """
    return f"{hand}:{betting_text(table, moves, street)}:{_cards(holes, table.board, street)}"


def last_street(table: TableState) -> int:
    """The latest round whose cards are dealt: 0 to 3."""
    return _ON_BOARD.index(len(table.board))


def betting_text(table: TableState, moves: Iterable[Move], street: int) -> str:
    """The betting by round, up to a round. Raises of a record are street totals; the format's are totals of the
    hand."""
    is_limit = table.game.structure == "fixed_limit"
    rounds = [""] * (street + 1)
    for seat, at, move in moves:
        letter = _LETTERS.get(move, "r")
        rounds[at] += letter if is_limit or letter != "r" else f"r{chips_before(table, seat, at) + move}"
    return "/".join(rounds)


def chips_before(table: TableState, seat: int, street: int) -> int:
    """What a seat has put in on the rounds before this one."""
    return int(table.records["seats"]["street_bets"][0, seat, :street].sum())


def moves_of(table: Table) -> list[Move]:
    """All moves of a table's log."""
    moves, street = [], 0
    for kind, seat, amount, _, _ in table.log:
        street += kind == "deal_board"
        if seat is not None and kind in ("bet", "raise"):
            moves.append(Move(seat, street, amount))
        elif seat is not None and kind in _WITHOUT_TOTAL:
            moves.append(Move(seat, street, _WITHOUT_TOTAL[kind]))
    return moves


def _cards(holes: Iterable[Cards], board: Cards, street: int) -> str:
    hands = "|".join("" if UNKNOWN in cards else cards_text(cards) for cards in holes)
    flop_turn_river = [cards_text(board[_ON_BOARD[k] : _ON_BOARD[k + 1]]) for k in range(street)]
    return "/".join([hands, *flop_turn_river])
