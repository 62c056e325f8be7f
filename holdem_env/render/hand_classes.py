"""Classes of the 1,326 hands on a board, as players speak of them: what is made ("top pair"), and what is drawn to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import COMBO_CARDS, COMBOS, possible_combos
from ..cards.evaluation import category, evaluate

MADE = (
    *("straight flush", "four of a kind", "full house", "flush", "straight", "set", "trips", "two pair", "overpair"),
    *("top pair", "second pair", "low pair", "pocket pair below top", "ace high", "nothing made"),
)
"""Made hands, the best first. One that lies on the board alone does not count below a straight."""
DRAWS = (
    *("flush and straight draw", "flush draw", "open-ended straight draw", "gutshot", "backdoor flush draw"),
    "no draw",
)
"""Draws, the best first. Two gutshots at once are as good as an open-ended draw, and count as one."""
STRAIGHT, STRAIGHT_FLUSH = 4, 8
"""Categories: see `category`. From a straight on a hand is classified by all its cards."""
RANKS, SUITS, ACE = 13, 4, 12
IMPOSSIBLE = -1


def hand_classes(board: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Classify all hands on a board of three to five cards of a full deck.

    Returns:
        (1326,) indices into `MADE`, and (1326,) indices into `DRAWS`; -1 for hands that the board rules out. Hands with
        a straight or better have no draw, and on the river nobody has.
    """
    cards = np.asarray(board, np.int64)
    hands = np.flatnonzero(possible_combos(cards))
    held = COMBO_CARDS[hands]
    kinds = category(evaluate(np.column_stack([held, np.tile(cards, (len(held), 1))])))
    made = np.where(kinds >= STRAIGHT, STRAIGHT_FLUSH - kinds, _pairs(held // SUITS, cards // SUITS))
    drawn = np.where(kinds >= STRAIGHT, DRAWS.index("no draw"), _draws(held, cards))
    found = np.full((2, COMBOS), IMPOSSIBLE)
    found[:, hands] = made, drawn
    return found[0], found[1]


def _pairs(held: NDArray[np.int64], board: NDArray[np.int64]) -> NDArray[np.int64]:
    """The class of hands below a straight by what the two ranks pair. held: (n, 2) ranks."""
    on_board = np.bincount(board, minlength=RANKS)[held]  # (n, 2): cards of the same rank on the board
    ranks = np.unique(board)[::-1]
    high, low = held.max(axis=1), held.min(axis=1)
    pocket, paired = high == low, (on_board > 0).any(axis=1)
    best = np.where(on_board > 0, held, -1).max(axis=1)  # the highest rank that pairs the board
    second = ranks[min(1, len(ranks) - 1)]
    return np.select(
        [
            pocket & paired,
            ~pocket & (on_board > 1).any(axis=1),
            ~pocket & (on_board > 0).all(axis=1),
            pocket & (high > ranks[0]),
            pocket,
            paired & (best == ranks[0]),
            paired & (best == second),
            paired,
            high == ACE,
        ],
        [
            MADE.index(name)
            for name in (
                *("set", "trips", "two pair", "overpair", "pocket pair below top"),
                *("top pair", "second pair", "low pair", "ace high"),
            )
        ],
        MADE.index("nothing made"),
    )


def _draws(held: NDArray[np.int64], board: NDArray[np.int64]) -> NDArray[np.int64]:
    """The class of draws of hands below a straight. held: (n, 2) cards."""
    to_come = 5 - len(board)
    own = np.stack([(held % SUITS == suit).sum(axis=1) for suit in range(SUITS)])
    suited = np.where(own > 0, own + np.bincount(board % SUITS, minlength=SUITS)[:, None], 0).max(axis=0)
    outs = _straight_outs(held // SUITS, board // SUITS)
    flush, straight = suited == 4, outs > 0
    found = np.select(
        [flush & straight, flush, outs > 1, straight, (suited == 3) & (to_come == 2)],
        [*range(len(DRAWS) - 1)],
        DRAWS.index("no draw"),
    )
    return found if to_come else np.full(len(held), DRAWS.index("no draw"))


def _straight_outs(held: NDArray[np.int64], board: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many ranks make a straight that is higher than the board's own with that rank."""
    on_board = int(np.bitwise_or.reduce(1 << board))
    both = on_board | np.bitwise_or.reduce(1 << held, axis=1)
    ranks = 1 << np.arange(RANKS)
    makes: NDArray[np.bool_] = _straight_top(both[:, None] | ranks) > _straight_top(on_board | ranks)
    return np.asarray(makes.sum(axis=1), np.int64)


def _straight_top(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The highest rank of a straight among bits of ranks; 0 without one. The ace is low, too."""
    low_ace = ranks << 1 | ranks >> ACE & 1
    runs = low_ace & low_ace >> 1 & low_ace >> 2 & low_ace >> 3 & low_ace >> 4
    return np.where(runs > 0, np.floor(np.log2(np.maximum(runs, 1))) + 3, 0).astype(np.int64)
