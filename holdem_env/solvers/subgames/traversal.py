"""Walks over a subgame for one player: discounted counterfactual regret minimization, values and best responses.

Alternating: a walk for one player updates the regrets of its own action nodes and the cumulative strategy of the other
player's (`solvers.cfr`). A walk that does not train plays the average strategies, and the player it is for plays its
own, too, or the best response to the other's.

Regrets and cumulative strategy of an action node stand on each board as rows of hands, one for each action.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compiled.compiler import compiled, inline, kernel
from ..cfr.regret_matching import regret_matching
from ..cfr.updates import (
    BEST,
    TRAIN,
    best_response_values,
    expected_values,
    propagate_reach,
    update_cumulative_strategy,
    update_regrets,
)
from .boards import Level
from .segments import DECISION, Segments
from .terminals import LANES, ONE, ZERO, add_folds, add_showdowns, read_rows, sum_all, write_row

MOST_LEVELS = 3


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
    deal_probability: Any
    """(levels,) float32: of each board that a deal leads to."""
    offset: Any
    """(nodes,) int64: where the regrets of an action node begin, and its cumulative strategy."""
    width: Any
    """(2, levels) int64: places in a row of regrets."""
    is_locked: Any
    """(nodes,) bool: the player's strategy is held fixed."""


class Workspace(NamedTuple):
    """What a walk writes in passing."""

    reach: tuple[Any, ...]
    """For each level: (rows, width) float32, the opponent's reach probabilities (cfreach)."""
    value: tuple[Any, ...]
    """For each level: (rows, width) float32, counterfactual values."""
    scale: Any
    """(width,) float32: the terms of regret matching at the action node at work."""
    uniform: Any
    sums: Any
    """(53, LANES) float32."""
    all_hands: Any
    """(width, LANES): the hands that T is of; then those that B and N are of (see terminals.py)."""
    shown_hands: Any
    folds: Any
    """(width, LANES): values at a fold; then at a call."""
    calls: Any
    nowhere: Any
    """(width,) int16: `same` for hands that the other player does not have."""


class Factors(NamedTuple):
    """What regrets above 0, below 0 and the cumulative strategy are multiplied by (`Discounting.factors`)."""

    positive: Any
    negative: Any
    strategy: Any


@inline
def block_of(game, node, level, board):
    """Where the regrets of an action node on a board begin."""
    return game.offset[node] + board * game.children[node] * game.width[game.player[node], level]


@compiled
def propagate_opponent(game, work, level, board, node, played, cumulative, mode, factors):
    """An action node of the opponent's: reach probabilities behind each action, and the cumulative strategy."""
    segments, player, actions = game.segments, game.player[node], game.children[node]
    count, width = game.levels[level].count[player, board], game.width[player, level]
    first = block_of(game, node, level, board)
    rows, scale, uniform = work.reach[level], work.scale, work.uniform
    regret_matching(played, first, actions, width, count, scale, uniform)
    reach = rows[segments.reach_row[player, node]]
    first_row = segments.child_reach_row[player, game.first_child[node]]
    trains = mode == TRAIN and not game.is_locked[node]
    for a in range(actions):
        place, behind = first + a * width, rows[first_row + a]
        propagate_reach(reach, played, place, scale, uniform, behind, count)
        if trains:
            update_cumulative_strategy(cumulative, place, behind, count, factors.strategy)


@compiled
def backup_opponent(game, work, level, board, node):
    """An action node of the opponent's: the sum of its children's values. Those of terminal nodes are there already."""
    values, segments = work.value[level], game.segments
    count = game.levels[level].count[1 - game.player[node], board]
    total = values[segments.value_row[node]]
    for child in range(game.first_child[node], game.first_child[node] + game.children[node]):
        if game.deals[child] or game.kind[child] == DECISION:
            value = values[segments.child_value_row[child]]
            for i in range(count):
                total[i] += value[i]


