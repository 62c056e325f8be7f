"""One hand for each difference between our rulings and OpenSpiel's: docs/rulings.md says why, these pin both."""

from __future__ import annotations

import pytest

from differential.test_openspiel import NO_RAISE, OpenSpielTable
from holdem_env import Rules, Table
from oracle.script import stacked_deck

FOLD, CALL = -1, 0


def deal(stacks, moves=(), holes=None, board="", **rules):
    """A hand on both engines, the button on seat 0, after some moves."""
    rules = Rules(seats=len(stacks), **rules)
    deck = stacked_deck(len(stacks), 0, holes, board)
    table = Table(rules, stacks=stacks, button=0, deck=deck)
    openspiel = OpenSpielTable(rules, stacks, 0, deck)
    for move in moves:
        openspiel.play(move, spent_before(table))
        table.play(move)
    return table, openspiel


def spent_before(table):
    """What the actor has put in on earlier streets."""
    seat = table.actor
    return table.starting_stacks[seat] - table.stacks[seat] - table.bets[seat]


def raises(table):
    return table.legal.raise_min, table.legal.raise_max


def test_r14_folding_when_checking_is_free_is_legal_in_openspiel_it_is_not():
    table, openspiel = deal([200, 200], [CALL], blinds=(1, 2))
    assert table.legal.fold
    assert not openspiel.may_fold


def test_r18_fixed_limit_is_played_with_stacks_in_openspiel_without():
    """Stacks of 7: the third bet takes the last chips; OpenSpiel has spent 8 after the fourth."""
    table, openspiel = deal([7, 7], [4, 6], blinds=(1, 2), structure="fixed_limit")
    assert raises(table) == (7, 7)
    openspiel.play(8, 0)
    assert openspiel.spent == [8, 6]


def test_r20_nobody_raises_who_cannot_be_called_in_openspiel_it_may():
    """Seat 0 is all-in for 100; seat 2 has only 80 behind its 2."""
    table, openspiel = deal([100, 200, 82], [100], blinds=(1, 2))
    assert raises(table) == NO_RAISE
    assert openspiel.raises(0) == (198, 200)


def test_r21_a_short_all_in_does_not_reopen_the_betting_in_openspiel_it_does():
    """On the flop seat 1 bets 20, seat 2 is all-in for 25, seat 0 calls: seat 1 may call 5."""
    table, openspiel = deal([200, 200, 27], [CALL, CALL, CALL, 20, 25, CALL], blinds=(1, 2))
    assert table.actor == openspiel.actor == 1
    assert raises(table) == NO_RAISE
    assert openspiel.raises(2) == (40, 198)


def test_r22_the_least_raise_of_a_short_all_in_is_on_top_of_it_in_openspiel_on_top_of_the_bet():
    """The same all-in; seat 0 has not acted."""
    table, openspiel = deal([200, 200, 27], [CALL, CALL, CALL, 20, 25], blinds=(1, 2))
    assert raises(table) == (45, 198)
    assert openspiel.raises(2) == (40, 198)


def test_r25_a_player_who_can_only_check_is_not_asked_in_openspiel_it_is():
    table, openspiel = deal([100, 1000, 1000], [CALL, FOLD], blinds=(50, 100))
    assert table.is_over
    assert openspiel.actor == 2
    openspiel.play(CALL, 0)
    assert openspiel.returns == table.payoffs


def test_r28_an_odd_chip_goes_to_one_winner_in_openspiel_it_is_divided():
    """The small blind of 1 is folded, two share 5."""
    table, openspiel = deal([100, 100, 100], [CALL, FOLD] + 7 * [CALL], board="TcJdQhKsAd", blinds=(1, 2))
    assert table.payoffs == [0, -1, 1]
    assert openspiel.returns == pytest.approx([0.5, -1, 0.5])
