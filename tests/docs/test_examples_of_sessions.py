"""The rulebook's examples (docs/rules.md), played as they stand there: sessions and the dealer's errors.

These are R5, R10-R12, R19 and R33-R40.
"""

from __future__ import annotations

import pytest

from holdem_env import Rake, Rules, Session, SessionError, Table
from holdem_env.game.position_names import position_names
from rules.playing import BEST, POOR, A, B, C, D, E, check_down, deal, play, play_to
from rules.sitting import bust, cash, dealt, fold_out, next_hand, places, posts, tournament

FACTORY = list(range(52))
BACKWARDS = FACTORY[::-1]
FLOP = 1


# Seats, button, blinds


def test_r05_a_given_button():
    table = Session(Rules(seats=4, session={"first_button": 2}), seed=1).deal()
    assert (places(table), table.actor) == ((2, 3, 0), 1)


def test_r05_a_draw_ends_with_one_winner_although_many_tie():
    """Five ranks for four players: often several draw the highest card, and draw again."""
    rules = Rules(seats=4, deck="6c6d6h6s7c7d7h7s8c8d8h8s9c9d9h9sTcTdThTs", session={"first_button": "high_card"})
    assert {Session(rules, seed=seed).deal().button for seed in range(60)} == {0, 1, 2, 3}


def test_r10_the_big_blind_goes_broke():
    session = tournament(5, [1000, 1000, 300, 1000, 1000])
    assert bust(session, {C}) == (A, B, C)
    assert [next_hand(session) for _ in range(2)] == [(B, None, D), (C, D, E)]


@pytest.mark.parametrize(("button", "after"), [("dead", (B, C, D)), ("moving", (C, D, E))])
def test_r10_the_small_blind_goes_broke(button, after):
    session = tournament(5, [1000, 300, 1000, 1000, 1000], session={"button": button})
    assert bust(session, {B}) == (A, B, C)
    assert next_hand(session) == after


def test_r10_three_become_two():
    session = tournament(3, [1000, 300, 1000])
    assert bust(session, {B}) == (A, B, C)
    assert next_hand(session) == (C, C, A)


def test_r10_both_blinds_are_missed():
    session = cash(4)
    assert next_hand(session) == (A, B, C)
    session.sit_out(D)
    assert [next_hand(session).big for _ in range(2)] == [A, B]
    assert session.owes(D) == (20, 10)
    session.sit_in(D)
    table = session.deal()
    assert posts(table) == {"post_live": [(D, 20)], "post_dead": [(D, 10)]}
    while table.actor != D:
        table.check_call()
    assert (table.legal.call, table.legal.raise_min) == (0, 40)


def test_r10_only_the_small_blind_is_missed():
    session = cash(4, button=B)
    next_hand(session)
    session.sit_out(D)
    next_hand(session)
    session.sit_in(D)
    table = session.deal()
    assert posts(table) == {"post_live": [], "post_dead": [(D, 10)]}
    while table.actor != D:
        table.check_call()
    assert table.legal.call == 20


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (10, "SB, BB, UTG, EP2, EP3, MP1, MP2, MP3, CO, BTN"),
        (9, "SB, BB, UTG, EP2, MP1, MP2, MP3, CO, BTN"),
        (8, "SB, BB, UTG, MP1, MP2, MP3, CO, BTN"),
        (7, "SB, BB, UTG, MP2, MP3, CO, BTN"),
        (6, "SB, BB, UTG, MP2, CO, BTN"),
        (5, "SB, BB, UTG, CO, BTN"),
        (4, "SB, BB, UTG, BTN"),
        (3, "SB, BB, BTN"),
        (2, "BTN, BB"),
    ],
)
def test_r11_names(players, names):
    assert ", ".join(position.name for position in position_names(players)) == names


def test_r12_chips_are_added_between_hands():
    session = cash(3)
    table = session.deal()
    with pytest.raises(SessionError, match="between hands"):
        session.top_up(A, 100)
    fold_out(table)
    session.top_up(A, 100)
    assert session.leave(A) == 1100