@compiled
def backup_own(game, work, level, board, node, played, mode, factors):
    """An action node of the player's: values by its strategy or by a best response, and its regrets."""
    segments, player, actions = game.segments, game.player[node], game.children[node]
    count, width = game.levels[level].count[player, board], game.width[player, level]
    values, scale, uniform = work.value[level], work.scale, work.uniform
    value, first_value = values[segments.value_row[node]], segments.child_value_row[game.first_child[node]]
    if mode == BEST and not game.is_locked[node]:
        best_response_values(actions, values, first_value, value, count)
        return
    first = block_of(game, node, level, board)
    regret_matching(played, first, actions, width, count, scale, uniform)
    expected_values(played, first, actions, width, scale, uniform, values, first_value, value, count)
    if mode == TRAIN and not game.is_locked[node]:
        update_regrets(
            played, first, actions, width, values, first_value, value, count, factors.positive, factors.negative
        )


@compiled
def evaluate_terminals(game, work, hero, segment, level, board, is_last):
    """The values of a segment's terminal nodes, as many at a time as there are lanes."""
    segments, here = game.segments, game.levels[level]
    opponent = 1 - hero
    own_count, count = here.count[hero, board], here.count[opponent, board]
    own_cards, cards = here.cards[hero, board], here.cards[opponent, board]
    same = here.same[hero, board]
    groups = here.groups[hero, board, : here.group_count[hero, board]]
    rows, values = work.reach[level], work.value[level]
    first, end = segments.first_evaluation[hero, segment], segments.first_evaluation[hero, segment + 1]
    places = np.zeros((5, LANES), np.int64)
    factors = np.zeros((6, LANES), np.float32)
    unit = np.zeros((2, LANES), np.float32)
    unit[0] = ONE
    work.nowhere[:] = count
    for start in range(first, end, LANES):
        lanes = min(LANES, end - start)
        has_folds = False
        for k in range(LANES):
            evaluation = min(start + k, end - 1)
            for f in range(5):
                places[f, k] = segments.evaluation_rows[evaluation, f]
            for f in range(6):
                factors[f, k] = segments.evaluation_factors[evaluation, f]
            has_folds |= factors[2, k] != ZERO
        read_rows(rows, places[2], places[3], factors, count, work.all_hands)
        sum_all(work.all_hands, cards, count, work.sums)
        work.calls[:own_count] = ZERO
        add_folds(work.all_hands, work.sums, own_cards, same, own_count, factors[3], work.calls)
        if has_folds:
            work.folds[:own_count] = ZERO
            add_folds(work.all_hands, work.sums, own_cards, same, own_count, factors[2], work.folds)
        if is_last:
            read_rows(rows, places[4], places[4], unit, count, work.shown_hands)
            add_showdowns(
                work.shown_hands, work.sums, groups, own_cards, cards, same, work.nowhere, factors[4], factors[5],
                work.calls,
            )  # fmt: skip
        for k in range(lanes):
            write_row(work.calls, own_count, k, values[places[1, k]])
            if has_folds:
                write_row(work.folds, own_count, k, values[places[0, k]])


@compiled
def enter_segment(game, work, hero, segment, level, board, played, cumulative, mode, factors):
    """Begin a segment on a board: the opponent's reach probabilities, and the values of terminal nodes."""
    segments, values = game.segments, work.value[level]
    own_count = game.levels[level].count[hero, board]
    for place in range(segments.first_action_node[segment], segments.first_action_node[segment + 1]):
        node = segments.action_nodes[place]
        if game.player[node] != hero:
            values[segments.value_row[node], :own_count] = ZERO
            propagate_opponent(game, work, level, board, node, played, cumulative, mode, factors)
    evaluate_terminals(game, work, hero, segment, level, board, level == game.last)
    for place in range(segments.first_chance_node[segment], segments.first_chance_node[segment + 1]):
        values[segments.chance_value_row[place], :own_count] = ZERO


@compiled
def leave_segment(game, work, hero, segment, level, board, played, mode, factors):
    """End a segment on a board: back up values from the last action node to the first."""
    segments = game.segments
    first, end = segments.first_action_node[segment], segments.first_action_node[segment + 1]
    for place in range(end - 1, first - 1, -1):
        node = segments.action_nodes[place]
        if game.player[node] == hero:
            backup_own(game, work, level, board, node, played, mode, factors)
        else:
            backup_opponent(game, work, level, board, node)


