"""R8, R20, R27: a returning player whose whole stack is a dead small blind contests the dead money alone.

Seat X misses only its small blind and returns on the button with fewer chips than that.
"""

from __future__ import annotations

from typing import Any

import pytest

from holdem_env import Session, Table
from rules.playing import BEST, BOARD, GOOD, POOR, check_down, deeds, play, pots, showing
from rules.sitting import cash, deck_for, fold_out, session_order

X, SMALL, BIG, FIRST = 2, 3, 0, 1  # the seats of the hand in which X returns


def come_back(stacks: list[int], holes: dict[int, str], **rules: Any) -> Table:
    """The hand in which X returns with a dead small blind, blinds 50/100. stacks: what each has when it is dealt."""
    return come_back_in_session(stacks, holes, **rules).table  # type: ignore[return-value]


def come_back_in_session(stacks: list[int], holes: dict[int, str], **rules: Any) -> Session:
    before = [stacks[BIG], 500, 100 + stacks[X], 500]
    session = cash(4, before, button=0, blinds=(50, 100), **rules)  # type: ignore[arg-type]
    play(session.deal(), "D:c A:f B:f C:f")  # X has folded its big blind
    session.sit_out(X)
    fold_out(session.deal())
    session.sit_in(X)
    for seat, chips in enumerate(stacks):
        if chips > session.stacks[seat]:
            session.top_up(seat, chips - session.stacks[seat])
    assert session.owes(X) == (0, 50)
    session.deal(deck=deck_for(session_order(session), holes, BOARD))
    return session


def test_r20_r27_it_wins_the_dead_money_with_the_best_hand():
    table = come_back([1000, 1000, 30, 1000], {X: BEST, SMALL: POOR, BIG: GOOD})
    assert (table.button, table.posted[X].dead) == (X, 30)
    assert pots(table) == [(30, (0, 1, 2, 3))]
    check_down(play(table, "B:c D:c A:k"))
    assert deeds(table, "push_pot") == ["A push_pot 300 of 1", "C push_pot 30 of 0"]
    assert table.payoffs[X] == 0
    assert "C show" in showing(table)


def test_r27_pots_name_its_own_pot_below_the_main_pot():
    table = play(come_back([1000, 1000, 30, 1000], {}), "B:c D:c A:k")
    assert pots(table) == [(30, (0, 1, 2, 3)), (300, (0, 1, 3))]


def test_r27_a_better_hand_wins_both():
    table = check_down(play(come_back([1000, 1000, 30, 1000], {X: POOR, BIG: BEST}), "B:c D:c A:k"))
    assert deeds(table, "push_pot") == ["A push_pot 300 of 1", "A push_pot 30 of 0"]
    assert table.payoffs[X] == -30


@pytest.mark.parametrize(("holes", "wins"), [({X: BEST, BIG: POOR}, True), ({X: POOR, BIG: BEST}, False)])
def test_r20_r27_the_last_one_left_of_the_others_must_still_beat_it(holes, wins):
    table = play(come_back([1000, 1000, 30, 1000], holes), "B:f D:f")
    assert table.is_over
    assert len(table.board) == 5
    assert showing(table) == ["A show", "C show"]
    assert table.payoffs[X] == (0 if wins else -30)
    assert sum(table.payoffs) == 0


def test_r28_equal_hands_share_the_dead_money():
    table = check_down(play(come_back([1000, 1000, 30, 1000], {X: "AsAd", BIG: "AhAc"}), "B:c D:c A:k"))
    assert deeds(table, "push_pot") == ["A push_pot 300 of 1", "A push_pot 15 of 0", "C push_pot 15 of 0"]


def test_r27_with_an_all_in_player_there_are_three_pots():
    table = play(come_back([70, 1000, 30, 1000], {X: BEST, SMALL: POOR, BIG: GOOD}), "B:c D:c")
    assert pots(table) == [(30, (0, 1, 2, 3)), (210, (0, 1, 3)), (60, (1, 3))]
    check_down(table)
    assert deeds(table, "push_pot")[1:] == ["A push_pot 210 of 1", "C push_pot 30 of 0"]


def test_r31_the_rake_counts_the_dead_money_and_comes_out_of_the_main_pot_first():
    table = check_down(play(come_back([1000, 1000, 30, 1000], {X: BEST, BIG: GOOD}, rake=10), "B:c D:c A:k"))
    assert table.rake == 33
    assert deeds(table, "push_pot") == ["A push_pot 267 of 1", "C push_pot 30 of 0"]


def test_r29_it_is_all_in_and_does_not_muck():
    table = check_down(play(come_back([1000, 1000, 30, 1000], {X: POOR, SMALL: BEST}), "B:c D:c A:k"))
    assert showing(table)[-1] == "C show"


def test_r40_the_session_keeps_its_chips():
    session = come_back_in_session([1000, 1000, 30, 1000], {X: BEST})
    assert session.table is not None
    check_down(session.table)
    assert sum(session.stacks) + session.chips_taken_away == session.chips_brought_in
    assert session.stacks[X] == 30
