"""Sweeps over a public tree with vectors over all private hands: an iteration of counterfactual regret minimisation,
the value of a strategy, and the best response to it.

The values are those of one player, by hand, weighted by the chance that cards and the opponent's moves lead there
(counterfactual values). They are summed over the opponent's hands, so a player's mean winnings in a hand are the sum
over the root's values divided by the number of ways to deal both hands.
"""

from __future__ import annotations

import numpy as np

from ...compiled.compiler import compiled, inline, kernel
from .nodes import CHANCE, DECISION, FOLDED
from .showdowns import paid, values_by_pairs, values_of_fold, values_of_showdown

TRAIN, BEST, VALUE = 0, 1, 2
"""What a sweep does at the player's own decisions: improve the strategy by its regrets, take the best move for each
hand, or play the strategy."""


@inline
def match_regrets(regrets, first, children, hands, predicted, chances, depth, total):
    """The moves in proportion to their regrets above 0, all alike where there are none; into chances[depth]. total: an
    array to work in, (H,)."""
    predicts = predicted.size > 0
    for h in range(hands):
        total[h] = 0.0
    for k in range(children):
        start = first + k * hands
        for h in range(hands):
            regret = regrets[start + h] + predicted[start + h] if predicts else regrets[start + h]
            regret = max(regret, 0.0)
            chances[depth, k, h] = regret
            total[h] += regret
    share_out(children, hands, chances, depth, total)


@inline
def normalise(weights, first, children, hands, chances, depth, total):
    """The moves in proportion to their weights, all alike where there are none; into chances[depth]."""
    for h in range(hands):
        total[h] = 0.0
    for k in range(children):
        start = first + k * hands
        for h in range(hands):
            chances[depth, k, h] = weights[start + h]
            total[h] += weights[start + h]
    share_out(children, hands, chances, depth, total)


@inline
def share_out(children, hands, chances, depth, total):
    """Divide by the total; where it is 0 all moves are alike."""
    even = 1.0 / children
    for h in range(hands):
        total[h] = 1.0 / total[h] if total[h] > 0.0 else 0.0
    for k in range(children):
        for h in range(hands):
            chances[depth, k, h] = chances[depth, k, h] * total[h] if total[h] > 0.0 else even


@inline
def play_alike(first_same, stands_for, node, hands, chances, depth):
    """Hands that a renaming of suits makes the same are played as the first of them."""
    for g in range(node.boards):
        board, first = node.board + g, g * hands
        if first_same[board + 1] - first_same[board] > 1:
            for k in range(node.children):
                for h in range(hands):
                    chances[depth, k, first + h] = chances[depth, k, first + stands_for[board, h]]


@inline
def arrive(node, depth, player, mode, hands, weight, free, chances, reach, row):
    """How likely either player's hands come to a node, from its parent's. row: where each depth's reaches lie."""
    other, before = 1 - player, depth - 1
    row[player, depth], row[other, depth] = row[player, before], row[other, before]
    if node.above == CHANCE:
        old, mine = row[other, before], row[player, before]
        for g in range(node.boards):
            board, first = node.board + g, g * hands
            for h in range(hands):
                possible = free[board, h]
                reach[other, depth, first + h] = reach[other, old, h] * weight[board] if possible else 0.0
                reach[player, depth, first + h] = reach[player, mine, h] if possible else 0.0
        row[other, depth] = row[player, depth] = depth
        return
    actor = node.player_above
    if actor == other or (mode == TRAIN and node.children > 0):
        old, slot = row[actor, before], node.slot
        for h in range(hands * node.boards):
            reach[actor, depth, h] = reach[actor, old, h] * chances[before, slot, h]
        row[actor, depth] = depth


@inline
def pass_up(node, depth, player, hands, free, values, of_moves):
    """Hand a node's values over to its parent."""
    above = depth - 1
    if node.above == CHANCE:
        for g in range(node.boards):
            for h in range(hands):
                values[above, h] += values[depth, g * hands + h] if free[node.board + g, h] else 0.0
    elif node.player_above == player:
        slot = node.slot
        for h in range(hands * node.boards):
            of_moves[above, slot, h] = values[depth, h]
    else:
        for h in range(hands * node.boards):
            values[above, h] += values[depth, h]


@inline
def spread_alike(first_same, same, board, depth, hands, values, spare):
    """Boards that a renaming of suits makes the same count as one: the mean over the renamings stands for all."""
    first, last = first_same[board], first_same[board + 1]
    if last - first > 1:
        for h in range(hands):
            spare[h] = values[depth, h]
        for h in range(hands):
            total = 0.0
            for k in range(first, last):
                total += spare[same[k, h]]
            values[depth, h] = total / (last - first)


@inline
def own_values(children, mode, depth, hands, chances, of_moves, values):
    """What a decision of the player is worth: by the strategy's moves, or by the best for each hand."""
    for h in range(hands):
        values[depth, h] = of_moves[depth, 0, h] if mode == BEST else chances[depth, 0, h] * of_moves[depth, 0, h]
    for k in range(1, children):
        for h in range(hands):
            worth = of_moves[depth, k, h]
            if mode == BEST:
                values[depth, h] = max(values[depth, h], worth)
            else:
                values[depth, h] += chances[depth, k, h] * worth


