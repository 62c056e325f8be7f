"""The calling station: never folds, never raises."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.protocol import Agent
from holdem_env.compiled.records import Records
from holdem_env.engine.record import CHECK_CALL
from holdem_env.game.rules import Rules


class CallingStation(Agent):
    """Always checks or calls."""

    name = "calling_station"

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.full(len(rows), CHECK_CALL, np.int64)

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        return self.act(tables, rules, rows)[:, None], np.ones((len(rows), 1))
