"""Who sits at a learner's table, as people give them: each seat's opponent drawn by itself, or one for all seats; and
tables at all levels of a session's blinds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from errors import complaint, mentions
from holdem_agents.scripted import Maniac
from holdem_env import (
    Rules,
    holdem_v0,  # noqa: F401 - registers the environments
)
from holdem_env.agents.config_files import save_agent
from holdem_env.agents.registry import make_agent
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.learner_turns import LEARNER
from holdem_env.envs.sb3 import HoldemVecEnv

SIX = Rules(seats=6)
THREE_AGENTS = ["random", ("maniac", 3), "calling_station"]


def dealt(num_tables: int, one_opponent: float, seed: int = 5) -> np.ndarray:
    """Who sits where in the first hands, (N, 6)."""
    tables = LearnerTables(SIX, num_tables, THREE_AGENTS, one_opponent=one_opponent)
    tables.reset(seed=seed)
    return tables._owners


def others(owners: np.ndarray) -> np.ndarray:
    """(N, 5): without the learner."""
    assert ((owners == LEARNER).sum(axis=1) == 1).all()
    return owners[owners != LEARNER].reshape(len(owners), -1)


def test_without_it_every_seat_is_drawn_by_itself_as_it_always_was():
    expected = [
        [-1, 2, 0, 1, 0, 1],
        [1, -1, 2, 1, 2, 2],
        [1, 1, -1, 1, 1, 1],
        [2, 2, 0, -1, 0, 2],
        [1, 1, 1, 1, -1, 1],
        [2, 1, 0, 2, 0, -1],
    ]
    assert dealt(6, 0.0).tolist() == expected


def test_with_1_one_agent_by_weight_has_all_other_seats_of_a_table():
    owners = dealt(4000, 1.0)
    seated = others(owners)
    assert (seated == seated[:, :1]).all()
    assert np.abs(np.bincount(seated[:, 0]) / 4000 - [0.2, 0.6, 0.2]).max() < 0.03
    np.testing.assert_array_equal(dealt(10, 1.0), owners[:10])  # whatever the number of tables
    assert (dealt(4000, 1.0, seed=6) != owners).any()


def test_a_share_of_the_hands_is_of_one_opponent_and_the_rest_is_as_without():
    owners, alone, whole = dealt(4000, 0.4), dealt(4000, 0.0), dealt(4000, 1.0)
    as_alone = (owners == alone).all(axis=1)
    as_whole = (owners == whole).all(axis=1)
    assert (as_alone | as_whole).all()
    by_chance = (others(alone) == others(alone)[:, :1]).all(axis=1).mean()
    alike = (others(owners) == others(owners)[:, :1]).all(axis=1).mean()
    assert abs(alike - (0.4 + 0.6 * by_chance)) < 0.03
    weights = np.bincount(others(owners).ravel()) / (5 * 4000)
    assert np.abs(weights - [0.2, 0.6, 0.2]).max() < 0.03  # a seat is any agent's as often as without


def test_it_is_drawn_again_for_every_hand():
    tables = LearnerTables(SIX, 64, THREE_AGENTS, one_opponent=0.5)
    tables.reset(seed=1)
    alike, opponents = [], []
    for _ in range(20):
        tables.play(tables.checked_moves(tables.mask.argmax(axis=1)))  # fold to every bet
        seated = others(tables._owners)
        alike.append((seated == seated[:, :1]).all(axis=1))
        opponents.append(seated[:, 0].copy())
    assert 0.4 < np.mean(alike) < 0.75
    ever, always = np.any(alike, axis=0), np.all(alike, axis=0)
    assert (ever & ~always).mean() > 0.9
    assert (np.ptp(opponents, axis=0) > 0).mean() > 0.9  # in the first other seat


def test_every_face_has_it_and_seats_the_same_agents():
    given = {"rules": SIX, "opponents": THREE_AGENTS, "one_opponent": 0.5}
    batch = gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=3, **given)
    batch.reset(seed=5)
    np.testing.assert_array_equal(batch.unwrapped.tables._owners, dealt(3, 0.5))
    learners = HoldemVecEnv(SIX, 3, THREE_AGENTS, seed=5, one_opponent=0.5)
    learners.reset()
    np.testing.assert_array_equal(learners.tables._owners, dealt(3, 0.5))
    one = gymnasium.make("holdem_env/HoldemSeat-v0", table_id=2, **given)
    one.reset(seed=5)
    np.testing.assert_array_equal(one.unwrapped.tables._owners, dealt(3, 0.5)[2:])


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_what_is_no_share_is_refused(share):
    with pytest.raises(ValueError, match=r"one_opponent: .* is not a share of the hands; give 0 to 1"):
        LearnerTables(SIX, 2, ["random"], one_opponent=share)


LEVELS = {"levels": [{"hands": 5}, {"times": 2, "hands": 5}, {"times": 10}]}
RULES = Rules(structure="no_limit", seats=2, blinds=(10, 20), stacks=2000, session=LEVELS)


def test_every_level_is_played_by_as_many_tables_in_both_seats_and_stays():
    tables = LearnerTables(RULES, 24, ["calling_station"], levels="all", reward="all_in_value")
    tables.reset(seed=1)
    for _ in range(30):
        blinds = tables.records["blind_level"]
        np.testing.assert_array_equal(blinds, tables.records["stage"])
        for level, big_blind in enumerate((20, 40, 200)):
            mine = blinds == level
            assert np.bincount(tables.learner_seats[mine]).tolist() == [4, 4]
            assert (tables.records["bet_to_match"][mine] >= big_blind * (tables.records["street"][mine] == 0)).all()
            assert (tables.records["start_stack"][mine][:, :2] == 2000).all()
        tables.play(tables.checked_moves(np.ones(24, int)))


def test_observations_measure_chips_in_the_big_blinds_of_the_level():
    env = HoldemVecEnv(RULES, 12, ["calling_station"], levels="all")
    stacks = env.reset()[:, 110]
    assert len(np.unique(stacks)) >= 3
    first = HoldemVecEnv(RULES, 12, ["calling_station"])
    first.reset()
    assert not first.tables.records["stage"].any()


def test_what_cannot_be_is_refused():
    phases = Rules(
        seats=2, session={"phases": [{"structure": "no_limit", "hands": 1}, {"structure": "pot_limit", "hands": 1}]}
    )
    mentions(complaint(LearnerTables, phases, 2, ["random"], levels="all"), "levels", "all")
    mentions(complaint(LearnerTables, RULES, 2, ["random"], levels="last"), "levels", "last")


GAME = "heads-up-limit"


def names(opponents: Any) -> list[str]:
    return [agent.name for agent in LearnerTables(GAME, 2, opponents).agents]


@pytest.mark.parametrize(
    "one", ["maniac", Maniac(), {"agent": "maniac", "aggression": 0.5}, ("maniac", 0.5), ["maniac"], ("maniac",)]
)
def test_a_single_opponent_needs_no_list(one: Any) -> None:
    assert names(one) == ["maniac"]


def test_a_file_is_a_single_opponent(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    save_agent(make_agent("calling_station"), path)
    assert names(path) == names(str(path)) == ["calling_station"]


def test_every_environment_takes_a_single_opponent() -> None:
    for env in (
        HoldemVecEnv(GAME, 2, "maniac"),
        gymnasium.make("holdem_env/HoldemSeat-v0", rules=GAME, opponents="maniac").unwrapped,
        gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=2, rules=GAME, opponents="maniac").unwrapped,
    ):
        assert [agent.name for agent in env.tables.agents] == ["maniac"]  # type: ignore[attr-defined]
        env.set_opponents("calling_station")  # type: ignore[attr-defined]
        assert [agent.name for agent in env.tables.agents] == ["calling_station"]  # type: ignore[attr-defined]


WRONG = [([("maniac", "x")], r"\('maniac', 'x'\) is no pair of an agent and its weight, such as \('maniac', 0\.5\)")]
WRONG += [([("maniac", 1.0, 2.0)], "is no pair of an agent and its weight")]
WRONG += [(None, "None is neither an agent nor its name, nor a list of them")]
WRONG += [(3, "3 is neither an agent nor its name"), ("maniak", "did you mean 'maniac'"), ({}, "'agent'")]


@pytest.mark.parametrize(("wrong", "why"), WRONG)
def test_what_are_no_opponents_is_refused(wrong: Any, why: str) -> None:
    tables = LearnerTables(GAME, 2, "maniac")
    with pytest.raises(ValueError, match=why):
        tables.set_opponents(wrong)
    assert [agent.name for agent in tables.agents] == ["maniac"]
