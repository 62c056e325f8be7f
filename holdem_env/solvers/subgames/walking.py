"""Walks over a subgame: what each hand of one player is worth, and what is learned from it on the way.

Discounted counterfactual regret minimization, alternating: a walk for one player updates the regrets of its own
decisions and the averages of the other player's. A walk that learns nothing plays the averages, and the player it is
for plays them too, or the best response to them.

A decision's numbers, regrets or averages, stand on each board as rows of hands, one for each child.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compiled.compiler import compiled, inline, kernel
from .boards import Level
from .lanes import LANES, ZERO, add_folds, add_showdowns, read_rows, sum_all, write_row
from .segments import DECISION, Segments

LEARN, BEST, PLAYED = 0, 1, 2
MOST_LEVELS = 3
ONE = np.float32(1.0)


class Subgame(NamedTuple):
    """What a walk reads."""

    kind: Any
    player: Any
    first_child: Any
    children: Any
    deals: Any
    """(nodes,) bool: a card is dealt on the way to this node."""
    depth: Any
    """(nodes,) int64: streets since the root."""
    segments: Segments
    levels: tuple[Level, Level, Level]
    """As many as there may be, so that one compilation does for all: those behind `last` are not looked at."""
    last: Any
    """The level of rivers."""
    chance: Any
    """(levels,) float32: of each board that a deal leads to."""
    offset: Any
    """(nodes,) int64: where the numbers of a decision begin."""
    width: Any
    """(2, levels) int64: places in a row of the numbers."""
    is_locked: Any
    """(nodes,) bool: the player's strategy is held fixed."""


class Workplace(NamedTuple):
    """What a walk writes in passing."""

    reach: tuple[Any, ...]
    """For each level: (rows, width) float32."""
    value: tuple[Any, ...]
    sums: Any
    """(53, LANES) float32."""
    all_of: Any
    """(width, LANES): the hands that T is of; then those that B and N are of."""
    some_of: Any
    folds: Any
    """(width, LANES): what the hands win; then the same at a call."""
    calls: Any
    total: Any
    """(width,)."""
    even: Any
    nowhere: Any
    """(width,) int16: `same` for hands that the other player does not have."""


class Discounts(NamedTuple):
    """What the past still counts for."""

    positive: Any
    negative: Any
    average: Any


@inline
def share(numbers, first, children, width, count, total, even):
    """How a decision's numbers become probabilities: max(x, 0) * total[i] + even[i]."""
    for i in range(count):
        total[i] = ZERO
    for child in range(children):
        row = numbers[first + child * width : first + child * width + count]
        for i in range(count):
            total[i] += max(row[i], ZERO)
    alike = ONE / np.float32(children)
    for i in range(count):
        is_known = total[i] > ZERO
        even[i] = ZERO if is_known else alike
        total[i] = ONE / total[i] if is_known else ZERO


@inline
def place_of(game, node, level, board):
    """Where the numbers of a decision on a board begin."""
    return game.offset[node] + board * game.children[node] * game.width[game.player[node], level]


@compiled
def pass_on(game, work, level, board, node, numbers, averages, mode, discounts):
    """The other player's decision: how often its hands come to each child."""
    player, children = game.player[node], game.children[node]
    count, width = game.levels[level].count[player, board], game.width[player, level]
    first = place_of(game, node, level, board)
    total, even = work.total, work.even
    share(numbers, first, children, width, count, total, even)
    rows = work.reach[level]
    reach = rows[game.segments.reach[player, node]]
    learns = mode == LEARN and not game.is_locked[node]
    keep = discounts.average
    for child in range(children):
        below = game.first_child[node] + child
        deals = game.deals[below]
        place = game.segments.leaf_reach[player, below] if deals else game.segments.reach[player, below]
        out = rows[place]
        at = first + child * width
        row = numbers[at : at + count]
        for i in range(count):
            out[i] = reach[i] * (max(row[i], ZERO) * total[i] + even[i])
        if learns:
            average = averages[at : at + count]
            for i in range(count):
                average[i] = average[i] * keep + out[i]


@inline
def value_row(game, node):
    """The row of values of a child, in the segment of its parent."""
    return game.segments.leaf_value[node] if game.deals[node] else game.segments.value[node]


@compiled
def add_up(game, work, level, board, node, is_last):
    """The other player's decision: the children's values together. Those of ends are there already."""
    values = work.value[level]
    count = game.levels[level].count[1 - game.player[node], board]
    out = values[game.segments.value[node]]
    for below in range(game.first_child[node], game.first_child[node] + game.children[node]):
        if game.deals[below] or game.kind[below] == DECISION:
            row = values[value_row(game, below)]
            for i in range(count):
                out[i] += row[i]


