"""R20-R25: all-in. Calling and betting for less, and what a short all-in does to the right to raise."""

from __future__ import annotations

import pytest

from holdem_env import IllegalMove
from rules.playing import (
    BEST,
    FLOP,
    GOOD,
    POOR,
    PREFLOP,
    TURN,
    WORST,
    A,
    B,
    C,
    D,
    E,
    F,
    asks,
    deal,
    deeds,
    flop,
    play,
    play_to,
    river,
    showing,
)

# R20: table stakes


def test_r20_a_call_may_be_for_less():
    table = play(flop([500, 30, 500]), "A:b100")
    asks(table, B, call=30)
    play(table, "B:c")
    assert table.stacks[B] == 0
    asks(table, C, call=100, least=200, most=500)


def test_r20_a_bet_may_be_for_less_than_the_minimum():
    table = flop([7, 500, 500])
    asks(table, A, call=0, exactly=7)
    asks(play(table, "A:b7"), B, call=7, least=27, most=500)


def test_r20_a_raise_may_be_for_less_than_the_minimum():
    table = play(flop([500, 33, 500]), "A:b20")
    asks(table, B, call=20, exactly=33)


def test_r20_an_all_in_for_950_wins_at_most_950_from_each():
    table = deal([950, 2000, 2000], holes={A: BEST, B: GOOD, C: POOR})
    play(table, "C:c A:r950 B:r2000 C:c")
    assert table.payoffs == [1900, 2 * 1050 - 2000, -2000]


@pytest.mark.parametrize("players", range(2, 7))
def test_r20_an_all_in_wins_950_from_each_of_several(players):
    holes = {A: BEST, B: GOOD, C: POOR, D: WORST, E: "6s6d", F: "9s4s"}
    table = deal([950] + [2000] * (players - 1), holes={seat: holes[seat] for seat in range(players)})
    while not table.is_over:  # everybody puts everything in
        if table.legal.raise_max is not None:
            table.raise_to(table.legal.raise_max)
        else:
            table.check_call()
    assert table.payoffs[A] == 950 * (players - 1)


def test_r20_dead_money_is_won_on_top():
    table = deal([950, 2000, 2000], big_blind_ante=20, holes={A: BEST, B: GOOD, C: POOR})
    play(table, "C:c A:r950 B:r1980 C:c")
    assert table.payoffs == [1900 + 20, 2 * 1030 - 2000, -1980]


def test_r20_who_can_just_call_cannot_raise():
    asks(play(flop([500, 100, 500]), "A:b100"), B, call=100)
    asks(play(flop([500, 101, 500]), "A:b100"), B, call=100, exactly=101)


def test_r20_no_raise_against_an_all_in_alone():
    table = play(flop([100, 500]), "A:b100")
    asks(table, B, call=100)
    with pytest.raises(IllegalMove, match="R20"):
        table.raise_to(200)


def test_r20_no_raise_when_everybody_else_could_not_call_more():
    table = play(flop([100, 500, 100]), "A:b100")
    asks(table, B, call=100)
    asks(play(flop([100, 500, 60]), "A:b100"), B, call=100)


def test_r20_one_chip_more_in_one_opponents_hands_is_enough():
    table = play(flop([100, 500, 101]), "A:b100")
    asks(table, B, call=100, least=200, most=500)  # the greatest raise is not reduced to what C can call


def test_r20_the_opponents_street_bet_counts_with_its_stack():
    # B's 30 and the 70 it has left do not exceed A's 100; with 71 left they would.
    asks(play(flop([100, 100, 500]), "A:k B:b30 C:c A:r100 B:c"), C, call=70)
    asks(play(flop([100, 101, 500]), "A:k B:b30 C:c A:r100"), B, call=70, exactly=101)
    asks(play(flop([100, 101, 500]), "A:k B:b30 C:c A:r100 B:c"), C, call=70, least=170, most=500)


def test_r20_an_opponent_who_folded_does_not_count():
    table = play_to(play(deal([520, 120, 520]), "C:f A:c B:k"), FLOP)
    asks(play(table, "A:k B:b100"), A, call=100)


