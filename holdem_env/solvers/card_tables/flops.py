"""Flops that stand for all 22,100."""

from __future__ import annotations

import numpy as np

from ...cards.text import SUITS
from .isomorphism import boards

FLOP = 3
ALL_FLOPS = 1_755
"""As many differ by more than the names of suits."""


def representative_flops(count: int) -> list[tuple[tuple[int, ...], int]]:
    """Flops that stand for all others of their kind, each with how many: together 22,100.

    The 1,755 flops that differ by more than the names of suits are put in order by pairs, suits and ranks, and `count`
    of them are taken at equal distances, so that each kind has its share; of a large count some are taken twice and are
    one. Raises ValueError for a count outside 1 to 1,755, which takes them all.
    """
    all_flops = boards(FLOP)
    if not 1 <= count <= ALL_FLOPS:
        raise ValueError(f"flops: must be 1 to {ALL_FLOPS:,}, got {count}")
    if count == ALL_FLOPS:
        return [(tuple(cards.tolist()), int(times)) for cards, times in zip(*all_flops[:2], strict=True)]
    ranks = np.sort(all_flops.cards // len(SUITS), axis=1)
    suits = np.sort(all_flops.cards % len(SUITS), axis=1)
    pairs, of_suits = ((np.diff(each, axis=1) == 0).sum(axis=1) for each in (ranks, suits))
    order = np.lexsort((*ranks.T, of_suits, pairs))
    upto = np.cumsum(all_flops.times[order])
    total = int(upto[-1])
    ends = [total * (k + 1) // count for k in range(count)]
    middles = [(first + end) // 2 for first, end in zip([0, *ends], ends, strict=False)]
    weights: dict[int, int] = {}
    for first, end, middle in zip([0, *ends], ends, middles, strict=False):
        chosen = int(order[np.searchsorted(upto, middle, side="right")])
        weights[chosen] = weights.get(chosen, 0) + end - first
    return [(tuple(int(card) for card in all_flops.cards[flop]), weight) for flop, weight in weights.items()]
