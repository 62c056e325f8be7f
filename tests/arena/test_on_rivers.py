"""What best responses gain on rivers: against a plain best response, by hand, and what is refused."""

from types import SimpleNamespace

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.arena.best_responses import on_rivers as measure
from holdem_env.arena.best_responses.on_rivers import river_exploitability
from holdem_env.cards.combos import COMBO_OF, COMBOS, combo_number, possible_combos
from holdem_env.solvers.subgames import exploitability, solve_tree
from holdem_env.solvers.trees import BettingTree
from solvers.blueprints.toys import by_strength, toy_strategy
from solvers.subgames.plain_response import plain_exploitability

RULES = Rules.preset("heads-up-no-limit").replace(stacks=24)
SIZES = "100%, all-in | all-in"
BOARD = (0, 5, 18, 31, 47)


@pytest.fixture(scope="module")
def strategy():
    return toy_strategy(RULES, SIZES, by_strength)


def some_ranges(seed, hands=60):
    """Of few hands, with uneven weights."""
    random = np.random.default_rng(seed)
    weights = np.zeros((2, COMBOS))
    for row in weights:
        chosen = random.choice(np.flatnonzero(possible_combos(np.array(BOARD))), hands, replace=False)
        row[chosen] = random.random(hands) + 0.1
    return weights


@pytest.mark.parametrize("seed", [1, 2])
def test_any_strategies_against_a_plain_best_response(seed):
    tree = BettingTree.from_spot("heads-up-no-limit", "50%, all-in | all-in", "river", 20, (90, 90))
    random = np.random.default_rng(seed)
    rows = {int(n): random.dirichlet(np.ones(tree.children[n]), COMBOS) for n in np.flatnonzero(tree.kind == 0)}
    ranges = some_ranges(seed)
    plain = SimpleNamespace(tree=tree, board=BOARD, ranges=ranges, strategy=lambda node, dealt=(): rows[node])
    found = exploitability(tree, BOARD, ranges, rows.__getitem__)
    assert found == pytest.approx(plain_exploitability(plain), rel=1e-4)


def test_a_solution_says_the_same_of_itself():
    tree = BettingTree.from_spot("heads-up-no-limit", "50%, all-in | all-in", "river", 20, (90, 90))
    solution = solve_tree(tree, BOARD, some_ranges(3), accuracy=None, iterations=40)
    even = lambda node: np.full((COMBOS, tree.children[node]), 1 / tree.children[node])  # noqa: E731

    def plays(node):
        rows = solution.strategy(node)
        return np.where(rows.sum(axis=1, keepdims=True) > 0, rows, even(node))

    assert exploitability(tree, BOARD, solution.ranges, plays) == pytest.approx(solution.exploitability, abs=1e-3)
    assert exploitability(tree, BOARD, solution.ranges, even) > 5 * solution.exploitability


@pytest.mark.slow
def test_ranges_are_those_of_bayes(strategy):
    river = next(measure.sampled_rivers(strategy, seed=4))
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


@pytest.mark.slow
def test_a_river_of_the_strategy_against_a_plain_best_response(strategy):
    river = next(measure.sampled_rivers(strategy, seed=4))
    random = np.random.default_rng(0)
    # Fewer hands, so that all pairs of them fit into matrices.
    few = np.where(random.random((2, COMBOS)) < 0.1, river.ranges, 0.0)
    river = river._replace(ranges=few)
    whole, root = strategy.tree, river.node

    def rows(node, dealt=()):
        return measure.rows_at(strategy, node, river.board)

    # The plain one starts at the river's node of the whole tree; gains do not depend on what was put in before.
    plain = SimpleNamespace(
        tree=_from(whole, root), board=river.board, ranges=few, strategy=lambda n, d=(): rows(n + 0)
    )
    plain.strategy = lambda node, dealt=(): rows(root if node == 0 else node)
    assert measure.plain_gain(strategy, river) == pytest.approx(plain_exploitability(plain), rel=1e-4)


def _from(tree, root):
    """The tree with its root replaced by another node, the numbers as they are."""

    def rerooted(name):
        values = getattr(tree, name).copy()
        values[0] = values[root]
        return values

    names = "kind", "street", "player", "first_child", "children", "payoff", "street_start"
    return SimpleNamespace(**{name: rerooted(name) for name in names})


@pytest.mark.slow
def test_rivers_in_percent_of_the_pot(strategy):
    counts = []
    found = river_exploitability(strategy, rivers=4, seed=1, progress=counts.append)
    assert counts == [1, 2, 3, 4]
    assert found.rivers == len(found.pots) == 4
    assert found.hands >= 4
    assert (found.pots >= 2 * RULES.big_blind).all()
    assert found.plain.mean == pytest.approx((100 * found.plain_chips / found.pots).mean())
    assert found.resolved.mean < 5 < found.plain.mean
    share = found.rivers / found.hands
    assert found.per_hand(found.plain_chips).mean == pytest.approx(share * 1000 * found.plain_chips.mean() / 2)
    again = river_exploitability(strategy, rivers=4, seed=1, resolve=False)
    assert again.plain_chips == pytest.approx(found.plain_chips)
    assert again.resolved is None


def test_a_measure_that_cannot_be(strategy):
    with pytest.raises(ValueError, match="rivers: 1; give 2 or more"):
        river_exploitability(strategy, rivers=1)
    folding = toy_strategy(RULES, SIZES, lambda tree, node, buckets: np.eye(1, tree.children[node]).repeat(buckets, 0))
    with pytest.raises(ValueError, match="no river with a decision"):
        next(measure.sampled_rivers(folding))
    tree = BettingTree.from_spot("heads-up-no-limit", "all-in", "turn", 20, (20, 20))
    with pytest.raises(ValueError, match="give one of a river"):
        exploitability(tree, BOARD[:4], some_ranges(1), lambda node: np.ones((COMBOS, 1)))
    assert combo_number(51, 50) == COMBO_OF[51, 50]
