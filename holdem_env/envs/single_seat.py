"""The Gymnasium environment: one table, the learner in one seat, agents in the others. An episode is one hand."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..encoders import ActionEncoder, ObservationEncoder
from ..encoders.describing import one_line
from ..game.rules_input import RulesLike
from ..utils.suggestions import known_keywords
from .arguments import RewardUnit, chips_in_unit
from .hand_rewards import RewardFunction
from .learner_tables import LearnerTables, OnIllegal
from .opponents import OpponentsLike
from .rendering import RENDER_MODES, Renderer
from .shown_cards import shown_by_player


class HoldemSeatEnv(gymnasium.Env[NDArray[Any], Any]):
    """A learner's seat at one table, `gymnasium.make("holdem_env/HoldemSeat-v0", ...)`.

    An episode is one hand of the learner. Its result is the reward of the learner's last decision; opponents play
    between the decisions. The button moves one seat on from hand to hand, and every hand starts with the rules'
    starting stacks, so the learner's seat gets every position. Hands that end before the learner acts are skipped.

    Observations are (D,) float32, or of the encoder's shape; the action space is the encoder's.
    `info["action_mask"]` is (A,) int8, 1 where an action is offered, all zeros at the end of a hand.
    `action_space.sample(info["action_mask"])` samples from it, and `action_masks()` gives the same mask to MaskablePPO.
    Continuous actions are never masked: their mask shows which kinds of moves are legal.

    Args:
        rules: The game: Rules, a preset's name, a dict of fields such as `{"preset": name, **changes}`, or the path of
            a YAML file; None is Rules().
        opponents: An agent, its name or an (agent, weight) pair, or a list of them. The agent in each opponent's seat
            is drawn for every hand. `set_opponents` replaces them.
        observation, actions: The learner's encoders, by name or as objects; actions=None is `limit` in fixed limit and
            `pot_fractions` otherwise.
        on_illegal: What to do with an action that is not offered: "raise" an error, or play "check_fold" instead, which
            checkers and algorithms without masks need.
        reward_unit: "big_blind" or "chips"; by default the rules' unit.
        render_mode: "ansi" returns text, "rgb_array" pixels (with the extra `pictures`). "human" shows every decision
            in a notebook or a window, and prints text where there is neither. All hole cards are shown.
        table_id: The table whose decks are dealt; the learner has seat table_id % seats. Table i of HoldemSeatVectorEnv
            and of HoldemVecEnv is this environment with table_id=i.
        one_opponent: In this share of the hands, 0 to 1, one opponent is drawn to play all other seats.
        shown_cards: Whether `info["shown_cards"]` has, at the end of a hand, the cards that were tabled in it:
            {"player_0": [card, ...]}, without the cards that were mucked (R29).
        reward_function: A function of EndedHands that pays for a hand instead.

    >>> import gymnasium, holdem_env
    >>> env = gymnasium.make("holdem_env/HoldemSeat-v0", rules="heads-up-limit", opponents="calling_station")
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape, info["action_mask"].tolist()
    ((149,), [1, 1, 1])
    >>> observation, reward, terminated, truncated, info = env.step(0)  # fold the small blind
    >>> reward, terminated, info["action_mask"].tolist()
    (-0.5, True, [0, 0, 0])
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    @known_keywords("HoldemSeatEnv")
    def __init__(
        self,
        rules: RulesLike | None = None,
        opponents: OpponentsLike = ("random",),
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        on_illegal: OnIllegal = "raise",
        reward_unit: RewardUnit | None = None,
        render_mode: str | None = None,
        table_id: int = 0,
        one_opponent: float = 0.0,
        shown_cards: bool = False,
        reward_function: RewardFunction | None = None,
    ) -> None:
        if table_id < 0:
            raise ValueError(f"table_id: {table_id}; give 0 or more")
        self.tables = LearnerTables(
            rules,
            1,
            opponents,
            observation,
            actions,
            on_illegal,
            table_id,
            keep_finished=True,  # for final observations
            one_opponent=one_opponent,
            reward_function=reward_function,
        )
        self.rules = self.tables.rules
        self.reward_unit = chips_in_unit(self.rules, reward_unit)
        learner = int(self.tables.learner_seats[0])
        names = [f"Learner, seat {seat}" if seat == learner else f"Seat {seat}" for seat in range(self.rules.seats)]
        self._renderer = Renderer(render_mode, names)
        self.render_mode = render_mode
        self.shown_cards = shown_cards
        self.observation_space = self.tables.observation_encoder.space(self.rules)
        self.action_space = self.tables.action_encoder.space(self.rules)
        self._over = False

    def __repr__(self) -> str:
        tables = self.tables
        return one_line(self, "", self.rules, tables.observation_encoder, tables.action_encoder)

    def set_opponents(self, opponents: OpponentsLike) -> None:
        """Replace the opponents, from now on and in the running hand too."""
        self.tables.set_opponents(opponents)

    def action_masks(self) -> NDArray[np.int8]:
        """(A,) int8, 1 where an action is offered; a copy. All zeros at the end of a hand."""
        mask = self.tables.mask[0].copy()
        return np.zeros_like(mask) if self._over else mask

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Continue to the learner's first decision in the next hand. A hand that is not over is abandoned.

        Args:
            seed: With a seed, start again with hand 0 under that seed.
            options: There are none.

        Raises:
            ValueError: If options are given.
        """
        super().reset(seed=seed)
        if options:
            raise ValueError(f"options: this environment has none; got {', '.join(map(repr, options))}")
        if seed is not None or not self._over:  # once a hand is over, the next one is dealt already
            self.tables.reset(seed)
        self._over = False
        self._show()
        return self.tables.observation()[0], self._info()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play an action, then the opponents' moves up to the learner's next decision or the end of the hand.

        Raises:
            ValueError: If the action is not offered (unless on_illegal="check_fold"), before reset, or after the end of
                the hand; nothing changes.
        """
        if self._over:
            raise ValueError("step: the hand is over; call reset() first")
        self.tables.play(self.tables.checked_moves(np.asarray(action)[None]))
        self._over = bool(self.tables.done[0])
        observation = self.tables.final_observation() if self._over else self.tables.observation()
        self._show()
        return observation[0], float(self.tables.paid(self.reward_unit)[0]), self._over, False, self._info()

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if self.shown_cards and self._over:
            info["shown_cards"] = shown_by_player(self.tables.finished, self.rules)[0]
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self, seat: int | None = None) -> Any:
        """Render the table in the environment's render_mode.

        Args:
            seat: The seat that sees the table: other hands are hidden unless they were shown. By default all cards are
                drawn.

        Returns:
            Text for "ansi", (height, width, 3) uint8 pixels for "rgb_array". "human" shows a picture in a notebook or a
            window, and prints text where there is neither.

        Raises:
            ValueError: If the seat does not exist.
        """
        records = (self.tables.finished if self._over else self.tables.records)[:1]
        return self._renderer.render(records, self.rules, seat)
