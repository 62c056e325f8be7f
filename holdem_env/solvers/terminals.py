"""What hands win at terminal nodes, in counterfactual values.

*Sorted hands.* Terminal nodes are evaluated several at once, each in a lane of a vector, in one pass over the hands
sorted by strength (Johanson et al. 2011). What a hand h wins follows from three sums over the other player's hands that
share no card with it: of all of them (T), of the weaker ones (B), and of those that are not stronger (N). With w, l and
t chips for a win, a loss and a tie, that is l * T + (w - t) * B + (t - l) * N. The sums come out of running totals: of
all hands, and of those with each card. What has one of h's cards is taken off; h itself is taken off twice, and added
again. Nodes whose values are added up anyway, a fold and a call by the other player, are merged: their T is that of the
weighted sum of their hands. Lanes of a hand or a card lie side by side: LANES numbers from place * LANES on.

*Pairs of hands*, where hands have another number of cards than two, or pots are split: the same sums, pair by pair, and
instead of B and N a sum for each class of outcomes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled.compiler import compiled, inline
from ..compiled.intrinsics import LANES, fill_eight, read_eight, transpose, write
from .cfr import Rows, clear
from .schedule import WEIGHTS
from .workspace import DECK, Walk

# Lanes


@inline
def read_rows(rows: Rows, first: Any, second: Any, factors: Rows, count: int, out: Rows) -> None:
    """Hand i's lane k = factors[0, k] * rows[first[k], i] + factors[1, k] * rows[second[k], i]; behind the last hand
    comes a 0."""
    for i in range(0, count, LANES):
        for k in range(LANES):
            a, b = fill_eight(factors[0, k]), fill_eight(factors[1, k])
            both = a * read_eight(rows[first[k]], i) + b * read_eight(rows[second[k]], i)
            write(out, (i + k) * LANES, both)
        transpose(out, i * LANES)
    write(out, count * LANES, fill_eight(out.dtype.type(0)))


@inline
def write_rows(lanes: Rows, width: int, rows: Rows, places: Any) -> None:
    """Lane k into the row places[k]; `lanes` is of no meaning afterwards."""
    for i in range(0, width, LANES):
        transpose(lanes, i * LANES)
        for k in range(LANES):
            write(rows[places[k]], i, read_eight(lanes, (i + k) * LANES))


# Ends: sorted hands


@inline
def add_hands(sums: Rows, cards: Any, hands: Rows, first: Any, end: Any) -> None:
    """Add hands `first` to `end` to the totals of their cards, (2, H) high and low, and to that of all."""
    total = fill_eight(sums.dtype.type(0))
    for j in range(first, end):
        hand = read_eight(hands, j * LANES)
        high, low = np.int64(cards[0, j]) * LANES, np.int64(cards[1, j]) * LANES
        total = total + hand
        write(sums, high, read_eight(sums, high) + hand)
        write(sums, low, read_eight(sums, low) + hand)
    write(sums, DECK * LANES, read_eight(sums, DECK * LANES) + total)


@inline
def add_others(out: Rows, factor: Rows, sums: Rows, cards: Any, hands: Rows, same: Any, first: Any, end: Any) -> None:
    """Add to hands `first` to `end` what the totals hold of those that share no card with them, times a factor."""
    times, total = read_eight(factor, 0), read_eight(sums, DECK * LANES)
    for i in range(first, end):
        high, low = read_eight(sums, np.int64(cards[0, i]) * LANES), read_eight(sums, np.int64(cards[1, i]) * LANES)
        others = total - high - low + read_eight(hands, np.int64(same[i]) * LANES)
        write(out, i * LANES, read_eight(out, i * LANES) + times * others)


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
def add_sorted_showdowns(walk: Walk, board: int, factors: Rows, out: Rows) -> None:
    """out += the factor of B * B + the factor of N * N, of `shown_hands`."""
    here, work, hero = walk.game.boards, walk.work, walk.turn.hero
    own_cards, cards = here.held[hero, board], here.held[1 - hero, board]
    groups, same = here.groups[hero, board], here.same[hero, board]
    sums, hands, nowhere = work.sums, work.shown_hands, work.nowhere
    below, up_to = factors[WEIGHTS], factors[WEIGHTS + 1]
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
def evaluate_pairs(walk: Walk, board: int, factors: Rows, is_last: bool, has_folds: bool) -> None:
    """Values at calls and folds: T of `all_hands`, and at showdowns what each class of outcomes pays more."""
    here, work, hero = walk.game.boards, walk.work, walk.turn.hero
    classes = here.classes[board]
    for i in range(here.count[hero, board]):
        met = paid = fill_eight(factors.dtype.type(0))
        for j in range(here.count[1 - hero, board]):
            outcome = np.int64(classes[i, j] if hero == 0 else classes[j, i])
            if outcome >= 0:
                met = met + read_eight(work.all_hands, j * LANES)
                if is_last:
                    paid = paid + read_eight(factors[WEIGHTS + outcome], 0) * read_eight(work.shown_hands, j * LANES)
        write(work.calls, i * LANES, read_eight(factors[3], 0) * met + paid)
        if has_folds:
            write(work.folds, i * LANES, read_eight(factors[2], 0) * met)


@inline
def evaluate_terminals(walk: Walk, segment: int, level: int, board: int) -> None:
    """The values of a segment's terminal nodes, a batch at a time."""
    game, work, hero = walk.game, walk.work, walk.turn.hero
    segments, here = game.segments, game.boards
    is_last, are_sorted = level == game.last, here.classes.shape[0] == 0
    count, width = here.count[1 - hero, board], game.width[hero, level]
    rows, values = work.reach[level], work.value[level]
    for batch in range(segments.first_batch[hero, segment], segments.first_batch[hero, segment + 1]):
        places, factors = segments.evaluation_rows[batch], segments.evaluation_factors[batch]
        has_folds = segments.has_folds[batch]
        read_rows(rows, places[2], places[3], factors, count, work.all_hands)
        clear(work.calls, width * LANES)
        if has_folds:
            clear(work.folds, width * LANES)
        if is_last:
            read_rows(rows, places[4], places[4], work.unit, count, work.shown_hands)
        if are_sorted:
            sum_hands(walk, board)
            add_sorted_hands(walk, board, factors[3], work.calls)
            if has_folds:
                add_sorted_hands(walk, board, factors[2], work.folds)
            if is_last:
                add_sorted_showdowns(walk, board, factors, work.calls)
        else:
            evaluate_pairs(walk, board, factors, is_last, has_folds)
        write_rows(work.calls, width, values, places[1])
        if has_folds:
            write_rows(work.folds, width, values, places[0])
