"""Kuhn's and Leduc poker against OpenSpiel: the whole tree, every deal and every move, decision by decision."""

from __future__ import annotations

from math import factorial

import pytest

from differential.small_games import Pair
from holdem_env import Rules


def test_kuhn_poker_is_openspiels():
    # 6 deals; 4 decisions and 5 ends in each.
    assert Pair(Rules.preset("kuhn"), "kuhn_poker").walk_all() == (24, 30)


def test_leduc_poker_is_openspiels():
    # 120 deals, the board card included: 4 ends by a fold before it comes, 5 ways on to it, 9 ends after each.
    assert Pair(Rules.preset("leduc"), "leduc_poker").walk_all() == (120 * (6 + 5 * 6), 120 * (4 + 5 * 9))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("players", "ends"), [(3, 13), (4, 33)])
def test_kuhn_poker_of_more_players_is_openspiels(players, ends):
    deck = "TsJsQsKsAs"[: 2 * players + 2]
    pair = Pair(Rules.preset("kuhn", seats=players, deck=deck), f"kuhn_poker(players={players})")
    assert pair.walk_all()[1] == factorial(players + 1) * ends
