"""Walks of a public tree with vectors over all private hands: an iteration of counterfactual regret minimization, the
values of a strategy, and the best response to it (Johanson et al. 2011).

The values are one player's, by hand, weighted by the probability that cards and the opponent's actions lead there
(counterfactual values). They are summed over the opponent's hands, so a player's mean winnings in a hand are the sum
over the root's values divided by the number of ways to deal both hands.

The tree is walked as a list of events, node by node with all its boards. Subgames have a walk of their own
(`subgames/walk.py`), which evaluates eight terminal nodes at a time; what both do at decisions is `solvers.cfr`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cards.text import CARDS
from ...compiled.compiler import compiled, inline, kernel
from ..cfr import (
    BEST,
    TRAIN,
    VALUE,
    action_probability,
    best_response_values,
    expected_values,
    predict_regrets,
    propagate_reach,
    regret_matching,
    update_cumulative_strategy,
    update_regrets,
)
from ..trees.walking import DECISION, FOLDED
from .game import CHANCE, PublicTree

TWO = 2


@inline
def paid(payoff, node, player):
    """What a player wins at a showdown without a low half: by the better hand, by the worse, by a tie."""
    at = node.betting
    return payoff[at, player, player], payoff[at, 1 - player, player], payoff[at, TWO, player]


@inline
def values_of_fold(cards, payoff, reach, totals, out):
    """Somebody has folded: the pay does not depend on the cards, but they cannot be in both hands. The values
    of the hands, (H,) in `out`, weighted by how likely the opponent's hands come here."""
    total = 0.0
    for h in range(reach.size):
        total += reach[h]
    if cards.shape[1] < TWO:
        for h in range(reach.size):
            out[h] = payoff * (total - reach[h])
        return
    by_card = totals[0]
    by_card[:] = 0.0
    for h in range(reach.size):
        by_card[cards[h, 0]] += reach[h]
        by_card[cards[h, 1]] += reach[h]
    for h in range(reach.size):
        out[h] = payoff * (total + reach[h] - by_card[cards[h, 0]] - by_card[cards[h, 1]])


@inline
def values_by_pairs(meeting, pairs, payoff, node, board, player, reach, out):
    """The values of an end pair by pair: with any number of hole cards and any classes of outcomes."""
    at, folded = node.betting, node.kind == FOLDED
    for h in range(reach.size):
        value = 0.0
        for other in range(reach.size):
            if folded:
                outcome = 0 if meeting[h, other] else -1
            else:
                outcome = np.int64(pairs[board, h, other] if player == 0 else pairs[board, other, h])
            if outcome >= 0:
                value += payoff[at, outcome, player] * reach[other]
        out[h] = value


@inline
def values_of_showdown(order, count, strength, cards, board, pay, reach, totals, out):
    """The values of a showdown without a low half, by a sweep over the hands from the weakest up."""
    if cards.shape[1] < TWO:
        one_card_showdown(order, count, strength, board, pay, reach, out)
    else:
        two_card_showdown(order, count, strength, cards, board, pay, reach, totals, out)


@inline
def one_card_showdown(order, count, strength, board, pay, reach, out):
    """One hole card: who holds it, the other does not."""
    won, lost, tied = pay
    total = 0.0
    for k in range(count):
        total += reach[order[board, k]]
    below, first = 0.0, 0
    while first < count:
        value, end, within = strength[board, order[board, first]], first, 0.0
        while end < count and strength[board, order[board, end]] == value:
            within += reach[order[board, end]]
            end += 1
        above = total - below - within
        for k in range(first, end):
            h = order[board, k]
            out[h] = won * below + lost * above + tied * (within - reach[h])
        below += within
        first = end


@inline
def two_card_showdown(order, count, strength, cards, board, pay, reach, totals, out):
    """Two hole cards: sums over weaker hands, less those that hold one of the hand's own cards."""
    won, lost, tied = pay
    by_card, below_by_card = totals[0], totals[1]
    totals[:] = 0.0
    total = below = 0.0
    for k in range(count):
        h = order[board, k]
        total += reach[h]
        by_card[cards[h, 0]] += reach[h]
        by_card[cards[h, 1]] += reach[h]
    first = 0
    while first < count:
        value, end = strength[board, order[board, first]], first
        while end < count and strength[board, order[board, end]] == value:
            h = order[board, end]
            out[h] = below - below_by_card[cards[h, 0]] - below_by_card[cards[h, 1]]
            end += 1
        for k in range(first, end):
            h = order[board, k]
            below += reach[h]
            below_by_card[cards[h, 0]] += reach[h]
            below_by_card[cards[h, 1]] += reach[h]
        for k in range(first, end):
            h = order[board, k]
            weaker = out[h]
            not_stronger = below + reach[h] - below_by_card[cards[h, 0]] - below_by_card[cards[h, 1]]
            met = total + reach[h] - by_card[cards[h, 0]] - by_card[cards[h, 1]]
            out[h] = won * weaker + lost * (met - not_stronger) + tied * (not_stronger - weaker)
        first = end


