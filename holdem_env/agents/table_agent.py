"""TableAgent: an agent that decides for one table at a time, on what its seat may see."""

from __future__ import annotations

import operator
from abc import abstractmethod
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ..compiled.records import Records
from ..engine.bet_sizes import ALL_IN_WORDS
from ..engine.legality import IllegalMove, why_illegal
from ..engine.record import CHECK_CALL, FOLD
from ..engine.seat_view import new_views, view_rows
from ..game.rules import Rules
from ..table.one_table import OneTable
from ..table.seat_view import SeatView
from ..table.state import TableState
from .error_places import with_place
from .protocol import Agent

Decision = SupportsIndex | str | tuple[str, SupportsIndex]
"""What `decide` returns: "fold", "check", "call", ("bet", total), ("raise", total), or an engine move."""
WORDS = {"fold": FOLD, "check": CHECK_CALL, "call": CHECK_CALL}
RAISES = ("bet", "raise")
DECISIONS = '"fold", "check", "call", ("bet", total), ("raise", total), or an engine move: -1, 0 or the total'


class DecisionError(ValueError):
    """`decide` raised an error, or returned an illegal move. The message names the agent's class, the table and
    its situation; an error that was raised is chained."""


class TableAgent(Agent):
    """Base of agents that decide for one table at a time: write `decide`, and the agent plays everywhere.

    Each view is a copy made for one decision. Each decision takes a Python call. For millions of hands write an
    `Agent`, which gets all tables at once.

    >>> from holdem_env import Table
    >>> class Caller(TableAgent):
    ...     name = "caller"
    ...     def decide(self, view):
    ...         return "call"
    >>> table = Table("heads-up-no-limit", seed=1)
    >>> table.play(Caller().move(table)); print(table.log[-1])
    seat 0 call 1
    """

    @abstractmethod
    def decide(self, view: SeatView) -> Decision:
        """Return the move of the seat to act.

        Args:
            view: The table as that seat may see it.

        Returns:
            A word, a pair or a number

            - "fold", or -1
            - "check", if there is nothing to call
            - "call", or 0: calls all-in if the call is more than the stack, and checks if there is nothing to call
            - ("raise", total), ("bet", total) or the total alone: the street total in chips that the seat raises to,
              not the chips it adds; view.legal.raise_min to view.legal.raise_max
        """

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the moves of `decide`, one for each row. Arguments as in `Agent.act`.

        Raises:
            DecisionError: If `decide` raises an error or returns an illegal move.
        """
        views = new_views(len(rows))
        view_rows(tables, rules.record, rows, views)
        # Each view has memory of its own: what it shares an array with, other tables' cards, would be within its reach.
        seen = (SeatView(views[k : k + 1].copy(), rules, int(views["actor"][k])) for k in range(len(rows)))
        moves = [self._asked(view, f"table {row}") for row, view in zip(rows.tolist(), seen, strict=True)]
        return np.array(moves, np.int64)

    def move(self, table: OneTable) -> int:
        """See `Agent.move`. At a Table the view has its log, too."""
        if isinstance(table, TableState):
            view = table if isinstance(table, SeatView) else table.view()  # type: ignore[attr-defined]
            return self._asked(view, "the table")
        return super().move(table)

    def _asked(self, view: SeatView, where: str) -> int:
        who = f"{type(self).__name__}.decide, {where}"
        try:
            decision = self.decide(view)
        except Exception as error:
            why = f"{type(error).__name__}: {with_place(self, error)}"
            raise DecisionError(f"{who}: {why}. {_situation(view)}") from error
        try:
            move = move_of(decision, view)
        except (TypeError, ValueError) as error:
            raise DecisionError(f"{who} returned {decision!r}: {error} {_situation(view)}") from None
        if why := why_illegal(view.records, view.rules.record, 0, move):
            raise DecisionError(f"{who} returned {decision!r}: {why} {_situation(view)}")
        return move


def move_of(decision: Any, view: SeatView) -> int:
    """The engine move of a decision; see `TableAgent.decide`.

    Raises TypeError unless it is a decision, and IllegalMove for a check where there is something to call.
    """
    if isinstance(decision, str) and decision in WORDS:
        if decision == "check" and view.legal.call:
            raise IllegalMove(f"there are {view.legal.call} chips to call. Legal: {view.legal}.")
        return WORDS[decision]
    is_pair = isinstance(decision, tuple | list) and len(decision) == 2 and decision[0] in RAISES
    number = decision[1] if is_pair else decision
    if isinstance(number, bool):
        raise TypeError(f"return {DECISIONS}.")
    try:
        total = operator.index(number)
    except TypeError:
        raise TypeError(f"return {DECISIONS}.{_hint(decision, number)}") from None
    if is_pair and total <= 0:
        raise IllegalMove(f"name the street total in chips, above zero. Legal: {view.legal}.")
    return total


def _hint(decision: Any, number: Any) -> str:
    word = decision[0] if isinstance(decision, tuple | list) and decision else decision
    plain = word.strip().lower() if isinstance(word, str) else ""
    if plain in ALL_IN_WORDS:
        return ' All-in is ("raise", view.legal.raise_max), or "call" where no raise is legal.'
    if plain in RAISES and decision is word:
        return f' A total is missing, as in ("{plain}", view.legal.raise_min).'
    if isinstance(word, str) and plain != word and plain in (*WORDS, *RAISES):
        return f' Write "{plain}", in lower case.'
    if isinstance(number, float | np.floating):
        return " A total is whole chips; view.nearest_raise(0.75 * view.pot) is a legal one near 3/4 of the pot."
    return ""


def _situation(view: SeatView) -> str:
    board = f", board {view.board}" if view.board else ""
    return f"The situation: seat {view.seat} with {view.hole_cards()}{board}, pot {view.pot}, legal: {view.legal}."
