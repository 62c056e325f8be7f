"""Classes of hands, against counts of cards made here, and the category of each hand with each next card."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from holdem_env.cards.combos import COMBO_CARDS, combo_number
from holdem_env.cards.evaluation import category, evaluate
from holdem_env.cards.text import parse_cards
from holdem_env.render.hand_classes import DRAWS, IMPOSSIBLE, MADE, hand_classes

NOTHING = "no draw"


@pytest.mark.parametrize(
    ("board", "hand", "made", "draw"),
    [
        ("Ks7h2d", "KhKd", "set", NOTHING),
        ("Ks7h7d", "7cAh", "trips", NOTHING),
        ("Ks7h7d", "KhKd", "full house", NOTHING),
        ("Ks7h7d", "KhQc", "top pair", NOTHING),
        ("Ks7h7d", "AhAc", "overpair", NOTHING),
        ("Ks7h7d", "QhQc", "pocket pair below top", NOTHING),
        ("Ks7h2d", "7c2c", "two pair", NOTHING),
        ("Ks7h2d", "7s6s", "second pair", "backdoor flush draw"),
        ("Ks7h2d", "2s3c", "low pair", NOTHING),
        ("KsQsJd", "AdTd", "straight", NOTHING),
        ("KsQsJd", "AcTs", "straight", NOTHING),
        ("KsQsJd", "Ts9s", "straight", NOTHING),
        ("KsQsJd", "Td8d", "nothing made", "open-ended straight draw"),
        ("KsQsJd", "Ah2h", "ace high", "gutshot"),
        ("KsQsJd", "As2s", "ace high", "flush and straight draw"),
        ("KsQs2d", "5s4s", "nothing made", "flush draw"),
        ("3c5d7h", "4s8s", "nothing made", "gutshot"),
        ("3c5d7h", "9s6s", "nothing made", "open-ended straight draw"),
        ("4c5d8h", "6s7s", "straight", NOTHING),
        ("4c6d8hKs", "5sTs", "nothing made", "gutshot"),
        ("3c5d7hKs", "4s9s", "nothing made", "gutshot"),
        ("3c5d6h9s", "4s8c", "nothing made", "open-ended straight draw"),
        ("4d5d6d7d2c", "3cAc", "straight", NOTHING),
        ("KsQsJdTc2h", "3c4c", "nothing made", NOTHING),
        ("KsQsJdTc9h", "3c4c", "straight", NOTHING),
        ("KsKdKc2h5d", "AhQh", "ace high", NOTHING),
    ],
)
def test_players_would_say_so(board: str, hand: str, made: str, draw: str) -> None:
    found = [each[combo_number(*parse_cards(hand))] for each in hand_classes(parse_cards(board))]
    assert (MADE[found[0]], DRAWS[found[1]]) == (made, draw)


def boards(count: int, number: int) -> list[list[int]]:
    rng = np.random.default_rng(number)
    return [rng.choice(52, number, replace=False).tolist() for _ in range(count)]


@pytest.mark.parametrize("board", [board for number in (3, 4, 5) for board in boards(3, number)], ids=str)
def test_draws_are_the_next_cards_that_make_them(board: list[int]) -> None:
    made, drawn = hand_classes(board)
    rest = [card for card in range(52) if card not in board]
    for hand in np.random.default_rng(1).choice(len(COMBO_CARDS), 60, replace=False):
        held = COMBO_CARDS[hand].tolist()
        if {*held} & {*board}:
            assert made[hand] == drawn[hand] == IMPOSSIBLE
            continue
        now = category(evaluate([*held, *board]))
        if len(board) == 5 or now >= 4:
            assert DRAWS[drawn[hand]] == NOTHING
            continue
        cards = [card for card in rest if card not in held]
        flushes = [c for c in cards if is_flush([*held, *board, c]) and not is_flush([*board, c])]
        tops = {c // 4 for c in cards if straight_top([*held, *board, c]) > straight_top([*board, c])}
        names = {0: "flush draw" if flushes else None, 1: "straight" if tops else None}
        expected = "flush and straight draw" if all(names.values()) else names[0]
        expected = expected or (["gutshot", "open-ended straight draw"][len(tops) > 1] if tops else None)
        if expected is None and len(board) == 3:
            backdoor = any(is_flush([*held, *board, *pair]) for pair in product(cards, cards) if pair[0] < pair[1])
            expected = "backdoor flush draw" if backdoor else None
        assert DRAWS[drawn[hand]] == (expected or NOTHING), (board, held)


def is_flush(cards: list[int]) -> bool:
    return max(np.bincount([card % 4 for card in cards])) >= 5


def straight_top(cards: list[int]) -> int:
    ranks = {card // 4 for card in cards} | ({-1} if any(card // 4 == 12 for card in cards) else set())
    return max((top for top in range(3, 13) if {*range(top - 4, top + 1)} <= ranks), default=0)


@pytest.mark.parametrize("board", boards(4, 5), ids=str)
def test_from_a_straight_on_it_is_the_category(board: list[int]) -> None:
    made, _ = hand_classes(board)
    hands = np.flatnonzero(made != IMPOSSIBLE)
    kinds = category(evaluate(np.column_stack([COMBO_CARDS[hands], np.tile(board, (len(hands), 1))])))
    high = kinds >= 4
    assert (made[hands][high] == 8 - kinds[high]).all()
    assert (made[hands][~high] > MADE.index("straight")).all()
    pairs = made[hands] >= MADE.index("ace high")
    assert (kinds[pairs] <= category(evaluate(board))).all()  # what is nothing made is the board's alone
