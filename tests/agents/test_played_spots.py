"""Rivers of a strategy's own play."""

import numpy as np
import pytest

from holdem_agents.training.values.played import sampled_rivers
from holdem_env import Rules
from holdem_env.cards.combos import possible_combos
from solvers.blueprints.toys import by_strength, toy_strategy

RULES = Rules.preset("heads-up-no-limit").replace(stacks=24)
SIZES = "100%, all-in | all-in"


@pytest.mark.slow
def test_ranges_are_those_of_bayes():
    strategy = toy_strategy(RULES, SIZES, by_strength)
    river = next(sampled_rivers(strategy, seed=4))
    tree, expected, node = strategy.tree, possible_combos(np.array(river.board)) * np.ones((2, 1)), river.node
    path = []
    while node:
        path.append(node)
        node = int(tree.parent[node])
    for child in reversed(path):
        parent = int(tree.parent[child])
        street, player = int(tree.street[parent]), int(tree.player[parent])
        buckets = strategy.cards.buckets(street, river.board[: (0, 3, 4, 5)[street]])
        for hand in np.flatnonzero(expected[player]):
            probabilities = strategy.probabilities(int(tree.decision[parent]), int(buckets[hand]))
            expected[player, hand] *= probabilities[child - int(tree.first_child[parent])]
    assert river.ranges == pytest.approx(expected / expected.sum(axis=1, keepdims=True))


def test_a_strategy_that_never_comes_to_a_river_is_refused():
    folding = toy_strategy(RULES, SIZES, lambda tree, node, buckets: np.eye(1, tree.children[node]).repeat(buckets, 0))
    with pytest.raises(ValueError, match="no river with a decision"):
        next(sampled_rivers(folding))
