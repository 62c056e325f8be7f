"""What hands are worth once the board is complete: over all run-outs of a flop or a turn, all hands of it at once.

A hand's share on a board of five cards is counted in halves of wins against the 990 other hands, 0 to 1,980. Over the
run-outs these numbers have a distribution. The "mean" is its mean; the "profile" is its shape: the run-outs are put in
the order of their shares and divided into eight equal parts, and the profile has the mean share of each part. A made
hand has a flat profile, a draw a steep one. The mean squared difference of two profiles is the square of the earth
mover's distance (of second order) between the distributions, and the mean of profiles is the profile of the
distribution that lies between them. So k-means over profiles is k-means over distributions.

Everything is counted in whole numbers, so every machine gets the same result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...cards.combos import COMBOS
from ...cards.evaluator import CARD_CODE, CARD_MASK
from ...cards.text import CARDS
from ...compiled.compiler import compiled, kernel
from ...compiled.scalars import Ints, int64
from ...equities.all_hands import HAND_MASK, MAX_HALVES, PLACE, board_sums, count_sorted, sort_hands
from ...equities.holdem import TURN
from .typical_range import SHARE_SCALE, count_weighted, share

BIN = 18  # halves of wins in one bin of a distribution: the shares are distinguished to 0.009
BINS = MAX_HALVES // BIN + 1
PARTS = 8  # numbers in a profile
WITH_RANGE = PARTS + 1  # columns of profiles that end with the share against the typical range
RANGE_SCALE = 2 * MAX_HALVES  # that share counts four times as much as one part of the profile in k-means' squares
MEAN_SCALE = 16  # a mean is given in sixteenths of half a win: 0 to 31,680
LARGEST_MEAN = MAX_HALVES * MEAN_SCALE


class RunOuts(NamedTuple):
    """What is counted over the run-outs of a board, all int64 but bins."""

    sums: Ints  # (1326,): the halves of wins against all hands
    bins: Ints  # (1326, BINS) int32: how often they lie in each bin
    won: Ints  # (1326,): the weighted halves against the typical range
    met: Ints  # (1326,): the weights of its hands met


@compiled
def count_run_outs(board: Ints, size: int, counts: RunOuts, with_range: bool) -> int:
    """Count the shares of all hands over all run-outs of a board of 3 or 4 cards.

    Out: counts (RunOuts), those of the typical range only if with_range. Returns how many run-outs each hand saw.
    """
    items, spare = np.empty(COMBOS, np.int64), np.empty(COMBOS, np.int64)
    by_card, halves = np.empty(CARDS, np.int64), np.empty(COMBOS, np.int64)
    known_code, known_mask = board_sums(board, size)
    for river in range(CARDS):
        if CARD_MASK[river] & known_mask:
            continue
        first = 0 if size < TURN else river - 1
        for turn in range(first, river):
            code, mask = known_code + CARD_CODE[river], known_mask | CARD_MASK[river]
            if size < TURN:
                if CARD_MASK[turn] & known_mask:
                    continue
                code += CARD_CODE[turn]
                mask |= CARD_MASK[turn]
            count = sort_hands(code, mask, items, spare)
            count_sorted(items, count, by_card, halves)
            for i in range(count):
                combo = items[i] & PLACE
                won = halves[combo]
                counts.sums[combo] += won
                counts.bins[combo, won // BIN] += 1
            if with_range:
                count_weighted(items, count, by_card, counts.won, counts.met)
    unseen = CARDS - size - 2
    return unseen if size == TURN else unseen * (unseen - 1) // 2


@compiled
def profile_of(bins: Ints, run_outs: int, profile: Ints) -> None:
    """Divide a distribution, (BINS,) counts that add up to run_outs, into PARTS equal parts: their means (PARTS,)."""
    part, room = 0, run_outs  # each part holds run_outs / PARTS: all counts are taken PARTS times
    total = int64(0)
    for place in range(BINS):
        left = int64(bins[place]) * PARTS
        middle = min(place * BIN + BIN // 2, MAX_HALVES)
        while left > 0:
            taken = min(left, room)
            total += taken * middle
            left -= taken
            room -= taken
            if room == 0:
                profile[part] = (total + run_outs // 2) // run_outs
                part, room, total = part + 1, run_outs, int64(0)


@kernel
def board_features(board: Ints, size: int, means: Ints, profiles: Ints) -> None:
    """The features of all hands on a board of `size` (3 or 4) cards.

    Out: means (1326,) int32, in sixteenths of half a win, -1 for hands that hold a card of the board; profiles
    (1326, PARTS) int32, in halves of wins. Where profiles have WITH_RANGE columns, the last is the mean share against
    the typical range, in quarters of a win.
    """
    with_range = profiles.shape[1] == WITH_RANGE
    sums, won, met = np.zeros(COMBOS, np.int64), np.zeros(COMBOS, np.int64), np.zeros(COMBOS, np.int64)
    counts = RunOuts(sums, np.zeros((COMBOS, BINS), np.int32), won, met)
    run_outs = count_run_outs(board, size, counts, with_range)
    _, known = board_sums(board, size)
    for combo in range(COMBOS):
        if HAND_MASK[combo] & known:
            means[combo] = -1
            profiles[combo, :] = 0
            continue
        means[combo] = (sums[combo] * MEAN_SCALE + run_outs // 2) // run_outs
        profile_of(counts.bins[combo], run_outs, profiles[combo])
        if with_range:
            profiles[combo, PARTS] = share(won[combo], met[combo]) * RANGE_SCALE // SHARE_SCALE
