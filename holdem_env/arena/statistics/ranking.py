"""Which order of several agents is decided, while their matches are still being played.

An agent's score in a deal is the mean of what it won in that deal against every other agent. The scores of deals 0, 1,
2, ... are independent numbers whose mean is its win rate over all opponents, and so are the differences of two agents'
scores: playing more deals shows more of a sequence, and changes nothing about what stands in it. A confidence sequence
(`intervals.sequence`) of such a difference therefore holds at all times, even if the results so far decide who plays
on. The order of two agents is decided as soon as it excludes 0; all comparisons hold together (the union bound).
Playing on with those whose order is in doubt is successive elimination (Even-Dar, Mannor and Mansour 2006), or LUCB
(Kalyanakrishnan, Tewari, Auer and Stone 2012), for a whole ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from .deals import Deals, Values
from .intervals import CONFIDENCE, SAYS_NOTHING_BEFORE, sequence

GRAIN = 2.0**24  # scores are kept to this part of a big blind, so that their sums do not depend on the order of adding
FIRST_ROUND = 256  # deals of the first rounds
GROWTH = 4  # later rounds have this many times fewer deals than were played before
LEAST_ROUND = 32  # a budget that leaves fewer deals for a round is used up


class Scores:
    """Everybody's scores, deal by deal, from the matches of all pairs. agents: at least two names."""

    def __init__(self, agents: Sequence[str]) -> None:
        self.agents = tuple(agents)
        self._places = {name: place for place, name in enumerate(self.agents)}
        self._sums = np.zeros((len(self.agents), 0))
        self._counts = np.zeros((len(self.agents), 0), np.int32)

    def add(self, deals: Deals, column: str) -> None:
        """Count deals of a pair. column: which of its columns. Matches of other agents are left out."""
        if set(deals.agents) <= set(self.agents):
            self.add_values(deals.agents, deals.numbers, [deals.per_deal(name, column) for name in deals.agents])

    def add_values(self, pair: Sequence[str], numbers: NDArray[np.int64], values: Sequence[Values]) -> None:
        """Count what two agents won in some deals: numbers (D,), values twice (D,), in big blinds a hand."""
        self._grow(int(numbers.max(initial=-1)) + 1)
        for name, won in zip(pair, values, strict=True):
            self._sums[self._places[name], numbers] += np.round(won * GRAIN) / GRAIN
            self._counts[self._places[name], numbers] += 1

    def _grow(self, deals: int) -> None:
        if (there := self._sums.shape[1]) < deals:
            more = max(deals, 2 * there) - there
            self._sums = np.pad(self._sums, ((0, 0), (0, more)))
            self._counts = np.pad(self._counts, ((0, 0), (0, more)))

    def levels(self) -> NDArray[np.int64]:
        """(n,) how many deals, from deal 0 on, each agent has played against everybody."""
        complete = np.pad(self._counts == len(self.agents) - 1, ((0, 0), (0, 1)))  # it ends at the latest there
        levels: NDArray[np.int64] = np.argmin(complete, axis=1)
        return levels

    def of(self, agent: int, deals: int) -> Values:
        """The scores of an agent, by its place, in deals 0..deals-1, all of which it has played against everybody."""
        return self._sums[agent, :deals] / (len(self.agents) - 1)


class Orders:
    """Which of several agents is better than which, as far as it is decided.

    confidence: with which all that is decided is right together. An order stays decided.
    """

    def __init__(self, count: int, confidence: float = CONFIDENCE) -> None:
        comparisons = max(1, count * (count - 1) // 2)
        self.confidence = 1 - (1 - confidence) / comparisons
        self._silent = silence(self.confidence)
        self._seen: dict[tuple[int, int], int] = {}
        self._above = np.zeros((count, count), np.bool_)

    def compare(self, one: int, two: int, scores: Scores, deals: int) -> None:
        """Look at the difference of two agents in deals 0..deals-1."""
        if self.is_decided(one, two) or deals <= self._seen.get((one, two), self._silent):
            return
        mean, half = sequence(scores.of(one, deals) - scores.of(two, deals), self.confidence)
        excluded = np.abs(mean) > half
        excluded[: self._silent] = False
        self._seen[one, two] = self._seen[two, one] = deals
        if excluded.any():
            self._decide(*((one, two) if mean[np.argmax(excluded)] > 0 else (two, one)))

    def _decide(self, better: int, worse: int) -> None:
        """Note an order and its consequences: an agent above the better one is above the worse one, too."""
        above, below = self._above[:, better].copy(), self._above[worse].copy()
        above[better] = below[worse] = True
        self._above |= np.outer(above, below)

    def is_decided(self, one: int, two: int) -> bool:
        return bool(self._above[one, two] or self._above[two, one])

    @property
    def ranks(self) -> NDArray[np.int64]:
        """(n, 2) for each agent the best and the worst rank that it may have by what is decided, 1 the first."""
        best = 1 + self._above.sum(axis=0)
        worst = len(best) - self._above.sum(axis=1)
        return np.stack([np.minimum(best, worst), np.maximum(best, worst)], axis=1)

    @property
    def are_all_decided(self) -> bool:
        ranks = self.ranks
        return bool((ranks[:, 0] == ranks[:, 1]).all() and len(set(ranks[:, 0].tolist())) == len(ranks))

    def in_doubt(self, means: Sequence[float]) -> list[tuple[int, int]]:
        """The neighbours by these means whose order is not decided; if means contradict decisions, all such pairs."""
        if self.are_all_decided:
            return []
        order = sorted(range(len(means)), key=lambda agent: -means[agent])
        neighbours = [pair for pair in pairwise(order) if not self.is_decided(*pair)]
        every = ((one, two) for one in range(len(means)) for two in range(one))
        return neighbours or [pair for pair in every if not self.is_decided(*pair)]


def silence(confidence: float) -> int:
    """Deals before which a comparison is silent. The sequence holds in the limit of many deals, and the smaller its
    error is to be, the further out lies the limit."""
    return round(SAYS_NOTHING_BEFORE * max(1.0, log(2 / (1 - confidence)) / log(2 / (1 - CONFIDENCE))))


def orders_of(scores: Scores, confidence: float = CONFIDENCE) -> Orders:
    """All comparisons of what was played so far."""
    levels, count = scores.levels().tolist(), len(scores.agents)
    orders = Orders(count, confidence)
    for one in range(count):
        for two in range(one):
            orders.compare(one, two, scores, min(levels[one], levels[two]))
    return orders


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
        self.goals = np.zeros((agents, agents), np.int64)  # deals of each pair when the round is over
        self.ending = ""  # why it is over: "ranked", "hands" or "budget"
        self._orders = Orders(agents, confidence)

    @property
    def levels(self) -> NDArray[np.int64]:
        """(n,) how many deals each agent has against everybody."""
        others = np.where(np.eye(len(self.goals), dtype=np.bool_), np.iinfo(np.int64).max, self.goals)
        levels: NDArray[np.int64] = others.min(axis=1)
        return levels

    def next_round(self, scores: Scores) -> bool:
        """Set the goals of the next round; False if there is none. scores: of all rounds before, and maybe more."""
        levels, active = self.levels.tolist(), list(range(len(self.goals)))
        if any(levels):
            active = self._active(scores, levels)
        if self.ending:
            return False
        if (goals := self._reached(active, levels)) is None:
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
        """The goals when these have played a round on, shorter near the end of the budget; None if that is used up."""
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
