"""Ranges as collections: their hands, and what two of them have together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem_env import Range, equity
from holdem_env.solvers.subgames import solve_subgame

ONE, TWO = Range("QQ+, AK:0.5, 76s"), Range("KK, AKs, AsKd:0.3")
KINDS = st.sampled_from(["AA", "KK", "AKs", "AKo", "A5s", "76o", "22", "T9s", "AsKd", "7h6c"])
WEIGHTS = st.sampled_from([1.0, 0.5, 0.1, 1 / 3])


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    """Pieces that share no hand."""
    found: dict[str, str] = {}
    for kind in draw(st.sets(KINDS, min_size=1)):
        if not any(kind in Range(piece) or piece in Range(kind) for piece in found):
            found[kind] = f"{kind}:{draw(WEIGHTS)!r}"
    return Range(", ".join(found.values()))


def hands_of(one: Range) -> dict[str, float]:
    return dict(one)


@given(ranges(), ranges())
def test_sets_of_hands_are_those_of_dicts(one: Range, two: Range) -> None:
    a, b = hands_of(one), hands_of(two)
    assert hands_of(one | two) == {hand: max(a.get(hand, 0), b.get(hand, 0)) for hand in a | b}
    assert hands_of(one & two) == {hand: min(a[hand], b[hand]) for hand in a if hand in b}
    assert hands_of(one - two) == {hand: weight for hand, weight in a.items() if hand not in b}
    assert one - two | one & one == one
    for made in (one | two, one & two, one - two):
        assert len(made) == len(hands_of(made))
        if made:
            assert Range(made.text) == made


def test_iterating_gives_hands_with_their_weights() -> None:
    found = list(Range("KK:0.25, AsKs"))
    assert len(found) == 7
    assert ("AsKs", 1.0) in found
    assert {weight for hand, weight in found if hand != "AsKs"} == {0.25}


@pytest.mark.parametrize(
    ("hand", "is_in"),
    [("AsKd", True), ("KdAs", True), ("AK", True), ("QQ+", True), ("QQ, JJ", False), ("7h6c", False), (TWO, True)],
)
def test_whether_hands_are_in_it(hand: str | Range, is_in: bool) -> None:
    assert (hand in ONE) is is_in


@pytest.mark.parametrize(
    ("hand", "error"), [(51, TypeError), ("As", ValueError), ("As??", ValueError), ("", ValueError)]
)
def test_what_is_no_hand_is_refused(hand: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        assert hand in ONE


@pytest.mark.parametrize("operation", ["__or__", "__and__", "__sub__"])
def test_ranges_go_with_ranges_alone(operation: str) -> None:
    assert getattr(ONE, operation)("AA") is NotImplemented


def test_a_range_may_be_empty_and_is_refused_where_hands_are_needed() -> None:
    empty = ONE - ONE
    assert not empty
    assert list(empty) == []
    assert empty == Range("22") & Range("33")
    with pytest.raises(ValueError, match=r"no hand|empty"):
        equity([empty, "AA"])
    with pytest.raises(ValueError, match=r"no hand|empty"):
        solve_subgame("Ks7h2d3c9s", [empty, "AA"], pot=10, stacks=10)
    assert np.array_equal(empty.cards, np.zeros((0, 2)))
    assert empty.svg().startswith("<svg")
