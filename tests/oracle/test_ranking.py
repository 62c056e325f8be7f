"""The oracle's hand ranking against the rulebook: R1-R3 with their examples, and every five of seven."""

from __future__ import annotations

import itertools
import random

import pytest

from oracle.ranking import best_hand, cards


def value(text):
    return best_hand(cards(text))


def test_r01_ace_high_or_low_but_no_wrap_around():
    assert value("Ac2d3h4s5c") == (4, 3)
    assert value("TcJdQhKsAc") == (4, 12)
    assert value("JcQdKhAs2c")[0] == 0


def test_r02_order_of_hands():
    ladder = [
        "AcKdQhJs9c",
        "2c2d3h4s5c",
        "3c3d2h2s4c",
        "2c2d2h3s4c",
        "Ac2d3h4s5c",
        "2c3c4c5c7c",
        "2c2d2h3s3c",
        "2c2d2h2s3c",
        "Ac2c3c4c5c",
        "TcJcQcKcAc",
    ]
    assert sorted(ladder, key=value) == ladder
    assert [value(hand)[0] for hand in ladder] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 8]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("8d8h4h4d2d", "7s7c5h5dKd"),
        ("2h3c4h5d6d", "Ac2s3c4h5d"),
        ("ThTsAc4c4d", "ThTsQh4h4d"),
        ("KcQd Ah9c9d5s2h", "QsJd Ah9c9d5s2h"),
        ("2c2d AhKsQc", "2h2s AcKdJc"),  # third kicker counts
        ("5c5d5h KsQc", "5c5d5h KdJc"),
        ("3c3d3h 2s2c", "2h2d2s AcAd"),  # full house: trips first
        ("3c3d3h 4s4c", "3c3d3h 2s2c"),
        ("4c4d4h4s 9c", "4c4d4h4s 8c"),
        ("AcKcQcJc9c", "AdKdQdJd8d"),
        ("Ac9d8h7s6c", "Kc9d8h7s6c"),
    ],
)
def test_r03_comparison_of_equal_combinations(better, worse):
    assert value(better) > value(worse)


def test_r03_suits_never_break_a_tie():
    assert value("AsKsQsJs9s") == value("AcKcQcJc9c")


def test_r03_playing_the_board():
    board = "TcJdQhKsAc"
    assert value("2c2d" + board) == value("9d8h" + board) == value(board)


@pytest.mark.slow
def test_r03_seven_cards_are_the_best_of_all_twenty_one_fives():
    rng = random.Random(1)
    for trial in range(3000):
        # Every other sample comes from a part of the deck, where the rare hands are frequent.
        deck = range(52) if trial % 2 else rng.sample(range(52), 12)
        seven = rng.sample(list(deck), 7)
        assert best_hand(seven) == max(best_hand(five) for five in itertools.combinations(seven, 5))
