"""Files of solved examples, each made by one process from its number, so that a run that was killed goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.solvers.blueprints.agent import shipped_path
from holdem_env.solvers.blueprints.strategy import Strategy
from holdem_env.solvers.blueprints.strategy_file import load_strategy
from holdem_env.solvers.card_tables import CardAbstraction
from holdem_env.solvers.values.labels import Board, Example, example, mixed, random_board, random_depth, random_ranges
from holdem_env.solvers.values.network import STREETS, TINY, ValueNetwork, load_values, shipped_values
from holdem_env.utils.atomic import whole_file

from .played import ranges_at, sampled_rivers

BOARDS, ROWS = 50, 6
"""Boards of a file, and examples on each of them."""
CARDS = CardAbstraction("potential", flop=200, turn=200)
DEEPEST = 50.0
"""What both can still bet, in pots: 100 big blinds after a limped pot."""
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Shard:
    """A file of examples. street: of the card to come. blueprint: whose play gives half of the ranges. network: of the
    river, for turns."""

    number: int
    street: str
    blueprint: str
    network: str | None
    seed: int
    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / f"{self.number:06d}.npz"


def make_shard(shard: Shard) -> Path:
    """Solve the examples of a file and write it."""
    random = np.random.default_rng([shard.seed, shard.number])
    network = network_below(shard)
    examples = [
        example(board, ranges, depth, random, network)
        for board, ranges, depth in islice(situations(shard, random), BOARDS * ROWS)
    ]
    arrays = arrays_of(examples)
    with whole_file(shard.path) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]  # its stub takes the names for allow_pickle
    return shard.path


def network_below(shard: Shard) -> ValueNetwork | None:
    """The network that values turns; None where rivers are solved."""
    if shard.street == "river":
        return None
    network = load_values(shard.network) if shard.network else shipped_values("river")
    if network is None or network.street != "river":
        raise ValueError("values: examples before the turn need a network of the river")
    return network


def arrays_of(examples: list[Example]) -> Arrays:
    """Examples as arrays of one row each, float16."""
    columns = {
        "weight": [each.seen.weight[0] for each in examples],
        "equity": [each.seen.equity[0] for each in examples],
        "hands": [each.seen.hands for each in examples],
        "depth": [each.seen.depth[0] for each in examples],
        "gain": [each.gain for each in examples],
        "trust": [each.trust for each in examples],
    }
    return {name: np.array(rows, np.float16 if name != "depth" else np.float32) for name, rows in columns.items()}


def situations(
    shard: Shard, random: np.random.Generator, rows: int = ROWS
) -> Iterator[tuple[Board, NDArray[np.float64], float]]:
    """Boards, ranges and depths without end: half of the boards from the blueprint's own play, half at random."""
    strategy, size = _strategy(shard.blueprint), STREETS[shard.street]
    spots = sampled_rivers(strategy, int(random.integers(2**31)), size - 1)
    for k in count():
        played = next(spots) if k % 2 else None
        board = Board.of(played.board[:size] if played else random_board(size, random), CARDS)
        own = ranges_at(strategy, played.node, board.cards) if played else None
        for _ in range(rows):
            others = random_ranges(_strength(board), board.pairs.combos, random)
            depth = random_depth(DEEPEST, random)
            if own is None or played is None:
                yield board, mixed(others, others, random), depth
            else:
                ranges = mixed(own, others, random)
                yield board, ranges, depth if random.random() < 1 / 3 else depth_at(strategy, played.node)


def depth_at(strategy: Strategy, node: int) -> float:
    """What both can still bet at a node, in pots."""
    tree = strategy.tree
    left = min(strategy.rules.starting_stacks) - int(tree.put_in[node].max())
    return max(left, 1) / int(tree.pot[node])


def _strength(board: Board) -> NDArray[np.float32]:
    """(N,): the mean share of each hand of a board against all others."""
    ones = np.ones((1, len(board.pairs.combos)), np.float32)
    found: NDArray[np.float32] = (board.pairs.won(ones) / np.maximum(board.pairs.met(ones), TINY))[0]
    return found


@lru_cache(maxsize=2)
def _strategy(name: str) -> Strategy:
    return load_strategy(name if Path(name).suffix else shipped_path(name))


def load_shards(paths: list[Path]) -> Arrays:
    """All examples of files, one after the other."""
    parts = [dict(np.load(path)) for path in paths]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
