"""Rewards of your own: what the function is given, what it pays, and what is said of bad ones, in every environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from holdem_env import Rules, holdem_v0
from holdem_env.envs.hand_rewards import EndedHands
from holdem_env.envs.sb3 import HoldemVecEnv

RULES = Rules(seats=3, blinds=(1, 2), stacks=40)
SEAT = "holdem_env/HoldemSeat-v0"
PLAYERS = {"rules": RULES, "opponents": "random"}


def aec(function: Any, **options: Any) -> Callable[[], Any]:
    """Plays an episode; the rewards of its hands, (hands, seats)."""

    def play() -> np.ndarray:
        env = holdem_v0.env(**{"rules": RULES, "num_hands": 5, "reward_function": function, **options})
        env.reset(seed=4)
        paid, generator = [], np.random.default_rng(1)
        while env.agents:
            if env.terminations[env.agent_selection]:
                env.step(None)
                continue
            hands = env.hands_played
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(generator.choice(np.flatnonzero(mask))))
            if env.hands_played > hands:
                paid.append([env.rewards.get(agent, 0.0) for agent in env.possible_agents])
        return np.array(paid)

    return play


def seat(function: Any, **options: Any) -> Callable[[], Any]:
    def play() -> np.ndarray:
        env, paid = gymnasium.make(SEAT, **PLAYERS, reward_function=function, **options), []
        for hand in range(20):
            _, info = env.reset(seed=5 if hand == 0 else None)
            over, generator = False, np.random.default_rng(hand)
            while not over:
                action = int(generator.choice(np.flatnonzero(info["action_mask"])))
                _, reward, over, _, info = env.step(action)
                paid.append(reward)
        return np.array(paid)

    return play


def batch(make: Callable[..., Any], **seed: int) -> Callable[..., Callable[[], Any]]:
    def with_function(function: Any, **options: Any) -> Callable[[], Any]:
        def play() -> np.ndarray:
            env = make(reward_function=function, **options)
            env.reset(**seed)
            paid = [env.step(env.action_masks().argmax(axis=1))[1] for _ in range(30)]
            return np.array(paid)

        return play

    return with_function


FACES = {
    "aec": aec,
    "seat": seat,
    "gymnasium vector": batch(lambda **options: gymnasium.make_vec(SEAT, num_envs=7, **PLAYERS, **options), seed=3),
    "sb3": batch(lambda **options: HoldemVecEnv(RULES, num_envs=7, opponents=["random"], seed=3, **options)),
}


def usual(hands: EndedHands) -> np.ndarray:
    return hands.rewards


@pytest.fixture(params=FACES)
def face(request: pytest.FixtureRequest) -> Callable[..., Callable[[], Any]]:
    return FACES[request.param]


def test_the_usual_rewards_are_paid_without_a_function(face):
    assert (face(usual)() == face(None)()).all()


def test_what_a_function_returns_is_paid(face):
    paid = face(lambda hands: np.full(hands.rewards.shape, 7.0))()
    assert set(np.unique(paid)) <= {0.0, 7.0}
    assert 7.0 in paid


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda hands: hands.rewards[0], r"returned shape \(3,\), not \(hands, seats\) = \("),
        (lambda hands: 1.0, r"returned shape \(\), not \(hands, seats\)"),
        (lambda hands: hands.rewards * np.nan, "returned nan for seat 0 in hand 0 of "),
        (lambda hands: np.where(np.arange(3) == 2, np.inf, hands.rewards), "returned inf for seat 2 in hand 0 of"),
    ],
)
def test_bad_rewards_are_told(face, function, message):
    with pytest.raises(ValueError, match=f"reward_function: it {message}"):
        face(function)()


def test_what_is_no_function(face):
    with pytest.raises(ValueError, match="reward_function: 'log' is not a function of EndedHands"):
        face("log")()


def test_what_a_function_is_given(face):
    seen: list[EndedHands] = []

    def keep(hands: EndedHands) -> np.ndarray:
        seen.append(hands)
        return hands.rewards

    face(keep)()
    for hands in seen:
        shape = (len(hands.records), 3)
        for array in (hands.stacks_before, hands.stacks_after, hands.payoffs, hands.rewards, hands.places):
            assert array.shape == shape
        assert hands.episode_over.shape == shape[:1]
        assert hands.rules.seats == 3
        assert (hands.payoffs == hands.stacks_after - hands.stacks_before).all()
        assert (hands.payoffs.sum(axis=1) == 0).all()
        assert hands.rewards == pytest.approx(hands.payoffs / 2)
        assert hands.records["over"].all()
        for array in (hands.records, hands.stacks_after):
            assert not array.flags.writeable
    assert any(hands.payoffs.any() for hands in seen)


def test_sessions_tell_places_and_the_end():
    ends, places = [], []

    def keep(hands: EndedHands) -> np.ndarray:
        ends.append(bool(hands.episode_over[0]))
        places.append(hands.places[0].tolist())
        return (hands.places == 1) * 1.0

    session = {"prizes": (0.6, 0.4), "reward": "icm", "levels": [{"hands": 5}, {"times": 10}]}
    paid = aec(keep, rules=RULES.replace(session=session), num_hands=1)()
    assert ends == [False] * (len(ends) - 1) + [True]
    assert sorted(places[-1]) in ([1, 2, 3], [1, 2, 2])
    assert paid.sum() == 1


def test_stacks_are_those_before_a_rebuy():
    after = []

    def keep(hands: EndedHands) -> np.ndarray:
        after.append(hands.stacks_after[0].tolist())
        return hands.rewards

    rules = RULES.replace(blinds=(20, 40), session={"kind": "cash", "rebuy": 40, "num_hands": 30})
    paid = aec(keep, rules=rules, num_hands=1)()
    assert min(min(stacks) for stacks in after) == 0
    assert paid.shape[0] <= len(after) == 30


def test_the_all_in_value_is_the_usual_reward():
    options = {"num_envs": 8, "opponents": ["maniac"], "reward": "all_in_value", "actions": "fcpa", "seed": 1}
    paid = []
    for function in (None, usual):
        env = HoldemVecEnv(RULES, reward_function=function, **options)
        env.reset()
        last = env.action_space.n - 1
        paid.append(np.array([env.step(last - env.action_masks()[:, ::-1].argmax(axis=1))[1] for _ in range(9)]))
    assert (paid[0] == paid[1]).all()
    assert (paid[0] * 2 % 1).any(), "some all-ins are worth fractions of a chip"


def test_the_scale_counts_for_own_rewards():
    env = HoldemVecEnv(
        RULES, 4, ["random"], reward_scale=0.5, reward_function=lambda hands: np.ones_like(hands.rewards)
    )
    env.reset()
    steps = [env.step(env.action_masks().argmax(axis=1)) for _ in range(20)]
    paid, done = (np.concatenate([step[k] for step in steps]) for k in (1, 2))
    assert done.sum() > 40, "it folds to every bet"
    np.testing.assert_array_equal(paid, np.where(done, 0.5, 0.0))
