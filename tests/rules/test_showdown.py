"""R29 and R30: who shows, in what order, who may muck, and winning without showing."""

from __future__ import annotations

import pytest

from rules.playing import (
    BEST,
    BEST_TOO,
    GOOD,
    POOR,
    TURN,
    WORST,
    A,
    B,
    C,
    D,
    check_down,
    deal,
    flop,
    play,
    play_to,
    river,
    showing,
)


def turn(stacks, **options):
    return play_to(flop(stacks, **options), TURN)


SHORT = {A: BEST, B: BEST_TOO, C: POOR}
UPWARDS, MAKE_UP = {A: POOR, B: GOOD, C: BEST}, {A: BEST, B: POOR, C: GOOD, D: BEST_TOO}
SHOWING = [
    # without a bet on the river the first left of the button shows first, if it has not folded
    (river, [500] * 3, "", "A B C", UPWARDS),
    (river, [500] * 3, "A:f", "B C", [BEST, POOR, GOOD]),
    (turn, [500] * 3, "A:k B:b20 C:r60 A:c B:c", "A B C", UPWARDS),
    # the last to bet or raise on the river shows first, then clockwise
    (river, [500] * 3, "A:k B:b20 C:c A:c", "B C a", UPWARDS),
    (river, [500] * 3, "A:b20 B:c C:r60 A:c B:c", "C a b", UPWARDS),
    (river, [500] * 5, "A:k B:k C:b20 D:c E:c A:c B:c", "C D E a b", ["6s6d", WORST, POOR, GOOD, BEST]),
    # R21: an all-in that is no raise is a call, a full raise is one, and an opening below the least bet is no bet
    (river, [500, 500, 25], "A:k B:b20 C:r25 A:c B:c", "B C A", SHORT),
    (river, [500, 500, 40], "A:k B:b20 C:r40 A:c B:c", "C A B", SHORT),
    (river, [500, 500, 5], "A:k B:k C:b5 A:c B:c", "A B C", SHORT),
    # R23: all-ins that make up a raise together are calls
    (river, [500, 30, 41, 500], "A:b20 B:r30 C:r41 D:c A:c", "A C D B", MAKE_UP),
    (river, [500, 30, 41, 500], "A:k B:k C:k D:b20 A:c B:r30 C:r41 D:r61 A:c", "D A C B", MAKE_UP),
    # the first to show always shows, a later player who is beaten mucks, and a tie must show
    (river, [500] * 2, "A:b20 B:c", "A B", [WORST, BEST]),
    (river, [500] * 2, "", "A B", [WORST, BEST]),
    (river, [500] * 3, "", "A b c", [BEST, POOR, GOOD]),
    (river, [500] * 3, "", "A b C", [BEST, POOR, BEST_TOO]),
    (river, [500] * 3, "", "A b C", [GOOD, POOR, BEST]),
    # the side pot shows first, the all-in of the main pot last
    (flop, [50, 500, 500], "A:b50 B:c C:r150 B:c", "B C A", [GOOD, POOR, BEST]),
    (flop, [50, 500, 500], "A:b50 B:c C:r150 B:c B:k C:k B:k C:b20 B:c", "C B A", [GOOD, BEST, POOR]),
    # A is all-in in the main pot, B in the first side pot, C and D have chips left.
    (flop, [50, 100, 500, 500], "A:b50 B:r100 C:r300 D:c", "C D B A", [WORST, POOR, GOOD, BEST]),
    (river, [500, 60, 500], "A:b100 B:c C:c", "A C B", [POOR, WORST, GOOD]),  # a call for less
    # beaten in the side pot and thereby in the main pot; who is all-in before the end never mucks
    (flop, [50, 500, 500], "A:b50 B:r150 C:c", "B c A", [BEST, GOOD, POOR]),
    (flop, [50, 500, 500], "A:b50 B:r150 C:c", "B c A", [WORST, BEST, POOR]),
    (flop, [50, 100, 500, 500], "A:b50 B:r100 C:r300 D:c", "C d B A", [BEST, WORST, GOOD, POOR]),
    (flop, [50, 500, 500], "A:b50 B:r150 C:c B:k C:k B:b20 C:f", "B A", [BEST, POOR, GOOD]),  # alone in it
]


