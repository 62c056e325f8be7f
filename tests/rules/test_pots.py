"""R26-R28 and R31: what goes back uncalled, side pots, split pots and odd chips, rake."""

from __future__ import annotations

import pytest

from holdem_env import Rake, Rules, Table
from rules.playing import (
    BEST,
    BEST_TOO,
    GOOD,
    GOOD_TOO,
    POOR,
    WORST,
    A,
    B,
    C,
    D,
    E,
    check_down,
    deal,
    deeds,
    flop,
    play,
    pots,
)

ROYAL = "AhKhQhJhTh"  # a board that everybody plays


# R26: uncalled bets


def test_r26_an_uncalled_bet_goes_back_before_the_pot_is_pushed():
    table = play(flop([500, 500, 500]), "A:b100 B:f C:f")
    assert deeds(table, "return_uncalled", "push_pot") == ["A return_uncalled 100", "A push_pot 60 of 0"]
    assert table.payoffs == [40, -20, -20]


def test_r26_the_uncalled_part_of_a_raise_goes_back():
    table = play(flop([500, 500]), "A:b50 B:r200 A:f")
    assert deeds(table, "return_uncalled") == ["B return_uncalled 150"]
    assert table.payoffs == [-70, 70]


def test_r26_an_uncalled_raise_over_the_blinds():
    table = play(deal([500, 500, 500]), "C:r60 A:f B:f")
    assert deeds(table, "return_uncalled", "push_pot") == ["C return_uncalled 40", "C push_pot 50 of 0"]
    assert table.payoffs == [-10, -20, 30]


def test_r26_when_everybody_folds_to_the_big_blind():
    table = play(deal([500, 500, 500]), "C:f A:f")
    assert deeds(table, "return_uncalled", "push_pot") == ["B return_uncalled 10", "B push_pot 20 of 0"]
    assert table.payoffs == [-10, 10, 0]


def test_r26_the_part_that_nobody_can_match_goes_back():
    table = play(flop([500, 60], holes={A: GOOD, B: BEST}), "A:b100 B:c")
    assert deeds(table, "return_uncalled") == ["A return_uncalled 40"]
    assert table.payoffs == [-80, 80]


def test_r26_of_several_all_ins_the_greatest_gets_back_what_exceeds_the_second():
    table = play(flop([300, 100, 200], holes={A: POOR, B: BEST, C: GOOD}), "A:b300 B:c C:c")
    assert deeds(table, "return_uncalled") == ["A return_uncalled 100"]
    assert table.stacks == [100, 120 * 3, 200]


def test_r26_chips_of_who_folded_have_been_called():
    table = play(flop([500, 500, 30], holes={A: GOOD, C: BEST}), "A:b100 B:c C:c A:b100 B:f")
    assert deeds(table, "return_uncalled") == ["A return_uncalled 100"]
    assert table.payoffs == [140 - 120, -120, 100]


def test_r26_nothing_goes_back_after_a_call():
    table = check_down(play(flop([500, 500]), "A:b100 B:c"))
    assert deeds(table, "return_uncalled") == []


def test_r26_what_goes_back_is_never_raked():
    table = play(flop([500, 60], rake=Rake(percent=10)), "A:b100 B:c")
    assert table.rake == 16  # of 160, not of 200
    table = play(flop([500, 500], rake=Rake(percent=10)), "A:b100 B:f")
    assert table.rake == 4


# R27: side pots


def test_r27_the_worked_example():
    # Without a small blind: A has the button and calls 20, B is all-in for 5 behind it, C has the big blind of 20.
    table = play(deal([500, 5, 500], button=0, blinds=(0, 20), holes={A: GOOD, B: BEST, C: POOR}), "A:c B:c C:k")
    assert pots(table) == [(15, (A, B, C)), (30, (A, C))]
    check_down(table)
    assert deeds(table, "push_pot") == ["A push_pot 30 of 1", "B push_pot 15 of 0"]
    assert table.payoffs == [10, 10, -20]


def test_r27_the_worked_example_on_the_flop():
    table = play(flop([500, 5, 500], blinds=(1, 2)), "A:b20 B:c C:c")
    assert pots(table) == [(6 + 15, (A, B, C)), (30, (A, C))]


