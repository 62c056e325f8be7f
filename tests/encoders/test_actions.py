"""Action encoders: what each action means, and what is masked."""

from __future__ import annotations

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules, Table
from holdem_env.encoders import get_actions
from holdem_env.encoders.actions import PotFractions
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.bet_sizes import ALL_IN, LEAST, OF_POT, TIMES_BET, Size, parse_size

HEADS_UP = Rules.preset("heads-up-no-limit")


def offers(table: Table, actions: str | None = None) -> dict[str, int]:
    """What is offered, by meaning: the engine's moves."""
    encoder = get_actions(actions, table.rules)
    choices = np.full((1, encoder.size(table.rules)), 12345, np.int64)
    encoder.choose(table.records, table.rules.record, np.zeros(1, np.int64), choices)
    meanings = encoder.meanings(table.rules)
    assert len(meanings) == encoder.size(table.rules) == encoder.space(table.rules).n
    return {meaning: int(move) for meaning, move in zip(meanings, choices[0], strict=True) if move != NO_MOVE}


TEXTS = [("min", Size(LEAST)), ("33%", Size(OF_POT, 330_000)), ("12.5 %", Size(OF_POT, 125_000))]
TEXTS += [(" Pot ", Size(OF_POT, 1_000_000)), ("2x", Size(TIMES_BET, 2_000_000)), ("2.5x", Size(TIMES_BET, 2_500_000))]
TEXTS += [("all-in", Size(ALL_IN))]


@pytest.mark.parametrize(("text", "size"), TEXTS)
def test_sizes_have_a_text_form(text: str, size: Size) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "half", "0%", "-5%", "x2", "50", "%"])
def test_bad_sizes_are_errors(text: str) -> None:
    mentions(complaint(parse_size, text), "bet size")


def test_same_size_twice_is_an_error() -> None:
    mentions(complaint(PotFractions, "50%, 50%"), "given twice")


def test_pot_fractions_before_the_flop() -> None:
    table = Table(HEADS_UP, seed=0)
    # The button calls 1 into 3, so the pot after calling is 4: 50 % raises by 2 above the bet of 2.
    others = {"fold": -1, "check or call": 0, "all-in": 200}
    raises = {"raise min": 4, "raise 100%": 6, "raise 200%": 10}
    assert offers(table) == others | raises, "50 % is the least raise again, so it is masked"
    raises = {"raise 2x": 4, "raise 3x": 6}
    assert offers(table, "2x, 3x, 33%, all-in") == others | raises, "33 % would be a raise to 3, which is not legal"


def test_no_fold_where_checking_is_free() -> None:
    table = Table(HEADS_UP, seed=0)
    table.check_call()
    assert "fold" not in offers(table)
    assert "fold" not in offers(table, "limit")
    assert table.legal.fold


def test_short_all_in_stands_under_its_own_name() -> None:
    table = Table(HEADS_UP, stacks=[200, 9], seed=0)
    table.raise_to(6)
    assert offers(table) == {"fold": -1, "check or call": 0, "all-in": 9}
    assert offers(table, "min, 100%") == {"fold": -1, "check or call": 0, "raise min": 9}


def test_fixed_limit() -> None:
    table = Table(Rules.preset("heads-up-limit"), seed=0)
    assert offers(table) == {"fold": -1, "check or call": 0, "raise": 4}
    assert offers(table, "pot_fractions") == {"fold": -1, "check or call": 0, "raise min": 4}
    assert offers(table, "50%, 100%, all-in") == {"fold": -1, "check or call": 0, "raise 50%": 4}
    for _ in range(3):
        table.raise_to(table.legal.raise_min)
    assert offers(table) == {"fold": -1, "check or call": 0}, "capped (R18)"


def test_nothing_is_offered_when_the_hand_is_over() -> None:
    table = Table(HEADS_UP, seed=0)
    table.fold()
    assert offers(table) == offers(table, "limit") == {}
