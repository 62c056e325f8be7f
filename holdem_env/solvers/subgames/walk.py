"""Walks over a subgame for one player: discounted counterfactual regret minimization, values and best responses.

Alternating: a walk for one player updates the regrets of its own action nodes and the cumulative strategy of the other
player's (`solvers.cfr`). A walk that does not train plays the average strategies, and the player it is for plays its
own, too, or the best response to the other's. Regrets and cumulative strategy of an action node stand on each board as
rows of hands, one for each action.

Terminal nodes are evaluated several at once, each in a lane of a vector, in one pass over the hands sorted by strength
(Johanson et al. 2011). What a hand h wins follows from three sums over the other player's hands that share no card with
it: of all of them (T), of the weaker ones (B), and of those that are not stronger (N). With w, l and t chips for a
win, a loss and a tie, that is l * T + (w - t) * B + (t - l) * N. The sums come out of running totals: of all hands, and
of those with each card. What has one of h's cards is taken off; h itself is taken off twice, and added again. Nodes
whose values are added up anyway, a fold and a call by the other player, are merged: their T is that of the weighted sum
of their hands.

Small games have a walk of their own (`small_games/vector_cfr.py`), for any number of hole cards and hi-lo.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compiled.compiler import compiled, inline, kernel
from ...compiled.intrinsics import lane_totals
from ..cfr import (
    BEST,
    TRAIN,
    best_response_values,
    expected_values,
    propagate_reach,
    regret_matching,
    update_cumulative_strategy,
    update_regrets,
)
from ..trees.walking import DECISION
from .game import MOST_LEVELS, Subgame
from .packing import ONE, WHOLE, ZERO, aligned_zeros, pack, unpack

LANES = 8
DECK = 52
"""The place of the total of all hands, behind those of the cards."""


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
    """(width, LANES): the hands that T is of; then those that B and N are of (see above)."""
    shown_hands: Any
    folds: Any
    """(width, LANES): values at a fold; then at a call."""
    calls: Any
    nowhere: Any
    """(width,) int16: `same` for hands that the other player does not have."""
    block: Any
    """(most numbers of an action node on a board, and one,) float32: its regrets or cumulative strategy, unpacked."""
    block_bits: Any
    """The same as int32."""
    places: Any
    """(5, LANES) int64: the rows of the evaluations at work; then their factors, (6, LANES) float32."""
    factors: Any
    unit: Any
    """(2, LANES) float32: the factors of rows that are taken as they are."""
    at: Any
    """(5, MOST_LEVELS) int64: where a walk is on each level."""


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
    and those that are not stronger. nowhere: `same` for hands that are not there."""
    sums[:] = ZERO
    first, done = np.int64(0), np.int64(0)
    for g in range(len(groups)):
        end, weaker, no_better = np.int64(groups[g, 0]), np.int64(groups[g, 1]), np.int64(groups[g, 2])
        add_hands(sums, cards, hands, done, weaker)
        add_others(out, below, sums, own_cards, hands, nowhere, first, end)
        add_hands(sums, cards, hands, weaker, no_better)
        add_others(out, up_to, sums, own_cards, hands, same, first, end)
        first, done = end, no_better


class Factors(NamedTuple):
    """What regrets above 0, below 0 and the cumulative strategy are multiplied by (`Discounting.factors`), and the
    number of the iteration."""

    positive: Any
    negative: Any
    strategy: Any
    iteration: Any


@inline
def block_of(game, node, level, board):
    """Where the regrets of an action node on a board begin."""
    return game.offset[node] + board * game.children[node] * game.width[game.player[node], level]


@compiled
def propagate_by(weights, first, actions, width, count, reach, rows, first_row, scale, uniform):
    """The reach probabilities behind each action of the opponent's, by its regrets or cumulative strategy, in the rows
    from first_row on."""
    regret_matching(weights, first, actions, width, count, scale, uniform)
    for a in range(actions):
        propagate_reach(reach, weights, first + a * width, scale, uniform, rows[first_row + a], count)


@compiled
def add_strategy(sums, first, actions, width, count, rows, first_row, kept):
    """The cumulative strategy of the opponent's action node, whose reach probabilities stand in rows."""
    for a in range(actions):
        update_cumulative_strategy(sums, first + a * width, rows[first_row + a], count, kept)


