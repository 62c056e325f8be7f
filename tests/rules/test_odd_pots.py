"""R27, R29, R31: chips of folded players above all who are left, who shows without a bet, rake of nothing."""

from __future__ import annotations

import pytest

from holdem_env import Rake
from rules.playing import BEST, BOARD, FLOP, GOOD, POOR, check_down, deeds, flop, play_to, showing
from rules.sitting import cash, deck_for, session_order, tournament


def test_r10_r27_what_folded_players_put_in_above_all_who_are_left_is_won_too():
    """The ante puts everybody all-in. The absent fold, and their chips above the others' are nobody's to take back."""
    session = tournament(4, [15, 20, 20, 15], button=0, ante=20)
    session.sit_out(1)
    session.sit_out(2)
    table = session.deal(deck=deck_for([1, 2, 3, 0], {0: BEST, 3: GOOD}, "2c7d8hQsKc"))
    assert table.is_over
    assert table.payoffs == [55, -20, -20, -15]
    assert session.stacks == [70, 0, 0, 0]


@pytest.mark.parametrize(("percent", "raked"), [(0, 0), (2, 0), (2.5, 1), (10, 4)])
def test_r31_a_rake_below_one_chip_is_none_and_is_not_told(percent, raked):
    table = check_down(flop([500, 500], rake=Rake(percent=percent)))
    assert sum(table.payoffs) == -raked
    assert deeds(table, "rake") == ([f"rake {raked}"] if raked else [])


def test_r25_face_up_is_everybody_whatever_the_hand_before_was_worth():
    session = cash(2, stacks=1000)
    order = session_order(session)
    table = session.deal(deck=deck_for(order, {0: BEST, 1: POOR}, BOARD))
    play_to(table, FLOP)
    table.raise_to(300)
    check_down(table)
    assert session.stacks == [1320, 680]
    order = session_order(session)
    table = session.deal(deck=deck_for(order, {0: BEST, 1: POOR}, BOARD))
    table.raise_to(table.legal.raise_max or 0)
    table.check_call()
    assert sorted(showing(table)) == ["A show", "B show"]
