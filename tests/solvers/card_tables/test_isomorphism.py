"""Boards that differ by a renaming of suits: how many there are, and that each is found."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem_env.cards.combos import COMBO_CARDS, COMBOS, possible_combos
from holdem_env.compiled.compiler import kernel
from holdem_env.solvers.card_tables.isomorphism import (
    PREFLOP_CLASS,
    RENAMED_COMBOS,
    RENAMINGS,
    board_numbers,
    boards,
    canonical_board,
    combo_in,
    flop_number,
    turn_number,
)

sizes = st.sampled_from([3, 4])
decks = st.permutations(range(52))


@kernel
def ask(board, renaming, out):
    out[0] = flop_number(board[0], board[1], board[2])
    out[1] = turn_number(board[0], board[1], board[2], board[3])
    out[2] = combo_in(renaming, board[0], board[1])


@pytest.mark.parametrize(("size", "count"), [(3, 1_755), (4, 16_432)])
def test_there_are_as_many_boards_as_known(size: int, count: int) -> None:
    found = boards(size)
    assert len(found.cards) == count
    assert found.times.sum() == math.comb(52, size) == len(found.row)
    assert set(found.times) <= {4, 6, 12, 24, 1}


@given(sizes, decks, st.integers(0, 23))
def test_a_renaming_of_suits_leads_to_the_same_board(size: int, deck: list[int], renaming: int) -> None:
    board = np.array(deck[:size])
    renamed = board // 4 * 4 + RENAMINGS[renaming][board % 4]
    assert canonical_board(board)[0] == canonical_board(renamed)[0]


@given(sizes, decks)
def test_a_boards_cards_become_those_of_its_canonical_board(size: int, deck: list[int]) -> None:
    row, combos = canonical_board(deck[:size])
    canonical = boards(size).cards[row]
    here, there = possible_combos(np.array(deck[:size])), possible_combos(canonical)
    assert sorted(combos) == list(range(COMBOS))
    np.testing.assert_array_equal(here, there[combos])
    assert canonical_board(canonical)[0] == row


@given(decks, st.integers(0, 23))
def test_compiled_numbers_are_those_of_sorted_cards(deck: list[int], renaming: int) -> None:
    board, out = np.array(deck[:4]), np.empty(3, np.int64)
    ask(board, renaming, out)
    assert out[0] == board_numbers(np.sort(board[:3])[None])[0]
    assert out[1] == board_numbers(np.sort(board)[None])[0]
    combo = np.flatnonzero((sorted(deck[:2], reverse=True) == COMBO_CARDS).all(axis=1))[0]
    assert out[2] == RENAMED_COMBOS[renaming, combo]


def test_before_the_flop_there_are_169_classes() -> None:
    classes, times = np.unique(PREFLOP_CLASS, return_counts=True)
    assert classes.tolist() == list(range(169))
    assert sorted(times) == [4] * 78 + [6] * 13 + [12] * 78


@pytest.mark.parametrize("size", [0, 2, 6])
def test_other_boards_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="give 3"):
        boards(size)
