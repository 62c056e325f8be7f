"""`holdem score` with the quick budget on agents that come with the package, each by the task of its game. The docs'
tests run those of fixed spots; `ppo_100bb`, whose equities take a minute, is asked as `ppo_20bb` is."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdem_env.arena import score

SCORES = [
    ("ppo_20bb", "hu-20bb-v1"),
    ("blueprint_20bb", "hu-20bb-v1"),
    ("blueprint_100bb", "hu-100bb-v1"),
    ("ppo_limit", "hu-limit-v1"),
    ("blueprint_limit", "hu-limit-v1"),
    ("ppo_sixmax", "sixmax-100bb-v1"),
    ("ppo_sixmax", "freezeout-6-v1"),
]
WEAK = "against calling_station"


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "task"), SCORES)
def test_the_quick_budget_measures_all_that_it_has(agent: str, task: str, tmp_path: Path) -> None:
    card = score(agent, task, folder=tmp_path)
    assert {one.why_not for one in card.missing} <= {"the quick budget has none of it"}
    for figure in card.strength:
        assert figure.name != WEAK or figure.value > figure.half_width
    assert (tmp_path / "card.html").is_file()


@pytest.mark.slow
def test_a_quick_score_is_of_play_without_search(tmp_path: Path) -> None:
    card = score("blueprint_20bb", "river-v1", folder=tmp_path / "default")
    assert card.agent == "blueprint_20bb, without search"
    assert card.agent_fingerprint["parameters"]["search"] is None
    asked = score({"agent": "blueprint_20bb", "search": "river"}, "kuhn-v1", folder=tmp_path / "asked")
    assert asked.agent == "blueprint_20bb"
    assert asked.agent_fingerprint["parameters"]["search"] == "river"
