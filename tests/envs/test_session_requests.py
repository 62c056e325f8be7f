"""Players who come and go in the PettingZoo environment, as in Session (R10, R12, R39)."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from envs.random_sessions import play_sessions
from errors import complaint, mentions
from holdem_env import Rules, SessionError, holdem_v0
from holdem_env.engine.record import MAX_CHIPS

CASH = {"kind": "cash", "num_hands": 20}
FREEZEOUT: dict[str, Any] = {}
PRIZES = {"prizes": (0.5, 0.3, 0.2), "reward": "prizes"}
# With the button at seat 0: seat 1 is dealt kings against the aces of seat 0, and no king comes.
ACES_AND_KINGS = "Ks2cAsKh7dAh" + "Qs4c8dJd" + "Jc3h" + "4h5h"


def make(session: dict[str, Any], seats: int = 3, **rules: Any) -> holdem_v0.raw_env:
    return holdem_v0.env(rules=Rules(seats=seats, blinds=(10, 20), stacks=600, session=session, **rules))


def begin(session: dict[str, Any], seats: int = 3, **options: Any) -> holdem_v0.raw_env:
    env = make(session, seats)
    env.reset(seed=3, options=options)
    return env


def play_hand(env: holdem_v0.raw_env, move: int = 0) -> None:
    """Check or call to the end of the hand, and let who is terminated go."""
    hand = env.hands_played
    while env.agents and env.hands_played == hand:
        env.play(move)
    while env.agents and env.terminations[env.agent_selection]:
        env.step(None)


def two_all_in(env: holdem_v0.raw_env) -> None:
    """The first hand: seats 0 and 1 are all-in, seat 2 folds."""
    while env.hands_played == 0:
        env.play(-1 if env.agent_selection == "player_2" else int(env.records["raise_max"][0]) or 0)


def bust_seat_1(env: holdem_v0.raw_env) -> None:
    two_all_in(env)
    assert env.records["start_stack"][0, 1] == 0


def state(env: holdem_v0.raw_env) -> bytes:
    return pickle.dumps((env.records, env.agents, env.rewards, env.infos, env.agent_selection))


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "count"), [(0, 30), (1_000_000, 120)])
def test_random_sessions_are_the_same_in_the_environment_and_in_session(seed: int, count: int):
    sessions, hands = play_sessions(seed=seed, sessions=count)
    assert hands > sessions


def test_r39_a_player_enters_where_another_went_out():
    env = begin(FREEZEOUT, deck=ACES_AND_KINGS)
    bust_seat_1(env)
    assert (env.agent_selection, env.infos["player_1"]["place"]) == ("player_1", 3)
    assert env.rewards["player_1"] == -30
    env.join("player_1", 500)  # when the hand that runs is over
    env.step(None)
    assert env.agents == ["player_0", "player_2"]
    play_hand(env)
    assert env.agents == ["player_0", "player_1", "player_2"]
    assert [values["player_1"] for values in (env.rewards, env.terminations, env.truncations)] == [0.0, False, False]
    assert "place" not in env.infos["player_1"]
    assert (env.places, env.results) == ([0, 0, 0], [(1, 4)])
    assert env.records["start_stack"][0, 1] == 500
    acted = set()
    for agent in env.agent_iter(40):
        _, _, terminated, _, _ = env.last()
        acted.add(agent)
        env.step(None if terminated else 1)
    assert acted == {"player_0", "player_1", "player_2"}


def test_empty_seats_are_agents_once_a_player_sits_there():
    env = begin(CASH, seats=4, stacks=[600, 0, 600, 0])
    assert (env.agents, env.possible_agents) == (["player_0", "player_2"], [f"player_{seat}" for seat in range(4)])
    env.join("player_3", 200)
    env.join("player_1", 100, post=False)
    play_hand(env)
    assert env.agents == env.possible_agents
    assert env.records["was_dealt"][0, :4].tolist() == [1, 0, 1, 1], "player_1 waits for the big blind"
    assert env.payouts[1] == env.payouts[3] == 0


def test_empty_seats_are_for_sessions():
    mentions(complaint(holdem_v0.env(rules=Rules(seats=3)).reset, options={"stacks": [100, 0, 100]}), 1, 0)
    mentions(complaint(make(FREEZEOUT).reset, options={"stacks": [100, 0, 0]}), "two seats with chips")


def test_nobody_joins_once_a_prize_is_paid():
    env = begin(PRIZES)
    env.leave("player_1")
    play_hand(env)
    assert env.payouts == pytest.approx([0.0, 0.2, 0.0])
    mentions(complaint(env.join, "player_1", 600, kind=SessionError), "join")


def test_r12_a_broke_player_of_a_cash_game_comes_back_with_new_chips():
    env = begin(CASH, deck=ACES_AND_KINGS)
    bust_seat_1(env)
    assert env.terminations["player_1"]
    env.step(None)
    assert env.agents == ["player_0", "player_2"]
    mentions(complaint(env.join, "player_1", 300, kind=SessionError), "join", 1)
    env.top_up("player_1", 300)
    play_hand(env)
    assert env.agents == ["player_0", "player_1", "player_2"]
    assert env.records["start_stack"][0, 1] == 300
    assert env.payouts[1] == -600


def test_r12_chips_asked_for_in_time_keep_a_player_at_the_table():
    env = begin(CASH, deck=ACES_AND_KINGS)
    env.top_up("player_1", 300)
    two_all_in(env)
    assert not any(env.terminations.values())
    assert env.records["start_stack"][0, 1] == 300
    assert env.rewards["player_1"] == -30


def test_r12_another_player_takes_the_seat_of_one_who_is_broke():
    env = begin(CASH, deck=ACES_AND_KINGS)
    bust_seat_1(env)
    env.leave("player_1")
    env.join("player_1", 400)
    env.step(None)
    play_hand(env)
    assert env.agents == ["player_0", "player_1", "player_2"]
    assert env.payouts[1] == 0


def test_r10_who_sits_out_in_a_cash_game_is_not_asked_and_owes_blinds():
    env = begin(CASH, seats=4)
    env.sit_out("player_1")
    play_hand(env)
    assert env.agents == env.possible_agents
    for _ in range(4):
        assert env.records["was_dealt"][0, :4].tolist() == [1, 0, 1, 1]
        play_hand(env)
    assert env.records["owes"][0, 1] == 3
    env.sit_in("player_1")
    while not env.records["was_dealt"][0, 1]:
        play_hand(env)
    assert env.records["owes"][0, 1] == 0


def test_r10_who_sits_out_in_a_tournament_is_dealt_in_and_folded():
    env = begin(FREEZEOUT)
    env.sit_out("player_1")
    play_hand(env)
    stack = env.records["start_stack"][0, 1]
    asked = set()
    for _ in range(3):
        assert env.records["was_dealt"][0, 1]
        hand = env.hands_played
        while env.hands_played == hand:
            asked.add(env.agent_selection)
            env.play(0)
    assert asked == {"player_0", "player_2"}
    assert env.records["start_stack"][0, 1] == stack - 30


def test_r10_the_episode_is_over_when_nobody_can_be_dealt_in():
    env = begin(CASH)
    for agent in ("player_0", "player_2"):
        env.sit_out(agent)
    play_hand(env, move=-1)
    assert (env.agents, env.hands_played) == ([], 1)
    mentions(complaint(env.sit_in, "player_0", kind=SessionError), "sit_in")


def test_a_request_that_the_hand_makes_impossible_is_dropped_and_told():
    env = begin(FREEZEOUT, deck=ACES_AND_KINGS)
    env.sit_out("player_1")
    bust_seat_1(env)
    info = env.infos["player_1"]
    assert (info["place"], info["refused"]) == (3, "sit_out: nobody sits in seat 1")


def test_what_was_refused_is_told_until_the_agent_has_acted():
    env = begin({**CASH, "rebuy": 600}, deck=ACES_AND_KINGS)
    env.top_up("player_2", MAX_CHIPS - 1800)
    two_all_in(env)
    assert "a table holds at most" in env.infos["player_2"]["refused"], "the rebuy of seat 1 came first"
    assert env.records["start_stack"][0, :3].tolist() == [1220, 600, 580]
    while env.agent_selection != "player_2":
        env.play(0)
        assert "refused" in env.infos["player_2"]
    assert "refused" in env.last()[4]
    env.play(0)
    assert "refused" not in env.infos["player_2"]


def test_what_was_refused_outlives_hands_in_which_the_agent_is_not_asked():
    """The agent sits out, so hands pass by without it; then it comes back, and still finds out."""
    env = begin({**CASH, "rebuy": 600}, deck=ACES_AND_KINGS)
    env.top_up("player_2", MAX_CHIPS - 1800)
    env.sit_out("player_2")
    two_all_in(env)
    for _ in range(3):
        play_hand(env)
        assert "a table holds at most" in env.infos["player_2"]["refused"]


PHASES = {"phases": [{"game": "six-max-no-limit", "hands": 2}, {"name": "eight", "game": "omaha", "hands": 1}]}


def test_r19_the_game_of_the_next_hand_may_be_named():
    env = begin({**CASH, **PHASES})
    assert env.records["phase"][0] == 0
    env.name_game("eight")
    play_hand(env)
    assert env.records["phase"][0] == 1
    env.name_game(1)
    play_hand(env)
    assert env.records["phase"][0] == 1, "its phase of one hand is over, and it begins once more"
    play_hand(env)
    assert env.records["phase"][0] == 0


def test_r19_a_game_that_is_not_declared_is_an_error_that_names_those_that_are():
    env = begin({**CASH, **PHASES})
    before = state(env)
    mentions(complaint(env.name_game, "stud"), "stud", 0, "six-max-no-limit", 1)
    mentions(complaint(env.name_game, 2), 2)
    assert state(env) == before


def test_r19_reset_takes_the_game_of_the_first_hand():
    env = begin({**CASH, **PHASES})
    env.reset(seed=1, options={"game": "eight"})
    assert env.records["phase"][0] == 1
    mentions(complaint(env.reset, seed=1, options={"game": "stud"}), "options", "stud", 0)


@pytest.mark.parametrize(
    ("session", "request_of", "message"),
    [
        (CASH, lambda env: env.join("player_1", 100), "join: seat 1 is taken"),
        (CASH, lambda env: env.join("player_3", 0), "join: 0 chips; give a positive multiple"),
        (CASH, lambda env: env.join("player_9", 100), "join: there is no agent 'player_9'"),
        (CASH, lambda env: env.top_up("player_1", -1), "top_up: -1 chips"),
        (CASH, lambda env: env.top_up("player_3", 100), "top_up: nobody sits in seat 3"),
        (CASH, lambda env: env.top_up("player_1", 2**62), "a table holds at most"),
        (CASH, lambda env: env.sit_out("player_3"), "sit_out: nobody sits in seat 3"),
        (CASH, lambda env: env.sit_in("player_1"), "sit_in: seat 1 is not away"),
        (CASH, lambda env: env.sit_in("player_1", post=False), "sit_in: seat 1 is not away"),
        (CASH, lambda env: env.leave("player_3"), "leave: 'player_3' is not at the table; there are player_0, "),
        (FREEZEOUT, lambda env: env.top_up("player_1", 100), "top_up: not allowed in a tournament without rebuys"),
        ({"num_hands": 1}, lambda env: env.join("player_3", 100), "join: the session is over"),
    ],
)
def test_requests_that_cannot_be_granted_change_nothing(session, request_of, message):
    env = begin(session, seats=4, stacks=[600, 600, 600, 0])
    before = state(env)
    assert re.search(message, complaint(request_of, env))
    assert state(env) == before
    twin = begin(session, seats=4, stacks=[600, 600, 600, 0])
    play_hand(env)
    play_hand(twin)
    assert state(env) == state(twin)


@pytest.mark.parametrize("operation", ["leave", "sit_out", "sit_in"])
def test_no_requests_without_an_episode(operation):
    assert re.search(f"{operation}: ", complaint(getattr(make(CASH), operation), "player_0"))


def test_requests_count_for_those_after_them():
    env = begin(CASH)
    env.sit_out("player_1")
    env.sit_in("player_1")
    mentions(complaint(env.sit_in, "player_1", kind=SessionError), "sit_in", 1)
    env.leave("player_1")
    env.leave("player_1")
    mentions(complaint(env.top_up, "player_1", 100, kind=SessionError), "top_up", 1)
    play_hand(env)
    assert env.agents == ["player_0", "player_2"]


def test_requests_are_forgotten_with_the_episode():
    env = begin(CASH)
    env.sit_out("player_1")
    env.reset(seed=3)
    play_hand(env)
    assert env.records["was_dealt"][0, :3].all()


def test_a_tournament_without_anybody_there_is_over_and_goes_by_chips():
    env = begin(PRIZES)
    for agent in env.possible_agents:
        env.sit_out(agent)
    while env.hands_played == 0:
        env.play(-1)
    assert all(env.terminations.values())
    stacks = env.records["seats"]["stack"][0, :3].tolist()
    assert sorted(stacks) == [590, 600, 610]
    prize_of = dict(zip(sorted(stacks), (0.2, 0.3, 0.5), strict=True))
    assert env.payouts == pytest.approx([prize_of[stack] for stack in stacks])
    assert list(env.rewards.values()) == pytest.approx(env.payouts)
