"""One hand for each difference between our rulings and PokerKit's: docs/rulings.md says why, these pin what both play.

Should PokerKit change its mind, the test here fails, and the predicate in pokerkit_rulings.py can go.
"""

from __future__ import annotations

import pytest

from differential.pokerkit_table import VERSION, PokerKitTable, streets
from holdem_env import Rules, Table
from oracle.script import stacked_deck

pokerkit_library = pytest.importorskip("pokerkit")

FOLD, CALL = -1, 0
NO_RAISE = (None, None)


def deal(stacks, moves=(), holes=None, board="", **rules):
    """A hand on both engines, the button on seat 0, after some moves."""
    rules = Rules(seats=len(stacks), **rules)
    deck = stacked_deck(len(stacks), 0, holes, board)
    table = Table(rules, stacks=stacks, button=0, deck=deck)
    pokerkit = PokerKitTable(rules, stacks, 0, deck)
    for move in moves:
        table.play(move)
        pokerkit.play(move)
    return table, pokerkit


def left_to_itself(stacks, moves=(), holes=None, board="", overrides=None, **rules):
    """PokerKit with arguments that differ from those that make it play our rulings."""
    rules = Rules(seats=len(stacks), **rules)
    pokerkit = PokerKitTable(rules, stacks, 0, stacked_deck(len(stacks), 0, holes, board), **(overrides or {}))
    for move in moves:
        pokerkit.play(move)
    return pokerkit


def raises(table):
    return table.legal.raise_min, table.legal.raise_max


def shown(table):
    return [(op.seat, op.kind) for op in table.log if op.kind in ("show", "muck")]


def test_r07_heads_up_with_equal_blinds_the_button_acts_first_in_pokerkit_the_other():
    table, pokerkit = deal([200, 200], blinds=(2, 2))
    assert table.actor == 0
    assert pokerkit.actor == 1


def test_r08_a_short_stack_posts_the_blind_before_the_big_blind_ante_in_pokerkit_after_it():
    game = {"blinds": (50, 100), "big_blind_ante": 100}
    table, _ = deal([1000, 1000, 120], **game)
    pokerkit = left_to_itself([1000, 1000, 120], overrides={"raw_antes": (0, 100, 0)}, **game)
    assert table.bets == [0, 50, 100]
    assert pokerkit.bets == [0, 50, 20]


def test_r08_a_big_blind_ante_is_dead_money_in_pokerkit_only_without_trimming():
    game = {"blinds": (50, 100), "big_blind_ante": 100}
    table, pokerkit = deal([1000, 1000, 1000], [CALL, CALL, CALL], **game)
    assert [pot.amount for pot in table.pots] == [400] == [amount for amount, _ in pokerkit.pots]
    trimming = left_to_itself([1000, 1000, 1000], [CALL, CALL, CALL], overrides={"ante_trimming_status": True}, **game)
    assert [amount for amount, _ in trimming.pots] == [300], "it went back to its owner"


def test_r08_a_short_ante_makes_a_side_pot_in_pokerkit_only_with_trimming():
    stacks, moves, board = [4, 1000, 1000], 8 * [CALL], "2c7d9hJsKd"
    holes = {0: "AsAh", 1: "QcQd", 2: "3c4d"}
    table, pokerkit = deal(stacks, moves, holes=holes, board=board, blinds=(50, 100), ante=10)
    assert table.payoffs == pokerkit.payoffs == [8, 102, -110]
    whole = {"ante_trimming_status": False}
    pokerkit = left_to_itself(stacks, moves, holes, board, whole, blinds=(50, 100), ante=10)
    assert pokerkit.payoffs == [20, 90, -110]


def test_r08_a_straddle_is_posted_in_full_or_not_at_all_in_pokerkit_short():
    game = {"blinds": (50, 100), "straddle": 200}
    stacks = [1000, 1000, 1000, 150]
    table, _ = deal(stacks, **game)
    assert (table.bets, table.actor, table.legal.call) == ([0, 50, 100, 0], 3, 100)
    pokerkit = left_to_itself(stacks, overrides={"raw_blinds_or_straddles": (50, 100, 200)}, **game)
    assert (pokerkit.bets, pokerkit.actor, pokerkit.call) == ([0, 50, 100, 150], 0, 150)


def test_r08_a_straddle_is_the_least_raise_in_pokerkit_the_least_bet_is():
    game = {"blinds": (1, 2), "straddle": 4}
    stacks = [200, 200, 200, 200]
    table, _ = deal(stacks, **game)
    pokerkit = left_to_itself(stacks, overrides={"streets": streets(Rules(seats=4, **game), straddled=False)}, **game)
    assert raises(table) == (8, 200)
    assert pokerkit.raises == (6, 200)


def test_r09_the_price_to_call_is_the_full_blind_in_pokerkit_what_was_posted():
    stacks = [1000, 1000, 60]
    table, pokerkit = deal(stacks, blinds=(50, 100))
    assert (table.legal.call, raises(table)) == (100, (200, 1000))
    assert (pokerkit.call, pokerkit.raises) == (60, (160, 1000))


