"""HoldemSeatVectorEnv: Gymnasium's vector contract, and that its tables are HoldemSeatEnv's."""

from __future__ import annotations

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from envs.gymnasium_play import GAMES, HEADS_UP, SEAT, no_warnings, pick
from holdem_env import Rules
from holdem_env.envs.single_seat import HoldemSeatEnv
from holdem_env.envs.vector import HoldemSeatVectorEnv


@pytest.mark.parametrize("mode", [None, "vector_entry_point"])
def test_make_vec_makes_the_batch(mode: str | None) -> None:
    with no_warnings():
        envs = gymnasium.make_vec(SEAT, num_envs=6, vectorization_mode=mode, rules="heads-up-no-limit")
    assert isinstance(envs.unwrapped, HoldemSeatVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert (envs.num_envs, envs.spec.id) == (6, SEAT)
    assert envs.action_space == gymnasium.vector.utils.batch_space(envs.single_action_space, 6)
    assert envs.observation_space.shape == (6, *envs.single_observation_space.shape)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rules", GAMES[:3], ids=lambda rules: f"{rules.structure}-{rules.seats}")
def test_every_table_is_the_single_environment(rules: Rules) -> None:
    """Observations, masks, rewards, ends of hands and what follows them."""
    opponents = ["random", ("maniac", 2.0)]
    envs = HoldemSeatVectorEnv(7, rules, opponents)
    singles = [HoldemSeatEnv(rules, opponents, table_id=table) for table in range(7)]
    observations, infos = envs.reset(seed=9)
    begun = [single.reset(seed=9) for single in singles]
    np.testing.assert_array_equal(observations, [observation for observation, _ in begun])
    ended = 0
    for step in range(100):
        actions = pick(infos["action_mask"], step)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert not truncations.any()
        assert ("final_obs" in infos) == ("final_info" in infos) == terminations.any()
        for table, single in enumerate(singles):
            observation, reward, terminated, _, info = single.step(actions[table])
            assert (reward, terminated) == (rewards[table], terminations[table])
            if terminated:
                ended += 1
                assert infos["_final_obs"][table]
                assert infos["_final_info"][table]
                np.testing.assert_array_equal(infos["final_obs"][table], observation)
                np.testing.assert_array_equal(infos["final_info"]["action_mask"][table], info["action_mask"])
                observation, info = single.reset()
            np.testing.assert_array_equal(observations[table], observation)
            np.testing.assert_array_equal(infos["action_mask"][table], info["action_mask"])
    assert ended > 50


def test_shapes_types_and_copies() -> None:
    envs = HoldemSeatVectorEnv(5, HEADS_UP)
    observations, infos = envs.reset(seed=1)
    observations, rewards, terminations, truncations, infos = envs.step(pick(infos["action_mask"], 0))
    assert observations.dtype == np.float32
    assert envs.observation_space.contains(observations)
    assert (rewards.shape, rewards.dtype) == ((5,), np.float64)
    assert (terminations.dtype, truncations.dtype) == (bool, bool)
    assert infos["action_mask"].dtype == np.int8
    kept = pickle.dumps((observations, rewards, terminations, truncations, infos))
    for step in range(20):
        *rest, last = envs.step(pick(envs.action_masks(), step))
        for array in (*rest, last["action_mask"]):
            array[:] = 0
    assert pickle.dumps((observations, rewards, terminations, truncations, infos)) == kept
    assert envs.action_masks().any(axis=1).all()


def test_seeds() -> None:
    one, two = HoldemSeatVectorEnv(8, HEADS_UP), HoldemSeatVectorEnv(8, HEADS_UP)
    first = one.reset(seed=4)[0]
    np.testing.assert_array_equal(first, two.reset(seed=4)[0])
    assert (one.reset()[0] != first).any()
    np.testing.assert_array_equal(one.reset(seed=4)[0], first)
    assert (two.reset(seed=5)[0] != first).any()
    with pytest.raises(ValueError, match="reset_mask"):
        one.reset(options={"reset_mask": np.ones(8, bool)})


def test_gymnasiums_wrappers() -> None:
    envs = RecordEpisodeStatistics(HoldemSeatVectorEnv(16, HEADS_UP, "calling_station"))
    envs.reset(seed=1)
    lists = DictInfoToList(envs)
    won = 0.0
    for _ in range(20):
        _, rewards, terminations, _, infos = lists.step(np.ones(16, int))
        for table in np.flatnonzero(terminations):
            assert infos[table]["episode"]["r"] == pytest.approx(rewards[table])
            assert infos[table]["final_obs"].shape == envs.single_observation_space.shape
            won += rewards[table]
    assert won == pytest.approx(sum(envs.return_queue))


def test_pickling() -> None:
    envs = HoldemSeatVectorEnv(8, HEADS_UP)
    envs.reset(seed=1)
    twin = pickle.loads(pickle.dumps(envs))
    actions = pick(envs.action_masks(), 0)
    for one, two in zip(envs.step(actions)[:4], twin.step(actions)[:4], strict=True):
        np.testing.assert_array_equal(one, two)


def test_no_python_work_for_a_table() -> None:
    """What an info holds are arrays of one plain type: nothing is made for each table."""
    envs = HoldemSeatVectorEnv(256, HEADS_UP)
    _, infos = envs.reset(seed=1)
    infos = envs.step(pick(infos["action_mask"], 0))[-1]
    arrays = [*(value for key, value in infos.items() if key != "final_info"), *infos["final_info"].values()]
    assert len(arrays) == 7
    assert all(array.dtype != object and len(array) == 256 for array in arrays)
