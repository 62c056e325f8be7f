"""Schedules that look at the results: round by round, who plays on, until everybody's rank is decided."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..statistics.ranking import Orders, Scores

FIRST_ROUND = 256
"""Deals of the first rounds."""
GROWTH = 4
"""Later rounds have this many times fewer deals than were played before."""
LEAST_ROUND = 32
"""A budget that leaves fewer deals for a round is used up."""


class RankingSchedule:
    """The rounds of a tournament in which all pairs play, until everybody's rank is decided, or nothing more may be
    played.

    In each round some agents play the next deals against all others: with `adaptive` those whose order with a
    neighbour is in doubt, and of the two the one that has played fewer; otherwise everybody. What a round is depends
    on nothing but the results of the rounds before, so it is the same on any number of processes, and after an
    interrupt. hands: of each pair at most, in deals; budget: of all pairs together, in deals, or None.
    """

    def __init__(self, agents: int, confidence: float, deals: int, adaptive: bool, budget: int | None = None) -> None:
        self.deals, self.adaptive, self.budget = deals, adaptive, budget
        self.goals = np.zeros((agents, agents), np.int64)
        """How many deals each pair has played when the round is over; the diagonal is not looked at."""
        self.ending = ""
        """Why it is over: "ranked", "hands" or "budget"."""
        self._orders = Orders(agents, confidence)

    @property
    def levels(self) -> NDArray[np.int64]:
        """(n,) how many deals each agent has against everybody."""
        others = np.where(np.eye(len(self.goals), dtype=np.bool_), np.iinfo(np.int64).max, self.goals)
        levels: NDArray[np.int64] = others.min(axis=1)
        return levels

    def next_round(self, scores: Scores) -> bool:
        """Set the goals of the next round; False if there is none. scores: of all rounds before; deals beyond those
        are not looked at."""
        levels, active = self.levels.tolist(), list(range(len(self.goals)))
        if any(levels):
            active = self._active(scores, levels)
        if self.ending:
            return False
        goals = self._reached(active, levels)
        if goals is None:
            self.ending = "budget"
            return False
        self.goals = goals
        return True

    def _active(self, scores: Scores, levels: list[int]) -> list[int]:
        """Who plays the next deals against everybody; nobody when it is over."""
        means = [float(scores.of(agent, level).mean()) for agent, level in enumerate(levels)]
        for one, two in self._orders.in_doubt(means):
            self._orders.compare(one, two, scores, min(levels[one], levels[two]))
        doubts = self._orders.in_doubt(means)
        if not doubts:
            self.ending = "ranked"
            return []
        active = {agent for pair in doubts for agent in pair if levels[agent] == min(levels[each] for each in pair)}
        if not self.adaptive:
            active = set(range(len(levels)))
        playing = sorted(agent for agent in active if levels[agent] < self.deals)
        if not playing:
            self.ending = "hands"
        return playing

    def _reached(self, active: list[int], levels: list[int]) -> NDArray[np.int64] | None:
        """The goals when these have played on, a round of full length or, near the end of the budget, a shorter one;
        None where the budget leaves nothing worth playing."""
        step = max(FIRST_ROUND, min(levels[agent] for agent in active) // GROWTH)
        while True:
            goals = self.goals.copy()
            for agent in active:
                target = min(self.deals, levels[agent] + step)
                goals[agent] = np.maximum(goals[agent], target)
                goals[:, agent] = np.maximum(goals[:, agent], target)
            if self.budget is None or int(np.triu(goals, 1).sum()) <= self.budget:
                return goals
            step //= 2
            if step < (1 if not any(levels) else LEAST_ROUND):
                return None
