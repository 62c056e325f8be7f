"""Opponents as people give them, for every learner's environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import pytest

from holdem_agents.scripted import Maniac
from holdem_env import holdem_v0  # noqa: F401 - registers the environments
from holdem_env.agents.registry import make_agent
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.sb3 import HoldemVecEnv

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
    make_agent("calling_station").save(path)
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


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ([("maniac", "x")], r"\('maniac', 'x'\) is no pair of an agent and its weight, such as \('maniac', 0\.5\)"),
        ([("maniac", 1.0, 2.0)], "is no pair of an agent and its weight"),
        (None, "None is neither an agent nor its name, nor a list of them"),
        (3, "3 is neither an agent nor its name"),
        ("maniak", "did you mean 'maniac'"),
        ({}, "'agent'"),
    ],
)
def test_what_are_no_opponents_is_refused(wrong: Any, why: str) -> None:
    tables = LearnerTables(GAME, 2, "maniac")
    with pytest.raises(ValueError, match=why):
        tables.set_opponents(wrong)
    assert [agent.name for agent in tables.agents] == ["maniac"]
