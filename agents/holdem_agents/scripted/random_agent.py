"""The random agent: chooses uniformly among the offered actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.compiled.records import Records
from holdem_env.encoders import ActionEncoder, get_actions
from holdem_env.engine.batch import NO_MOVE
from holdem_env.game.rules import Rules


class Random(KnownStrategy):
    """Plays uniformly random offered actions of an action encoder.

    actions: the encoder; None is the default of the game. seed: with the same seed it plays the same at the same hand
    of the same table.
    """

    name = "random"

    def __init__(self, actions: str | ActionEncoder | None = None, seed: int = 0) -> None:
        super().__init__(seed)
        self.actions = actions

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        encoder = get_actions(self.actions, rules)
        choices = np.empty((len(rows), encoder.size(rules)), np.int64)
        encoder.choose(tables, rules.record, rows, choices)
        offered = choices != NO_MOVE
        return choices, offered / offered.sum(axis=1, keepdims=True)
