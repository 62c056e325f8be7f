"""`holdem_env.cards.evaluation`, the public face of the evaluator: what it takes, what it returns, what errors say."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env.cards.evaluation import BEST_VALUE, CATEGORY_NAMES, WORST_VALUE, category, evaluate
from holdem_env.cards.text import Cards, parse_cards

ROYAL = "AsKsQsJsTs2c3d"


def test_one_hand_in_every_form():
    numbers = parse_cards(ROYAL)
    arrays = np.array(numbers), np.array(numbers, np.int8)
    for form in (ROYAL, "as ks, qs js 10s 2c 3d", numbers, list(numbers), Cards(ROYAL), *arrays):
        value = evaluate(form)
        assert (type(value), value) == (int, BEST_VALUE)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_a_batch_gives_an_int64_array(cards):
    hands = np.random.default_rng(0).random((100, 52)).argsort(axis=1)[:, :cards]
    values = evaluate(hands)
    assert values.shape == (100,)
    assert values.dtype == np.int64
    assert values.tolist() == [evaluate(hand) for hand in hands.tolist()]
    assert values.tolist() == evaluate(hands.tolist()).tolist()


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, ">i4"]
)
def test_every_integer_dtype_and_memory_layout(dtype):
    hands = np.random.default_rng(1).random((50, 52)).argsort(axis=1)[:, :7].astype(dtype)
    expected = evaluate(hands.tolist()).tolist()
    before = hands.copy()
    assert evaluate(hands).tolist() == expected
    assert evaluate(np.asfortranarray(hands)).tolist() == expected
    assert evaluate(np.repeat(hands, 2, axis=0)[::2]).tolist() == expected
    assert evaluate(hands[:, ::-1]).tolist() == expected
    assert np.array_equal(hands, before)


def test_a_read_only_array():
    hands = np.array([parse_cards(ROYAL)], np.int8)
    hands.flags.writeable = False
    assert evaluate(hands).tolist() == [BEST_VALUE]


def test_no_hands_have_no_values():
    values = evaluate(np.empty((0, 7), np.int8))
    assert values.shape == (0,)
    assert values.dtype == np.int64


def test_categories():
    hands = {
        "high card": "AsKdQcJh9s", "pair": "2s2d3c4h5s", "two pair": "2s2d3c3h4s", "three of a kind": "2s2d2c3h4s",
        "straight": "As2d3c4h5s", "flush": "2s3s4s5s7s", "full house": "2s2d2c3h3s", "four of a kind": "2s2d2c2h3s",
        "straight flush": "As2s3s4s5s",
    }  # fmt: skip
    assert tuple(hands) == CATEGORY_NAMES
    values = [evaluate(hand) for hand in hands.values()]
    assert (values, evaluate("7s5d4c3h2s")) == (sorted(values), WORST_VALUE)
    assert [category(value) for value in values] == list(range(9))
    assert category(np.array(values)).tolist() == list(range(9))
    assert category(np.array([values])).shape == (1, 9)
    assert type(category(WORST_VALUE)) is int


@pytest.mark.parametrize("wrong", [0, -1, 7463])
def test_values_that_no_hand_has(wrong):
    assert re.search(f"no hand has the value {wrong}: values are 1 to 7462", complaint(category, wrong))
    assert re.search(f"no hand has the value {wrong}", complaint(category, np.array([1, wrong])))


def test_a_value_is_an_integer():
    mentions(complaint(category, 1.0, kind=TypeError), "not float64")


def with_number(wrong, dtype=np.int64):
    """Three hands, with a number in the last that is no card."""
    hands = np.array([parse_cards(ROYAL)] * 3, dtype)
    hands[2, 4] = wrong
    return hands


def two_bad_rows():
    hands = with_number(99).repeat(4, axis=0)
    hands[3, 1] = hands[3, 2]
    return hands


TYPES = (np.int8, np.int64, np.int32)
CARELESS = ((np.uint64, 2**64 - 1), (np.uint8, 255), (np.int64, -(2**63)), (np.int64, 2**32))  # would fit if converted
NO_CARDS = [*((dtype, wrong) for dtype in TYPES for wrong in (-2, 52, 64, 116, 127)), *CARELESS]


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        *(
            (form(range(count)), rf"the hand has {count} cards: 5 to 7 are right")
            for count in (0, 1, 4, 8)
            for form in (list, lambda cards: np.array(cards, np.int64), lambda cards: str(Cards(cards)))
        ),
        *((np.zeros((2, count), np.int8), rf"\(shape \(2, {count}\)\) have {count} cards") for count in (0, 1, 4, 8)),
        *((np.zeros(shape, np.int64), r"the shape \(hands, 5\.\.7\), or \(5\.\.7,\)") for shape in ((), (2, 3, 7))),
        *(
            (with_number(wrong, dtype), rf"row 2, card 4 is {wrong}: cards are 0 \(2c\) to 51")
            for dtype, wrong in NO_CARDS
        ),
        *((with_number(wrong, dtype)[2], rf"^card 4 is {wrong}: cards are 0") for dtype, wrong in NO_CARDS),
        ("As??QsJsTs", r"^card 1 is -1 \('\?\?', unknown\)"),
        ([[0, 1, 2, 3, 4, 5, -1]], r"^row 0, card 6 is -1"),
        ("AsKsQsJsTsAs", r"^cards 0 and 5 are both 51 \(As\): a hand has each card at most once"),
        (np.array([[0, 1, 2, 3, 4], [5, 6, 7, 7, 8]]), r"^row 1, cards 2 and 3 are both 7 \(3s\)"),
        (two_bad_rows(), "row 3, cards 1 and 2"),  # the first
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]], "different numbers of cards"),
        ("AsXsQsJsTs", r"'Xs' \(card 2, at character 3"),
    ],
)
def test_hands_that_cannot_be(hands, words):
    assert re.search(words, complaint(evaluate, hands))


WRONG_TYPES = [(np.zeros((1, 7)), "ndarray of float64"), ([0.0, 1.0, 2.0, 3.0, 4.0], "list of float64")]
WRONG_TYPES += [(np.zeros((1, 7), bool), "ndarray of bool"), (["As", "Ks", "Qs", "Js", "Ts"], "list of <U2")]
WRONG_TYPES += [([[0, 1, 2, 3, None]], "list of object"), (None, "NoneType of object")]
WRONG_TYPES += [(np.empty((0, 7)), "ndarray of float64")]


@pytest.mark.parametrize(("wrong", "what"), WRONG_TYPES)
def test_wrong_types(wrong, what):
    with pytest.raises(TypeError, match=rf"cards are ints 0\.\.51 .* or one hand as text such as .*, not {what}"):
        evaluate(wrong)


IMPORTS = """
import importlib, sys
for first in ("holdem_env.cards", "holdem_env.cards.evaluation", "holdem_env.cards.evaluator"):
    for name in [name for name in sys.modules if name.partition(".")[0] == "holdem_env"]:
        del sys.modules[name]
    importlib.import_module(first)
    from holdem_env import evaluate
    print(evaluate(sys.argv[1]))
"""


@pytest.mark.slow
def test_evaluate_is_the_function_whatever_was_imported_before():
    done = subprocess.run([sys.executable, "-c", IMPORTS, ROYAL], capture_output=True, text=True, check=False)
    assert done.stdout.split() == [str(BEST_VALUE)] * 3, done.stderr
