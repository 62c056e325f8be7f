"""R39 and R40 in sessions: places of players who come late or whose seat is taken again, payouts, the pot."""

from __future__ import annotations

import pytest

from holdem_env import Session, SessionError
from rules.sitting import bust, cash, fold_out, next_hand, tournament


def state_of(session: Session) -> tuple[object, ...]:
    """What `join` could change."""
    return session.stacks, session.places, session.results, session.chips_brought_in, session.is_over


@pytest.mark.parametrize("kind", ["cash", "tournament", "won"])
def test_r39_nobody_enters_a_session_that_is_over(kind):
    if kind == "won":
        session = tournament(4, [1000, 300, 400, 0])
        bust(session, {1, 2})
        assert session.places == [1, 3, 2, 0]
    else:
        session = tournament(4, [1000, 1000, 1000, 0], session={"kind": kind, "num_hands": 1})
        next_hand(session)
    before = state_of(session)
    with pytest.raises(SessionError, match="join: the session is over"):
        session.join(3, 500)
    assert state_of(session) == before


def test_r39_who_enters_late_counts_as_one_player_more_for_the_places_given():
    session = tournament(5, [3000, 300, 400, 1000, 0])
    bust(session, {1})
    assert session.places == [0, 4, 0, 0, 0]
    session.join(4, 1000)
    assert session.places == [0, 5, 0, 0, 0]
    bust(session, {2})
    assert session.places == [0, 5, 4, 0, 0]


def test_r39_before_anybody_is_out_a_late_entry_changes_no_place():
    session = tournament(4, [3000, 300, 400, 0])
    next_hand(session)
    session.join(3, 1000)
    assert (session.places, session.results) == ([0, 0, 0, 0], [])
    bust(session, {1})
    assert session.places == [0, 4, 0, 0]


def test_r39_a_seat_that_is_taken_again_keeps_the_place_of_who_sat_there_before():
    session = tournament(4, [3000, 300, 400, 1000])
    bust(session, {1})
    session.join(1, 500)
    assert session.places == [0, 0, 0, 0]
    assert session.results == [(1, 5)]
    bust(session, {2})
    bust(session, {1})
    assert session.places == [0, 3, 4, 0]
    assert session.results == [(1, 5), (2, 4), (1, 3)]
    session.leave(3)
    assert (session.places, session.is_over) == ([1, 3, 4, 2], True)
    assert session.results == [(1, 5), (2, 4), (1, 3), (3, 2), (0, 1)]


def test_r39_players_who_share_a_place_move_down_together():
    session = tournament(4, [1000, 300, 300, 1000])
    bust(session, {1, 2})
    session.join(2, 500)
    assert session.places == [0, 4, 0, 0]
    assert session.results == [(1, 4), (2, 4)]


SHARES = {"prizes": (50, 30, 20)}


def test_r39_payouts_are_the_prizes_decided_so_far():
    session = tournament(4, [3000, 300, 400, 1000], session=SHARES)
    bust(session, {1})
    assert session.payouts == [0, 0, 0, 0]
    bust(session, {2})
    assert session.payouts == [0, 0, 20, 0]
    bust(session, {3})
    assert session.payouts == [50, 0, 20, 30]
    session.leave(0)
    assert session.payouts == [50, 0, 20, 30]
    session = tournament(4, [3000, 300, 300, 1000], session=SHARES)
    bust(session, {1, 2})
    assert session.payouts == [0, 10, 10, 0], "players who share a place"
    session = tournament(3, [3000, 300, 1000], session={**SHARES, "num_hands": 1})
    next_hand(session)
    assert session.payouts == [50, 20, 30], "by chips after the last hand"
    session.leave(0)
    assert session.payouts == [50, 20, 30]


def test_r39_a_late_entry_takes_a_prize_away_from_a_place_given():
    session = tournament(4, [3000, 300, 300, 0], session=SHARES)
    bust(session, {1})
    assert session.payouts == [0, 20, 0, 0]
    session.join(3, 500)
    assert session.payouts == [0, 0, 0, 0]
    session.join(1, 500)
    bust(session, {1})
    assert (session.payouts, session.results) == ([0, 0, 0, 0], [(1, 5), (1, 4)])


def test_r39_payouts_of_a_cash_game_are_chips_won_and_lost():
    session = cash(3)
    table = session.deal()
    assert session.payouts == [0, 0, 0]
    fold_out(table)
    assert session.payouts == [0, -10, 10]
    session.top_up(1, 500)
    session.leave(2)
    assert session.payouts == [0, -10, 10]
    session.join(2, 300)
    assert session.payouts == [0, -10, 0]


def test_r40_the_pot_is_all_chips_in_the_middle():
    session = cash(3, ante=5)
    table = session.deal()
    assert table.pot == 15 + 30
    table.raise_to(60)
    assert table.pot == 105 == sum(table.starting_stacks) - sum(table.stacks)
    fold_out(table)
    assert table.pot == 0


def test_r39_who_leaves_a_session_that_is_over_gets_no_place():
    session = tournament(3, [3000, 300, 1000], session={"num_hands": 1})
    next_hand(session)
    session.leave(0)
    assert (session.places, session.results, session.is_over) == ([0, 0, 0], [], True)
