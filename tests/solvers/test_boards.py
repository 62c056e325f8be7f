"""Hands and boards, up to a renaming of suits."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from holdem_env import Rules, evaluate
from holdem_env.cards.combos import COMBO_CARDS
from holdem_env.cards.text import parse_cards
from holdem_env.solvers import boards
from holdem_env.solvers.boards import make_boards
from holdem_env.solvers.games import boards_by_street
from holdem_env.solvers.hands import Hands, suit_renamings
from holdem_env.solvers.public_game import PublicGame, RunOut, deals_after, hands_of
from solvers.small_games.games import GAMES

FLOP_HOLDEM = Rules.preset("flop-holdem")
TEXAS = Rules(seats=2)


def test_hands_of_two_cards_are_in_the_order_of_the_combos() -> None:
    hands = Hands(FLOP_HOLDEM)
    assert np.array_equal(hands.cards, COMBO_CARDS)
    assert np.array_equal(hands.numbers(COMBO_CARDS[:, ::-1]), np.arange(len(COMBO_CARDS)))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("isomorphic", [True, False])
def test_boards_are_counted_without_listing_them(name: str, isomorphic: bool) -> None:
    rules = GAMES[name]
    hands = hands_of(rules)
    renamings = suit_renamings(hands)[: None if isomorphic else 1]
    ranges = np.ones((2, len(hands)))
    made = make_boards(hands, (), deals_after(rules, 0, ()), ranges, renamings)
    counted = boards_by_street(rules, isomorphic)
    assert np.diff(made.first).tolist()[-len(counted) :] == counted


def test_the_boards_of_holdem_are_known() -> None:
    assert boards_by_street(TEXAS, isomorphic=False) == [1, comb(52, 3), comb(52, 3) * 49, comb(52, 3) * 49 * 48]
    assert boards_by_street(TEXAS)[:3] == [1, 1755, 63193]


def test_cards_that_a_renaming_of_suits_makes_the_same_are_one() -> None:
    cards, hands = parse_cards("Ks7s2s3s"), hands_of(TEXAS)
    ranges = np.ones((2, len(hands)))

    def rivers(isomorphic: bool) -> tuple[int, int]:
        renamings = suit_renamings(hands, cards, ranges)[: None if isomorphic else 1]
        made = make_boards(hands, cards, (1,), ranges, renamings)
        return len(made.count[0]) - 1, int(made.first_image[-1]) - 1

    assert rivers(isomorphic=False) == (48, 48)
    assert rivers(isomorphic=True) == (9 + 13, 48)  # spades are all different; of the other suits one counts for three
    ranges[0, int(hands.numbers(np.array(parse_cards("AhKh"))))] = 0.5
    assert rivers(isomorphic=True) == (9 + 2 * 13, 48)  # hearts are another suit now


@pytest.mark.parametrize(("deck", "count"), [("JhJsQhQsKhKs", 2), ("JsQsKs", 1), ("AsAhAdKsKhKd", 6), ("AsAhKs", 1)])
def test_renamings_leave_the_deck_as_it_is(deck: str, count: int) -> None:
    rules = Rules.preset("leduc", deck=deck, board_cards=(0, 0), burn_cards=(0, 0))
    assert len(suit_renamings(Hands(rules))) == count


def test_hands_are_ranked_as_the_evaluator_does() -> None:
    hands = Hands(FLOP_HOLDEM)
    board = np.array(parse_cards("Ks7h2d"))
    free = np.flatnonzero(hands.possible(board))[::37]
    ours = hands.values(board)[0][free]
    theirs = [evaluate([*hands.cards[hand].tolist(), *board.tolist()]) for hand in free]
    assert np.array_equal(np.argsort(ours, kind="stable"), np.argsort(theirs, kind="stable"))


def test_more_hands_than_a_list_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MAX_HANDS", 5)
    with pytest.raises(ValueError, match="at most 5 private hands, got 6"):
        PublicGame(RunOut(), GAMES["leduc"])
