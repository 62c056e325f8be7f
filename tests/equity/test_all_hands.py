"""All hands of a board at once, beside the same hands one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from holdem_env.cards.combos import COMBO_CARDS, COMBOS, possible_combos
from holdem_env.cards.evaluation import evaluate
from holdem_env.equities.all_hands import MAX_HALVES, count_hands, hand_values

TWO_SUITS = [4 * rank + suit for rank in range(13) for suit in (0, 2)]
full_boards = st.one_of(st.permutations(range(52)), st.permutations(TWO_SUITS)).map(lambda deck: deck[:5])


def counted(board):
    halves = np.empty((1, COMBOS), np.int64)
    count_hands(np.array([board]), halves)
    return halves[0]


def one_by_one(values):
    """Halves of wins against the hands that share no card, by comparing each hand with each."""
    apart = (COMBO_CARDS[:, None, :, None] != COMBO_CARDS[None, :, None, :]).all(axis=(2, 3)) & (values > 0)
    own = values[:, None]
    halves = (own > values).astype(int) + (own >= values)
    return np.where(values > 0, (halves * apart).sum(axis=1), -1)


@given(full_boards)
@examples(10)
def test_values_are_the_evaluators(board) -> None:
    values = hand_values(board)
    np.testing.assert_array_equal(values > 0, possible_combos(np.array(board)))
    for combo in range(0, COMBOS, 97):
        if values[combo]:
            assert values[combo] == evaluate([*COMBO_CARDS[combo].tolist(), *board])


@given(full_boards)
@examples(10)
def test_wins_are_counted_as_by_comparing_each_hand_with_each(board) -> None:
    halves = counted(board)
    np.testing.assert_array_equal(halves, one_by_one(hand_values(board)))
    assert halves.max() <= MAX_HALVES


def test_on_a_royal_board_all_hands_tie() -> None:
    halves = counted([51, 47, 43, 39, 35])
    assert set(halves[halves >= 0]) == {990}
    assert (halves >= 0).sum() == 1081


@pytest.mark.parametrize("count", [1, 3])
def test_many_boards_are_counted_one_after_another(count: int) -> None:
    boards = np.array([[0, 5, 10, 15, 51], [1, 2, 3, 50, 49], [20, 21, 22, 23, 24]])[:count]
    halves = np.empty((count, COMBOS), np.int64)
    count_hands(boards, halves)
    for board, found in zip(boards, halves, strict=True):
        np.testing.assert_array_equal(found, counted(board))
