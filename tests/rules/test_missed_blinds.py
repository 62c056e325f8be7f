"""R10 and R12 in sessions: who misses a blind, how one comes back, newcomers, absent players in tournaments."""

from __future__ import annotations

import pytest

from errors import complaint, mentions
from holdem_env import Session, SessionError
from rules.playing import PREFLOP, deeds, play_to
from rules.sitting import bust, cash, dealt, deck_for, fold_out, next_hand, places, posts, tournament

NOBODY = {"post_live": [], "post_dead": []}


def away_from(first: int, seats: int = 4, hands: int = 1, seat: int = 3) -> Session:
    """A cash session with the button at `first`, in which `seat` sits out after the first hand."""
    session = cash(seats, button=first)
    next_hand(session)
    session.sit_out(seat)
    for _ in range(hands):
        next_hand(session)
    return session


def test_r10_who_is_away_when_no_blind_is_due_owes_nothing():
    session = away_from(3, hands=1)  # big blinds at 1 and 2
    assert session.owes(3) == (0, 0)
    session.sit_in(3)
    table = session.deal()
    assert (places(table), posts(table), 3 in dealt(table)) == ((1, 2, 3), NOBODY, True)


@pytest.mark.parametrize(("hands", "owed"), [(1, (20, 0)), (2, (20, 10)), (12, (20, 10))])
def test_r10_first_the_big_blind_is_missed_then_both_and_they_do_not_add_up(hands, owed):
    assert away_from(0, hands=hands).owes(3) == owed


def test_r10_the_small_blind_only_is_missed_and_posted_dead():
    session = cash(4, button=1)
    assert next_hand(session) == (1, 2, 3)
    session.sit_out(3)
    assert next_hand(session) == (2, None, 0)
    assert session.owes(3) == (0, 10)
    session.sit_in(3)
    table = session.deal()
    assert places(table) == (3, 0, 1)  # on the button one may post
    assert posts(table) == {"post_live": [], "post_dead": [(3, 10)]}
    assert (table.bets[3], int(table.records["dead"][0]), table.actor) == (0, 10, 2)
    table.check_call()
    assert (table.actor, table.legal.call) == (3, 20)
    assert session.owes(3) == (0, 0)


def test_r10_both_are_posted_the_big_one_live_the_small_one_dead():
    session = away_from(0, hands=2)
    assert session.owes(3) == (20, 10)
    session.sit_in(3)
    table = session.deal()
    assert places(table) == (0, 1, 2)
    assert posts(table) == {"post_live": [(3, 20)], "post_dead": [(3, 10)]}
    assert (table.bets[3], int(table.records["dead"][0])) == (20, 10)
    assert table.posted[3] == (("post_live", "post_dead"), 0, 20, 10)
    assert session.owes(3) == (0, 0)


def test_r10_nobody_posts_between_button_and_big_blind():
    session = away_from(0, hands=1)
    session.sit_in(3)
    table = session.deal()
    assert (places(table), dealt(table)) == ((2, 0, 1), [0, 1, 2])  # 3 is left of the button
    fold_out(table)
    assert session.owes(3) == (20, 0)
    table = session.deal()
    assert (places(table), posts(table)) == ((0, 1, 2), {"post_live": [(3, 20)], "post_dead": []})


def test_r10_who_posts_live_has_the_option_to_raise():
    session = away_from(0, seats=5, hands=3, seat=3)
    session.sit_in(3)
    while 3 not in dealt(table := session.deal()):
        fold_out(table)
    assert posts(table) == {"post_live": [(3, 20)], "post_dead": [(3, 10)]}
    assert table.starting_stacks[3] - table.stacks[3] == 30
    while table.actor != 3:
        table.check_call()
    assert (table.street, table.legal.call, table.legal.raise_min) == (PREFLOP, 0, 40)
    twin = table.copy()
    play_to(twin, 1)
    assert sum(pot.amount for pot in twin.pots) == 20 * 5 + 10
    before = sum(table.starting_stacks)
    fold_out(table)
    assert sum(session.stacks) == before


def test_r10_who_waits_for_the_big_blind_owes_nothing_more():
    session = away_from(0, seats=5, hands=2, seat=3)
    session.sit_in(3, post=False)
    for _ in range(10):
        table = session.deal()
        assert posts(table) == NOBODY
        if 3 in dealt(table):
            break
        fold_out(table)
    assert places(table).big == 3
    fold_out(table)
    assert session.owes(3) == (0, 0)
    assert next_hand(session).small == 3


def test_r10_a_newcomer_posts_one_live_big_blind():
    session = cash(5, [1000, 1000, 1000, 1000, 0])
    next_hand(session)
    next_hand(session)  # big blind 3
    next_hand(session)  # button 2, 3, 0: the newcomer's chair is between button and big blind
    session.join(4, 500)
    table = session.deal()
    while 4 not in dealt(table):
        fold_out(table)
        table = session.deal()
    assert posts(table) == {"post_live": [(4, 20)], "post_dead": []}
    assert 4 not in (places(table).small, places(table).big)


def test_r10_before_the_first_hand_there_are_no_newcomers():
    session = cash(3, [1000, 1000, 0])
    session.join(2, 500)
    table = session.deal()
    assert (places(table), posts(table)) == ((0, 1, 2), NOBODY)


