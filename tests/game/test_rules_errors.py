"""Rules that cannot be, each an error that names the field, what was wrong and what would be right."""

from __future__ import annotations

import copy
import math
import pickle
import warnings
from typing import Any

import pytest

from errors import complaint, mentions
from holdem_env import Rake, Rules
from holdem_env.engine.record import MAX_STACK


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"structure": "spread_limit"}, ["structure", "fixed_limit", "pot_limit", "no_limit"]),
        ({"structure": "nolimit"}, ["structure: there is no 'nolimit': did you mean 'no_limit'"]),
        ({"seats": 1}, ["seats", 2]),
        ({"seats": 11}, ["seats", 10]),
        ({"seats": 2.5}, ["seats", "integer"]),
        ({"blinds": (100, 50)}, ["blinds", 100, 50]),
        ({"blinds": (-1, 50)}, ["blinds"]),
        ({"blinds": (1, 2, 3)}, ["blinds"]),
        ({"blinds": 100}, ["blinds", "give (small, big) in chips, such as (50, 100), not 100"]),
        ({"blinds": (True, 2)}, ["give chips, not True"]),
        ({"blinds": (0.5, 1)}, ["blinds", "integer"]),
        ({"ante": -1}, ["ante", 0]),
        ({"ante": True}, ["give chips, not True"]),
        ({"ante": MAX_STACK + 1}, ["ante", MAX_STACK]),
        ({"big_blind_ante": -1}, ["big_blind_ante", 0]),
        ({"big_blind_ante": 5, "blinds": (0, 0)}, ["big_blind_ante", "big blind"]),
        ({"straddle": -1}, ["straddle", 0]),
        ({"straddle": 100}, ["straddle", 100, 200]),
        ({"straddle": 200, "seats": 2}, ["straddle", "three"]),
        ({"small_bet": 50}, ["small_bet", "fixed_limit", "min_bet"]),
        ({"big_bet": 50}, ["big_bet", "fixed_limit", "min_bet"]),
        ({"structure": "fixed_limit", "small_bet": 0}, ["small_bet", 0]),
        ({"structure": "fixed_limit", "small_bet": 100, "big_bet": 50}, ["bets"]),
        ({"structure": "fixed_limit", "min_bet": 50}, ["min_bet", "small_bet"]),
        ({"min_bet": 0}, ["min_bet", 0]),
        ({"min_bet": (100, 100)}, ["min_bet", 4, 2]),
        ({"min_bet": (200, 100, 100, 100)}, ["bets"]),
        ({"max_raises": (3, 4)}, ["max_raises", 4, 2]),
        ({"max_raises": (3, 4, 4, -1)}, ["max_raises", 0]),
        ({"max_raises": 3}, ["max_raises", "one number for each street, such as (3, 4, 4, 4), or None", "not 3"]),
        ({"uncapped_heads_up": "always"}, ["uncapped_heads_up", "never", "at_start", "when_two_left"]),
        ({"reopen": "loose"}, ["reopen", "cumulative", "strict"]),
        ({"reopen_fraction": 0}, ["reopen_fraction", 0]),
        ({"reopen_fraction": 1.5}, ["reopen_fraction", 1]),
        ({"reopen_fraction": math.nan}, ["reopen_fraction"]),
        ({"smallest_chip": 0}, ["smallest_chip", 0]),
        ({"smallest_chip": True}, ["give chips, not True"]),
        ({"smallest_chip": 30}, ["smallest chip", 30, 50]),
        ({"smallest_chip": 50, "stacks": 1010}, ["smallest chip", "stacks", 1010]),
        ({"smallest_chip": 50, "ante": 25}, ["smallest chip", "ante", 25]),
        ({"smallest_chip": 50, "big_blind_ante": 25}, ["smallest chip", "big_blind_ante", 25]),
        ({"smallest_chip": 50, "straddle": 210}, ["smallest chip", "straddle", 210]),
        ({"smallest_chip": 50, "min_bet": 110}, ["smallest chip", 110]),
        ({"smallest_chip": 50, "rake": {"percent": 5, "cap": 40}}, ["smallest chip", "rake", 40]),
        ({"rake": -1}, ["rake", 0]),
        ({"rake": 101}, ["rake", 100]),
        ({"rake": {"percent": 5, "cap": -1}}, ["rake", "cap", 0]),
        ({"rake": {"cap": 3}}, ["rake", "percent"]),
        ({"rake": "a lot"}, ["rake"]),
        ({"muck": "maybe"}, ["muck"]),
        ({"showing": "by hand"}, ["showing", "automatic", "manual"]),
        ({"face_up_all_in": 7}, ["face_up_all_in"]),
        ({"split": "low"}, ["split", "high", "high_low"]),
        ({"split": "high_low", "deck": tuple(range(24, 52))}, ["split", "five different ranks", "8, A"]),
        ({"stacks": 0}, ["stacks", 0]),
        ({"stacks": True}, ["give chips, not True"]),
        ({"stacks": (True, 50), "seats": 2}, ["give chips, not True"]),
        ({"stacks": (100, 100)}, ["stacks", 6, 2]),
        ({"stacks": (100, 100, 100, 100, 100, 0)}, ["stacks", 0]),
        ({"stacks": MAX_STACK + 1}, ["stacks", MAX_STACK]),
        ({"deck": "AsAs"}, ["deck", "As"]),
        ({"deck": "AsKdXx"}, ["Xx"]),
        ({"deck": (0, 1, 52)}, ["deck", 52]),
        ({"deck": "AsKdQh"}, ["deck", 6, 20, 3]),
        ({"hole_cards": 0}, ["hole_cards", 1]),
        ({"hole_cards": 5}, ["hole_cards", 4]),
        ({"hole_cards": 4}, ["best five of 5 to 7 cards", "this game has 9 cards"]),
        ({"hole_cards": 1, "board_cards": (0, 3)}, ["this game has 4 cards", "ranking='pair'"]),
        ({"hole_cards_used": 3}, ["hole_cards_used: 3 of 2 hole cards", "None", "or 1 to 2"]),
        ({"hole_cards_used": 0}, ["hole_cards_used: 0 of 2 hole cards"]),
        ({"hole_cards": 4, "hole_cards_used": 1, "board_cards": (0, 3)}, ["4 of 3 board cards", "or 2 to 4"]),
        ({"hole_cards": 4, "hole_cards_used": 2, "board_cards": (0, 1, 1)}, ["hole_cards_used", "3 of 2 board cards"]),
        ({"board_cards": (0, 3, 1, 2)}, ["board", 5, 6]),
        ({"board_cards": ()}, ["board_cards", 0]),
        ({"board_cards": 5}, ["board_cards", "one number for each street"]),
        ({"board_cards": (0, 1, 1, 1, 1)}, ["board_cards", 5, 4]),
        ({"board_cards": (0, -1, 3, 1)}, ["board_cards", 0]),
        ({"burn_cards": (0, 1)}, ["burn_cards", 4, 2]),
        ({"burn_cards": 1}, ["burn_cards", "one number for each street"]),
        ({"burn_cards": (0, 2, 1, 1)}, ["burn_cards", 1]),
        ({"first_to_act": ("left_of_button",)}, ["first_to_act", 4, 1]),
        ({"first_to_act": "after_blinds"}, ["first_to_act", "for each street"]),
        ({"first_to_act": ("somebody",) * 4}, ["first_to_act", "after_blinds", "left_of_button"]),
        ({"ranking": "badugi"}, ["ranking", "standard", "short_deck", "pair"]),
        ({"ranking": "short_deck"}, ["ranking", "short_deck is for decks from the six up; this one holds 2, 3, 4, 5"]),
        ({"ranking": "pair"}, ["ranks hands of 1 or 2 cards in all; this game has 2 hole cards, 5 board cards"]),
        ({"ranking": "pair", "hole_cards": 1, "hole_cards_used": 1, "board_cards": (0, 1)}, ["hole_cards_used=1"]),
        ({"dealer_errors": {"premature_flop": 1.5}}, ["dealer_errors", "premature_flop", 1]),
        ({"dealer_errors": {"extra_card": -0.1}}, ["dealer_errors", "extra_card", 0]),
        ({"dealer_errors": {"premature_flopp": 1}}, ["DealerErrors", "premature_flopp", "did you mean"]),
        ({"dealer_errors": {}, "board_cards": (0, 2, 2, 1)}, ["dealer_errors", "R33", "board_cards"]),
        ({"dealer_errors": {}, "burn_cards": (0, 1, 0, 1)}, ["dealer_errors", "R33", "burn_cards"]),
        ({"dealer_errors": {}, "deck": tuple(range(21))}, ["deck", 22, 21]),
        ({"reward_unit": "small_blind"}, ["reward_unit", "big_blind", "chips"]),
        ({"reward_unit": 0}, ["reward_unit", 0]),
        ({"session": {"first_button": 7}}, ["session", "first_button", 7, "0..5"]),
        ({"session": "cash"}, ["session"]),
        ({"session": {"kind": "cahs"}}, ["session", "kind", "did you mean 'cash'"]),
    ],
    ids=lambda value: " ".join(f"{k}={v}" for k, v in value.items())[:60] if isinstance(value, dict) else "",
)
def test_a_rule_out_of_range(fields, words):
    mentions(complaint(Rules, **fields), *words)


