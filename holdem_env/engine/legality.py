"""What is legal, in words: the moves of the seat to act, and why another one is not among them.

betting.py decides; here are the sentences for its reasons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import betting
from .batch import verdict_at
from .record import CHECK_CALL, FOLD, MAX_CHIPS, NOBODY, Records

Places = NDArray[np.int64] | int
MOVE = "-1 (fold), 0 (check or call) or the street total to raise to"
REASONS = {
    betting.STACK_BELOW_BET: "its stack does not exceed the bet",
    betting.CAPPED: "the betting is capped (R18)",
    betting.NOT_REOPENED: "it has acted, and there was no full raise since (R21)",
    betting.NOBODY_COULD_CALL: "no opponent has chips to call more with (R20)",
    betting.BELOW_LEAST: "the least it may {verb} is {least}",
    betting.ABOVE_STACK: "the most it may {verb} is {most}, its whole stack",
    betting.ABOVE_FIXED_BET: "the most it may {verb} is {most} in fixed limit (R18)",
    betting.ABOVE_POT: "the most it may {verb} is {most}, the pot (R17)",
    betting.NOT_IN_CHIPS: "{move} is not a multiple of the smallest chip, {chip}",
    betting.NO_SUCH_MOVE: f"a move is {MOVE}",
}


class IllegalMove(ValueError):
    """A move that the rules do not allow. The message says why, and what would be legal; nothing was changed."""


class _Legal(NamedTuple):
    fold: bool
    """Always, while there is somebody to act; also when checking is free (R14)."""
    call: int | None
    """Chips to add: 0 is a check, at most the stack. None when nobody is to act."""
    raise_min: int | None
    """The least street total to bet or raise to; None if no raise is legal. A stack below the full minimum: its
    all-in."""
    raise_max: int | None
    """The greatest street total to bet or raise to; not reduced to what opponents can call."""


class Legal(_Legal):
    """What the seat to act may do."""

    opens: bool = False
    """True if a raise is the first bet of the street, in words a bet."""

    def __str__(self) -> str:
        if self.call is None:
            return "nothing: the betting is over"
        moves = ["fold", f"call {self.call}" if self.call else "check"]
        if self.raise_min is not None:
            wide = self.raise_min != self.raise_max
            moves.append(move_text(self.raise_min, opens=self.opens) + (f"..{self.raise_max}" if wide else ""))
        return ", ".join(moves)


def call_prices(tables: Records, rows: Places, seats: Places) -> NDArray[np.int64]:
    """The chips that seats[k] must add at tables[rows[k]] to call, at most its stack: betting.call_price for arrays of
    records. Rows and seats may be single numbers, too."""
    line = tables["seats"]
    prices: NDArray[np.int64] = np.minimum(
        tables["bet_to_match"][rows] - line["bet"][rows, seats], line["stack"][rows, seats]
    )
    return prices


def legal_moves(tables: Records, row: int = 0) -> Legal:
    """The legal moves of the seat to act at tables[row]."""
    t = tables[row]
    if t["actor"] == NOBODY:
        return Legal(False, None, None, None)
    call = int(call_prices(tables, row, int(t["actor"])))
    legal = Legal(True, call, int(t["raise_min"]) or None, int(t["raise_max"]) or None)
    legal.opens = bool(t["bet_to_match"] == 0)
    return legal


def chips_at_stake(tables: Records, row: int = 0) -> int:
    """What the seat to act at tables[row] can lose by a call: no more than an opponent in the hand can match. A short
    big blind leaves the price at the full blind (R9), and the rest comes back (R26)."""
    t, line = tables[row], tables["seats"][row]
    actor, call = int(t["actor"]), legal_moves(tables, row).call or 0
    others = [k for k in range(len(line)) if t["in_hand"][k] and k != actor]
    most = max((int(line["bet"][k] + line["stack"][k]) for k in others), default=0)
    return max(min(call, most - int(line["bet"][actor])), 0)


def deed_text(move: int, paid: int, to_match: int, amount: Callable[[int], str] = str) -> str:
    """What a player did, as a poker site writes it: "folds", "checks", "calls 4", "bets 400", "raises 8 to 10".

    paid: the chips that went in. to_match: the bet of the street before. amount: how chips are written."""
    if move == FOLD:
        return "folds"
    if move == CHECK_CALL:
        return f"calls {amount(paid)}" if paid else "checks"
    return f"raises {amount(move - to_match)} to {amount(move)}" if to_match else f"bets {amount(move)}"


def move_text(move: int, call: int | bool | None = None, opens: bool = False) -> str:
    """A move in words: "fold", "check", "call", "bet 4", "raise to 12".

    call: whether there is something to call; where that is not known, "check or call". opens: whether nobody has bet
    on the street yet."""
    if move == FOLD:
        return "fold"
    if move == CHECK_CALL:
        return "check or call" if call is None else "call" if call else "check"
    return f"bet {move}" if opens else f"raise to {move}"


def choice_text(t: Any) -> str:
    """Who has the choice at a table in manual showing (R29, R30), in words."""
    seat = t["showing"] - 1
    return f"seat {seat} chooses to show or to muck: show({seat}) or muck({seat})"


def check_choice(t: Any, what: str, seat: int) -> None:
    """Raises IllegalMove if a seat may not choose to show or to muck at a table now. what: "show" or "muck"."""
    if not t["showing"]:
        why = "the hand is over" if t["over"] else f"the betting is not over, seat {t['actor']} is to act"
        raise IllegalMove(f"{what}: seat {seat} has nothing to choose: {why}.")
    if t["showing"] != 1 + seat:
        raise IllegalMove(f"{what}: it is not seat {seat}'s turn; {choice_text(t)}.")


def why_illegal(tables: Records, rules: Records, row: int, move: int) -> str:
    """A sentence on why the seat to act at tables[row] may not make this move, and what it may do instead; empty if it
    may. rules: the game's RULES records."""
    fitting = max(FOLD - 1, min(move, MAX_CHIPS + 1))  # as wrong as a number that the engine cannot hold
    verdict = verdict_at(tables, rules, row, fitting)
    if verdict == betting.LEGAL:
        return ""
    t = tables[row]
    if verdict == betting.NOBODY_TO_ACT:
        if t["showing"]:
            return f"{move_text(move)}: the betting is over, {choice_text(t)}."
        return f"{move_text(move)}: the hand is over, nobody is to act."
    chip = rules["smallest_chip"][t["stage"]]
    legal = legal_moves(tables, row)
    verb = "bet" if legal.opens else "raise to"
    why = REASONS[verdict].format(least=t["raise_min"], most=t["raise_max"], move=move, chip=chip, verb=verb)
    return f"seat {t['actor']} may not {move_text(move, opens=legal.opens)}: {why}. Legal: {legal}."


def check_move(tables: Records, rules: Records, row: int, move: int) -> None:
    """Raises IllegalMove if the seat to act at tables[row] may not make this move."""
    if why := why_illegal(tables, rules, row, move):
        raise IllegalMove(why)
