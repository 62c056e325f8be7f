"""Equities of every pair of hands on a flop or a turn: the shares of the pot if nobody bets any more."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_CARDS, possible_combos
from ...cards.text import CARDS
from ...compiled.compiler import kernel
from ...equities.all_hands import value_hands

Floats = NDArray[np.float32]
RIVER_CARDS = 5
RUN_OUTS = 240  # of a flop's 1,176 run-outs those that count for search: drawn once for each board, from its cards


class Pairs(NamedTuple):
    """The hands that a board leaves, N of them, and what they win from each other.

    combos: (N,) int64, their numbers. share: (N, N) float32, of the pot, of the first hand against the second; 0 where
    they share a card. held: (N, 52) float32, 1 for the cards of each hand.
    """

    combos: NDArray[np.int64]
    share: Floats
    held: Floats

    def met(self, weights: Floats) -> Floats:
        """(..., N): the weight of hands that share no card with each hand. weights: (..., N), of the others."""
        rows = weights.reshape(-1, len(self.combos))  # one product of matrices, not one for each state
        found: Floats = rows.sum(axis=1, keepdims=True) - (rows @ self.held) @ self.held.T + rows
        return np.maximum(found, 0.0).reshape(weights.shape)

    def won(self, weights: Floats) -> Floats:
        """(..., N): what each hand wins from all others together, in pots times weight."""
        return np.asarray(weights.reshape(-1, len(self.combos)) @ self.share.T).reshape(weights.shape)


@lru_cache(maxsize=8)  # some 6 MB each; both players search the same boards
def pairs_of(board: tuple[int, ...], most: int = RUN_OUTS) -> Pairs:
    """The pairs on a board of three cards or more. A turn takes some 15 ms, a flop 100. most: see `run_outs`."""
    cards = np.array(board, np.int64)
    boards = run_outs(cards, most)
    values = np.empty((len(boards), len(COMBO_CARDS)), np.int64)
    value_hands(boards, values)
    combos = np.flatnonzero(possible_combos(cards))
    ranks = np.ascontiguousarray(values[:, combos].astype(np.int16))
    alive = np.ascontiguousarray((ranks > 0).astype(np.int16))
    wins = np.zeros((len(combos), len(combos)), np.int16)
    count_wins(ranks, alive, wins)
    together = alive.astype(np.float32)
    seen = together.T @ together
    held = np.zeros((len(combos), CARDS), np.float32)
    held[np.arange(len(combos))[:, None], COMBO_CARDS[combos]] = 1.0
    seen[held @ held.T > 0] = 0.0
    share = np.divide(wins, 2 * seen, out=np.zeros_like(seen), where=seen > 0) + np.float32(0.5)
    share[seen == 0] = 0.0
    return Pairs(combos, share, held)


def run_outs(cards: NDArray[np.int64], most: int = RUN_OUTS) -> NDArray[np.int64]:
    """(R, 5): boards that may follow: all of them, or `most` drawn from them, as from a flop's 1,176."""
    left = [card for card in range(CARDS) if card not in set(cards.tolist())]
    following = np.array(list(combinations(left, RIVER_CARDS - len(cards))), np.int64)
    if len(following) > most:
        random = np.random.default_rng(sorted(cards.tolist()))
        following = following[random.permutation(len(following))[:most]]
    return np.column_stack((np.tile(cards, (len(following), 1)), following))


@kernel
def count_wins(ranks: Any, alive: Any, wins: Any) -> None:
    """Add up over boards how often each hand beats another, less how often it loses. ranks: (R, N) int16, higher is
    better. alive: (R, N) int16, 1 for hands that hold no card of the board. wins: (N, N) int16, written."""
    for i in range(ranks.shape[1]):
        row = wins[i]
        for r in range(len(ranks)):
            if alive[r, i]:
                own, others, there = ranks[r, i], ranks[r], alive[r]
                for j in range(ranks.shape[1]):
                    row[j] += there[j] * (np.int16(own > others[j]) - np.int16(own < others[j]))
