"""A Stable-Baselines3 VecEnv with action masks for MaskablePPO: many tables with one learner's seat each."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from ..encoders import ActionEncoder, ObservationEncoder
from ..encoders.describing import one_line
from ..game.rules_input import RulesLike
from ..utils.suggestions import known_keywords
from .hand_rewards import RewardFunction
from .learner_tables import LearnerTables, Levels, OnIllegal, Reward
from .opponents import OpponentsLike
from .shown_cards import shown_by_player

StepReturn = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]


class HoldemVecEnv(VecEnv):
    """`num_envs` tables of one game. At table i the learner has seat i % seats; agents play the other seats.

    A step goes from one decision of the learner to its next: opponents play in between, and when a hand ends, the next
    one is dealt in the same step, with the button one seat on. An episode is one hand of the learner. Its result is the
    reward of the learner's last decision, in big blinds times `reward_scale`. Hands that end before the learner acts
    are skipped, because their result would be credited to another hand's decision.

    `action_masks()` is (num_envs, actions), int8. MaskablePPO calls `env_method("action_masks")`, which returns a list
    with that one array, because stacking 1,024 rows costs more than the game. `infos` is always the same list of empty
    dicts, unless they have `shown_cards`; do not write to it. There is no "terminal_observation": SB3 reads it only for
    truncated episodes, and hands are never truncated.

    Args:
        rules: The game: Rules, a preset's name, a dict of fields, or the path of a YAML file.
        num_envs: The number of tables.
        opponents: An agent, its name or an (agent, weight) pair, or a list of them; drawn for each seat and hand.
            `set_opponents` replaces them.
        observation, actions: The learner's encoders, by name or as objects; actions=None is `limit` in fixed limit and
            `pot_fractions` otherwise.
        seed: The seed of the decks and of the seating. `seed()` (and a model with a seed) replaces it at the next
            reset. A reset without a new seed continues with the next hands.
        reward_scale: A factor of all rewards.
        on_illegal: What to do with an action that is not offered: "raise" an error that changes nothing, or play
            "check_fold" instead.
        reward: A hand's "result", or its "all_in_value": the mean result over the board cards that came when nobody
            could bet any more. It has the same mean and less noise; not for games with dealer errors.
        levels: Which of a session's blind levels are played: the "first", or "all".
        one_opponent: In this share of the hands, 0 to 1, one opponent is drawn to play all other seats.
        shown_cards: Whether infos[i]["shown_cards"] has, where a hand ended, the cards that were tabled in it:
            {"player_0": [card, ...]}, without the cards that were mucked (R29).
        reward_function: A function of EndedHands that pays for a hand instead, times `reward_scale`.

    >>> from holdem_env import Rules
    >>> env = HoldemVecEnv(Rules.preset("heads-up-limit"), num_envs=4, opponents=["calling_station", ("maniac", 0.5)])
    >>> observation = env.reset()
    >>> observation, reward, done, infos = env.step(env.action_masks().argmax(axis=1))
    """

    @known_keywords("HoldemVecEnv")
    def __init__(
        self,
        rules: RulesLike,
        num_envs: int = 1024,
        opponents: OpponentsLike = ("random",),
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        seed: int = 0,
        reward_scale: float = 1.0,
        on_illegal: OnIllegal = "raise",
        reward: Reward = "result",
        levels: Levels = "first",
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
            keep_finished=shown_cards,
            reward=reward,
            levels=levels,
            one_opponent=one_opponent,
            reward_function=reward_function,
        )
        self._has_own_rewards = reward_function is not None
        self.rules = self.tables.rules
        self.reward_scale = reward_scale
        self.shown_cards = shown_cards
        self.render_mode = None
        box = self.tables.observation_encoder.space(self.rules)
        super().__init__(
            num_envs, Box(box.low, box.high, dtype=np.float32), self.tables.action_encoder.space(self.rules)
        )
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

    def __repr__(self) -> str:
        return one_line(self, f"{self.num_envs:,} tables", self.rules, self.observation_encoder, self.action_encoder)

    def set_opponents(self, opponents: OpponentsLike) -> None:
        """Replace the opponents, from now on and in the running hands too."""
        self.tables.set_opponents(opponents)

    def action_masks(self) -> NDArray[np.int8]:
        """(num_envs, actions) int8, 1 where an action is offered; a copy. Every row offers at least one."""
        return self.tables.mask.copy()

    def reset(self) -> NDArray[np.float32]:
        """Deal new hands and return the observations, (num_envs, D) float32."""
        self.tables.reset(self._seeds[0])
        self._moves = None
        self._reset_seeds()
        self._reset_options()
        return self.tables.observation()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Check the actions that `step_wait` will play.

        Args:
            actions: (num_envs,) ints.

        Raises:
            ValueError: If an action is not offered; nothing changes.
        """
        self._moves = self.tables.checked_moves(actions)

    def step_wait(self) -> StepReturn:
        """Play the checked actions. Returns new arrays of observations, rewards (float32) and dones (bool), and the
        infos.
        """
        if self._moves is None:
            raise ValueError("step_wait: there are no actions; call step_async(actions) first")
        moves, self._moves = self._moves, None
        self.tables.play(moves)
        unit = self.rules.unit
        if self._has_own_rewards:
            rewards = self.tables.paid(unit) * self.reward_scale
        else:
            rewards = self.tables.value * (self.reward_scale / unit)
        return self.tables.observation(), rewards.astype(np.float32), self.tables.done.copy(), self._shown_infos()

    def _shown_infos(self) -> list[dict[str, Any]]:
        """The shared list of empty infos, or a new one with the cards that were shown where hands ended."""
        if not self.shown_cards:
            return self._infos
        infos = self._infos.copy()
        rows = np.flatnonzero(self.tables.done)
        for row, shown in zip(rows, shown_by_player(self.tables.finished[rows], self.rules), strict=True):
            infos[row] = {"shown_cards": shown}
        return infos

    def close(self) -> None:
        """Nothing to release."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute, repeated for each table: all tables share it."""
        return [getattr(self, attr_name)] * self._count(indices)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of the environment. All tables share it, so `indices` must be None."""
        if indices is not None:
            raise ValueError(f"set_attr: {attr_name!r} is shared by all tables and cannot be set for some of them")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """Call a method of the environment once. The result is repeated for each table, except for `action_masks`; see
        the class.
        """
        result = getattr(self, method_name)(*args, **kwargs)
        if method_name == "action_masks":
            return [result] if indices is None else list(result[list(self._get_indices(indices))])
        return [result] * self._count(indices)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Always False: tables have no wrappers."""
        return [False] * self._count(indices)

    def _count(self, indices: VecEnvIndices) -> int:
        return self.num_envs if indices is None else len(list(self._get_indices(indices)))
