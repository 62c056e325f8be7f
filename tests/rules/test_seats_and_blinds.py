"""R6-R9: where the blinds sit, antes, big-blind ante, straddle, and stacks too short to post."""

from __future__ import annotations

import pytest

from holdem_env import Rules, Table, holdem_v0
from rules.playing import (
    BEST,
    BOARD,
    FLOP,
    GOOD,
    POOR,
    WORST,
    A,
    B,
    C,
    D,
    asks,
    check_down,
    deal,
    deeds,
    flop,
    play,
    play_to,
    pots,
    stacked_deck,
)

POSTS = ("post_ante", "post_small_blind", "post_big_blind", "post_straddle", "post_big_blind_ante")
CALL = 1  # check or call, of every built-in action encoder


# R6: blinds


@pytest.mark.parametrize("seats", range(3, 11))
def test_r06_blinds_sit_left_of_the_button(seats):
    for button in range(seats):
        table = Table(Rules(seats=seats), button=button, seed=0)
        small, big = (button + 1) % seats, (button + 2) % seats
        assert table.bets == [50 if seat == small else 100 if seat == big else 0 for seat in range(seats)]
        assert table.stacks == [10_000 - bet for bet in table.bets]
        assert table.actor == (button + 3) % seats


def test_r06_the_big_blind_is_the_minimum_bet():
    asks(flop([500, 500, 500]), A, call=0, least=20, most=500)


@pytest.mark.parametrize(
    ("blinds", "bets", "raised"),
    [
        ((1, 2), {}, 4),  # fixed-limit 2/4
        ((10, 15), {}, 30),  # fixed-limit 15/30
    ],
)
def test_r06_fixed_limit_games_have_their_blinds(blinds, bets, raised):
    table = deal([500, 500, 500], structure="fixed_limit", blinds=blinds, **bets)
    assert table.bets == [*blinds, 0]
    asks(table, C, call=blinds[1], exactly=raised)


@pytest.mark.parametrize("blinds", [(3, 10), (10, 10), (1, 100), (0, 20)])
def test_r06_small_and_big_blind_are_free_parameters(blinds):
    table = deal([500, 500, 500], blinds=blinds)
    assert table.bets == [*blinds, 0]
    asks(table, C, call=blinds[1], least=2 * blinds[1], most=500)


# R7: heads-up


@pytest.mark.parametrize("button", [0, 1])
def test_r07_heads_up_the_button_has_the_small_blind_and_acts_first_before_the_flop_and_last_after_it(button):
    other = 1 - button
    table = deal([500, 500], button=button)
    assert table.bets[button] == 10
    assert table.bets[other] == 20
    asks(table, button, call=10, least=40, most=500)
    table.check_call()
    asks(table, other, call=0, least=40, most=500)
    table.check_call()
    for _ in range(3):
        assert table.actor == other
        table.check_call()
        assert table.actor == button
        table.check_call()
    assert table.is_over


# R8: antes


def test_r08_an_ante_counts_in_the_pot_but_not_towards_calling():
    table = deal([500, 500, 500], ante=5)
    assert table.bets == [10, 20, 0]
    assert pots(table) == [(15, (A, B, C))]
    asks(table, C, call=20, least=40, most=495)
    play(table, "C:c A:c B:k")
    assert pots(table) == [(75, (A, B, C))]


def test_r08_a_uniform_ante_is_posted_before_the_blind():
    table = deal([12, 500, 500], ante=5)
    assert table.bets == [7, 20, 0]
    assert table.stacks[A] == 0
    antes = ["A post_ante 5", "B post_ante 5", "C post_ante 5"]
    assert deeds(table, *POSTS) == [*antes, "A post_small_blind 7", "B post_big_blind 20"]


def test_r08_a_stack_of_one_ante_posts_no_blind():
    table = deal([500, 5, 500], ante=5)
    assert table.posted[B] == (("post_ante",), 5, 0, 0)
    assert table.bets == [10, 0, 0]
    assert table.stacks[B] == 0
    asks(table, C, call=20, least=40)


def test_r08_a_short_ante_makes_a_side_pot():
    table = deal([4, 500, 500], ante=5, holes={A: BEST, B: GOOD, C: POOR})
    assert pots(table) == [(12, (A, B, C)), (2, (B, C))]
    play(table, "C:c B:k")
    assert pots(table) == [(12, (A, B, C)), (42, (B, C))]
    assert check_down(table).payoffs == [8, 17, -25]


def test_r08_antes_can_put_everybody_all_in():
    table = deal([5, 5, 5], ante=5, holes={A: GOOD, B: BEST, C: POOR})
    assert table.is_over
    assert table.payoffs == [-5, 10, -5]