def test_r19_phases():
    phases = [{"structure": "fixed_limit", "blinds": (20, 40), "hands": 3}, {"structure": "no_limit", "hands": 2}]
    session = tournament(4, session={"phases": phases})
    played = []
    for _ in range(6):
        next_hand(session)
        played.append((session.stage.structure, session.stage.blinds))
    fixed, free = ("fixed_limit", (20, 40)), ("no_limit", (10, 20))
    assert played == [fixed, fixed, fixed, free, free, fixed]


def test_r19_an_orbit_in_which_its_first_big_blind_goes_broke():
    session = tournament(
        5, [1000, 1000, 300, 1000, 1000], session={"phases": [{"orbits": 1}, {"structure": "fixed_limit", "orbits": 1}]}
    )
    assert bust(session, {C}).big == C
    seen = []
    for _ in range(5):
        big = next_hand(session).big
        seen.append((big, session.phase))
    assert seen == [(D, 0), (E, 0), (A, 0), (B, 0), (D, 1)]


def test_r19_holdem_and_omaha_in_turn():
    session = tournament(2, session={"phases": [{"hands": 1}, {"game": "omaha", "hands": 1}]})
    board = "??9h8c7d??6s??2h"
    holdem = session.deal(deck="AhTsAdKc" + board)  # the big blind, B, gets the first card
    assert (holdem.hole_cards(A), holdem.hole_cards(B)) == ("TsKc", "AhAd")
    assert check_down(holdem).payoffs == [20, -20]
    omaha = session.deal(deck="TsAhKcAdQd4c3s3d" + board)
    assert (omaha.hole_cards(A), omaha.hole_cards(B)) == ("TsKcQd3s", "AhAd4c3d")
    assert check_down(omaha).payoffs == [-20, 20]


