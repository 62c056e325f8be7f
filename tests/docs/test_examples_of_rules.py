"""The rulebook's examples (docs/rules.md) that tests/rules does not play."""

from __future__ import annotations

import pytest

from holdem_env import IllegalMove, Rake, Rules, Table
from rules.playing import BEST, POOR, A, B, C, asks, check_down, deal, deeds, flop, pots

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")


def test_r13_the_leaflets_game():
    rules = Rules.preset("leaflet")
    assert (rules.starting_stacks[0], rules.smallest_chip, rules.blinds) == (20 * 5 + 15 * 10 + 15 * 25, 5, (5, 10))
    table = Table(rules, seed=1)
    with pytest.raises(IllegalMove, match="smallest chip"):
        table.raise_to(22)
    table.raise_to(25)


def test_r17_a_pot_below_the_minimum_bet():
    table = flop([500, 500], min_bet=50, structure="pot_limit")
    assert pots(table) == [(40, (A, B))]
    asks(table, A, call=0, exactly=50)


def test_r26_what_a_short_ante_cannot_match_goes_back():
    table = deal([500, 6], ante=10, holes={A: BEST, B: POOR})
    assert deeds(table, "return_uncalled", "push_pot") == ["A return_uncalled 24", "A push_pot 12 of 0"]


def test_r31_a_big_blind_ante_is_raked():
    assert check_down(deal([500] * 3, big_blind_ante=20, rake=Rake(percent=10))).rake == 8


def test_r40_where_the_chips_are():
    table = deal([500] * 3, rake=Rake(percent=10), holes={A: POOR, B: BEST, C: "3s4h"})
    table.check_call()
    table.fold()
    table.check_call()
    assert (table.stacks, sum(pot.amount for pot in table.pots)) == ([490, 480, 480], 50)
    check_down(table)
    assert (table.stacks, table.rake) == ([490, 525, 480], 5)
