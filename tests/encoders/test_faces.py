"""Observations of several axes and continuous actions in the environments for one learner."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.encoders import get_observation
from holdem_env.envs.learner_tables import LearnerTables

RULES = Rules(seats=3, blinds=(1, 2), stacks=100)


@pytest.mark.parametrize("name", ["flat", "planes", "tokens", "planes+equity"])
def test_learner_tables_keep_the_shape(name: str) -> None:
    tables = LearnerTables(RULES, 6, ["random"], observation=name)
    tables.reset(0)
    shape = get_observation(name).shape(RULES)
    assert tables.observation().shape == (6, *shape)
    space = get_observation(name).space(RULES)
    for _ in range(20):
        tables.play(tables.checked_moves(tables.mask.argmax(axis=1)))
        assert all(space.contains(seen) for seen in tables.observation())


@pytest.mark.parametrize(("name", "numbers"), [("continuous", 1), ("continuous_pair", 2)])
def test_learner_tables_take_numbers(name: str, numbers: int) -> None:
    tables = LearnerTables(RULES, 6, ["random"], actions=name)
    tables.reset(0)
    generator = np.random.default_rng(0)
    paid = 0
    for _ in range(50):
        tables.play(tables.checked_moves(generator.uniform(-1, 1, (6, numbers))))
        paid += int((tables.reward != 0).sum())
    assert paid > 20
    with pytest.raises(ValueError, match="nan at table 3"):
        tables.checked_moves(np.array([[0.0] * numbers] * 3 + [[np.nan] * numbers] + [[0.0] * numbers] * 2))
    with pytest.raises(ValueError, match=r"array of shape \(6, \d\)"):
        tables.checked_moves(np.zeros(6, int))


def test_stable_baselines_learns_with_planes_and_numbers() -> None:
    ppo = pytest.importorskip("stable_baselines3").PPO
    sb3 = pytest.importorskip("holdem_env.envs.sb3")
    env = sb3.HoldemVecEnv(RULES, 8, observation="planes", actions="continuous")
    assert env.observation_space.shape == get_observation("planes").shape(RULES)
    assert env.action_space.shape == (1,)
    model = ppo("MlpPolicy", env, n_steps=8, batch_size=16, n_epochs=1, policy_kwargs={"net_arch": [8]}, device="cpu")
    model.learn(128)
    assert np.isfinite(model.policy.predict(env.reset())[0]).all()