def test_r09_the_next_raise_after_a_short_blind():
    table, pokerkit = deal([1000, 1000, 60], [200], blinds=(50, 100))
    assert table.legal.call == pokerkit.call == 150
    assert raises(table) == (300, 1000)
    assert pokerkit.raises == (340, 1000)


def test_r09_r17_the_pot_after_a_short_blind():
    table, pokerkit = deal([1000, 1000, 60], blinds=(50, 100), structure="pot_limit")
    assert raises(table) == (200, 100 + 110 + 100)
    assert pokerkit.raises == (160, 60 + 110 + 60)


def test_r14_folding_when_checking_is_free_is_legal_in_pokerkit_not_in_tournaments():
    table, _ = deal([200, 200], [CALL], blinds=(1, 2))
    assert table.legal.fold
    assert table.legal.call == 0
    pokerkit = left_to_itself([200, 200], [CALL], overrides={"mode": pokerkit_library.Mode.TOURNAMENT}, blinds=(1, 2))
    with pytest.raises(ValueError, match="no reason"):
        pokerkit.play(FOLD)


def test_r18_the_big_blind_is_the_first_of_four_bets_in_pokerkits_fixed_limit_it_is_not():
    table, _ = deal([200, 200, 200], [4, 6, 8], blinds=(1, 2), structure="fixed_limit")
    assert raises(table) == NO_RAISE
    everything = tuple(pokerkit_library.Automation)
    state = pokerkit_library.FixedLimitTexasHoldem.create_state(everything, True, 0, (1, 2), 2, 4, (200, 200, 200), 3)
    for total in (4, 6, 8):
        state.complete_bet_or_raise_to(total)
    assert state.can_complete_bet_or_raise_to(10)


def test_r21_a_short_opening_all_in_does_not_reopen_the_betting_in_pokerkit_it_does():
    """Seat 1 checks, seat 2 is all-in for 60 of 100, seat 0 calls."""
    table, pokerkit = deal([1000, 1000, 160], [CALL, CALL, CALL, CALL, 60, CALL], blinds=(50, 100))
    assert table.actor == pokerkit.actor == 1
    assert table.legal.call == pokerkit.call == 60
    assert raises(table) == NO_RAISE
    assert pokerkit.raises == (160, 900)


def test_r21_nor_does_a_short_raise_of_the_big_blind():
    """Seat 3 calls 100, seat 0 is all-in for 150, the blinds call."""
    table, pokerkit = deal([150, 1000, 1000, 1000], [CALL, 150, CALL, CALL], blinds=(50, 100))
    assert table.actor == pokerkit.actor == 3
    assert raises(table) == NO_RAISE
    assert pokerkit.raises == (250, 1000)


def test_r23_a_third_short_all_in_does_not_close_what_two_have_opened_in_pokerkit_it_does():
    """Blind 20; seat 1 bets 20, all-ins for 30, 41 and 43: seat 1 faces 23."""
    stacks = [1000, 1000, 50, 61, 63]
    start = [CALL, CALL, CALL, CALL, CALL, 20, 30, 41]
    before, pokerkit_before = deal(stacks, [*start, FOLD, CALL], blinds=(10, 20))
    assert raises(before) == pokerkit_before.raises == (61, 980)
    table, pokerkit = deal(stacks, [*start, 43, CALL], blinds=(10, 20))
    assert table.actor == pokerkit.actor == 1
    assert table.legal.call == pokerkit.call == 23
    assert raises(table) == (63, 980)
    assert pokerkit.raises == NO_RAISE


def test_r23_nor_does_one_of_several_that_are_all_less_than_the_blind():
    """Blind 10; seat 1 is all-in for 6, seat 2 calls, then all-ins for 11, 16 and 19: seat 2 faces 13."""
    stacks = [1000, 16, 1000, 21, 26, 29]
    table, pokerkit = deal(stacks, 6 * [CALL] + [6, CALL, 11, 16, 19, CALL], blinds=(5, 10))
    assert table.actor == pokerkit.actor == 2
    assert table.legal.call == pokerkit.call == 13
    assert raises(table) == (29, 990)
    assert pokerkit.raises == NO_RAISE


def test_r23_who_has_acted_since_may_not_raise_in_pokerkit_before_0_7_7_it_may():
    """Blind 20; seat 1 bets 20, all-ins for 30 and 41: seat 1 faces a raise, and seat 3, who called 30, does not."""
    table, pokerkit = deal([1000, 1000, 50, 1000, 61], 5 * [CALL] + [20, 30, CALL, 41, CALL, CALL], blinds=(10, 20))
    assert table.actor == pokerkit.actor == 3
    assert table.legal.call == pokerkit.call == 11
    assert raises(table) == NO_RAISE
    assert pokerkit.raises == ((61, 980) if VERSION < (0, 7, 7) else NO_RAISE)


