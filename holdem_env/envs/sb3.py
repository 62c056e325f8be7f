"""A Stable-Baselines3 VecEnv: a learner in one seat of many tables, agents in the others, with action masks for
MaskablePPO.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from ..encoders import ActionEncoder, ObservationEncoder
from ..game.rules import Rules
from .learner_tables import LearnerTables, Levels, OnIllegal, Opponent, Reward

StepReturn = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]


class HoldemVecEnv(VecEnv):
    """`num_envs` tables of one game; a learner owns seat i % seats of table i, agents play the other seats.

    The learner's next state is its own next decision: opponents play in between, and a finished hand is dealt anew
    in the same step, the button one seat on. An episode is one hand of the learner's; its result is the reward of
    its last decision, in big blinds times `reward_scale`. Hands that end before the learner acts are left out: they
    would be paid to another hand's decision.

    rules: the game.
    opponents: agents, their names, or (agent, weight) pairs; drawn anew for each seat and hand. `set_opponents`
    changes them. one_opponent: in this share of the hands, 0 to 1, one of them is drawn to play all the other seats.
    observation, actions: the learner's encoders, by name or as objects; actions=None is `limit` in fixed limit and
        `pot_fractions` otherwise.
    seed: of the decks, and of who sits where; `seed()` (and a model with a seed) replaces it at the next reset. A
        reset without a new seed goes on with the next hands.
    reward: a hand's "result", or "all_in_value": its mean over the board cards that came when nobody could bet any
        more. The same in the mean, and less noise; not for games whose dealer errs.
    levels: of a session's levels of blinds hands are played at the "first" one, or at "all" of them.
    on_illegal: an action that is not offered is an error that changes nothing ("raise"), or a "check_fold".

    Masks: `action_masks()` is (num_envs, actions), int8. `env_method("action_masks")`, which is what MaskablePPO
    asks, gives a list with that one array in it, because stacking 1,024 rows costs more than the game.
    infos: the same list of empty dicts every time, not to be written to. There is no "terminal_observation": an
    episode's last state is the end of a hand, where nothing is left to be valued; SB3 reads it only for truncated
    episodes, and hands are never cut short.

    >>> from holdem_env import Rules
    >>> env = HoldemVecEnv(Rules.preset("heads-up-limit"), num_envs=4, opponents=["calling_station", ("maniac", 0.5)])
    >>> observation = env.reset()
    >>> observation, reward, done, infos = env.step(env.action_masks().argmax(axis=1))
    """

    def __init__(
        self,
        rules: Rules,
        num_envs: int = 1024,
        opponents: Sequence[Opponent] = ("random",),
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        seed: int = 0,
        reward_scale: float = 1.0,
        on_illegal: OnIllegal = "raise",
        reward: Reward = "result",
        levels: Levels = "first",
        one_opponent: float = 0.0,
    ) -> None:
        self.tables = LearnerTables(
            rules,
            num_envs,
            opponents,
            observation,
            actions,
            on_illegal,
            reward=reward,
            levels=levels,
            one_opponent=one_opponent,
        )
        self.rules = rules
        self.reward_scale = reward_scale
        self.render_mode = None
        box = self.tables.observation_encoder.space(rules)
        super().__init__(num_envs, Box(box.low, box.high, dtype=np.float32), self.tables.action_encoder.space(rules))
        self._seeds = [seed] * num_envs
        self._moves: NDArray[np.int64] | None = None
        self._infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]

    @property
    def observation_encoder(self) -> ObservationEncoder:
        """The learner's observation encoder."""
        return self.tables.observation_encoder

    @property
    def action_encoder(self) -> ActionEncoder:
        """The learner's action encoder."""
        return self.tables.action_encoder

    def set_opponents(self, opponents: Sequence[Opponent]) -> None:
        """Let others play from now on, in the running hands too."""
        self.tables.set_opponents(opponents)

    def action_masks(self) -> NDArray[np.int8]:
        """(num_envs, actions) int8, 1 where an action is offered; a copy. Every row has one."""
        return self.tables.mask.copy()

    def reset(self) -> NDArray[np.float32]:
        """Deal new hands and return the observations, (num_envs, D) float32."""
        self.tables.reset(self._seeds[0])
        self._moves = None
        self._reset_seeds()
        self._reset_options()
        return self.tables.observation()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Check the actions, (num_envs,) ints. Raises ValueError, and changes nothing, if one is not offered."""
        self._moves = self.tables.checked_moves(actions)

    def step_wait(self) -> StepReturn:
        """Play them: new arrays of observations, rewards (float32) and dones (bool), and the shared list of empty
        infos.
        """
        if self._moves is None:
            raise ValueError("step_wait: there are no actions; call step_async(actions) first")
        moves, self._moves = self._moves, None
        self.tables.play(moves)
        rewards = self.tables.worth * (self.reward_scale / self.rules.unit)
        return self.tables.observation(), rewards.astype(np.float32), self.tables.done.copy(), self._infos

    def close(self) -> None:
        """Nothing to release."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute once for each table: all tables share it."""
        return [getattr(self, attr_name)] * self._count(indices)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of the environment; it is one for all tables, so `indices` must be None."""
        if indices is not None:
            raise ValueError(f"set_attr: {attr_name!r} is shared by all tables and cannot be set for some of them")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """Call a method of the environment, once. For `action_masks` see the class; other results are given once for
        each table.
        """
        result = getattr(self, method_name)(*args, **kwargs)
        if method_name == "action_masks":
            return [result] if indices is None else list(result[list(self._get_indices(indices))])
        return [result] * self._count(indices)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """No table has a wrapper of its own."""
        return [False] * self._count(indices)

    def _count(self, indices: VecEnvIndices) -> int:
        return self.num_envs if indices is None else len(list(self._get_indices(indices)))
