"""R8, R20, R27: a returning player whose whole stack is a dead small blind contests the dead money alone.

Seat X misses only its small blind and returns on the button with fewer chips than that.
"""

from __future__ import annotations

from typing import Any

import pytest

from holdem_env import Session, Table
from rules.playing import BEST, BOARD, GOOD, POOR, check_down, outcome, play, pots, showing
from rules.sitting import cash, deck_for, fold_out, session_order

X, SMALL, BIG, FIRST = 2, 3, 0, 1  # the seats of the hand in which X returns
DEEP = [1000, 1000, 30, 1000]


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


ALL_IN, BEST_OF_FOUR = [70, 1000, 30, 1000], {X: BEST, SMALL: POOR, BIG: GOOD}


@pytest.mark.parametrize(
    ("stacks", "holes", "rake", "pushed", "won"),
    [
        (DEEP, BEST_OF_FOUR, None, "A 300/1 C 30/0", 0),  # the best hand wins the dead money
        (DEEP, {X: POOR, BIG: BEST}, None, "A 300/1 A 30/0", -30),
        (DEEP, {X: "AsAd", BIG: "AhAc"}, None, "A 300/1 A 15/0 C 15/0", -15),  # R28
        (ALL_IN, BEST_OF_FOUR, None, " A 210/1 C 30/0", 0),  # beside an all-in player, three pots
        (DEEP, {X: BEST, BIG: GOOD}, 10, "A 267/1 C 30/0", 0),  # R31: of all chips, from the main pot first
    ],
)
def test_r20_r27_r28_r31_who_wins_which_pot(stacks, holes, rake, pushed, won):
    table = come_back(stacks, holes, rake=rake)
    assert (table.button, table.posted[X].dead) == (X, 30)
    assert pots(table) == [(30, (0, 1, 2, 3))]
    check_down(play(table, "B:c D:c"))
    assert f"{pushed} |" in outcome(table)
    assert table.payoffs[X] == won
    assert "C show" in showing(table)


def test_r27_pots_name_its_own_pot_below_the_main_pot():
    assert pots(play(come_back(DEEP, {}), "B:c D:c A:k")) == [(30, (0, 1, 2, 3)), (300, (0, 1, 3))]
    assert pots(play(come_back(ALL_IN, {}), "B:c D:c")) == [(30, (0, 1, 2, 3)), (210, (0, 1, 3)), (60, (1, 3))]


@pytest.mark.parametrize(("holes", "wins"), [({X: BEST, BIG: POOR}, True), ({X: POOR, BIG: BEST}, False)])
def test_r20_r27_the_last_one_left_of_the_others_must_still_beat_it(holes, wins):
    table = play(come_back([1000, 1000, 30, 1000], holes), "B:f D:f")
    assert table.is_over
    assert len(table.board) == 5
    assert showing(table) == ["A show", "C show"]
    assert table.payoffs[X] == (0 if wins else -30)
    assert sum(table.payoffs) == 0


def test_r29_it_is_all_in_and_does_not_muck():
    table = check_down(play(come_back([1000, 1000, 30, 1000], {X: POOR, SMALL: BEST}), "B:c D:c A:k"))
    assert showing(table)[-1] == "C show"


def test_r40_the_session_keeps_its_chips():
    session = come_back_in_session([1000, 1000, 30, 1000], {X: BEST})
    assert session.table is not None
    check_down(session.table)
    assert sum(session.stacks) + session.chips_taken_away == session.chips_brought_in
    assert session.stacks[X] == 30
