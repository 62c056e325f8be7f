"""What `equity` and `equity_batch` say to questions that make no sense."""

from __future__ import annotations

import re

import numpy as np
import pytest

from errors import complaint
from holdem_env import Cards, Range, equity, equity_batch
from holdem_env.cards.text import parse_cards

FLOP = "2c 3d 4h"


@pytest.mark.parametrize(
    ("hands", "board", "dead", "message"),
    [
        (["AsKd", "AsQd"], "", "", r"As is in hands\[0\] and in hands\[1\]: there is one of each card"),
        (["AsKd", "QsQd"], "Kd 2c 3c", "", r"Kd is in hands\[0\] and in board"),
        (["AsKd", "QsQd"], "", "Qd", r"Qd is in hands\[1\] and in dead"),
        (["AsAs", "QsQd"], "", "", r"As is twice in hands\[0\]"),
        (["AsKd", "QsQd"], "2c 2c 3c", "", r"2c is twice in board"),
        (["AsKd", "QsQd"], "2c 3c", "", r"the board '2c3c' has 2 cards: 0, 3, 4 or 5 are right"),
        (["AsKd", "QsQd"], "2c 3c 4c 5c 6c 7c", "", r"has 6 cards: 0, 3, 4 or 5"),
        (["AsKd", "QsQd"], "2c 3c 4x", "", r"board: '4x' \(card 3, .* is not a card"),
        (["AsKd", "QsQd"], "2c 3c ??", "", r"board has an unknown card"),
        (["AsKd", [3, 52]], "", "", r"hands\[1\] has 52, which is no card"),
        (["AsKd", [3]], "", "", r"hands\[1\] has 1 cards: a hand has 2"),
        (["AsKd", "AsKdQc"], "", "", r"hands\[1\]: 'AsKdQc' .* is not a hand|after its ranks"),
        (["AsKd", "????"], "", "", r"hands\[1\] has an unknown card .* 'random'"),
        (["AsKd", "77+, AQx"], "", "", r"hands\[1\]: 'AQx' \(piece 2 of the range '77\+, AQx'\) has 'x' after"),
        (["AsKd", ""], "", "", r"hands\[1\]: the range '' is empty"),
        (["AsKd"], "", "", r"equity is for 2 to 10 players, not 1"),
        ([], "", "", r"not 0"),
        (["random"] * 11, "", "", r"not 11"),
        (["AsAh", "AA"], "", "Ad", r"hands\[1\]: no hand of the range 'AA' is possible; these cards are gone: As \(h"),
        (["AA", "AA", "AA"], "", "", r"the ranges cannot be dealt together"),
        (["AA", "AKs"], "Ad Ac 2c", "", r"the ranges cannot be dealt together"),
        (["AA", "AA", "AA", "random"], "", "", r"the ranges cannot be dealt together"),
        (["JJ+", "JJ+"], "", "AsAhAdKsKhKdQsQhQdJsJhJd2c", r"possible"),
        (
            ["random"] * 10,
            "",
            "".join(f"{rank}{suit}" for rank in "23456789" for suit in "cdhs"),
            r"20 cards are .* need 25",
        ),
    ],
)
@pytest.mark.parametrize("samples", [None, 100])
def test_what_is_wrong_is_named(hands, board, dead, message, samples):
    assert re.search(message, complaint(equity, hands, board, samples=samples, dead=dead))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hands": "AsKd"}, r"hands is a sequence of players' holdings, such as \['AsKd', '77\+'\], not just 'AsKd'"),
        ({"hands": Range("AK")}, r"not just Range\('AK'\)"),
        ({"hands": ["AsKd", 7]}, r"hands\[1\] is cards, as text"),
        ({"hands": ["AsKd", [0.5, 1]]}, r"hands\[1\] is cards"),
        ({"board": 5}, r"board is cards"),
        ({"samples": 1.5}, r"samples is an int, not float 1.5"),
        ({"seed": "x"}, r"seed is an int, not str 'x'"),
    ],
)
def test_what_is_of_a_wrong_type_is_named(arguments, message):
    assert re.search(message, complaint(equity, **{"hands": ["AsKd", "QsQd"], **arguments}, kind=TypeError))


def test_ways_to_say_the_same():
    expected = equity(["AsKd", "QsQd"], FLOP)
    for hands in (
        ["As Kd", "qs qd"],
        [(51, 45), [43, 41]],
        np.array([[51, 45], [43, 41]], np.int8),
        [Cards("AsKd"), Range("QsQd")],
        ["KdAs", "QdQs"],
    ):
        assert equity(hands, FLOP) == expected
    assert equity(["AsKd", "QsQd"], parse_cards(FLOP)) == expected
    assert equity(["AsKd", "QsQd"], Cards(FLOP), dead=()) == expected


GOOD = np.array([[[51, 50], [47, 46]], [[3, 2], [7, 6]]])


@pytest.mark.parametrize(
    ("hands", "board", "message"),
    [
        (GOOD[0], None, r"hands have the shape \(N, players, 2\), not \(2, 2\)"),
        (GOOD.reshape(2, 1, 4), None, r"not \(2, 1, 4\)"),
        (GOOD[:, :1], None, r"2 to 10 players, not 1"),
        ([[[1, 2], [3]]], None, r"rows of hands are not equally long"),
        (GOOD, np.zeros((2, 2), int), r"boards have the shape \(2, k\) or \(k,\), k = 0, 3, 4 or 5, not \(2, 2\)"),
        (GOOD, np.zeros((3, 3), int), r"not \(3, 3\)"),
        (GOOD, "2c 3c", r"has 2 cards"),
        (GOOD + 5, None, r"row 0 has 56, which is no card"),
        (np.where(GOOD == 6, 7, GOOD), None, r"row 1 has 3d twice|row 1 has 3s twice"),
        (GOOD, "3s 9c 8c", r"row 1 has 3s twice among its hands, board and dead cards"),
    ],
)
def test_batch_names_what_is_wrong(hands, board, message):
    assert re.search(message, complaint(equity_batch, hands, board))


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        *((lambda n=n: equity(["AsKd", "QsQd"], samples=n), ValueError, f"at least 2, not {n}") for n in (0, 1, -5)),
        (lambda: equity_batch(GOOD, samples=1), ValueError, "at least 2, not 1"),
        (lambda: equity_batch(GOOD, dead="As"), ValueError, "row 0 has As twice"),
        (lambda: equity_batch(GOOD * 1.0), TypeError, r"hands are ints 0\.\.51 in an integer array, not float64"),
    ],
)
def test_samples_and_arrays_that_cannot_be(ask, error, message):
    assert re.search(message, complaint(ask, kind=error))