def test_r10_a_player_without_chips_is_away_and_posts_what_it_missed():
    session = cash(5, [1000, 1000, 1000, 300, 1000])
    bust(session, {3})
    for _ in range(3):
        next_hand(session)
    assert session.owes(3) == (20, 10)
    session.top_up(3, 500)
    while 3 not in dealt(table := session.deal()):
        fold_out(table)
    assert posts(table) == {"post_live": [(3, 20)], "post_dead": [(3, 10)]}


def test_r10_r08_who_returns_left_of_the_big_blind_straddles_in_full_with_the_live_blind_in_it():
    session = cash(6, straddle=40)
    next_hand(session)
    session.sit_out(3)
    for _ in range(4):
        next_hand(session)
    session.sit_in(3)
    postings = set()
    for _ in range(7):
        table = session.deal()
        straddler = int(table.records["straddle_seat"][0])
        assert table.bets[straddler] == max(table.bets) == 40
        assert table.posted[straddler].bet == 40
        postings.add(table.posted[straddler])
        fold_out(table)
    assert (("post_live", "post_dead", "post_straddle"), 0, 40, 10) in postings


def test_r10_who_sits_out_or_waits_is_away():
    session = cash(5, [1000, 1000, 1000, 1000, 0])
    next_hand(session)
    assert [session.is_away(seat) for seat in range(5)] == [False] * 5, "nobody is in an empty chair"
    session.sit_out(3)
    session.join(4, 500, post=False)
    assert [session.is_away(seat) for seat in range(5)] == [False, False, False, True, True]
    next_hand(session)  # 3 is due the big blind, and 4 has it instead
    assert [session.is_away(seat) for seat in range(5)] == [False, False, False, True, False]
    session.sit_in(3)
    assert session.is_away(3), "it owes the big blind, and posts it when it is dealt in"
    while 3 not in dealt(table := session.deal()):
        assert session.is_away(3)
        fold_out(table)
    assert not session.is_away(3)
    fold_out(table)
    session.sit_out(0)
    session.sit_in(0)
    assert not session.is_away(0), "it owes nothing"
    session.leave(3)
    assert not session.is_away(3)
    mentions(complaint(session.is_away, 5, kind=SessionError), 5)


def test_r10_who_is_absent_in_a_tournament_is_dealt_in_posts_and_is_folded():
    session = tournament(3)
    session.sit_out(2)
    table = session.deal()
    assert (places(table), dealt(table), table.bets) == ((0, 1, 2), [1, 2, 0], [0, 10, 20])
    table.check_call()
    table.check_call()  # the big blind could check
    assert table.is_folded(2)
    fold_out(table)
    for _ in range(5):
        table = session.deal()
        assert 2 in dealt(table)
        fold_out(table)
    assert session.owes(2) == (0, 0)
    assert session.stacks[2] == 1000 - 20 - 10 + 10 - 10  # once the others fold to its big blind
    session.sit_in(2)
    assert posts(session.deal()) == NOBODY


def test_r10_r39_an_absent_player_who_is_all_in_with_a_blind_is_folded_too_and_is_out():
    session = tournament(3, [1000, 1000, 15])
    session.sit_out(2)
    table = session.deal(deck=deck_for([1, 2, 0], {2: "AsAd", 0: "7c2d", 1: "8c3d"}, "AhAcKdQs9h"))
    assert session.is_away(2)
    table.raise_to(100)
    table.fold()
    assert (table.is_over, deeds(table, "fold")) == (True, ["B fold", "C fold"])
    assert table.payoffs == [25, -10, -15]
    assert (session.is_away(2), session.places) == (False, [0, 0, 3])


def test_r10_when_all_are_absent_the_last_one_wins_the_blinds():
    session = tournament(3)
    for seat in range(3):
        session.sit_out(seat)
    table = session.deal()
    assert table.is_over
    assert table.payoffs == [0, -10, 10]


def test_r12_top_ups_and_leaving_only_between_hands():
    session = cash(3, [1000, 1000, 1000])
    table = session.deal()
    for act in (lambda: session.top_up(0, 100), lambda: session.leave(0), lambda: session.sit_out(0)):
        mentions(complaint(act, kind=SessionError), "between hands")
    fold_out(table)
    session.top_up(0, 100)
    assert session.stacks[0] == 1100
    assert session.leave(0) == 1100
    assert session.stacks[0] == 0
    assert (session.chips_brought_in, session.chips_taken_away) == (3100, 1100)


def test_r10_an_absent_player_who_is_never_asked_is_folded_before_the_next_board_card():
    session = tournament(4, [1000, 1000, 15, 1000])  # seat 2 is all-in with the big blind
    session.sit_out(2)
    table = session.deal()
    table.check_call()
    table.check_call()
    assert (table.street, table.is_folded(2)) == (0, False)
    table.check_call()
    assert (table.street, table.is_folded(2)) == (1, True)
    kinds = [deed.kind for deed in table.log]
    assert kinds.index("fold") < kinds.index("deal_board")
    assert [(pot.amount, pot.seats) for pot in table.pots] == [(75, (0, 1, 3))]


def test_r10_r31_a_hand_that_only_an_absent_player_contests_sees_no_flop_and_pays_no_rake():
    session = tournament(4, [1000, 1000, 15, 1000], rake=10)
    session.sit_out(2)
    table = session.deal()
    table.check_call()
    table.fold()
    table.fold()
    assert (table.is_over, len(table.board), table.rake) == (True, 0, 0)
    assert table.payoffs == [0, -10, -15, 25]