def test_r27_one_pot_for_each_all_in_level():
    stacks = [10, 30, 60, 100, 100]
    holes = {A: BEST, B: GOOD, C: "9s9d", D: POOR, E: WORST}
    table = play(flop(stacks, blinds=(1, 2), holes=holes), "A:b10 B:r30 C:r60 D:r100 E:c")
    assert table.is_over
    pushed = ["D push_pot 80 of 3", "C push_pot 90 of 2", "B push_pot 80 of 1", "A push_pot 60 of 0"]
    assert deeds(table, "push_pot") == pushed
    assert table.stacks == [60, 80, 90, 80, 0]


def test_r27_one_hand_may_win_several_pots():
    holes = {A: POOR, B: BEST, C: GOOD, D: WORST}
    table = play(flop([10, 30, 60, 60], blinds=(1, 2), holes=holes), "A:b10 B:r30 C:r60 D:c")
    assert deeds(table, "push_pot") == ["C push_pot 60 of 2", "B push_pot 60 of 1", "B push_pot 48 of 0"]


def test_r27_later_bets_go_to_the_last_side_pot():
    table = play(flop([10, 500, 500], blinds=(1, 2)), "A:b10 B:c C:c")
    assert pots(table) == [(36, (A, B, C))]
    play(table, "B:b50 C:c")
    assert pots(table) == [(36, (A, B, C)), (100, (B, C))]
    play(table, "B:b100 C:c")
    assert table.is_over
    assert sum(table.stacks) == 12 + 502 + 502


def test_r27_folded_chips_stay_in():
    table = play(flop([500, 5, 500, 500], blinds=(1, 2)), "A:b20 B:c C:c D:c")
    assert pots(table) == [(8 + 20, (A, B, C, D)), (45, (A, C, D))]
    play(table, "A:f")
    assert pots(table) == [(28, (B, C, D)), (45, (C, D))]


def test_r27_pots_with_the_same_contestants_are_one_pot():
    # C's folded 20 lie below the level of 60 that A and B reach: one pot, not two.
    table = play(flop([500, 500, 500], blinds=(1, 2)), "A:b20 B:r60 C:f A:c")
    assert pots(table) == [(6 + 120, (A, B))]
    table = play(flop([500, 500, 500], blinds=(1, 2)), "A:b20 B:c C:r60 A:f B:c")
    assert pots(table) == [(6 + 140, (B, C))]


def test_r27_an_all_in_level_whose_player_folds_away_is_no_level():
    table = play(flop([500, 40, 500, 500], blinds=(1, 2)), "A:b40 B:c C:c D:f")
    assert pots(table) == [(8 + 120, (A, B, C))]


def test_r27_two_all_ins_of_the_same_level_make_one_pot():
    table = play(flop([30, 30, 500, 500], blinds=(1, 2)), "A:b30 B:c C:c D:c")
    assert pots(table) == [(8 + 120, (A, B, C, D))]


def test_r27_pots_are_what_was_collected():
    table = play(flop([500, 500]), "A:b50")
    assert pots(table) == [(40, (A, B))]
    assert table.bets == [50, 0]


def test_r27_dead_money_lies_in_the_main_pot():
    table = play(deal([10, 500, 500], big_blind_ante=8, blinds=(10, 20)), "C:c B:k")
    assert pots(table) == [(30 + 8, (A, B, C)), (20, (B, C))]


def test_r27_side_pots_are_decided_before_the_main_pot():
    table = play(flop([10, 500, 500], blinds=(1, 2), holes={A: WORST, B: POOR, C: GOOD}), "A:b10 B:r60 C:c")
    check_down(table)
    assert deeds(table, "push_pot") == ["C push_pot 100 of 1", "C push_pot 36 of 0"]


def test_r27_the_side_pot_goes_to_the_last_one_who_contests_it():
    table = play(flop([10, 500, 500], blinds=(1, 2), holes={A: BEST, B: POOR}), "A:b10 B:r60 C:c B:b20 C:f")
    assert table.is_over
    assert deeds(table, "return_uncalled", "push_pot") == [
        "B return_uncalled 20",
        "B push_pot 100 of 1",
        "A push_pot 36 of 0",
    ]


