"""Sessions in the environment and in Tables: the same session in both, PettingZoo's own tests, rewards (R39, R40)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import seed_test

from envs.api import api_test
from envs.random_sessions import icm_values
from envs.test_session_requests import play_hand
from holdem_env import Rules, Session, Tables, holdem_v0
from holdem_env.table.prizes import icm, prizes_of

LEVELS = [{"hands": 6}, {"times": 2, "hands": 6}, {"times": 5, "hands": 6}, {"times": 20}]
MIXED = [{"structure": "fixed_limit", "blinds": (20, 40), "hands": 4}, {"structure": "no_limit", "orbits": 1}]
HANDS = [
    {"hands": 3},
    {"game": "omaha", "orbits": 1},
    {"game": "short-deck", "hands": 2},
    {"game": "omaha-hi-lo", "hands": 2},
]
SESSIONS: dict[str, dict[str, Any]] = {
    "freezeout": {"levels": LEVELS, "first_button": "high_card"},
    "mixed": {"levels": LEVELS, "phases": MIXED, "first_button": "seed"},
    "mixed hands": {"levels": LEVELS, "phases": HANDS, "first_button": "high_card"},
    "moving": {"levels": LEVELS, "button": "moving"},
    "by players": {"levels": [{"times": 5}, {"times": 10, "players": 7}, {"times": 50, "players": 3}]},
    "cash": {"kind": "cash", "num_hands": 12, "rebuy": 400},
    "prizes": {"levels": LEVELS, "prizes": (0.5, 0.3, 0.2), "reward": "prizes"},
    "icm": {"levels": LEVELS, "prizes": (0.5, 0.3, 0.2), "reward": "icm"},
}


def rules_of(name: str, seats: int = 6) -> Rules:
    return Rules(seats=seats, blinds=(10, 20), stacks=600, session=SESSIONS[name])


def make(name: str, seats: int = 6) -> holdem_v0.raw_env:
    return holdem_v0.env(rules=rules_of(name, seats), observation="flat", actions="pot_fractions")


def choose(mask: np.ndarray, count: int) -> int:
    """A move that depends on nothing but how many were made: often a call, now and then anything that is offered."""
    offered = np.flatnonzero(mask)
    wild = count * 2654435761 % 1000
    return int(offered[wild % len(offered)]) if wild < 400 else 1


def play(env: holdem_v0.raw_env, seed: int) -> tuple[dict[str, float], int]:
    """Play an episode; returns what each agent was paid in all, and how many moves there were."""
    env.reset(seed=seed)
    paid, count = dict.fromkeys(env.possible_agents, 0.0), 0
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        if terminated or truncated:
            env.step(None)
        else:
            env.step(choose(observation["action_mask"], count))
            count += 1
    return paid, count


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("name", ["freezeout", "mixed", "mixed hands", "moving", "by players"])
@pytest.mark.parametrize("seed", [0, 1, 2, 77])
def test_r39_ten_agents_play_the_same_freezeout_in_the_environment_in_tables_and_in_a_session(name, seed):
    env = make(name, seats=10)
    _, moves = play(env, seed)
    places = env.records["place"][0, :10].tolist()
    assert sorted(places)[0] == 1
    assert sum(env.records["seats"]["stack"][0].tolist()) == 6000

    tables = Tables(rules_of(name, 10), num_tables=1, seed=seed, actions="pot_fractions")
    session, hands = Session(rules_of(name, 10), seed=seed), 0
    table = session.deal()
    for count in range(moves):
        assert not tables.session_over[0]
        assert (tables.actor[0], int(tables.records["stage"][0])) == (table.actor, int(table.records["stage"][0]))
        assert tables.records["deck"][0, : len(table.deck)].tolist() == list(table.deck)
        action = choose(tables.mask[0], count)
        table.play(int(tables.choices[0, action]))
        tables.step([action])
        hands += int(tables.done[0])
        while table.is_over and not session.is_over:
            table = session.deal()
    assert tables.session_over[0]
    assert tables.place[0].tolist() == places == session.places
    assert session.hands_played == env.hands_played >= hands


@pytest.mark.parametrize("name", SESSIONS)
def test_pettingzoo_api_and_seeds(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(make(name), num_cycles=200)
        seed_test(lambda: make(name), num_cycles=60)


@pytest.mark.parametrize(("name", "seed"), [("freezeout", 549), ("mixed", 557), ("mixed hands", 237)])
def test_the_reward_of_several_hands_in_one_step_is_added_once(name, seed):
    """PettingZoo's test compares floats: (c + a) + b may differ from c + (a + b)."""
    env, rng = make(name), np.random.default_rng(seed)
    env.reset(seed=seed)
    added = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert reward == added[agent]
        added[agent] = 0.0
        ended = terminated or truncated
        env.step(None if ended else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        for other, paid in env.rewards.items():
            added[other] += paid


@pytest.mark.parametrize("name", ["freezeout", "mixed", "mixed hands", "cash"])
def test_r40_rewards_in_chips_sum_to_zero_in_each_hand(name):
    env = make(name)
    env.reset(seed=5)
    count, hands = 0, 0
    while env.agents and count < 2000:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        env.step(choose(observation["action_mask"], count))
        count += 1
        if env.hands_played > hands:
            hands = env.hands_played
            assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-9)
            assert any(env.rewards.values()) or name == "mixed hands"  # in hi-lo two may split evenly
    assert not env.agents


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "equity"), [("prizes", 0), ("icm", 1 / 6)])
def test_rewards_sum_to_the_prize_by_place_less_the_equity_at_the_start(name, equity, seed):
    env = make(name)
    paid, _ = play(env, seed)
    places = env.records["place"][0, :6]
    assert list(paid.values()) == pytest.approx(prizes_of(places, (0.5, 0.3, 0.2)) - equity)
    assert sum(paid.values()) == pytest.approx(1 - 6 * equity)
    assert paid[f"player_{places.tolist().index(1)}"] == pytest.approx(0.5 - equity)


