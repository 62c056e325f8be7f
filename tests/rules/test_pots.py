"""R26-R28 and R31: what goes back uncalled, side pots, split pots and odd chips, rake."""

from __future__ import annotations

import pytest

from holdem_env import Rake, Rules, Table
from rules.playing import (
    BEST,
    BEST_TOO,
    BOARD,
    CASE,
    FLOP,
    GOOD,
    GOOD_TOO,
    POOR,
    WORST,
    A,
    B,
    C,
    D,
    case,
    check_down,
    deal,
    deeds,
    flop,
    outcome,
    play,
    play_to,
    played,
    pots,
    showing,
)
from rules.sitting import cash, deck_for, session_order, tournament

ROYAL = "AhKhQhJhTh"  # a board that everybody plays


def flop_1_2(stacks, **options):
    return flop(stacks, blinds=(1, 2), **options)


ROYALS = {"board": ROYAL, "button": 0}
BEST_SECOND = {"holes": [GOOD, BEST, POOR]}
LATE = "B:c C:c D:c E:f A:k A:b20 B:c C:c D:c A:k C:k D:f"  # five, of whom D folds late
PUSHED = [
    # R26: an uncalled bet goes back before the pot is pushed
    case(flop, [500] * 3, "A:b100 B:f C:f", "A<100 A 60/0 | 40 -20 -20"),
    case(flop, [500] * 2, "A:b50 B:r200 A:f", "B<150 B 140/0 | -70 70"),
    case(deal, [500] * 3, "C:r60 A:f B:f", "C<40 C 50/0 | -10 -20 30"),
    case(deal, [500] * 3, "C:f A:f", "B<10 B 20/0 | -10 10 0"),
    case(flop, [500] * 2, "A:b100 B:c", "A 240/0 | 120 -120", holes=[BEST, GOOD]),
    # so does the part that nobody can match; of several all-ins what exceeds the second; what folded has been called
    case(flop, [500, 60], "A:b100 B:c", "A<40 B 160/0 | -80 80", holes=[GOOD, BEST]),
    case(flop, [300, 100, 200], "A:b300 B:c C:c", "A<100 C 200/1 B 360/0 | -220 240 -20", holes=[POOR, BEST, GOOD]),
    case(
        flop,
        [500, 500, 30],
        "A:b100 B:c C:c A:b100 B:f",
        "A<100 A 140/1 C 150/0 | 20 -120 100",
        holes={A: GOOD, C: BEST},
    ),
    # R27: the worked example: A has the button and calls 20, B is all-in for 5 behind it, C has the big blind of 20
    case(deal, [500, 5, 500], "A:c B:c C:k", "A 30/1 B 15/0 | 10 10 -20", button=0, blinds=(0, 20), **BEST_SECOND),
    case(
        flop_1_2,
        [10, 30, 60, 100, 100],
        "A:b10 B:r30 C:r60 D:r100 E:c",
        "D 80/3 C 90/2 B 80/1 A 60/0 | 48 48 28 -22 -102",
        holes=[BEST, GOOD, "9s9d", POOR, WORST],
    ),
    case(
        flop_1_2,
        [10, 30, 60, 60],
        "A:b10 B:r30 C:r60 D:c",
        "C 60/2 B 60/1 B 48/0 | -12 76 -2 -62",
        holes=[POOR, BEST, GOOD, WORST],
    ),
    case(flop_1_2, [10, 500, 500], "A:b10 B:r60 C:c", "C 100/1 C 36/0 | -12 -62 74", holes=[WORST, POOR, GOOD]),
    case(flop_1_2, [10, 500, 500], "A:b10 B:r60 C:c B:b20 C:f", "B<20 B 100/1 A 36/0 | 24 38 -62", holes=[BEST, POOR]),
    # R28: eleven chips and three winners; the button is at A, so the first seat left of it that wins is C
    case(deal, [100] * 4, "D:c A:c B:f C:k", "C 4/0 D 4/0 A 3/0 | 0 -2 1 1", blinds=(2, 3), **ROYALS),
    case(
        deal,
        [500] * 4,
        "D:c A:c B:f C:k",
        "C 20/0 D 20/0 A 15/0 | 0 -10 5 5",
        blinds=(10, 15),
        smallest_chip=5,
        **ROYALS,
    ),
    case(deal, [100] * 3, "", "A 30/0 B 30/0 | 10 10 -20", holes=[BEST, BEST_TOO, GOOD]),
    case(deal, [100] * 3, "C:c A:f B:k", "B 3/0 C 2/0 | -1 1 0", holes={B: BEST, C: BEST_TOO}, blinds=(1, 2)),
    # heads-up the big blind comes first
    case(deal, [100] * 2, "", "A 3/0 B 2/0 | 0 0", big_blind_ante=1, board=ROYAL, blinds=(1, 2)),
    # each pot is split separately; D has the button and folds late, E the small blind and folds at once, others tie
    case(
        deal,
        [100, 8, *[100] * 3],
        LATE,
        "A 23/1 C 22/1 A 12/0 B 11/0 C 11/0 | 12 3 10 -23 -2",
        button=D,
        blinds=(2, 3),
        board=ROYAL,
    ),
    case(
        flop_1_2, [10, 500, 500], "A:b10 B:r60 C:c", "B 50/1 C 50/1 A 36/0 | 24 -12 -12", holes=[BEST, GOOD, GOOD_TOO]
    ),
]


