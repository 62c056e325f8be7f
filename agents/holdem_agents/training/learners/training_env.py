"""SB3's training environment: counts what the learner wins against each opponent, and its moves by street."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.engine.record import NOBODY
from holdem_env.envs.learner_tables import Opponent
from holdem_env.envs.sb3 import HoldemVecEnv, StepReturn

from .counts import count_moves, no_moves


class TrainingEnv(HoldemVecEnv):
    """A HoldemVecEnv that counts the learner's results and moves until `reset_counts`.

    won: big blinds that the learner won in hands with each agent, in the order of `tables.agents`. hands: the number of
    those hands; an agent in two seats counts twice. moves_made: (streets, kinds) int64.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reset_counts()

    def set_opponents(self, opponents: list[Opponent]) -> None:  # type: ignore[override]
        super().set_opponents(opponents)
        self.reset_counts()

    def reset_counts(self) -> None:
        self.won: NDArray[np.float64] = np.zeros(len(self.tables.agents))
        self.hands: NDArray[np.float64] = np.zeros(len(self.tables.agents))
        self.moves_made: NDArray[np.int64] = no_moves()
        self._rewards, self._episodes = 0.0, 0

    def won_in_all(self) -> tuple[float, float]:
        return self._rewards, float(max(self._episodes, 1))

    def step_async(self, actions: NDArray[Any]) -> None:
        super().step_async(actions)
        moves: Any = self._moves
        count_moves(self.moves_made, self.tables.records["street"], moves)

    def step_wait(self) -> StepReturn:
        result = super().step_wait()
        over = np.flatnonzero(self.tables.done)
        self._rewards += float(self.tables.value[over].sum()) / self.rules.unit
        self._episodes += len(over)
        opponents = self.tables.played_by[over]
        seated = opponents != NOBODY
        won = np.broadcast_to(self.tables.value[over, None] / self.rules.unit, opponents.shape)
        self.won += np.bincount(opponents[seated], won[seated], len(self.won))
        self.hands += np.bincount(opponents[seated], minlength=len(self.hands))
        return result
