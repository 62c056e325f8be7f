"""How wrong a value network is: against the solutions of every next card, on spots that it never saw."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from holdem_env.cards.text import CARDS
from holdem_env.solvers.values.labels import Board, after_card
from holdem_env.solvers.values.network import ValueNetwork

from .examples import Shard, network_below, situations

DEPTHS = (0.0, 1.0, 4.0, 15.0, np.inf)
PERCENT = 100


@dataclass(frozen=True)
class Accuracy:
    """depth: what can still be bet, in pots, as text. spots: how many. network, equity: mean absolute errors in percent
    of the pot."""

    depth: str
    spots: int
    network: float
    equity: float


def accuracy(network: ValueNetwork, shard: Shard, spots: int) -> list[Accuracy]:
    """Errors by how much can still be bet, on spots of a shard that was not fitted. A spot before the river takes some
    half a second, one before the turn 10."""
    random, below, found = np.random.default_rng([shard.seed, shard.number]), network_below(shard), []
    for (board, ranges, depth), _ in zip(situations(shard, random, rows=1), range(spots), strict=False):
        found.append((depth, *errors(network, below, board, ranges, depth)))
    rows = np.array(found)
    lines = []
    for low, high in pairwise(DEPTHS):
        here = rows[(rows[:, 0] >= low) & (rows[:, 0] < high)]
        if len(here):
            text = f"above {low:g}" if high == np.inf else f"{low:g} to {high:g}"
            lines.append(Accuracy(text, len(here), *(PERCENT * here[:, 1:].mean(axis=0)).tolist()))
    return lines


def errors(
    network: ValueNetwork, below: ValueNetwork | None, board: Board, ranges: NDArray[np.float64], depth: float
) -> tuple[float, float]:
    """The mean absolute error of hands' values, in pots, of a network and of equities alone. below: of turns."""
    seen, met = board.seen(ranges, depth)
    said = network(seen)[0][:, board.buckets.number]
    exact = exact_gains(below, board, ranges, depth)
    weights = ranges[:, board.pairs.combos]
    together = weights * met / (weights * met).sum(axis=1, keepdims=True) / len(weights)
    known = ~np.isnan(exact)
    together = np.where(known, together, 0.0)
    exact = np.where(known, exact, 0.0)
    return float((together * np.abs(said - exact)).sum()), float((together * np.abs(exact)).sum())


def exact_gains(
    below: ValueNetwork | None, board: Board, ranges: NDArray[np.float64], depth: float
) -> NDArray[np.float64]:
    """(2, N): what hands win beyond their equity, in pots, the mean over every next card. below: the network that
    values turns; None on the turn, whose rivers are solved."""
    sums, weights = np.zeros_like(ranges), np.zeros_like(ranges)
    for card in np.setdiff1d(np.arange(CARDS), board.cards).tolist():
        gains, met = after_card(board, card, ranges, depth, below)
        sums += np.nan_to_num(gains) * met
        weights += np.where(np.isnan(gains), 0.0, met)
    means = np.divide(sums, weights, out=np.full_like(sums, np.nan), where=weights > 0)
    found: NDArray[np.float64] = means[:, board.pairs.combos]
    return found