@compiled
def decide(game, work, level, board, node, numbers, mode, discounts):
    """The player's own decision: what it is worth, and the regrets."""
    player, children = game.player[node], game.children[node]
    count, width = game.levels[level].count[player, board], game.width[player, level]
    first = place_of(game, node, level, board)
    values = work.value[level]
    out = values[game.segments.value[node]]
    low = game.first_child[node]
    if mode == BEST and not game.is_locked[node]:
        out[:count] = values[value_row(game, low)][:count]
        for child in range(1, children):
            row = values[value_row(game, low + child)]
            for i in range(count):
                out[i] = max(out[i], row[i])
        return
    total, even = work.total, work.even
    share(numbers, first, children, width, count, total, even)
    for i in range(count):
        out[i] = ZERO
    for child in range(children):
        worth = values[value_row(game, low + child)]
        row = numbers[first + child * width : first + child * width + count]
        for i in range(count):
            out[i] += worth[i] * (max(row[i], ZERO) * total[i] + even[i])
    if mode == LEARN and not game.is_locked[node]:
        positive, negative = discounts.positive, discounts.negative
        for child in range(children):
            worth = values[value_row(game, low + child)]
            row = numbers[first + child * width : first + child * width + count]
            for i in range(count):
                regret = row[i]
                row[i] = regret * (positive if regret > ZERO else negative) + (worth[i] - out[i])


@compiled
def settle(game, work, hero, segment, level, board, is_last):
    """What the ends of a segment are worth, as many at a time as there are lanes."""
    segments, here = game.segments, game.levels[level]
    other = 1 - hero
    own_count, count = here.count[hero, board], here.count[other, board]
    own_cards, cards = here.cards[hero, board], here.cards[other, board]
    same = here.same[hero, board]
    groups = here.groups[hero, board, : here.group_count[hero, board]]
    rows, values = work.reach[level], work.value[level]
    first, end = segments.first_job[hero, segment], segments.first_job[hero, segment + 1]
    places = np.zeros((5, LANES), np.int64)
    factors = np.zeros((6, LANES), np.float32)
    unit = np.zeros((2, LANES), np.float32)
    unit[0] = ONE
    work.nowhere[:] = count
    for start in range(first, end, LANES):
        lanes = min(LANES, end - start)
        has_folds = False
        factors[:] = ZERO
        for k in range(LANES):
            job = min(start + k, end - 1)
            for f in range(5):
                places[f, k] = segments.job_rows[job, f]
            for f in range(6):
                factors[f, k] = segments.job_factors[job, f]
            has_folds |= factors[2, k] != ZERO
        read_rows(rows, places[2], places[3], factors, count, work.all_of)
        sum_all(work.all_of, cards, count, work.sums)
        work.calls[:own_count] = ZERO
        add_folds(work.all_of, work.sums, own_cards, same, own_count, factors[3], work.calls)
        if has_folds:
            work.folds[:own_count] = ZERO
            add_folds(work.all_of, work.sums, own_cards, same, own_count, factors[2], work.folds)
        if is_last:
            read_rows(rows, places[4], places[4], unit, count, work.some_of)
            add_showdowns(
                work.some_of,
                work.sums,
                groups,
                own_cards,
                cards,
                same,
                work.nowhere,
                factors[4],
                factors[5],
                work.calls,
            )
        for k in range(lanes):
            write_row(work.calls, own_count, k, values[places[1, k]])
            if has_folds:
                write_row(work.folds, own_count, k, values[places[0, k]])


@compiled
def go_down(game, work, hero, segment, level, board, numbers, averages, mode, discounts):
    """Begin a segment on a board: how often hands come to its nodes, and what its ends are worth."""
    segments = game.segments
    own_count = game.levels[level].count[hero, board]
    for place in range(segments.first_decision[segment], segments.first_decision[segment + 1]):
        node = segments.decisions[place]
        if game.player[node] != hero:
            work.value[level][segments.value[node], :own_count] = ZERO
            pass_on(game, work, level, board, node, numbers, averages, mode, discounts)
    settle(game, work, hero, segment, level, board, level == game.last)
    for leaf in range(segments.first_leaf[segment], segments.first_leaf[segment + 1]):
        work.value[level][segments.leaf_value[segments.leaves[leaf]], :own_count] = ZERO