@inline
def keep_alike(first_same, stands_for, node, hands, weights):
    """Hands that a renaming of suits makes the same have the same weights: those of the first of them."""
    lanes = hands * node.boards
    for g in range(node.boards):
        board = node.board + g
        if first_same[board + 1] - first_same[board] > 1:
            for a in range(node.children):
                first = node.offset + a * lanes + g * hands
                for h in range(hands):
                    weights[first + h] = weights[first + stands_for[board, h]]


@inline
def deal_boards(node, hands, weight, free, reach, row, target):
    """The opponent's reach probabilities behind a chance node: those of the hands that each board leaves."""
    for g in range(node.boards):
        board, first = node.board + g, g * hands
        for h in range(hands):
            reach[target, first + h] = reach[row, h] * weight[board] if free[board, h] else 0.0


@inline
def backup_values(node, depth, player, hands, free, values, action_values, most_children):
    """Add a node's values to those of its parent, or keep them as those of an action of the player's."""
    above = depth - 1
    if node.above == CHANCE:
        for g in range(node.boards):
            for h in range(hands):
                values[above, h] += values[depth, g * hands + h] if free[node.board + g, h] else 0.0
    elif node.player_above == player:
        action = above * most_children + node.slot
        for h in range(hands * node.boards):
            action_values[action, h] = values[depth, h]
    else:
        for h in range(hands * node.boards):
            values[above, h] += values[depth, h]


@inline
def average_over_suits(first_same, same, board, depth, hands, values, scratch):
    """Boards that a renaming of suits makes the same count as one: the mean over the renamings stands for all."""
    first, last = first_same[board], first_same[board + 1]
    if last - first > 1:
        for h in range(hands):
            scratch[h] = values[depth, h]
        for h in range(hands):
            total = 0.0
            for k in range(first, last):
                total += scratch[same[k, h]]
            values[depth, h] = total / (last - first)


@compiled
def traverse(tree, player, mode, sums, factors, space):
    """One walk for a player; the root's values are values[0] of `space` afterwards.

    sums: regrets, cumulative strategy and predicted regrets, (entries,) each; the last of size 0 but in predictive
    CFR+. Without TRAIN the cumulative strategy is what is played. factors: see `Discounting.factors`. space: from
    `working_space`.
    """
    nodes, events, free, weight = tree.nodes, tree.events, tree.free, tree.weight
    first_same, same, stands_for = tree.first_same, tree.same, tree.stands_for
    order, count, strength, cards = tree.order, tree.count, tree.strength, tree.cards
    meeting, pairs, payoff = tree.meeting, tree.pairs, tree.payoff
    regrets, cumulative, predicted = sums
    positive_kept, negative_kept, strategy_kept = factors
    scale, uniform, reach, reach_row, values, action_values, scratch, totals = space
    played = cumulative if mode != TRAIN else predicted if predicted.size > 0 else regrets
    most_children = action_values.shape[0] // reach.shape[0]
    hands, opponent = tree.cards.shape[0], 1 - player
    for h in range(hands):
        reach[0, h] = 1.0
    reach_row[0] = 0
    for event in events:
        node = nodes[event if event >= 0 else -1 - event]
        depth, kind, children = np.int64(node.depth), node.kind, np.int64(node.children)
        lanes = hands * np.int64(node.boards)
        actions = depth * most_children
        if event >= 0:
            if depth > 0:
                before = reach_row[depth - 1]
                reach_row[depth] = depth
                if node.above == CHANCE:
                    deal_boards(node, hands, weight, free, reach, before, depth)
                elif node.player_above == opponent:
                    place, behind = nodes[node.parent].offset + node.slot * lanes, reach[depth]
                    propagate_reach(reach[before], played, place, scale[depth - 1], uniform[depth - 1], behind, lanes)
                    if mode == TRAIN:
                        update_cumulative_strategy(cumulative, place, behind, lanes, strategy_kept)
                else:
                    reach_row[depth] = before
            if kind == DECISION or kind == CHANCE:
                for h in range(lanes):
                    values[depth, h] = 0.0
            if kind == DECISION:
                if mode != BEST or node.player == opponent:
                    regret_matching(played, node.offset, children, lanes, lanes, scale[depth], uniform[depth])
                continue
            if kind == CHANCE:
                continue
            for g in range(node.boards):
                board, first = node.board + g, g * hands
                against = reach[reach_row[depth], first : first + hands]
                out = values[depth, first : first + hands]
                if pairs.shape[0] > 1:
                    values_by_pairs(meeting, pairs, payoff, node, board, player, against, out)
                elif kind == FOLDED:
                    values_of_fold(cards, payoff[node.betting, 0, player], against, totals, out)
                else:
                    pay = paid(payoff, node, player)
                    values_of_showdown(order, count[board], strength, cards, board, pay, against, totals, out)
        elif kind == CHANCE:
            average_over_suits(first_same, same, node.board, depth, hands, values, scratch)
        elif node.player == player:
            first, value = node.offset, values[depth]
            if mode == BEST:
                best_response_values(children, action_values, actions, value, lanes)
            else:
                expected_values(
                    played, first, children, lanes, scale[depth], uniform[depth], action_values, actions, value, lanes
                )
            if mode == TRAIN:
                update_regrets(
                    regrets, first, children, lanes, action_values, actions, value, lanes, positive_kept, negative_kept
                )
                keep_alike(first_same, stands_for, node, hands, regrets)
                if predicted.size > 0:
                    predict_regrets(regrets, predicted, first, children, lanes, action_values, actions, value, lanes)
                    keep_alike(first_same, stands_for, node, hands, predicted)
        if depth > 0:
            backup_values(node, depth, player, hands, free, values, action_values, most_children)


