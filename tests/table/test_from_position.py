"""Hands that begin in the middle: `Table.from_position`."""

from __future__ import annotations

from typing import Any

import pytest

from holdem_env import Rules, Table

RULES = Rules(seats=3, blinds=(50, 100))


@pytest.mark.parametrize(("board", "street"), [("AsKd2c", 1), ("AsKd2c7h", 2), ("AsKd2c7h7s", 3)])
def test_begins_on_the_street_of_the_board(board: str, street: int) -> None:
    table = Table.from_position(RULES, [1000, 2000, 500], board, pot=600, button=1, seed=0)
    assert table.street == street
    assert table.board == board
    assert table.actor == 2, "left of the button"
    assert table.bets == [0, 0, 0]
    assert [pot.amount for pot in table.pots] == [600]
    assert table.legal == (True, 0, 100, 500)


def test_plays_to_the_end_for_the_pot() -> None:
    hole_cards = {0: "AhAd", 1: "KhKc", 2: "3c4c"}
    table = Table.from_position(RULES, [1000, 2000, 500], "AsKd2c7h7s", pot=600, hole_cards=hole_cards)
    assert [table.hole_cards(seat) for seat in range(3)] == ["AhAd", "KhKc", "3c4c"]
    table.raise_to(300)
    table.fold()
    table.check_call()
    assert table.payoffs == [900, -300, 0]


def test_known_deck_places_follow_r4() -> None:
    table = Table.from_position(RULES, [500, 0, 500], "AsKd2c", hole_cards={2: "QhJh"}, button=0)
    assert table.hole_cards(2) == "QhJh"
    assert table.deck[0] == table.hole_cards(2)[0], (
        "the first card goes to the first seat left of the button that plays"
    )
    assert table.deck[5:8] == "AsKd2c", "two cards each for two players, a burned card, the flop"
    assert table.is_folded(1)


def test_before_the_flop_the_blinds_are_posted() -> None:
    table = Table.from_position(RULES, [1000, 1000, 1000], pot=30, seed=1)
    assert table.bets == [0, 50, 100]
    table.fold(), table.fold()
    assert table.payoffs == [0, -50, 80]


def test_pot_limit_counts_the_pot() -> None:
    rules = Rules(structure="pot_limit", seats=2, blinds=(5, 10))
    table = Table.from_position(rules, [1000, 1000], "AsKd2c", pot=100)
    assert table.legal.raise_max == 100  # R17


def test_same_seed_same_cards() -> None:
    first, second = (Table.from_position(RULES, [500] * 3, "AsKd2c", seed=5) for _ in range(2))
    assert first.deck == second.deck


BAD_POSITIONS = [({"board": "AsKd"}, "2 cards; a street begins with one of")]
BAD_POSITIONS += [({"board": "AsAsKd"}, "As is at positions"), ({"pot": -1}, "pot: -1")]
BAD_POSITIONS += [({"stacks": [500, 0, 0]}, "two seats with chips"), ({"stacks": [500, 500]}, "each of the 3 seats")]
BAD_POSITIONS += [({"hole_cards": {1: "As"}}, "seat 1 has As; give 2 cards")]
BAD_POSITIONS += [({"hole_cards": {1: "As2c"}}, "2c is at positions"), ({"button": 3}, "no seat 3")]


@pytest.mark.parametrize(("changes", "message"), BAD_POSITIONS)
def test_bad_positions(changes: dict[str, Any], message: str) -> None:
    position = {"stacks": [500, 500, 500], "board": "2cKd7h", **changes}
    with pytest.raises(ValueError, match=message):
        Table.from_position(RULES, **position)
