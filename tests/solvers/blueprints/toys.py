"""Strategies for tests: made in no time, and known."""

from __future__ import annotations

import numpy as np

from holdem_env import Rules
from holdem_env.solvers.blueprints.strategy import Strategy, decision_rows, entries_of
from holdem_env.solvers.trees.bet_sizes import BetSizes
from holdem_env.solvers.trees.betting_tree import BettingTree
from holdem_env.solvers.trees.walking import DECISION

RULES = Rules.preset("heads-up-no-limit")
SIZES = "50%, 100%, all-in | 100%, all-in | all-in"
CARDS = {"kind": "strength", "flop": 6, "turn": 6, "river": 6}
BUCKETS = (169, 6, 6, 6)


def toy_strategy(rules=RULES, sizes=SIZES, level=None):
    """level: called with (tree, node, buckets), gives (buckets, children) levels; by default random ones."""
    parsed = BetSizes.parse(sizes)
    tree = BettingTree.from_rules(rules, parsed)
    offset = decision_rows(tree, BUCKETS)[0]
    levels = np.random.default_rng(7).integers(1, 16, entries_of(tree, BUCKETS), dtype=np.uint8)
    if level is not None:
        for node in np.flatnonzero(tree.kind == DECISION):
            buckets = BUCKETS[tree.street[node]]
            rows = np.asarray(level(tree, node, buckets), np.uint8)
            at = offset[tree.decision[node]]
            levels[at : at + rows.size] = rows.ravel()
    return Strategy(rules=rules, sizes=parsed, tree=tree, cards_config=CARDS, buckets=BUCKETS, probability=levels)


def by_strength(tree, node, buckets):
    """Weak hands check and fold, middling ones call, strong ones bet and raise, all by their bucket."""
    first, children = tree.first_child[node], tree.children[node]
    moves = tree.move[first : first + children]
    strength = (np.arange(buckets) + 0.5) / buckets if buckets != BUCKETS[0] else preflop_strength()
    rows = np.zeros((buckets, children))
    facing = (moves == -1).any()
    for k, move in enumerate(moves.tolist()):
        if move == -1:
            rows[:, k] = np.where(strength < 0.4, 12, 0)
        elif move == 0:
            rows[:, k] = np.where((strength >= 0.4) & (strength < 0.85), 15, 3)
        else:
            rows[:, k] = np.where(strength > (0.8 if facing else 0.6), 15, 0) / children + (move == moves.max())
    return np.rint(rows)


def preflop_strength():
    """(169,): roughly, 0..1."""
    row, column = np.divmod(np.arange(169), 13)
    high, low = np.maximum(row, column), np.minimum(row, column)
    score = high + 0.6 * low + 9.0 * (high == low) + 1.5 * (row > column)
    order = np.argsort(np.argsort(score))
    return (order + 0.5) / 169
