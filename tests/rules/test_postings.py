"""R6, R8-R10: who posts nothing, and what is kept of postings by stacks too short for them."""

from __future__ import annotations

import pytest

from rules.playing import A, B, C, deal, deeds
from rules.sitting import cash, fold_out, next_hand, places

POSTS = ("post_ante", "post_small_blind", "post_big_blind", "post_straddle", "post_big_blind_ante", "post_dead")


def test_r08_the_least_straddle_is_one_chip():
    table = deal([50, 50, 50], blinds=(0, 0), ante=1, straddle=1)
    assert (table.bets, table.actor) == ([0, 0, 1], A)


@pytest.mark.parametrize(
    ("ante", "stack", "chips"),
    [
        *((5, stack, chips) for stack, chips in ((3, (3, 0, 0)), (5, (5, 0, 0)), (12, (5, 7, 0)), (30, (5, 20, 5)))),
        *((5, stack, (5, 20, 20)) for stack in (45, 500)),
        *((0, stack, (0, min(stack, 20), max(0, stack - 20))) for stack in (15, 20, 21, 30, 40)),
    ],
)
def test_r08_r09_a_short_big_blind_posts_ante_then_blind_then_the_ante_of_the_table(ante, stack, chips):
    table = deal([500, stack, 500], ante=ante, big_blind_ante=20)
    kinds = zip(("post_ante", "post_big_blind", "post_big_blind_ante"), chips, strict=True)
    assert table.posted[B] == (tuple(kind for kind, amount in kinds if amount), *chips)
    assert table.stacks[B] == stack - sum(chips)
    assert table.posted[A] == (("post_ante",) * (ante > 0) + ("post_small_blind",), ante, 10, 0)
    assert table.posted[C] == (("post_ante",) * (ante > 0), ante, 0, 0)


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
