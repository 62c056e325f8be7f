"""The maniac: raises most of the time, by any size from the minimum to all-in, and never folds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.compiled.records import Records
from holdem_env.encoders.actions import PotFractions
from holdem_env.engine.batch import NO_MOVE
from holdem_env.game.rules import Rules

SIZES = "min, 50%, 100%, 200%, all-in"
FOLD_PLACE, CALL_PLACE, FIRST_RAISE = 0, 1, 2


class Maniac(KnownStrategy):
    """Bets or raises with a fixed probability, choosing all legal sizes equally often; else checks or calls.

    aggression: the probability, 0 to 1. seed: with the same seed it plays the same at the same hand of the same table.
    """

    name = "maniac"

    def __init__(self, aggression: float = 0.75, seed: int = 0) -> None:
        if not 0 <= aggression <= 1:
            raise ValueError(f"aggression: {aggression} is not a probability; give 0 to 1")
        super().__init__(seed)
        self.aggression = aggression
        self._sizes = PotFractions(SIZES)

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        choices = np.empty((len(rows), self._sizes.size(rules)), np.int64)
        self._sizes.choose(tables, rules.record, rows, choices)
        choices[:, FOLD_PLACE] = NO_MOVE
        raises = choices[:, FIRST_RAISE:] != NO_MOVE
        count = raises.sum(axis=1, keepdims=True)
        probabilities = np.zeros(choices.shape)
        probabilities[:, FIRST_RAISE:] = raises * (self.aggression / np.maximum(count, 1))
        probabilities[:, CALL_PLACE] = np.where(count[:, 0] > 0, 1 - self.aggression, 1.0)
        return np.where(probabilities > 0, choices, NO_MOVE), probabilities
