"""Solved examples that a value network is trained on: a board with ranges, the next card drawn, the rest solved.

The card is drawn, not averaged over: a network that is fitted to many such examples learns the mean.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ...cards.combos import COMBOS, possible_combos
from ...cards.text import CARDS
from ...game.rules import Rules
from ..card_tables import CardAbstraction
from ..cfr import VALUE
from ..public_game import PublicGame
from ..solver import Solver
from ..trees.bet_sizes import BetSizes
from ..trees.betting_tree import BettingTree
from .network import EVEN, PLAYERS, TINY, Buckets, Seen, ValueNetwork, seen_of
from .pairs import Pairs, pairs_of
from .street import ByHand, solve_street

Floats = NDArray[np.float32]
GAME = Rules(seats=2, blinds=(1, 2), min_bet=1)
POT = 1_000
RIVER_SIZES = BetSizes("70%, all-in | 100%, all-in | all-in")
TURN_SIZES = BetSizes({"turn": "70%, all-in | all-in", "river": "all-in"})
RIVER_ITERATIONS, TURN_ITERATIONS = 60, 24


class Board(NamedTuple):
    """A board with what does not depend on ranges."""

    cards: tuple[int, ...]
    pairs: Pairs
    buckets: Buckets

    @classmethod
    def of(cls, cards: tuple[int, ...], abstraction: CardAbstraction) -> Board:
        pairs = pairs_of(cards)
        return cls(cards, pairs, Buckets.on(abstraction, cards, pairs))

    def seen(self, ranges: ByHand, depth: float) -> tuple[Seen, Floats]:
        """What a network sees of ranges (2, 1326), one state; and (2, N), the weight of hands that each hand meets."""
        weights = ranges[:, self.pairs.combos]
        weights = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
        met = self.pairs.met(weights[::-1])
        shares = np.asarray(self.pairs.won(weights[::-1]) / np.maximum(met, TINY), np.float32)
        return seen_of(weights[None], met[None], shares[None], self.buckets, np.array([depth], np.float32)), met


class Example(NamedTuple):
    """What a network sees, and what it is to say. gain: (2, K) float32, what the hands of each bucket win beyond their
    equity, in pots. trust: (2, K), how much each of them counts."""

    seen: Seen
    gain: Floats
    trust: Floats


def example(board: Board, ranges: ByHand, depth: float, random: Generator, network: ValueNetwork | None) -> Example:
    """One example. ranges: (2, 1326), by player. depth: what both can still bet, in pots. network: of the river's card,
    to value the turns that follow a flop; None: the board is a turn."""
    combos = board.pairs.combos
    seen, met = board.seen(ranges, depth)
    card = int(random.choice(np.setdiff1d(np.arange(CARDS), board.cards)))
    gains, met_after = after_card(board, card, ranges, depth, network)
    trusted = np.where(np.isnan(gains), 0.0, met_after)[:, combos].astype(np.float32)
    sums = np.nan_to_num(gains)[:, combos].astype(np.float32) * trusted
    total = trusted @ board.buckets.of
    gain = np.divide(sums @ board.buckets.of, total, out=np.zeros_like(total), where=total > TINY)
    # Half by how often the hands come, half by how many there are: search asks for those that never come, too.
    often = EVEN * seen.weight[0] + EVEN * board.buckets.hands / board.buckets.hands.sum()
    here = np.maximum(met @ board.buckets.of, TINY)
    return Example(seen, gain, (often * total / here).astype(np.float32))


def after_card(
    board: Board, card: int, ranges: ByHand, depth: float, network: ValueNetwork | None
) -> tuple[ByHand, ByHand]:
    """(2, 1326) each: what hands win beyond their equity when the card has come, in pots, NaN where there is none; and
    the weight of hands that they meet then."""
    after = (*board.cards, card)
    left = np.where(possible_combos(np.array(after, np.int64)), ranges, 0.0)
    return _river(after, left, depth) if network is None else _turn(after, left, depth, network)


def _river(board: tuple[int, ...], ranges: ByHand, depth: float) -> tuple[ByHand, ByHand]:
    tree = BettingTree.from_spot(GAME, RIVER_SIZES, "river", POT, max(round(depth * POT), 1))
    solver = Solver(PublicGame(tree, GAME, board, ranges, isomorphic=False))
    solver.iterate(RIVER_ITERATIONS)
    won = solver.by_hand(solver.values(VALUE)) + tree.put_in[0][:, None]
    equities = solver.by_hand(solver.equities())
    met = np.zeros((PLAYERS, COMBOS))
    for player in range(PLAYERS):
        held = solver.game.boards.hands(player, 0)
        met[player, held] = solver.game.met[player, : len(held)]
    return won / POT - equities, met


def _turn(board: tuple[int, ...], ranges: ByHand, depth: float, network: ValueNetwork) -> tuple[ByHand, ByHand]:
    """`after_card` on a turn whose ends the network values."""
    tree = BettingTree.from_spot(GAME, TURN_SIZES, "turn", POT, max(round(depth * POT), 1))
    pairs = pairs_of(board)
    won = solve_street(tree, board, ranges, network, TURN_ITERATIONS).values
    weights = ranges[::-1, pairs.combos].astype(np.float32)
    met, equities = np.zeros((PLAYERS, COMBOS)), np.full((PLAYERS, COMBOS), np.nan)
    met[:, pairs.combos] = found = pairs.met(weights)
    equities[:, pairs.combos] = pairs.won(weights) / np.maximum(found, TINY)
    return won / POT - equities, met


# Situations


def random_ranges(strength: Floats, combos: NDArray[np.int64], random: Generator) -> ByHand:
    """(2, 1326): ranges that split their weight at random between the stronger and the weaker half of hands, and each
    half likewise (Moravčík et al. 2017, the generator of random ranges). strength: (N,), of hands `combos`."""
    order = np.argsort(strength + random.random(len(strength)) * TINY)
    ranges = np.zeros((PLAYERS, COMBOS))
    for player in range(PLAYERS):
        weights = np.ones(1)
        while len(weights) < len(order):
            part = random.random(len(weights))
            weights = np.column_stack((weights * part, weights * (1 - part))).ravel()
        places = np.arange(len(order)) * len(weights) // len(order)
        ranges[player, combos[order]] = np.add.reduceat(weights, places)
    return ranges


def random_board(count: int, random: Generator) -> tuple[int, ...]:
    """Cards of a flop or a turn."""
    cards = random.permutation(CARDS)[:count].tolist()
    return (*sorted(cards[:3]), *cards[3:])


def random_depth(deepest: float, random: Generator) -> float:
    """What both can still bet, in pots, as likely between 0.1 and 0.2 as between 10 and 20."""
    return float(np.exp(random.uniform(np.log(0.1), np.log(deepest))))


def mixed(ranges: ByHand, others: ByHand, random: Generator) -> ByHand:
    """ByHand with a part of others, often none, and of all hands: opponents come with more than one expects."""
    sums = [each / each.sum(axis=1, keepdims=True) for each in (ranges, others, np.where(others > 0, 1.0, 0.0))]
    parts = random.choice([0.0, 0.05, 0.2], size=2)
    return np.asarray((1 - parts.sum()) * sums[0] + parts[0] * sums[1] + parts[1] * sums[2])