@pytest.mark.parametrize(
    ("preset", "words"),
    [
        ("omaha", "preset: for a named game, use Rules.preset('omaha')"),
        ("omahaa", "use Rules.preset('heads-up-no-limit') ('omahaa': did you mean 'omaha'?)"),
        (3, "use Rules.preset('heads-up-no-limit')"),
    ],
)
def test_a_preset_is_no_field(preset, words):
    mentions(complaint(Rules, preset=preset), words)


def test_every_rule_has_a_case_above():
    (cases,) = (mark.args[1] for mark in test_a_rule_out_of_range.pytestmark if mark.name == "parametrize")
    assert {name for fields, _ in cases for name in fields} == set(Rules.model_fields)


@pytest.mark.parametrize(
    ("typo", "right"),
    [("struckture", "structure"), ("seat", "seats"), ("blind", "blinds"), ("smalest_chip", "smallest_chip")],
)
def test_a_misspelt_rule_suggests_the_right_one(typo, right):
    mentions(complaint(Rules, **{typo: 1}), typo, "did you mean", right)
    mentions(complaint(Rules.preset, "leaflet", **{typo: 1}), typo, right)


@pytest.mark.parametrize(("typo", "right"), [("leaflett", "leaflet"), ("pluribus", "pluribus-6max")])
def test_an_unknown_preset_suggests_the_nearest(typo, right):
    mentions(complaint(Rules.preset, typo), typo, right)


