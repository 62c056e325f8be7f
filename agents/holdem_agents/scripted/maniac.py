"""The maniac: raises most of the time, by anything from the least raise to its whole stack, and never folds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.encoders.actions import PotFractions
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.compiling import kernel
from holdem_env.engine.dealing import MIX_1, decision_number, mix, random_below
from holdem_env.engine.record import CHECK_CALL, Records
from holdem_env.players import Agent
from holdem_env.rules import Rules

SALT = 0x4D414E49
SIZES = "min, 50%, 100%, 200%, all-in"
FIRST_RAISE = 2
MILLION = 1_000_000


@kernel
def raise_often(tables, rows, choices, aggression, salt, moves):
    """A random offered raise with probability `aggression` (in millionths), else check or call."""
    for k in range(rows.size):
        number = decision_number(tables[rows[k]], salt)
        moves[k] = CHECK_CALL
        if random_below(number, MILLION) >= aggression:
            continue
        offered = 0
        for action in range(FIRST_RAISE, choices.shape[1]):
            offered += choices[k, action] != NO_MOVE
        left = random_below(mix(number ^ MIX_1), max(offered, 1))
        for action in range(FIRST_RAISE, choices.shape[1]):
            if choices[k, action] != NO_MOVE:
                if left == 0:
                    moves[k] = choices[k, action]
                left -= 1


class Maniac(Agent):
    """Bets and raises with the given probability, else checks or calls.

    aggression: the probability, 0 to 1. seed: with the same seed it plays the same at the same hand of the same table.
    """

    name = "maniac"

    def __init__(self, aggression: float = 0.75, seed: int = 0) -> None:
        if not 0 <= aggression <= 1:
            raise ValueError(f"aggression: {aggression} is not a probability; give 0 to 1")
        self._aggression = round(aggression * MILLION)
        self._salt = seed ^ SALT
        self._sizes = PotFractions(SIZES)

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        choices = np.empty((len(rows), self._sizes.size(rules)), np.int64)
        self._sizes.choose(tables, rules.record, rows, choices)
        moves = np.empty(len(rows), np.int64)
        raise_often(tables, rows, choices, self._aggression, self._salt, moves)
        return moves