@pytest.mark.parametrize(("start", "stacks", "script", "expected", "holes"), SHOWING)
def test_r29_r21_r23_who_shows_and_who_mucks(start, stacks, script, expected, holes):
    """In order; who mucks is in small letters."""
    table = check_down(play(start(stacks, holes=holes), script))
    assert showing(table) == [f"{seat.upper()} {'show' if seat.isupper() else 'muck'}" for seat in expected.split()]
    assert {"ABCDE"[seat] for seat in range(len(stacks)) if table.is_shown(seat)} == {*expected} & {*"ABCDE"}


@pytest.mark.parametrize(
    ("start", "stacks", "script", "expected", "rules"),
    [
        (river, [500] * 3, "", "A B C", {"muck": False, "holes": [BEST, POOR, GOOD]}),
        (river, [500] * 3, "", "A B C", {"board": "AhKhQhJhTh"}),  # everybody plays the board
        # B was the last to raise, on the flop, and all are all-in: on the river nobody bet, so A shows first.
        (flop, [200] * 2, "A:b50 B:r200 A:c", "A B", {"face_up_all_in": False, "holes": [POOR, BEST]}),
        # C's all-in is no full raise: B is the last to bet. A and B call it for less.
        (river, [120, 120, 150, 500], "A:k B:b100 C:r150 D:c A:c B:c", "C D B A", {"muck": False}),
        # E's all-in is no full raise: C is the last to bet, and plays for the main pot and the first side pot.
        (river, [60, 500, 120, 60, 150], "A:k B:k C:b100 D:c E:r150 A:c B:c C:c", "B E C A D", {"muck": False}),
    ],
)
def test_r29_where_everybody_shows(start, stacks, script, expected, rules):
    assert showing(check_down(play(start(stacks, **rules), script))) == [f"{seat} show" for seat in expected.split()]


def test_r29_all_in_without_face_up_shows_too():
    table = play(flop([50, 50, 500], face_up_all_in=False, holes=[BEST, POOR, GOOD]), "A:b50 B:c C:c")
    assert showing(table) == ["A show", "B show", "C muck"]  # C has chips left: it may muck


@pytest.mark.parametrize(("total", "first"), [(60, "C"), (59, "B")])
def test_r29_r24_by_the_half_bet_rule_half_a_bet_makes_the_last_to_raise(total, first):
    fixed = {"structure": "fixed_limit"}
    table = play(river([500, 500, total], holes=SHORT, **fixed), f"A:k B:b40 C:r{total} A:c B:c")
    assert showing(table)[0] == f"{first} show"


@pytest.mark.parametrize("button", range(3))
def test_r29_counts_from_the_button(button):
    table = check_down(deal([500] * 3, button=button, holes=[BEST, BEST_TOO, POOR]))
    first = (button + 1) % 3
    expected = {A: ["A show", "B show", "C muck"], B: ["B show", "C muck", "A show"], C: ["C show", "A show", "B show"]}
    assert showing(table) == expected[first]


def test_r29_the_cards_that_are_shown_are_the_hand():
    table = check_down(river([500] * 2, holes=[POOR, BEST]))
    assert [str(operation.cards) for operation in table.log if operation.kind == "show"] == [POOR, BEST]


@pytest.mark.parametrize(("script", "winner"), [("C:f A:f", B), ("C:r60 A:f B:f", C), ("C:c A:r60 B:f C:f", A)])
def test_r30_before_the_flop(script, winner):
    table = play(deal([500] * 3), script)
    assert table.payoffs[winner] > 0
    assert showing(table) == []
    assert len(table.board) == 0


@pytest.mark.parametrize(
    ("stacks", "script", "payoffs"),
    [
        ([500] * 2, "A:b20 B:f", [20, -20]),
        ([500] * 3, "A:b100 B:f C:f", [40, -20, -20]),
        ([50, 500, 500], "A:b50 B:f C:f", [40, -20, -20]),
    ],
)
def test_r30_the_last_one_in_wins_without_showing_or_a_further_card(stacks, script, payoffs):
    table = play(flop(stacks, holes=[WORST]), script)
    assert (table.payoffs, showing(table), len(table.board)) == (payoffs, [], 3)
    assert not any(table.is_shown(seat) for seat in range(len(stacks)))
