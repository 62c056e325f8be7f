"""HoldemSeatEnv: Gymnasium's contract, what a hand pays, and how people may ask for a game."""

from __future__ import annotations

import re
from importlib.util import find_spec

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match

from envs.gymnasium_play import GAMES, HEADS_UP, SEAT, no_warnings, pick
from errors import complaint, mentions
from holdem_agents.scripted import CallingStation
from holdem_env import Rules, holdem_v0
from holdem_env.encoders import observation_encoder
from holdem_env.envs.arguments import chips_in_unit
from holdem_env.envs.single_seat import HoldemSeatEnv

NO_PIXELS = find_spec("resvg_py") is None


def names(rules: Rules) -> str:
    return f"{rules.structure}-{rules.seats}"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rules", GAMES, ids=names)
def test_gymnasiums_checker(rules: Rules) -> None:
    """It samples without masks, makes the environment again from its spec, and renders in every mode."""
    with no_warnings():
        check_env(gymnasium.make(SEAT, rules=rules, on_illegal="check_fold").unwrapped, skip_render_check=NO_PIXELS)


@pytest.mark.parametrize("rules", GAMES, ids=names)
def test_stable_baselines_checker(rules: Rules) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with no_warnings():
        checker.check_env(HoldemSeatEnv(rules, on_illegal="check_fold"), warn=True)


def test_a_seed_fixes_everything() -> None:
    check_environments_match(*(HoldemSeatEnv(HEADS_UP, on_illegal="check_fold") for _ in range(2)), num_steps=200)
    env, first = HoldemSeatEnv(HEADS_UP), HoldemSeatEnv(HEADS_UP).reset(seed=5)[0]
    np.testing.assert_array_equal(env.reset(seed=5)[0], first)
    assert (env.reset()[0] != first).any()
    assert (env.reset(seed=6)[0] != first).any()


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", GAMES, ids=names)
@pytest.mark.parametrize("unit", [None, "chips"])
def test_rewards_are_payoffs(rules: Rules, unit: str | None) -> None:
    """The same hands in the PettingZoo environment, move by move: its rewards are the payoffs."""
    env = HoldemSeatEnv(rules, opponents=CallingStation(), reward_unit=unit)
    _, info = env.reset(seed=11)
    for hand in range(40):
        moves = []
        begun = int(env.tables.records["hand"][0])
        button = int(env.tables.records["button"][0])
        deck = env.tables.records["deck"][0].tolist()
        terminated, reward = False, 0.0
        while not terminated:
            assert reward == 0.0
            moves.append(int(pick(info["action_mask"], 100 * hand + len(moves))))
            observation, reward, terminated, truncated, info = env.step(moves[-1])
            assert not truncated
        assert not info["action_mask"].any()
        zoo = holdem_v0.env(rules=rules, reward_unit=unit)
        zoo.reset(seed=0, options={"button": button, "deck": deck})
        while zoo.agents and not any(zoo.terminations.values()):
            zoo.step(moves.pop(0) if zoo.agent_selection == "player_0" else 1)
        assert reward == pytest.approx(zoo.rewards["player_0"]), (hand, begun)
        np.testing.assert_array_equal(observation, zoo.observe("player_0")["observation"])
        _, info = env.reset()


def test_the_end_of_a_hand_and_the_next() -> None:
    env = HoldemSeatEnv("heads-up-limit", "calling_station")
    assert re.search(r"call reset\(\)", complaint(env.step, 1))
    first, info = env.reset(seed=1)
    while info["action_mask"].any():
        last, _, _, _, info = env.step(1)
    assert env.tables.finished["over"][0]
    assert last[104:108].tolist() == [0, 0, 0, 1], "the river, not the next hand's first street"
    assert not env.action_masks().any()
    assert re.search(r"the hand is over; call reset\(\)", complaint(env.step, 1))
    following, info = env.reset()
    assert env.tables.records["hand"][0] == 1, "the next hand, none is left out"
    assert info["action_mask"].any()
    assert env.tables.records["button"][0] == 1
    env.reset()
    assert env.tables.records["hand"][0] == 2, "a running hand is left"
    assert (first[104:108] == following[104:108]).all()


