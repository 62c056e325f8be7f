"""What is lost on turns: by the blueprint, and by search that a network ends.

    python -m benchmarks.street_search --turns 20       # half a minute a turn

On turns of the blueprint's own play, one player is held to what it would play on the turn: the blueprint's strategy, or
a search that ends in the network, or in equities alone. The rest is solved to the end of the hand for both. What that
player loses so, against a solution in which nobody is held to anything, is printed in percent of the pot and in mbb a
turn, the mean of both players.
"""

from __future__ import annotations

import argparse
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem_agents.training.values.played import ranges_at, rows_at, sampled_rivers
from holdem_env.arena.statistics.intervals import fixed_interval
from holdem_env.solvers.blueprints.agent import shipped_path
from holdem_env.solvers.blueprints.resolving import STREET_ITERATIONS, STREET_SIZES
from holdem_env.solvers.blueprints.strategy import Strategy
from holdem_env.solvers.blueprints.strategy_file import load_strategy
from holdem_env.solvers.cfr import normalize
from holdem_env.solvers.subgames import solve_tree
from holdem_env.solvers.trees import BettingTree
from holdem_env.solvers.trees.walking import DECISION
from holdem_env.solvers.values.network import ValueNetwork, shipped_values
from holdem_env.solvers.values.street import solve_street

from .measure import machine

TURN = 2
BLIND = 2
"""Chips of a big blind in the blueprint's game."""
TURN_SIZES = " | ".join(STREET_SIZES[TURN].menus(TURN, player=0))
RIVER_SIZES = "70%, all-in | all-in"
"""Bets after the turn in solutions to the end of the hand."""
Held = dict[int, NDArray[np.float64]]
"""By node, (1326, children): what a player plays on the turn."""


class Spot(NamedTuple):
    """Where a turn began. node: of the strategy's tree. ranges: (2, 1326), by player."""

    strategy: Strategy
    node: int
    board: tuple[int, ...]
    ranges: NDArray[np.float64]

    @property
    def pot(self) -> int:
        """Chips in the middle."""
        return int(self.strategy.tree.pot[self.node])

    def tree(self, sizes: Any) -> BettingTree:
        """The betting from there on."""
        rules = self.strategy.rules
        left = min(rules.starting_stacks) - int(self.strategy.tree.put_in[self.node].max())
        return BettingTree.from_spot(rules, sizes, TURN, self.pot, left)

    def solved(self, tree: BettingTree, iterations: int, held: Held | None = None) -> NDArray[np.float64]:
        """(2,): what both win in a solution to the end of the hand, in chips."""
        solution = solve_tree(tree, self.board, list(self.ranges), accuracy=None, iterations=iterations, locked=held)
        return solution.values


def spots(count: int, seed: int) -> list[Spot]:
    """Turns of the blueprint's play."""
    strategy = load_strategy(shipped_path("blueprint_100bb"))
    rivers = islice(sampled_rivers(strategy, seed, TURN), count)
    return [
        Spot(strategy, river.node, river.board[:4], ranges_at(strategy, river.node, river.board[:4]))
        for river in rivers
    ]


def blueprints_own(spot: Spot) -> tuple[BettingTree, Held]:
    """The blueprint's bets on the turn, and how it plays them."""
    tree = spot.tree({**sizes_of(spot.strategy), "river": RIVER_SIZES})
    there = {0: spot.node}
    for node in turn_nodes(tree):
        whole, first = spot.strategy.tree, int(tree.first_child[node])
        first_there = int(whole.first_child[there[node]])
        for child in range(int(tree.children[node])):
            assert tree.move[first + child] == whole.move[first_there + child]
            there[first + child] = first_there + child
    return tree, {node: rows_at(spot.strategy, there[node], spot.board) for node in turn_nodes(tree)}


def sizes_of(strategy: Strategy) -> dict[str, Any]:
    """The bet sizes of a strategy by street."""
    config = strategy.sizes.config()
    return config if isinstance(config, dict) else {"all": config}


def searched(spot: Spot, network: ValueNetwork) -> tuple[BettingTree, Held]:
    """The bets of search, and how it plays them."""
    short, tree = (spot.tree({"turn": TURN_SIZES, "river": river}) for river in ("a", RIVER_SIZES))
    found = solve_street(short, spot.board, spot.ranges, network, STREET_ITERATIONS).strategies
    nodes = {tuple(tree.path(node)): node for node in turn_nodes(tree)}
    return tree, {
        nodes[tuple(short.path(node))]: normalize(rows.astype(np.float64), axis=1) for node, rows in found.items()
    }


def turn_nodes(tree: BettingTree) -> list[int]:
    """The decisions of the turn, parents first."""
    return [int(node) for node in np.flatnonzero((tree.kind == DECISION) & (tree.street == TURN))]


def lost(spot: Spot, tree: BettingTree, held: Held, iterations: int) -> float:
    """What a player loses that is held to its play of the turn, in chips, the mean of both."""
    free = spot.solved(tree, iterations)
    each = []
    for player in range(2):
        own = {node: rows for node, rows in held.items() if tree.player[node] == player}
        each.append(free[player] - spot.solved(tree, iterations, own)[player])
    return float(np.mean(each))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.street_search", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=20, metavar="N", help="(%(default)s)")
    parser.add_argument("--iterations", type=int, default=80, metavar="N", help="of each solution (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the turns (%(default)s)")
    plan = parser.parse_args()
    print(machine(), flush=True)
    network = shipped_values("river")
    assert network is not None, "it comes with the package"
    nothing = network._replace(layers=tuple((0 * weights, 0 * biases) for weights, biases in network.layers))
    plays = {
        "the blueprint": blueprints_own,
        "search, equities alone": partial(searched, network=nothing),
        "search, network": partial(searched, network=network),
    }
    print(f"{plan.turns} turns\n\n| | % of the pot | mbb a turn |\n|---|---:|---:|", flush=True)
    where = spots(plan.turns, plan.seed)
    pots = np.array([spot.pot for spot in where])
    for name, play in plays.items():
        chips = np.array([lost(spot, *play(spot), plan.iterations) for spot in where])
        cells = [fixed_interval(each) for each in (100 * chips / pots, 1000 * chips / BLIND)]
        print(
            f"| {name} | " + " | ".join(f"{each.mean:.1f} ± {each.half_width:.1f}" for each in cells) + " |", flush=True
        )


if __name__ == "__main__":
    main()
