"""What a blueprint's river play can be taken for, exactly: plain, and re-solved.

    found = river_exploitability(load_strategy("mine.strategy"), rivers=200)
    print(found.plain, found.resolved)      # in percent of the pot

Rivers come from the strategy playing itself with real cards. On each of them, all hands of both players are weighed by
Bayes' rule, and a best response that sees every card is played against what the strategy does there: first as it is, by
buckets, then re-solved with these ranges, as `BlueprintAgent(search="river")` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem_agents.training.values.played import River, rows_at, sampled_rivers
from holdem_env.arena.statistics.intervals import fixed_interval
from holdem_env.cards.combos import possible_combos
from holdem_env.solvers.blueprints.agent import BlueprintAgent
from holdem_env.solvers.blueprints.resolving import FLOOR, Spot, at_spot, replayed
from holdem_env.solvers.blueprints.strategy import Strategy
from holdem_env.solvers.subgames import Plays, exploitability
from holdem_env.solvers.trees.betting_tree import BettingTree

RIVER = 3
PLAYERS = 2
MIN_RIVERS = 2
PERCENT = 100
PER_MILLE = 1000


class Mean(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    half_width: float

    def __str__(self) -> str:
        return f"{self.mean:.1f} ± {self.half_width:.1f}"


@dataclass(frozen=True)
class RiverExploitability:
    """What best responses gain on rivers, the mean of both players.

    pots: (N,), chips in the middle when each river began. plain_chips, resolved_chips: (N,), the gains in chips;
    resolved_chips is empty where nothing was re-solved. hands: played to come to these rivers. unit: chips of a big
    blind.
    """

    pots: NDArray[np.int64] = field(repr=False)
    plain_chips: NDArray[np.float64] = field(repr=False)
    resolved_chips: NDArray[np.float64] = field(repr=False)
    hands: int
    unit: int

    @property
    def rivers(self) -> int:
        """How many rivers were measured."""
        return len(self.pots)

    @property
    def plain(self) -> Mean:
        """In percent of the pot, the mean over rivers: the strategy as it is."""
        return mean_of(PERCENT * self.plain_chips / self.pots)

    @property
    def resolved(self) -> Mean | None:
        """In percent of the pot, the mean over rivers: re-solved. None where that was not measured."""
        return mean_of(PERCENT * self.resolved_chips / self.pots) if len(self.resolved_chips) else None

    def per_hand(self, chips: NDArray[np.float64]) -> Mean:
        """`plain_chips` or `resolved_chips` in thousandths of a big blind per hand played: hands without a river count
        as 0."""
        factor = PER_MILLE / self.unit * self.rivers / self.hands
        return mean_of(factor * chips)


def river_exploitability(
    strategy: Strategy,
    rivers: int = 200,
    seed: int = 0,
    resolve: bool = True,
    floor: float = FLOOR,
    progress: Callable[[int], None] | None = None,
) -> RiverExploitability:
    """Measure a strategy's river play on rivers of its own play.

    A best response has the bet sizes of what it plays against: those of the strategy's tree, or those that re-solving
    offers. So the measure leaves out what bets of other sizes win. resolve: whether to re-solve the rivers, too; this
    takes most of the time, a fifth of a second a river. floor: see `Resolver`. progress: called after each river
    with the number measured.

    Raises ValueError for fewer than two rivers, and for a strategy of another game than Texas hold'em or that hardly
    ever comes to a river with a decision.
    """
    if rivers < MIN_RIVERS:
        raise ValueError(f"rivers: {rivers}; give {MIN_RIVERS} or more")
    pots, plain, resolved, hands = [], [], [], 0
    for count, river in zip(range(1, rivers + 1), sampled_rivers(strategy, seed), strict=False):
        pots.append(int(strategy.tree.pot[river.node]))
        plain.append(plain_gain(strategy, river))
        if resolve:
            resolved.append(resolved_gain(strategy, river, floor))
        hands += river.hands
        if progress is not None:
            progress(count)
    unit = int(strategy.rules.unit)
    return RiverExploitability(np.array(pots), np.array(plain), np.array(resolved), hands, unit)


def plain_gain(strategy: Strategy, river: River) -> float:
    """In chips: what best responses gain over the strategy on a river."""
    tree, plays = own_play(strategy, river)
    return exploitability(tree, river.board, river.ranges, plays)


def own_play(strategy: Strategy, river: River) -> tuple[BettingTree, Plays]:
    """How the strategy itself plays a river: the betting tree, and given a node (1326, moves)."""
    spot = _spot(strategy, river)
    tree = BettingTree.from_record(spot.game, replayed(spot), strategy.sizes)
    nodes = _same_nodes(strategy.tree, river.node, tree)
    return tree, lambda node: rows_at(strategy, nodes[node], river.board)


def resolved_gain(strategy: Strategy, river: River, floor: float = FLOOR) -> float:
    """In chips: what best responses gain on a river that is re-solved."""
    tree, plays = re_solved(BlueprintAgent(strategy, "river", floor=floor), river)
    return exploitability(tree, river.board, river.ranges, plays)


def re_solved(agent: BlueprintAgent, river: River) -> tuple[BettingTree, Plays]:
    """How an agent plays a river that it re-solves: the betting tree, and given a node (1326, moves), even rows for
    hands with a card of the board. Each player solves it for itself."""
    resolver, spot = agent.resolver, _spot(agent.strategy, river)
    assert resolver is not None, "the agent is one that re-solves"
    here = at_spot(spot)
    solved = [resolver.solved(spot, RIVER, here, spot.game, 0, player) for player in range(PLAYERS)]
    tree = solved[0].tree
    possible = possible_combos(np.array(river.board, np.int64))[:, None]

    def plays(node: int) -> NDArray[np.float64]:
        strategies = solved[int(tree.player[node])].strategies
        assert strategies is not None, "its time is not limited"
        return np.where(possible, strategies[node].astype(np.float64), 1 / int(tree.children[node]))

    return tree, plays


def _spot(strategy: Strategy, river: River) -> Spot:
    """Where a river begins, as re-solving knows it."""
    tree, node = strategy.tree, river.node
    moves: list[list[int]] = [[] for _ in range(RIVER + 1)]
    while node:
        moves[tree.street[tree.parent[node]]].insert(0, int(tree.move[node]))
        node = int(tree.parent[node])
    game = tree.rules
    return Spot(game, tuple(game.starting_stacks), tuple(map(tuple, moves)), river.board)


def _same_nodes(whole: BettingTree, root: int, part: BettingTree) -> list[int]:
    """The nodes of a tree below a node, in the order of the tree that begins there."""
    nodes = [root] + [-1] * (len(part) - 1)
    for node, there in enumerate(nodes):
        children = int(part.children[node])
        first, first_there = int(part.first_child[node]), int(whole.first_child[there])
        assert children == whole.children[there], "a river's tree is part of the game's"
        for child in range(children):
            assert part.move[first + child] == whole.move[first_there + child]
            nodes[first + child] = first_there + child
    return nodes


def mean_of(values: NDArray[np.float64]) -> Mean:
    """The mean of some values with its interval."""
    found = fixed_interval(values)
    return Mean(found.mean, found.half_width)
