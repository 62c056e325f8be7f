"""A match: one agent against another, on the same decks from every seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ..players import Agent, make_agent
from ..rules import Rules
from .dealer import Dealer

CONFIDENCE = 0.95
QUANTILE = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


@dataclass(frozen=True)
class MatchResult:
    """What a match has shown of the first agent.

    mean: its win rate in bb/100 (big blinds per hundred hands). half_width: of the 95 % interval, in bb/100.
    hands: played in all, each deal counted once for every seat it was played from. deals: independent deals, the
        sample size.
    """

    agent: str
    opponent: str
    mean: float
    half_width: float
    hands: int
    deals: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate, bb/100."""
        return self.mean - self.half_width, self.mean + self.half_width

    def __str__(self) -> str:
        rate = f"{self.mean:+.0f} ± {self.half_width:.0f} bb/100"
        return f"{self.agent} against {self.opponent}: {rate} ({self.hands:,} hands)"


def play_match(
    agent: str | Agent,
    opponent: str | Agent,
    rules: Rules,
    hands: int = 20_000,
    seed: int = 0,
    num_tables: int = 512,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play `agent` in one seat against `opponent` in all others, and report the first one's win rate.

    Duplicate: every deal is played once with the agent in each seat, with the same cards and the same button, so
    that luck in the cards cancels; a deal's result is the mean over its seats, and the interval counts deals,
    which are independent.
    hands: how many to play, at least; rounded up to whole rounds. progress: called with the number of hands after
        each round.
    """
    first, second = make_agent(agent), make_agent(opponent)
    seats = rules.seats
    seating = np.ones((num_tables * seats, seats), np.int64)
    seating[np.arange(len(seating)), np.arange(len(seating)) % seats] = 0
    dealer = Dealer(rules, [first, second], seating, np.arange(len(seating)) // seats, seed)
    rounds = -(-hands // len(seating))
    results = np.concatenate([_round(dealer, num_tables, progress) for _ in range(rounds)])
    return summarize(first.name, second.name, results / rules.unit, rounds * len(seating))


def _round(dealer: Dealer, deals: int, progress: Callable[[int], None] | None) -> NDArray[np.float64]:
    """One hand at every table; the first agent's chips per deal, the mean over its seats."""
    payoffs = dealer.play_hand()
    if progress:
        progress(len(payoffs))
    means: NDArray[np.float64] = payoffs[dealer.seating == 0].reshape(deals, -1).mean(axis=1)
    return means


def summarize(agent: str, opponent: str, big_blinds: NDArray[np.float64], hands: int) -> MatchResult:
    """The win rate and its interval from independent results in big blinds."""
    deals = len(big_blinds)
    error = big_blinds.std(ddof=1) / np.sqrt(deals) if deals > 1 else np.inf
    return MatchResult(agent, opponent, 100 * float(big_blinds.mean()), 100 * QUANTILE * float(error), hands, deals)
