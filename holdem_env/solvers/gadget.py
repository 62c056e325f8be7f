"""Solving for a player whose opponent may have come with other hands than assumed.

A solution is good against the ranges that it was made with. An opponent who comes with other hands may win more than
before the subgame was re-solved. Here the opponent has a way out before the root (the gadget of Burch, Johanson and
Bowling 2014): with each hand it either plays on or takes a value that is given, such as what the hand would have won
without re-solving. Hands that play on are those that win more than that, and so the player learns to let no hand do.

By that alone the player would not try to win more than it must. So most of the opponent's hands come with the assumed
range, and the others by the gadget.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import possible_combos
from .boards import PLAYERS
from .cfr import TRAIN, normalize
from .public_game import PublicGame
from .solver import Solver
from .trees.betting_tree import BettingTree

ASSUMED = 0.7  # the part of the opponent's hands that comes with the assumed range
LEAST = 1e-6  # the weight of the opponent's other hands in its range, the largest being 1: so they are there at all


class Guard(NamedTuple):
    """player: who is to be safe. ways_out: (1326,), the chips that the opponent may take out of the pot with each hand
    instead of playing on, less what it would have put in from the root on; as `Solution.ev`."""

    player: int
    ways_out: NDArray[np.float64]


class GuardedSolver(Solver):
    """A subgame that is solved for one player, whose opponent has ways out. What the opponent's strategy is, is only
    what the player's was made against."""

    def __init__(self, tree: BettingTree, board: Any, ranges: Any, guard: Guard) -> None:
        player, opponent = guard.player, 1 - guard.player
        held = np.array(ranges, np.float64)
        possible = possible_combos(np.asarray(board, np.int64))
        held[opponent] = np.where(possible, np.maximum(held[opponent], LEAST * held[opponent].max()), 0.0)
        super().__init__(PublicGame(tree, tree.rules, board, held, isomorphic=False))
        assert player in range(PLAYERS)
        self._opponent = opponent
        listed = self.game.boards.hands(opponent, 0)
        self._met = self.game.met[opponent, : len(listed)]
        self._out = (guard.ways_out[listed] - int(tree.put_in[0, opponent])) * self._met
        self._assumed = self._shared(self.game.weights[opponent, : len(listed)].astype(np.float64))
        self._entry_regrets = np.zeros((2, len(listed)))  # of playing on, and of the way out

    def iterate(self, count: int) -> None:
        """Run iterations, in each of which the opponent chooses again which hands play on."""
        weights = self.game.weights.copy()
        for factors in self.factors(count):
            plays_on: NDArray[np.float64] = normalize(self._entry_regrets, axis=0)[0]
            comes = ASSUMED * self._assumed + (1 - ASSUMED) * self._shared(plays_on)
            weights[self._opponent, : len(comes)] = comes / comes.max()
            values = self._run(TRAIN, factors[None, :], weights)[self._opponent, : len(comes)].astype(np.float64)
            # As `cfr.update_regrets`, for the two actions of the gadget.
            value = plays_on * values + (1 - plays_on) * self._out
            kept = np.where(self._entry_regrets > 0, factors[0], factors[1])
            self._entry_regrets = self._entry_regrets * kept + np.stack([values, self._out]) - value
        self.iterations += count

    def _shared(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights such that a pair of hands that may meet weighs 1 in all; all alike if none does."""
        total = (weights * self._met).sum()
        return np.asarray(weights / total if total > 0 else np.ones_like(weights) / self._met.sum())
