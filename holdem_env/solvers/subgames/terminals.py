"""Values at the terminal nodes of a subgame: several nodes at once, each in a lane of a vector, in one pass over the
hands sorted by strength (Johanson et al. 2011).

What a hand h wins at a terminal node follows from three sums over the other player's hands that share no card with it:
of all of them (T), of those that are weaker (B), and of those that are no stronger (N). With w, l and t chips for a
win, a loss and a tie, that is l * T + (w - t) * B + (t - l) * N. The sums come out of running totals: of all hands, and
of those with each card. What has one of h's cards is taken off; h itself is taken off twice, and added again.

Terminal nodes whose values are added up anyway, a fold and a call by the other player, are merged: their T is that of
the weighted sum of their hands.

Small games have other terminal values (`small_games/showdowns.py`), for any number of hole cards and hi-lo, one node at
a time.
"""

from __future__ import annotations

import numpy as np

from ...compiled.compiler import compiled
from ...compiled.intrinsics import lane_totals

LANES = 8
DECK = 52
"""The place of the total of all hands, behind those of the cards."""
ZERO, ONE = np.float32(0.0), np.float32(1.0)


def _add_hands(sums, cards, hands, first, end):
    for j in range(first, end):
        high, low = cards[0, j], cards[1, j]
        for k in range(LANES):
            x = hands[j, k]
            sums[high, k] += x
            sums[low, k] += x
            sums[DECK, k] += x


def _add_others(out, factor, sums, cards, hands, same, first, end):
    for i in range(first, end):
        high, low, own = cards[0, i], cards[1, i], same[i]
        for k in range(LANES):
            out[i, k] += factor[k] * (sums[DECK, k] - sums[high, k] - sums[low, k] + hands[own, k])


add_hands, add_others = lane_totals(LANES, DECK, _add_hands, _add_others)


@compiled
def read_rows(rows, first, second, factors, count, out):
    """out[i, k] = factors[0, k] * rows[first[k], i] + factors[1, k] * rows[second[k], i]; zeros behind the last."""
    for k in range(LANES):
        one, two = rows[first[k]], rows[second[k]]
        a, b = factors[0, k], factors[1, k]
        for i in range(count):
            out[i, k] = a * one[i] + b * two[i]
        out[count, k] = ZERO


@compiled
def write_row(lanes, count, lane, row):
    """One lane into a row."""
    for i in range(count):
        row[i] = lanes[i, lane]


@compiled
def sum_all(hands, cards, count, sums):
    """The totals of all hands."""
    sums[:] = ZERO
    add_hands(sums, cards, hands, 0, count)


@compiled
def add_folds(hands, sums, cards, same, count, factor, out):
    """out += factor * T."""
    add_others(out, factor, sums, cards, hands, same, 0, count)


@compiled
def add_showdowns(hands, sums, groups, own_cards, cards, same, nowhere, below, up_to, out):
    """out += below * B + up_to * N. groups (G, 3): own hands of equal value end there, weaker ones of the other player,
    and those that are no stronger. nowhere: `same` for hands that are not there."""
    sums[:] = ZERO
    first, done = np.int64(0), np.int64(0)
    for g in range(len(groups)):
        end, weaker, no_better = np.int64(groups[g, 0]), np.int64(groups[g, 1]), np.int64(groups[g, 2])
        add_hands(sums, cards, hands, done, weaker)
        add_others(out, below, sums, own_cards, hands, nowhere, first, end)
        add_hands(sums, cards, hands, weaker, no_better)
        add_others(out, up_to, sums, own_cards, hands, same, first, end)
        first, done = end, no_better
