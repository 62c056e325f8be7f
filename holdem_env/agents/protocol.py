"""`Agent`: a player, as matches, environments and the command line ask it."""

from __future__ import annotations

import copy
import inspect
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from ..compiled.records import Records
from ..engine.seat_view import new_views, view_rows
from ..game.rules import Rules
from ..table.one_table import OneTable
from .facts import AgentFacts
from .range_copies import Likely, Rows, range_by_copies

ONE_ROW = np.zeros(1, np.int64)


class StrategyUnknown(NotImplementedError):
    """An agent was asked for the probabilities of its moves and cannot give them."""


class Agent(ABC):
    """A player, for one table or thousands at a time. A subclass needs `act` alone.

    Attributes:
        name: By default the name under which `make_agent` made it, else its class's.
        facts: What others need to know of it.
        usage: What it has used so far, for people; a language model's has `dollars`.
    """

    name: str
    facts: AgentFacts = AgentFacts()
    usage: Any = None
    class_is_named: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.class_is_named |= "name" in cls.__dict__ or "name" in inspect.get_annotations(cls)
        if not cls.class_is_named:
            cls.name = cls.__name__

    @abstractmethod
    def act(self, tables: Records, rules: Rules, rows: Rows) -> Rows:
        """Return the moves of the seats to act at tables[rows].

        Args:
            tables: (N,) TABLE records, copies in which hidden cards are blank (`engine/seat_view.py`). `seed` is a
                random word for the decision; `table_id` is the same for one seat at one table, and means nothing else.
            rules: The game.
            rows: (K,) int64, the tables to act at.

        Returns:
            (K,) int64 moves: -1 folds, 0 checks or calls, a positive number is the street total to raise to.
        """

    def probabilities(self, tables: Records, rules: Rules, rows: Rows) -> Likely:
        """Return the probabilities of all moves, by what the seats to act may see. Arguments as in `act`.

        Returns:
            (K, A) int64 moves, each once, padded with NO_MOVE (-2), and their (K, A) float64 probabilities, 0 there.

        Raises:
            StrategyUnknown: If the agent does not know its probabilities.
        """
        raise StrategyUnknown(f"agent {self.name!r} gives no probabilities: its class has no method `probabilities`")

    def range_probabilities(self, tables: Records, rules: Rules, rows: Rows) -> Likely:
        """Return the probabilities of all moves with each hand that the seats to act may have; their own are blank.

        Returns:
            Moves as in `probabilities`, and (K, 1326, A) float64, hands in the order of `cards/combos.py`; 0 for
            padding, and for hands with a known card. By default `probabilities` is asked with each hand; games whose
            hands are not two cards of the full deck raise ValueError.
        """
        return range_by_copies(self.probabilities, tables, rules, rows)

    def check_rules(self, rules: Rules) -> None:  # noqa: B027 - may be left out
        """Raise ValueError for a game that the agent cannot play; by default it plays any."""

    def hand_over(self, tables: Records, rules: Rules, rows: Rows) -> None:  # noqa: B027 - may be left out
        """Take hands that are over. `actor` is the agent's seat, shown cards are there. Arguments as in `act`."""

    def reset(self) -> None:  # noqa: B027 - may be left out
        """Forget earlier hands; matches call it between batches of deals."""

    def clone(self) -> Agent:
        """Return an agent that plays alike and shares no memory: each rotation of a deal is played by another.

        Raises:
            TypeError: If the agent cannot be copied; such a class defines `clone`.
        """
        try:
            return copy.deepcopy(self)
        except Exception as error:
            why = f"agent {self.name!r} cannot be copied ({type(error).__name__}: {error})"
            raise TypeError(f"{why}: give its class a method `clone`") from error

    def start(self) -> None:  # noqa: B027 - may be left out
        """Begin to start processes or connections, without waiting for them."""

    def close(self) -> None:  # noqa: B027 - may be left out
        """Give back processes and connections. Matches close the clones that they have made."""

    @property
    def gives_probabilities(self) -> bool:
        return type(self).probabilities is not Agent.probabilities

    @property
    def gives_ranges(self) -> bool:
        return self.gives_probabilities or type(self).range_probabilities is not Agent.range_probabilities

    @property
    def wants_hand_over(self) -> bool:
        return type(self).hand_over is not Agent.hand_over

    def move(self, table: OneTable) -> int:
        """Return the move for the seat to act at one table: `table.play(agent.move(table))`."""
        view = new_views(1)
        view_rows(table.records, table.rules.record, ONE_ROW, view, rotation=0)
        return int(self.act(view, table.rules, ONE_ROW)[0])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"
