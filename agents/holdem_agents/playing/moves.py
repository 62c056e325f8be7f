"""What a person says, as moves of the engine, and moves in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from holdem_env.encoders import PotFractions
from holdem_env.encoders.bet_sizes import size_total_at
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.bet_sizes import ALL_IN_WORDS, OF_POT, TIMES_BET, is_size, parse_size
from holdem_env.engine.legality import move_text
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.game.big_blinds import in_chips
from holdem_env.table.state import TableState
from holdem_env.table.table import IllegalMove, Table

ONE_ROW = np.zeros(1, np.int64)
DEEDS = {"fold": FOLD, "check": CHECK_CALL, "call": CHECK_CALL}
TOTALS = ("bet", "raise")
MOVES = {"f": FOLD, "fold": FOLD, "c": CHECK_CALL, "call": CHECK_CALL, "check": CHECK_CALL}
WORDS = "f folds, c checks or calls, a number raises to that total, so do min, 75%, pot, 2.5x, 6bb and all-in"
"""What can be said, in a sentence."""
TOTAL = re.compile(r"(?:r|raise|b|bet)?(?: to)? ?(\d+)")
IN_BLINDS = re.compile(r"(?:r |raise |b |bet )?(?:to )?(\d*\.?\d+ ?bb)")
SECOND_PERSON = ((r"\bit may\b", "you may"), (r"\bit has\b", "you have"), (r"\bits\b", "your"))


def move_of(table: TableState, word: str, seat: int) -> int:
    """The engine move that a word stands for: -1 folds, 0 checks or calls, a positive number is the street total.

    table: where `seat` is to act. word: "f", "c", "check", a total such as "12", "r 12" or "raise to 12", or a size:
    "min", "75%", "pot", "2.5x", "6bb", "all-in". A total is not checked: `Table.play` says what is wrong with it.

    Raises ValueError for a word that is not a move, for a check where there is a price, and for a size that is no legal
    raise here; IllegalMove, which is one, if it is not the seat's turn.
    """
    if table.actor != seat or table.is_showing:
        raise IllegalMove(f"seat {seat} is not to act now.")
    word = " ".join(word.lower().split())
    call = table.legal.call or 0
    if word == "check" and call:
        raise ValueError(f"a check is free, and there are {call} to call: type call, or c. Legal: {table.legal}.")
    if word in MOVES:
        return MOVES[word]
    if word in ALL_IN_WORDS and call == table.stacks[seat]:
        return CHECK_CALL
    if is_size(word):
        return _sized(table, word)
    if blinds := IN_BLINDS.fullmatch(word):
        return in_chips("raise", blinds[1], table.game.blinds)
    if not (total := TOTAL.fullmatch(word)) or not int(total[1]):
        raise ValueError(f"{WORDS}.")
    return int(total[1])


def move_label(table: TableState, move: int, amount: Callable[[int], str] = str) -> str:
    """A move of the seat to act in a few words: "fold", "check", "call 4", "raise to 12", "bet 6", "all-in 200".

    table: a Table or a SeatView, before the move. amount: how chips are written, by default as their number.
    """
    if is_all_in(table, move):
        return f"all-in {amount(move)}"
    call = table.legal.call or 0
    label = move_text(move, call=call, opens=not max(table.bets))
    if move > CHECK_CALL:
        return label.replace(str(move), amount(move))
    return f"{label} {amount(call)}" if move == CHECK_CALL and call else label


def is_all_in(table: TableState, move: int) -> bool:
    """Whether a raise to this total puts in all chips of the seat to act."""
    return table.actor is not None and move == table.stacks[table.actor] + table.bets[table.actor]


def to_you(sentence: str, seat: int) -> str:
    """A sentence of the engine about a seat's move, addressed to its player: "you may not raise to 3: the
    least you may raise to is 4"."""
    if not sentence.startswith(f"seat {seat} "):
        return sentence
    reason, legal, rest = sentence.replace(f"seat {seat} ", "you ", 1).partition(" Legal: ")
    for pattern, you in SECOND_PERSON:
        reason = re.sub(pattern, you, reason)
    return f"{reason}{legal}{rest}"


def _sized(table: TableState, word: str) -> int:
    """The raise of this size. Raises ValueError if it is not legal."""
    sizes = PotFractions(word)
    choices = np.empty((1, sizes.size(table.rules)), np.int64)
    sizes.choose(table.records, table.rules.record, ONE_ROW, choices)
    if choices[0, -1] == NO_MOVE:
        raise ValueError(f"{word} is no legal raise here. Legal: {table.legal}.{_too_small(table, word)}")
    return int(choices[0, -1])


def _too_small(table: TableState, word: str) -> str:
    """A sentence about a share of the pot, or a multiple of the bet, that is less than the least raise."""
    size, least = parse_size(word), table.legal.raise_min
    if least is None or size.kind not in (OF_POT, TIMES_BET):
        return ""
    total = size_total_at(table.records, table.rules.record, 0, *size)
    if total >= least:
        return ""
    return f" It is too small: a raise to {total}, and the least is {least}."


def decisions(table: Table) -> Iterator[tuple[Table, int]]:
    """The table before each move of a hand, and the move. Choices to show or to muck are no moves."""
    for before, after in pairwise(table.states()):
        deed = after.log[len(before.log)]
        if deed.kind in DEEDS or deed.kind in TOTALS:
            yield before, DEEDS.get(deed.kind, deed.amount)
