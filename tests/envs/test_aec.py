"""The PettingZoo environment: its contract by PettingZoo's own tests, and what hold'em adds to it."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import render_test, seed_test

from envs.api import api_test
from holdem_env import Rules, Table, Tables, holdem_v0

STRUCTURES = ("fixed_limit", "pot_limit", "no_limit")
GAMES = [("fixed_limit", 2), ("fixed_limit", 6), ("pot_limit", 3), ("pot_limit", 10), ("no_limit", 2), ("no_limit", 10)]
# PettingZoo 1.27 says these of every dict observation whose environment is not on its own list.
UNAVOIDABLE = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
HEADS_UP = Rules.preset("heads-up-no-limit")
FOLD, CALL = 0, 1


def make(**options: Any) -> holdem_v0.raw_env:
    return holdem_v0.env(**{"rules": HEADS_UP, **options})


def play(env: holdem_v0.raw_env, seed: int = 0) -> list[tuple[str, int, float]]:
    """Random play to the end of the episode: who did what, and what `last` paid each time."""
    generator = np.random.default_rng(seed)
    story = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        action = None
        if not (terminated or truncated):
            action = int(generator.choice(np.flatnonzero(observation["action_mask"])))
        story.append((agent, -1 if action is None else action, reward))
        env.step(action)
    return story


@pytest.mark.parametrize(("structure", "seats"), GAMES)
@pytest.mark.parametrize("num_hands", [1, 7, None])
def test_pettingzoo_api(structure: Any, seats: int, num_hands: int | None) -> None:
    env = holdem_v0.env(rules=Rules(structure=structure, seats=seats), num_hands=num_hands)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        api_test(env, num_cycles=60)
    assert {str(warning.message) for warning in seen} <= UNAVOIDABLE


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("structure", "seats"), GAMES)
def test_pettingzoo_seeds(structure: Any, seats: int) -> None:
    rules = Rules(structure=structure, seats=seats)
    seed_test(lambda: holdem_v0.env(rules=rules, num_hands=5), num_cycles=40)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("structure", "seats"), GAMES)
def test_pettingzoo_rendering(structure: Any, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("resvg_py")
    rules = Rules(structure=structure, seats=seats)
    render_test(lambda render_mode=None: holdem_v0.env(rules=rules, num_hands=5, render_mode=render_mode))
    assert "board" in capsys.readouterr().out


@pytest.mark.parametrize("structure", STRUCTURES)
def test_rewards_are_payoffs_in_big_blinds(structure: Any) -> None:
    rules = Rules(structure=structure, seats=3, blinds=(2, 4), stacks=100)
    for seed in range(20):
        env = holdem_v0.env(rules=rules)
        env.reset(seed=seed)
        totals = dict.fromkeys(env.possible_agents, 0.0)
        for agent, _, reward in play(env, seed):
            totals[agent] += reward
        records = env.records[0]
        payoffs = (records["seats"]["stack"] - records["start_stack"])[:3]
        assert [totals[agent] * 4 for agent in env.possible_agents] == payoffs.tolist()
        assert sum(totals.values()) == 0


def test_same_deck_in_every_face() -> None:
    rules = Rules(seats=4, blinds=(1, 2), stacks=40)
    env = holdem_v0.env(rules=rules, num_hands=3)
    env.reset(seed=11)
    tables = Tables(rules, num_tables=1, seed=11)
    for hand in range(3):
        table = Table(rules, button=hand, seed=11, hand=hand)
        used = rules.cards_needed
        assert list(table.deck)[:used] == env.records["deck"][0, :used].tolist()
        assert list(table.deck)[:used] == tables.records["deck"][0, :used].tolist()
        while env.records["hand"][0] == hand and not any(env.terminations.values()):
            env.step(FOLD if env.observe(env.agent_selection)["action_mask"][FOLD] else CALL)
            tables.step([FOLD if tables.mask[0, FOLD] else CALL])


def test_reset_options() -> None:
    env = make(rules=Rules(seats=3, blinds=(1, 2), stacks=100))
    env.reset(seed=3, options={"deck": "AsKsQsAhKhQh", "stacks": [50, 60, 70], "button": 2, "made up": 1})
    record = env.records[0]
    assert record["button"] == 2
    assert record["start_stack"][:3].tolist() == [50, 60, 70]
    table = Table(env.rules, stacks=[50, 60, 70], button=2, deck="AsKsQsAhKhQh")
    assert [table.hole_cards(seat) for seat in range(3)] == ["AsAh", "KsKh", "QsQh"]
    assert record["hole"][:3, :2].tolist() == [list(table.hole_cards(seat)) for seat in range(3)]


def test_decks_of_several_hands() -> None:
    first, second = "2c3c4c5c", "AsKsQsJs"
    env = make(num_hands=3)
    env.reset(seed=5, options={"deck": [first, second]})
    seen = []
    while env.agents:
        if env.terminations[env.agent_selection]:
            env.step(None)
            continue
        seen.append(env.records["deck"][0, :4].tolist())
        env.step(FOLD)
    third = Table(HEADS_UP, seed=5, hand=2)
    assert seen == [list(Table(HEADS_UP, deck=deck).deck)[:4] for deck in (first, second)] + [list(third.deck)[:4]]
    env.reset(seed=5, options={"deck": first})
    env.step(FOLD)
    assert env.records["deck"][0, :12].tolist() == list(Table(HEADS_UP, seed=5, hand=1).deck)[:12]


def test_unseeded_episodes_follow_from_the_seeded_one() -> None:
    one, other = make(), make()
    decks = []
    for env in (one, other):
        env.reset(seed=9)
        env.reset()
        decks.append(env.records["deck"][0].tolist())
    assert decks[0] == decks[1]
    one.reset()
    assert one.records["deck"][0].tolist() != decks[0]


def test_observe_any_seat_any_time() -> None:
    env = make(rules=Rules(seats=3))
    env.reset(seed=0)
    actor = env.agent_selection
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert seen["action_mask"].any() == (agent == actor)
        own = env.records["hole"][0, env.possible_agents.index(agent), :2].tolist()
        assert np.flatnonzero(seen["observation"][:52]).tolist() == sorted(own)
    play(env)
    for agent in env.possible_agents:
        assert not env.observe(agent)["action_mask"].any()


def test_state_shows_every_hand() -> None:
    env = make()
    env.reset(seed=0)
    state = env.state()
    assert env.state_space.contains(state)
    size = state.size // 2
    for seat in range(2):
        own = env.records["hole"][0, seat, :2].tolist()
        assert np.flatnonzero(state[seat * size : seat * size + 52]).tolist() == sorted(own)


def test_stacks_carry_over_and_the_button_moves() -> None:
    env = make(num_hands=2)
    env.reset(seed=0)
    assert env.agent_selection == "player_0", "heads-up the button acts first"
    env.step(FOLD)
    record = env.records[0]
    assert record["start_stack"][:2].tolist() == [199, 201]
    assert record["button"] == 1
    assert env.agent_selection == "player_1"
    assert env.rewards == {"player_0": -0.5, "player_1": 0.5}
    assert not any(env.terminations.values())
    env.step(FOLD)
    assert all(env.terminations.values())
    assert env._cumulative_rewards == {"player_0": 0.0, "player_1": -0.5}, "a seat's rewards add up until it acts"


def test_a_broke_seat_leaves_and_the_others_go_on() -> None:
    rules = Rules(seats=3, blinds=(1, 2), stacks=20)
    env = holdem_v0.env(rules=rules, num_hands=None)
    env.reset(seed=0, options={"deck": "2c AsKs 7d AhKh".replace(" ", "") + "Qs" + "AcAdQd" + "Jc3h4h5h"})
    gone = []
    while len(env.agents) == 3 and not any(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(np.flatnonzero(mask)[-1]))  # all-in, or a call
    while env.agents and env.terminations[env.agent_selection]:
        gone.append(env.agent_selection)
        env.step(None)
    assert gone
    assert not set(gone) & set(env.agents)
    story = play(env, 3)
    if env.possible_agents != gone:
        assert not {agent for agent, action, _ in story if action >= 0} & set(gone)
    assert int(env.records["seats"]["stack"][0, :3].sum()) == 60
    assert sorted(env.records["seats"]["stack"][0, :3].tolist()) == [0, 0, 60]


def test_blinds_that_put_everybody_all_in() -> None:
    env = make(rules=Rules(seats=2, blinds=(50, 100), stacks=(50, 50)))
    env.reset(seed=4)
    assert all(env.terminations.values())
    assert sorted(story[2] for story in play(env)) in ([-0.5, 0.5], [0.0, 0.0])


def test_check_fold_instead_of_an_error() -> None:
    env = make(on_illegal="check_fold")
    env.reset(seed=0)
    env.step(CALL)
    env.step(FOLD)  # free to check: it is a check
    assert env.records["street"][0] == 1
    env.step(2)
    env.step(99)  # facing a bet: a fold
    assert all(env.terminations.values())


def test_copies_and_pickles_go_on_alike() -> None:
    env = make(num_hands=4)
    env.reset(seed=2)
    env.step(CALL)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    story = play(env, 1)
    for twin in twins:
        assert play(twin, 1) == story
