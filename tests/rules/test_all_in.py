"""R20-R25: all-in. Calling and betting for less, and what a short all-in does to the right to raise."""

from __future__ import annotations

import pytest

from holdem_env import IllegalMove
from rules.playing import (
    BEST,
    CASE,
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
    asked,
    asks,
    case,
    deal,
    deeds,
    flop,
    outcome,
    play,
    play_to,
    played,
    river,
    showing,
)


def limit_flop(stacks, **options):
    """Bets are 20 on the flop."""
    return flop(stacks, structure="fixed_limit", **options)


def limit_turn(stacks, **options):
    """And 40 on the turn."""
    return play_to(limit_flop(stacks, **options), TURN)


SMALL, HALF = {"blinds": (5, 10)}, {"reopen_fraction": 0.5}
FIVE_HANDED = [500, 30, 500, 41]  # around the table: A, B, D, C of the rulebook
ASKED = [
    # R20: a call, a bet and a raise may be for less
    case(flop, [500, 30, 500], "A:b100", "B 30"),
    case(flop, [500, 30, 500], "A:b100 B:c", "C 100 200..500"),
    case(flop, [7, 500, 500], "", "A 0 7"),
    case(flop, [7, 500, 500], "A:b7", "B 7 27..500"),
    case(flop, [500, 33, 500], "A:b20", "B 20 33"),
    # R20: who can just call cannot raise, nor who faces all-ins alone, nor where nobody else could call more
    case(flop, [500, 100, 500], "A:b100", "B 100"),
    case(flop, [500, 101, 500], "A:b100", "B 100 101"),
    case(flop, [100, 500], "A:b100", "B 100"),
    case(flop, [100, 500, 100], "A:b100", "B 100"),
    case(flop, [100, 500, 60], "A:b100", "B 100"),
    case(flop, [100, 500, 101], "A:b100", "B 100 200..500"),  # not reduced to what C can call
    case(flop, [100, 500, 500], "A:b100", "B 100 200..500"),
    case(flop, [100, 500, 500], "A:b100 B:f", "C 100"),
    # B's 30 and the 70 it has left do not exceed A's 100; with 71 left they would.
    case(flop, [100, 100, 500], "A:k B:b30 C:c A:r100 B:c", "C 70"),
    case(flop, [100, 101, 500], "A:k B:b30 C:c A:r100", "B 70 101"),
    case(flop, [100, 101, 500], "A:k B:b30 C:c A:r100 B:c", "C 70 170..500"),
    case(deal, [520, 120, 520], "C:f A:c B:k A:k B:b100", "A 100"),  # who folded does not count
    case(deal, [20, 500], "", "B 10"),  # A posted its 20 and has no more
    # R21: the full-bet rule
    case(flop, [100, 25, 100], "A:b20 B:r25", "C 25 45..100"),
    case(flop, [100, 25, 100], "A:b20 B:r25 C:c", "A 5"),
    case(flop, [100, 25, 100], "A:b20 B:r25 C:c", "A 5", structure="pot_limit"),
    case(flop, [100, 25, 100], "A:b20 B:r25 C:c A:c", "A 0 20..75"),  # forgotten on the next street
    case(flop, [100, 39, 100], "A:b20 B:r39 C:c", "A 19"),  # one chip short
    case(flop, [100, 40, 100], "A:b20 B:r40 C:c", "A 20 60..100"),  # a full raise
    case(flop, [500, 4, 500], "A:k B:b4 C:c", "A 4", **SMALL),
    case(flop, [500, 25, 500], "A:b20 B:r25 C:r45", "A 25 65..500"),  # a full raise after the short all-in reopens
    # C limps, D is all-in for 30: C may not raise any more, the big blind, who only posted, may.
    case(deal, [500, 500, 500, 30], "C:c D:r30 A:f", "B 10 50..500"),
    case(deal, [500, 500, 500, 30], "C:c D:r30 A:f B:c", "C 10"),
    case(deal, [500, 500, 500, 500, 55], "D:c E:r55 A:f B:f", "C 15 95..500", straddle=40),
    case(deal, [500, 500, 500, 500, 55], "D:c E:r55 A:f B:f C:c", "D 15", straddle=40),
    # R22: who has not acted yet
    case(flop, [500, 4, 500], "A:k B:b4", "C 4 14..500", **SMALL),
    case(flop, [500, 4, 500], "A:k B:b4 C:r14", "A 14 24..500", **SMALL),
    case(flop, [500, 500, 130, 500], "A:b20 B:r80 C:r130", "D 130 190..500"),  # by the last full raise
    # R23: several short all-ins
    case(flop, FIVE_HANDED, "A:b20 B:r30 C:c D:r41", "A 21 61..500"),
    case(flop, FIVE_HANDED, "A:b20 B:r30 C:c D:r41 A:c", "C 11"),
    case(flop, FIVE_HANDED, "A:b20 B:r30 C:c D:r41 A:r61", "C 31 81..500"),
    case(flop, FIVE_HANDED, "A:b20 B:r30 C:c D:r41", "A 21", reopen="strict"),
    case(flop, FIVE_HANDED, "A:b20 B:r30 C:c D:r41 A:c", "C 11", reopen="strict"),
    case(flop, [500, 30, 500, 40], "A:b20 B:r30 C:c D:r40", "A 20 60..500"),  # exactly a full raise is enough
    case(flop, [500, 30, 500, 39], "A:b20 B:r30 C:c D:r39", "A 19"),
    *(
        case(flop, [1000, 1000, 280], f"A:b100 B:r200 C:r280{more}", expected, reopen=reopen)
        for more, expected in (("", "A 180 380..1000"), (" A:c", "B 80"), (" A:r380", "B 180 480..1000"))
        for reopen in ("cumulative", "strict")
    ),
    # C called 30 and faces 41, 50, 51: a raise of 20 is reached only by the last.
    case(flop, [500, 30, 500, 41, 49], "A:b20 B:r30 C:c D:r41 E:r49 A:c", "C 19"),
    case(flop, [500, 30, 500, 41, 50], "A:b20 B:r30 C:c D:r41 E:r50 A:c", "C 20 70..500"),
    case(flop, [500, 4, 9, 11], "A:k B:b4 C:r9 D:r11", "A 11", **SMALL),  # nobody else has chips to call a raise with
    case(flop, [500, 4, 9, 10, 500], "A:k B:b4 C:r9 D:r10 E:c", "A 10 20..500", **SMALL),
    case(flop, [500, 4, 8, 9, 500], "A:k B:b4 C:r8 D:r9 E:c", "A 9", **SMALL),
    # R24: in fixed limit half a bet counts as a raise
    case(limit_flop, [500, 30, 500], "A:b20 B:r30", "C 30 50"),
    case(limit_flop, [500, 30, 500], "A:b20 B:r30 C:c", "A 10 50"),
    # and less is an action only, and is completed; that is a full raise and reopens for all
    case(limit_flop, [500, 29, 500], "A:b20 B:r29", "C 29 40"),
    case(limit_flop, [500, 29, 500], "A:b20 B:r29 C:c", "A 9"),
    case(limit_flop, [500, 29, 500], "A:b20 B:r29 C:r40", "A 20 60"),
    # 36 is 16 above 20: it counts, once.
    case(limit_flop, [500, 28, 36, 500], "A:b20 B:r28 C:r36", "D 36 56"),
    case(limit_flop, [500, 28, 36, 500], "A:b20 B:r28 C:r36 D:c", "A 16 56"),
    case(limit_flop, [500, 28, 36, 500], "A:b20 B:r28 C:r36 D:r56 A:r76", "D 20"),  # bet, all-in, raise, cap
    case(limit_flop, [500, 30, 39, 500], "A:b20 B:r30 C:r39", "D 39 50"),  # measured from the all-in that counted
    case(limit_flop, [500, 30, 40, 500], "A:b20 B:r30 C:r40", "D 40 60"),
    # A player who has checked may raise what counts as a bet, and only call what does not.
    *(
        case(limit_flop, [500, all_in, 500], f"A:k B:b{all_in}{more}", f"{seat} {all_in}{raises}")
        for all_in, bet in ((15, 35), (10, 30), (9, 20), (1, 20))
        for more, seat, raises in (("", "C", f" {bet}"), (" C:c", "A", f" {bet}" if all_in >= 10 else ""))
    ),
    # what counts counts towards the cap, what does not leaves it open
    case(limit_flop, [500, 500, 500, 70], "A:b20 B:r40 C:r60 D:r70", "A 50"),
    case(limit_flop, [500, 500, 500, 70], "A:b20 B:r40 C:r60 D:r70 A:c", "B 30"),
    case(limit_flop, [500, 500, 500, 69], "A:b20 B:r40 C:r60 D:r69", "A 49 80"),
    case(limit_flop, [500, 500, 500, 69], "A:b20 B:r40 C:r60 D:r69 A:r80", "B 40"),
    case(limit_flop, [15, 500, 500], "A:b15 B:r35 C:r55 B:r75", "C 20"),
    case(limit_flop, [9, 500, 500], "A:b9 B:r20 C:r40 B:r60", "C 20 80"),
    # who may not raise may not complete
    case(limit_flop, [500, 500, 25, 500], "A:b20 B:c C:r25 D:c", "A 5"),
    case(limit_flop, [500, 500, 25, 500], "A:b20 B:c C:r25 D:c A:c", "B 5"),
    # before the flop the big blind is the bet
    case(deal, [500, 500, 500, 30], "C:c D:r30", "A 20 50", structure="fixed_limit"),
    case(deal, [500, 500, 500, 29], "C:c D:r29", "A 19 40", structure="fixed_limit"),
    case(deal, [500, 500, 500, 30], "C:c D:r30 A:c B:c", "C 10 50", structure="fixed_limit"),
    case(deal, [500, 500, 500, 29], "C:c D:r29 A:c B:c", "C 9", structure="fixed_limit"),
    case(limit_turn, [500, 59, 500], "A:b40 B:r59", "C 59 80"),
    case(limit_turn, [500, 60, 500], "A:b40 B:r60", "C 60 100"),
    # with the fraction 1 it is the full-bet rule
    *(
        case(limit_flop, [500, all_in, 500], f"A:b20 B:r{all_in}{more}", expected, reopen_fraction=1.0)
        for all_in, to, again in ((30, 40, ""), (39, 40, ""), (40, 60, " 60"))
        for more, expected in (("", f"C {all_in} {to}"), (" C:c", f"A {all_in - 20}{again}"))
    ),
    # and in no-limit an option
    case(flop, [500, 39, 500], "A:b20 B:r39 C:c", "A 19"),
    case(flop, [500, 30, 500], "A:b20 B:r30", "C 30 50..500", **HALF),
    case(flop, [500, 30, 500], "A:b20 B:r30 C:c", "A 10 50..500", **HALF),
    case(flop, [500, 29, 500], "A:b20 B:r29", "C 29 49..500", **HALF),
    case(flop, [500, 29, 500], "A:b20 B:r29 C:c", "A 9", **HALF),
    case(flop, [500, 28, 36, 500], "A:b20 B:r28 C:r36 D:c", "A 16 56..500", **HALF),
    # R25: who faces a larger bet is asked, and two with chips go on betting
    case(flop, [50, 500, 500], "A:b50 B:f", "C 50"),
    case(flop, [50, 500, 500], "A:b50 B:c C:c", "B 0 20..450"),
]