def test_r08_a_big_blind_ante_is_posted_after_the_blind():
    table = deal([500, 500, 500], big_blind_ante=20)
    assert deeds(table, *POSTS) == ["A post_small_blind 10", "B post_big_blind 20", "B post_big_blind_ante 20"]
    assert table.bets == [10, 20, 0]
    assert table.stacks == [490, 460, 500]
    assert pots(table) == [(20, (A, B, C))]
    asks(table, C, call=20, least=40, most=500)


@pytest.mark.parametrize(
    ("stack", "blind", "ante"), [(40, 20, 20), (30, 20, 10), (21, 20, 1), (20, 20, 0), (15, 15, 0)]
)
def test_r08_a_short_big_blind_posts_the_blind_first(stack, blind, ante):
    table = deal([500, stack, 500], big_blind_ante=20)
    assert table.bets == [10, blind, 0]
    assert table.stacks[B] == stack - blind - ante
    assert sum(amount for amount, _ in pots(table)) == ante
    kinds = ("post_big_blind", "post_big_blind_ante")[: 1 + (ante > 0)]
    assert table.posted == [(("post_small_blind",), 0, 10, 0), (kinds, 0, blind, ante), ((), 0, 0, 0)]


def test_r08_a_big_blind_ante_is_dead_money_and_lies_wholly_in_the_main_pot():
    # A is all-in for 5 and wins 5 from each, and all of the dead 20 on top.
    table = deal([5, 500, 500], big_blind_ante=20, holes={A: BEST, B: GOOD, C: POOR})
    play(table, "C:c B:k")
    assert pots(table) == [(15 + 20, (A, B, C)), (30, (B, C))]
    assert check_down(table).payoffs == [30, 30 - 40, -20]


def test_r08_a_big_blind_ante_is_no_contribution_of_the_big_blind():
    # B is all-in for the blind of 20; its ante of 10 gives it no claim on a further 10 of anybody.
    table = deal([500, 30, 500], big_blind_ante=20, holes={A: GOOD, B: BEST, C: POOR})
    play(table, "C:r60 A:c")
    assert pots(table) == [(60 + 10, (A, B, C)), (80, (A, C))]
    assert check_down(table).payoffs == [20, 40, -60]


def test_r08_who_wins_the_main_pot_wins_the_dead_money():
    table = deal([500, 500, 500], big_blind_ante=20)
    play(table, "C:r60 A:f B:f")
    assert table.payoffs == [-10, -40, 50]


# R8: straddle


def test_r08_a_straddle_is_twice_the_big_blind_left_of_it():
    table = deal([500, 500, 500, 500], straddle=True)
    assert table.bets == [10, 20, 40, 0]
    assert deeds(table, *POSTS)[-1] == "C post_straddle 40"


def test_r08_a_straddle_of_another_size():
    table = deal([500, 500, 500, 500], straddle=50)
    assert table.bets == [10, 20, 50, 0]
    asks(table, D, call=50, least=100, most=500)


def test_r08_a_straddle_is_the_bet_to_match_and_the_minimum_raise_before_the_flop_only():
    table = deal([500, 500, 500, 500], straddle=40)
    asks(table, D, call=40, least=80, most=500)
    play(table, "D:c A:c B:c C:k")
    assert table.street == FLOP
    asks(table, A, call=0, least=20, most=460)


def test_r08_the_straddle_acts_last_before_the_flop_and_may_raise():
    table = deal([500, 500, 500, 500], straddle=40)
    play(table, "D:c A:c B:c")
    asks(table, C, call=0, least=80, most=500)
    play(table, "C:r80 D:c A:c B:c")
    assert table.street == FLOP


def test_r08_a_straddle_after_a_raise():
    table = deal([500, 500, 500, 500], straddle=40)
    play(table, "D:r80 A:f B:f")
    asks(table, C, call=40, least=120, most=500)


def test_r08_three_handed_the_button_straddles():
    table = deal([500, 500, 500], straddle=40)
    assert table.bets == [10, 20, 40]
    asks(table, A, call=30, least=80)


@pytest.mark.parametrize(("stack", "posted"), [(39, 0), (40, 40), (41, 40)])
def test_r08_a_straddle_is_posted_only_in_full(stack, posted):
    table = deal([500, 500, stack, 500], straddle=40)
    assert table.bets == [10, 20, posted, 0]
    if posted:
        asks(table, D, call=40, least=80)
    else:
        asks(table, C, call=20, exactly=39)  # no straddle: C is first to act, at the price of the big blind


def test_r08_a_straddle_is_posted_only_in_full_after_the_ante():
    table = deal([500, 500, 44, 500], straddle=40, ante=5)
    assert table.bets == [10, 20, 0, 0]
    assert table.actor == C


def test_r08_a_straddle_with_the_whole_stack_is_all_in():
    table = deal([500, 500, 40, 500], straddle=40)
    play(table, "D:c A:c B:c")
    assert table.street == FLOP
    assert table.actor == A