@compiled
def go_up(game, work, hero, segment, level, board, numbers, mode, discounts):
    """End a segment on a board: what its nodes are worth, from the last to the first."""
    segments = game.segments
    first, end = segments.first_decision[segment], segments.first_decision[segment + 1]
    for place in range(end - 1, first - 1, -1):
        node = segments.decisions[place]
        if game.player[node] == hero:
            decide(game, work, level, board, node, numbers, mode, discounts)
        else:
            add_up(game, work, level, board, node, level == game.last)


@compiled
def hand_down(game, work, hero, segment, level, child, leaf):
    """Deal a card: how often hands come to the roots of a segment that follows. leaf: where its leaves begin."""
    segments, other = game.segments, 1 - hero
    below = game.levels[level + 1]
    up, count = below.up[other, below.first_image[child]], below.count[other, child]
    rows, next_rows = work.reach[level], work.reach[level + 1]
    for r in range(segments.first_root[segment + 1] - segments.first_root[segment]):
        source, target = rows[segments.leaf_reach[other, segments.leaves[leaf + r]]], next_rows[r]
        for i in range(count):
            target[i] = source[up[i]]


@compiled
def hand_up(game, work, hero, segment, level, child, leaf):
    """Add what the roots of a segment are worth to the leaves from which a card led there, for all its images."""
    segments = game.segments
    below, chance = game.levels[level + 1], game.chance[level]
    own_count = below.count[hero, child]
    values, next_values = work.value[level], work.value[level + 1]
    roots = segments.first_root[segment + 1] - segments.first_root[segment]
    for r in range(roots):
        source, target = next_values[r], values[segments.leaf_value[segments.leaves[leaf + r]]]
        for which in range(below.first_image[child], below.first_image[child + 1]):
            own_up = below.up[hero, which]
            for i in range(own_count):
                target[own_up[i]] += source[i] * chance
    return roots


@compiled
def walk(game, work, hero, numbers, averages, mode, discounts):
    """Walk the first segment and all that follow, on all boards. The reach of its roots is in their rows; their values
    will be. No recursion: machine code of functions that call each other in a circle cannot be kept on disk."""
    segments = game.segments
    # Of each level: the segment and the board, the next board and segment that follow, the leaf that leads there.
    at = np.zeros((5, MOST_LEVELS), np.int64)
    segment_at, board_at, child_at, following_at, leaf_at = at[0], at[1], at[2], at[3], at[4]
    level, enters = 0, True
    while level >= 0:
        segment, board = segment_at[level], board_at[level]
        has_leaves = level < game.last and segments.first_leaf[segment] < segments.first_leaf[segment + 1]
        if enters:
            go_down(game, work, hero, segment, level, board, numbers, averages, mode, discounts)
            if has_leaves:
                child_at[level] = game.levels[level].first_child[board]
                following_at[level], leaf_at[level] = segments.first_next[segment, 0], segments.first_leaf[segment]
        else:
            leaf_at[level] += hand_up(game, work, hero, following_at[level], level, child_at[level], leaf_at[level])
            following_at[level] += 1
            if following_at[level] == segments.first_next[segment, 1]:
                child_at[level] += 1
                following_at[level], leaf_at[level] = segments.first_next[segment, 0], segments.first_leaf[segment]
        enters = has_leaves and child_at[level] < game.levels[level].first_child[board + 1]
        if enters:
            following, child = following_at[level], child_at[level]
            hand_down(game, work, hero, following, level, child, leaf_at[level])
            level += 1
            segment_at[level], board_at[level] = following, child
        else:
            go_up(game, work, hero, segment, level, board, numbers, mode, discounts)
            level -= 1


@kernel
def run(game, work, ranges, regrets, averages, mode, discounts, values):
    """LEARN: one iteration of both players for each row of `discounts`, (iterations, 3) float32: what positive regrets,
    negative ones and averages still count for.

    Otherwise: what each hand on the first board is worth, times the weight of the hands that it meets, into values
    (2, width): both players playing the averages (PLAYED), or each the best response to the other's (BEST).
    ranges (2, width): the weights of the hands on the first board.
    """
    width = ranges.shape[1]
    numbers = regrets if mode == LEARN else averages
    for iteration in range(len(discounts)):
        of_this = Discounts(discounts[iteration, 0], discounts[iteration, 1], discounts[iteration, 2])
        for hero in range(2):
            work.reach[0][0, :width] = ranges[1 - hero]
            walk(game, work, hero, numbers, averages, mode, of_this)
            values[hero] = work.value[0][0, :width]
