"""What one hand of hold'em is worth against each of the 1,326 others, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import COMBO_CARDS, COMBOS, possible_combos
from .equity import equity_batch
from .preflop_matchups import preflop_equities


def shares_against_hands(hole: NDArray[np.integer], board: NDArray[np.integer]) -> NDArray[np.float64]:
    """The share of the pot, 0..1, that a hand can expect against each of the 1,326 on a board of 0, 3, 4 or 5 cards.
    0 against hands that are impossible.

    A millisecond on the flop, less on later streets; before the flop it is looked up.
    """
    if not len(board):
        return preflop_equities(hole)
    shares = np.zeros(COMBOS)
    can_be = np.flatnonzero(possible_combos(np.concatenate([hole, board])))
    hands = COMBO_CARDS[can_be]
    pairs = np.stack([np.broadcast_to(hole, hands.shape), hands], axis=1).astype(np.int64)
    shares[can_be] = equity_batch(pairs, board.astype(np.int64))[:, 0]
    return shares