def test_r08_no_straddle_heads_up():
    with pytest.raises(ValueError, match="straddle"):
        Rules(seats=2, straddle=True)


def test_r08_no_straddle_when_only_two_of_three_are_left():
    env = holdem_v0.env(rules=Rules(seats=3, blinds=(10, 20), straddle=True, stacks=200), num_hands=2)
    # Seat 1, the button, straddles with its whole stack and loses it; the others call and check.
    env.reset(
        seed=1,
        options={"stacks": [200, 40, 200], "button": 1, "deck": stacked_deck(3, 1, {2: BEST, 1: WORST}, BOARD)},
    )
    while env.hands_played == 0:
        env.step(CALL)
    while env.terminations[env.agent_selection]:
        env.step(None)
    hand = env.records[0]
    assert hand["seats"]["stack"][1] == 0
    assert sorted(hand["seats"]["bet"][:3].tolist()) == [0, 10, 20]


def test_r08_in_fixed_limit_the_straddle_counts_as_the_second_bet():
    table = deal([500, 500, 500, 500], structure="fixed_limit", straddle=40)
    asks(table, D, call=40, exactly=60)
    play(table, "D:r60 A:r80")
    asks(table, B, call=60)  # four bets: the round is capped


def test_r08_a_straddle_may_be_the_last_wager_that_is_left():
    table = deal([500, 500, 500, 500], structure="fixed_limit", straddle=40, max_raises=(1, 4, 4, 4))
    asks(table, D, call=40)


# R9: stacks smaller than the ante or blind


@pytest.mark.parametrize("stack", [1, 3, 9, 10])
def test_r09_a_short_small_blind_is_all_in(stack):
    table = deal([stack, 500, 500])
    assert table.bets == [stack, 20, 0]
    assert table.stacks[A] == 0
    asks(table, C, call=20, least=40, most=500)
    play(table, "C:c B:k")
    assert pots(table) == [(3 * stack, (A, B, C)), (2 * (20 - stack), (B, C))]


@pytest.mark.parametrize("stack", [1, 12, 19])
def test_r09_after_a_short_big_blind_the_price_stays_that_of_the_full_blind(stack):
    table = deal([500, stack, 500])
    assert table.bets == [10, stack, 0]
    asks(table, C, call=20, least=40, most=500)
    play(table, "C:c")
    asks(table, A, call=10, least=40, most=500)


def test_r09_the_price_stays_even_when_nobody_posted_it_in_full():
    table = deal([3, 4, 500, 500])
    assert table.bets == [3, 4, 0, 0]
    asks(table, C, call=20, least=40, most=500)
    play(table, "C:c")
    asks(table, D, call=20, least=40, most=500)


def test_r09_what_cannot_be_matched_of_the_price_is_returned():
    table = deal([500, 4, 500], holes={B: BEST, C: GOOD})
    play(table, "C:c A:f")
    assert deeds(table, "return_uncalled") == ["C return_uncalled 10"]  # A's folded 10 stay in
    assert table.payoffs == [-10, 8, 2]


def test_r09_heads_up_against_a_short_big_blind():
    table = deal([15, 500], holes={A: BEST, B: GOOD})  # A has the big blind, B the small one
    asks(table, B, call=10)  # to 20; A has no chips to call a raise with
    play(table, "B:c")
    assert deeds(table, "return_uncalled") == ["B return_uncalled 5"]
    assert table.payoffs == [15, -15]


def test_r09_a_short_ante_is_all_in():
    table = deal([500, 500, 3], ante=5)
    assert table.stacks == [485, 475, 0]
    asks(table, A, call=10, least=40, most=495)


def test_r09_short_stacks_call_with_what_they_have():
    table = deal([500, 500, 15], holes={C: BEST, A: GOOD, B: POOR})
    asks(table, C, call=15)
    play(table, "C:c A:c B:k")
    assert pots(table) == [(45, (A, B, C)), (10, (A, B))]
    assert check_down(table).payoffs == [-10, -20, 30]


def test_r09_the_minimum_bet_of_the_flop_is_the_full_blind_too():
    table = play_to(deal([500, 4, 500]), FLOP)
    asks(table, A, call=0, least=20)


@pytest.mark.parametrize("facing", [30, 60])
def test_r09_the_price_stays_also_when_only_short_all_ins_are_left_to_face(facing):
    """The big blind is all-in for less than the blind, and everybody else has folded to the small blind."""
    table = play(deal([500, facing, 500], blinds=(50, 100)), "C:f")
    if facing > 50:
        asks(table, A, call=50)
        table.check_call()
        assert deeds(table, "return_uncalled") == [f"A return_uncalled {100 - facing}"]
    else:  # the small blind covers all that is left to face: it is not asked (R25)
        assert table.is_over