def test_r20_an_opponent_still_to_act_counts():
    table = play(flop([100, 500, 500]), "A:b100")
    asks(table, B, call=100, least=200, most=500)
    asks(play(table, "B:f"), C, call=100)


def test_r20_nobody_could_call_more_after_a_short_blind():
    asks(deal([20, 500]), B, call=10)  # A posted its 20 and has no more


# R21: the full-bet rule


def test_r21_the_worked_example():
    table = play(flop([100, 25, 100]), "A:b20 B:r25 C:c")
    asks(table, A, call=5)
    for total in (26, 45, 100):
        with pytest.raises(IllegalMove, match="R21"):
            table.raise_to(total)
    assert play(table.copy(), "A:f").is_folded(A)
    assert play(table, "A:c").street == TURN


def test_r21_the_all_in_must_be_called_in_full():
    asks(play(flop([100, 25, 100]), "A:b20 B:r25"), C, call=25, least=45)


def test_r21_one_chip_short_of_a_full_raise():
    table = play(flop([100, 39, 100]), "A:b20 B:r39 C:c")
    asks(table, A, call=19)


def test_r21_a_full_raise_all_in_reopens():
    table = play(flop([100, 40, 100]), "A:b20 B:r40 C:c")
    asks(table, A, call=20, least=60, most=100)


def test_r21_opening_all_in_below_the_minimum():
    table = play(flop([500, 4, 500], blinds=(5, 10)), "A:k B:b4 C:c")
    asks(table, A, call=4)


def test_r21_a_full_raise_after_the_short_all_in_reopens():
    table = play(flop([500, 25, 500]), "A:b20 B:r25 C:r45")
    asks(table, A, call=25, least=65, most=500)


def test_r21_before_the_flop():
    # C limps, D is all-in for 30: C may not raise any more, the big blind, who only posted, may.
    table = play(deal([500, 500, 500, 30]), "C:c D:r30 A:f")
    asks(table, B, call=10, least=50, most=500)
    asks(play(table, "B:c"), C, call=10)


def test_r21_a_short_all_in_over_a_straddle():
    table = play(deal([500, 500, 500, 500, 55], straddle=40), "D:c E:r55 A:f B:f")
    asks(table, C, call=15, least=95, most=500)
    asks(play(table, "C:c"), D, call=15)


def test_r21_the_short_all_in_is_forgotten_on_the_next_street():
    table = play(flop([100, 25, 100]), "A:b20 B:r25 C:c A:c")
    asks(table, A, call=0, least=20, most=75)


def test_r21_in_pot_limit():
    table = play(flop([100, 25, 100], structure="pot_limit"), "A:b20 B:r25 C:c")
    asks(table, A, call=5)


# R22: who has not acted yet


def test_r22_the_minimum_is_the_all_in_plus_the_last_full_bet():
    table = play(flop([100, 25, 100]), "A:b20 B:r25")
    asks(table, C, call=25, least=45, most=100)
    with pytest.raises(IllegalMove, match="45"):
        table.raise_to(44)


def test_r22_blind_10_all_in_bet_4_to_14():
    table = play(flop([500, 4, 500], blinds=(5, 10)), "A:k B:b4")
    asks(table, C, call=4, least=14, most=500)


def test_r22_that_raise_reopens_for_who_had_checked():
    table = play(flop([500, 4, 500], blinds=(5, 10)), "A:k B:b4 C:r14")
    asks(table, A, call=14, least=24, most=500)


def test_r22_the_short_all_in_does_not_change_the_size_of_the_last_raise():
    table = play(flop([500, 500, 130, 500]), "A:b20 B:r80 C:r130")
    asks(table, D, call=130, least=190, most=500)


# R23: several short all-ins


def test_r23_the_worked_example():
    # Around the table: A, B, D, C of the rulebook.
    table = play(flop([500, 30, 500, 41]), "A:b20 B:r30 C:c D:r41")
    asks(table, A, call=21, least=61, most=500)
    play(table, "A:c")
    asks(table, C, call=11)