@compiled
def propagate_opponent(game, work, level, board, node, played, cumulative, mode, factors):
    """An action node of the opponent's: reach probabilities behind each action, and the cumulative strategy."""
    segments, player, actions = game.segments, game.player[node], game.children[node]
    count, width = game.levels[level].count[player, board], game.width[player, level]
    first, trains = block_of(game, node, level, board), mode == TRAIN and not game.is_locked[node]
    rows, scale, uniform = work.reach[level], work.scale, work.uniform
    reach = rows[segments.reach_row[player, node]]
    first_row = segments.child_reach_row[player, game.first_child[node]]
    if played.values.itemsize == WHOLE:
        propagate_by(played.values, first, actions, width, count, reach, rows, first_row, scale, uniform)
        if trains:
            add_strategy(cumulative.values, first, actions, width, count, rows, first_row, factors.strategy)
        return
    block, numbers = game.first_block[node] + board, work.block
    unpack(played.values, first, actions * width, ONE, numbers)  # the unit does not matter to regret matching
    propagate_by(numbers, 0, actions, width, count, reach, rows, first_row, scale, uniform)
    if trains:
        unpack(cumulative.values, first, actions * width, cumulative.unit[block], numbers)
        add_strategy(numbers, 0, actions, width, count, rows, first_row, factors.strategy)
        cumulative.unit[block] = pack(work, actions * width, cumulative.values, first, factors.iteration, block)


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
def back_up_by(weights, first, actions, width, count, values, first_value, value, scale, uniform, trains, factors):
    """The values of the player's action node by its regrets or cumulative strategy, and its regrets."""
    regret_matching(weights, first, actions, width, count, scale, uniform)
    expected_values(weights, first, actions, width, scale, uniform, values, first_value, value, count)
    if trains:
        update_regrets(
            weights, first, actions, width, values, first_value, value, count, factors.positive, factors.negative
        )


@compiled
def backup_own(game, work, level, board, node, played, mode, factors):
    """An action node of the player's: values by its strategy or by a best response, and its regrets."""
    segments, player, actions = game.segments, game.player[node], game.children[node]
    count, width = game.levels[level].count[player, board], game.width[player, level]
    values, scale, uniform = work.value[level], work.scale, work.uniform
    value, first_value = values[segments.value_row[node]], segments.child_value_row[game.first_child[node]]
    first, trains = block_of(game, node, level, board), mode == TRAIN and not game.is_locked[node]
    if mode == BEST and not game.is_locked[node]:
        best_response_values(actions, values, first_value, value, count)
    elif played.values.itemsize == WHOLE:
        back_up_by(
            played.values, first, actions, width, count, values, first_value, value, scale, uniform, trains, factors
        )
    else:
        block, numbers = game.first_block[node] + board, work.block
        unpack(played.values, first, actions * width, played.unit[block], numbers)
        back_up_by(numbers, 0, actions, width, count, values, first_value, value, scale, uniform, trains, factors)
        if trains:
            played.unit[block] = pack(work, actions * width, played.values, first, factors.iteration, block)


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
    places, factors, unit = work.places, work.factors, work.unit
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
def backup_card(game, work, hero, segment, level, child, chance_node, next_values):
    """Add the values of the roots of a segment, the first rows of `next_values`, to those of the chance nodes before
    it, for a card and those that are isomorphic to it. Returns how many chance nodes these are."""
    segments = game.segments
    below, probability = game.levels[level + 1], game.deal_probability[level]
    own_count = below.count[hero, child]
    values = work.value[level]
    roots = segments.first_root[segment + 1] - segments.first_root[segment]
    for r in range(roots):
        source, target = next_values[r], values[segments.chance_value_row[chance_node + r]]
        for image in range(below.first_image[child], below.first_image[child + 1]):
            own_up = below.up[hero, image]
            for i in range(own_count):
                target[own_up[i]] += source[i] * probability
    return roots


@compiled
def traverse(game, work, hero, base, first_segment, first_board, played, cumulative, mode, factors):
    """Walk a segment of level `base` on a board, and all that follow. The reach of its roots is in their rows; their
    values will be. No recursion: machine code of functions that call each other in a circle cannot be kept on disk."""
    segments = game.segments
    # Of each level: the segment and its board, the next board and segment that follow, and the chance node before them.
    at = work.at
    segment_at, board_at, child_at, following_at, chance_at = at[0], at[1], at[2], at[3], at[4]
    segment_at[base], board_at[base] = first_segment, first_board
    level, enters = base, True
    while level >= base:
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
                game, work, hero, following_at[level], level, child_at[level], chance_at[level], work.value[level + 1]
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


