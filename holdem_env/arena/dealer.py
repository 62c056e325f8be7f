"""Running many tables at once with agents in the seats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..engine import batch, record
from ..players import Agent, play_agent
from ..rules import Rules


class Dealer:
    """`num_tables` tables at which agents sit; each `play_hand` plays one whole hand at all of them.

    seating: (N, seats) int64, which of `agents` sits where. table_ids: (N,), which decks; tables with the same id
        get the same cards. Stacks are fresh every hand, the button moves one seat on.
    """

    def __init__(
        self, rules: Rules, agents: Sequence[Agent], seating: NDArray[np.int64], table_ids: NDArray[np.int64], seed: int
    ) -> None:
        self.rules = rules
        self.agents = list(agents)
        self.seating = seating
        self.records = record.new_records(record.TABLE, len(seating))
        batch.number_tables(self.records, seed, 0, rules.seats - 1)
        self.records["table_id"] = table_ids
        self._log = record.new_log(listening=False)
        self._all = np.arange(len(seating))

    def play_hand(self) -> NDArray[np.int64]:
        """Deal and play one hand at every table; returns the payoffs in chips, (N, seats)."""
        batch.deal_hands(self.records, self.rules.record, self._log, self._all)
        rows = self._waiting(self._all)
        while rows.size:
            self._one_move_each(rows)
            rows = self._waiting(rows)
        seats = self.rules.seats
        payoffs: NDArray[np.int64] = (self.records["stack"] - self.records["start_stack"])[:, :seats]
        return payoffs

    def _waiting(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        waiting: NDArray[np.int64] = rows[self.records["actor"][rows] != record.NOBODY]
        return waiting

    def _one_move_each(self, rows: NDArray[np.int64]) -> None:
        owners = self.seating[rows, self.records["actor"][rows]]
        for index, agent in enumerate(self.agents):
            theirs = rows[owners == index]
            if theirs.size:
                play_agent(agent, self.records, self.rules, self._log, theirs)
