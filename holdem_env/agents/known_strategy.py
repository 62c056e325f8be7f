"""Agents with a known strategy: they give the probabilities of their moves, and draw their moves from them."""

from __future__ import annotations

from abc import abstractmethod
from hashlib import blake2b

import numpy as np

from ..compiled.records import Records
from ..game.rules import Rules
from .protocol import Agent
from .range_copies import Likely, Rows
from .sampling import FINE, draw_moves


class KnownStrategy(Agent):
    """Base of agents that define `probabilities`; `act` draws the moves from them.

    Args:
        seed: With the same seed, the agent plays the same in the same hand of the same table.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    @abstractmethod
    def probabilities(self, tables: Records, rules: Rules, rows: Rows) -> Likely:
        """See `Agent.probabilities`."""

    def act(self, tables: Records, rules: Rules, rows: Rows) -> Rows:
        """Return moves drawn from `probabilities`. Arguments as in `Agent.act`.

        Raises:
            ValueError: If the probabilities are negative or NaN, or do not sum to 1.
        """
        moves, probabilities = self.probabilities(tables, rules, rows)
        drawn = np.empty(len(rows), np.int64)
        bad = draw_moves(tables, rows, moves, probabilities, self.seed ^ self._salt, drawn)  # type: ignore[no-untyped-call]
        if bad != FINE:
            given = dict(zip(moves[bad].tolist(), probabilities[bad].tolist(), strict=True))
            raise ValueError(
                f"agent {self.name!r}, table {rows[bad]}: probabilities are 0 to 1 and sum to 1; it gave {given}"
            )
        return drawn

    @property
    def _salt(self) -> int:
        """A salt made of the name, so that agents with different names draw different numbers."""
        return int.from_bytes(blake2b(self.name.encode(), digest_size=7).digest(), "big")
