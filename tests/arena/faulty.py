"""Agents with planted faults, whose exploitability grows with the fault."""

from __future__ import annotations

from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.engine.batch import NO_MOVE


class Faulty(KnownStrategy):
    """An agent that instead of its own makes a uniform move with some probability."""

    name = "faulty"

    def __init__(self, agent, fault):
        super().__init__()
        self.agent, self.fault = agent, fault

    def probabilities(self, tables, rules, rows):
        moves, likely = self.agent.probabilities(tables, rules, rows)
        there = moves != NO_MOVE
        return moves, (1 - self.fault) * likely + self.fault * there / there.sum(axis=1, keepdims=True)