def test_r23_a_full_raise_then_reopens_for_all():
    table = play(flop([500, 30, 500, 41]), "A:b20 B:r30 C:c D:r41 A:r61")
    asks(table, C, call=31, least=81, most=500)


def test_r23_exactly_a_full_raise_is_enough():
    asks(play(flop([500, 30, 500, 40]), "A:b20 B:r30 C:c D:r40"), A, call=20, least=60)
    asks(play(flop([500, 30, 500, 39]), "A:b20 B:r30 C:c D:r39"), A, call=19)


def test_r23_strict_is_the_full_bet_rule_alone():
    table = play(flop([500, 30, 500, 41], reopen="strict"), "A:b20 B:r30 C:c D:r41")
    asks(table, A, call=21)
    asks(play(table, "A:c"), C, call=11)


@pytest.mark.parametrize("reopen", ["cumulative", "strict"])
def test_r23_after_100_a_raise_to_200_and_an_all_in_for_280(reopen):
    table = play(flop([1000, 1000, 280], reopen=reopen), "A:b100 B:r200 C:r280")
    asks(table, A, call=180, least=380, most=1000)
    asks(play(table.copy(), "A:c"), B, call=80)
    asks(play(table, "A:r380"), B, call=180, least=480, most=1000)


def test_r23_counts_from_the_bet_that_the_player_acted_on():
    # C called 30 and faces 41, 50, 51: a raise of 20 is reached only by the last.
    for last, exactly in ((49, None), (50, 70)):
        table = play(flop([500, 30, 500, 41, last]), f"A:b20 B:r30 C:c D:r41 E:r{last} A:c")
        if exactly is None:
            asks(table, C, call=last - 30)
        else:
            asks(table, C, call=last - 30, least=exactly)


def test_r23_short_all_ins_behind_a_check():
    table = play(flop([500, 4, 9, 11], blinds=(5, 10)), "A:k B:b4 C:r9 D:r11")
    asks(table, A, call=11)  # nobody else has chips to call a raise with
    table = play(flop([500, 4, 9, 10, 500], blinds=(5, 10)), "A:k B:b4 C:r9 D:r10 E:c")
    asks(table, A, call=10, least=20, most=500)
    table = play(flop([500, 4, 8, 9, 500], blinds=(5, 10)), "A:k B:b4 C:r8 D:r9 E:c")
    asks(table, A, call=9)


# R24: the half-bet rule of fixed limit


def limit_flop(stacks, **options):
    """Bets are 20 on the flop."""
    return flop(stacks, structure="fixed_limit", **options)


def test_r24_an_all_in_of_half_a_bet_counts_as_a_raise():
    table = play(limit_flop([500, 30, 500]), "A:b20 B:r30")
    asks(table, C, call=30, exactly=50)
    asks(play(table, "C:c"), A, call=10, exactly=50)


def test_r24_less_is_an_action_only_and_is_completed():
    table = play(limit_flop([500, 29, 500]), "A:b20 B:r29")
    asks(table, C, call=29, exactly=40)
    asks(play(table, "C:c"), A, call=9)


def test_r24_a_completion_is_a_full_raise_and_reopens_for_all():
    table = play(limit_flop([500, 29, 500]), "A:b20 B:r29 C:r40")
    asks(table, A, call=20, exactly=60)


def test_r24_measured_from_the_last_full_level():
    # 36 is 16 above 20: it counts, once.
    table = play(limit_flop([500, 28, 36, 500]), "A:b20 B:r28 C:r36")
    asks(table, D, call=36, exactly=56)
    asks(play(table.copy(), "D:c"), A, call=16, exactly=56)
    play(table, "D:r56 A:r76")  # bet, all-in, raise, cap
    asks(table, D, call=20)


def test_r24_after_a_counted_all_in_the_next_is_measured_from_it():
    asks(play(limit_flop([500, 30, 39, 500]), "A:b20 B:r30 C:r39"), D, call=39, exactly=50)
    asks(play(limit_flop([500, 30, 40, 500]), "A:b20 B:r30 C:r40"), D, call=40, exactly=60)


