"""R29 and R30: who shows, in what order, who may muck, and winning without showing."""

from __future__ import annotations

import pytest

from rules.playing import (
    BEST,
    BEST_TOO,
    GOOD,
    POOR,
    RIVER,
    TURN,
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
    play_to,
    river,
    showing,
)

# R29: order of showing


def test_r29_without_a_bet_on_the_river_the_first_left_of_the_button_shows_first():
    table = check_down(river([500] * 3, holes={A: POOR, B: GOOD, C: BEST}))
    assert showing(table) == ["A show", "B show", "C show"]


def test_r29_the_last_to_bet_on_the_river_shows_first():
    table = play(river([500] * 3, holes={A: POOR, B: GOOD, C: BEST}), "A:k B:b20 C:c A:c")
    assert showing(table) == ["B show", "C show", "A muck"]


def test_r29_the_last_to_raise_on_the_river_shows_first():
    table = play(river([500] * 3, holes={A: POOR, B: GOOD, C: BEST}), "A:b20 B:c C:r60 A:c B:c")
    assert showing(table) == ["C show", "A muck", "B muck"]


def test_r29_then_clockwise():
    table = play(
        river([500] * 5, holes={A: "6s6d", B: WORST, C: POOR, D: GOOD, E: BEST}), "A:k B:k C:b20 D:c E:c A:c B:c"
    )
    assert showing(table) == ["C show", "D show", "E show", "A muck", "B muck"]


def test_r29_a_bet_on_the_turn_does_not_count():
    table = play_to(flop([500] * 3, holes={A: POOR, B: GOOD, C: BEST}), TURN)
    check_down(play(table, "A:k B:b20 C:r60 A:c B:c"))
    assert showing(table) == ["A show", "B show", "C show"]


def test_r29_the_first_left_of_the_button_may_have_folded():
    table = check_down(play(river([500] * 3, holes={A: BEST, B: POOR, C: GOOD}), "A:f"))
    assert showing(table) == ["B show", "C show"]


# R29: all-ins that are no raise

SHORT = {A: BEST, B: BEST_TOO, C: POOR}


def test_r29_r21_an_all_in_that_is_no_raise_is_a_call():
    table = play(river([500, 500, 25], holes=SHORT), "A:k B:b20 C:r25 A:c B:c")
    assert showing(table) == ["B show", "C show", "A show"]


def test_r29_r21_an_all_in_that_is_a_full_raise_shows_first():
    table = play(river([500, 500, 40], holes=SHORT), "A:k B:b20 C:r40 A:c B:c")
    assert showing(table) == ["C show", "A show", "B show"]


def test_r29_r21_an_opening_all_in_below_the_least_bet_is_no_bet():
    table = play(river([500, 500, 5], holes=SHORT), "A:k B:k C:b5 A:c B:c")
    assert showing(table) == ["A show", "B show", "C show"]


def test_r29_r23_all_ins_that_make_up_a_raise_together_are_calls():
    holes = {A: BEST, B: POOR, C: GOOD, D: BEST_TOO}
    table = play(river([500, 30, 41, 500], holes=holes), "A:b20 B:r30 C:r41 D:c A:c")
    assert showing(table) == ["A show", "C show", "D show", "B show"]
    table = play(river([500, 30, 41, 500], holes=holes), "A:k B:k C:k D:b20 A:c B:r30 C:r41 D:r61 A:c")
    assert showing(table) == ["D show", "A show", "C show", "B show"]


@pytest.mark.parametrize(("total", "first"), [(60, "C"), (59, "B")])
def test_r29_r24_by_the_half_bet_rule_half_a_bet_makes_the_last_to_raise(total, first):
    fixed = {"structure": "fixed_limit"}
    table = play(river([500, 500, total], holes=SHORT, **fixed), f"A:k B:b40 C:r{total} A:c B:c")
    assert showing(table)[0] == f"{first} show"


@pytest.mark.parametrize("button", range(3))
def test_r29_counts_from_the_button(button):
    table = check_down(deal([500] * 3, button=button, holes={A: BEST, B: BEST_TOO, C: POOR}))
    first = (button + 1) % 3
    expected = {A: ["A show", "B show", "C muck"], B: ["B show", "C muck", "A show"], C: ["C show", "A show", "B show"]}
    assert showing(table) == expected[first]


def test_r29_only_the_river_counts_even_when_nobody_could_act_on_it():
    # B was the last to raise, on the flop, and all are all-in: on the river nobody bet, so A shows first.
    table = play(flop([200, 200], face_up_all_in=False, holes={A: POOR, B: BEST}), "A:b50 B:r200 A:c")
    assert showing(table) == ["A show", "B show"]


# R29: showing and mucking


def test_r29_the_first_to_show_always_shows():
    table = play(river([500] * 2, holes={A: WORST, B: BEST}), "A:b20 B:c")
    assert showing(table) == ["A show", "B show"]
    table = check_down(river([500] * 2, holes={A: WORST, B: BEST}))
    assert showing(table) == ["A show", "B show"]


def test_r29_the_cards_that_are_shown_are_the_hand():
    table = check_down(river([500] * 2, holes={A: POOR, B: BEST}))
    assert [str(operation.cards) for operation in table.log if operation.kind == "show"] == [POOR, BEST]


def test_r29_a_later_player_who_is_beaten_mucks():
    table = check_down(river([500] * 3, holes={A: BEST, B: POOR, C: GOOD}))
    assert showing(table) == ["A show", "B muck", "C muck"]
    assert [table.is_shown(seat) for seat in range(3)] == [True, False, False]


def test_r29_without_the_option_everybody_shows():
    table = check_down(river([500] * 3, muck=False, holes={A: BEST, B: POOR, C: GOOD}))
    assert showing(table) == ["A show", "B show", "C show"]


