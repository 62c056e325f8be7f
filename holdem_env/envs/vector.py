"""Gymnasium's vector environment, natively: a learner in one seat of many tables that are stepped together."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..encoders import ActionEncoder, ObservationEncoder
from .arguments import GivenOpponents, GivenRules, RewardUnit, as_opponents, chips_in_unit, gymnasium_tables
from .learner_tables import OnIllegal

Infos = dict[str, Any]
Step = tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]


class HoldemSeatVectorEnv(VectorEnv[NDArray[np.float32], NDArray[Any], NDArray[Any]]):
    """`num_envs` tables of HoldemSeatEnv in one batch, `gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=1024,
    ...)`.

    Table i plays exactly as HoldemSeatEnv(..., table_id=i) under the same seed; the learner has seat i % seats there.
    rules, opponents, observation, actions, on_illegal, reward_unit, one_opponent: as there.

    Everything that is handed out is a new array. Observations are (N, D) float32, or (N, *shape); rewards (N,) float64;
    terminations and truncations (N,) bool (hands are never cut short). infos["action_mask"] is (N, A) int8; every row
    offers an action; `action_masks()` gives the same.

    Autoreset is SAME_STEP: where a hand ended, the observation and the mask are those of the next one. How it ended
    is in infos["final_obs"], (N, D) float32, zeros where infos["_final_obs"] is False, and infos["final_info"], its
    masks all zeros. Both are there only in steps in which a hand ended. They are plain arrays, as all else: no object
    is made for a table.

    >>> import gymnasium, holdem_env
    >>> players = {"rules": "heads-up-limit", "opponents": "calling_station"}
    >>> envs = gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=4, **players)
    >>> observations, infos = envs.reset(seed=7)
    >>> actions = infos["action_mask"].argmax(axis=1)  # fold to every bet
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> rewards.tolist(), terminations.tolist()
    ([-0.5, 0.0, -0.5, 0.0], [True, False, True, False])
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        num_envs: int = 1024,
        rules: GivenRules = None,
        opponents: GivenOpponents = ("random",),
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        on_illegal: OnIllegal = "raise",
        reward_unit: RewardUnit | None = None,
        one_opponent: float = 0.0,
    ) -> None:
        self.tables = gymnasium_tables(
            num_envs, rules, opponents, observation, actions, on_illegal, one_opponent=one_opponent
        )
        self.rules = self.tables.rules
        self.reward_unit = chips_in_unit(self.rules, reward_unit)
        self.num_envs = num_envs
        self.single_observation_space = self.tables.observation_encoder.space(self.rules)
        self.single_action_space = self.tables.action_encoder.space(self.rules)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def set_opponents(self, opponents: GivenOpponents) -> None:
        """Let others play from now on, in the running hands too."""
        self.tables.set_opponents(as_opponents(opponents))

    def action_masks(self) -> NDArray[np.int8]:
        """(N, A) int8, 1 where an action is offered; a copy. Every row has one."""
        return self.tables.mask.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Infos]:
        """Deal the next hand at every table; with a seed begin anew, with hand 0 of every table under that seed.

        Raises ValueError for options: there are none.
        """
        super().reset(seed=seed)
        if options:
            raise ValueError(f"options: this environment has none; got {', '.join(map(repr, options))}")
        self.tables.reset(seed)
        return self.tables.observation(), self._infos()

    def step(self, actions: NDArray[Any]) -> Step:
        """Play one action at each table, (N,) ints or (N, *shape) numbers, and the opponents' moves up to the learner's
        next decisions.

        Raises ValueError, and changes nothing, if one is not offered (unless on_illegal="check_fold").
        """
        self.tables.play(self.tables.checked_moves(actions))
        rewards = self.tables.reward / self.reward_unit
        return self.tables.observation(), rewards, self.tables.done.copy(), np.zeros(self.num_envs, bool), self._infos()

    def _infos(self) -> Infos:
        infos: Infos = {"action_mask": self.action_masks(), "_action_mask": np.ones(self.num_envs, bool)}
        if self.tables.done.any():
            infos["final_obs"] = self.tables.final_observation()
            infos["_final_obs"] = self.tables.done.copy()
            nothing = np.zeros_like(self.tables.mask)
            infos["final_info"] = {"action_mask": nothing, "_action_mask": self.tables.done.copy()}
            infos["_final_info"] = self.tables.done.copy()
        return infos
