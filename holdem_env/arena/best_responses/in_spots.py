"""What a best response gains against an agent in a spot: a river or a turn to which a line of real moves led.

    gain = spot_gain(agent, rules, spot, ranges, BetSizes("50%, 100%, all-in"))     # in chips

The agent is asked what it does with each hand of its range at every decision it can come to, on all boards. The
response, in the other seat, has fixed bet sizes and knows the agent's strategy, not its cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...agents.asking import asked_range_probabilities, require_ranges
from ...agents.protocol import Agent
from ...cards.combos import possible_combos
from ...cards.text import CARDS
from ...compiled.records import Records
from ...engine.batch import NO_MOVE
from ...game.rules import Rules
from ...solvers.blueprints.resolving import BOARD, Spot, at_spot
from ...solvers.public_game import PublicGame
from ...solvers.solver import Solver
from ...solvers.trees.bet_sizes import BetSizes
from ...solvers.trees.growing import grown_tree

Ints = NDArray[np.int64]
PLAYERS = 2


def spot_gain(agent: Agent, rules: Rules, spot: Spot, ranges: NDArray[np.float64], sizes: BetSizes) -> float:
    """What best responses win from an agent in a spot, the mean of both seats, in chips a hand. Against itself an
    agent wins nothing, so that this is their gain.

    rules: the game, without rake. ranges: (2, 1326), by player, 0 on the button. sizes: of the response. The gain is
    exact for responses of these sizes, over all hands and boards; with other sizes more may be won. Raises ValueError
    for a rake and for invalid probabilities, and StrategyUnknown for an agent that gives none.
    """
    require_ranges(agent, "spots")
    if rules.rake is not None:
        raise ValueError("spots: the game must have no rake")
    return sum(_response(agent, rules, spot, ranges, sizes, player) for player in range(PLAYERS)) / PLAYERS


def _response(
    agent: Agent, rules: Rules, spot: Spot, ranges: NDArray[np.float64], sizes: BetSizes, player: int
) -> float:
    """What a best response wins if the agent is a player."""
    asked = _Asked(agent, rules, spot, ranges[player])
    tree = grown_tree(spot.game, at_spot(spot), sizes, player, asked.moves)
    solver = Solver(PublicGame(tree, tree.rules, spot.board, ranges, isomorphic=False))
    for node, strategy in asked.strategies.items():
        solver.set_strategy(node, strategy)
    return float(solver.best_responses()[1 - player])


class _Asked:
    """What an agent said. strategies: by node (boards, 1326, moves), one for each board of the node's street."""

    def __init__(self, agent: Agent, rules: Rules, spot: Spot, weights: NDArray[np.float64]) -> None:
        self.agent, self.rules, self.weights = agent, rules, weights
        board = np.array(spot.board, np.int64)
        self.boards = {len(board): board[None]}
        if len(board) < max(BOARD.values()):
            rest = np.setdiff1d(np.arange(CARDS), board)
            self.boards[len(board) + 1] = np.column_stack((np.tile(board, (len(rest), 1)), rest))
        self.strategies: dict[int, NDArray[np.float32]] = {}

    def moves(self, nodes: Ints, tables: Records) -> list[Ints]:
        return [self._ask(int(node), table) for node, table in zip(nodes, tables[:, None], strict=True)]

    def _ask(self, node: int, table: Records) -> Ints:
        boards = self.boards[int(table["board_count"][0])]
        tables = np.repeat(table, len(boards))
        tables["board"][:, : boards.shape[1]] = boards
        hands = np.array([possible_combos(board) for board in boards]) & (self.weights > 0)
        moves, likely = asked_range_probabilities(self.agent, tables, self.rules, np.arange(len(boards)), hands=hands)
        made = np.where(likely.any(axis=1), moves, NO_MOVE)
        children = np.setdiff1d(made, [NO_MOVE])
        strategy = np.zeros((*hands.shape, len(children)), np.float32)
        for column, move in enumerate(children):
            strategy[:, :, column] = np.where((made == move)[:, None], likely, 0).sum(axis=2)
        self.strategies[node] = strategy
        return children
