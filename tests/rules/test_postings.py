"""R6, R8-R10: who posts nothing, and what is kept of postings by stacks too short for them."""

from __future__ import annotations

import pytest

from rules.playing import A, B, C, deal, deeds
from rules.sitting import cash, fold_out, next_hand, places

POSTS = ("post_ante", "post_small_blind", "post_big_blind", "post_straddle", "post_big_blind_ante", "post_dead")


def test_r06_a_blind_of_zero_is_not_posted():
    table = deal([500, 500, 500], blinds=(0, 20))
    assert deeds(table, *POSTS) == ["B post_big_blind 20"]
    assert table.posted[A] == ((), 0, 0, 0)


def test_r08_what_is_not_asked_for_is_not_posted():
    table = deal([500, 500, 500])
    assert deeds(table, *POSTS) == ["A post_small_blind 10", "B post_big_blind 20"]


def test_r08_the_least_straddle_is_one_chip():
    table = deal([50, 50, 50], blinds=(0, 0), ante=1, straddle=1)
    assert (table.bets, table.actor) == ([0, 0, 1], A)


@pytest.mark.parametrize(
    ("stack", "posted"),
    [
        (3, (("post_ante",), 3, 0, 0)),
        (5, (("post_ante",), 5, 0, 0)),
        (12, (("post_ante", "post_big_blind"), 5, 7, 0)),
        (30, (("post_ante", "post_big_blind", "post_big_blind_ante"), 5, 20, 5)),
        (45, (("post_ante", "post_big_blind", "post_big_blind_ante"), 5, 20, 20)),
        (500, (("post_ante", "post_big_blind", "post_big_blind_ante"), 5, 20, 20)),
    ],
)
def test_r08_r09_a_short_big_blind_posts_ante_then_blind_then_the_ante_of_the_table(stack, posted):
    table = deal([500, stack, 500], ante=5, big_blind_ante=20)
    assert table.posted[B] == posted
    assert table.stacks[B] == stack - sum(posted[1:])
    assert table.posted[C] == (("post_ante",), 5, 0, 0)


def test_r10_where_nobody_sits_nobody_posts_the_small_blind():
    """At a full table too, where the last seat must not be taken for none."""
    session = cash(10)
    assert next_hand(session) == (0, 1, 2)
    session.leave(2)
    table = session.deal()
    assert places(table) == (1, None, 3)
    assert deeds(table, *POSTS) == ["D post_big_blind 20"]
    assert table.stacks[9] == table.starting_stacks[9]


def test_r10_a_missed_small_blind_of_one_chip_is_dead_money():
    session = cash(4, button=1, blinds=(1, 2))
    next_hand(session)
    session.sit_out(3)
    next_hand(session)
    session.sit_in(3)
    table = session.deal()
    assert table.posted[3] == (("post_dead",), 0, 0, 1)
    fold_out(table)


def test_r10_a_game_without_a_small_blind_has_none_to_miss():
    session = cash(4, button=1, blinds=(0, 20))
    session.deal()
    fold_out(session.table)
    session.sit_out(3)
    fold_out(session.deal())
    session.sit_in(3)
    table = session.deal()
    assert table.posted[3] == ((), 0, 0, 0)
    assert deeds(table, "post_dead") == []
