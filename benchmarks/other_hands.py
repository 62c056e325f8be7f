"""What an opponent wins from re-solving who comes to the river with other hands than it assumes.

Re-solving assumes that the opponent has played the blueprint. On rivers of the blueprint's own play, best responses
that see every card are played against what is re-solved there, with the hands that were assumed and with any hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem_agents.training.values.played import River, sampled_rivers
from holdem_env.cards.combos import possible_combos
from holdem_env.solvers.blueprints.agent import BlueprintAgent
from holdem_env.solvers.blueprints.strategy import Strategy
from holdem_env.solvers.cfr import BEST
from holdem_env.solvers.public_game import PublicGame
from holdem_env.solvers.solver import Solver
from holdem_env.solvers.subgames import Plays, solve_tree
from holdem_env.solvers.trees.betting_tree import BettingTree
from holdem_env.solvers.trees.walking import DECISION

from .on_rivers import PERCENT, PLAYERS, Mean, mean_of, own_play, re_solved

ACCURACY = 0.1
"""Percent of the pot, of the solution that knows which hands the opponent comes with."""
Values = NDArray[np.float64]


class OtherHands(NamedTuple):
    """What best responses win, in percent of the pot: the mean over rivers and both players, with 95 % intervals.

    assumed: with the hands that re-solving assumes, more than from a player who knows that. any_hands: with all hands
    alike, more than from a player who knows that. best_hand: with the hand that gains most, more than from the
    blueprint without re-solving; below 0, no hand gains.
    """

    assumed: Mean
    any_hands: Mean
    best_hand: Mean


def other_hands(
    strategy: Strategy, rivers: int, variants: Sequence[Mapping[str, Any]], seed: int = 0
) -> list[OtherHands]:
    """Measure ways of re-solving, each given by parameters of BlueprintAgent ({"floor": 0.1}); {"search": None} is the
    blueprint itself. rivers: how many. All meet the same rivers; the responses have the bet sizes of what they play
    against. Raises as `river_exploitability` does."""
    agents = [BlueprintAgent(strategy, **{"search": "river", **variant}) for variant in variants]
    found = np.zeros((rivers, len(agents), 3))
    for number, river in zip(range(rivers), sampled_rivers(strategy, seed), strict=False):
        for player in range(PLAYERS):
            found[number] += _measured(agents, river, player) / PLAYERS
    return [OtherHands(*(mean_of(column) for column in each.T)) for each in found.transpose(1, 0, 2)]


def _measured(agents: Sequence[BlueprintAgent], river: River, player: int) -> NDArray[np.float64]:
    """(agents, 3): see OtherHands, of one river and one player."""
    opponent = 1 - player
    any_hand = possible_combos(np.array(river.board, np.int64)).astype(np.float64)
    ranges = river.ranges.copy()
    ranges[opponent] = any_hand
    plain_tree, plain_plays = own_play(agents[0].strategy, river)
    pot = int(plain_tree.pot[0])
    plain, met = responses(plain_tree, river, player, ranges, plain_plays)
    rows = []
    known: list[float] = []
    for agent in agents:
        tree, plays = (plain_tree, plain_plays) if agent.resolver is None else re_solved(agent, river)
        values, _ = responses(tree, river, player, ranges, plays)
        weights = [river.ranges[opponent] * met, any_hand * met]
        if not known:
            resolved_tree = tree if agent.resolver is not None else re_solved(agent.searching("river"), river)[0]
            known = [_known(resolved_tree, river, player, held, met) for held in (river.ranges[opponent], any_hand)]
        gains = [_mean(values, weight) - best for weight, best in zip(weights, known, strict=True)]
        rows.append([*gains, float((values - plain)[met > 0].max())])
    return np.array(rows) * PERCENT / pot


def _known(tree: BettingTree, river: River, player: int, held: Values, met: Values) -> float:
    """What the opponent wins, on average over the hands that it holds, from a player who knows that it holds them."""
    ranges = river.ranges.copy()
    ranges[1 - player] = held
    solution = solve_tree(tree, river.board, list(ranges), accuracy=ACCURACY, threads=1)
    return _mean(np.nan_to_num(solution.ev[1 - player]), held * met)


def responses(tree: BettingTree, river: River, player: int, ranges: Values, plays: Plays) -> tuple[Values, Values]:
    """What each hand of the opponent's takes out of the pot by a best response to how a player plays, (1326,) chips,
    less what it puts in; and with what weight it meets the player's hands."""
    opponent = 1 - player
    solver = Solver(PublicGame(tree, tree.rules, river.board, ranges, isomorphic=False))
    for node in np.flatnonzero((tree.kind == DECISION) & (tree.player == player)).tolist():
        solver.set_strategy(node, plays(node))
    values = solver.by_hand(solver.values(BEST))[opponent] + int(tree.put_in[0, opponent])
    met = np.zeros(len(values))
    held = solver.game.boards.hands(opponent, 0)
    met[held] = solver.game.met[opponent, : len(held)]
    return np.nan_to_num(values), np.where(np.isnan(values), 0.0, met)


def _mean(values: Values, weights: Values) -> float:
    return float((values * weights).sum() / weights.sum())