# R28: split pots


def test_r28_eleven_chips_and_three_winners():
    # B's small blind of 2 and three times 3 are 11; the button is at A, so the first seat left of it that wins is C.
    table = play(deal([100] * 4, button=0, blinds=(2, 3), board=ROYAL), "D:c A:c B:f C:k")
    check_down(table)
    assert deeds(table, "push_pot") == ["C push_pot 4 of 0", "D push_pot 4 of 0", "A push_pot 3 of 0"]
    assert table.payoffs == [0, -2, 1, 1]


@pytest.mark.parametrize("button", range(4))
def test_r28_the_button_is_last(button):
    table = deal([100] * 4, button=button, blinds=(2, 3), board=ROYAL)
    small, big = (button + 1) % 4, (button + 2) % 4
    table.check_call()
    table.check_call()
    table.fold()
    check_down(table)
    assert table.payoffs[button] == 0
    assert table.payoffs[big] == 1
    assert table.payoffs[small] == -2


@pytest.mark.parametrize(("button", "extra"), [(0, B), (1, C), (2, D), (3, B)])
def test_r28_counts_from_the_buttons_place_even_if_that_is_empty(button, extra):
    # Seat A is empty. Seven chips among three who play the board: one odd chip.
    table = Table.from_position(Rules(seats=4, blinds=(1, 2)), [0, 50, 50, 50], board=ROYAL, pot=7, button=button)
    check_down(table)
    assert table.payoffs == [0, *(3 if seat == extra else 2 for seat in (B, C, D))]


def test_r28_equal_hands_split_evenly():
    table = check_down(deal([100] * 3, holes={A: BEST, B: BEST_TOO, C: GOOD}))
    assert deeds(table, "push_pot") == ["A push_pot 30 of 0", "B push_pot 30 of 0"]


def test_r28_one_odd_chip():
    # A's folded small blind of 1 makes the pot odd: 5.
    table = play(deal([100] * 3, blinds=(1, 2), holes={B: BEST, C: BEST_TOO}), "C:c A:f B:k")
    assert check_down(table).payoffs == [-1, 1, 0]


def test_r28_odd_chips_are_of_the_smallest_chip():
    table = play(deal([500] * 4, button=0, blinds=(10, 15), smallest_chip=5, board=ROYAL), "D:c A:c B:f C:k")
    check_down(table)  # 55 chips are eleven of 5
    assert deeds(table, "push_pot") == ["C push_pot 20 of 0", "D push_pot 20 of 0", "A push_pot 15 of 0"]


def test_r28_heads_up_the_big_blind_comes_first():
    table = check_down(deal([100, 100], blinds=(1, 2), big_blind_ante=1, board=ROYAL))
    assert deeds(table, "push_pot") == ["A push_pot 3 of 0", "B push_pot 2 of 0"]
    assert table.payoffs == [0, 0]


def test_r28_each_pot_is_split_separately():
    # The button is at D, which folds late; E has the small blind and folds at once. Everybody else ties.
    table = deal([100, 8, 100, 100, 100], button=D, blinds=(2, 3), board=ROYAL)
    play(table, "B:c C:c D:c E:f A:k A:b20 B:c C:c D:c A:k C:k D:f")
    assert pots(table) == [(34, (A, B, C)), (45, (A, C))]
    check_down(table)
    assert deeds(table, "push_pot") == [
        "A push_pot 23 of 1",
        "C push_pot 22 of 1",
        "A push_pot 12 of 0",
        "B push_pot 11 of 0",
        "C push_pot 11 of 0",
    ]


def test_r28_a_side_pot_may_be_split_and_the_main_pot_not():
    table = play(flop([10, 500, 500], blinds=(1, 2), holes={A: BEST, B: GOOD, C: GOOD_TOO}), "A:b10 B:r60 C:c")
    check_down(table)
    assert deeds(table, "push_pot") == ["B push_pot 50 of 1", "C push_pot 50 of 1", "A push_pot 36 of 0"]


