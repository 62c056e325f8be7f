"""The `equity` observation, and stacks of several."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from encoders.seeing import ONE_ROW, observe
from errors import complaint, mentions
from holdem_env import Rules, Table, Tables
from holdem_env.encoders import Stack, get_observation, observation_encoder

RULES = Rules(seats=3, blinds=(1, 2), stacks=200)


def equity(deck: str, streets: int, seat: int = 1) -> list[float]:
    """What the first seat dealt to sees when everybody has called on `streets` streets."""
    table = Table(RULES, button=0, deck=deck.replace(" ", ""))
    while table.street < streets:
        table.check_call()
    return [round(float(number), 3) for number in observe("equity", table, seat)]


def test_before_the_flop() -> None:
    share, power, made, gain, spread = equity("As 2c 2d Ah 3c 3d", 0)
    assert share == made == pytest.approx(0.852, abs=0.001), "aces against a random hand"
    assert power == pytest.approx(0.852**2, abs=0.002)
    assert gain == 0.5
    assert 0 < spread < 1
    assert equity("7s 2c 2d 2h 3c 3d", 0)[0] == pytest.approx(0.346, abs=0.001), "seven and deuce, offsuit"


def test_potential_of_a_draw() -> None:
    share, _, made, gain, spread = equity("As 2c 2d Ks 3c 3d 4c Qs7s2h", 1)
    assert share > made + 0.05
    assert gain == pytest.approx(0.5 + 0.5 * (share - made), abs=0.001)
    assert spread > 0.4
    nuts = equity("As 2c 2d Ks 3c 3d 4c QsJsTs", 1)
    assert nuts == [1, 1, 1, 0.5, 0], "a royal flush"


def test_river_is_exact() -> None:
    deck = "As 2c 2d Ks 3c 3d 4c Qs7s2h 4d 9c 4h 9d"
    share, _, made, gain, spread = equity(deck, 3)
    assert share == made
    assert (gain, spread) == (0.5, 0)


def test_opponents_count_while_they_are_live() -> None:
    table = Table(RULES, button=0, seed=1)
    before = observe("equity", table, 1)
    table.fold()
    after = observe("equity", table, 1)
    assert after[0] == before[0]
    assert after[1] == pytest.approx(float(before[0]))
    assert before[1] == pytest.approx(float(before[0]) ** 2)


def test_other_games_are_an_error() -> None:
    four = Rules(seats=2, blinds=(1, 2), hole_cards=3, board_cards=(0, 2), max_raises=None)
    for make in (lambda: Tables(four, 2, observation="equity"), lambda: Tables(four, 2, observation="flat+equity")):
        mentions(complaint(make), 3, 0, 2)


def test_a_stack_is_its_parts() -> None:
    names = ["flat", "planes", "equity", "tokens"]
    stack = Stack(*map(get_observation, names))
    table = Table(RULES, button=0, seed=5)
    table.raise_to(6)
    seen = observe(stack, table, 2)
    parts = [observe(name, table, 2).ravel() for name in names]
    np.testing.assert_array_equal(seen, np.concatenate(parts))
    layout = {meaning: (first, last) for meaning, first, last in stack.layout(RULES)}
    first, last = layout["planes: own cards"]
    assert seen[first:last].sum() == 2
    assert last - first == 52
    assert layout["flat: own card, by 4 * rank + suit"] == (0, 52)
    assert stack.space(RULES).contains(seen)
    assert stack.name == "flat+planes+equity+tokens"


def test_stacks_of_stacks_and_own_encoders() -> None:
    @observation_encoder(size=1, low=-5, high=1e6)
    def pot(t, r, seat, out):  # type: ignore[no-untyped-def]
        out[0] = t.pot

    stack = Stack(get_observation("flat+equity"), pot)
    tables = Tables(RULES, 300, observation=stack)
    assert tables.observation.shape == (300, 165 + 5 + 1)
    assert tables.observation[:, -1].tolist() == [3] * 300
    assert stack.space(RULES).low[-1] == -5
    for twin in (copy.deepcopy(stack), stack):
        assert twin.name == "flat+equity+pot"
        assert observe(twin, Table(RULES, seed=0), 0)[-1] == 3


def test_stacks_know_the_rules_they_were_asked_about() -> None:
    stack = get_observation("flat+equity")
    with pytest.raises(RuntimeError, match=r"call size\(rules\)"):
        stack.observe(Table(RULES).records, RULES.record, ONE_ROW, ONE_ROW, np.zeros((1, 170), np.float32))
    small, large = Rules(seats=2), Rules(seats=6)
    for rules in (small, large, small):
        assert observe(stack, Table(rules), 0).shape == (stack.size(rules),)
    stack = pickle.loads(pickle.dumps(stack))
    assert observe(stack, Table(small), 0).shape == (stack.size(small),)
    mentions(complaint(Stack), "at least one")
