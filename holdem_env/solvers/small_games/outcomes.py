"""What can come of a showdown between two players: classes of outcomes, which hands come to which, and a deal for each.

In games without a low half the classes are 0, player 0's hand wins; 1, player 1's; 2, they tie. With it (R32) there
are as many for each of four: no low, and who has the better one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...game.rules import Rules
from .hands import Board, Hands

WINS, LOSES, TIES = 0, 1, 2
HIGH_CLASSES = 3
LOW_CLASSES = 4
IMPOSSIBLE = -1
Deal = tuple[NDArray[np.int64], NDArray[np.int64], Board]
"""Player 0's cards, player 1's cards, and the whole board."""


def class_count(rules: Rules) -> int:
    """How many classes of outcomes a game has."""
    return HIGH_CLASSES * (LOW_CLASSES if rules.split == "high_low" else 1)


def classes_on(hands: Hands, board: Board) -> NDArray[np.int8]:
    """(H, H) int8: the class of player 0's hand against player 1's on a whole board; IMPOSSIBLE where they cannot
    meet."""
    high, low = hands.values([board])
    classes = _compared(high[0])
    if hands.rules.split == "high_low":
        nobody = np.maximum(low[0][:, None], low[0][None, :]) == 0
        classes = classes + HIGH_CLASSES * np.where(nobody, 0, 1 + _compared(low[0]))
    free = hands.free([board])[0]
    possible = hands.meeting & free[:, None] & free[None, :]
    return np.where(possible, classes, IMPOSSIBLE).astype(np.int8)


def _compared(values: NDArray[np.int64]) -> NDArray[np.int64]:
    one, other = values[:, None], values[None, :]
    return np.where(one > other, WINS, np.where(one < other, LOSES, TIES))


def example_deals(hands: Hands) -> list[Deal | None]:
    """A deal for each class of outcomes; None for classes that cannot come up."""
    found: list[Deal | None] = [None] * class_count(hands.rules)
    for board in hands.boards[-1]:
        classes = classes_on(hands, board)
        for number, deal in enumerate(found):
            if deal is None:
                pairs = np.argwhere(classes == number)
                if len(pairs):
                    found[number] = hands.cards[pairs[0, 0]], hands.cards[pairs[0, 1]], board
        if all(deal is not None for deal in found):
            break
    return found
