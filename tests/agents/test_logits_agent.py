"""LogitsAgent: a function from observations to logits plays matches."""

from __future__ import annotations

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_agents.logits_agent import LogitsAgent
from holdem_env import Rules
from holdem_env.arena import exact_value, play_match
from holdem_env.testing import check_agent


def always(action: int) -> LogitsAgent:
    """Prefers one action of limit games: 0 folds, 1 checks or calls, 2 raises."""
    return LogitsAgent(lambda seen: np.full((len(seen), 3), -50.0) + 100 * np.eye(3)[action], "leduc")


def test_it_plays_what_the_function_prefers() -> None:
    assert exact_value(always(1), "calling_station", "leduc") == pytest.approx(0, abs=1e-9)
    assert exact_value(always(0), "maniac", "leduc") < exact_value(always(1), "maniac", "leduc")
    assert exact_value(always(1), "random", "leduc") == pytest.approx(exact_value("calling_station", "random", "leduc"))


def test_it_is_an_agent_by_all_checks() -> None:
    rules = Rules.preset("heads-up-no-limit")
    weights = np.random.default_rng(0).normal(size=(159, 16)).astype(np.float32)

    def logits(seen: np.ndarray) -> np.ndarray:
        return seen @ np.resize(weights, (seen.shape[1], actions))

    agent = LogitsAgent(logits, rules, actions="50%, 100%, all-in")
    actions = agent.action_encoder.size(rules)
    check_agent(agent, games=[rules])
    assert play_match(agent, agent.clone(), rules, hands=200).mean == 0


def test_greedy_it_plays_the_highest_logit_that_is_offered() -> None:
    agent = LogitsAgent(lambda seen: np.tile([0.0, 1.0, 0.5], (len(seen), 1)), "leduc", deterministic=True)
    assert exact_value(agent, "calling_station", "leduc") == pytest.approx(0, abs=1e-9)


def test_other_games_and_wrong_shapes_are_errors() -> None:
    mentions(complaint(play_match, always(1), "random", "heads-up-no-limit", hands=10), "mine")
    short = LogitsAgent(lambda seen: np.zeros((len(seen), 2)), "leduc", name="short")
    mentions(complaint(play_match, short, "random", "leduc", hands=10), "short", 2, 3)