def test_r19_holdem_and_short_deck_in_turn():
    session = tournament(3, session={"phases": [{"hands": 1}, {"game": "short-deck", "hands": 1}]})
    decks = [sorted(fold_out(session.deal()).deck) for _ in range(4)]
    short = [card for card in FACTORY if card // 4 >= 4]
    assert decks == [FACTORY, short, FACTORY, short]


# The dealer's errors: cards 0 to 51 off the top, and a reshuffle that turns them round


def spoilt(script: str = "", **errors: object) -> Table:
    """A hand of three in which the dealer errs like this."""
    table = Table(Rules(seats=3), button=C, deck=FACTORY, dealer_errors=errors, reshuffles=[BACKWARDS])
    return play(table, script)


def holes(table: Table) -> list[tuple[int, ...]]:
    return [tuple(table.hole_cards(seat)) for seat in (A, B, C)]


def burned(table: Table) -> list[int]:
    return [operation.cards[0] for operation in table.log if operation.kind == "burn"]


def test_r33_the_first_card():
    table = spoilt(exposed_hole_card=0)
    assert holes(table) == [(51, 48), (50, 47), (49, 46)]
    assert (table.bets, table.exposed) == ([50, 100, 0], ())


def test_r34_the_second_card_of_b():
    table = check_down(spoilt(exposed_hole_card=4))
    assert holes(table) == [(0, 3), (1, 6), (2, 5)]
    assert burned(table)[0] == 4
    assert table.board[:3] == (7, 8, 9)
    assert table.exposed == (4,)


def test_r35_a_third_card_for_a():
    table = check_down(spoilt(extra_card=True))
    assert holes(table)[A] == (0, 3)
    assert burned(table)[0] == 6
    assert table.board[:3] == (7, 8, 9)
    assert table.exposed == ()


def test_r36_four_cards_and_a_flop_before_anybody_has_acted():
    table = check_down(spoilt(flop_too_many=True))
    assert (table.exposed, table.board[:3], burned(table)[0]) == ((7, 8, 9, 10), (51, 50, 49), 6)
    table = spoilt(premature_flop=True)
    assert (table.exposed, table.board, table.street) == ((7, 8, 9), (), 0)
    assert play(table, "c c k").board == (51, 50, 49)


def test_r36_a_flop_after_c_and_a_have_called():
    table = play(spoilt(premature_flop=2), "C:c")
    assert table.exposed == ()
    play(table, "A:c")
    assert (table.exposed, table.actor) == ((7, 8, 9), B)
    play(table, "B:r300 C:c")
    assert table.board == ()
    assert play(table, "A:c").board == (51, 50, 49)
    assert play(spoilt(premature_flop=3), "C:c A:c B:k").exposed == ()


def test_r37_the_would_be_river_is_the_turn():
    table = play_to(spoilt(premature_turn=True), FLOP)
    assert table.exposed == (11,)
    play(table, "k k k")
    assert table.board == (7, 8, 9, 13)
    play(table, "k k k")
    assert table.board == (7, 8, 9, 13, 51)
    assert burned(table) == [6, 10, 12]


def test_r37_a_turn_after_a_has_bet():
    table = play_to(spoilt(premature_turn=1), FLOP)
    assert table.exposed == ()
    play(table, "A:b100")
    assert (table.exposed, table.actor) == ((11,), B)
    assert play(table, "B:f C:c").board == (7, 8, 9, 13)
    assert play(table, "A:k C:k").board == (7, 8, 9, 13, 51)


def test_r38_a_river_after_a_and_b_have_checked():
    table = play_to(spoilt(premature_river=2), 2)
    play(table, "A:k B:k")
    assert (table.exposed, table.board) == ((13,), (7, 8, 9, 11))
    assert play(table, "C:k").board == (7, 8, 9, 11, 51)


def test_r38_another_river():
    table = play_to(spoilt(premature_river=True), 2)
    assert (table.exposed, table.board) == ((13,), (7, 8, 9, 11))
    play(table, "k k k")
    assert table.board == (7, 8, 9, 11, 51)
    assert burned(table) == [6, 10, 12]


# Sessions


def test_r39_places():
    session = tournament(4, [3000, 300, 400, 1000])
    bust(session, {B})
    bust(session, {C})
    assert session.places == [0, 4, 3, 0]


def test_r39_a_fifth_player_enters():
    session = tournament(5, [3000, 300, 400, 1000, 0])
    bust(session, {B})
    assert session.places[B] == 4
    session.join(E, 1000)
    assert session.places[B] == 5


@pytest.mark.parametrize(("stacks", "expected"), [((400, 300), [3, 4]), ((300, 300), [3, 3])])
def test_r39_out_in_the_same_hand(stacks, expected):
    session = tournament(4, [1000, *stacks, 1000])
    bust(session, {B, C})
    assert session.places[B : C + 1] == expected


def test_r39_levels():
    session = tournament(3, session={"levels": [{"hands": 2}, {"times": 2, "hands": 3}, {"blinds": (50, 100)}]})
    seen = []
    for _ in range(7):
        next_hand(session)
        seen.append(session.stage.big_blind)
    assert seen == [20, 20, 40, 40, 40, 100, 100]


def test_r39_blinds_by_players():
    levels = [{}, {"times": 2, "players": 4}, {"times": 5, "players": 2}]
    session = tournament(5, [2000, 300, 400, 500, 2000], session={"levels": levels})
    next_hand(session)
    seen = [session.stage.big_blind]
    for losers in ({1}, {2, 3}):
        bust(session, losers)
        next_hand(session)
        seen.append(session.stage.big_blind)
    assert seen == [20, 40, 100]


def test_r39_blinds_by_players_may_fall():
    levels = [{"blinds": (50, 100)}, {"blinds": (20, 40), "players": 4}]
    session = tournament(5, [2000, 300, 400, 500, 2000], session={"levels": levels})
    next_hand(session)
    seen = [session.stage.big_blind]
    bust(session, {1})
    next_hand(session)
    assert [*seen, session.stage.big_blind] == [100, 40]


def test_r40_where_the_chips_are():
    table = deal([500] * 3, rake=Rake(percent=10), holes={A: POOR, B: BEST, C: "3s4h"})
    play(table, "C:c A:f B:k")
    assert (table.stacks, sum(pot.amount for pot in table.pots)) == ([490, 480, 480], 50)
    check_down(table)
    assert (table.stacks, table.rake) == ([490, 525, 480], 5)
    assert sum(table.stacks) + table.rake == 1500


def test_r10_a_late_entry_is_dealt_in_at_once():
    session = tournament(5, [1000, 1000, 1000, 1000, 0])
    next_hand(session)
    session.join(E, 500)
    assert E in dealt(session.deal())