@pytest.mark.parametrize(("all_in", "next_bet"), [(15, 35), (10, 30), (9, 20), (1, 20)])
def test_r24_an_opening_all_in(all_in, next_bet):
    table = play(limit_flop([500, all_in, 500]), f"A:k B:b{all_in}")
    asks(table, C, call=all_in, exactly=next_bet)
    # A player who has checked may raise what counts as a bet, and only call what does not.
    asks(play(table, "C:c"), A, call=all_in, exactly=next_bet if all_in >= 10 else None)


def test_r24_a_counted_all_in_counts_towards_the_cap():
    table = play(limit_flop([500, 500, 500, 70]), "A:b20 B:r40 C:r60 D:r70")
    asks(table, A, call=50)
    asks(play(table, "A:c"), B, call=30)


def test_r24_what_does_not_count_leaves_the_cap_open():
    table = play(limit_flop([500, 500, 500, 69]), "A:b20 B:r40 C:r60 D:r69")
    asks(table, A, call=49, exactly=80)
    asks(play(table, "A:r80"), B, call=40)


def test_r24_an_opening_all_in_and_the_cap():
    table = play(limit_flop([15, 500, 500]), "A:b15 B:r35 C:r55 B:r75")
    asks(table, C, call=20)
    table = play(limit_flop([9, 500, 500]), "A:b9 B:r20 C:r40 B:r60")
    asks(table, C, call=20, exactly=80)


def test_r24_who_may_not_raise_may_not_complete():
    table = play(limit_flop([500, 500, 25, 500]), "A:b20 B:c C:r25 D:c")
    asks(table, A, call=5)
    asks(play(table, "A:c"), B, call=5)


def test_r24_before_the_flop_the_big_blind_is_the_bet():
    asks(play(deal([500, 500, 500, 30], structure="fixed_limit"), "C:c D:r30"), A, call=20, exactly=50)
    asks(play(deal([500, 500, 500, 29], structure="fixed_limit"), "C:c D:r29"), A, call=19, exactly=40)
    asks(play(deal([500, 500, 500, 30], structure="fixed_limit"), "C:c D:r30 A:c B:c"), C, call=10, exactly=50)
    asks(play(deal([500, 500, 500, 29], structure="fixed_limit"), "C:c D:r29 A:c B:c"), C, call=9)


def test_r24_big_bets_on_the_turn():
    table = play(play_to(limit_flop([500, 59, 500]), TURN), "A:b40 B:r59")
    asks(table, C, call=59, exactly=80)
    table = play(play_to(limit_flop([500, 60, 500]), TURN), "A:b40 B:r60")
    asks(table, C, call=60, exactly=100)


@pytest.mark.parametrize(("all_in", "reopened"), [(30, False), (39, False), (40, True)])
def test_r24_with_fraction_1_it_is_the_full_bet_rule(all_in, reopened):
    table = play(limit_flop([500, all_in, 500], reopen_fraction=1.0), f"A:b20 B:r{all_in}")
    asks(table, C, call=all_in, exactly=60 if reopened else 40)
    asks(play(table, "C:c"), A, call=all_in - 20, exactly=60 if reopened else None)


def test_r24_is_not_the_default_in_no_limit():
    asks(play(flop([500, 39, 500]), "A:b20 B:r39 C:c"), A, call=19)


def test_r24_is_an_option_in_no_limit():
    table = play(flop([500, 30, 500], reopen_fraction=0.5), "A:b20 B:r30")
    asks(table, C, call=30, least=50)
    asks(play(table, "C:c"), A, call=10, least=50)
    asks(play(flop([500, 29, 500], reopen_fraction=0.5), "A:b20 B:r29 C:c"), A, call=9)
    table = play(flop([500, 28, 36, 500], reopen_fraction=0.5), "A:b20 B:r28 C:r36 D:c")
    asks(table, A, call=16, least=56)


# R25: nothing left to bet


