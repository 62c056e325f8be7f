"""mask_in_info: observations are plain arrays and the mask is in `infos`, for wrappers that want Box observations."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import seed_test
from pettingzoo.utils import wrappers

from envs.api import api_test
from holdem_env import Rules, holdem_v0

RULES = Rules(seats=3, blinds=(1, 2), stacks=40)


def make(**options: Any) -> holdem_v0.raw_env:
    return holdem_v0.env(**{"rules": RULES, "num_hands": 6, "mask_in_info": True, **options})


def play(env: Any, seed: int = 1) -> list[tuple[str, int, float, list[int]]]:
    """Random play to the end of the episode: who did what, was paid what, and was offered what."""
    env.reset(seed=seed)
    generator, story = np.random.default_rng(seed), []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
        action = None if over else int(generator.choice(np.flatnonzero(mask)))
        story.append((agent, -1 if action is None else action, reward, mask.tolist()))
        env.step(action)
    return story


@pytest.mark.parametrize("num_hands", [1, 6, None])
def test_the_same_episode_as_with_the_mask_in_the_observation(num_hands):
    for seed in range(5):
        assert play(make(num_hands=num_hands), seed) == play(make(num_hands=num_hands, mask_in_info=False), seed)


def test_the_same_observations():
    plain, usual = make(observation="planes"), make(observation="planes", mask_in_info=False)
    for env in (plain, usual):
        env.reset(seed=2)
    assert plain.observation_space("player_0") == usual.observation_space("player_0")["observation"]
    for agent in plain.agents:
        assert (plain.observe(agent) == usual.observe(agent)["observation"]).all()
        assert plain.observation_space(agent).contains(plain.observe(agent))
    assert (plain.state() == usual.state()).all()
    assert plain.state_space == usual.state_space


def test_only_who_is_to_act_is_offered_anything():
    env = make()
    env.reset(seed=3)
    generator = np.random.default_rng(3)
    while env.agents:
        actor = None if env.terminations[env.agent_selection] else env.agent_selection
        for agent in env.agents:
            assert env.infos[agent]["action_mask"].any() == (agent == actor), agent
        mask = env.infos[env.agent_selection]["action_mask"]
        kept = mask.copy()
        env.step(None if actor is None else int(generator.choice(np.flatnonzero(mask))))
        assert (mask == kept).all()


def test_who_joins_has_a_mask():
    env = make(rules=RULES.replace(session={"kind": "cash", "num_hands": 5}), num_hands=1)
    env.reset(seed=1, options={"stacks": [40, 0, 40]})
    env.join("player_1", 20)
    while "player_1" not in env.agents:
        env.step(1)
    assert set(env.infos["player_1"]) == {"action_mask", "shown_cards"}


def test_continuous_actions_have_no_mask():
    env = make(actions="continuous")
    env.reset(seed=1)
    assert env.infos[env.agent_selection] == {}
    assert isinstance(env.last()[0], np.ndarray)


@pytest.mark.parametrize("options", [{}, {"observation": "planes"}, {"actions": "continuous"}, {"num_hands": None}])
def test_pettingzoo_api(options):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        api_test(make(**options), num_cycles=60)
        seed_test(lambda: make(**options), num_cycles=40)
    assert [str(warning.message) for warning in seen] == []


@pytest.mark.parametrize(
    "wrap",
    [
        wrappers.OrderEnforcingWrapper,
        wrappers.AssertOutOfBoundsWrapper,
        lambda env: wrappers.TerminateIllegalWrapper(env, illegal_reward=-1),
    ],
)
def test_wrappers_of_pettingzoo(wrap):
    assert play(wrap(make())) == play(make())


SUPERSUIT: dict[str, Callable[[Any, Any], Any]] = {
    "pad_observations": lambda supersuit, env: supersuit.pad_observations_v0(env),
    "pad_action_space": lambda supersuit, env: supersuit.pad_action_space_v0(env),
    "dtype": lambda supersuit, env: supersuit.dtype_v0(env, np.float64),
    "agent_indicator": lambda supersuit, env: supersuit.agent_indicator_v0(env),
    "frame_stack": lambda supersuit, env: supersuit.frame_stack_v1(env, 3),
    "flatten": lambda supersuit, env: supersuit.flatten_v0(env),
    "normalize_obs": lambda supersuit, env: supersuit.normalize_obs_v0(env),
    "delay_observations": lambda supersuit, env: supersuit.delay_observations_v0(env, 2),
}


@pytest.mark.parametrize("observation", ["flat", "planes"])
@pytest.mark.parametrize("name", SUPERSUIT)
def test_wrappers_of_supersuit(name, observation):
    supersuit = pytest.importorskip("supersuit")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped = SUPERSUIT[name](supersuit, make(observation=observation))
        assert isinstance(wrapped.observation_space("player_0"), gymnasium.spaces.Box)
        assert play(wrapped) == play(make())
        api_test(wrapped, num_cycles=60)
