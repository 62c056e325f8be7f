"""R10: fine points of who gets button and blinds: the moving button, three who become two, two who become more, those
who wait."""

from __future__ import annotations

import pytest

from holdem_env import SessionError
from rules.playing import deeds
from rules.sitting import bust, cash, dealt, fold_out, next_hand, places, posts, tournament

MOVING = {"button": "moving"}
BUTTONS = pytest.mark.parametrize("button", ["dead", "moving"])


@BUTTONS
def test_r07_r10_of_two_players_each_has_the_button_in_turn(button):
    session = cash(2, session={"button": button})
    assert [next_hand(session) for _ in range(3)] == [(0, 0, 1), (1, 1, 0), (0, 0, 1)]


def test_r10_with_the_moving_button_who_waits_gets_neither_button_nor_small_blind():
    session = cash(5, [1000, 1000, 0, 1000, 1000], session=MOVING)
    assert next_hand(session) == (0, 1, 3)
    session.join(2, 500)
    table = session.deal()
    assert (places(table), dealt(table)) == ((1, 3, 4), [3, 4, 0, 1])
    fold_out(table)
    table = session.deal()
    assert (places(table), posts(table)["post_live"]) == ((3, 4, 0), [(2, 20)])


@pytest.mark.parametrize(
    ("stacks", "before", "comes", "hands"),
    [
        ([1000, 1000, 1000, 0, 1000], (0, 1, 2), 3, [(1, 2, 3)]),  # who waits can have the big blind
        ([1000, 0, 1000], (0, 0, 2), 1, [(2, 2, 0), (2, 0, 1)]),  # until then the two go on alone
        ([1000, 1000, 0, 1000], (0, 1, 3), 2, [(1, 3, 0), (3, 0, 1), (0, 1, 2)]),  # neither button nor small blind
    ],
)
def test_r10_with_the_moving_button_who_waits_has_the_big_blind_first_and_posts_nothing_else(
    stacks, before, comes, hands
):
    session = cash(len(stacks), stacks, session=MOVING)
    assert next_hand(session) == before
    session.join(comes, 500, post=False)
    for expected in hands:
        table = session.deal()
        assert (places(table), posts(table)) == (expected, {"post_live": [], "post_dead": []})
        assert (comes in dealt(table)) == (comes == expected[2])
        fold_out(table)
    assert session.owes(comes) == (0, 0)


def test_r10_with_the_moving_button_nobody_posts_the_big_blind_twice_running():
    """Two players, and two more come in between them: the moving button would give seat 3 the big blind again."""
    session = cash(4, session=MOVING)
    session.sit_out(1)
    session.sit_out(2)
    assert next_hand(session) == (0, 0, 3)
    session.sit_in(1)
    session.sit_in(2)
    assert [next_hand(session) for _ in range(2)] == [(2, 3, 0), (3, 0, 1)]


@BUTTONS
def test_r10_who_brings_one_chip_posts_it(button):
    session = cash(4, [1000, 1000, 1000, 0], session={"button": button})
    next_hand(session)
    session.join(3, 1)
    while 3 not in dealt(table := session.deal()):
        fold_out(table)
    assert table.starting_stacks[3] == 1
    assert table.stacks[3] == 0
    assert sum(table.posted[3][1:]) == 1


@BUTTONS
def test_r10_where_there_is_no_game_without_them_those_who_wait_are_dealt_in(button):
    session = cash(3, [1000, 1000, 0], session={"button": button})
    assert next_hand(session) == (0, 0, 1)
    session.join(2, 500)
    assert session.owes(2) == (20, 0)
    session.leave(0)
    table = session.deal()
    assert sorted(dealt(table)) == [1, 2]
    assert posts(table) == {"post_live": [], "post_dead": []}
    assert session.owes(2) == (0, 0)


@BUTTONS
def test_r10_one_player_is_no_game(button):
    session = cash(4, session={"button": button})
    next_hand(session)
    for seat in (0, 1, 3):
        session.sit_out(seat)
    with pytest.raises(SessionError):
        session.deal()
    session.sit_in(3)
    assert sorted(dealt(session.deal())) == [2, 3]


def test_r10_of_absent_players_who_are_all_in_the_last_one_wins():
    """They are folded from the left of the button."""
    session = tournament(4, [1000, 1000, 10, 20], button=1)
    session.sit_out(2)
    session.sit_out(3)
    table = session.deal()
    assert (table.actor, table.bets) == (0, [0, 0, 10, 20])
    table.fold()
    table.fold()
    assert table.is_over
    assert deeds(table, "fold") == ["A fold", "B fold", "C fold"]
    assert table.payoffs == [0, 0, -10, 10]


def test_r10_in_a_cash_game_who_owes_nothing_is_dealt_in_between_button_and_small_blind():
    """In a tournament that seat would wait as a late entry."""
    session = cash(5)
    session.sit_out(2)
    assert next_hand(session) == (0, 1, 3)
    session.sit_in(2)
    assert session.owes(2) == (0, 0)
    table = session.deal()
    assert (places(table), dealt(table)) == ((1, 3, 4), [2, 3, 4, 0, 1])


@BUTTONS
def test_r10_who_sits_out_without_chips_stays_out_after_buying_in(button):
    session = cash(4, [1000, 1000, 1000, 300], session={"button": button})
    bust(session, {3})
    session.sit_out(3)
    for _ in range(4):
        next_hand(session)
    session.top_up(3, 500)
    for _ in range(5):
        table = session.deal()
        assert 3 not in dealt(table)
        fold_out(table)
    assert session.is_away(3)
    assert session.owes(3) == (20, 10)
