"""Betting trees of random games and random sizes, against playouts on a Table."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from holdem_env import Rules, Table
from holdem_env.solvers.trees import BetSizes, BettingTree, TooLarge
from properties.games import rules
from solvers.small_games.games import GAMES
from solvers.trees.comparing import check_playouts, check_shape

MAX_NODES = 30_000
SIZES = ["min", "25%", "50%", "pot", "150%", "2x", "3.5x", "all-in"]
menu = st.one_of(st.just("none"), st.lists(st.sampled_from(SIZES), min_size=1, max_size=3, unique=True).map(", ".join))
menus = st.lists(menu, min_size=1, max_size=3)
menus_of_players = st.fixed_dictionaries({"ip": menus, "oop": menus})


@st.composite
def two_seat_games(draw: st.DrawFn) -> Rules:
    """Any game for two that has a betting tree, with stacks of up to 30 big blinds."""
    game = draw(rules())
    stacks = tuple(min(stack, 30 * game.blinds[1]) for stack in game.starting_stacks[:2])
    return game.replace(seats=2, stacks=stacks, straddle=0)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("button", [0, 1])
def test_every_legal_move_of_small_games(name, button):
    game = GAMES[name]
    tree = BettingTree.from_rules(game, "every")
    check_shape(tree)
    check_playouts(tree, lambda seed: Table(game, button=button, seed=seed), 60)


def tree_of(game: Rules, sizes: BetSizes) -> BettingTree | None:
    """The tree, if it is not too large."""
    with suppress(TooLarge):
        return BettingTree.from_rules(game, sizes, most_nodes=MAX_NODES)
    return None


@given(two_seat_games(), menus | menus_of_players, st.integers(0, 3), st.integers(0, 1), st.integers(0, 2**32))
def test_every_playout_is_in_the_tree(game, given_menus, most_wagers, button, seed):
    sizes = BetSizes(given_menus, most_wagers=most_wagers or None)
    tree = tree_of(game, sizes)
    assume(tree is not None)
    check_shape(tree)
    stacks = game.starting_stacks[::-1] if button else game.starting_stacks
    check_playouts(tree, lambda seed: Table(game, stacks=stacks, button=button, seed=seed), 5, seed)