@pytest.mark.parametrize(CASE, PUSHED)
def test_r26_r27_r28_what_goes_back_and_who_wins_what(start, stacks, rules, script, expected):
    assert outcome(check_down(played(start, stacks, rules, script))) == expected


@pytest.mark.parametrize(
    CASE,
    [
        case(deal, [500, 5, 500], "A:c B:c C:k", [(15, (A, B, C)), (30, (A, C))], button=0, blinds=(0, 20)),
        case(flop_1_2, [500, 5, 500], "A:b20 B:c C:c", [(6 + 15, (A, B, C)), (30, (A, C))]),
        # later bets go to the last side pot, and folded chips stay in
        case(flop_1_2, [10, 500, 500], "A:b10 B:c C:c", [(36, (A, B, C))]),
        case(flop_1_2, [10, 500, 500], "A:b10 B:c C:c B:b50 C:c", [(36, (A, B, C)), (100, (B, C))]),
        case(flop_1_2, [500, 5, 500, 500], "A:b20 B:c C:c D:c", [(28, (A, B, C, D)), (45, (A, C, D))]),
        case(flop_1_2, [500, 5, 500, 500], "A:b20 B:c C:c D:c A:f", [(28, (B, C, D)), (45, (C, D))]),
        # C's folded 20 lie below the level of 60 that A and B reach: one pot, not two.
        case(flop_1_2, [500] * 3, "A:b20 B:r60 C:f A:c", [(6 + 120, (A, B))]),
        case(flop_1_2, [500] * 3, "A:b20 B:c C:r60 A:f B:c", [(6 + 140, (B, C))]),
        # an all-in level whose player folds away is none, and two all-ins of the same level make one pot
        case(flop_1_2, [500, 40, 500, 500], "A:b40 B:c C:c D:f", [(8 + 120, (A, B, C))]),
        case(flop_1_2, [30, 30, 500, 500], "A:b30 B:c C:c D:c", [(8 + 120, (A, B, C, D))]),
        # pots are what was collected, with the dead money in the main pot
        case(flop, [500] * 2, "A:b50", [(40, (A, B))]),
        case(flop, [500] * 3, "A:b20 B:r60 C:c A:c", [(60 + 180, (A, B, C))]),
        case(deal, [10, 500, 500], "C:c B:k", [(30 + 8, (A, B, C)), (20, (B, C))], big_blind_ante=8),
        case(deal, [100, 8, *[100] * 3], LATE, [(34, (A, B, C)), (45, (A, C))], button=D, blinds=(2, 3), board=ROYAL),
    ],
)
def test_r27_pots(start, stacks, rules, script, expected):
    assert pots(played(start, stacks, rules, script)) == expected


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


def raked(script: str = "", stacks=(1000, 1000), percent: float = 5, **options):
    rake = Rake(percent=percent, **{name: options.pop(name) for name in ("cap", "no_flop_no_drop") if name in options})
    return play(flop(list(stacks), rake=rake, **options), script)


