"""Kuhn's and Leduc poker as lists of deals with lossless buckets, and the plain best response in them."""

from itertools import permutations

import numpy as np

from holdem_env.compiled.compiler import kernel
from holdem_env.engine.random_numbers import hand_stream, random_below
from holdem_env.solvers.blueprints.mccfr import sweep

RANKS = 3


def kuhn_deals():
    """(D, 2, streets) buckets and (D,) outcomes."""
    pairs = list(permutations(range(RANKS), 2))
    return np.array([[[a], [b]] for a, b in pairs]), np.array([0 if a > b else 1 for a, b in pairs])


def leduc_deals():
    """As `kuhn_deals`. The buckets are the rank of the hand, then both ranks."""
    deals, outcomes = [], []
    for cards in permutations(range(2 * RANKS), 3):
        a, b, board = (card // 2 for card in cards)
        deals.append([[a, RANKS * a + board], [b, RANKS * b + board]])
        first, second = (a == board, a), (b == board, b)
        outcomes.append(2 if first == second else int(second > first))
    return np.array(deals), np.array(outcomes)


BUCKETS = {"kuhn": (RANKS,), "leduc": (RANKS, RANKS * RANKS)}
DEALS = {"kuhn": kuhn_deals, "leduc": leduc_deals}


@kernel
def train_listed(work, deals, outcomes, first, count, seed, unit_deals, totals):
    """`train_holdem` with deals (D, 2, streets) and outcomes (D,) from a list, each as likely as any other."""
    for number in range(first, first + count):
        stream = hand_stream(seed, 0, number)
        deal = random_below(stream, outcomes.size)
        weight = np.float32((number + 1) / unit_deals)
        for traverser in range(2):
            stream, visited, value = sweep(work, deals[deal], outcomes[deal], traverser, weight, stream)
            totals[0] += visited
            if traverser == 0:
                totals[1] += value


def exploitability(tree, strategy_at, deals, outcomes):
    """The mean of what best responses of both players win. strategy_at: a decision's (buckets, children)."""
    return sum(_best_value(tree, strategy_at, deals, outcomes, player) for player in (0, 1)) / 2


def _best_value(tree, strategy_at, deals, outcomes, player):
    reach = np.zeros((len(tree), len(outcomes)))
    reach[0] = 1 / len(outcomes)
    for node in range(len(tree)):
        first, street = tree.first_child[node], tree.street[node]
        for k in range(tree.children[node]):
            reach[first + k] = reach[node]
            if tree.player[node] != player:
                reach[first + k] *= strategy_at(tree.decision[node])[deals[:, 1 - player, street], k]
    values = np.zeros_like(reach)
    for node in range(len(tree) - 1, -1, -1):
        first, count = tree.first_child[node], tree.children[node]
        of_children = values[first : first + count]
        if tree.decision[node] < 0:
            values[node] = reach[node] * tree.payoff[node][outcomes, player]
        elif tree.player[node] != player:
            values[node] = of_children.sum(axis=0)
        else:
            bucket = deals[:, player, tree.street[node]]
            best = np.array([np.bincount(bucket, each) for each in of_children]).argmax(axis=0)
            values[node] = of_children[best[bucket], np.arange(len(outcomes))]
    return values[0].sum()
