"""The environment: a TextEnv for each session."""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec
from typing import Any, get_args
from uuid import uuid4

from holdem_openenv.models import HoldemAction, HoldemObservation

from holdem_agents.catalog import AGENTS
from holdem_env.game.presets import PRESETS
from holdem_env.text_env import TextEnv
from holdem_env.text_env.env import Episode
from holdem_env.text_env.prompts import PROMPTS
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import State

MAX_OPPONENTS = 9
MAX_SEED = 1_000
ELSEWHERE = {"acpc", "hf", "openai", "program", "remote"}
"""Agents that start programs or open connections."""
NAMES: dict[str, Collection[str]] = {
    "rules": PRESETS,
    "opponents": {name for name in set(AGENTS) - ELSEWHERE if find_spec("torch") or not name.startswith("ppo_")},
    "episode": get_args(Episode),
    "prompt": PROMPTS,
    "spots": ("river-v1", "turn-v1"),
}
"""What a client may name. Paths of files are nothing for strangers."""
UNFINISHED = -1.0
"""What a model that stops early pays beyond the chips that it folds."""
NUMBERS = ("seat", "memory", "tries", "deals")


class HoldemEnvironment(Environment[HoldemAction, HoldemObservation, State]):
    """One seat in words. What `reset` is given beside a seed is of TextEnv: rules, opponents (one name or several),
    episode, prompt, spots, seat, memory, tries, deals. What is not given is as it was at the last reset."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._given: dict[str, Any] = {"rules": "heads-up-no-limit", "opponents": "tight_aggressive"}
        self._env: TextEnv | None = None
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **given: Any) -> HoldemObservation:
        """Deal. Raises ValueError for what a client may not give, and as TextEnv does."""
        for name, value in given.items():
            _check(name, value)
        if self._env is None or self._given | given != self._given:
            named = self._given | given
            self._env, self._given = TextEnv(**named), named
        text, info = self._env.reset(seed=seed)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return HoldemObservation(text=text, **info, reward=0.0)

    def step(self, action: HoldemAction, timeout_s: float | None = None, **_: Any) -> HoldemObservation:
        """Answer, or give up: then the rest of the episode is folded, which costs UNFINISHED too. Raises ValueError
        before reset and after the end."""
        if self._env is None:
            raise ValueError("step: no hand is dealt; reset first")
        env = self._env
        text, reward, terminated, truncated, info = env.give_up() if action.give_up else env.step(action.text)
        reward += UNFINISHED * action.give_up
        self._state.step_count += 1
        return HoldemObservation(text=text, **info, reward=reward, done=terminated or truncated)

    @property
    def state(self) -> State:
        """The episode, and how many answers it has had."""
        return self._state


def _check(name: str, value: Any) -> None:
    """Raises ValueError unless a client may give it."""
    if name in NUMBERS:
        if not isinstance(value, int) or not 0 <= value <= MAX_SEED:
            raise ValueError(f"{name}: must be a number from 0 to {MAX_SEED}, got {value!r:.80}")
        return
    if name not in NAMES:
        raise ValueError(f"reset: must be given some of {', '.join([*NAMES, *NUMBERS])}, got {name!r:.80}")
    if isinstance(value, list) and len(value) > MAX_OPPONENTS:
        raise ValueError(f"{name}: must have at most {MAX_OPPONENTS} entries, got {len(value)}")
    for each in value if isinstance(value, list) and name == "opponents" else [value]:
        if not isinstance(each, str) or each not in NAMES[name]:
            raise ValueError(f"{name}: must be one of {', '.join(sorted(NAMES[name]))}, got {each!r:.80}")