DOWN, SIDE = {"holes": [BEST, GOOD, POOR]}, {"stacks": (10, 1000, 1000), "blinds": (1, 2)}
RAKED = [
    # a percentage of the called total, which the winner pays, also without a showdown
    ("A:b80 B:c", {"holes": [BEST, GOOD]}, 10, "A 190/0 | 90 -100"),
    ("A:b80 B:c A:b80 B:f", {}, 10, "A<80 A 190/0 | 90 -100"),
    # R26: of what was called alone, of 160 and not of 200
    ("A:b100 B:c", {"stacks": (500, 60), "percent": 10}, 16, None),
    ("A:b100 B:f", {"stacks": (500, 500), "percent": 10}, 4, None),
    # rounded down, to the smallest chip
    ("A:b89 B:c", {}, 10, None),
    ("A:b90 B:c", {}, 11, None),
    ("A:b80 B:c", {"percent": 2.5}, 5, None),
    ("A:b99 B:c", {"percent": 2.5}, 5, None),
    ("A:b1000 B:c", {"percent": 0.01}, 0, None),
    *((f"A:b{bet} B:c", {"smallest_chip": 5}, rake, None) for bet, rake in ((80, 10), (120, 10), (130, 15))),
    # a cap per hand
    *(("A:b80 B:c", {"cap": cap}, rake, None) for cap, rake in ((0, 0), (7, 7), (10, 10), (11, 10), (None, 10))),
    # from the main pot first: 36 in it, 380 in the side pot; what it cannot pay comes from the side pot
    ("A:b10 B:r200 C:c", {**SIDE, **DOWN}, 20, "B 380/1 A 16/0 | 4 178 -202"),
    ("A:b10 B:r200 C:c", {**SIDE, **DOWN, "percent": 10}, 41, "B 375/1 A/0 | -12 173 -202"),
    # taken once: 5 % of 38 is 1; of each pot alone it would be nothing
    ("A:b5 B:r15 C:c", {"stacks": (5, 1000, 1000), "blinds": (0, 1)}, 1, None),
    # before the pot is split
    ("A:b80 B:c", {"percent": 5.5, "board": ROYAL}, 11, "A 95/0 B 94/0 | -5 -6"),
]


@pytest.mark.parametrize(("script", "options", "rake", "expected"), RAKED)
def test_r26_r31_what_is_taken_and_from_which_pot(script, options, rake, expected):
    table = check_down(raked(script, **options))
    assert (table.rake, sum(table.payoffs)) == (rake, -rake)
    assert deeds(table, "rake") == ([f"rake {rake}"] if rake else [])
    assert expected in (None, outcome(table))


def test_r31_no_flop_no_drop():
    table = play(deal([500] * 3, rake=Rake(percent=10)), "C:r100 A:r300 B:f C:f")
    assert table.rake == 0
    table = play(deal([500] * 3, rake=Rake(percent=10, no_flop_no_drop=False)), "C:r100 A:r300 B:f C:f")
    assert table.rake == 22  # of 100 + 100 + 20
    table = play(deal([500, 500], rake=Rake(percent=10)), "B:r500 A:c")
    assert table.rake == 100, "an all-in before the flop sees a flop"
    table = check_down(flop([500, 500]))
    assert (table.rake, sum(table.payoffs)) == (0, 0), "without the option nothing is taken"


def test_r10_r27_what_folded_players_put_in_above_all_who_are_left_is_won_too():
    """The ante puts everybody all-in. The absent fold, and their chips above the others' are nobody's to take back."""
    session = tournament(4, [15, 20, 20, 15], button=0, ante=20)
    session.sit_out(1)
    session.sit_out(2)
    table = session.deal(deck=deck_for([1, 2, 3, 0], {0: BEST, 3: GOOD}, "2c7d8hQsKc"))
    assert table.is_over
    assert table.payoffs == [55, -20, -20, -15]
    assert session.stacks == [70, 0, 0, 0]


@pytest.mark.parametrize(("percent", "raked"), [(0, 0), (2, 0), (2.5, 1), (10, 4)])
def test_r31_a_rake_below_one_chip_is_none_and_is_not_told(percent, raked):
    table = check_down(flop([500, 500], rake=Rake(percent=percent)))
    assert sum(table.payoffs) == -raked
    assert deeds(table, "rake") == ([f"rake {raked}"] if raked else [])


def test_r25_face_up_is_everybody_whatever_the_hand_before_was_worth():
    session = cash(2, stacks=1000)
    order = session_order(session)
    table = session.deal(deck=deck_for(order, {0: BEST, 1: POOR}, BOARD))
    play_to(table, FLOP)
    table.raise_to(300)
    check_down(table)
    assert session.stacks == [1320, 680]
    order = session_order(session)
    table = session.deal(deck=deck_for(order, {0: BEST, 1: POOR}, BOARD))
    table.raise_to(table.legal.raise_max or 0)
    table.check_call()
    assert sorted(showing(table)) == ["A show", "B show"]
