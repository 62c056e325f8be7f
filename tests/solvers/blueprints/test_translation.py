"""Between the sizes: what a real wager stands for in a tree."""

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.compiled.compiler import kernel
from holdem_env.solvers.blueprints.translation import NO_CHILD, translate, tree_sizes
from holdem_env.solvers.trees.betting_tree import BettingTree

RULES = Rules(seats=2, blinds=(50, 100), stacks=10_000)
POT = 1_000


@pytest.fixture(scope="module")
def tree():
    """A flop with 1,000 in the middle; player 1 is to act at the root, node 0."""
    return BettingTree.from_spot(RULES, "50%, 100%, all-in | 100%, all-in", "flop", pot=POT, stacks=9_500)


child = BettingTree.child


@kernel
def translated(sizes, node, total, all_in, wager):
    return translate(sizes, node, total, all_in, wager)


def readings(tree, node, total, level, called, all_in=False, chip=1):
    """What a real wager at a decision stands for: one or two of the node's children, and the probability of each."""
    lower, upper, share = translated(tree_sizes(tree), node, total, all_in, (level, called, chip))
    return {int(lower): 1.0} if upper == NO_CHILD else {int(lower): float(share), int(upper): 1.0 - float(share)}


def bet(tree, total, **kind):
    return readings(tree, 0, total, level=0, called=POT, **kind)


def test_sizes_of_the_tree_are_themselves_and_all_in_is_all_in(tree):
    assert bet(tree, 500) == {child(tree, 0, 500): 1.0}
    assert bet(tree, 1_000) == {child(tree, 0, 1_000): 1.0}
    assert bet(tree, 9_500, all_in=True) == {child(tree, 0, 9_500): 1.0}
    assert bet(tree, 4_000, all_in=True) == {child(tree, 0, 9_500): 1.0}  # more than any other size
    assert bet(tree, 40_000) == {child(tree, 0, 9_500): 1.0}  # more than all-in of the tree


def test_bets_in_between_are_the_pseudo_harmonic_mapping(tree):
    a, b, x = 0.5, 1.0, 0.75
    expected = (b - x) * (1 + a) / ((b - a) * (1 + x))
    assert bet(tree, 750) == pytest.approx({child(tree, 0, 500): expected, child(tree, 0, 1_000): 1 - expected})


def test_tiny_bets_are_mostly_checks(tree):
    check, half = child(tree, 0, 0), child(tree, 0, 500)
    shares = [bet(tree, total)[check] for total in (10, 100, 250, 499)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.95
    assert shares[-1] < 0.01
    x, b = 0.1, 0.5
    assert bet(tree, 100) == pytest.approx({check: (b - x) / (b * (1 + x)), half: 1 - (b - x) / (b * (1 + x))})


def test_small_raises_are_partly_calls(tree):
    facing = child(tree, 0, 500)
    found = readings(tree, facing, 1_000, level=500, called=2_000)
    assert set(found) == {child(tree, facing, 0), child(tree, facing, 500 + 2_000)}
    x, b = 0.25, 1.0
    assert found[child(tree, facing, 0)] == pytest.approx((b - x) / (b * (1 + x)))


def test_no_gap_between_the_pot_and_all_in(tree):
    """Every bet between the two stands for both, and the larger it is the more for all-in."""
    pot, whole = child(tree, 0, 1_000), child(tree, 0, 9_500)
    shares = []
    for total in range(1_100, 9_500, 100):
        found = bet(tree, total)
        assert set(found) == {pot, whole}
        assert sum(found.values()) == pytest.approx(1)
        shares.append(found[whole])
    assert shares == sorted(shares)
    assert shares[0] < 0.15
    assert shares[-1] > 0.99


def test_a_short_all_in_is_what_its_size_is(tree):
    found = bet(tree, 600, all_in=True)
    assert set(found) == {child(tree, 0, 500), child(tree, 0, 1_000)}
    assert found[child(tree, 0, 500)] == pytest.approx(0.4 * 1.5 / (0.5 * 1.6))


def test_a_raise_where_the_tree_has_none_is_a_call(tree):
    facing = child(tree, 0, 9_500)
    assert readings(tree, facing, 20_000, level=9_500, called=20_000) == {child(tree, facing, 0): 1.0}


def test_sizes_are_parts_of_the_real_pot_rounded_as_bets_are(tree):
    """Half of a pot of 2,101 in chips of 25 is 1,050, the half-pot bet of an encoder."""
    found = readings(tree, 0, 1_050, level=0, called=2_101, chip=25)
    assert found == {child(tree, 0, 500): 1.0}


def test_in_fixed_limit_every_raise_is_the_raise():
    limit = BettingTree.from_rules(Rules.preset("heads-up-limit"))
    raises = [k for k in range(int(limit.children[0])) if limit.move[limit.first_child[0] + k] > 0]
    node = int(limit.first_child[0]) + raises[0]
    assert readings(limit, 0, int(limit.move[node]), 2, 4) == {node: 1.0}


def test_probabilities_go_from_one_size_to_the_next_without_jumps(tree):
    def mean_size(total):
        return sum(share * tree.move[node] for node, share in bet(tree, total).items())

    sizes = np.array([mean_size(total) for total in range(10, 9_500, 10)])
    assert (np.diff(sizes) >= -1e-9).all()
    assert np.diff(sizes).max() < 150
