"""The canonical order of suits: sorted by the cards in them, so that the names of the suits do not matter."""

from __future__ import annotations

import numpy as np

from holdem_env.cards.evaluator_tables import RANKS, SUITS
from holdem_env.compiled.compiler import kernel

__all__ = ["RANKS", "SUITS", "sort_suits"]


@kernel
def sort_suits(observations, places):
    """Sort the suits of observations, (B, D) float32, in place.

    places: (S,) int64, the index in a row where each set of 52 cards begins, numbered 4 * rank + suit. The key of a
    suit says exactly which of its cards are in which set, for up to four sets; suits with equal keys are equal.
    """
    keys, order, cards = np.empty(SUITS), np.empty(SUITS, np.int64), np.empty(SUITS, np.float32)
    for row in range(observations.shape[0]):
        keys[:] = 0.0
        for place in places:
            for suit in range(SUITS):
                held = 0.0
                for rank in range(RANKS):
                    held += observations[row, place + SUITS * rank + suit] * (1 << rank)
                keys[suit] = keys[suit] * (1 << RANKS) + held
        for suit in range(SUITS):  # insertion sort, the largest key first
            at = suit
            while at > 0 and keys[order[at - 1]] < keys[suit]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = suit
        if order[0] == 0 and order[1] == 1 and order[2] == 2:
            continue
        for place in places:
            for rank in range(RANKS):
                first = place + SUITS * rank
                for suit in range(SUITS):
                    cards[suit] = observations[row, first + order[suit]]
                for suit in range(SUITS):
                    observations[row, first + suit] = cards[suit]