def flop_in_fixed_limit(stacks, moves):
    """Blinds 10/20, everybody calls; seat 1 begins on the flop."""
    return deal(stacks, [CALL] * len(stacks) + moves, blinds=(10, 20), structure="fixed_limit")


def test_r24_less_than_half_a_raise_is_completed_in_pokerkit_raised_by_a_full_bet():
    table, pokerkit = flop_in_fixed_limit([1000, 1000, 49], [20, 29])
    assert raises(table) == (40, 40)
    assert pokerkit.raises == (49, 49)


def test_r24_half_a_raise_reopens_the_betting_in_pokerkit_only_a_full_one():
    table, pokerkit = flop_in_fixed_limit([1000, 1000, 50], [20, 30])
    assert raises(table) == pokerkit.raises == (50, 50), "who has not acted may raise"
    table, pokerkit = flop_in_fixed_limit([1000, 1000, 50], [20, 30, CALL])
    assert raises(table) == (50, 50)
    assert pokerkit.raises == NO_RAISE


def test_r24_less_than_half_a_raise_does_not_count_towards_the_cap_in_pokerkit_it_does():
    table, pokerkit = flop_in_fixed_limit([1000, 1000, 1000, 1000, 85], [20, 40, 60, 65])
    assert raises(table) == (80, 80)
    assert pokerkit.raises == NO_RAISE


def test_r25_a_player_who_can_only_check_is_not_asked_in_pokerkit_it_is():
    """Seat 0 is all-in for 80, the small blind folds; the big blind has 100 in."""
    table, pokerkit = deal([80, 1000, 1000], [CALL, FOLD], blinds=(50, 100))
    assert table.is_over
    assert (pokerkit.actor, pokerkit.call, pokerkit.raises) == (2, 0, NO_RAISE)
    pokerkit.play(CALL)
    assert pokerkit.payoffs == table.payoffs


BROADWAY = "TcJdQhKsAd"  # on the board: all hands tie


def test_r28_odd_chips_go_to_one_winner_each_in_pokerkit_all_to_the_first():
    """11 chips for seats 2, 3 and 0: 4-4-3."""
    moves = [CALL, CALL, FOLD] + 10 * [CALL]
    table, pokerkit = deal([100, 100, 100, 100], moves, board=BROADWAY, blinds=(2, 3))
    assert table.payoffs == [0, -2, 1, 1]
    assert pokerkit.payoffs == [0, -2, 2, 0]


def test_r28_each_pot_is_split_separately_in_pokerkit_pots_become_one_when_losers_are_out():
    """Seats 2 and 0 share a main pot of 21 and a side pot of 15; seat 3, all-in for 5, loses, seat 4 folds."""
    holes = {2: "AsAh", 0: "AcAd", 3: "7c2d"}
    moves = [5, CALL, CALL, FOLD, CALL, 3, CALL, 6, CALL, FOLD] + 4 * [CALL]
    table, pokerkit = deal([100, 100, 100, 5, 100], moves, holes=holes, board="3c4dJhJs9c", blinds=(1, 2))
    assert [op.amount for op in table.log if op.kind == "push_pot"] == [8, 7, 11, 10]
    assert table.payoffs == [17 - 11, -1, 19 - 11, -5, -8]
    assert pokerkit.payoffs == [18 - 11, -1, 18 - 11, -5, -8]


def test_r32_a_pot_without_a_low_is_the_highs_in_pokerkit_its_players_share_half_of_it():
    """Seat 1 has the only low, and is all-in for 50; seat 2 the best high, for 150; then seats 0 and 3."""
    stacks, holes = [500, 50, 150, 500], {0: "JsJh", 1: "Ad3s", 2: "QsQh", 3: "TsTh"}
    table, pokerkit = deal(stacks, [500, CALL, CALL, CALL], holes, "2c4d7hKsKc", blinds=(10, 20), split="high_low")
    assert table.payoffs == [200, 50, 250, -500]
    assert pokerkit.payoffs == [275, 50, 175, -500], "a quarter of the first side pot went to seat 0"


def test_r29_the_last_side_pot_shows_first_in_pokerkit_who_is_left_of_the_button():
    """Seat 1 is all-in for 100, the others bet 50 more; seat 0 is beaten for both pots and need not show."""
    holes = {0: "7c2d", 1: "AsAh", 2: "KsKh"}
    moves = [CALL, 100, CALL, CALL, 50, CALL, CALL, CALL, CALL, CALL]
    table, pokerkit = deal([1000, 100, 1000], moves, holes=holes, board="3c4dJh9s8c", blinds=(5, 10))
    assert shown(table) == [(2, "show"), (0, "muck"), (1, "show")]
    assert pokerkit.shown == [(1, "show"), (2, "show"), (0, "show")]
    assert table.payoffs == pokerkit.payoffs
