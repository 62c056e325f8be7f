"""A hand as its players receive it, MATCHSTATE lines, and their answers, with rulings on illegal moves."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from ...cards.text import UNKNOWN, Cards
from ...engine.record import CHECK_CALL, FOLD
from ...history.acpc_text import ACTION, by_position, chips_before, last_street, state_text
from ...table.seat_view import Move
from ...table.state import TableState

HIDDEN = Cards([UNKNOWN])
MAX_DIGITS = 18  # of an amount: more than any chips there may be; Python reads no number of more than 4,300
MAX_MOVES = 64
"""Of a betting round. Programs of the competition have room for this many, so its dealer takes no raise that could lead
to more."""


@dataclass
class Hand:
    """A hand as one seat receives it.

    table: what the seat may see. number: of the hand. first: the seat at position 0. moves: all of the hand so far.
    """

    table: TableState
    seat: int
    number: int
    first: int
    moves: Sequence[Move]

    def now(self) -> str:
        """The present state. Once the hand is over, the hands of a showdown are open."""
        table = self.table
        live = [seat for seat in range(table.rules.seats) if not table.is_folded(seat)]
        is_showdown = table.is_over and len(live) > 1
        return self._state(self.moves, last_street(table), {self.seat, *(live if is_showdown else ())})

    def before(self, made: int) -> str:
        """The state before the move after the first `made` ones."""
        return self._state(self.moves[:made], self.moves[made].street, {self.seat})

    def _state(self, moves: Sequence[Move], street: int, seen: Set[int]) -> str:
        order = by_position(self.table.rules.seats, self.first)
        holes = [self.table.hole_cards(seat) if seat in seen else HIDDEN for seat in order]
        return f"MATCHSTATE:{order.index(self.seat)}:{state_text(self.table, self.number, moves, holes, street)}"


class Ruling(NamedTuple):
    """The move that an answer stands for.

    move: the engine move. problem: what was wrong with the answer; empty if nothing was. is_invalid: whether it was
    replaced by another kind of action, which counts against the player. A raise of the wrong size is made the nearest
    legal one, which does not count.
    """

    move: int
    problem: str = ""
    is_invalid: bool = False


def ruling(action: str, table: TableState, moves_of_round: int) -> Ruling:
    """What the ACPC's dealer makes of an action ("f", "c", "r", "r300") of the player to act.

    moves_of_round: how many moves the betting round had so far.
    """
    found = ACTION[table.game.structure].match(action)
    if found is None:
        return Ruling(CHECK_CALL, f"{action[:40]!r} is no action; it was taken as a call", True)
    word = found[0]
    if word == "c":
        return Ruling(CHECK_CALL)
    if word == "f":
        return Ruling(FOLD) if table.legal.call else Ruling(CHECK_CALL, "a fold with nothing to call is a check", True)
    return _raise(word, table, moves_of_round)


def _raise(word: str, table: TableState, moves_of_round: int) -> Ruling:
    least, most = table.legal.raise_min, table.legal.raise_max
    if least is None or most is None or moves_of_round + table.game.seats > MAX_MOVES:
        return Ruling(CHECK_CALL, f"{word[:40]}: no raise is allowed here; it was taken as a call", True)
    if table.actor is None or len(word) == 1:
        return Ruling(least)
    before = chips_before(table, table.actor, table.street)
    total = int(word[1:].lstrip("0")[:MAX_DIGITS] or "0") - before
    legal = min(max(total, least), most)
    return Ruling(legal, "" if legal == total else f"{word[:40]} is not legal; it was taken as r{legal + before}")


def as_said(move: int, table: TableState, moves_of_round: int) -> int:
    """Our agent's move as the protocol can say it: checks for free folds, calls for raises after too many moves."""
    if move == FOLD and not table.legal.call:
        return CHECK_CALL
    return CHECK_CALL if move > CHECK_CALL and moves_of_round + table.game.seats > MAX_MOVES else move
