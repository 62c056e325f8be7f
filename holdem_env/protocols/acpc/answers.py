"""What a player answers: an action, and what becomes of one that is not legal."""

from __future__ import annotations

from typing import NamedTuple

from ...engine.record import CHECK_CALL, FOLD
from ...history.acpc_text import ACTION, chips_before
from ...table.state import TableState

MAX_DIGITS = 18
"""Of an amount: more than any chips there may be; Python reads no number of more than 4,300."""
MAX_MOVES = 64
"""Of a betting round. Programs of the competition have room for this many, so its dealer takes no raise that could lead
to more."""


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
    """The move of an agent of ours as the protocol can say it: a fold with nothing to call is a check, and a raise
    after too many moves is a call."""
    if move == FOLD and not table.legal.call:
        return CHECK_CALL
    return CHECK_CALL if move > CHECK_CALL and moves_of_round + table.game.seats > MAX_MOVES else move
