"""BetSizes: menus by player, by street and by wager, as text and as plain data."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.encoders import PotFractions
from holdem_env.solvers.trees import BetSizes

NO_LIMIT = Rules.preset("heads-up-no-limit")


def test_one_text_is_for_all_streets_and_a_bar_separates_wagers():
    sizes = BetSizes("50%, 100%, ALL-IN |100% ,all-in| all-in")
    assert [sizes.menus(street, 0) for street in range(4)] == [("50%, 100%, all-in", "100%, all-in", "all-in")] * 4
    assert BetSizes(["50%, 100%, all-in", "100%, all-in", "all-in"]) == sizes


def test_streets_by_name_by_number_and_all_others():
    sizes = BetSizes({"preflop": "2.5x | 3x", 2: "50%", "3": "75%", "all": "pot"})
    assert [sizes.menus(street, 0) for street in range(4)] == [("2.5x", "3x"), ("pot",), ("50%",), ("75%",)]


def test_most_wagers_leaves_the_all_in():
    assert BetSizes("50% | 100%", most_wagers=3).menus(0, 1) == ("50%", "100%", "100%", "all-in")
    assert BetSizes({"all": "50% | 100%", "most_wagers": 1}).menus(0, 1) == ("50%", "all-in")
    assert BetSizes("50%", most_wagers=0).menus(3, 0) == ("all-in",)


def test_each_player_has_its_sizes():
    sizes = BetSizes({"ip": {"flop": "50%", "all": "pot"}, "oop": ["75%", "all-in"], "most_wagers": 2})
    assert sizes.menus(1, player=0) == ("50%", "50%", "all-in")
    assert sizes.menus(3, player=0) == ("pot", "pot", "all-in")
    assert sizes.menus(1, player=1) == ("75%", "all-in", "all-in")
    own_limit = BetSizes({"ip": {"all": "50%", "most_wagers": 1}, "oop": "50%"}, most_wagers=0)
    assert [own_limit.menus(3, player) for player in range(2)] == [("50%", "all-in"), ("all-in",)]
    assert BetSizes({"ip": "50%", "oop": ["50%"]}) == BetSizes("50%")
    assert BetSizes({"ip": "50%", "oop": "75%"}) != BetSizes({"ip": "75%", "oop": "50%"})


SIZES = ["50%, all-in", "none", ["50%", "all-in"], {"flop": "50%", "turn": ["60%", "pot"], "river": "min"}]
SIZES += [{"all": "50% | pot", "river": "all-in", "most_wagers": 4}, {"ip": "50%, all-in", "oop": "75%"}]
SIZES += [{"ip": ["50%", "none"], "oop": {"flop": "none", 2: "pot", "river": "min", "most_wagers": 3}}]
SIZES += [{"ip": "50%", "oop": "75%", "most_wagers": 2}]


@pytest.mark.parametrize("given", SIZES)
def test_config_gives_the_same_sizes_back(given):
    sizes = BetSizes.parse(given)
    again = BetSizes.parse(sizes.config())
    assert again == sizes
    assert hash(again) == hash(sizes)
    assert eval(repr(sizes)) == sizes
    assert BetSizes.parse(sizes) is sizes


def test_unequal_sizes():
    assert BetSizes("50%") != BetSizes("51%")
    assert BetSizes("50%") != BetSizes("50%", most_wagers=2)
    assert BetSizes("50%") != "50%"
    assert BetSizes.parse(None) == BetSizes()


def test_kernels_read_what_the_action_encoder_has():
    arrays = BetSizes("50%, 100%, all-in | 2.5x").arrays(NO_LIMIT)
    assert arrays.sizes.shape == (2, 4, 2, 3, 3)
    assert (arrays.sizes[:, 1, 0] == PotFractions("50%, 100%, all-in").parameters).all()
    assert (arrays.sizes[:, 3, 1, :, :1] == PotFractions("2.5x").parameters).all()
    assert arrays.flags[:, :, :, 0].tolist() == [[[True, False]] * 4] * 2
    assert arrays.flags.dtype == np.bool_
    by_player = BetSizes({"ip": "2.5x", "oop": "50%, 100%, all-in | 2.5x"}).arrays(NO_LIMIT)
    assert (by_player.sizes[1] == arrays.sizes[1]).all()
    assert (by_player.sizes[0, :, :, :, :1] == PotFractions("2.5x").parameters).all()
    assert by_player.flags[:, 3, :, 0].tolist() == [[False, False], [True, False]]


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("50%, tiny", ValueError, "'tiny'"),
        ("50% | ", ValueError, "bet size ''"),
        ("50%, 50%", ValueError, "given twice"),
        ("none, 50%", ValueError, "'none'"),
        ({"flopp": "50%"}, ValueError, "did you mean 'flop'"),
        ({4: "50%"}, ValueError, "no street 4"),
        ({"flop": "50%", 1: "60%"}, ValueError, "flop is given twice"),
        ({}, ValueError, "there are none"),
        ({"all": "50%", "most_wagers": -1}, ValueError, "most_wagers: -1"),
        ({"all": "50%", "most_wagers": "two"}, ValueError, "most_wagers: 'two'"),
        (0.5, TypeError, "not 0.5"),
        ([], TypeError, "give a text"),
        ({"flop": 0.5}, TypeError, "bet sizes of flop"),
        ({"ip": "50%"}, ValueError, "oop must be given"),
        ({"oop": {"flop": "50%"}, "river": "50%"}, ValueError, "ip must be given"),
        ({"ip": "50%", "oop": "75%", "flop": "50%"}, ValueError, "beside ip and oop there is no 'flop'"),
        ({"ip": {"flopp": "50%"}, "oop": "75%"}, ValueError, "bet sizes of ip: there is no street 'flopp'"),
        ({"ip": "50%", "oop": {"flop": "50%", 1: "60%"}}, ValueError, "bet sizes of oop: flop is given twice"),
        ({"ip": "50%", "oop": {"ip": "50%"}}, ValueError, "bet sizes of oop: there is no street 'ip'"),
        ({"ip": "50%", "oop": {"all": "50%", "most_wagers": -1}}, ValueError, "most_wagers of oop: -1"),
        ({"ip": "50%", "oop": 0.75}, TypeError, "bet sizes of oop of all: give a text"),
        ({"IP": "50%", "OOP": "75%"}, ValueError, "did you mean 'ip'"),
        (", ".join(f"{k}%" for k in range(1, 130)), ValueError, "at most 100"),
    ],
)
def test_sizes_that_cannot_be(given, error, words):
    with pytest.raises(error, match=words):
        BetSizes(given)
