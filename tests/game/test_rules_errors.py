"""Rules given in another form than theirs: the error says what is right."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import pytest
from pydantic import ValidationError

from holdem_env import Rake, Rules


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"preset": "omaha"}, r"preset: for a named game, use Rules\.preset\('omaha'\)"),
        ({"preset": "omahaa"}, r"use Rules\.preset\('heads-up-no-limit'\) \('omahaa': did you mean 'omaha'\?\)"),
        ({"preset": 3}, r"use Rules\.preset\('heads-up-no-limit'\)"),
        ({"blinds": 100}, r"give \(small, big\) in chips, such as \(50, 100\), not 100"),
        ({"blinds": "50/100"}, r"give \(small, big\) in chips, such as \(50, 100\), not '50/100'"),
        ({"max_raises": 3}, r"max_raises\n.*one number for each street, such as \(3, 4, 4, 4\), or None .*, not 3"),
        ({"board_cards": 5}, "board_cards\n.*one number for each street"),
        ({"burn_cards": 1}, "burn_cards\n.*one number for each street"),
        ({"first_to_act": "after_blinds"}, "first_to_act\n.*for each street"),
        ({"structure": "nolimit"}, "structure: there is no 'nolimit': did you mean 'no_limit'"),
        ({"structure": "backgammon"}, "Input should be 'fixed_limit', 'pot_limit' or 'no_limit'"),
        ({"split": "hilo"}, "did you mean 'high_low'"),
        ({"ranking": "shortdeck"}, "did you mean 'short_deck'"),
        ({"session": {"kind": "cahs"}}, "session\n.*kind: .*did you mean 'cash'"),
        ({"reward_unit": "bigblind"}, "did you mean 'big_blind'"),
    ],
)
def test_what_is_right(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Rules(**fields)


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
