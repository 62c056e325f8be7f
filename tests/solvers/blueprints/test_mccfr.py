"""The sweeps: on games with known answers the average strategy goes to an equilibrium."""

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.solvers.blueprints.mccfr import new_work
from holdem_env.solvers.blueprints.strategy import Strategy, decision_rows, entries_of, quantised
from holdem_env.solvers.blueprints.training import copy_cumulative_strategy
from holdem_env.solvers.trees.betting_tree import BettingTree
from solvers.blueprints.listed_games import BUCKETS, DEALS, exploitability, train_listed

KUHN_VALUE = 1 / 18  # of the player with the button, in chips


class Game:
    """A game of few deals, being learned."""

    def __init__(self, name, seed=1):
        self.rules, self.buckets, self.seed = Rules.preset(name), BUCKETS[name], seed
        self.tree = BettingTree.from_rules(self.rules)
        self.dealt, self.outcomes = DEALS[name]()
        self.rows = decision_rows(self.tree, self.buckets)
        self.offset, self.entries = self.rows[0], entries_of(self.tree, self.buckets)
        self.work = new_work(self.tree, self.rows, unit=1)
        self.cumulative = self.work.cumulative
        self.deals, self.totals = 0, np.zeros(2)

    def train(self, deals):
        train_listed(self.work, self.dealt, self.outcomes, self.deals, deals, self.seed, 1000.0, self.totals)
        self.deals += deals

    def averages(self):
        out = np.empty(self.entries, np.float32)
        copy_cumulative_strategy(self.rows, self.cumulative, out)
        return out

    def strategy(self, levels=True):
        shares = self.averages()
        shares = quantised(shares, self.rows) if levels else shares
        return Strategy(self.rules, self.tree.sizes, self.tree, {}, self.buckets, shares)

    def exploitability(self, levels=False):
        strategy = self.strategy(levels)
        return exploitability(self.tree, strategy.probabilities, self.dealt, self.outcomes)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("name", "deals", "most"), [("kuhn", 100_000, 0.005), ("leduc", 400_000, 0.03)])
def test_exploitability_falls_towards_zero(name, deals, most):
    game = Game(name)
    found = []
    for count in (deals // 100, deals // 10, deals):
        game.train(count)
        found.append(game.exploitability())
    assert found[0] > found[1] > found[2]
    assert found[2] < most


def test_the_value_is_kuhns():
    game = Game("kuhn")
    game.train(20_000)
    early = game.totals[1]
    game.train(200_000)
    assert (game.totals[1] - early) / 200_000 == pytest.approx(KUHN_VALUE, abs=0.01)


def test_levels_cost_little():
    game = Game("leduc")
    game.train(400_000)
    assert game.exploitability(levels=True) < game.exploitability() + 0.06


def test_the_same_seed_learns_the_same_however_the_work_is_divided():
    one, two, other = Game("leduc"), Game("leduc"), Game("leduc", seed=2)
    one.train(3_000)
    for part in (1, 999, 2_000):
        two.train(part)
    other.train(3_000)
    assert np.array_equal(one.cumulative, two.cumulative)
    assert not np.array_equal(one.cumulative, other.cumulative)
    assert one.totals.tolist() == two.totals.tolist()


def test_visits_and_values_are_added_up():
    game = Game("kuhn")
    game.train(1)
    assert game.totals[0] > 2
    assert abs(game.totals[1]) <= 2


def test_who_never_came_to_a_decision_plays_its_regrets():
    game = Game("leduc")
    game.train(100)
    averages, row = game.averages(), 2 * game.offset[0]
    children = int(game.tree.children[0])
    game.cumulative[row : row + 2 * children] = [-1, 3, *[0] * (2 * children - 2)]
    assert game.averages()[game.offset[0] : game.offset[0] + 2].tolist() == [0, 3]
    assert np.array_equal(game.averages()[game.offset[0] + children :], averages[game.offset[0] + children :])