# R31: rake


def raked(script: str = "", stacks=(1000, 1000), percent: float = 5, **options):
    rake = Rake(percent=percent, **{name: options.pop(name) for name in ("cap", "no_flop_no_drop") if name in options})
    return play(flop(list(stacks), rake=rake, **options), script)


def test_r31_a_percentage_of_the_called_total():
    table = check_down(raked("A:b80 B:c"))
    assert table.rake == 10
    assert sum(table.payoffs) == -10
    assert deeds(table, "rake") == ["rake 10"]


def test_r31_the_winner_pays_it():
    table = check_down(raked("A:b80 B:c", holes={A: BEST, B: GOOD}))
    assert table.payoffs == [90, -100]


@pytest.mark.parametrize(
    ("percent", "bet", "rake"), [(5, 89, 10), (5, 90, 11), (2.5, 80, 5), (2.5, 99, 5), (0.01, 1000, 0)]
)
def test_r31_rounded_down(percent, bet, rake):
    assert check_down(raked(f"A:b{bet} B:c", percent=percent)).rake == rake


@pytest.mark.parametrize(("bet", "rake"), [(80, 10), (120, 10), (130, 15)])
def test_r31_rounded_down_to_the_smallest_chip(bet, rake):
    assert check_down(raked(f"A:b{bet} B:c", smallest_chip=5)).rake == rake


@pytest.mark.parametrize(("cap", "rake"), [(0, 0), (7, 7), (10, 10), (11, 10), (None, 10)])
def test_r31_a_cap_per_hand(cap, rake):
    assert check_down(raked("A:b80 B:c", cap=cap)).rake == rake


def test_r31_no_flop_no_drop():
    table = play(deal([500] * 3, rake=Rake(percent=10)), "C:r100 A:r300 B:f C:f")
    assert table.rake == 0
    table = play(deal([500] * 3, rake=Rake(percent=10, no_flop_no_drop=False)), "C:r100 A:r300 B:f C:f")
    assert table.rake == 22  # of 100 + 100 + 20


def test_r31_an_all_in_before_the_flop_sees_a_flop():
    table = play(deal([500, 500], rake=Rake(percent=10)), "B:r500 A:c")
    assert table.rake == 100


def test_r31_also_without_a_showdown():
    table = raked("A:b80 B:c A:b80 B:f")
    assert table.rake == 10
    assert table.payoffs == [90, -100]


def test_r31_from_the_main_pot_first():
    holes = {A: BEST, B: GOOD, C: POOR}
    table = raked("A:b10 B:r200 C:c", stacks=(10, 1000, 1000), holes=holes, blinds=(1, 2), percent=5)
    check_down(table)  # 36 in the main pot, 380 in the side pot: 20.8 is less than the main pot
    assert table.rake == 20
    assert deeds(table, "push_pot") == ["B push_pot 380 of 1", "A push_pot 16 of 0"]


def test_r31_what_the_main_pot_cannot_pay_comes_from_the_side_pot():
    holes = {A: BEST, B: GOOD, C: POOR}
    table = raked("A:b10 B:r200 C:c", stacks=(10, 1000, 1000), holes=holes, blinds=(1, 2), percent=10)
    check_down(table)
    assert table.rake == 41
    assert table.payoffs == [-12, 375 - 202, -202]


def test_r31_taken_once_not_from_each_pot():
    # 5 % of 38 is 1; of each pot alone it would be nothing.
    table = raked("A:b5 B:r15 C:c", stacks=(5, 1000, 1000), blinds=(0, 1), percent=5)
    check_down(table)
    assert table.rake == 1


def test_r31_before_the_pot_is_split():
    table = check_down(raked("A:b80 B:c", percent=5.5, board=ROYAL))
    assert table.rake == 11
    assert deeds(table, "push_pot") == ["A push_pot 95 of 0", "B push_pot 94 of 0"]


def test_r31_without_the_option_nothing_is_taken():
    table = check_down(flop([500, 500]))
    assert table.rake == 0
    assert sum(table.payoffs) == 0
