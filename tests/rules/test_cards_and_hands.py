"""R1-R3: the cards, the order of hands, and how equal combinations are compared."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest

from holdem_env import Rules, Table, evaluate
from rules.playing import check_down, deal

# One hand of each kind, best first (R2).
ORDER = {
    "royal flush": "AhKhQhJhTh",
    "straight flush": "9c8c7c6c5c",
    "steel wheel": "5d4d3d2dAd",
    "four of a kind": "2s2h2d2c3s",
    "full house": "2s2h2d3c3s",
    "flush": "7h5h4h3h2h",
    "straight": "6s5h4d3c2s",
    "wheel": "5s4h3d2cAs",
    "three of a kind": "2s2h2d4c3s",
    "two pair": "3s3h2d2c4s",
    "one pair": "2s2h5d4c3s",
    "high card": "7s5h4d3c2s",
}


def test_r01_the_deck_has_52_different_cards():
    table = Table(Rules(), seed=3)
    assert sorted(table.deck) == list(range(52))
    assert len({str(table.deck)[at : at + 2] for at in range(0, 104, 2)}) == 52


@pytest.mark.parametrize("cards", ["JsQhKdAc2s", "QsKhAd2c3s", "KsAh2d3c4s"])
def test_r01_a_straight_does_not_wrap_around(cards):
    assert evaluate(cards) < evaluate(ORDER["one pair"])


def test_r01_the_ace_is_high_or_low():
    assert evaluate("TsJhQdKcAs") > evaluate("9sThJdQcKs") > evaluate("As2h3d4c5s") > evaluate(ORDER["three of a kind"])


@pytest.mark.parametrize("name", ORDER)
def test_r01_suits_are_equal(name):
    hand = ORDER[name]
    values = {evaluate(hand.translate(str.maketrans("cdhs", "".join(suits)))) for suits in permutations("cdhs")}
    assert len(values) == 1


@pytest.mark.parametrize(("better", "worse"), list(pairwise(ORDER)))
def test_r02_order_of_hands(better, worse):
    assert evaluate(ORDER[better]) > evaluate(ORDER[worse])


@pytest.mark.parametrize(
    ("best", "kind"),
    [
        ("9c8c7c6c5c", "AcAdAhAsKs"),  # the least straight flushes beat the best of the next kind
        ("2s2h2d2c3s", "AsAhAdKcKs"),
        ("2s2h2d3c3s", "AhKhQhJh9h"),
        ("7h5h4h3h2h", "AsKhQdJcTs"),
        ("5s4h3d2cAs", "AsAhAdKcQs"),
        ("2s2h2d4c3s", "AsAhKdKcQs"),
        ("3s3h2d2c4s", "AsAhKdQcJs"),
        ("2s2h5d4c3s", "AsKhQdJc9s"),
    ],
)
def test_r02_the_least_of_a_kind_beats_the_best_of_the_next(best, kind):
    assert evaluate(best) > evaluate(kind)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("8s8h4d4c2s", "7s7h5d5cKs"),  # the rulebook's own
        ("6s5h4d3c2s", "As2h3d4c5s"),
        ("TsTh4d4cAs", "TdTc4h4sQs"),
        ("3s3hAd4c2s", "3d3cKh5s4d"),  # pair: then three kickers
        ("3s3hAd5c2s", "3d3cAh4s2d"),
        ("3s3hAd5c4s", "3d3cAh5s2d"),
        ("6s6h6dAc2s", "6s6h6dKcQs"),  # trips: then two
        ("6s6h6dAc3s", "6s6h6dAc2s"),
        ("9s9h2d2c4s", "8s8h7d7cAs"),  # two pair: the higher, the lower, then one
        ("9s9h3d3c4s", "9d9c2h2sAd"),
        ("6s6h6d6c3s", "6s6h6d6c2s"),  # quads: then one
        ("7s7h7d6c6s", "6s6h6dAcAs"),  # full house: trips, then pair
        ("7s7h7d3c3s", "7s7h7d2c2s"),
        ("AhJh4h3h2h", "KdQdJdTd8d"),  # flush and high card: all five
        ("AhJh5h3h2h", "AdJd4d3d2d"),
        ("AhJh5h4h3h", "AdJd5d4d2d"),
        ("AhJd5h4h3h", "AdJs5d4d2d"),
        ("KhQhJh9h3s", "KsQsJs9d2d"),
    ],
)
def test_r03_comparison_by_all_five_cards(better, worse):
    assert evaluate(better) > evaluate(worse)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AsKhQdJc9s", "AdKcQsJh9d"),
        ("8s8h4d4c2s", "8d8c4s4h2d"),
        ("AhKhQhJh9h", "AsKsQsJs9s"),
        ("7s7h7d3c3s", "7s7h7c3d3h"),
        ("AsAhKdKcQsJhJd", "AsAhKdKcQs"),  # the sixth and seventh card count for nothing
        ("AsAhKdKcQs2c3d", "AsAhKdKcQs"),
        ("8s8h4d4c2s2hKd", "8s8h4d4cKd"),  # of three pairs two, and the best kicker
        ("8s8h4d4c2s2h3d", "8s8h4d4c3d"),
        ("8s8h8d4c4s4hKd", "8s8h8d4c4s"),  # two trips are a full house
        ("2s3h4d5c6s7hAd", "3h4d5c6s7h"),
        ("2h4h6h8hThQhAh", "6h8hThQhAh"),
        ("5h6h7h8h9hTcAh", "5h6h7h8h9h"),  # the straight flush, not the better straight or flush
    ],
)
def test_r03_the_best_five_alone_count_and_equal_ones_tie(one, other):
    assert evaluate(one) == evaluate(other)


@pytest.mark.parametrize(
    ("holes", "board", "payoffs"),
    [
        (["KdQc", "QdJc"], "As9h9c5d2s", [20, -20]),  # a kicker on the board does not end the comparison
        (["KsQs", "2c2d"], "As9s5s7d2h", [20, -20]),  # a flush with both cards
        (["Ks2d", "QhQd"], "As9s5s7s2h", [20, -20]),  # and with one, on a board of four spades
        (["AsAd", "2s2d", "KdQd"], "5h6h7h8h9h", [0, 0, 0]),  # playing the board
        (["AsKs", "AcKc"], "Qd7h5s3c2d", [0, 0]),  # suits never break a tie
    ],
)
def test_r03_who_wins(holes, board, payoffs):
    table = check_down(deal([100] * len(holes), holes=dict(enumerate(holes)), board=board))
    assert table.payoffs == payoffs
