"""Ranges from text: how many hands, which ones, and what a typo gets."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem_env import Range
from holdem_env.cards.combos import COMBOS, combo_cards, combo_number
from holdem_env.cards.text import RANKS, cards_text

COUNTS = [("77", 6), ("77+", 48), ("AKs", 4), ("AKo", 12), ("AK", 16), ("AQs+", 8), ("KJo", 12), ("77+, AQs+, KJo", 68)]
COUNTS += [("22-55", 24), ("55-22", 24), ("A2s-A5s", 16), ("A5s-A2s", 16), ("54s-JTs", 28), ("K2o+", 132), ("32+", 16)]
COUNTS += [("AsKd", 1), ("AsKd, KdAs, AKo", 12), ("QQ+, QQ", 18), ("random", 1326), ("*", 1326)]
COUNTS += [("22+, 32+, 42+, 52+, 62+, 72+, 82+, 92+, T2+, J2+, Q2+, K2+, A2+", 1326), ("1010+ aks Kdqd", 30 + 4 + 1)]
COUNTS += [(" 77 + ,  22 - 33 ", 60), ("AKs : 0.5", 4)]


@pytest.mark.parametrize(("text", "hands"), COUNTS)
def test_how_many_hands(text, hands):
    assert len(Range(text)) == hands


HANDS = [("77", "7d7c 7h7c 7h7d 7s7c 7s7d 7s7h"), ("AKs", "AcKc AdKd AhKh AsKs")]
HANDS += [("AKo", "AcKd AcKh AcKs AdKc AdKh AdKs AhKc AhKd AhKs AsKc AsKd AsKh")]
HANDS += [("JTs-T9s", "JcTc JdTd JhTh JsTs Tc9c Td9d Th9h Ts9s")]
HANDS += [("A3s-A2s", "Ac2c Ac3c Ad2d Ad3d Ah2h Ah3h As2s As3s"), ("2s3h", "3h2s")]


@pytest.mark.parametrize(("text", "hands"), HANDS)
def test_which_hands(text, hands):
    assert sorted(cards_text(cards) for cards in Range(text).cards) == sorted(hands.split())


def test_weights():
    mixed = Range("AKs:0.25, QQ")
    assert mixed.weights.sum() == 1 + 6
    assert set(mixed.weights.tolist()) == {0.25, 1.0}
    suited = [one % 4 == two % 4 for one, two in mixed.cards]
    assert (mixed.weights[suited] == 0.25).all()


def test_ranges_compare_by_what_they_hold():
    assert Range("AK") == Range("AKo, AKs") != Range("AK:0.5")
    assert hash(Range("AK")) == hash(Range("AKo, AKs"))
    assert Range("AK") != "AK"
    assert repr(Range("AK")) == "Range('AK')"
    assert pickle.loads(pickle.dumps(Range("77+"))) == Range("77+")


def test_ranges_do_not_change():
    with pytest.raises(ValueError, match="read-only"):
        Range("AK").weights[0] = 0.5


@given(st.integers(0, COMBOS - 1))
def test_every_pair_of_cards_has_its_number(combo):
    high, low = combo_cards(combo)
    assert 51 >= high > low >= 0
    assert combo_number(low, high) == combo_number(high, low) == combo


@given(st.sampled_from(RANKS), st.sampled_from(RANKS), st.sampled_from(["", "s", "o"]))
def test_plus_is_the_range_up_to_the_best(one, two, mark):
    high, low = sorted((one, two), key=RANKS.index, reverse=True)
    if high == low:
        assert Range(f"{high}{low}+") == Range(f"{high}{low}-AA")
    else:
        top = RANKS[RANKS.index(high) - 1]
        assert Range(f"{high}{low}{mark}+") == Range(f"{high}{low}{mark}-{high}{top}{mark}")


@pytest.mark.parametrize(
    "text", ["77", "77+", "AKs", "AQs+", "KJo", "K2o+", "A5s-A2s", "22-55", "AsKd, 98o", "T6s+, 22+, ATo"]
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_eval7_reads_the_same_hands(text):
    eval7 = pytest.importorskip("eval7")
    theirs = {frozenset(str(card) for card in hand) for hand, _ in eval7.HandRange(text).hands}
    assert {frozenset((cards_text([one]), cards_text([two]))) for one, two in Range(text).cards} == theirs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (["77"], "a range is text such as '77\\+, AQs\\+', not list"),
        ("", r"the range '' is empty: a range is made of"),
        ("77+,,AK", r"'77\+,,AK' has nothing between two commas"),
        ("77+,", r"has nothing between two commas, or at an end"),
        ("77+, AKx", r"'AKx' \(piece 2 of the range '77\+, AKx'\) has 'x' after its ranks: 's' is suited"),
        ("77s", r"'77s' .* marks a pair as suited: write '77'"),
        ("KAs", r"has the lower card first: write 'AKs'"),
        ("1010-109", r"has ends of different kinds"),
        ("As", r"'As' .* is one card: a hand has two, as in 'AsKd'"),
        ("AsAs", r"'AsAs' .* has the same card twice"),
        ("A1s", r"'A1s' .* has '1', which is not a rank \(2-9, T, J, Q, K, A\)"),
        ("aces", r"has 'e', which is not a rank"),
        ("A", r"'A' .* is not a hand"),
        ("77++", r"has '\+' after its ranks"),
        ("A2s-A5", r"has ends of different kinds: write 'A2s-A5s'"),
        ("A2s-K5s", r"has ends that do not fit: both must have the same high card"),
        ("77-", r"'77-' .* is not a hand"),
        ("AKs:2", r"'AKs:2' .* has the weight '2': weights are above 0 and at most 1"),
        ("AKs:0", r"has the weight '0'"),
        ("AKs:", r"has the weight ''"),
        ("AKs, AK:0.5", r"AcKc has the weight 1 by 'AKs' and 0.5 by 'AK:0.5' .* give each hand one weight"),
    ],
)
def test_a_typo_is_named(text, message):
    with pytest.raises(ValueError if isinstance(text, str) else TypeError, match=message):
        Range(text)


@given(st.text(alphabet="AKQJT98765432somx+-:,.0* ", max_size=12))
def test_any_text_is_a_range_or_a_named_error(text):
    try:
        found = Range(text)
    except ValueError as error:
        if repr(text) not in str(error):
            raise
        return
    assert 0 < len(found) <= COMBOS
    assert np.isin(found.cards, np.arange(52)).all()
    assert (found.cards[:, 0] > found.cards[:, 1]).all()
    assert ((found.weights > 0) & (found.weights <= 1)).all()