@pytest.mark.parametrize(CASE, ASKED)
def test_r20_r21_r22_r23_r24_r25_who_is_asked_what(start, stacks, rules, script, expected):
    assert asked(played(start, stacks, rules, script)) == expected


@pytest.mark.parametrize(
    ("stacks", "script", "totals", "words"),
    [
        ([100, 500], "A:b100", [200], "R20"),
        ([100, 25, 100], "A:b20 B:r25 C:c", [26, 45, 100], "R21"),
        ([100, 25, 100], "A:b20 B:r25", [44], "45"),
    ],
)
def test_r20_r21_r22_other_raises_are_illegal(stacks, script, totals, words):
    table = play(flop(stacks), script)
    for total in totals:
        with pytest.raises(IllegalMove, match=words):
            table.raise_to(total)


def test_r21_who_may_not_raise_may_fold_and_call():
    table = play(flop([100, 25, 100]), "A:b20 B:r25 C:c")
    assert play(table.copy(), "A:f").is_folded(A)
    assert play(table, "A:c").street == TURN


@pytest.mark.parametrize(
    CASE,
    [
        # an all-in for 950 wins at most 950 from each, and dead money on top
        case(deal, [950, 2000, 2000], "C:c A:r950 B:r2000 C:c", [1900, 2 * 1050 - 2000, -2000]),
        case(deal, [950, 2000, 2000], "C:c A:r950 B:r1980 C:c", [1920, 2 * 1030 - 2000, -1980], big_blind_ante=20),
        # R25: who faces only shorter all-ins is not asked, nor for a blind that nobody could post
        case(deal, [5, 5, 500], "", [10, -5, -5], ante=5),
        case(deal, [7, 5], "", [5, -5]),  # blinds can put everybody all-in
    ],
)
def test_r20_r25_what_all_ins_win(start, stacks, rules, script, expected):
    table = played(start, stacks, {**rules, "holes": dict(enumerate([BEST, GOOD, POOR][: len(stacks)]))}, script)
    assert (table.is_over, len(table.board), table.payoffs) == (True, 5, expected)


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


