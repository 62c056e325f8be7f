"""Cards as text and numbers: what is read, what is printed, and what the errors say."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem_env.cards.text import Cards, card_name, cards_text, parse_cards

NUMBERS = st.lists(st.integers(-1, 51), max_size=60)


def test_r01_52_cards_13_ranks_times_4_suits():
    names = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    assert [card_name(card) for card in range(52)] == names
    assert parse_cards("".join(names)) == tuple(range(52))


@pytest.mark.parametrize(
    "text",
    ["AsKdTh2c", "As Kd Th 2c", "As,Kd,Th,2c", " As, Kd\tTh\n2c ", "AsKd10h2c", "askdth2c", "as kd 10h 2c", "ASKDTH2C"],
)
def test_spellings(text):
    assert parse_cards(text) == (51, 45, 34, 0)


def test_nothing_and_unknown_cards():
    assert parse_cards("") == parse_cards("  ,") == ()
    assert parse_cards("??As ??") == (-1, 51, -1)
    assert cards_text([-1, 51]) == "??As"
    assert card_name(-1) == "??"


@pytest.mark.parametrize(
    ("text", "piece", "card", "character"),
    [
        ("AsXd", "Xd", 2, 3),
        ("As Kd 1h", "1h", 3, 7),
        ("A", "A", 1, 1),
        ("AsKdQ", "Q", 3, 5),
        ("10x", "10x", 1, 1),
        ("As?", "?", 2, 3),
        ("sA", "sA", 1, 1),
        ("Kſ", "Kſ", 1, 1),  # not an s, though it is one in upper case
        ("As;Kd", ";K", 2, 3),
    ],
)
def test_an_error_names_the_piece_and_its_place(text, piece, card, character):
    with pytest.raises(ValueError, match=r"2-9, T or 10, J, Q, K, A") as error:
        parse_cards(text)
    assert f"{piece!r} (card {card}, at character {character} of {text!r})" in str(error.value)


@pytest.mark.parametrize(
    ("call", "wrong", "error", "words"),
    [
        *((parse_cards, wrong, TypeError, "text such as 'AsKd'") for wrong in (None, 51, b"As", ["As"])),
        *((card_name, wrong, ValueError, rf"{wrong} is not a card: cards are 0 \(2c\) to 51") for wrong in (52, -2)),
        *((Cards, [0, wrong, 1], ValueError, rf"card 2 of 3: {wrong} is not a card") for wrong in (52, -2)),
        *((card_name, wrong, TypeError, "integer") for wrong in (1.0, "As", None)),
        *((Cards, [wrong], TypeError, "integer") for wrong in (1.0, "As", None)),
    ],
)
def test_what_is_no_card(call, wrong, error, words):
    with pytest.raises(error, match=words):
        call(wrong)


@given(NUMBERS)
def test_text_and_back(numbers):
    text = cards_text(numbers)
    assert parse_cards(text) == tuple(numbers)
    assert Cards(text) == Cards(numbers)
    assert Cards(numbers) == text
    assert Cards(numbers) == numbers
    assert str(Cards(numbers)) == text


@given(NUMBERS, NUMBERS)
def test_cards_are_equal_and_hashed_as_tuples_are(one, other):
    assert (Cards(one) == Cards(other)) is (Cards(one) == other) is (Cards(one) == cards_text(other)) is (one == other)
    assert (Cards(one) != Cards(other)) is (Cards(one) != tuple(other)) is (one != other)
    assert hash(Cards(one)) == hash(tuple(one))


def test_cards_equal_text_lists_and_tuples():
    cards = Cards("AsKd")
    assert cards == "as, kd"
    assert cards == [51, 45]
    assert cards not in ("no cards", 51)
    assert {(51, 45): "found"}[cards] == "found"
    assert Cards() == "" == Cards([])


def test_cards_print_as_text():
    cards = Cards(np.array([51, -1], np.int8))
    assert str(cards) == f"{cards}" == "As??"
    assert repr(cards) == "Cards('As??')"
    assert all(type(card) is int for card in cards)


def test_parts_and_sums_of_cards_are_cards():
    cards = Cards("AsKdTh")
    assert type(cards[0]) is int
    assert cards[0] == 51
    assert isinstance(cards[1:], Cards)
    assert cards[1:] == "KdTh"
    assert isinstance(cards + "2c", Cards)
    assert cards + "2c" == cards + (0,) == cards + [0] == cards + Cards("2c") == "AsKdTh2c"  # noqa: RUF005
    with pytest.raises(TypeError):
        cards + 1


def test_cards_are_immutable_and_copied_and_pickled():
    cards = Cards("AsKd")
    with pytest.raises(TypeError):
        cards[0] = 1
    with pytest.raises(AttributeError):
        cards.name = "mine"
    for same in (copy.copy(cards), copy.deepcopy(cards), pickle.loads(pickle.dumps(cards))):
        assert type(same) is Cards
        assert same == cards


def test_cards_need_neither_gymnasium_nor_pettingzoo():
    code = "import sys, holdem_env.cards.evaluation; print({'gymnasium', 'pettingzoo'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
