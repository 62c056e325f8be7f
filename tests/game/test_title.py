"""A game's title: what it is called in the text of a table, in reprs and on the pages of games (R18)."""

from __future__ import annotations

import pytest

from holdem_env import Rules, Table
from holdem_env.game.title import game_title

FIXED = {"structure": "fixed_limit"}


@pytest.mark.parametrize(
    ("title", "fields"),
    [
        ("No limit 50/100", {}),
        ("Pot limit 5/10", {"structure": "pot_limit", "blinds": (5, 10)}),
        ("Fixed limit 15/30", FIXED | {"blinds": (10, 15)}),
        ("Fixed limit 2/4", FIXED | {"blinds": (1, 2)}),
        ("Fixed limit 4/10", FIXED | {"blinds": (1, 2), "small_bet": 4, "big_bet": 10}),
        ("No limit 50/100, ante 10", {"ante": 10}),
        ("No limit 50/100, big-blind ante 100, straddle 200", {"big_blind_ante": 100, "straddle": True}),
        ("No limit, ante 5, least bet 5", {"blinds": (0, 0), "ante": 5}),
        ("No limit 50/100 hi-lo, ante 10", {"split": "high_low", "ante": 10}),
        ("No limit 50/100, 3 hole cards, 2 of them used", {"hole_cards": 3, "hole_cards_used": 2}),
        ("No limit 50/100 Omaha", {"hole_cards": 4, "hole_cards_used": 2}),
        (
            "No limit 50/100, 36-card deck, hi-lo",
            {"deck": "".join(rank + suit for rank in "A2345678K" for suit in "cdhs"), "split": "high_low"},
        ),
    ],
)
def test_r18_titles(title, fields):
    rules = Rules(**fields)
    assert game_title(rules) == title
    assert str(Table(rules, seed=1)).startswith(f"{title}  preflop")
    assert f"6 seats, {title}, street 0" in repr(Table(rules, seed=1))


TITLES_OF_PRESETS = [("Fixed limit 2/4 hi-lo", "holdem-hi-lo"), ("Pot limit 1/2 Omaha", "omaha")]
TITLES_OF_PRESETS += [("Fixed limit 2/4 Omaha hi-lo", "omaha-hi-lo")]
TITLES_OF_PRESETS += [("Fixed limit 100/100 flop hold'em", "flop-holdem")]
TITLES_OF_PRESETS += [("No limit 1/2 short deck, ante 1", "short-deck"), ("Fixed limit 1 Kuhn, ante 1", "kuhn")]


@pytest.mark.parametrize(("title", "preset"), TITLES_OF_PRESETS)
def test_r18_titles_of_presets(title, preset):  # those of all presets stand in docs/games
    assert game_title(Rules.preset(preset)) == title


def test_r19_a_phase_has_its_own_title():
    phases = [{"structure": "fixed_limit", "blinds": (10, 15), "hands": 1}, {"hands": 1}]
    rules = Rules(blinds=(5, 10), stacks=1000, session={"phases": phases})
    assert [game_title(stage) for stage in rules.stages] == ["Fixed limit 15/30", "No limit 5/10"]
