"""Hands with a dealer's error (R33-R38) are not written as if nothing had happened."""

from __future__ import annotations

import pytest

from holdem_env import DealerErrors, Rules, Table
from holdem_env.history import acpc, phh
from holdem_env.history.errors import HistoryError

ERRORS = [
    ({"exposed_hole_card": 0}, "a hole card was exposed"),
    ({"exposed_hole_card": 3}, "a hole card was exposed"),
    ({"extra_card": 1}, "a card too many"),
    ({"extra_card": 2}, "a card too many"),
    ({"premature_flop": True}, "before the betting was complete"),
    ({"premature_flop": 2}, "before the betting was complete"),
    ({"premature_turn": 1}, "before the betting was complete"),
    ({"premature_turn": True}, "before the betting was complete"),
    ({"premature_river": True}, "before the betting was complete"),
    ({"flop_too_many": True}, "the flop had too many cards"),
]


def played(rules: Rules, **message: object) -> Table:
    table = Table(rules, seed=3, **message)
    while not table.is_over:
        table.check_call()
    return table


@pytest.mark.parametrize(("errors", "words"), ERRORS)
def test_a_hand_with_an_error_is_refused(errors, words):
    table = played(Rules(seats=3), dealer_errors=errors)
    for dumps in (phh.dumps, acpc.dumps):
        with pytest.raises(HistoryError, match=f"cannot express a dealer's error: .*{words}"):
            dumps(table)


@pytest.mark.parametrize("probability", [0, 0.02])
def test_a_hand_without_an_error_is_written_as_ever(probability):
    plain = played(Rules(seats=3))
    table = played(Rules(seats=3, dealer_errors=DealerErrors(flop_too_many=probability)))
    assert table.log == plain.log
    assert phh.dumps(table) == phh.dumps(plain)
    assert acpc.dumps(table) == acpc.dumps(plain)
    assert acpc.game_definition(table) == acpc.game_definition(plain)


def test_an_error_that_came_to_nothing_does_not_hinder():
    table = Table(Rules(seats=3), seed=3, dealer_errors={"flop_too_many": True, "premature_river": 1})
    table.fold()
    table.fold()
    assert "p1 f" in phh.dumps(table)


def test_cards_that_came_on_time_do_not_hinder():
    seen = {"premature_flop": 3, "premature_turn": 3, "premature_river": 3}
    table = played(Rules(seats=3), dealer_errors=seen)
    assert phh.dumps(table) == phh.dumps(played(Rules(seats=3)))
