"""Pot odds: calls when its equity exceeds the price of the call, and bets when its equity is large.

The price of a call of c chips that can win w chips is c / (w + c): the call breaks even if the
equity is that large. Sampled showdowns estimate it. The agent assumes that an opponent who has bet or raised n times
in the hand holds the best of n + 1 random hands.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.compiled.records import Records
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.game.rules import Rules
from holdem_env.utils.validation import whole_number

from .amounts import call_and_winnable, pot_raise
from .strengths import live_opponents, sampled_equities

MAX_CANDIDATES = 5
MOST_SAMPLES = 100_000  # showdowns of a decision


class PotOdds(KnownStrategy):
    """Compares its equity with the price of a call. It plays every game, never bluffs, and does not mix.

    samples: the showdowns that are sampled for each decision. edge: it bets and raises if its equity exceeds an equal
    share of the pot by more than this fraction of it. size: its bets, as a fraction of the pot after calling.
    """

    name = "pot_odds"

    def __init__(self, samples: int = 200, edge: float = 0.3, size: float = 0.75, seed: int = 0) -> None:
        super().__init__(seed)
        if not 0 < whole_number("samples", samples, "a number of showdowns") <= MOST_SAMPLES:
            raise ValueError(f"samples must be 1 to {MOST_SAMPLES:,}, got {samples}")
        for parameter, value in (("edge", edge), ("size", size)):
            if not 0 < float(value) < inf:
                raise ValueError(f"{parameter} must be above 0 and finite, got {value}")
        self.samples, self.edge, self.size = samples, edge, size

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        opponents = live_opponents(tables, rows)
        bets = tables["street_raises"][rows].sum(axis=2)
        candidates = np.where(opponents, np.minimum(1 + bets, MAX_CANDIDATES), 0)
        equities = sampled_equities(tables, rules, rows, candidates, self.samples)
        call, winnable = call_and_winnable(tables, rows)
        price = call / np.maximum(winnable + call, 1)
        moves = np.where((call > 0) & (equities < price), FOLD, CHECK_CALL)
        raises = pot_raise(tables, rules, rows, self.size)
        good = equities * (1 + opponents.sum(axis=1)) > 1 + self.edge
        moves = np.where(good & (raises != NO_MOVE), raises, moves)
        return moves[:, None], np.ones((len(rows), 1))
