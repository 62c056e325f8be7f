"""Misspelt names and keywords: the error says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

from holdem_env import Rules, Tables, holdem_v0
from holdem_env.agents.registry import make_agent
from holdem_env.envs.learner_tables import LearnerTables
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.envs.self_play import SelfPlayTables
from holdem_env.utils.suggestions import did_you_mean, nearest, suggestion

SEAT = "holdem_env/HoldemSeat-v0"


NEAREST = [("nolimit", ["leduc-nolimit", "acpc-nolimit-2p", "acpc-nolimit-3p", "six-max-no-limit"])]
NEAREST += [("heads-up-nolimit", ["heads-up-no-limit"]), ("six-max", ["six-max-no-limit"]), ("omahaa", ["omaha"])]
NEAREST += [("leduk", ["leduc"]), ("backgammon", []), (7, [])]


@pytest.mark.parametrize(("name", "near"), NEAREST)
def test_the_nearest_presets(name: object, near: list[str]) -> None:
    assert nearest(name, Rules.presets()) == near


def test_suggestions_in_words() -> None:
    known = ["small_bet", "big_bet", "seats"]
    assert suggestion("seat", known) == "did you mean 'seats'?"
    assert suggestion("bet", known) == "did you mean 'big_bet' or 'small_bet'?"
    assert suggestion("xyzzy", known) == "known are 'small_bet', 'big_bet', 'seats'."
    assert did_you_mean("xyzzy", known) == ""


@pytest.mark.parametrize(
    ("make", "typo", "words"),
    [
        (holdem_v0.env, "num_hand", "HoldemEnv has no parameter 'num_hand': did you mean 'num_hands'"),
        (holdem_v0.env, "xyzzy", "known are 'rules', 'observation', .*'mask_in_info'"),
        (Tables, "num_table", "Tables has no parameter 'num_table': did you mean 'num_tables'"),
        (SelfPlayTables, "itsself", "SelfPlayTables has no parameter 'itsself': did you mean 'itself'"),
        (LearnerTables, "opponent", "LearnerTables has no parameter 'opponent': did you mean 'opponents'"),
        (HoldemVecEnv, "opponent", "HoldemVecEnv has no parameter 'opponent': did you mean 'opponents'"),
        (lambda **given: gymnasium.make(SEAT, **given), "rule", "HoldemSeatEnv has no .* did you mean 'rules'"),
        (lambda **given: gymnasium.make_vec(SEAT, **given), "rule", "VectorEnv has no .* did you mean 'rules'"),
        (lambda **given: make_agent("maniac", **given), "agression", "agent 'maniac': .*did you mean 'aggression'"),
    ],
)
def test_a_misspelt_keyword(make: Callable[..., Any], typo: str, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        make(**{typo: 1})
