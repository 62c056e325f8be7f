"""Always fold: folds whenever there is a bet to call, even a blind, and checks when checking is free."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.protocol import Agent
from holdem_env.compiled.records import Records
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.game.rules import Rules


class AlwaysFold(Agent):
    """Folds to any bet and never makes one.

    Heads-up against an opponent that always raises, it loses its blind in every hand: half a big blind on the button
    and a whole one in the big blind, so 0.75 big blinds per hand (750 mbb/h).
    """

    name = "always_fold"

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        faces_bet = tables["bet_to_match"][rows] > tables["seats"]["bet"][rows, tables["actor"][rows]]
        return np.where(faces_bet, FOLD, CHECK_CALL)

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        return self.act(tables, rules, rows)[:, None], np.ones((len(rows), 1))