@pytest.mark.parametrize(
    CASE,
    [
        case(deal, [100, 100], "B:r100 A:c", [0, 0]),
        case(flop, [50, 50, 500], "A:b50 B:c C:c", [0, 0, 450]),  # who could only check is not asked
        case(flop, [50, 300, 500], "A:b50 B:c C:c B:b250 C:c", [0, 0, 200]),  # nor on a later street
        case(flop, [50, 500, 500], "A:b50 B:c C:c B:b450 C:c", [0, 0, 0]),
    ],
)
def test_r25_the_board_is_dealt_when_nobody_can_bet(start, stacks, rules, script, expected):
    table = played(start, stacks, rules, script)
    assert (table.is_over, len(table.board)) == (True, 5)
    assert all(stack >= least for stack, least in zip(table.stacks, expected, strict=True))


def test_r25_the_big_blind_against_shorter_all_ins_is_not_asked():
    table = play(deal([3, 500, 15], holes=[BEST, POOR, GOOD]), "C:c")
    assert outcome(table) == "B<5 C 24/1 A 9/0 | 6 -15 9"


@pytest.mark.parametrize(("big_blind_stack", "asked"), [(3, False), (9, False), (10, False), (11, True), (15, True)])
def test_r25_who_faces_only_shorter_all_ins_is_not_asked(big_blind_stack, asked):
    table = deal([big_blind_stack, 500], holes=[BEST, GOOD])  # B has posted 10
    if asked:
        asks(table, B, call=10)
        table.check_call()
    assert table.is_over
    assert table.payoffs == [big_blind_stack, -big_blind_stack]


