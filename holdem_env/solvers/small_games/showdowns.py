"""Values at the terminal nodes of a small game: for every hand of a player at once, against the opponent's reach
probabilities (Johanson et al. 2011)."""

from __future__ import annotations

import numpy as np

from ...cards.text import CARDS
from ...compiled.compiler import inline
from .nodes import FOLDED

TWO = 2


@inline
def paid(payoff, node, player):
    """What a player wins at a showdown without a low half: by the better hand, by the worse, by a tie."""
    at = node.betting
    return payoff[at, player, player], payoff[at, 1 - player, player], payoff[at, TWO, player]


@inline
def values_of_fold(cards, payoff, reach, out):
    """Somebody has folded: the pay does not depend on the cards, but they cannot be in both hands. The values
    of the hands, (H,) in `out`, weighted by how likely the opponent's hands come here."""
    total = 0.0
    for h in range(reach.size):
        total += reach[h]
    if cards.shape[1] < TWO:
        for h in range(reach.size):
            out[h] = payoff * (total - reach[h])
        return
    by_card = np.zeros(CARDS)
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
def values_of_showdown(order, count, strength, cards, board, pay, reach, out):
    """The values of a showdown without a low half, by a sweep over the hands from the weakest up."""
    if cards.shape[1] < TWO:
        one_card_showdown(order, count, strength, board, pay, reach, out)
    else:
        two_card_showdown(order, count, strength, cards, board, pay, reach, out)


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
def two_card_showdown(order, count, strength, cards, board, pay, reach, out):
    """Two hole cards: sums over weaker hands, less those that hold one of the hand's own cards."""
    won, lost, tied = pay
    by_card, below_by_card = np.zeros(CARDS), np.zeros(CARDS)
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
