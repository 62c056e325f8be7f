"""R32: hi-lo eight or better, in hold'em and Omaha; R28 and R29 where pots are halved."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rake, Rules, Table
from holdem_env.cards.text import Cards, parse_cards
from holdem_env.table.hand_setup import position_deck
from rules.hand_values import low_value
from rules.playing import A, B, C, D, check_down, deeds, outcome, play, showing

OMAHA = {"hole_cards": 4, "hole_cards_used": 2}
# A low board on which nobody makes a straight or a flush with the cards below, and one without a low.
LOW_BOARD, HIGH_BOARD = "2c4d7hKsKc", "9c9dQhKs4c"


def deal(holes, board=LOW_BOARD, stacks=None, *, button=None, **rules):
    """A hand of hi-lo with blinds 10/20; A is left of the button, as in the rulebook."""
    seats = len(holes)
    stacks = stacks or [1000] * seats
    button = seats - 1 if button is None else button
    game = Rules(seats=seats, **{"blinds": (10, 20), "split": "high_low", **rules})
    deck = position_deck(game, stacks, button, Cards(board), dict(enumerate(holes)))
    return Table(game, stacks=stacks, button=button, deck=deck, seed=1)


def low_of(hole, board, used=-1):
    """The engine's value of a low."""
    hand, table = (np.array(parse_cards(text), np.int8) for text in (hole, board))
    return int(low_value(hand, len(hand), used, table, len(table)))


def best_low(hole, board, used=None):
    """By trying all fives: the ranks of the best low from the highest down, ace 1; None if there is none."""
    fives = combinations(hole + board, 5)
    if used is not None:
        fives = (a + b for a in combinations(hole, used) for b in combinations(board, 5 - used))
    lows = []
    for five in fives:
        ranks = sorted({1 if card // 4 == 12 else card // 4 + 2 for card in five}, reverse=True)
        if len(ranks) == 5 and ranks[0] <= 8:
            lows.append(ranks)
    return min(lows, default=None)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ac2d3h4s5c", "Ac2d3h4s6c"),  # the wheel is the best
        ("2c3d4h5s7c", "Ac2d3h4s8c"),  # the highest card decides
        ("Ac2d5h6s8c", "Ac3d5h6s8c"),  # then the next
        ("2c3d4h5s6c", "Ac2d3h4s7c"),  # straights do no harm
        ("Ah2h3h4h7h", "2c3d4h5s7c"),  # nor do flushes
        ("4c5d6h7s8c", "Ac2d3h4sTc"),  # a ten is no low (the guide's own example is an error)
        ("4c5d6h7s8c", "Ac2d3h4s4c"),  # nor is a pair
    ],
)
def test_r32_lows_are_compared_from_the_highest_card_down(better, worse):
    assert low_of(better[:4], better[4:]) > low_of(worse[:4], worse[4:])


def test_r32_in_omaha_a_low_needs_two_of_the_hand_and_three_of_the_board():
    assert low_of("Ac2dKsKd", "3h4s5cKcQd", used=2) == low_of("Ac2d", "3h4s5c")
    assert low_of("Ac2d3hKd", "4s5cKcQdQs", used=2) == 0, "only two low cards lie on the board"
    assert low_of("AcKsKdKh", "2h3h4s5cQd", used=2) == 0, "only one is in the hand"
    assert low_of("AcAd2s9h", "2h3h4s5cQd", used=2) > 0, "the two of the hand makes no pair with one that is not used"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("hole", "used"), [(2, None), (6, None), (4, 2), (3, 2), (4, 3), (6, 2)])
