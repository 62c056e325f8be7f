"""Bet sizes beside the same in whole numbers and fractions, one by one, as the documentation has them."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from numba.core import config
from numba.core.errors import TypingError

from holdem_env import Rules, Table
from holdem_env.compiled.tricks import uses
from holdem_env.encoders import get_actions
from holdem_env.encoders.actions import PotFractions
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.bet_sizes import parse_size
from holdem_env.engine.record import column

WORDS = ["min", "all-in", "pot", "10%", "25%", "33%", "50%", "66.6667%", "75%", "150%", "12.3456%", "99.9999%"]
WORDS += ["100.0001%", "1x", "2x", "2.5x", "3.3333x", "1.000001x", "1000x", "2000%", "99999%", "0.0001%"]
DEEP = 10**11
GAMES = [
    Rules.preset("heads-up-no-limit"),
    Rules.preset("six-max-no-limit"),
    Rules.preset("heads-up-limit"),
    Rules.preset("leaflet", seats=3),
    Rules(structure="pot_limit", seats=4, blinds=(1, 2), stacks=90),
    Rules(seats=3, blinds=(25, 50), smallest_chip=25, stacks=[5000, 1225, 800]),
    Rules(seats=10, blinds=(7, 13), stacks=DEEP),
    Rules(seats=10, blinds=(DEEP // 3, DEEP // 2), stacks=DEEP),
    Rules(seats=2, blinds=(3, 6), smallest_chip=3, stacks=DEEP // 3 * 3),
]


def target(table: Table, word: str) -> int:
    """The street total that a size stands for."""
    t, rules = table.records[0], table.rules
    bets, stacks = column(table.records, "bet")[0], column(table.records, "stack")[0]
    actor, level = int(t["actor"]), int(t["bet_to_match"])
    if word == "all-in":
        return int(stacks[actor] + bets[actor])
    if word == "min" or rules.structure == "fixed_limit":
        return int(t["raise_min"])
    if word.endswith("x"):
        bet = level or int(rules.record[0]["min_bet"][t["street"]])
        wanted = Fraction(word[:-1]) * max(bet, int(rules.record[0]["min_bet"][t["street"]]))
    else:
        factor = Fraction(1) if word == "pot" else Fraction(word[:-1]) / 100
        wanted = level + Fraction(int(factor * (int(t["pot"]) + level - int(bets[actor]))))
    return int(wanted) // rules.smallest_chip * rules.smallest_chip


def expected(table: Table, words: list[str]) -> list[int]:
    """What is offered for each size: the all-in under its own name, another raise under the first that means it."""
    t = table.records[0]
    totals = [target(table, word) for word in words]
    named: set[int] = set()
    offered = []
    for word, total in zip(words, totals, strict=True):
        legal = 0 < t["raise_min"] <= total <= t["raise_max"]
        elsewhere = word != "all-in" and (("all-in" in words and total == target(table, "all-in")) or total in named)
        offered.append(total if legal and not elsewhere else NO_MOVE)
        if offered[-1] != NO_MOVE:
            named.add(total)
    return offered


def play_on(table: Table, generator: random.Random) -> None:
    """A random move, raises of all sizes among them."""
    legal = table.legal
    chip = table.rules.smallest_chip
    if legal.raise_max and generator.random() < 0.6:
        least, most = legal.raise_min // chip, legal.raise_max // chip
        few = least + (most - least) // generator.choice([1, 2, 10, 1000, 10**6])
        table.raise_to(legal.raise_max if generator.random() < 0.1 else generator.randint(least, few) * chip)
    elif generator.random() < 0.2:
        table.fold()
    else:
        table.check_call()


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}-{rules.stacks}")
def test_sizes_are_exact(rules: Rules) -> None:
    generator = random.Random(7)
    for hand in range(4 if config.DISABLE_JIT else 40):
        table = Table(rules, seed=hand)
        while not table.is_over:
            words = generator.sample(WORDS, generator.randint(1, len(WORDS)))
            if generator.random() < 0.6:  # most people write them in order
                words = sorted((word for word in words if not word.endswith("x")), key=parse_size) or ["pot"]
            encoder = PotFractions(", ".join(words))
            guarded = np.full((3, 2 + len(words)), 12345, np.int64)
            encoder.choose(table.records, rules.record, np.zeros(1, np.int64), guarded[1:2])
            assert guarded[1, 2:].tolist() == expected(table, words), (words, table)
            assert (guarded[[0, 2]] == 12345).all(), "written beside the row"
            play_on(table, generator)


def test_more_than_a_thousand_pots_is_no_size() -> None:
    PotFractions("100000%, 1000x")
    with pytest.raises(ValueError, match=r"'1000.5x': 1,000 times"):
        PotFractions("1000.5x")


def test_a_fraction_below_the_least_raise_does_not_hide_that_the_next_is_the_least() -> None:
    table = Table(Rules.preset("heads-up-no-limit"), seed=0)
    choices = np.empty((1, 6), np.int64)
    PotFractions("min, 25%, 50%, all-in").choose(table.records, table.rules.record, np.zeros(1, np.int64), choices)
    assert choices.tolist() == [[-1, 0, 4, NO_MOVE, NO_MOVE, 200]]


class Wider(PotFractions):
    """An action more than there are sizes, which a class of one's own may fill in."""

    def meanings(self, rules: Rules) -> list[str]:
        return [*super().meanings(rules), "mine"]


def test_what_lies_beyond_the_sizes_is_left_alone() -> None:
    table = Table(Rules.preset("heads-up-no-limit"), seed=0)
    choices = np.full((1, Wider("min").size(table.rules)), 12345, np.int64)
    Wider("min").choose(table.records, table.rules.record, np.zeros(1, np.int64), choices)
    assert choices.tolist() == [[-1, 0, 4, 12345]]


@pytest.mark.skipif(not uses("bet_sizes"), reason="ordinary code takes any array")
@pytest.mark.parametrize(
    "choices", [np.zeros((2, 7), np.int32), np.zeros((2, 7), np.int64, order="F")], ids=["int32", "F"]
)
def test_arrays_that_are_not_rows_of_whole_numbers_are_refused(choices: np.ndarray) -> None:
    table = Table(Rules.preset("heads-up-no-limit"), seed=0)
    with pytest.raises(TypingError, match="choices are int64 and C-contiguous"):
        PotFractions().choose(table.records, table.rules.record, np.zeros(2, np.int64), choices)


def test_twice_a_short_all_in_bet_is_twice_the_least_bet() -> None:
    table = Table(Rules.preset("six-max-no-limit", seats=3), seed=1, stacks=[200, 3, 200], button=0)
    for move in (0, 0, 0, 1):
        table.play(move)
    encoder = get_actions("min, 2x, all-in", table.game)
    choices = np.zeros((1, encoder.size(table.game)), np.int64)
    encoder.choose(table.records, table.game.record, np.zeros(1, np.int64), choices)
    assert choices[0].tolist() == [-1, 0, 3, 4, 198]