def test_what_is_handed_out_is_the_users() -> None:
    env = HoldemSeatEnv(HEADS_UP)
    observation, info = env.reset(seed=1)
    kept, mask = observation.copy(), info["action_mask"].copy()
    for step in range(20):
        _, _, terminated, _, now = env.step(pick(env.action_masks(), step))
        now["action_mask"][:] = 1
        if terminated:
            env.reset()
    np.testing.assert_array_equal(observation, kept)
    np.testing.assert_array_equal(info["action_mask"], mask)
    assert type(env.reset()[1]) is dict


def test_names_make_a_spec_that_can_be_written_down() -> None:
    env = gymnasium.make(SEAT, rules="heads-up-limit", opponents=["maniac"], observation="flat", actions="limit")
    twin = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    np.testing.assert_array_equal(env.reset(seed=2)[0], twin.reset(seed=2)[0])


IMPOSSIBLE = [({"rules": "heads-up-nolimit"}, ValueError, "heads-up-no-limit")]
IMPOSSIBLE += [({"rules": 6}, TypeError, "name of a preset or a dict"), ({"rules": {"seats": 1}}, ValueError, "seats")]
IMPOSSIBLE += [({"opponents": "calling_staton"}, ValueError, "calling_station")]
IMPOSSIBLE += [({"opponents": []}, ValueError, "opponents"), ({"on_illegal": "fold"}, ValueError, "check_fold")]
IMPOSSIBLE += [({"reward_unit": "dollars"}, ValueError, "'chips'"), ({"render_mode": "rgb"}, ValueError, "render_mode")]
IMPOSSIBLE += [({"table_id": -1}, ValueError, "table_id"), ({"observation": "flatt"}, ValueError, "flat")]


@pytest.mark.parametrize(("options", "error", "words"), IMPOSSIBLE)
def test_a_game_that_cannot_be(options: dict[str, object], error: type[Exception], words: str) -> None:
    assert re.search(words, complaint(HoldemSeatEnv, **options, kind=error))


@pytest.mark.parametrize("action", [99, -1, 0.5, None, [1], float("nan")])
def test_an_impossible_action_changes_nothing(action: object) -> None:
    env = HoldemSeatEnv(HEADS_UP)
    env.reset(seed=1)
    before = env.tables.records.tobytes()
    mentions(complaint(env.step, action), "actions")
    assert env.tables.records.tobytes() == before
    mentions(complaint(env.reset, options={"deck": "AsKd"}), "deck")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("observation", "actions"), [("planes", "continuous"), ("tokens", "fcpa")])
def test_encoders_of_other_shapes(observation: str, actions: str) -> None:
    options = {"observation": observation, "actions": actions, "on_illegal": "check_fold"}
    with no_warnings():
        check_env(gymnasium.make(SEAT, rules=HEADS_UP, **options).unwrapped, skip_render_check=NO_PIXELS)
        envs = gymnasium.make_vec(SEAT, num_envs=5, rules=HEADS_UP, **options)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    ended = 0
    for _ in range(20):
        seen, _, over, _, infos = envs.step(envs.action_space.sample())
        assert envs.observation_space.contains(seen)
        ended += over.sum()
        if over.any():
            assert infos["final_obs"].shape == seen.shape
    assert ended


def test_an_encoder_of_ones_own() -> None:
    @observation_encoder(size=2)
    def pot_odds(t, r, seat, out):
        out[0] = t.pot / (t.pot + t.bet_to_match)
        out[1] = t.in_hand[seat]

    with no_warnings():
        check_env(
            gymnasium.make(SEAT, observation=pot_odds, on_illegal="check_fold").unwrapped, skip_render_check=NO_PIXELS
        )


def test_units() -> None:
    """The rules' own unit, once looked up, does not stand in the way of another."""
    rules = Rules(blinds=(50, 100))
    assert (rules.unit, chips_in_unit(rules, "chips"), chips_in_unit(rules, None)) == (100, 1, 100)
    assert chips_in_unit(Rules(reward_unit="chips"), "big_blind") == 100
    assert holdem_v0.env(rules=rules, reward_unit="chips").reward_unit == 1
