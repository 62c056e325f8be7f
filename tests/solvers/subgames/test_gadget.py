"""Guarded solving: no hand of the opponent's wins more than its way out, whatever range was assumed."""

import numpy as np
import pytest

from holdem_env.cards.combos import COMBOS, possible_combos
from holdem_env.cards.text import parse_cards
from holdem_env.solvers import gadget
from holdem_env.solvers.cfr import BEST
from holdem_env.solvers.gadget import Guard
from holdem_env.solvers.public_game import PublicGame
from holdem_env.solvers.reading import read_ranges
from holdem_env.solvers.solver import Solver
from holdem_env.solvers.subgames import solve_tree
from holdem_env.solvers.trees import BettingTree
from holdem_env.solvers.trees.walking import DECISION

POT = 100
BOARD = tuple(parse_cards("Ks7h2d3c9s"))
OWN = "77+, K9s+, KTo+, A5s, QJs, 65s, T8s"


@pytest.fixture(scope="module")
def tree():
    return BettingTree.from_spot("heads-up-no-limit", "75%, all-in | all-in", "river", POT, 300)


def best_responses(tree, player, ranges, solution):
    """(1326,): what the opponent's hands win by best responses to the player's strategy, in chips out of the pot."""
    solver = Solver(PublicGame(tree, tree.rules, BOARD, ranges, isomorphic=False))
    possible = possible_combos(np.array(BOARD))[:, None]
    for node in np.flatnonzero((tree.kind == DECISION) & (tree.player == player)).tolist():
        rows = solution.strategy(node)
        none = ~rows.any(axis=1, keepdims=True) | ~possible
        solver.set_strategy(node, np.where(none, 1 / rows.shape[1], rows))
    return solver.by_hand(solver.values(BEST))[1 - player] + int(tree.put_in[0, 1 - player])


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("player", [0, 1])
def test_no_hand_wins_more_than_its_way_out(tree, player, monkeypatch):
    """The ways out are what hands win from a player who expects any hand. A player who expects strong hands loses more
    to others, unless it is guarded; by the gadget alone, with which all of this range plays on, it loses nothing."""
    any_hand = read_ranges([OWN, "random"] if player == 0 else ["random", OWN], BOARD)
    values = solve_tree(tree, BOARD, list(any_hand), accuracy=0.1).ev[1 - player]
    expected = any_hand.copy()
    expected[1 - player] = read_ranges(["22+, AKs", "22+, AKs"], BOARD)[0]
    guard = Guard(player, np.nan_to_num(values))
    plain = solve_tree(tree, BOARD, list(expected), accuracy=None, iterations=300)
    half = solve_tree(tree, BOARD, list(expected), accuracy=None, iterations=300, guard=guard)
    monkeypatch.setattr(gadget, "ASSUMED", 0.0)
    whole = solve_tree(tree, BOARD, list(expected), accuracy=None, iterations=1000, guard=guard)
    gains = [best_responses(tree, player, any_hand, each) - values for each in (plain, half, whole)]
    most = [np.nanmax(gain) / POT for gain in gains]
    mean = [np.nanmean(np.maximum(gain, 0)) / POT for gain in gains]
    assert most[2] < 0.03 < 0.1 < most[0]
    assert mean[2] < 0.005
    assert mean[1] < 0.8 * mean[0]


def test_ways_out_that_nobody_takes_change_little(tree):
    """Where leaving is worth nothing, all hands play on: the player is as good as against a range with all of them."""
    ranges = read_ranges([OWN, "random"], BOARD)
    guarded = solve_tree(
        tree, BOARD, list(ranges), accuracy=None, iterations=400, guard=Guard(0, np.full(COMBOS, -POT))
    )
    plain = solve_tree(tree, BOARD, list(ranges), accuracy=None, iterations=400)
    values = [
        np.nansum(best_responses(tree, 0, ranges, each) * ranges[1]) / ranges[1].sum() for each in (guarded, plain)
    ]
    assert values[0] == pytest.approx(values[1], abs=0.01 * POT)


def test_the_assumed_range_still_counts(tree):
    """A guarded player does nearly as well against the assumed range as one who trusts it."""
    ranges = read_ranges([OWN, OWN], BOARD)
    values = solve_tree(tree, BOARD, list(ranges), accuracy=0.1)
    out = Guard(0, np.nan_to_num(values.ev[1], nan=POT))
    guarded = solve_tree(tree, BOARD, list(ranges), accuracy=None, iterations=400, guard=out)
    responses = np.nan_to_num(best_responses(tree, 0, ranges, guarded))
    assert responses[ranges[1] > 0].mean() < np.nanmean(values.ev[1]) + 0.03 * POT
