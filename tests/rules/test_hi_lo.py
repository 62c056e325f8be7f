"""R32: hi-lo eight or better, in hold'em and Omaha; R28 and R29 where pots are halved."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from holdem_env import Rake, Rules, Table
from holdem_env.cards.text import Cards, parse_cards
from holdem_env.table.starting import position_deck
from rules.hand_values import low_value
from rules.playing import A, B, C, D, check_down, deeds, play, showing

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


def pushes(table):
    return deeds(table, "push_pot")


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


# What a low is


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


def test_r32_seven_cards_with_pairs_and_more_than_five_low_ranks():
    assert low_of("Ac2d", "2h3s4c5dKs") == low_of("Ac2d", "3h4s5cKdKs") > low_of("8c7d", "Ah2s3c5dKs")
    assert low_of("KcQd", "Ah2s3c4d5s") == low_of("Ac2d", "3h4s5c6d7s")


def test_r32_there_is_no_low_without_five_ranks_of_eight_or_lower():
    assert low_of("AcAd", "2h3s4c9dTs") == low_of("KcQd", "JhTs9c8d7s") == 0


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


# Halves


def test_r32_half_to_the_best_high_and_half_to_the_best_low():
    table = check_down(deal(["AsQd", "Ad3s", "QsQh"]))  # kings with an ace, A-2-3-4-7, kings and queens
    assert pushes(table) == ["C push_pot 30 of 0", "B push_pot 30 of 0"]
    assert table.payoffs == [-20, 10, 10]


def test_r32_without_a_qualifying_low_the_high_takes_all():
    table = check_down(deal(["Ad3s", "QsQd", "5s6s"], HIGH_BOARD))
    assert pushes(table) == ["B push_pot 60 of 0"]
    assert table.payoffs == [-20, 40, -20]


def test_r32_one_player_may_win_both_with_different_five_cards():
    table = check_down(deal(["KdKh", "Ad5s", "AcAh"], "2c3d4hKs9c"))
    assert pushes(table) == ["B push_pot 30 of 0", "B push_pot 30 of 0"], "the wheel is a straight and the best low"
    assert table.payoffs == [-20, 40, -20]
    table = check_down(deal(["AdAs8h5h", "QsQh9d9s"], "Ac4d7hKsJc", **OMAHA))
    assert pushes(table) == ["A push_pot 20 of 0", "A push_pot 20 of 0"], "three aces, and 8-7-5-4-A"


def test_r32_the_odd_chip_of_the_halving_goes_to_the_high():
    table = check_down(play(deal(["QsQh", "Ad3s", "5c6c"], blinds=(10, 21)), "C:f A:c"))
    assert pushes(table) == ["A push_pot 21 of 0", "B push_pot 21 of 0"]
    table = check_down(play(deal(["QsQh", "Ad3s", "5c6c"], blinds=(10, 20), ante=1), "C:f A:c"))
    assert pushes(table) == ["A push_pot 22 of 0", "B push_pot 21 of 0"], "43 chips"


def test_r32_the_halving_is_in_units_of_the_smallest_chip():
    game = {"blinds": (10, 20), "ante": 5, "smallest_chip": 5}
    table = check_down(play(deal(["QsQh", "Ad3s", "5c6c"], **game), "C:f A:c"))
    assert pushes(table) == ["A push_pot 30 of 0", "B push_pot 25 of 0"], "55 chips in fives"


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


def test_r32_quartering():
    table = check_down(deal(["Ad3s", "As3d", "QsJh"]))
    assert pushes(table) == 2 * ["A push_pot 15 of 0", "B push_pot 15 of 0"], "high and low are shared"
    table = check_down(deal(["Ad3sQsQh", "As3dJcTc", "QdJh9s9h"], **OMAHA))  # A has the high, too
    assert pushes(table) == ["A push_pot 30 of 0", "A push_pot 15 of 0", "B push_pot 15 of 0"]
    assert table.payoffs == [25, -5, -20]


def test_r32_side_pots_are_halved_too_each_by_its_own_contestants():
    # A is all-in for 50 with the best low; B has the only other one, C the best high, D a worse one.
    table = deal(["Ad3s", "8s5s", "QsQh", "JsJh"], stacks=[50, 500, 500, 500])
    play(table, "C:c D:c A:r50 B:c C:c D:c B:b100 C:c D:c")
    check_down(table)
    assert pushes(table) == [
        "C push_pot 150 of 1",
        "B push_pot 150 of 1",
        "C push_pot 100 of 0",
        "A push_pot 100 of 0",
    ]
    assert table.payoffs == [50, 0, 100, -150]


def test_r32_a_low_that_does_not_play_for_the_side_pot_takes_nothing_of_it():
    table = deal(["Ad3s", "JsJh", "QsQh"], stacks=[50, 500, 500])
    play(table, "C:c A:r50 B:c C:c B:b100 C:c")
    check_down(table)
    assert pushes(table) == ["C push_pot 200 of 1", "C push_pot 75 of 0", "A push_pot 75 of 0"]


def test_r32_r31_rake_is_taken_before_the_halving():
    table = check_down(deal(["QsQh", "Ad3s", "JsJh"], rake=Rake(percent=5)))
    assert table.rake == 3
    assert pushes(table) == ["A push_pot 29 of 0", "B push_pot 28 of 0"]


def test_r32_a_pot_of_one_chip_goes_to_the_high():
    table = Table.from_position(
        Rules(seats=2, blinds=(1, 2), split="high_low"),
        stacks=[100, 100],
        board=LOW_BOARD,
        pot=1,
        hole_cards={0: "Ad3s", 1: "QsQh"},
    )
    check_down(table)
    assert deeds(table, "push_pot") == ["B push_pot 1 of 0"]


# R29: showing


def test_r29_hi_lo_who_is_beaten_in_high_but_not_in_low_shows():
    table = check_down(deal(["QsQh", "8s5s", "JsJh"]))
    assert showing(table) == ["A show", "B show", "C muck"]


def test_r29_hi_lo_beaten_both_ways_may_muck():
    table = check_down(deal(["QsQh", "Ad3s", "8s5s"]))
    assert showing(table) == ["A show", "B show", "C muck"]
    table = check_down(deal(["QsQh", "Ad3s", "8s5s"], muck=False))
    assert showing(table) == ["A show", "B show", "C show"]


def test_r29_hi_lo_without_a_low_being_beaten_in_high_is_enough():
    table = check_down(deal(["QsQh", "JsJh", "Ad3s"]))
    assert showing(table) == ["A show", "B muck", "C show"]


def test_r29_hi_lo_a_tied_low_must_show():
    table = check_down(deal(["QsQh", "Ad3s", "Ah3h"]))
    assert showing(table) == ["A show", "B show", "C show"]


def test_r29_hi_lo_beaten_in_one_pot_but_not_in_the_other():
    # D's low is beaten by C's in the main pot, but C does not play for the side pot of A, B and D.
    holes = ["QsQh", "JsJh", "Ad3s", "8s5s"]
    table = deal(holes, stacks=[500, 500, 50, 500], face_up_all_in=False)
    play(table, "C:r50 D:c A:c B:c A:b100 B:c D:c")
    check_down(table)
    assert showing(table) == ["A show", "B muck", "D show", "C show"]
    assert pushes(table) == ["A push_pot 150 of 1", "D push_pot 150 of 1", "A push_pot 100 of 0", "C push_pot 100 of 0"]


def test_r32_the_structure_does_not_matter():
    for structure in ("no_limit", "pot_limit", "fixed_limit"):
        table = check_down(deal(["QsQh", "Ad3s"], structure=structure))
        assert pushes(table) == ["A push_pot 20 of 0", "B push_pot 20 of 0"]


def test_r32_everybody_folding_leaves_nothing_to_halve():
    table = play(deal(["Ad3s", "QsQh"]), "B:f")
    assert pushes(table) == ["A push_pot 20 of 0"]


def test_r32_needs_five_low_ranks_in_the_deck():
    with pytest.raises(ValueError, match=r"five different ranks of eight or lower \(R32\); the deck holds 6, 7, 8, A"):
        Rules(deck=Rules.preset("short-deck").deck, split="high_low")
    with pytest.raises(ValueError, match="split: high_low needs the standard ranking, not 'pair'"):
        Rules.preset("kuhn", split="high_low")
