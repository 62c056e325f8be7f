"""Chips and seats are whole numbers: a boolean or a float is refused; and a misspelt option of `reset` is."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import Rules, Session, Table, Tables, holdem_v0

RULES = Rules.preset("heads-up-no-limit")


@pytest.mark.parametrize("button", [1.5, 1.0, True, "1", np.True_])
def test_a_button_that_is_no_seat(button):
    with pytest.raises(TypeError, match=r"button: give a seat, 0\.\.1, not"):
        Table(RULES, button=button)


@pytest.mark.parametrize("stack", [True, 1.5, 100.0, None, np.True_])
def test_stacks_that_are_no_chips(stack):
    for make in (lambda: Table(RULES, stacks=[stack, 100]), lambda: Session(RULES, stacks=[stack, 100])):
        with pytest.raises(TypeError, match="stacks: give chips as integers, or big blinds such as '50bb', not"):
            make()
    with pytest.raises(TypeError, match="stacks: give chips as integers"):
        Table.from_position(RULES, [stack, 100])


@pytest.mark.parametrize("seed", [1.5, True, "1", None])
def test_seeds_of_many_tables_that_are_no_numbers(seed):
    tables = Tables(RULES, 2, seed=3)
    before = tables.records.tobytes()
    for make in (lambda: Tables(RULES, 2, seed=seed), lambda: tables.reset(seed)):
        with pytest.raises(TypeError, match=r"seed: give an integer in 0\.\."):
            make()
    assert tables.records.tobytes() == before
    assert tables.seed == 3


def test_booleans_that_mean_something_stay():
    assert Rules(seats=3, straddle=True).straddle == 200
    assert Rules(muck=False).muck is False


@pytest.mark.parametrize(("name", "right"), [("buton", "button"), ("stack", "stacks"), ("Deck", "deck")])
def test_a_misspelt_option_of_reset(name, right):
    env = holdem_v0.env(RULES)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=f"options: there is no '{name}': did you mean '{right}'"):
        env.reset(seed=2, options={name: 1})
    env.reset(seed=2, options={"somebody_elses": 1})