def test_rules_cannot_be_changed():
    rules = Rules()
    complaint(setattr, rules, "seats", 3)
    complaint(rules.record["seats"].__setitem__, 0, 3)
    assert rules == Rules()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("omaha", r"give fields by name, such as Rules\(seats=2\); for a named game, use Rules\.preset\('omaha'\)"),
        ("heads-up", r"use Rules\.preset\('heads-up-no-limit'\) \('heads-up': did you mean"),
        ({"seats": 2}, "give fields by name"),
    ],
)
def test_fields_have_names(given: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        Rules(given)


def test_lists_are_tuples_and_numbers_may_be_text() -> None:
    assert Rules(blinds=[1, 2], max_raises=None, reward_unit="50").blinds == (1, 2)


def test_copies_are_made_as_ever() -> None:
    rules = Rules(seats=3, rake=Rake(percent=0.5))
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules.model_copy() == rules
    assert Rules.model_validate_json(rules.model_dump_json()) == rules


def test_a_rake_of_less_than_a_percent_may_be_a_mistake() -> None:
    with pytest.warns(UserWarning, match="rake=0.05 is 0.05 percent; for 5 percent give 5, ") as caught:
        rules = Rules(rake=0.05)
    assert caught[0].filename == __file__
    assert rules.rake == Rake(percent=0.05)


@pytest.mark.parametrize("rake", [None, 0, 1, 5, 2.5, Rake(percent=0.05), {"percent": 0.05}])
def test_a_rake_that_is_meant(rake: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Rules(rake=rake).replace(seats=2)
