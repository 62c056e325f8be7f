"""In what games differ: every field of Rules, by what it means."""

from __future__ import annotations

import pytest

from holdem_env import Rules
from holdem_env.game.differences import difference_text, nearest_preset

HEADS_UP = "heads-up-no-limit"


@pytest.mark.parametrize("name", Rules.presets())
def test_a_preset_is_itself(name: str) -> None:
    found, fields = nearest_preset(Rules.preset(name))
    assert fields == []
    assert Rules.preset(found) == Rules.preset(name)


@pytest.mark.parametrize(
    ("changes", "fields", "text"),
    [
        ({"stacks": 40}, ["stacks"], "stacks: 40 (200)"),
        ({"stacks": (40, 80)}, ["stacks"], "stacks: 40/80 (200)"),
        ({"ante": 1}, ["ante"], "ante: 1 (0)"),
        ({"seats": 3}, ["seats"], None),
        ({"rake": {"percent": 5, "cap": 3}}, ["rake"], "rake: percent 5 and cap 3 (none)"),
        ({"big_blind_ante": 2, "muck": False}, ["big_blind_ante", "muck"], "big blind ante: 2 (0), muck: no (yes)"),
        ({"min_bet": 4}, ["min_bet"], "min bet: 4 (none)"),
        (
            {"session": {"levels": [{"hands": 5}, {"times": 2}], "prizes": (0.7, 0.3)}},
            ["session"],
            "session: 2 levels and prizes 0.7/0.3 (none)",
        ),
        ({"session": {}}, ["session"], "session: by default (none)"),
        ({"dealer_errors": {"premature_turn": 0.01}}, ["dealer_errors"], "dealer errors: premature turn 0.01 (none)"),
    ],
)
def test_every_change_of_a_preset_is_named(changes: dict[str, object], fields: list[str], text: str | None) -> None:
    preset, rules = Rules.preset(HEADS_UP), Rules.preset(HEADS_UP, **changes)
    assert [name for name in rules.differences(preset) if name in fields] == fields
    assert preset.differences(rules) == rules.differences(preset)
    if text:
        assert rules.differences(preset) == fields
        assert difference_text(rules, preset, fields) == text
        assert nearest_preset(rules) == (HEADS_UP, fields)


def test_what_means_the_same_does_not_differ() -> None:
    preset = Rules.preset(HEADS_UP)
    same = {"stacks": (200, 200), "min_bet": 2, "reopen_fraction": 1.0, "burn_cards": (0, 1, 1, 1), "reward_unit": 2}
    for name, value in same.items():
        assert Rules.preset(HEADS_UP, **{name: value}).differences(preset) == [], name
    assert Rules.preset(HEADS_UP, deck=tuple(reversed(range(52)))).differences(preset) == []


def test_larger_blinds_are_a_difference_and_not_the_bets_that_follow() -> None:
    rules = Rules.preset(HEADS_UP, blinds=(2, 4), stacks=400)
    assert rules.differences(Rules.preset(HEADS_UP)) == ["blinds", "stacks"]
    assert nearest_preset(rules)[0] == HEADS_UP
