"""Table.abstract_moves: the moves of bet sizes, in chips."""

from __future__ import annotations

from errors import complaint, mentions
from holdem_env import Rules, Table
from holdem_env.encoders import PotFractions, action_names
from holdem_env.solvers.trees import BetSizes

NO_LIMIT = Rules.preset("heads-up-no-limit")


def test_sizes_as_text_as_a_name_and_as_an_encoder():
    table = Table(NO_LIMIT)
    assert table.abstract_moves("50%, 100%, all-in") == [-1, 0, 4, 6, 200]
    assert table.abstract_moves("fcpa") == [-1, 0, 6, 200]
    assert table.abstract_moves(PotFractions("2.5x")) == [-1, 0, 5]
    assert table.abstract_moves() == [-1, 0, 4, 6, 10, 200]
    assert table.abstract_moves("none") == [-1, 0]


def test_sizes_by_the_number_of_wagers():
    table = Table(NO_LIMIT)
    sizes = "50% | all-in"
    assert table.abstract_moves(sizes) == [-1, 0, 4]
    table.raise_to(4)
    assert table.abstract_moves(sizes) == [-1, 0, 200]
    table.check_call()
    assert table.abstract_moves(sizes) == [0, 4]


def test_sizes_by_player_are_by_who_acts_last_after_the_flop():
    sizes = BetSizes({"ip": "pot", "oop": "all-in"})
    table = Table(NO_LIMIT)
    assert table.abstract_moves(sizes) == [-1, 0, 6]  # the button
    table.check_call()
    assert table.abstract_moves(sizes) == [0, 200]
    table = Table("six-max-no-limit")
    for fold in (True, True, False, True, True):  # the cutoff calls, button and small blind fold
        table.play(-1 if fold else 0)
    table.check_call()
    assert [table.positions[table.actor].name, table.abstract_moves(sizes)] == ["BB", [0, 198]]
    table.check_call()
    assert [table.positions[table.actor].name, table.abstract_moves(sizes)] == ["CO", [0, 5]]


def test_no_fold_where_checking_is_free_and_nothing_when_it_is_over():
    table = Table(NO_LIMIT)
    table.check_call()
    assert table.abstract_moves("pot") == [0, 6]
    table.fold()
    assert table.abstract_moves("pot") == []


def test_fixed_limit_has_one_raise_whatever_the_sizes():
    table = Table("heads-up-limit")
    for sizes in (None, "50%, 200%, all-in", "none", "limit"):
        assert table.abstract_moves(sizes) == [-1, 0, 4]


def test_actions_without_a_list_of_moves():
    assert "continuous" in action_names()
    mentions(complaint(Table(NO_LIMIT).abstract_moves, "continuous"), "continuous actions")
    mentions(complaint(Table(NO_LIMIT).abstract_moves, "fpca"), "fpca")
