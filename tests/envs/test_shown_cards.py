"""The cards that were tabled, in the infos of the environments: those that were shown, none that was mucked."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from holdem_env import Rules, holdem_v0
from holdem_env.engine.record import MUCKED, SHOWN
from holdem_env.envs.learner_tables import LearnerTables

# The button is at seat 0, as in an environment's first hand. Seat 1 shows aces first; fives and jacks muck.
DECK = "As5sJsAd5dJd??2c7d8h??Qs??Kc"
RULES = Rules(seats=3, blinds=(1, 2), stacks=100)
ACES = [51, 49]


def play_hand(env: Any, action: int = 1) -> None:
    """Everybody takes the same action until the hand is over; 1 calls."""
    played = env.hands_played
    while env.agents and env.hands_played == played:
        env.step(action)


def test_every_agents_info_has_what_was_shown() -> None:
    env = holdem_v0.env(rules=RULES)
    env.reset(seed=1, options={"deck": DECK})
    assert all("shown_cards" not in info for info in env.infos.values())
    play_hand(env)
    for agent in env.agents:
        assert env.infos[agent]["shown_cards"] == {"player_1": ACES}
    _, _, termination, _, info = env.last()
    assert termination
    assert info["shown_cards"] == {"player_1": ACES}


def test_it_stays_until_the_next_hand_is_over() -> None:
    env = holdem_v0.env(rules=RULES, num_hands=3)
    env.reset(seed=1, options={"deck": DECK})
    play_hand(env)
    seen = []
    while env.hands_played == 1:
        seen.append(env.last()[4]["shown_cards"])
        env.step(0)  # fold
    assert seen == [{"player_1": ACES}] * 2
    assert all(info["shown_cards"] == {} for info in env.infos.values())


@pytest.mark.parametrize("rules", [RULES, Rules(seats=6, structure="fixed_limit", blinds=(1, 2)), "omaha-hi-lo"])
def test_nothing_that_was_mucked_is_shown(rules: Any) -> None:
    env = holdem_v0.env(rules=rules, num_hands=40, observation="shown_cards")
    env.reset(seed=2)
    finish, mucked = env.unwrapped._finish_hand, 0
    ends: list[dict[str, list[int]]] = []

    def finished(is_over: bool) -> bool:
        t = env.unwrapped.records[0]
        seats, holes = range(env.unwrapped.rules.seats), env.unwrapped.rules.hole_cards
        ends.append({f"player_{seat}": t["hole"][seat, :holes].tolist() for seat in seats if t["shown"][seat] == SHOWN})
        nonlocal mucked
        mucked += int((t["shown"] == MUCKED).sum())
        return bool(finish(is_over))

    env.unwrapped._finish_hand = finished
    while env.agents and not all(env.terminations.values()):
        env.step(None if env.terminations[env.agent_selection] else 1)
        if ends:
            assert env.infos[env.agents[0]]["shown_cards"] == ends[-1]
    assert sum(map(bool, ends)) > 10
    assert mucked > 5


def learner_hands(shown: bool, steps: int = 60, **options: Any) -> list[tuple[bool, dict[str, Any]]]:
    env = gymnasium.make(
        "holdem_env/HoldemSeat-v0", rules=RULES, opponents="calling_station", shown_cards=shown, **options
    )
    env.reset(seed=3)
    seen = []
    for _ in range(steps):
        *_, over, _, info = env.step(1)
        seen.append((over, info))
        if over:
            env.reset()
    return seen


def test_a_seat_is_told_at_the_end_of_its_hands() -> None:
    seen = learner_hands(shown=True)
    assert all(("shown_cards" in info) == over for over, info in seen)
    hands = [info["shown_cards"] for over, info in seen if over]
    assert all(len(cards) == 2 for hand in hands for cards in hand.values())
    assert {len(hand) for hand in hands} >= {1, 2}
    assert not any("shown_cards" in info for _, info in learner_hands(shown=False))


def test_the_vector_environment_tells_what_the_single_seats_do() -> None:
    alone = [
        [info["shown_cards"] for over, info in learner_hands(shown=True, table_id=table) if over] for table in range(3)
    ]
    envs = gymnasium.make_vec(
        "holdem_env/HoldemSeat-v0", num_envs=3, rules=RULES, opponents="calling_station", shown_cards=True
    )
    envs.reset(seed=3)
    together: list[list[dict[str, list[int]]]] = [[], [], []]
    for _ in range(60):
        _, _, over, _, infos = envs.step(np.ones(3, np.int64))
        if not over.any():
            assert "final_info" not in infos
            continue
        cards = infos["final_info"]["shown_cards"]
        assert (cards.shape, cards.dtype) == ((3, 3, 2), np.int8)
        assert infos["final_info"]["_shown_cards"].tolist() == over.tolist()
        assert (cards[~over] == -1).all()
        for table in np.flatnonzero(over):
            together[table].append(
                {f"player_{s}": hand for s, hand in enumerate(cards[table].tolist()) if hand[0] >= 0}
            )
    assert together == alone


def test_the_vector_environment_tells_nothing_by_default() -> None:
    envs = gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=3, rules=RULES, on_illegal="check_fold")
    envs.reset(seed=3)
    for _ in range(20):
        infos = envs.step(np.zeros(3, np.int64))[4]
        assert "shown_cards" not in infos.get("final_info", {})


def test_stable_baselines_infos() -> None:
    pytest.importorskip("stable_baselines3")
    from holdem_env.envs.sb3 import HoldemVecEnv

    options: dict[str, Any] = {"opponents": ["calling_station"], "seed": 3}
    plain, showing = HoldemVecEnv(RULES, 3, **options), HoldemVecEnv(RULES, 3, **options, shown_cards=True)
    tables = LearnerTables(RULES, 3, ["calling_station"], keep_finished=True)
    for env in (plain, showing):
        env.reset()
    tables.reset(3)
    for _ in range(40):
        for env in (plain, showing):
            env.step_async(np.ones(3, np.int64))
        tables.play(np.zeros(3, np.int64))
        *_, done, infos = showing.step_wait()
        assert plain.step_wait()[3] == [{}, {}, {}]
        for row in range(3):
            assert ("shown_cards" in infos[row]) == done[row]
            if done[row]:
                t = tables.finished[row]
                expected = {
                    f"player_{seat}": t["hole"][seat, :2].tolist() for seat in range(3) if t["shown"][seat] == SHOWN
                }
                assert infos[row]["shown_cards"] == expected