@inline
def working_space(lanes, depth, children, like):
    """The arrays that a walk works in, of the type of `like`: the terms of regret matching, (depth, lanes) each, the
    opponent's reach probabilities (depth, lanes) and their row at each depth, values (depth, lanes), those of actions
    (depth * children, lanes), one row, and (2, CARDS) float64 for sums by card."""
    kind = like.dtype
    scale = np.empty((depth, lanes), kind)
    uniform = np.empty((depth, lanes), kind)
    reach = np.empty((depth, lanes), kind)
    reach_row = np.zeros(depth, np.int64)
    values = np.zeros((depth, lanes), kind)  # showdowns write none for hands that the board makes impossible
    action_values = np.empty((depth * children, lanes), kind)
    totals = np.empty((2, CARDS), np.float64)
    return scale, uniform, reach, reach_row, values, action_values, np.empty(lanes, kind), totals


@kernel
def train(tree, lanes, depth, children, regrets, cumulative, predicted, factors):
    """Iterations of counterfactual regret minimization, one player after the other in each.

    regrets, cumulative: (entries,) of a floating type, changed in place; predicted: of this size for predictive CFR+,
    or of size 0. factors: (iterations, 3) float64, from `Discounting.factors`.
    """
    space = working_space(lanes, depth, children, regrets)
    kind = regrets.dtype.type
    for t in range(factors.shape[0]):
        kept = kind(factors[t, 0]), kind(factors[t, 1]), kind(factors[t, 2])
        for player in range(2):
            traverse(tree, player, TRAIN, (regrets, cumulative, predicted), kept, space)


@kernel
def value_for(tree, lanes, depth, children, strategy, player, best, out):
    """The value of each hand of a player at the root, (H,) in `out`: by the strategy, or by the best response to it of
    the other seat. strategy: (entries,) weights of actions."""
    space = working_space(lanes, depth, children, strategy)
    nothing, zero = strategy[:0], strategy.dtype.type(0)
    traverse(tree, player, BEST if best else VALUE, (nothing, strategy, nothing), (zero, zero, zero), space)
    for h in range(out.size):
        out[h] = space[4][0, h]


@kernel
def normalize_all(tree, most_lanes, weights):
    """Make all weights of actions probabilities, in place; hands that are alike on a board are played alike."""
    hands, zero = tree.cards.shape[0], weights.dtype.type(0)
    scale, uniform = np.empty(most_lanes, weights.dtype), np.empty(most_lanes, weights.dtype)
    for i in range(tree.nodes.size):
        node = tree.nodes[i]
        if node.kind == DECISION:
            lanes = hands * np.int64(node.boards)
            keep_alike(tree.first_same, tree.stands_for, node, hands, weights)
            regret_matching(weights, node.offset, np.int64(node.children), lanes, lanes, scale, uniform)
            for a in range(node.children):
                for h in range(lanes):
                    place = node.offset + a * lanes + h
                    weights[place] = action_probability(weights[place], scale[h], uniform[h], zero)


def winnings_of(tree: PublicTree, strategy: NDArray[np.floating[Any]]) -> tuple[float, float]:
    """What player 0, on the button, and player 1 win per hand, in chips, when both play the strategy.

    strategy: (tree.entries,) float32 or float64, as in `PublicTree`: weights of moves of 0 or more; where all of them
    are 0 every move is as likely.
    """
    first = _value(tree, strategy, 0, best=False)
    return first, -first if tree.is_zero_sum else _value(tree, strategy, 1, best=False)


def best_responses(tree: PublicTree, strategy: NDArray[np.floating[Any]]) -> tuple[float, float]:
    """What a best response wins per hand, in chips, as player 0 and as player 1 against the strategy."""
    return _value(tree, strategy, 0, best=True), _value(tree, strategy, 1, best=True)


def exploitability_of(tree: PublicTree, strategy: NDArray[np.floating[Any]]) -> float:
    """The mean of what both players gain by a best response, in chips per hand: NashConv / 2."""
    best = best_responses(tree, strategy)
    return (sum(best) - (0.0 if tree.is_zero_sum else sum(winnings_of(tree, strategy)))) / 2


def _value(tree: PublicTree, strategy: NDArray[np.floating[Any]], player: int, best: bool) -> float:
    out = np.empty(len(tree.hands), strategy.dtype)
    value_for(tree.arrays, tree.most_lanes, tree.most_depth, tree.most_children, strategy, player, best, out)
    return float(out.sum(dtype=np.float64)) / tree.hands.deals
