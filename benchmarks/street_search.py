"""What search that a network ends loses: `python -m benchmarks.street_search`, some ten seconds a turn.

Turns of the blueprint's own play are searched with the network, and with equities alone. Then one player is held to
what it would play on the turn, and the rest of the hand is solved to the end for both: what that player loses against a
solution in which nobody is held to anything, in percent of the pot and in mbb a turn, the mean of both players.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem_env.arena.best_responses.on_rivers import ranges_at, sampled_rivers
from holdem_env.arena.statistics.intervals import fixed_interval
from holdem_env.solvers.blueprints.agent import shipped_path
from holdem_env.solvers.blueprints.resolving import STREET_ITERATIONS, STREET_SIZES
from holdem_env.solvers.blueprints.strategy_file import load_strategy
from holdem_env.solvers.cfr import normalize
from holdem_env.solvers.subgames import SubgameSolution, solve_tree
from holdem_env.solvers.trees import BetSizes, BettingTree
from holdem_env.solvers.values.labels import GAME
from holdem_env.solvers.values.network import ValueNetwork, shipped_values
from holdem_env.solvers.values.street import solve_street

from .measure import machine

TURN = 2
BLIND = 2
"""Chips of a big blind in the blueprint's game."""
TO_THE_END = BetSizes({"turn": "50%, 100%, all-in | 100%, all-in | all-in", "river": "70%, all-in | all-in"})
"""As STREET_SIZES, with bets on the river."""


class Spot(NamedTuple):
    """A turn. ranges: (2, 1326), by player."""

    board: tuple[int, ...]
    ranges: NDArray[np.float64]
    pot: int
    left: int

    def tree(self, sizes: BetSizes) -> BettingTree:
        """With other bets after it."""
        return BettingTree.from_spot(GAME, sizes, TURN, self.pot, self.left)


def spots(count: int, seed: int) -> list[Spot]:
    """Turns of the blueprint's play."""
    strategy = load_strategy(shipped_path("blueprint_100bb"))
    found, tree = [], strategy.tree
    for river in islice(sampled_rivers(strategy, seed, TURN), count):
        left = min(strategy.rules.starting_stacks) - int(tree.put_in[river.node].max())
        board = river.board[:4]
        found.append(Spot(board, ranges_at(strategy, river.node, board), int(tree.pot[river.node]), left))
    return found


def losses(spot: Spot, network: ValueNetwork, iterations: int, exact: SubgameSolution) -> list[float]:
    """What each player loses if it is held to its search of the turn, in chips."""
    short, whole = spot.tree(STREET_SIZES[TURN]), spot.tree(TO_THE_END)
    search = solve_street(short, spot.board, spot.ranges, network, STREET_ITERATIONS)
    nodes = {tuple(whole.path(node)): node for node in range(len(whole)) if whole.street[node] == TURN}
    found = []
    for player in range(2):
        held = {
            nodes[tuple(short.path(node))]: normalize(strategy.astype(np.float64), axis=1)
            for node, strategy in search.strategies.items()
            if short.player[node] == player
        }
        solved = solve_tree(whole, spot.board, list(spot.ranges), accuracy=None, iterations=iterations, locked=held)
        found.append(float(exact.values[player] - solved.values[player]))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.street_search", description=__doc__)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--iterations", type=int, default=100, help="of solutions to the end of the hand")
    parser.add_argument("--seed", type=int, default=1)
    plan = parser.parse_args()
    print(machine(), flush=True)
    network = shipped_values("river")
    assert network is not None, "it comes with the package"
    nothing = network._replace(layers=tuple((0 * weights, 0 * biases) for weights, biases in network.layers))
    lost: dict[str, list[float]] = {"network": [], "equities alone": []}
    pots, seconds = [], 0.0
    for spot in spots(plan.turns, plan.seed):
        whole = spot.tree(TO_THE_END)
        exact = solve_tree(whole, spot.board, list(spot.ranges), accuracy=None, iterations=plan.iterations)
        for name, used in zip(lost, (network, nothing), strict=True):
            lost[name].append(float(np.mean(losses(spot, used, plan.iterations, exact))))
        pots.append(spot.pot)
        begun = time.perf_counter()
        solve_street(spot.tree(STREET_SIZES[TURN]), spot.board, spot.ranges, network, STREET_ITERATIONS)
        seconds += time.perf_counter() - begun
    print(
        f"{plan.turns} turns, {seconds / plan.turns:.2f} s a search\n| | % of the pot | mbb a turn |\n|---|---:|---:|"
    )
    for name, chips in lost.items():
        parts, each = 100 * np.array(chips) / pots, 1000 * np.array(chips) / BLIND
        cells = [f"{found.mean:.1f} ± {found.half_width:.1f}" for found in map(fixed_interval, (parts, each))]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
