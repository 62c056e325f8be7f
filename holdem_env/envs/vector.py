"""A native Gymnasium vector environment: many tables stepped together, the learner in one seat of each."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..encoders import ActionEncoder, ObservationEncoder
from ..encoders.describing import one_line
from ..game.rules_input import RulesLike
from ..utils.suggestions import known_keywords
from .arguments import RewardUnit, chips_in_unit
from .hand_rewards import RewardFunction
from .learner_tables import LearnerTables, OnIllegal
from .opponents import OpponentsLike
from .shown_cards import shown_where

Infos = dict[str, Any]
Step = tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]


class HoldemSeatVectorEnv(VectorEnv[NDArray[np.float32], NDArray[Any], NDArray[Any]]):
    """`num_envs` tables of HoldemSeatEnv in one batch.

    Make it with `gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=1024, ...)`. Under the same seed, table i
    plays exactly like HoldemSeatEnv(..., table_id=i); the learner has seat i % seats.

    All returned arrays are new. Observations are (N, D) float32, or `(N, *shape)`; rewards (N,) float64; terminations
    and truncations (N,) bool (hands are never truncated). infos["action_mask"] is (N, A) int8, and every row offers at
    least one action; `action_masks()` gives the same.

    Autoreset is SAME_STEP: where a hand ended, the observation and the mask are those of the next hand. The hand's last
    observation is in infos["final_obs"], (N, D) float32, zeros where infos["_final_obs"] is False. infos["final_info"]
    has its mask, all zeros. Both keys exist only in steps in which a hand ended. Their values are plain arrays, too.

    Args:
        num_envs: The number of tables, N.
        rules, opponents, observation, actions, on_illegal, reward_unit, one_opponent, reward_function: As in
            HoldemSeatEnv.
        shown_cards: Whether infos["final_info"]["shown_cards"] has the cards that were tabled in the hands that ended.
            They are (N, seats, hole cards) int8, -1 where nothing was shown or no hand ended, without the cards that
            were mucked (R29).

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

    @known_keywords("HoldemSeatVectorEnv")
    def __init__(
        self,
        num_envs: int = 1024,
        rules: RulesLike | None = None,
        opponents: OpponentsLike = ("random",),
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        on_illegal: OnIllegal = "raise",
        reward_unit: RewardUnit | None = None,
        one_opponent: float = 0.0,
        shown_cards: bool = False,
        reward_function: RewardFunction | None = None,
    ) -> None:
        self.tables = LearnerTables(
            rules,
            num_envs,
            opponents,
            observation,
            actions,
            on_illegal,
            keep_finished=True,  # for final observations
            one_opponent=one_opponent,
            reward_function=reward_function,
        )
        self.rules = self.tables.rules
        self.reward_unit = chips_in_unit(self.rules, reward_unit)
        self.num_envs = num_envs
        self.shown_cards = shown_cards
        self.single_observation_space = self.tables.observation_encoder.space(self.rules)
        self.single_action_space = self.tables.action_encoder.space(self.rules)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def __repr__(self) -> str:
        tables = self.tables
        return one_line(
            self, f"{self.num_envs:,} tables", self.rules, tables.observation_encoder, tables.action_encoder
        )

    def set_opponents(self, opponents: OpponentsLike) -> None:
        """Replace the opponents, from now on and in the running hands too."""
        self.tables.set_opponents(opponents)

    def action_masks(self) -> NDArray[np.int8]:
        """(N, A) int8, 1 where an action is offered; a copy. Every row offers at least one."""
        return self.tables.mask.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Infos]:
        """Deal the next hand at every table.

        Args:
            seed: With a seed, start again with hand 0 of every table under that seed.
            options: There are none.

        Raises:
            ValueError: If options are given.
        """
        super().reset(seed=seed)
        if options:
            raise ValueError(f"options: this environment has none; got {', '.join(map(repr, options))}")
        self.tables.reset(seed)
        return self.tables.observation(), self._infos()

    def step(self, actions: NDArray[Any]) -> Step:
        """Play one action at each table, then the opponents' moves up to the learner's next decisions.

        Args:
            actions: (N,) ints or `(N, *shape)` numbers.

        Raises:
            ValueError: If an action is not offered (unless on_illegal="check_fold"); nothing changes.
        """
        self.tables.play(self.tables.checked_moves(actions))
        rewards = self.tables.paid(self.reward_unit)
        return self.tables.observation(), rewards, self.tables.done.copy(), np.zeros(self.num_envs, bool), self._infos()

    def _infos(self) -> Infos:
        infos: Infos = {"action_mask": self.action_masks(), "_action_mask": np.ones(self.num_envs, bool)}
        if self.tables.done.any():
            infos["final_obs"] = self.tables.final_observation()
            infos["_final_obs"] = self.tables.done.copy()
            empty_masks = np.zeros_like(self.tables.mask)
            infos["final_info"] = {"action_mask": empty_masks, "_action_mask": self.tables.done.copy()}
            infos["_final_info"] = self.tables.done.copy()
            if self.shown_cards:
                infos["final_info"]["shown_cards"] = shown_where(self.tables.finished, self.rules, self.tables.done)
                infos["final_info"]["_shown_cards"] = self.tables.done.copy()
        return infos
