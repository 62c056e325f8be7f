"""How large games are, before they are solved."""

import tracemalloc

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.solvers import game_size, solve
from holdem_env.solvers.public_game import PublicGame, size_of
from holdem_env.solvers.trees import BettingTree
from solvers.small_games.games import GAMES


@pytest.mark.parametrize(("name", "count"), [("kuhn", 12), ("leduc", 6 * 6 + 30 * 3 * 5)])
def test_information_sets(name, count):
    size = game_size(name)
    assert size.information_sets == count
    assert str(size).startswith(f"{count} information sets")


def test_as_many_as_openspiel_counts_where_suits_are_different():
    leduc = Rules.preset("leduc")
    assert size_of(BettingTree.from_rules(leduc, "every"), leduc, isomorphic=False).information_sets == 936


@pytest.mark.parametrize("name", GAMES)
def test_what_is_counted_is_there(name):
    rules = GAMES[name]
    tree = BettingTree.from_rules(rules, "every")
    game, size = PublicGame(tree, rules, kind=np.float64), size_of(tree, rules)
    assert sum(len(game.information_sets(player)[0]) for player in range(2)) == size.information_sets
    assert game.boards.first[-1] == sum(size.boards)
    assert game.entries == size.numbers


def test_solving_takes_the_memory_that_is_told():
    rules = Rules.preset("leduc-nolimit", stacks=18)
    solve(rules, iterations=1)  # compiled code is memory, too
    tracemalloc.start()
    try:
        solve(rules, iterations=1)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 1.3 * game_size(rules).memory  # which leaves out the betting tree
