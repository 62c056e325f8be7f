"""A best response that sees what a blueprint strategy sees: bets of its tree, and buckets instead of cards.

It is learned, by the sweeps that blueprints are trained with: one player begins with the strategy itself and learns to
do better, while the other one's strategy is held fixed. Where it has seen too little, it stays with the strategy. What
it wins, in a match, is a lower bound of what can be won within the abstraction; what other bets and exact cards win
comes on top. A strategy that is an equilibrium of its abstraction loses nothing to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from holdem_env.solvers.blueprints.config import BlueprintBudget, BlueprintConfig
from holdem_env.solvers.blueprints.strategy import MAX_LEVEL, Strategy
from holdem_env.solvers.blueprints.training import UNIT_DEALS, Trainer

PLAYERS = 2
HELD = np.float32(1e30)
"""Regrets so large that no update changes them: by regret matching they are played, in proportion, for ever."""
STANDING = 5.0
"""How many pots of regret at an average deal's weight the strategy's own probabilities begin with: a few hundred deals
that come to a decision with a bucket outweigh them."""
CHUNKS = 20


def best_response_by_buckets(
    strategy: Strategy,
    deals: int,
    threads: int = 1,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Strategy:
    """A strategy for both seats that has learned to win from a strategy with its own bets and buckets.

    deals: how many each seat learns from; the more, the closer it comes to a best response. threads: with one, the
    result depends on the seed alone. progress: called now and then with the number of deals done, of 2 * deals.
    Raises ValueError for fewer than 1 deals, and as `Trainer` does for too little memory.
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
        _hold(strategy, 1 - player, trainer.cumulative)
        _begin(strategy, player, trainer.cumulative, deals)
        for chunk in range(1, CHUNKS + 1):
            trainer.train(deals=deals * chunk // CHUNKS)
            if progress:
                progress(player * deals + trainer.deals)
        _take_best(strategy, player, trainer.cumulative, level)
    return replace(strategy, probability=level, training={"best_response_by_buckets": deals})


def _rows(strategy: Strategy, decision: int) -> tuple[slice, int]:
    """Where a decision's entries stand in a trainer's `cumulative`, and how many children it has."""
    node = strategy.nodes[decision]
    children, start = int(strategy.tree.children[node]), int(strategy.offset[decision])
    count = strategy.buckets[strategy.tree.street[node]] * children
    return slice(2 * start, 2 * (start + count)), children


def _hold(strategy: Strategy, player: int, cumulative: NDArray[np.float32]) -> None:
    """Hold a player's strategy fixed: its regrets are its probabilities, times HELD."""
    for decision in np.flatnonzero(strategy.tree.player[strategy.nodes] == player).tolist():
        where, children = _rows(strategy, decision)
        levels = strategy.levels(decision)
        cumulative[where].reshape(-1, 2 * children)[:, :children] = np.where(levels > 0, levels * HELD, -HELD)


def _begin(strategy: Strategy, player: int, cumulative: NDArray[np.float32], deals: int) -> None:
    """Let a player begin with the strategy itself."""
    for decision in np.flatnonzero(strategy.tree.player[strategy.nodes] == player).tolist():
        where, children = _rows(strategy, decision)
        pot = float(strategy.tree.pot[strategy.nodes[decision]]) / strategy.rules.unit
        probabilities = strategy.probabilities(decision)
        cumulative[where].reshape(-1, 2 * children)[:, :children] = probabilities * (
            STANDING * pot * deals / UNIT_DEALS
        )


def _take_best(strategy: Strategy, player: int, cumulative: NDArray[np.float32], level: NDArray[np.uint8]) -> None:
    """Take what a player plays in the end, by regret matching."""
    for decision in np.flatnonzero(strategy.tree.player[strategy.nodes] == player).tolist():
        where, children = _rows(strategy, decision)
        regrets = np.maximum(cumulative[where].reshape(-1, 2 * children)[:, :children], 0)
        most = regrets.max(axis=1, keepdims=True)
        own = level[where.start // 2 : where.stop // 2].reshape(-1, children)
        found = np.rint(MAX_LEVEL * np.divide(regrets, most, out=np.zeros_like(regrets), where=most > 0))
        own[:] = np.where(most > 0, found.astype(np.uint8), own)