def test_r29_a_tie_must_show():
    table = check_down(river([500] * 3, holes={A: BEST, B: POOR, C: BEST_TOO}))
    assert showing(table) == ["A show", "B muck", "C show"]


def test_r29_everybody_plays_the_board_and_shows():
    table = check_down(river([500] * 3, board="AhKhQhJhTh"))
    assert showing(table) == ["A show", "B show", "C show"]


def test_r29_a_mucked_hand_cannot_win_nor_does_it_have_to():
    table = check_down(river([500] * 3, holes={A: GOOD, B: POOR, C: BEST}))
    assert showing(table) == ["A show", "B muck", "C show"]
    assert table.payoffs == [-20, -20, 40]


# R29: with side pots


def test_r29_the_side_pot_shows_first_the_all_in_of_the_main_pot_last():
    table = check_down(play(flop([50, 500, 500], holes={A: GOOD, B: POOR, C: BEST}), "A:b50 B:c C:r150 B:c"))
    assert showing(table) == ["B show", "C show", "A show"]


def test_r29_the_bettor_of_the_river_first_within_the_side_pot():
    table = play(flop([50, 500, 500], holes={A: GOOD, B: BEST, C: POOR}), "A:b50 B:c C:r150 B:c B:k C:k B:k C:b20 B:c")
    assert showing(table) == ["C show", "B show", "A show"]


def test_r29_contestants_of_each_side_pot_in_turn():
    # A is all-in in the main pot, B in the first side pot, C and D have chips left.
    table = play(flop([50, 100, 500, 500], holes={A: WORST, B: POOR, C: GOOD, D: BEST}), "A:b50 B:r100 C:r300 D:c")
    check_down(table)
    assert showing(table) == ["C show", "D show", "B show", "A show"]


def test_r29_a_call_for_less_on_the_river_shows_after_the_side_pot():
    table = play(river([500, 60, 500], holes={A: POOR, B: WORST, C: GOOD}), "A:b100 B:c C:c")
    assert showing(table) == ["A show", "C show", "B show"]


def test_r29_a_bettor_with_too_few_chips_for_the_side_pot_shows_first_in_the_main_pot():
    # C's all-in is no full raise: B is the last to bet. A and B call it for less.
    table = play(river([120, 120, 150, 500], muck=False), "A:k B:b100 C:r150 D:c A:c B:c")
    assert showing(table) == ["C show", "D show", "B show", "A show"]


def test_r29_a_bettor_who_has_shown_for_a_side_pot_is_not_first_in_the_main_pot():
    # E's all-in is no full raise: C is the last to bet, and plays for the main pot and the first side pot.
    table = play(river([60, 500, 120, 60, 150], muck=False), "A:k B:k C:b100 D:c E:r150 A:c B:c C:c")
    assert showing(table) == ["B show", "E show", "C show", "A show", "D show"]


def test_r29_beaten_in_the_side_pot_and_thereby_in_the_main_pot():
    table = check_down(play(flop([50, 500, 500], holes={A: BEST, B: GOOD, C: POOR}), "A:b50 B:r150 C:c"))
    assert showing(table) == ["B show", "C muck", "A show"]


def test_r29_players_all_in_before_the_end_never_muck():
    # A loses to what B has shown, and shows.
    table = check_down(play(flop([50, 500, 500], holes={A: WORST, B: BEST, C: POOR}), "A:b50 B:r150 C:c"))
    assert showing(table) == ["B show", "C muck", "A show"]


def test_r29_all_in_without_face_up_shows_too():
    table = play(flop([50, 50, 500], face_up_all_in=False, holes={A: BEST, B: POOR, C: GOOD}), "A:b50 B:c C:c")
    assert showing(table) == ["A show", "B show", "C muck"]  # C has chips left: it may muck


def test_r29_a_caller_who_is_beaten_in_every_pot_it_contests_mucks_behind_several_side_pots():
    table = play(flop([50, 100, 500, 500], holes={A: BEST, B: WORST, C: GOOD, D: POOR}), "A:b50 B:r100 C:r300 D:c")
    check_down(table)
    assert showing(table) == ["C show", "D muck", "B show", "A show"]
    assert deeds(table, "push_pot") == ["C push_pot 400 of 2", "C push_pot 150 of 1", "A push_pot 280 of 0"]


def test_r29_who_is_left_alone_in_the_side_pot_shows_for_the_main_pot():
    table = play(flop([50, 500, 500], holes={A: BEST, B: POOR, C: GOOD}), "A:b50 B:r150 C:c")
    play(play_to(table, RIVER), "B:b20 C:f")
    assert showing(table) == ["B show", "A show"]
    assert not table.is_shown(C)


# R30


def test_r30_the_last_one_in_wins_without_showing():
    table = play(flop([500] * 3, holes={A: WORST, B: BEST, C: GOOD}), "A:b100 B:f C:f")
    assert table.is_over
    assert showing(table) == []
    assert not any(table.is_shown(seat) for seat in range(3))
    assert table.payoffs == [40, -20, -20]


@pytest.mark.parametrize(("script", "winner"), [("C:f A:f", B), ("C:r60 A:f B:f", C), ("C:c A:r60 B:f C:f", A)])
def test_r30_before_the_flop(script, winner):
    table = play(deal([500] * 3), script)
    assert table.payoffs[winner] > 0
    assert showing(table) == []
    assert len(table.board) == 0


def test_r30_no_further_card_is_dealt():
    table = play(flop([500] * 2), "A:b20 B:f")
    assert len(table.board) == 3


def test_r30_who_folds_the_last_to_an_all_in_player():
    table = play(flop([50, 500, 500], holes={A: WORST}), "A:b50 B:f C:f")
    assert table.payoffs == [40, -20, -20]
    assert showing(table) == []
