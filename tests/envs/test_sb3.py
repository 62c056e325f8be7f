"""HoldemVecEnv: the VecEnv contract, and that every decision is paid what its hand won."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from envs.gymnasium_play import GAMES, HEADS_UP, pick
from errors import complaint, mentions
from holdem_agents.scripted import Maniac, Random
from holdem_env import IllegalMove, Rules, Table
from holdem_env.agents import Agent
from holdem_env.encoders import get_actions, get_observation
from holdem_env.engine.batch import NO_MOVE
from holdem_env.envs.sb3 import HoldemVecEnv

ONE_ROW = np.zeros(1, np.int64)


class Folder(Agent):
    """Always folds."""

    name = "folder"

    def act(self, tables, rules, rows):
        return np.full(len(rows), -1)


class Limper(Agent):
    """Calls half a blind, folds to more."""

    name = "limper"

    def act(self, tables, rules, rows):
        price = tables["bet_to_match"][rows] - tables["seats"]["bet"][rows, tables["actor"][rows]]
        return np.where(price > rules.small_blind, -1, 0)


class Cheat(Agent):
    """Makes a move that is never legal."""

    name = "cheat"

    def act(self, tables, rules, rows):
        return np.full(len(rows), 10**12)


class SlowSeat:
    """One table of a HoldemVecEnv, played with Table, hand by hand and move by move."""

    def __init__(self, rules: Rules, table_id: int, opponent: Agent, seed: int) -> None:
        self.rules, self.table_id, self.opponent, self.seed = rules, table_id, opponent, seed
        self.seat = table_id % rules.seats
        self.left_out = 0
        self.hands = self._hands()
        self.table = next(self.hands)
        self._until_learner()

    def _hands(self) -> Iterator[Table]:
        hand = 0
        while True:
            button = hand % self.rules.seats
            yield Table(self.rules, button=button, seed=self.seed, hand=hand, table_id=self.table_id)
            hand += 1

    def _until_learner(self) -> None:
        """Opponents play; hands in which the learner has had no decision are left out."""
        while True:
            while not self.table.is_over and self.table.actor != self.seat:
                self.table.play(self.opponent.move(self.table))
            if not self.table.is_over:
                return
            self.left_out += 1
            self.table = next(self.hands)

    def step(self, action: int) -> tuple[int, bool]:
        choices = np.full((1, get_actions(None, self.rules).size(self.rules)), NO_MOVE)
        get_actions(None, self.rules).choose(self.table.records, self.rules.record, ONE_ROW, choices)
        self.table.play(choices[0, action])
        while not self.table.is_over and self.table.actor != self.seat:
            self.table.play(self.opponent.move(self.table))
        if not self.table.is_over:
            return 0, False
        won = self.table.payoffs[self.seat]
        self.table = next(self.hands)
        self._until_learner()
        return won, True

    def observation(self) -> np.ndarray:
        encoder = get_observation("flat")
        out = np.zeros((1, encoder.size(self.rules)), np.float32)
        encoder.observe(self.table.records, self.rules.record, ONE_ROW, np.array([self.seat]), out)
        return out[0]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")
@pytest.mark.parametrize("opponent", [Random(), Maniac(0.4)], ids=lambda agent: agent.name)
def test_every_decision_is_paid_what_its_hand_won(rules, opponent):
    env = HoldemVecEnv(rules, num_envs=8, opponents=[opponent], seed=7)
    slow = [SlowSeat(rules, table, opponent, seed=7) for table in range(8)]
    observation = env.reset()
    for step in range(120):
        np.testing.assert_array_equal(observation, [seat.observation() for seat in slow])
        actions = pick(env.action_masks(), step)
        observation, rewards, dones, _ = env.step(actions)
        won = [seat.step(int(action)) for seat, action in zip(slow, actions, strict=True)]
        np.testing.assert_array_equal(dones, [done for _, done in won])
        np.testing.assert_allclose(rewards, [chips / rules.unit for chips, _ in won], rtol=1e-6)
    if opponent.name == "random":
        assert sum(seat.left_out for seat in slow) > 0  # such hands did occur


def test_shapes_types_and_copies():
    env = HoldemVecEnv(HEADS_UP, num_envs=6, opponents=["random"])
    first = env.reset()
    assert first.shape == (6, *env.observation_space.shape)
    assert first.dtype == np.float32
    kept, mask = first.copy(), env.action_masks()
    assert mask.shape == (6, env.action_space.n)
    assert mask.dtype == np.int8
    assert mask.any(axis=1).all()
    masked = mask.copy()
    second, rewards, dones, infos = env.step(pick(mask, 0))
    assert (rewards.shape, rewards.dtype, dones.shape, dones.dtype) == ((6,), np.float32, (6,), bool)
    assert infos == [{}] * 6
    rewards_kept = rewards.copy()
    for step in range(20):
        env.step(pick(env.action_masks(), step))
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(mask, masked)
    np.testing.assert_array_equal(rewards, rewards_kept)
    assert env.observation_space.contains(second[0])


def test_reward_scale_counts_in_big_blinds():
    rules = Rules(seats=2, blinds=(50, 100))
    plain, scaled = (HoldemVecEnv(rules, 16, ["random"], reward_scale=scale) for scale in (1.0, 0.05))
    plain.reset(), scaled.reset()
    for step in range(10):
        actions = pick(plain.action_masks(), step)
        np.testing.assert_allclose(scaled.step(actions)[1], 0.05 * plain.step(actions)[1], rtol=1e-5)


MIXED = ["random", ("maniac", 2.0), ("calling_station", 0.5)]


def test_reset_goes_on_and_seed_starts_over():
    env = HoldemVecEnv(HEADS_UP, 16, ["random"], seed=3)
    first = env.reset()
    assert (env.reset() != first).any()
    env.seed(3)
    np.testing.assert_array_equal(env.reset(), first)


def test_opponents_are_drawn_by_weight_for_each_seat_and_hand():
    env = HoldemVecEnv(Rules(seats=3), 4000, [("random", 1), ("maniac", 3), ("calling_station", 0)], seed=1)
    env.reset()
    owners = env.tables._owners
    others = owners[owners >= 0]
    assert owners.shape == (4000, 3)
    assert others.size == 8000
    assert abs((others == 1).mean() - 0.75) < 0.02
    assert not (others == 2).any()
    few = HoldemVecEnv(Rules(seats=3), 10, [("random", 1), ("maniac", 3)], seed=1)
    few.reset()
    np.testing.assert_array_equal(few.tables._owners, owners[:10])  # whatever the number of tables


def test_every_seat_is_somebodys_and_every_place_is_learnt():
    env = HoldemVecEnv(HEADS_UP, 8, ["calling_station"])
    env.reset()
    assert env.tables.learner_seats.tolist() == [0, 1] * 4
    buttons = np.zeros(8)
    for _ in range(40):
        env.step(np.ones(8, int))
        buttons += env.tables.records["button"] == env.tables.learner_seats
    assert (buttons > 5).all()
    assert (buttons < 35).all()


def test_set_opponents_changes_who_plays():
    env = HoldemVecEnv(HEADS_UP, 32, ["maniac", "random", "maniac"])
    env.reset()
    env.set_opponents([Folder()])
    for _ in range(5):  # until the running hands are over
        rewards = env.step(np.ones(32, int))[1]
    assert (rewards == 1.0).all()
    mentions(complaint(env.set_opponents, ["calling_staton"]), "calling_station")
    assert [agent.name for agent in env.tables.agents] == ["folder"]


@pytest.mark.parametrize("opponents", [[], [("random", 0.0)], [("random", -1.0), "maniac"], [("random", float("nan"))]])
def test_impossible_weights_are_refused(opponents):
    mentions(complaint(HoldemVecEnv, HEADS_UP, 4, opponents), "weights")


IMPOSSIBLE = [([0, 99, 1, 1], "99, outside 0..6, is not offered at table 1; offered are")]
IMPOSSIBLE += [([-1, 1, 1, 1], "-1, outside"), ([1, 1, 1], "4 integers"), ([1.0, 1.0, 1.0, 1.0], "float64")]


@pytest.mark.parametrize(("actions", "words"), IMPOSSIBLE)
def test_an_impossible_action_is_an_error_that_changes_nothing(actions, words):
    env = HoldemVecEnv(HEADS_UP, 4, ["calling_station"])
    env.reset()
    before = env.tables.records.tobytes(), env.action_masks().tobytes()
    assert re.search(words, complaint(env.step, np.array(actions)))
    assert (env.tables.records.tobytes(), env.action_masks().tobytes()) == before
    env.step(np.ones(4, int))


def test_on_illegal_check_fold():
    env = HoldemVecEnv(HEADS_UP, 64, ["maniac"], on_illegal="check_fold")
    env.reset()
    for step in range(50):
        bad = env.action_masks() == 0
        bets = env.tables.records["seats"]["bet"][np.arange(64), env.tables.learner_seats]
        free = env.tables.records["bet_to_match"] <= bets
        actions = np.where(bad.any(axis=1), bad.argmax(axis=1), 10**6) if step % 2 else np.full(64, -5)
        done = env.step(actions)[2]
        assert done[~free].all()  # a fold ends the hand
    with pytest.raises(ValueError, match="on_illegal"):
        HoldemVecEnv(HEADS_UP, 4, on_illegal="fold")  # type: ignore[arg-type]


def test_an_opponents_illegal_move_is_named():
    env = HoldemVecEnv(HEADS_UP, 4, [Cheat()])
    mentions(complaint(env.reset, kind=IllegalMove), "cheat", 1, 200)


def test_step_needs_reset_and_actions():
    env = HoldemVecEnv(HEADS_UP, 4)
    assert re.search(r"reset\(\)", complaint(env.step, np.ones(4, int)))
    env.reset()
    mentions(complaint(env.step_wait), "step_async")


def test_a_game_in_which_the_learner_never_acts_is_refused():
    env = HoldemVecEnv(Rules(seats=2, blinds=(1, 2), stacks=(1, 200)), 2)
    mentions(complaint(env.reset, kind=RuntimeError), 0)


def test_masks_as_maskable_ppo_asks_for_them():
    env = HoldemVecEnv(HEADS_UP, 5, ["random"])
    env.reset()
    assert is_masking_supported(env)
    np.testing.assert_array_equal(get_action_masks(env).reshape(5, -1), env.action_masks())
    some = env.env_method("action_masks", indices=[0, 3])
    np.testing.assert_array_equal(some, env.action_masks()[[0, 3]])
    assert env.get_attr("rules", indices=[1, 2]) == [HEADS_UP] * 2
    assert env.env_is_wrapped(VecMonitor) == [False] * 5


def test_monitor_counts_hands():
    env = VecMonitor(HoldemVecEnv(HEADS_UP, 16, [Folder()]))
    env.reset()
    infos = [env.step(np.ones(16, int))[3] for _ in range(3)]
    assert infos[-1][0]["episode"]["r"] == 1.0
    assert infos[-1][0]["episode"]["l"] == 1
    assert env.unwrapped._infos == [{}] * 16


def test_it_pickles():
    env = HoldemVecEnv(HEADS_UP, 8, MIXED)
    env.reset()
    twin = pickle.loads(pickle.dumps(env))
    actions = pick(env.action_masks(), 0)
    for a, b in zip(env.step(actions)[:3], twin.step(actions)[:3], strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.slow
def test_a_tiny_game_is_learnt():
    """Against somebody who limps and folds to every raise, raising at once wins a big blind a hand, in both places."""
    rules = Rules(seats=2, blinds=(1, 2), stacks=10)
    env = HoldemVecEnv(rules, 64, [Limper()], actions="100%, all-in")
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=256, n_epochs=3, gamma=1.0, learning_rate=2e-3, seed=0)
    model.learn(20_000)
    observation, total, hands = env.reset(), 0.0, 0
    for _ in range(50):
        actions, _ = model.predict(observation, action_masks=env.action_masks())
        observation, rewards, dones, _ = env.step(actions)
        total, hands = total + rewards.sum(), hands + dones.sum()
    assert total / hands > 0.9
