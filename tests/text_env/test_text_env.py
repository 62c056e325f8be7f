"""TextEnv: Gymnasium's five in words, by hands, sessions, spots and matches."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import holdem_env
from envs.gymnasium_play import no_warnings
from errors import complaint, mentions
from holdem_env import Rules, SessionRules
from holdem_env.agents.table_agent import TableAgent
from holdem_env.table.seat_view import SeatView
from holdem_env.text_env import TextEnv

TEXT = "holdem_env/HoldemText-v0"
SESSION = Rules(seats=3, blinds=(1, 2), stacks=20, session=SessionRules(num_hands=4))


def answer(text: str, info: dict[str, Any]) -> str:
    return "Action: check" if "- check" in text or ", check" in text else "Action: call"


def played(env: Any, seed: int | None = None, **options: Any) -> tuple[list[str], list[float], dict[str, Any]]:
    """An episode of checks and calls: its texts, rewards and last info."""
    text, info = env.reset(seed=seed, options=options or None)
    texts, rewards, over = [text], [], False
    while not over:
        text, reward, terminated, truncated, info = env.step(answer(text, info))
        over = terminated or truncated
        texts.append(text)
        rewards.append(reward)
    return texts, rewards, info


def test_gymnasium_finds_no_fault() -> None:
    assert holdem_env is not None
    env = gymnasium.make(TEXT, rules="kuhn", opponents="calling_station")
    with no_warnings():
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("prompt", ["full", "short"])
def test_the_same_seed_plays_the_same(prompt: str) -> None:
    env = TextEnv("heads-up-no-limit", opponents="tight_aggressive", prompt=prompt)
    first, again = played(env, seed=3), played(env, seed=3)
    assert first == again
    assert played(env, seed=4)[0][0] != first[0][0]
    texts, rewards, info = first
    assert all(text in env.observation_space for text in texts)
    assert sum(rewards) == info["chips"] / 2
    assert rewards[:-1] == [0.0] * (len(rewards) - 1)


def test_both_positions_come_and_a_seat_of_none_moves() -> None:
    env = TextEnv("kuhn", seat=0, opponents="calling_station")
    positions = {played(env, seed)[0][0].split("Your cards")[0][-20:] for seed in [1, None, None]}
    assert len(positions) == 2
    moving = TextEnv("kuhn", opponents="calling_station")
    assert {played(moving, seed)[2]["seat"] for seed in [1, None, None, None]} == {0, 1}


def test_the_seat_follows_from_the_seed() -> None:
    rules = Rules(seats=3, blinds=(1, 2), stacks=20)
    env, fixed = TextEnv(rules, opponents="calling_station"), TextEnv(rules, opponents="calling_station", seat=2)
    places = []
    for seed in range(300):
        seat = env.reset(seed=seed)[1]["seat"]
        places.append((seat, (seat - env.table.hand.button) % 3))
        assert fixed.reset(seed=seed)[1]["seat"] == 2
    counts = [places.count((seat, position)) for seat in range(3) for position in range(3)]
    assert min(counts) > 15, "all seats, in all positions, about 33 times"
    assert [env.reset(seed=seed)[1]["seat"] for seed in range(9)] == [seat for seat, _ in places[:9]]


def test_a_session_goes_on_until_it_is_over_and_remembers() -> None:
    env = TextEnv(SESSION, seat=1, opponents="calling_station", episode="session", memory=3)
    texts, rewards, info = played(env, seed=2)
    assert "The last hands" in texts[-2]
    assert sum(rewards) == pytest.approx(info["chips"] / 2)
    assert texts[-1].startswith("The game is over.")


def test_who_is_out_of_a_session_is_done() -> None:
    env = TextEnv(SESSION.replace(stacks=4), seat=0, opponents="calling_station", episode="session")
    chips = [played(env, seed)[2]["chips"] for seed in range(6)]
    assert min(chips) == -4


def test_a_match_plays_each_deal_from_every_seat() -> None:
    env = TextEnv("leduc", opponents="calling_station", episode="match", deals=3)
    text, info = env.reset(seed=1, options={"seat": 0})
    dealt, over = [], False
    while not over:
        table = env.table.hand
        if not dealt or dealt[-1][0] is not table:
            dealt.append((table, tuple(table.deck), table.button, info["seat"]))
        text, _, over, _, info = env.step(answer(text, info))
    decks = [deck for _, deck, _, _ in dealt]
    assert len(dealt) == 6
    assert decks[::2] == decks[1::2]
    assert len(set(decks)) == 3
    assert [seat for *_, seat in dealt] == [0, 1] * 3
    assert info["chips"] == 0  # two who call: what a hand wins in one seat it loses in the other


@pytest.mark.parametrize("task", ["river-v1", "turn-v1"])
def test_a_spot_begins_where_its_line_ends(task: str) -> None:
    env = TextEnv("heads-up-no-limit", opponents="calling_station", episode="spot", spots=task)
    board = env.spots[2].spot.board
    text, _ = env.reset(seed=1, options={"spot": 2})
    assert len(env.table.hand.board) == len(board) == {"river-v1": 5, "turn-v1": 4}[task]
    assert sorted(env.table.hand.board) == sorted(board)
    assert f"{env.spots[2].pot} chips" in text
    assert played(env, seed=1, spot=2)[0][0] == text


class Failing(TableAgent):
    """Fails after some decisions, as one whose server has died."""

    name, left = "failing", 2

    def decide(self, view: SeatView) -> str:
        self.left -= 1
        if self.left < 0:
            raise ConnectionError("the server is gone")
        return "call"


def test_an_opponent_that_fails_ends_its_episode_alone() -> None:
    env, other = (TextEnv("heads-up-no-limit", seat=0, opponents=who) for who in (Failing(), "calling_station"))
    other.reset(seed=1)
    before = other.table.hand.records.tobytes()
    env.reset(seed=1)
    for _ in range(5):
        text, reward, terminated, truncated, info = env.step(answer(env.table.text, {}))
        if truncated:
            break
    assert truncated
    assert not terminated
    assert reward == 0.0
    assert "server is gone" in info["failed"]
    assert "failed" in text
    assert other.table.hand.records.tobytes() == before
    mentions(complaint(env.step, "check"), "reset")


def test_faults_are_counted_and_the_hand_goes_on() -> None:
    env = TextEnv("kuhn", seat=0, opponents="calling_station", tries=2)
    _, info = env.reset(seed=1)
    text, reward, terminated, *_, info = env.step("\x00" * 2**20)
    assert "Legal:" in text
    assert text in env.observation_space
    assert (reward, terminated, info["rejected"], info["faults"]) == (0.0, False, 1, 0)
    *_, terminated, _, info = env.step("?")
    assert terminated
    assert (info["rejected"], info["faults"]) == (2, 1)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"episode": "day"}, "episode"),
    ({"memory": 2}, "memory"),
    ({"seat": 2}, "seat"),
    ({"deals": 0}, "deals"),
    ({"tries": 0}, "tries"),
    ({"prompt": "long"}, "prompt"),
    ({"episode": "spot", "spots": "kuhn-v1"}, "spots"),
    ({"opponents": "nobody"}, "nobody"),
]


@pytest.mark.parametrize(("arguments", "noun"), WRONG)
def test_arguments_that_cannot_be(arguments: dict[str, Any], noun: str) -> None:
    assert re.search(noun, complaint(TextEnv, "heads-up-no-limit", **arguments))


def test_spots_have_a_game_of_their_own_and_steps_come_after_a_reset() -> None:
    mentions(complaint(TextEnv, "six-max-no-limit", episode="spot", spots="river-v1"), "rules", 2, 6)
    mentions(complaint(TextEnv("kuhn").step, "check"), "reset")


@pytest.mark.parametrize("options", [{"deal": 1}, {"spot": 1}, {"seat": 5}, {"button": 9}, {"hand": -1}])
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    assert re.search(next(iter(options)), complaint(TextEnv("kuhn").reset, seed=1, options=options))


def test_chips_of_hands_skipped_in_a_session_are_paid() -> None:
    """Seat 0 is walked now and then: what it wins so is in the next reward."""
    env = TextEnv(SESSION, seat=0, opponents="tight_aggressive", episode="session")
    for seed in range(5):
        _, rewards, info = played(env, seed)
        assert np.sum(rewards) == pytest.approx(info["chips"] / 2)
