"""Where buckets begin and end: quantiles of strength, or centres of k-means over profiles, found on a sample of boards.

The sample is fixed: every so-many-th canonical board, each counted as often as it comes. Everything is whole numbers,
so the boundaries are the same on every machine. Those for 200 buckets are shipped in boundaries.npz, which
`python -m holdem_env.solvers.card_tables` makes; others are found when they are first needed, in a few seconds.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBOS
from ...cards.text import CARDS
from ...compiled.compiler import compiled, inline, kernel
from ...compiled.scalars import Ints, int32
from ...equities.all_hands import MAX_HALVES, PLACE, board_sums, count_sorted, sort_hands
from ...equities.holdem import DECK, RIVER
from ...utils.atomic import whole_file
from .features import PARTS, WITH_RANGE, board_features
from .isomorphism import boards
from .typical_range import count_weighted, share

SAMPLED = {3: 13, 4: 67}  # by size: every so-many-th canonical board is in the sample (135 flops, 246 turns)
ROUNDS = 25  # rounds of k-means
SHIPPED = Path(__file__).with_name("boundaries.npz")
SHIPPED_COUNT = 200
KINDS = ("strength", "potential", "ranges")
SAMPLED_RIVERS = 2000


def sample_features(size: int, columns: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """Means (M,), profiles (M, columns) and weights (M,) of all hands on the sampled boards."""
    all_boards = boards(size)
    chosen = np.arange(0, len(all_boards.cards), SAMPLED[size])
    means = np.empty((len(chosen), COMBOS), np.int32)
    profiles = np.empty((len(chosen), COMBOS, columns), np.int32)
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


@inline
def quantile_of(value: int, limits: Ints) -> int:
    """How many of the sorted limits are not above a value."""
    low, high = 0, len(limits)
    while low < high:
        middle = (low + high) >> 1
        if limits[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@inline
def strength_group(halves: int, groups: int) -> int:
    """The group of a hand on the river, by the halves, 0 to 1,980, that it wins against all others."""
    return halves * groups // (MAX_HALVES + 1)


@kernel
def river_places(board: Ints, groups: int, group: Ints, shares: Ints) -> None:
    """Of all hands on a board (5,) int64: the group of strength, into group (1326,), and the share against the typical
    range, into shares (1326,), 0 to SHARE_SCALE; -1 where a hand holds a card of the board."""
    items, spare = np.empty(COMBOS, np.int64), np.empty(COMBOS, np.int64)
    by_card, halves = np.empty(DECK, np.int64), np.empty(COMBOS, np.int64)
    won, met = np.zeros(COMBOS, np.int64), np.zeros(COMBOS, np.int64)
    code, mask = board_sums(board, RIVER)
    count = sort_hands(code, mask, items, spare)
    count_sorted(items, count, by_card, halves)
    count_weighted(items, count, by_card, won, met)
    group[:] = -1
    shares[:] = -1
    for i in range(count):
        combo = items[i] & PLACE
        group[combo] = strength_group(halves[combo], groups)
        shares[combo] = share(won[combo], met[combo])


@compiled
def nearest(profile: Ints, centres: Ints, distances: Ints) -> int:
    """The centre that is nearest to a profile, the first of several. centres: (columns, count); distances: (count,)."""
    distances[:] = 0
    for part in range(len(centres)):
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
def improve_centres(profiles: Ints, weights: Ints, centres: Ints) -> int:
    """One round of k-means: move `centres` (columns, count) int32 to the mean of the profiles nearest to each. Returns
    how many moved; a centre to which nothing is nearest stays."""
    columns, count = centres.shape
    distances = np.empty(count, np.int32)
    sums, totals = np.zeros((count, columns), np.int64), np.zeros(count, np.int64)
    for i in range(len(profiles)):
        c = nearest(profiles[i], centres, distances)
        totals[c] += weights[i]
        for part in range(columns):
            sums[c, part] += weights[i] * profiles[i, part]
    moved = 0
    for c in range(count):
        if totals[c] == 0:
            continue
        change = 0
        for part in range(columns):
            new = int32((2 * sums[c, part] + totals[c]) // (2 * totals[c]))
            change |= new ^ centres[part, c]
            centres[part, c] = new
        moved += change != 0
    return moved


def profile_centres(size: int, count: int, columns: int = PARTS) -> NDArray[np.int32]:
    """(columns, count) centres of k-means over profiles, weakest first."""
    means, profiles, weights = sample_features(size, columns)
    centres = first_centres(means, profiles, count)
    for _ in range(ROUNDS):
        if improve_centres(profiles, weights, centres) == 0:
            break
    order = np.argsort(centres[:PARTS].sum(axis=0), kind="stable")
    return np.ascontiguousarray(centres[:, order])


def first_centres(means: NDArray[np.int32], profiles: NDArray[np.int32], count: int) -> NDArray[np.int32]:
    """Profiles to begin with: the hands sorted by strength in groups, and of each group those whose spread, the last
    part of the profile less the first, is at evenly spaced ranks."""
    groups = max(round(count**0.5), 1)
    spread = profiles[:, PARTS - 1] - profiles[:, 0]
    by_mean = np.array_split(np.argsort(means, kind="stable"), groups)
    numbers = [len(part) for part in np.array_split(np.arange(count), groups)]
    chosen: list[int] = []
    for group, number in zip(by_mean, numbers):
        by_spread = group[np.argsort(spread[group], kind="stable")]
        chosen.extend(by_spread[(2 * np.arange(number) + 1) * len(group) // (2 * number)])
    return np.ascontiguousarray(profiles[chosen].T)


def strength_groups(count: int) -> tuple[int, int]:
    """How `count` buckets of the kind "ranges" are laid out on the river: groups of strength against all hands,
    each in parts by strength against the typical range. The parts are the largest divisor of the count that is
    at most the root of its half: 20 groups of 10 for 200, 10 of 5 for 50; for a prime number, groups alone."""
    parts = max(part for part in range(1, count + 1) if count % part == 0 and (part == 1 or 2 * part * part <= count))
    return count // parts, parts


def river_limits(count: int) -> NDArray[np.int32]:
    """(groups, parts - 1): where the parts of each group meet, as shares against the typical range."""
    groups, parts = strength_groups(count)
    if parts == 1:
        return np.zeros((groups, 0), np.int32)
    sampled = draw_boards(SAMPLED_RIVERS)
    group, shares = np.empty((2, len(sampled), COMBOS), np.int64)
    for i, board in enumerate(sampled):
        river_places(board, groups, group[i], shares[i])
    by_group = [shares[group == place].astype(np.int32) for place in range(groups)]
    return np.stack([quantiles(here, np.ones(len(here), np.int64), parts) for here in by_group])


def draw_boards(count: int) -> NDArray[np.int64]:
    """Boards of five cards, (count, 5): always the same ones, spread over all."""
    every = math.comb(CARDS, RIVER)
    found = np.empty((count, RIVER), np.int64)
    for i in range(count):
        left = (2 * i + 1) * every // (2 * count)
        for place in range(RIVER, 0, -1):  # the number of a set of cards, taken apart
            found[i, place - 1] = card = max(card for card in range(CARDS) if math.comb(card, place) <= left)
            left -= math.comb(card, place)
    return found


def find_limits(kind: str, size: int, count: int) -> NDArray[np.int32]:
    """Where buckets begin on boards of `size` cards, computed.

    Flop and turn: (1, count - 1) quantiles for the kind "strength", centres (PARTS, count) for "potential" and
    (WITH_RANGE, count) for "ranges". River: (groups, parts - 1), see `river_limits`, with one part but for "ranges".
    """
    if size == RIVER:
        return river_limits(count) if kind == "ranges" else np.zeros((count, 0), np.int32)
    if kind == "strength":
        means, _, weights = sample_features(size, PARTS)  # in sixteenths of half a win
        return quantiles(means, weights, count)[None]
    return profile_centres(size, count, WITH_RANGE if kind == "ranges" else PARTS)


@lru_cache(maxsize=16)
def limits_of(kind: str, size: int, count: int) -> NDArray[np.int32]:
    """The same as `find_limits`, from the shipped file where it has them."""
    if count == SHIPPED_COUNT and SHIPPED.is_file():
        with np.load(SHIPPED, allow_pickle=False) as file:
            return np.ascontiguousarray(file[f"{kind}_{size}"])
    return find_limits(kind, size, count)


def save_shipped(path: Path = SHIPPED) -> None:
    """Find the boundaries of all kinds, and write the file; the same code gives the same bytes."""
    every = product(KINDS, (*SAMPLED, RIVER))
    found = {f"{kind}_{size}": find_limits(kind, size, SHIPPED_COUNT) for kind, size in every}
    with whole_file(path) as file:
        np.savez(file, allow_pickle=False, **found)
