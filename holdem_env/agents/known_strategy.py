"""Agents with a known strategy: they give the probabilities of their moves, and draw their moves from them."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import kernel
from ..compiled.records import Records
from ..engine.batch import NO_MOVE
from ..engine.random_numbers import decision_number
from ..game.rules import Rules
from .protocol import Agent

S11 = np.uint64(11)
TO_UNIT = 2.0**-53
SUM_TOLERANCE = 1e-6  # how far the sum of a row's probabilities may be from 1
FINE = -1


@kernel
def draw_moves(tables, rows, moves, probabilities, salt, drawn):  # type: ignore[no-untyped-def]
    """Draw one move for each row from its probabilities. The random number is a hash of the decision, so the same
    decision in the same hand gives the same move, however rows are batched. Returns the first row with invalid
    probabilities, or FINE."""
    for k in range(rows.size):
        total = 0.0
        for action in range(moves.shape[1]):
            total += probabilities[k, action] if probabilities[k, action] >= 0.0 else np.nan
        if not abs(total - 1.0) <= SUM_TOLERANCE:
            return k
        left = np.int64(decision_number(tables[rows[k]], salt) >> S11) * TO_UNIT
        drawn[k] = NO_MOVE
        for action in range(moves.shape[1]):
            if probabilities[k, action] > 0.0:
                drawn[k] = moves[k, action]  # if rounding leaves a remainder, the last possible move is drawn
                left -= probabilities[k, action]
                if left < 0.0:
                    break
    return FINE


class KnownStrategy(Agent):
    """Base of agents that define `probabilities`; `act` draws the moves from them.

    seed: with the same seed, the agent plays the same in the same hand of the same table.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    @abstractmethod
    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `Agent.probabilities`."""

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """See `Agent.act`. Raises ValueError for probabilities that are negative or NaN, or that do not sum to 1."""
        moves, probabilities = self.probabilities(tables, rules, rows)
        drawn = np.empty(len(rows), np.int64)
        bad = draw_moves(tables, rows, moves, probabilities, self.seed ^ self._salt, drawn)  # type: ignore[no-untyped-call]
        if bad >= 0:
            given = dict(zip(moves[bad].tolist(), probabilities[bad].tolist(), strict=True))
            raise ValueError(
                f"agent {self.name!r}, table {rows[bad]}: probabilities are 0 to 1 and sum to 1; it gave {given}"
            )
        return drawn

    @property
    def _salt(self) -> int:
        """A salt made of the name, so that agents with different names draw different numbers."""
        return int.from_bytes(self.name.encode()[:7].ljust(7, b"\0"), "big")
