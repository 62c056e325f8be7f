"""What the drop-in environments share: `HoldemEnv` with PettingZoo's observations, actions and arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ..encoders import ObservationEncoder
from ..encoders.classic import ClassicActions
from ..envs.aec import HoldemEnv
from ..envs.rendering import Renderer
from ..game.rules import Rules
from ..utils.validation import whole_number

MAX_PLAYERS = 10
ILLEGAL_REWARD = -1  # PettingZoo's, for an action that the mask does not offer
SCREEN_HEIGHT = 1000  # PettingZoo's
Arguments = ParamSpec("Arguments")


class DropIn(HoldemEnv):
    """A game of PettingZoo's, with one hand an episode. The seed draws the button."""

    def __init__(
        self, game: Rules, observation: ObservationEncoder, render_mode: str | None, screen_height: int | None
    ) -> None:
        rules = game.replace(session={"num_hands": 1, "first_button": "seed"})
        super().__init__(rules, observation, ClassicActions(), render_mode=render_mode)
        self._renderer = Renderer(render_mode, self.possible_agents, checked_height(screen_height))

    def _pay(self, rewards: Sequence[float], stacks: Sequence[int], is_over: bool) -> None:
        super()._pay(rewards, stacks, is_over)
        for info in self.infos.values():  # empty, as PettingZoo's: Tianshou's buffers cannot keep cards of some hands
            info.clear()


def named(name: str) -> dict[str, Any]:
    """An environment's `metadata`."""
    return {**HoldemEnv.metadata, "name": name}


def checked_players(num_players: int, most: int = MAX_PLAYERS) -> int:
    """The number of players. Raises ValueError for one that is not 2 to `most`, TypeError for no whole number."""
    players = whole_number("num_players", num_players, "a whole number of players")
    if not 2 <= players <= most:
        wanted = "2" if most == 2 else f"2 to {most}"
        raise ValueError(f"num_players must be {wanted}, got {players}")
    return players


def checked_height(screen_height: int | None) -> int | None:
    """The height in pixels. Raises ValueError for less than one, TypeError for no whole number."""
    if screen_height is None:
        return None
    height = whole_number("screen_height", screen_height, "a whole number of pixels")
    if height < 1:
        raise ValueError(f"screen_height must be 1 or more, got {height}")
    return height


def wrapped(raw_env: Callable[Arguments, DropIn]) -> Callable[Arguments, AECEnv[str, Any, Any]]:
    """PettingZoo's `env` for a `raw_env`: an illegal action ends the hand and pays -1 to who played it, 0 to others."""

    @wraps(raw_env, ("__module__", "__doc__"), ())  # its name stays "env", by which pickle finds it
    def env(*arguments: Arguments.args, **keywords: Arguments.kwargs) -> AECEnv[str, Any, Any]:
        inner = TerminateIllegalWrapper(raw_env(*arguments, **keywords), illegal_reward=ILLEGAL_REWARD)
        return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(inner))

    env.__qualname__ = env.__name__
    return env