def test_prizes_after_a_given_number_of_hands_go_by_chips():
    session = {"num_hands": 3, "prizes": (0.6, 0.4), "reward": "prizes"}
    env = holdem_v0.env(rules=Rules(seats=4, blinds=(10, 20), stacks=600, session=session))
    paid, _ = play(env, 3)
    stacks = env.records["seats"]["stack"][0, :4].tolist()
    assert sum(paid.values()) == pytest.approx(1)
    best = max(stacks)
    if stacks.count(best) == 1:
        assert paid[f"player_{stacks.index(best)}"] == pytest.approx(0.6)


PRIZES = [([1, 2, 3, 4], [50, 30, 20, 0]), ([3, 1, 4, 2], [20, 50, 0, 30]), ([1, 2, 2, 4], [50, 25, 25, 0])]
PRIZES += [([1, 3, 3, 2], [50, 10, 10, 30]), ([1, 2, 2, 2], [50, 50 / 3, 50 / 3, 50 / 3])]
PRIZES += [([0, 0, 3, 4], [0, 0, 20, 0])]


@pytest.mark.parametrize(("places", "expected"), PRIZES)
def test_prizes_by_place_tied_places_share(places, expected):
    assert prizes_of(places, (50, 30, 20)).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("stacks", [(1, 1), (5, 3, 2), (100, 0, 50, 7), (1, 2, 3, 4, 5), (10, 10, 0, 1, 400, 33, 9)])
@pytest.mark.parametrize("prizes", [(1,), (0.5, 0.3, 0.2), (50, 30, 20, 10, 5, 2, 1)])
def test_icm_is_the_mean_over_all_orders_of_finishing(stacks, prizes):
    assert icm(stacks, prizes) == pytest.approx(icm_values(stacks, prizes))
    assert sum(icm(stacks, prizes)) == pytest.approx(sum(prizes[: sum(stack > 0 for stack in stacks)]))


def test_r12_a_seat_leaves_with_its_chips_when_the_hand_is_over():
    env = make("freezeout", seats=3)
    env.reset(seed=3)
    env.leave("player_1")
    assert env.agents == ["player_0", "player_1", "player_2"]  # the hand is played to its end
    while env.hands_played == 0:
        env.step(1)
    assert env.agent_selection == "player_1"
    _, _, terminated, _, info = env.last()
    assert terminated
    assert info["left_with"] + env.records["seats"]["stack"][0, :3].sum() + env.records["pot"][0] == 1800
    env.step(None)
    assert env.agents == ["player_0", "player_2"]
    assert env.records["place"][0, :3].tolist() == [0, 3, 0]
    before = env.records["start_stack"][0, :3].copy()
    play_hand(env)
    assert before[1] == 0


def test_r12_who_is_left_alone_has_won():
    env = make("prizes", seats=3)
    env.reset(seed=3)
    env.leave("player_1")
    env.leave("player_2")
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        paid[agent] += env.last()[1]
        env.step(None if env.terminations[agent] else 1)
    assert env.hands_played == 1
    assert paid["player_0"] == 0.5
    assert sorted(paid.values()) == pytest.approx([0.2, 0.3, 0.5])