@inline
def learn(learnt, first, children, place, hands, space, step):
    """Add regrets and the strategy of this iteration. place: the player, the depth, and where the player's reach lies.
    step: what regrets above and below 0 are multiplied with afterwards, and the iteration's weight in the average."""
    regrets, averages, predicted = learnt
    chances, reach, _, values, of_moves, _ = space
    player, depth, row = place
    above, below, weight = step
    predicts = predicted.size > 0
    for k in range(children):
        start = first + k * hands
        for h in range(hands):
            more = of_moves[depth, k, h] - values[depth, h]
            regret = regrets[start + h] + more
            regrets[start + h] = regret * above if regret > 0.0 else regret * below
            averages[start + h] += weight * reach[player, row, h] * chances[depth, k, h]
            if predicts:
                predicted[start + h] = more


@compiled
def sweep(tree, player, mode, regrets, averages, predicted, step, space):
    """One sweep for a player; space: from `working_space`. The root's values are values[0] of it afterwards. step: see
    `learn`."""
    # Fields of a tuple that are read in a loop are counted references each time, so they are read once.
    nodes, events, free = tree.nodes, tree.events, tree.free
    first_same, same, stands_for = tree.first_same, tree.same, tree.stands_for
    order, count, strength, cards = tree.order, tree.count, tree.strength, tree.cards
    meeting, pairs, payoff = tree.meeting, tree.pairs, tree.payoff
    weight = tree.weight
    chances, reach, row, values, of_moves, spare = space
    hands, other = tree.cards.shape[0], 1 - player
    for h in range(hands):
        reach[0, 0, h] = reach[1, 0, h] = 1.0
    row[0, 0] = row[1, 0] = 0
    for event in events:
        node = nodes[event if event >= 0 else -1 - event]
        depth, kind, children = np.int64(node.depth), node.kind, np.int64(node.children)
        lanes = hands * np.int64(node.boards)
        if event >= 0:
            if depth > 0:
                arrive(node, depth, player, mode, hands, weight, free, chances, reach, row)
            if kind == DECISION or kind == CHANCE:
                for h in range(lanes):
                    values[depth, h] = 0.0
            if kind == DECISION:
                if mode == TRAIN:
                    match_regrets(regrets, node.offset, children, lanes, predicted, chances, depth, spare)
                elif mode == VALUE or node.player == other:
                    normalise(averages, node.offset, children, lanes, chances, depth, spare)
                play_alike(first_same, stands_for, node, hands, chances, depth)
                continue
            if kind == CHANCE:
                continue
            for g in range(node.boards):
                board, first = node.board + g, g * hands
                against = reach[other, row[other, depth], first : first + hands]
                out = values[depth, first : first + hands]
                if pairs.shape[0] > 1:
                    values_by_pairs(meeting, pairs, payoff, node, board, player, against, out)
                elif kind == FOLDED:
                    values_of_fold(cards, payoff[node.betting, 0, player], against, out)
                else:
                    pay = paid(payoff, node, player)
                    values_of_showdown(order, count[board], strength, cards, board, pay, against, out)
        elif kind == CHANCE:
            spread_alike(first_same, same, node.board, depth, hands, values, spare)
        elif node.player == player:
            own_values(children, mode, depth, lanes, chances, of_moves, values)
            if mode == TRAIN:
                place = player, depth, row[player, depth]
                learn((regrets, averages, predicted), node.offset, children, place, lanes, space, step)
        if depth > 0:
            pass_up(node, depth, player, hands, free, values, of_moves)


@inline
def working_space(lanes, depth, children, like):
    """The arrays that a sweep works in, of the type of `like`."""
    kind = like.dtype
    chances = np.empty((depth, children, lanes), kind)
    reach = np.empty((2, depth, lanes), kind)
    row = np.zeros((2, depth), np.int64)
    values = np.empty((depth, lanes), kind)
    of_moves = np.empty((depth, children, lanes), kind)
    return chances, reach, row, values, of_moves, np.empty(lanes, kind)


@kernel
def train(tree, lanes, depth, children, regrets, averages, predicted, steps):
    """Iterations of counterfactual regret minimisation, one player after the other in each.

    regrets, averages: (entries,) of a floating type, changed in place; predicted: of this size for predictive CFR+, or
    of size 0. steps: (iterations, 3) float64, see `learn`.
    """
    space = working_space(lanes, depth, children, regrets)
    for t in range(steps.shape[0]):
        step = steps[t, 0], steps[t, 1], steps[t, 2]
        for player in range(2):
            sweep(tree, player, TRAIN, regrets, averages, predicted, step, space)


@kernel
def value_for(tree, lanes, depth, children, strategy, player, best, out):
    """What each hand of a player is worth at the root, (H,) in `out`: by the strategy, or by the best response to it of
    the other seat. strategy: (entries,) weights of moves."""
    space = working_space(lanes, depth, children, strategy)
    nothing = strategy[:0]
    sweep(tree, player, BEST if best else VALUE, nothing, strategy, nothing, (0.0, 0.0, 0.0), space)
    for h in range(out.size):
        out[h] = space[3][0, h]


@kernel
def normalise_all(tree, most_lanes, children, weights):
    """Make all weights of moves probabilities, in place; hands that are alike on a board are played alike."""
    hands = tree.cards.shape[0]
    chances, total = np.empty((1, children, most_lanes), weights.dtype), np.empty(most_lanes, weights.dtype)
    for i in range(tree.nodes.size):
        node = tree.nodes[i]
        if node.kind == DECISION:
            lanes = hands * np.int64(node.boards)
            count = np.int64(node.children)
            normalise(weights, node.offset, count, lanes, chances, 0, total)
            play_alike(tree.first_same, tree.stands_for, node, hands, chances, 0)
            for k in range(count):
                for h in range(lanes):
                    weights[node.offset + k * lanes + h] = chances[0, k, h]
