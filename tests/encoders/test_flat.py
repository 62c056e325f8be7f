"""The `flat` observation: every number stands where the layout says it does."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from encoders.seeing import observe
from holdem_env import Rules, Table
from holdem_env.encoders import get_observation

FLAT = get_observation("flat")
RULES = Rules(seats=3, blinds=(1, 2), stacks=200)


def see(table: Table, seat: int) -> dict[str, NDArray[np.float32]]:
    """The observation of a seat, by the meanings in the layout."""
    seen = observe(FLAT, table, seat)
    return {meaning: seen[first:last] for meaning, first, last in FLAT.layout(table.rules)}


def amount(chips: int) -> float:
    """An amount as `flat` writes it, for a big blind of 2."""
    return pytest.approx(chips / (chips + 40))


def test_cards_street_and_place() -> None:
    table = Table(RULES, button=1, deck="2cAsKs 2dAhKh 3c QcJcTc".replace(" ", ""))
    for seat, cards in ((2, (0, 1)), (0, (51, 50)), (1, (47, 46))):
        seen = see(table, seat)
        assert sorted(np.flatnonzero(seen["own card, by 4 * rank + suit"])) == sorted(cards)
        assert not seen["board card, by 4 * rank + suit"].any()
        assert seen["street"].tolist() == [1, 0, 0, 0]
        assert np.argmax(seen["own place, seats clockwise from the button"]) == (seat - 1) % 3
    table.check_call(), table.check_call(), table.check_call()
    seen = see(table, 0)
    assert np.flatnonzero(seen["board card, by 4 * rank + suit"]).tolist() == [32, 36, 40]
    assert seen["street"].tolist() == [0, 1, 0, 0]


def test_chips_and_betting() -> None:
    table = Table(RULES, button=0, seed=1)
    table.raise_to(6)  # the button; the blinds are in seats 1 and 2
    seen = see(table, 1)
    assert seen["own stack"] == amount(199)
    assert seen["own street bet"] == amount(1)
    assert seen["opponent 2's street bet"] == amount(6)
    assert seen["opponent 2's last wager on the street"] == 1
    assert seen["opponent 2's raises on street 0, 4 or more = 1"] == pytest.approx(0.25)
    assert seen["opponent 1's chips put in on street 0"] == amount(2)
    assert seen["own turn to act"] == 1
    assert seen["pot"] == amount(9)
    assert seen["to call (0 unless to act, as all that follow)"] == amount(5)
    assert seen["to call / pot after the call"] == pytest.approx(5 / 14)
    assert seen["stack / (stack + pot after the call)"] == pytest.approx(199 / 213)
    assert seen["right to raise"] == 1
    assert seen["least raise to"] == amount(10)
    assert seen["greatest raise to"] == amount(200)
    table.fold()
    seen = see(table, 1)
    assert seen["own hand is live"] == 0
    assert seen["live players / seats"] == pytest.approx(2 / 3)
    assert seen["right to raise"] == 0
    assert seen["to call (0 unless to act, as all that follow)"] == 0


def test_all_in_and_no_right_to_raise() -> None:
    table = Table(RULES, stacks=[200, 30, 200], button=0, seed=1)
    table.raise_to(20), table.raise_to(30), table.fold()  # a short all-in: no right to raise again (R21)
    seen = see(table, 0)
    assert seen["opponent 1's all-in"] == 1
    assert seen["right to raise"] == 0
    assert seen["to call (0 unless to act, as all that follow)"] == amount(10)
