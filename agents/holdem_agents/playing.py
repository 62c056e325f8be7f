"""A person at the table, in the terminal."""

from __future__ import annotations

from collections.abc import Callable

from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.players import Agent
from holdem_env.render.text import STREETS
from holdem_env.rules import Rules
from holdem_env.starting import checked_seed
from holdem_env.table import Table

YOU = 0
MOVES = {"f": FOLD, "fold": FOLD, "c": CHECK_CALL, "call": CHECK_CALL, "check": CHECK_CALL}
HELP = "f folds, c checks or calls, a number raises to that total, q ends"


def play_hands(
    opponent: Agent,
    rules: Rules,
    seed: int | None,
    ask: Callable[[str], str] = input,
    tell: Callable[[str], None] = print,
) -> int:
    """Play hands against an agent until the person has enough; returns the person's chips won. Stacks are fresh
    every hand.
    """
    seed = checked_seed(seed)
    won = hand = 0
    tell(f"You are seat {YOU}. {HELP}.")
    while True:
        table = Table(rules, button=hand % rules.seats, seed=seed, hand=hand)
        told = 0
        while not table.is_over:
            told = _tell_new(table, told, tell)
            if table.actor != YOU:
                table.play(opponent.move(table))
            elif not _ask_move(table, ask, tell):
                return won
        _tell_new(table, told, tell)
        won += table.payoffs[YOU]
        tell(f"You: {table.payoffs[YOU]:+d}, in all {won:+d} ({100 * won / rules.unit / (hand + 1):+.0f} bb/100)\n")
        hand += 1


def _tell_new(table: Table, told: int, tell: Callable[[str], None]) -> int:
    """Tell what happened since the last time, as far as the person may see it."""
    for operation in table.log[told:]:
        if operation.kind == "burn" or (operation.kind == "deal_hole" and operation.seat != YOU):
            continue
        tell(f"  {operation}".replace(f"seat {YOU} ", "you "))
    return len(table.log)


def _ask_move(table: Table, ask: Callable[[str], str], tell: Callable[[str], None]) -> bool:
    """Let the person move; False if they want to stop."""
    pot = sum(table.starting_stacks) - sum(table.stacks)
    board = str(table.board) or "-"
    yours = f"you have {table.hole_cards(YOU)} and {table.stacks[YOU]} chips"
    tell(f"{STREETS[table.street]}: board {board}, pot {pot}, {yours}")
    while True:
        try:
            word = ask(f"Your move ({table.legal}): ").strip().lower()
        except EOFError:
            return False
        if word in ("q", "quit"):
            return False
        try:
            table.play(MOVES[word] if word in MOVES else _total(word))
        except ValueError as error:  # IllegalMove is one
            tell(str(error))
            continue
        return True


def _total(word: str) -> int:
    digits = word.removeprefix("r").removeprefix("aise").removeprefix(" to").strip()
    if not digits.isdigit() or not int(digits):
        raise ValueError(HELP)
    return int(digits)
