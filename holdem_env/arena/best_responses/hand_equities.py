"""What one hand of hold'em is worth against each of the 1,326 others, exactly."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_CARDS, COMBO_OF, COMBOS, possible_combos
from ...cards.text import CARDS
from ...equities.equity import equity_batch

SUITS = 4
_CARD = np.arange(CARDS)
# (24, 52): what each renaming of suits makes of each card.
_RENAMED = np.array([_CARD - _CARD % SUITS + np.array(names)[_CARD % SUITS] for names in permutations(range(SUITS))])


def equities(hole: NDArray[np.integer], board: NDArray[np.integer]) -> NDArray[np.float64]:
    """The share of the pot, 0..1, that a hand can expect against each of the 1,326 on a board of 0, 3, 4 or 5 cards.
    0 against hands that are impossible.

    A millisecond on the flop, less on later streets; before the flop 60 for the first hand of each of 169 kinds.
    """
    if not len(board):
        return _before_flop(hole)
    shares = np.zeros(COMBOS)
    can_be = np.flatnonzero(possible_combos(np.concatenate([hole, board])))
    shares[can_be] = _against(hole, COMBO_CARDS[can_be], board)
    return shares


def _against(hole: NDArray[np.integer], hands: NDArray[np.int64], board: NDArray[np.integer]) -> NDArray[np.float64]:
    pairs = np.stack([np.broadcast_to(hole, hands.shape), hands], axis=1).astype(np.int64)
    return equity_batch(pairs, board.astype(np.int64))[:, 0]


def _before_flop(hole: NDArray[np.integer]) -> NDArray[np.float64]:
    """Hands that differ by a renaming of suits are one."""
    names = _RENAMED[:, hole]
    which = int(COMBO_OF[names[:, 0], names[:, 1]].argmin())
    kind = int(COMBO_OF[names[which, 0], names[which, 1]])
    renamed = _RENAMED[which][COMBO_CARDS]
    shares: NDArray[np.float64] = _kind_before_flop(kind)[COMBO_OF[renamed[:, 0], renamed[:, 1]]]
    return shares


@lru_cache(maxsize=169)
def _kind_before_flop(kind: int) -> NDArray[np.float64]:
    """One hand of a kind against all others, those counted once that are the same to it."""
    hole = COMBO_CARDS[kind]
    own = np.sort(_RENAMED[:, hole], axis=1)
    alike = _RENAMED[(own == np.sort(hole)).all(axis=1)][
        :, COMBO_CARDS
    ]  # renamings that leave the hand as it is: (R, 1326, 2)
    stands_for = COMBO_OF[alike[..., 0], alike[..., 1]].min(axis=0)
    can_be = possible_combos(hole)
    few, which = np.unique(stands_for[can_be], return_inverse=True)
    shares = np.zeros(COMBOS)
    shares[can_be] = _against(hole, COMBO_CARDS[few], np.empty(0, np.int64))[which.reshape(-1)]
    return shares
