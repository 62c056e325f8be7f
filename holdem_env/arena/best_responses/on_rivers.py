"""What a blueprint's river play can be taken for, exactly: plain, and re-solved.

    found = river_exploitability(load_strategy("mine.strategy"), rivers=200)
    print(found.plain, found.resolved)      # in percent of the pot

Rivers come from the strategy playing itself with real cards. On each of them, all hands of both players are weighed by
Bayes' rule, and a best response that sees every card is played against what the strategy does there: first as it is, by
buckets, then re-solved with these ranges, as `BlueprintAgent(search="river")` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.sampling import sampled_columns
from ...cards.combos import combo_number, possible_combos
from ...cards.text import CARDS
from ...solvers.blueprints.agent import BlueprintAgent
from ...solvers.blueprints.resolving import FLOOR, Spot, at_spot, replayed
from ...solvers.blueprints.strategy import Strategy
from ...solvers.card_tables.abstraction import SIZES as BOARD_SIZES
from ...solvers.card_tables.abstraction import CardAbstraction
from ...solvers.subgames import exploitability
from ...solvers.subgames.study import Plays
from ...solvers.trees.betting_tree import BettingTree
from ...solvers.trees.walking import DECISION
from ..statistics.intervals import fixed_interval

RIVER = 3
PLAYERS = 2
DEALT = 9
"""Cards of a deal: two of each player, and the board."""
FEWEST = 2
MOST_HANDS_A_RIVER = 2_000
"""A strategy that comes to a river with a decision less often is refused."""
PERCENT = 100
PER_MILLE = 1000


class River(NamedTuple):
    """A river that the strategy came to. node: of its tree. ranges: (2, 1326), by player, that sum to 1 each. hands:
    how many were played to come there."""

    node: int
    board: tuple[int, ...]
    ranges: NDArray[np.float64]
    hands: int


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
    if rivers < FEWEST:
        raise ValueError(f"rivers: {rivers}; give {FEWEST} or more")
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


def sampled_rivers(strategy: Strategy, seed: int = 0, street: int = RIVER) -> Iterator[River]:
    """Rivers with a decision that the strategy comes to when it plays itself, without end; or where another street
    begins, with the whole board. Raises as `river_exploitability` does."""
    CardAbstraction.check_rules(strategy.rules)
    random = np.random.default_rng(seed)
    hands = 0
    while True:
        hands += 1
        deal = random.permutation(CARDS)[:DEALT].tolist()
        deal[4:7] = sorted(deal[4:7])
        node = _played(strategy, deal, random, street)
        if node is not None:
            board = tuple(deal[4:])
            yield River(node, board, ranges_at(strategy, node, board), hands)
            hands = 0
        elif hands > MOST_HANDS_A_RIVER:
            raise ValueError(f"river: the strategy came to no river with a decision in {hands - 1:,} hands")


def ranges_at(strategy: Strategy, node: int, board: tuple[int, ...]) -> NDArray[np.float64]:
    """(2, 1326): how likely each hand of both players is at a node, by Bayes' rule; each sums to 1."""
    tree = strategy.tree
    ranges = np.tile(possible_combos(np.array(board, np.int64)).astype(np.float64), (PLAYERS, 1))
    while node:
        parent = int(tree.parent[node])
        rows = rows_at(strategy, parent, board)
        ranges[tree.player[parent]] *= rows[:, node - int(tree.first_child[parent])]
        node = parent
    normal: NDArray[np.float64] = ranges / ranges.sum(axis=1, keepdims=True)
    return normal


def rows_at(strategy: Strategy, node: int, board: tuple[int, ...]) -> NDArray[np.float64]:
    """(1326, children): what the strategy does at a node with each hand, by the cards that lie there. Hands
    that cannot be have even rows."""
    tree = strategy.tree
    street = int(tree.street[node])
    buckets = strategy.cards.buckets(street, board[: BOARD_SIZES[street]])
    by_bucket = strategy.probabilities(int(tree.decision[node]))
    rows: NDArray[np.float64] = np.where((buckets >= 0)[:, None], by_bucket[buckets], 1 / by_bucket.shape[1])
    return rows


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
        solution = solved[int(tree.player[node])].solution
        assert solution is not None, "its time is not limited"
        return np.where(possible, solution.strategy(node), 1 / int(tree.children[node]))

    return tree, plays


def _played(strategy: Strategy, deal: list[int], random: np.random.Generator, last: int) -> int | None:
    """The node at which a hand came to a street with somebody to act, if it did."""
    tree, board = strategy.tree, deal[PLAYERS * 2 :]
    hands = [combo_number(*deal[2 * player : 2 * player + 2]) for player in range(PLAYERS)]
    node = 0
    while tree.kind[node] == DECISION:
        street = int(tree.street[node])
        if street == last:
            return node
        buckets = strategy.cards.buckets(street, board[: BOARD_SIZES[street]])
        probabilities = strategy.probabilities(int(tree.decision[node]), int(buckets[hands[tree.player[node]]]))
        node = int(tree.first_child[node]) + int(sampled_columns(probabilities[None], random)[0])
    return None


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