def test_r25_the_board_is_dealt_when_all_are_all_in():
    table = play(deal([100, 100]), "B:r100 A:c")
    assert table.is_over
    assert len(table.board) == 5


def test_r25_who_could_only_check_is_not_asked():
    table = play(flop([50, 50, 500]), "A:b50 B:c C:c")
    assert table.is_over
    assert len(table.board) == 5


@pytest.mark.parametrize(("big_blind_stack", "asked"), [(3, False), (9, False), (10, False), (11, True), (15, True)])
def test_r25_who_faces_only_shorter_all_ins_is_not_asked(big_blind_stack, asked):
    table = deal([big_blind_stack, 500], holes={A: BEST, B: GOOD})  # B has posted 10
    if asked:
        asks(table, B, call=10)
        table.check_call()
    assert table.is_over
    assert table.payoffs == [big_blind_stack, -big_blind_stack]


def test_r25_the_big_blind_against_shorter_all_ins_is_not_asked():
    table = play(deal([3, 500, 15], holes={A: BEST, B: POOR, C: GOOD}), "C:c")
    assert table.is_over
    assert deeds(table, "return_uncalled") == ["B return_uncalled 5"]
    assert table.payoffs == [6, -15, 9]


def test_r25_the_only_one_with_chips_is_not_asked_for_a_blind_that_nobody_could_post():
    table = deal([5, 5, 500], ante=5, holes={A: BEST, B: POOR, C: GOOD})
    assert table.is_over
    assert table.payoffs == [10, -5, -5]


def test_r25_blinds_can_put_everybody_all_in():
    table = deal([7, 5], holes={A: BEST, B: GOOD})
    assert table.is_over
    assert table.payoffs == [5, -5]


def test_r25_who_faces_a_larger_bet_is_asked():
    table = play(flop([50, 500, 500]), "A:b50 B:f")
    asks(table, C, call=50)
    assert play(table, "C:f").payoffs == [40, -20, -20]


def test_r25_two_with_chips_go_on_betting():
    table = play(flop([50, 500, 500]), "A:b50 B:c C:c")
    assert not table.is_over
    assert table.street == TURN
    asks(table, B, call=0, least=20, most=450)
    assert play(table, "B:b450 C:c").is_over


def test_r25_betting_ends_when_all_but_one_are_all_in_on_a_later_street():
    table = play(flop([50, 300, 500]), "A:b50 B:c C:c B:b250 C:c")
    assert table.is_over
    assert table.stacks[C] >= 200


@pytest.mark.parametrize("all_in_on", [PREFLOP, FLOP, TURN])
def test_r25_hands_are_turned_up_before_the_rest_of_the_board(all_in_on):
    table = play_to(deal([100, 100], holes={A: POOR, B: BEST}), all_in_on)
    table.raise_to(table.legal.raise_max)
    table.check_call()
    order = deeds(table, "show", "deal_board")
    assert order == ["deal_board"] * all_in_on + ["A show", "B show"] + ["deal_board"] * (3 - all_in_on)


@pytest.mark.parametrize("all_in_on", [PREFLOP, FLOP, TURN])
def test_r25_face_up_is_an_option(all_in_on):
    table = play_to(deal([100, 100], holes={A: POOR, B: BEST}, face_up_all_in=False), all_in_on)
    table.raise_to(table.legal.raise_max)
    table.check_call()
    assert deeds(table, "show", "deal_board") == ["deal_board"] * 3 + ["A show", "B show"]


def test_r25_all_live_hands_are_turned_up_and_no_folded_one():
    table = play(flop([50, 50, 500, 500], holes={A: POOR, B: BEST, C: WORST}), "A:b50 B:c C:c D:f")
    assert showing(table) == ["A show", "B show", "C show"]  # C has chips left and is beaten: it shows all the same
    assert not table.is_shown(D)


def test_r25_when_the_last_bet_was_called_on_the_river_there_is_nothing_left_to_turn_up():
    table = play(river([50, 50, 500], holes={A: BEST, B: POOR, C: WORST}), "A:b50 B:c C:c")
    assert showing(table) == ["A show", "B show", "C muck"]
