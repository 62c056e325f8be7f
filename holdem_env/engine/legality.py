"""What is legal, in words: the moves of the seat to act, and why another one is not among them."""

from __future__ import annotations

from typing import Any, NamedTuple

from .record import CHECK_CALL, FIXED_LIMIT, FOLD, NOBODY, NOT_ACTED, POT_LIMIT

Record = Any  # one TABLE or RULES record


class IllegalMove(ValueError):
    """A move that the rules do not allow. The message says why, and what would be legal; nothing was changed."""


class Legal(NamedTuple):
    """What the seat to act may do."""

    fold: bool
    """Always, while there is somebody to act; also when checking is free (R14)."""
    call: int | None
    """Chips to add: 0 is a check, at most the stack. None when the hand is over."""
    raise_min: int | None
    """The least street total to bet or raise to; None if no raise is legal. A stack below the full minimum: its
    all-in."""
    raise_max: int | None
    """The greatest street total to bet or raise to; not reduced to what opponents can call."""

    def __str__(self) -> str:
        if self.call is None:
            return "nothing: the hand is over"
        moves = ["fold", f"call {self.call}" if self.call else "check"]
        if self.raise_min is not None:
            wide = self.raise_min != self.raise_max
            moves.append(f"raise to {self.raise_min}" + (f"..{self.raise_max}" if wide else ""))
        return ", ".join(moves)


def legal_moves(t: Record) -> Legal:
    """The legal moves of a table's actor."""
    seat = int(t["actor"])
    if seat == NOBODY:
        return Legal(False, None, None, None)
    call = min(int(t["level"] - t["seats"]["bet"][seat]), int(t["seats"]["stack"][seat]))
    least, most = int(t["raise_min"]), int(t["raise_max"])
    return Legal(True, call, least or None, most or None)


def move_text(move: int) -> str:
    """A move in words."""
    return {FOLD: "fold", CHECK_CALL: "check or call"}.get(move, f"raise to {move}")


def why_illegal(t: Record, r: Record, move: int) -> str:
    """A sentence on why the actor may not make this move, and what it may do instead."""
    if t["actor"] == NOBODY:
        return f"{move_text(move)}: the hand is over, nobody is to act."
    return f"seat {t['actor']} may not {move_text(move)}: {_reason(t, r, move)}. Legal: {legal_moves(t)}."


def _reason(t: Record, r: Record, move: int) -> str:
    if move < FOLD:
        return "a move is -1 (fold), 0 (check or call) or the street total to raise to"
    if t["raise_max"] == 0:
        return _why_no_raise(t, r)
    if move < t["raise_min"]:
        return f"the least it may raise to is {t['raise_min']}"
    if move > t["raise_max"]:
        return f"the most it may raise to is {t['raise_max']}{_why_no_more(t, r)}"
    return f"{move} is not a multiple of the smallest chip, {r['smallest_chip']}"


def _why_no_more(t: Record, r: Record) -> str:
    if t["raise_max"] == t["seats"]["stack"][t["actor"]] + t["seats"]["bet"][t["actor"]]:
        return ", its whole stack"
    return {FIXED_LIMIT: " in fixed limit (R18)", POT_LIMIT: ", the pot (R17)"}[int(r["structure"])]


def _why_no_raise(t: Record, r: Record) -> str:
    seat = t["actor"]
    if t["seats"]["stack"][seat] + t["seats"]["bet"][seat] <= t["level"]:
        return "its stack does not exceed the bet"
    if t["capped"]:
        return "the betting is capped (R18)"
    acted, level = t["seats"]["acted_level"][seat], t["level"]
    by_full_raise = t["full_level"] > acted or (r["cumulative"] and level - acted >= t["raise_size"])
    if acted != NOT_ACTED and not by_full_raise:
        return "it has acted, and there was no full raise since (R21)"
    return "no opponent has chips to call more with (R20)"
