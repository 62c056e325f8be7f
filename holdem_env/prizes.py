"""What finishing places and stacks are worth in a tournament: prizes by place, and the independent chip model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray


def prizes_of(places: ArrayLike, prizes: Sequence[float]) -> NDArray[np.float64]:
    """Each seat's prize by its finishing place: 1 is the winner, 0 still in, who has none. Tied places share theirs.

    places: (seats,) or (N, seats) ints. prizes: by place, best first; further places get nothing.
    """
    places = np.asarray(places)
    paid = np.zeros(places.shape[-1] + 1)
    paid[1 : len(prizes) + 1] = prizes[: places.shape[-1]]
    before = np.concatenate([[0.0], np.cumsum(paid)])
    tied = (places[..., :, None] == places[..., None, :]).sum(axis=-1)
    shares = (before[np.minimum(places + tied, len(before) - 1)] - before[places]) / tied
    return np.where(places > 0, shares, 0.0)


def icm(stacks: Sequence[int], prizes: Sequence[float]) -> list[float]:
    """What stacks are worth as parts of the prizes, by the independent chip model: who finishes first is drawn with
    the chances of the chips, then who is second among the others, and so on (Harville 1973; Malmuth 1987).

    stacks: chips, 0 for who is out. prizes: for the places that are still open, best first.
    """
    players = [seat for seat, stack in enumerate(stacks) if stack > 0]

    @cache
    def value(still: frozenset[int], place: int) -> dict[int, float]:
        """Each remaining player's prize on average, when `place` is the best place that is still open."""
        worth = dict.fromkeys(still, 0.0)
        if place >= len(prizes) or not still:
            return worth
        chips = sum(stacks[seat] for seat in still)
        for first in still:
            chance = stacks[first] / chips
            worth[first] += chance * prizes[place]
            for seat, later in value(still - {first}, place + 1).items():
                worth[seat] += chance * later
        return worth

    worth = value(frozenset(players), 0)
    return [worth.get(seat, 0.0) for seat in range(len(stacks))]
