"""A best response that sees what a blueprint strategy sees: bets of its tree, and buckets instead of cards.

It is learned, by the sweeps that blueprints are trained with: one player learns while the other one's strategy is held
fixed. What it wins, in a match, is a lower bound of what can be won within the abstraction; what other bets and exact
cards win comes on top. A strategy that its own training has brought to an equilibrium of its abstraction loses nothing
to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...solvers.blueprints.config import BlueprintBudget, BlueprintConfig
from ...solvers.blueprints.strategy import MAX_LEVEL, Strategy
from ...solvers.blueprints.training import Trainer

PLAYERS = 2
HELD = np.float32(1e30)
"""Regrets so large that no update changes them: by regret matching they are played, in proportion, for ever."""
CHUNKS = 20


def best_response_by_buckets(
    strategy: Strategy,
    deals: int,
    threads: int = 1,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Strategy:
    """A strategy for both seats that has learned to win from a strategy with its own bets and buckets.

    deals: how many each seat learns from; the more, the closer it comes to a best response (a million for each
    megabyte of the strategy's file is a good beginning). threads: with one, the result depends on the seed alone.
    progress: told now and then how many deals are done, of 2 * deals. Where it has learned nothing, it plays the
    strategy itself. Raises ValueError for fewer than 1 deals, and as `Trainer` does for too little memory.
    """
    if deals < 1:
        raise ValueError(f"deals: {deals}; give 1 or more")
    config = BlueprintConfig(
        rules=strategy.rules,
        sizes=strategy.sizes.config(),
        cards=dict(strategy.cards_config),
        budget=BlueprintBudget(deals=deals),
        threads=threads,
        seed=seed,
    )
    level = strategy.probability.copy()
    for player in range(PLAYERS):
        trainer = Trainer(config)
        _hold(strategy, 1 - player, trainer.numbers)
        for chunk in range(1, CHUNKS + 1):
            trainer.train(deals=deals * chunk // CHUNKS)
            if progress:
                progress(player * deals + trainer.deals)
        _take_best(strategy, player, trainer.numbers, level)
    return replace(strategy, probability=level, training={"best_response_by_buckets": deals})


def _rows(strategy: Strategy, decision: int) -> tuple[slice, int]:
    """Where a decision's numbers stand in a trainer's `numbers`, and how many children it has."""
    node = strategy.nodes[decision]
    children, start = int(strategy.tree.children[node]), int(strategy.offset[decision])
    count = strategy.buckets[strategy.tree.street[node]] * children
    return slice(2 * start, 2 * (start + count)), children


def _hold(strategy: Strategy, player: int, numbers: NDArray[np.float32]) -> None:
    """Hold a player's strategy fixed: its regrets are its probabilities, times so much that nothing changes them."""
    for decision in np.flatnonzero(strategy.tree.player[strategy.nodes] == player).tolist():
        where, children = _rows(strategy, decision)
        levels = strategy.levels(decision)
        numbers[where].reshape(-1, 2 * children)[:, :children] = np.where(levels > 0, levels * HELD, -HELD)


def _take_best(strategy: Strategy, player: int, numbers: NDArray[np.float32], level: NDArray[np.uint8]) -> None:
    """Take the move with the largest regret where a player has learned which it is."""
    for decision in np.flatnonzero(strategy.tree.player[strategy.nodes] == player).tolist():
        where, children = _rows(strategy, decision)
        regrets = numbers[where].reshape(-1, 2 * children)[:, :children]
        best = np.eye(children, dtype=np.uint8)[regrets.argmax(axis=1)] * np.uint8(MAX_LEVEL)
        own = level[where.start // 2 : where.stop // 2].reshape(-1, children)
        own[:] = np.where(regrets.any(axis=1, keepdims=True), best, own)
