"""Running many tables at once with agents in the seats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...agents.asking import asked_moves
from ...agents.error_places import with_place
from ...agents.protocol import Agent
from ...engine import batch, record
from ...game.rule_checks import check_automatic_showing
from ...game.rules import Rules
from .stopwatch import Stopwatch, clock_of


class AgentFailed(ValueError):
    """An agent raised an error, gave moves that are none, or took too long. agent: its number in the line-up.

    `reason` is a sentence for reports; the cause is chained.
    """

    def __init__(self, agent: int, name: str, reason: str) -> None:
        super().__init__(f"agent {name!r}: {reason}")
        self.agent, self.name, self.reason = agent, name, reason

    @classmethod
    def by_error(cls, number: int, agent: Agent, error: Exception, doing: str = "") -> AgentFailed:
        """Of an error that was raised while an agent was asked. doing: what for, ending in ": "."""
        told = f"agent {agent.name!r}"
        reason = with_place(agent, error)
        if reason.startswith(told):
            reason = reason.removeprefix(told).lstrip(":, ")
        return cls(number, agent.name, f"{doing}{type(error).__name__}: {reason}")

    def __reduce__(self) -> tuple[type[AgentFailed], tuple[int, str, str]]:
        return AgentFailed, (self.agent, self.name, self.reason)


class Dealer:
    """`num_tables` tables at which agents sit; each `play_hand` plays one whole hand at all of them.

    seating: (N, seats) int64, which of `agents` sits where. table_ids: (N,), which decks; tables with the same id
        get the same cards. Stacks are fresh every hand, the button moves one seat on. records: (N,), tables whose hands
        are over, to be used again.
    """

    def __init__(
        self,
        rules: Rules,
        agents: Sequence[Agent],
        seating: NDArray[np.int64],
        table_ids: NDArray[np.int64],
        seed: int,
        stopwatch: Stopwatch | None = None,
        records: record.Records | None = None,
    ) -> None:
        check_automatic_showing(rules, "a match")
        self.rules = rules
        self.agents = list(agents)
        self.seating = seating
        self.stopwatch = stopwatch or Stopwatch(len(agents))
        self.records = record.new_records(record.TABLE, len(seating)) if records is None else records
        batch.number_tables(self.records, seed, 0, rules.seats - 1)
        self.records["table_id"] = table_ids
        self._log = record.new_log(listening=False)
        self._all = np.arange(len(seating))
        # What `play_out` played, in order: rows, and the moves made there. A record keeps only the last of them.
        self.played: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []

    def play_hand(self) -> NDArray[np.int64]:
        """Deal and play one hand at every table; returns the payoffs in chips, (N, seats).

        Raises AgentFailed.
        """
        batch.deal_hands(self.records, self.rules.record, self._log, self._all)
        self.play_out()
        seats = self.rules.seats
        payoffs: NDArray[np.int64] = (self.records["seats"]["stack"] - self.records["start_stack"])[:, :seats]
        return payoffs

    def play_out(self) -> None:
        """Ask whoever is to act until nobody is, anywhere."""
        self.played = []
        rows = self._waiting(self._all)
        while rows.size:
            self._one_move_each(rows)
            rows = self._waiting(rows)

    def take_over(self, records: record.Records, seating: NDArray[np.int64]) -> None:
        """Go on with other tables."""
        self.records, self.seating = records, seating
        self._all = np.arange(len(records))

    def _waiting(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        waiting: NDArray[np.int64] = rows[self.records["actor"][rows] != record.NOBODY]
        return waiting

    def _one_move_each(self, rows: NDArray[np.int64]) -> None:
        owners = self.seating[rows, self.records["actor"][rows]]
        for index in range(len(self.agents)):
            theirs = rows[owners == index]
            if theirs.size:
                moves = self._ask(index, theirs)
                self.played.append((theirs, moves))
                batch.play_moves(self.records, self.rules.record, self._log, theirs, moves)

    def _ask(self, index: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        agent, streets = self.agents[index], np.unique(self.records["street"][rows]).tolist()
        began = self.stopwatch.read()
        try:
            clock = clock_of(agent)
            moves = asked_moves(agent, self.records, self.rules, rows)
        except Exception as error:
            raise AgentFailed.by_error(index, agent, error) from error
        if slow := self.stopwatch.stop(index, clock, began, rows.size, streets):
            raise AgentFailed(index, agent.name, slow)
        return moves
