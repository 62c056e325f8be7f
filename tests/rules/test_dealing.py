"""R4: which card of the deck goes where."""

from __future__ import annotations

import pytest

from holdem_env import Rules, Table
from rules.playing import check_down, deeds, play

FACTORY = list(range(52))


def numbered(seats: int, button: int) -> Table:
    """A hand whose k-th card off the deck is card k."""
    return Table(Rules(seats=seats), button=button, deck=FACTORY)


@pytest.mark.parametrize("seats", range(2, 11))
def test_r04_hole_cards_one_at_a_time_from_the_left_of_the_button(seats):
    for button in range(seats):
        table = numbered(seats, button)
        for place in range(seats):
            seat = (button + 1 + place) % seats
            assert table.hole_cards(seat) == (place, seats + place)
        assert seats > 2 or table.bets[1 - button] == 100, "heads-up the big blind gets the first card"


@pytest.mark.parametrize("seats", range(2, 11))
def test_r04_burns_and_board(seats):
    table = check_down(numbered(seats, 0))
    first = 2 * seats
    assert table.board == (first + 1, first + 2, first + 3, first + 5, first + 7)
    burned = [operation.cards for operation in table.log if operation.kind == "burn"]
    assert burned == [(first,), (first + 4,), (first + 6,)]
    assert deeds(table, "burn", "deal_board") == ["burn", "deal_board"] * 3
    assert [len(operation.cards) for operation in table.log if operation.kind == "deal_board"] == [3, 1, 1]


@pytest.mark.parametrize("script", ["c c k", "r300 c f", "r10000 c f", "f c k", "r400 f r10000 c"])
def test_r04_the_same_seed_deals_the_same_hand_whatever_the_players_do(script):
    first = check_down(Table(Rules(seats=3), button=2, seed=11))
    again = check_down(play(Table(Rules(seats=3), button=2, seed=11), script))
    assert again.deck == first.deck
    assert again.board == first.board
    assert [again.hole_cards(seat) for seat in range(3)] == [first.hole_cards(seat) for seat in range(3)]


def test_r04_other_seeds_hands_and_tables_have_other_decks():
    rules = Rules(seats=2)
    decks = {Table(rules, seed=s, hand=h, table_id=t).deck for s in range(3) for h in range(3) for t in range(3)}
    assert len(decks) == 27


def test_r04_unknown_cards_are_filled_in_by_the_seed():
    partial = "As??Kd"
    table = Table(Rules(seats=2), deck=partial, seed=4)
    assert str(table.deck)[:2] == "As"
    assert str(table.deck)[4:6] == "Kd"
    assert sorted(table.deck) == FACTORY
    assert table.deck == Table(Rules(seats=2), deck=partial, seed=4).deck
    assert table.deck != Table(Rules(seats=2), deck=partial, seed=5).deck


def test_a_game_can_begin_with_open_board_cards():
    """They are dealt after the hands, without a burn, before anybody acts."""
    table = Table(Rules(seats=2, board_cards=(3, 1, 1)), button=1, deck=FACTORY)
    assert (table.board, table.street, table.actor) == ((4, 5, 6), 0, 1)
    play(table, "c k")
    assert table.board == (4, 5, 6, 8)
    assert check_down(table).board == (4, 5, 6, 8, 10)