@pytest.mark.parametrize("face_up", [True, False])
@pytest.mark.parametrize("all_in_on", [PREFLOP, FLOP, TURN])
def test_r25_hands_are_turned_up_before_the_rest_of_the_board_if_the_option_says_so(all_in_on, face_up):
    table = play_to(deal([100, 100], holes=[POOR, BEST], face_up_all_in=face_up), all_in_on)
    table.raise_to(table.legal.raise_max)
    table.check_call()
    before = all_in_on if face_up else 3
    order = deeds(table, "show", "deal_board")
    assert order == ["deal_board"] * before + ["A show", "B show"] + ["deal_board"] * (3 - before)


def test_r25_all_live_hands_are_turned_up_and_no_folded_one():
    table = play(flop([50, 50, 500, 500], holes=[POOR, BEST, WORST]), "A:b50 B:c C:c D:f")
    assert showing(table) == ["A show", "B show", "C show"]  # C has chips left and is beaten: it shows all the same
    assert not table.is_shown(D)
    table = play(river([50, 50, 500], holes=[BEST, POOR, WORST]), "A:b50 B:c C:c")
    assert showing(table) == ["A show", "B show", "C muck"], "nothing is left to turn up"


@pytest.mark.parametrize("reopen", ["cumulative", "strict"])
def test_r21_r23_short_all_ins_that_add_up_are_no_raise_and_their_player_does_not_show_first(reopen):
    """B adds 10 to A's 20, D adds 11: neither is a raise, whatever they are together."""
    holes = {A: WORST, B: POOR, C: GOOD, D: BEST}
    table = play(river([500, 30, 500, 41], holes=holes, reopen=reopen), "A:b20 B:r30 C:c D:r41")
    assert asked(table) == ("A 21 61..500" if reopen == "cumulative" else "A 21")
    play(table, "A:c C:c")
    assert showing(table)[0] == "A show"


def test_r24_below_one_the_all_in_that_counts_makes_its_player_show_first():
    holes = {A: WORST, B: POOR, C: GOOD}
    table = play(river([500, 30, 500], holes=holes, reopen_fraction=0.5), "A:b20 B:r30 C:c A:c")
    assert showing(table)[0] == "B show"


def test_r24_below_one_what_an_all_in_adds_is_measured_from_the_last_full_bet():
    """B's 29 add too little to A's 20, C's 35 enough: C is the last to bet, though it adds 6 to B's."""
    holes = {A: WORST, B: POOR, C: GOOD}
    table = play(river([500, 29, 35], holes=holes, reopen_fraction=0.5), "A:b20 B:r29 C:r35 A:c")
    assert showing(table)[0] == "C show"
