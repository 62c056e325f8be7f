"""Hands and boards, up to a renaming of suits."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from holdem_env import Rules, evaluate
from holdem_env.cards.combos import COMBO_CARDS
from holdem_env.solvers.small_games.hands import Hands, board_counts, renamings_of
from solvers.small_games.games import GAMES

FLOP_HOLDEM = Rules.preset("flop-holdem")


def test_hands_of_two_cards_are_in_the_order_of_the_combos() -> None:
    assert np.array_equal(Hands(FLOP_HOLDEM).cards, COMBO_CARDS)


def test_there_are_1755_flops() -> None:
    hands = Hands(FLOP_HOLDEM)
    flops = hands.boards[-1]
    assert len(flops) == 1755
    assert sum(flop.weight for flop in flops) * comb(48, 3) == pytest.approx(comb(52, 3))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("symmetric", [True, False])
def test_boards_are_counted_without_listing_them(name: str, symmetric: bool) -> None:
    levels = Hands(GAMES[name], symmetric).boards[1:]
    assert board_counts(GAMES[name], symmetric) == [len(level) for level in levels]


def test_the_boards_of_holdem_are_known() -> None:
    assert board_counts(Rules(), symmetric=False) == [1, comb(52, 3), comb(52, 3) * 49, comb(52, 3) * 49 * 48]
    assert board_counts(Rules())[:3] == [1, 1755, 63193]


def test_without_symmetry_all_boards_are_listed() -> None:
    hands = Hands(Rules.preset("leduc"), symmetric=False)
    assert [len(level) for level in hands.boards] == [1, 1, 6]
    assert [len(level) for level in Hands(Rules.preset("leduc")).boards] == [1, 1, 3]


@pytest.mark.parametrize(("deck", "count"), [("JhJsQhQsKhKs", 2), ("JsQsKs", 1), ("AsAhAdKsKhKd", 6), ("AsAhKs", 1)])
def test_renamings_leave_the_deck_as_it_is(deck: str, count: int) -> None:
    from holdem_env.cards.text import parse_cards

    assert len(renamings_of(parse_cards(deck))) == count


def test_hands_are_ranked_as_the_evaluator_does() -> None:
    hands = Hands(FLOP_HOLDEM)
    board = hands.boards[-1][100]
    high, _ = hands.values([board])
    free = np.flatnonzero(hands.free([board])[0])[::37]
    ours = high[0, free]
    theirs = [evaluate([*hands.cards[hand].tolist(), *board.all_cards]) for hand in free]
    assert np.array_equal(np.argsort(ours, kind="stable"), np.argsort(theirs, kind="stable"))