@compiled
def deal_card(game, work, hero, segment, level, child, chance_node):
    """The opponent's reach probabilities at the roots of a segment that follows a card. chance_node: the place of the
    first that leads there."""
    segments, opponent = game.segments, 1 - hero
    below = game.levels[level + 1]
    up, count = below.up[opponent, below.first_image[child]], below.count[opponent, child]
    rows, next_rows = work.reach[level], work.reach[level + 1]
    for r in range(segments.first_root[segment + 1] - segments.first_root[segment]):
        source, target = rows[segments.chance_reach_row[opponent, chance_node + r]], next_rows[r]
        for i in range(count):
            target[i] = source[up[i]]


@compiled
def backup_card(game, work, hero, segment, level, child, chance_node):
    """Add the values of the roots of a segment to those of the chance nodes before it, for a card and those that are
    isomorphic to it. Returns how many chance nodes these are."""
    segments = game.segments
    below, probability = game.levels[level + 1], game.deal_probability[level]
    own_count = below.count[hero, child]
    values, next_values = work.value[level], work.value[level + 1]
    roots = segments.first_root[segment + 1] - segments.first_root[segment]
    for r in range(roots):
        source, target = next_values[r], values[segments.chance_value_row[chance_node + r]]
        for image in range(below.first_image[child], below.first_image[child + 1]):
            own_up = below.up[hero, image]
            for i in range(own_count):
                target[own_up[i]] += source[i] * probability
    return roots


@compiled
def traverse(game, work, hero, played, cumulative, mode, factors):
    """Walk the first segment and all that follow, on all boards. The reach of its roots is in their rows; their values
    will be. No recursion: machine code of functions that call each other in a circle cannot be kept on disk."""
    segments = game.segments
    # Of each level: the segment and its board, the next board and segment that follow, and the chance node before them.
    at = np.zeros((5, MOST_LEVELS), np.int64)
    segment_at, board_at, child_at, following_at, chance_at = at[0], at[1], at[2], at[3], at[4]
    level, enters = 0, True
    while level >= 0:
        segment, board = segment_at[level], board_at[level]
        first_chance = segments.first_chance_node[segment]
        has_chance = level < game.last and first_chance < segments.first_chance_node[segment + 1]
        if enters:
            enter_segment(game, work, hero, segment, level, board, played, cumulative, mode, factors)
            if has_chance:
                child_at[level] = game.levels[level].first_child[board]
                following_at[level], chance_at[level] = segments.first_next[segment, 0], first_chance
        else:
            chance_at[level] += backup_card(
                game, work, hero, following_at[level], level, child_at[level], chance_at[level]
            )
            following_at[level] += 1
            if following_at[level] == segments.first_next[segment, 1]:
                child_at[level] += 1
                following_at[level], chance_at[level] = segments.first_next[segment, 0], first_chance
        enters = has_chance and child_at[level] < game.levels[level].first_child[board + 1]
        if enters:
            following, child = following_at[level], child_at[level]
            deal_card(game, work, hero, following, level, child, chance_at[level])
            level += 1
            segment_at[level], board_at[level] = following, child
        else:
            leave_segment(game, work, hero, segment, level, board, played, mode, factors)
            level -= 1


@kernel
def run(game, work, ranges, regrets, cumulative, mode, factors, values):
    """TRAIN: one iteration of both players for each row of `factors`, (iterations, 3) float32.

    Otherwise: the counterfactual values of the hands on the first board, into values (2, width): both players playing
    their average strategies (VALUE), or each the best response to the other's (BEST).
    ranges (2, width): the weights of the hands on the first board.
    """
    width = ranges.shape[1]
    played = regrets if mode == TRAIN else cumulative
    for iteration in range(len(factors)):
        kept = Factors(factors[iteration, 0], factors[iteration, 1], factors[iteration, 2])
        for hero in range(2):
            work.reach[0][0, :width] = ranges[1 - hero]
            traverse(game, work, hero, played, cumulative, mode, kept)
            values[hero] = work.value[0][0, :width]