def test_r32_lows_are_those_of_a_search_through_all_fives(hole, used):
    generator = np.random.default_rng(7)
    found = {}
    for _ in range(1500):
        pack = [card for card in range(52) if card // 4 < 8 or card // 4 == 12]  # many low cards
        cards = generator.permutation(pack)[: hole + 5].tolist()
        hand, board = cards[:hole], cards[hole:]
        value = int(low_value(np.array(hand), hole, used or -1, np.array(board), 5))
        expected = best_low(hand, board, used)
        assert (value > 0) == (expected is not None)
        if expected:
            assert found.setdefault(value, expected) == expected, "equal values are equal lows"
    values = sorted(found)
    assert [found[value] for value in values] == sorted(found.values(), reverse=True), "bigger is better"
    assert len(values) > 20


def test_r32_lows_are_pokerkits():
    pokerkit = pytest.importorskip("pokerkit")
    generator = np.random.default_rng(8)
    for kind, hole, used in ((pokerkit.EightOrBetterLowHand, 2, -1), (pokerkit.OmahaEightOrBetterLowHand, 4, 2)):
        rows = []
        for _ in range(400):
            cards = generator.permutation(52)[: hole + 5].tolist()
            hand, board = Cards(cards[:hole]), Cards(cards[hole:])
            value = int(low_value(np.array(hand), hole, used, np.array(board), 5))
            theirs = kind.from_game_or_none(str(hand), str(board))
            assert (value > 0) == (theirs is not None)
            if theirs is not None:
                rows.append((value, theirs))
        for (value, theirs), (other, their_other) in pairwise(rows):
            assert (value > other) == (theirs > their_other)
            assert (value == other) == (theirs == their_other)


HALVED = [
    (["AsQd", "Ad3s", "QsQh"], {}, "", "C 30/0 B 30/0 | -20 10 10"),  # kings with an ace, A-2-3-4-7, kings and queens
    (["Ad3s", "QsQd", "5s6s"], {"board": HIGH_BOARD}, "", "B 60/0 | -20 40 -20"),  # without a low the high takes all
    # one player may win both with different five cards: the wheel is a straight; three aces, and 8-7-5-4-A
    (["KdKh", "Ad5s", "AcAh"], {"board": "2c3d4hKs9c"}, "", "B 30/0 B 30/0 | -20 40 -20"),
    (["AdAs8h5h", "QsQh9d9s"], {"board": "Ac4d7hKsJc", **OMAHA}, "", "A 20/0 A 20/0 | 20 -20"),
    # the odd chip goes to the high, in units of the smallest chip: 43 chips, 55 in fives
    (["QsQh", "Ad3s", "5c6c"], {"blinds": (10, 21)}, "C:f A:c", "A 21/0 B 21/0 | 0 0 0"),
    (["QsQh", "Ad3s", "5c6c"], {"ante": 1}, "C:f A:c", "A 22/0 B 21/0 | 1 0 -1"),
    (["QsQh", "Ad3s", "5c6c"], {"ante": 5, "smallest_chip": 5}, "C:f A:c", "A 30/0 B 25/0 | 5 0 -5"),
    # high and low are shared; then A has the high, too
    (["Ad3s", "As3d", "QsJh"], {}, "", "A 15/0 B 15/0 A 15/0 B 15/0 | 10 10 -20"),
    (["Ad3sQsQh", "As3dJcTc", "QdJh9s9h"], OMAHA, "", "A 30/0 A 15/0 B 15/0 | 25 -5 -20"),
    # A is all-in for 50 with the best low; B has the only other one, C the best high, D a worse one.
    (
        ["Ad3s", "8s5s", "QsQh", "JsJh"],
        {"stacks": [50, 500, 500, 500]},
        "C:c D:c A:r50 B:c C:c D:c B:b100 C:c D:c",
        "C 150/1 B 150/1 C 100/0 A 100/0 | 50 0 100 -150",
    ),
    # a low that does not play for the side pot takes nothing of it
    (
        ["Ad3s", "JsJh", "QsQh"],
        {"stacks": [50, 500, 500]},
        "C:c A:r50 B:c C:c B:b100 C:c",
        "C 200/1 C 75/0 A 75/0 | 25 -150 125",
    ),
    (["QsQh", "Ad3s", "JsJh"], {"rake": Rake(percent=5)}, "", "A 29/0 B 28/0 | 9 8 -20"),  # taken before the halving
    *(
        (["QsQh", "Ad3s"], {"structure": kind}, "", "A 20/0 B 20/0 | 0 0")
        for kind in ("no_limit", "pot_limit", "fixed_limit")
    ),
    (["Ad3s", "QsQh"], {}, "B:f", "A<10 A 20/0 | 10 -10"),  # everybody folding leaves nothing to halve
]


@pytest.mark.parametrize(("holes", "rules", "script", "expected"), HALVED)
def test_r32_half_to_the_best_high_and_half_to_the_best_low(holes, rules, script, expected):
    assert outcome(check_down(play(deal(holes, **rules), script))) == expected


@pytest.mark.parametrize("button", range(4))
def test_r32_r28_odd_chips_of_each_half_go_from_the_left_of_the_button(button):
    # A and B have the same low, C and D the same high: of 86 chips 43 and 43, of each half 22 and 21.
    table = deal(["Ad3s", "As3d", "QsQh", "QdQc"], button=button, big_blind_ante=6)
    check_down(table)
    left_of_button = [(button + 1 + k) % 4 for k in range(4)]
    first_high, first_low = (min(pair, key=left_of_button.index) for pair in ((C, D), (A, B)))
    won = {seat: 22 if seat in (first_high, first_low) else 21 for seat in (A, B, C, D)}
    assert {op.seat: op.amount for op in table.log if op.kind == "push_pot"} == won
    order = [op.seat for op in table.log if op.kind == "push_pot"]
    assert order[0] == first_high
    assert order[2] == first_low, "the high half is pushed first"


def test_r32_a_pot_of_one_chip_goes_to_the_high():
    rules, hands = Rules(seats=2, blinds=(1, 2), split="high_low"), {A: "Ad3s", B: "QsQh"}
    table = Table.from_position(rules, stacks=[100, 100], board=LOW_BOARD, pot=1, hole_cards=hands)
    assert deeds(check_down(table), "push_pot") == ["B push_pot 1 of 0"]


@pytest.mark.parametrize(
    ("holes", "rules", "expected"),
    [
        (["QsQh", "8s5s", "JsJh"], {}, ["A show", "B show", "C muck"]),  # beaten in high but not in low
        (["QsQh", "Ad3s", "8s5s"], {}, ["A show", "B show", "C muck"]),  # both ways
        (["QsQh", "Ad3s", "8s5s"], {"muck": False}, ["A show", "B show", "C show"]),
        (["QsQh", "JsJh", "Ad3s"], {}, ["A show", "B muck", "C show"]),  # without a low, in high
        (["QsQh", "Ad3s", "Ah3h"], {}, ["A show", "B show", "C show"]),  # a tied low
    ],
)
def test_r29_hi_lo_who_is_beaten_both_ways_may_muck(holes, rules, expected):
    assert showing(check_down(deal(holes, **rules))) == expected


def test_r29_hi_lo_beaten_in_one_pot_but_not_in_the_other():
    # D's low is beaten by C's in the main pot, but C does not play for the side pot of A, B and D.
    holes = ["QsQh", "JsJh", "Ad3s", "8s5s"]
    table = deal(holes, stacks=[500, 500, 50, 500], face_up_all_in=False)
    play(table, "C:r50 D:c A:c B:c A:b100 B:c D:c")
    check_down(table)
    assert showing(table) == ["A show", "B muck", "D show", "C show"]
    assert outcome(table).startswith("A 150/1 D 150/1 A 100/0 C 100/0 |")


def test_r32_needs_five_low_ranks_in_the_deck():
    mentions(complaint(Rules, deck=Rules.preset("short-deck").deck, split="high_low"), 6, 7, 8)
    mentions(complaint(Rules.preset, "kuhn", split="high_low"), "split", "high_low", "pair")