ALL, DOWN, BOARDS, UP, SEGMENT = range(5)
"""Parts of a walk: all of it, for both players and all iterations. Or, of one iteration for one player, what several
threads do: one goes down to the first deal, each walks some of its boards, one goes up again. Sums are added up in the
same order, so the numbers are the same to the last bit. Or one segment on a board, and what follows it."""
NO_BOARDS, NO_VALUES = np.zeros(0, np.int64), np.zeros((0, 0, 0), np.float32)


@kernel
def walk(game, work, ranges, regrets, cumulative, mode, factors, values, part, hero, boards, found):
    """See `run`. part: ALL, DOWN, BOARDS, UP or SEGMENT; one kernel, so that the walk is compiled once. hero: whose
    walk it is, boards: which of the first deal's; found: (boards, chance nodes, width) float32, the values of the roots
    behind it, which BOARDS writes and UP reads. None of these count for ALL. For SEGMENT, boards are its level, its
    number and its board; the reach of its root and the values of its nodes stand in `work`."""
    width, segments = ranges.shape[1], game.segments
    played = regrets if mode == TRAIN else cumulative
    first_chance, first, end = segments.first_chance_node[0], segments.first_next[0, 0], segments.first_next[0, 1]
    kept = Factors(factors[0, 0], factors[0, 1], factors[0, 2], factors[0, 3])
    if part == ALL:
        for iteration in range(len(factors)):
            kept = Factors(factors[iteration, 0], factors[iteration, 1], factors[iteration, 2], factors[iteration, 3])
            for player in range(2):
                work.reach[0][0, :width] = ranges[1 - player]
                traverse(game, work, player, 0, 0, 0, played, cumulative, mode, kept)
                values[player] = work.value[0][0, :width]
    elif part == DOWN:
        work.reach[0][0, :width] = ranges[1 - hero]
        enter_segment(game, work, hero, 0, 0, 0, played, cumulative, mode, kept)
    elif part == BOARDS:
        for board in boards:
            chance_node = first_chance
            for segment in range(first, end):
                deal_card(game, work, hero, segment, 0, board, chance_node)
                traverse(game, work, hero, 1, segment, board, played, cumulative, mode, kept)
                for r in range(segments.first_root[segment + 1] - segments.first_root[segment]):
                    found[board, chance_node - first_chance] = work.value[1][r]
                    chance_node += 1
    elif part == SEGMENT:
        traverse(game, work, hero, boards[0], boards[1], boards[2], played, cumulative, mode, kept)
    else:
        for board in range(len(found)):
            chance_node = first_chance
            for segment in range(first, end):
                below = found[board, chance_node - first_chance :]
                chance_node += backup_card(game, work, hero, segment, 0, board, chance_node, below)
        leave_segment(game, work, hero, 0, 0, 0, played, mode, kept)
        values[hero] = work.value[0][0, :width]


def run(game, work, ranges, regrets, cumulative, mode, factors, values):
    """TRAIN: one iteration of both players for each row of `factors`, (iterations, 4) float32.

    Otherwise: the counterfactual values of the hands on the first board, into values (2, width): both players playing
    their average strategies (VALUE), or each the best response to the other's (BEST).
    ranges (2, width): the weights of the hands on the first board.
    """
    walk(game, work, ranges, regrets, cumulative, mode, factors, values, ALL, 0, NO_BOARDS, NO_VALUES)


def new_workspace(game: Subgame) -> Workspace:
    """Room for a walk."""
    widths = [level.combo.shape[2] for level in game.levels]
    rows = np.ones((MOST_LEVELS, 2), np.int64)
    rows[: game.last + 1] = game.segments.row_counts
    most = max(widths)
    block = aligned_zeros(most * max(int(game.children.max()), 1) + 1, np.float32)
    return Workspace(
        tuple(aligned_zeros((rows[level, 0], width), np.float32) for level, width in enumerate(widths)),
        tuple(aligned_zeros((rows[level, 1], width), np.float32) for level, width in enumerate(widths)),
        aligned_zeros(most, np.float32),
        aligned_zeros(most, np.float32),
        aligned_zeros((DECK + 1, LANES), np.float32),
        aligned_zeros((most, LANES), np.float32),
        aligned_zeros((most, LANES), np.float32),
        aligned_zeros((most, LANES), np.float32),
        aligned_zeros((most, LANES), np.float32),
        aligned_zeros(most, np.int16),
        block,
        block.view(np.int32),
        np.zeros((5, LANES), np.int64),
        aligned_zeros((6, LANES), np.float32),
        np.repeat(np.array([ONE, ZERO]), LANES).reshape(2, LANES),
        np.zeros((5, MOST_LEVELS), np.int64),
    )
