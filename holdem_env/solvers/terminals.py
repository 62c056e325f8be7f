"""What hands win at terminal nodes, in counterfactual values.

*Sorted hands.* Terminal nodes are evaluated several at once, each in a lane of a vector, in one pass over the hands
sorted by strength (Johanson et al. 2011). What a hand h wins follows from three sums over the other player's hands that
share no card with it: of all of them (T), of the weaker ones (B), and of those that are not stronger (N). With w, l and
t chips for a win, a loss and a tie, that is l * T + (w - t) * B + (t - l) * N. The sums come out of running totals: of
all hands, and of those with each card. What has one of h's cards is taken off; h itself is taken off twice, and added
again. Nodes whose values are added up anyway, a fold and a call by the other player, are merged: their T is that of the
weighted sum of their hands.

*Pairs of hands*, where hands have another number of cards than two, or pots are split: the same sums, pair by pair, and
instead of B and N a sum for each class of outcomes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled.compiler import compiled, inline
from ..compiled.intrinsics import lane_totals
from .cfr import Rows
from .hands import Ints
from .schedule import ROWS, WEIGHTS
from .workspace import DECK, LANES, Walk


def _add_hands(sums: Rows, cards: Any, hands: Rows, first: int, end: int) -> None:
    for j in range(first, end):
        high, low = cards[0, j], cards[1, j]
        for k in range(LANES):
            x = hands[j, k]
            sums[high, k] += x
            sums[low, k] += x
            sums[DECK, k] += x


def _add_others(out: Rows, factor: Rows, sums: Rows, cards: Any, hands: Rows, same: Any, first: int, end: int) -> None:
    for i in range(first, end):
        high, low, own = cards[0, i], cards[1, i], same[i]
        for k in range(LANES):
            out[i, k] += factor[k] * (sums[DECK, k] - sums[high, k] - sums[low, k] + hands[own, k])


def _add_product(out: Rows, i: int, pay: Rows, row: int, hands: Rows, j: int) -> None:
    for k in range(LANES):
        out[i, k] += pay[row, k] * hands[j, k]


add_hands, add_others, add_product = lane_totals(LANES, DECK, _add_hands, _add_others, _add_product)


@inline
def read_rows(rows: Rows, first: Ints, second: Ints, factors: Rows, count: int, out: Rows) -> None:
    """out[i, k] = factors[0, k] * rows[first[k], i] + factors[1, k] * rows[second[k], i]; zeros behind the last."""
    for k in range(LANES):
        one, two = rows[first[k]], rows[second[k]]
        a, b = factors[0, k], factors[1, k]
        for i in range(count):
            out[i, k] = a * one[i] + b * two[i]
        out[count, k] = a - a


@inline
def write_row(lanes: Rows, count: int, lane: int, row: Rows) -> None:
    """One lane into a row."""
    for i in range(count):
        row[i] = lanes[i, lane]


# Ends: sorted hands


@inline
def add_sorted_hands(walk: Walk, board: int, factor: Rows, out: Rows) -> None:
    """out += factor * T, of `all_hands`."""
    here, work, hero = walk.game.boards, walk.work, walk.turn.hero
    sums, hands = work.sums, work.all_hands
    add_others(out, factor, sums, here.held[hero, board], hands, here.same[hero, board], 0, here.count[hero, board])


@inline
def sum_hands(walk: Walk, board: int) -> None:
    """The totals of `all_hands`."""
    here, work, opponent = walk.game.boards, walk.work, 1 - walk.turn.hero
    work.sums[:] = work.sums.dtype.type(0)
    add_hands(work.sums, here.held[opponent, board], work.all_hands, 0, here.count[opponent, board])


@compiled
def add_sorted_showdowns(walk: Walk, board: int, out: Rows) -> None:
    """out += the factor of B * B + the factor of N * N, of `shown_hands`."""
    here, work, hero = walk.game.boards, walk.work, walk.turn.hero
    own_cards, cards = here.held[hero, board], here.held[1 - hero, board]
    groups, same = here.groups[hero, board], here.same[hero, board]
    sums, hands, nowhere = work.sums, work.shown_hands, work.nowhere
    below, up_to = work.factors[WEIGHTS], work.factors[WEIGHTS + 1]
    nowhere[:] = here.count[1 - hero, board]
    sums[:] = sums.dtype.type(0)
    first, done = np.int64(0), np.int64(0)
    for g in range(here.group_count[hero, board]):
        end, weaker, no_better = np.int64(groups[g, 0]), np.int64(groups[g, 1]), np.int64(groups[g, 2])
        add_hands(sums, cards, hands, done, weaker)
        add_others(out, below, sums, own_cards, hands, nowhere, first, end)
        add_hands(sums, cards, hands, weaker, no_better)
        add_others(out, up_to, sums, own_cards, hands, same, first, end)
        first, done = end, no_better


# Ends: pairs of hands


@inline
def add_pairs(walk: Walk, board: int, hands: Rows, pay: Rows, by_class: int, out: Rows) -> None:
    """out += pay * hands for each pair of hands that may meet; pay: a row for each class of outcomes where `by_class`
    is 1, one row for all where it is 0."""
    here, hero = walk.game.boards, walk.turn.hero
    classes = here.classes[board]
    for i in range(here.count[hero, board]):
        for j in range(here.count[1 - hero, board]):
            outcome = np.int64(classes[i, j] if hero == 0 else classes[j, i])
            if outcome >= 0:
                add_product(out, i, pay, outcome * by_class, hands, j)


@inline
def evaluate_terminals(walk: Walk, segment: int, level: int, board: int) -> None:
    """The values of a segment's terminal nodes, as many at a time as there are lanes."""
    game, work, hero = walk.game, walk.work, walk.turn.hero
    segments, here = game.segments, game.boards
    is_last, are_sorted = level == game.last, here.classes.shape[0] == 0
    own_count, count = here.count[hero, board], here.count[1 - hero, board]
    rows, values = work.reach[level], work.value[level]
    first, end = segments.first_evaluation[hero, segment], segments.first_evaluation[hero, segment + 1]
    places, factors, zero = work.places, work.factors, work.factors.dtype.type(0)
    for start in range(first, end, LANES):
        lanes = min(LANES, end - start)
        has_folds = False
        for k in range(LANES):
            evaluation = min(start + k, end - 1)
            for f in range(ROWS):
                places[f, k] = segments.evaluation_rows[evaluation, f]
            for f in range(factors.shape[0]):
                factors[f, k] = segments.evaluation_factors[evaluation, f]
            has_folds |= factors[2, k] != zero
        read_rows(rows, places[2], places[3], factors, count, work.all_hands)
        work.calls[:own_count] = zero
        if has_folds:
            work.folds[:own_count] = zero
        if is_last:
            read_rows(rows, places[4], places[4], work.unit, count, work.shown_hands)
        if are_sorted:
            sum_hands(walk, board)
            add_sorted_hands(walk, board, factors[3], work.calls)
            if has_folds:
                add_sorted_hands(walk, board, factors[2], work.folds)
            if is_last:
                add_sorted_showdowns(walk, board, work.calls)
        else:
            add_pairs(walk, board, work.all_hands, factors[3:4], 0, work.calls)
            if has_folds:
                add_pairs(walk, board, work.all_hands, factors[2:3], 0, work.folds)
            if is_last:
                add_pairs(walk, board, work.shown_hands, factors[WEIGHTS:], 1, work.calls)
        for k in range(lanes):
            write_row(work.calls, own_count, k, values[places[1, k]])
            if has_folds:
                write_row(work.folds, own_count, k, values[places[0, k]])
