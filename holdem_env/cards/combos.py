"""The 1,326 hands of two cards, numbered: the order of every array with an entry for each hand.

>>> COMBO_CARDS[:4].tolist()
[[1, 0], [2, 0], [2, 1], [3, 0]]
>>> int(COMBO_OF[51, 50]), int(COMBO_OF[50, 51])
(1325, 1325)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .text import CARDS

Pair = tuple[int, int]
COMBOS = CARDS * (CARDS - 1) // 2
NO_COMBO = -1


def combo_number(one: int, two: int) -> int:
    """The number, 0..1325, of two different cards in any order."""
    high, low = max(one, two), min(one, two)
    return high * (high - 1) // 2 + low


def combo_cards(combo: int) -> Pair:
    """The two cards of a combo number, the higher first."""
    high = (1 + math.isqrt(1 + 8 * combo)) // 2
    return high, combo - high * (high - 1) // 2


COMBO_CARDS: NDArray[np.int64] = np.array([combo_cards(combo) for combo in range(COMBOS)], np.int64)
"""(1326, 2): the cards of each hand, the higher number first."""
COMBO_OF: NDArray[np.int64] = np.full((CARDS, CARDS), NO_COMBO)
"""(52, 52): the number of two cards in any order; -1 for a card with itself."""
COMBO_OF[COMBO_CARDS[:, 0], COMBO_CARDS[:, 1]] = COMBO_OF[COMBO_CARDS[:, 1], COMBO_CARDS[:, 0]] = np.arange(COMBOS)
COMBO_CARDS.flags.writeable = COMBO_OF.flags.writeable = False


def possible_combos(seen: NDArray[np.integer]) -> NDArray[np.bool_]:
    """(1326,): the hands that hold none of these cards."""
    free = np.ones(CARDS, np.bool_)
    free[seen] = False
    hands = free[COMBO_CARDS]
    return hands[:, 0] & hands[:, 1]
