"""What a value network sees of a state: both ranges and their equities by buckets of hands, and how deep stacks are.

The network says how much more, or less, of the pot a hand wins than its equity, so that it has to learn only what the
bets to come are worth.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..card_tables import CardAbstraction
from .pairs import Pairs

Floats = NDArray[np.float32]
PLAYERS = 2
EVEN = 0.5
DEPTHS = 3
TINY, ONE = np.float32(1e-12), np.float32(1)


class Buckets(NamedTuple):
    """The buckets of the hands of a board. number: (N,) int64, of each hand. of: (N, K) float32, 1 for it. hands:
    (K,), in each."""

    number: NDArray[np.int64]
    of: Floats
    hands: Floats

    @classmethod
    def on(cls, cards: CardAbstraction, board: Any, pairs: Pairs) -> Buckets:
        """Those of a flop or a turn."""
        street = len(board) - 2
        numbers = cards.buckets(street, board)[pairs.combos].astype(np.int64)
        of = np.zeros((len(numbers), int(cards.bucket_counts[street])), np.float32)
        of[np.arange(len(numbers)), numbers] = 1.0
        return cls(numbers, of, of.sum(axis=0))

    def mean(self, values: Floats) -> Floats:
        """(..., K): the mean of the hands of each bucket; 0 where there are none. values: (..., N)."""
        return np.asarray(self.sum(values) / np.maximum(self.hands, ONE), np.float32)

    def sum(self, values: Floats) -> Floats:
        """(..., K): the sum of the hands of each bucket. values: (..., N)."""
        found: Floats = values.reshape(-1, len(self.of)) @ self.of
        return found.reshape(*values.shape[:-1], len(self.hands))


class Seen(NamedTuple):
    """States as a network sees them, L of them.

    weight: (L, 2, K) float32, how likely each player's hand is in each bucket when both are dealt together; sums to 1.
    equity: (L, 2, K) float32, the mean share of the pot of the bucket's hands against the other player's; 0 in empty
    ones. hands: (K,) or (L, K), in each bucket. depth: (L,) what both can still bet, in pots.
    """

    weight: Floats
    equity: Floats
    hands: Floats
    depth: Floats


def seen_of(weights: Floats, met: Floats, shares: Floats, buckets: Buckets, depth: Floats) -> Seen:
    """What a network sees of states. weights: (L, 2, N), of both players' hands. met: (L, 2, N), of the other player's
    hands that each hand meets. shares: (L, 2, N), of the pot against them."""
    together = weights * met
    total = np.maximum(together.sum(axis=-1, keepdims=True), TINY)
    return Seen(buckets.sum(together / total), buckets.mean(shares), buckets.hands, np.asarray(depth, np.float32))


def features(seen: Seen) -> Floats:
    """(L, 5 K + 3) float32: the network's inputs."""
    lines, _, width = seen.weight.shape
    hands = np.broadcast_to(seen.hands, (lines, width))
    share = hands / np.maximum(hands.sum(axis=-1, keepdims=True), 1.0)
    depth = seen.depth[:, None]
    depths = np.concatenate((depth / (1 + depth), np.log1p(depth), np.exp(-depth)), axis=1)
    inputs = (seen.weight * width, seen.equity - EVEN * (hands > 0)[:, None])
    flat = [each.reshape(lines, PLAYERS * width) for each in inputs]
    return np.concatenate((*flat, share * width, depths), axis=1, dtype=np.float32)


def inputs_of(buckets: int) -> int:
    """How many inputs there are."""
    return (2 * PLAYERS + 1) * buckets + DEPTHS
