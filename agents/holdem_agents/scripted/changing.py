"""An opponent that changes in the course of a sitting: to see whether a learner that remembers finds it out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import make_agent
from holdem_env.compiled.records import Records
from holdem_env.engine.batch import NO_MOVE
from holdem_env.game.rules import Rules


class Changing(Agent):
    """Plays like one agent in the first hands at a table, and like another one later.

    first, then: the names of the agents. after: how many hands the first one plays. Hands are counted by
    `session_hands`, so where hands stand alone, as in a match of deals, only the first one plays.
    """

    name = "changing"

    def __init__(self, first: str = "always_fold", then: str = "calling_station", after: int = 10) -> None:
        if after < 1:
            raise ValueError(f"after: {after} hands; give 1 or more")
        self.first, self.then, self.after = first, then, after
        self._agents = make_agent(first), make_agent(then)

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        moves = np.empty(len(rows), np.int64)
        for agent, theirs in self._parts(tables, rows):
            moves[theirs] = agent.act(tables, rules, rows[theirs])
        return moves

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        parts = [
            (theirs, *agent.probabilities(tables, rules, rows[theirs])) for agent, theirs in self._parts(tables, rows)
        ]
        width = max((moves.shape[1] for _, moves, _ in parts), default=1)
        moves, probabilities = np.full((len(rows), width), NO_MOVE, np.int64), np.zeros((len(rows), width))
        for theirs, some, likely in parts:
            moves[theirs, : some.shape[1]], probabilities[theirs, : some.shape[1]] = some, likely
        return moves, probabilities

    def _parts(self, tables: Records, rows: NDArray[np.int64]) -> list[tuple[Agent, NDArray[np.int64]]]:
        """Which of the rows each of the two agents plays."""
        has_changed = tables["session_hands"][rows] >= self.after
        parts = zip(self._agents, (np.flatnonzero(~has_changed), np.flatnonzero(has_changed)), strict=True)
        return [(agent, theirs) for agent, theirs in parts if theirs.size]
