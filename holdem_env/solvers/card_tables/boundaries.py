"""Where buckets begin and end: quantiles of strength, or centres of k-means over profiles, found on a sample of boards.

The sample is fixed (every so-many-th canonical board, each counted as often as it comes), and all is whole numbers: the
same boundaries everywhere. Those of the default numbers of buckets are shipped, in boundaries.npz, which
`python -m holdem_env.solvers.card_tables` makes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBOS
from ...compiled.compiler import compiled, kernel
from .features import PARTS, board_features
from .isomorphism import boards

SAMPLED = {3: 13, 4: 67}
"""By the size of the board: every so-many-th canonical board is in the sample (135 flops, 246 turns)."""
ROUNDS = 25
"""Rounds of k-means."""


def sample_features(size: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """Means (M,), profiles (M, PARTS) and weights (M,) of all hands on the sampled boards."""
    all_boards = boards(size)
    chosen = np.arange(0, len(all_boards.cards), SAMPLED[size])
    means = np.empty((len(chosen), COMBOS), np.int32)
    profiles = np.empty((len(chosen), COMBOS, PARTS), np.int32)
    for i, row in enumerate(chosen):
        board_features(all_boards.cards[row], size, means[i], profiles[i])
    possible = means >= 0
    weights = np.broadcast_to(all_boards.times[chosen][:, None], means.shape)
    return means[possible], profiles[possible], weights[possible].astype(np.int64)


def quantiles(values: NDArray[np.int32], weights: NDArray[np.int64], count: int) -> NDArray[np.int32]:
    """(count - 1,): where `count` parts of equal weight meet; a value at a boundary is above it."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    goals = below[-1] * np.arange(1, count) // count
    return np.asarray(values[order][np.searchsorted(below, goals, side="right")], np.int32)


@compiled
def nearest(profile, centres, distances):
    """The centre that is nearest to a profile, the first of several. centres: (PARTS, count); distances: (count,)."""
    distances[:] = 0
    for part in range(PARTS):
        here = profile[part]
        row = centres[part]
        for c in range(len(distances)):
            apart = row[c] - here
            distances[c] += apart * apart
    best = 0
    for c in range(1, len(distances)):
        if distances[c] < distances[best]:
            best = c
    return best


@kernel
def improve_centres(profiles, weights, centres):
    """One round of k-means: move `centres` (PARTS, count) int32 to the mean of the profiles nearest to each. Returns
    how many moved; a centre to which nothing is nearest stays."""
    count = centres.shape[1]
    distances = np.empty(count, np.int32)
    sums, totals = np.zeros((count, PARTS), np.int64), np.zeros(count, np.int64)
    for i in range(len(profiles)):
        c = nearest(profiles[i], centres, distances)
        totals[c] += weights[i]
        for part in range(PARTS):
            sums[c, part] += weights[i] * profiles[i, part]
    moved = 0
    for c in range(count):
        if totals[c] == 0:
            continue
        change = 0
        for part in range(PARTS):
            new = np.int32((2 * sums[c, part] + totals[c]) // (2 * totals[c]))
            change |= new ^ centres[part, c]
            centres[part, c] = new
        moved += change != 0
    return moved


def strength_boundaries(size: int, count: int) -> NDArray[np.int32]:
    """(count - 1,) quantiles of the mean share, in sixteenths of half a win."""
    means, _, weights = sample_features(size)
    return quantiles(means, weights, count)


def profile_centres(size: int, count: int) -> NDArray[np.int32]:
    """(PARTS, count) centres of k-means over profiles, weakest first. They begin at quantiles of strength, alternately
    among the hands that change less and more than others of their strength."""
    means, profiles, weights = sample_features(size)
    centres = first_centres(means, profiles, count)
    for _ in range(ROUNDS):
        if improve_centres(profiles, weights, centres) == 0:
            break
    order = np.argsort(centres.sum(axis=0), kind="stable")
    return np.ascontiguousarray(centres[:, order])


def first_centres(means: NDArray[np.int32], profiles: NDArray[np.int32], count: int) -> NDArray[np.int32]:
    """Profiles to begin with: the hands sorted by strength in groups, and of each group those whose spread, the last
    part of the profile less the first, is at evenly spaced ranks."""
    groups = max(round(count**0.5), 1)
    spread = profiles[:, -1] - profiles[:, 0]
    by_mean = np.array_split(np.argsort(means, kind="stable"), groups)
    numbers = [len(part) for part in np.array_split(np.arange(count), groups)]
    chosen: list[int] = []
    for group, number in zip(by_mean, numbers):
        by_spread = group[np.argsort(spread[group], kind="stable")]
        chosen.extend(by_spread[(2 * np.arange(number) + 1) * len(group) // (2 * number)])
    return np.ascontiguousarray(profiles[chosen].T)
