"""`SubgameSolver`: a betting tree on a board solved for both ranges, by discounted CFR."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBOS
from ...cards.text import CARDS
from ..cfr.discounting import SUBGAME_DCFR
from ..cfr.updates import BEST, TRAIN, VALUE
from .boards import BLOCK, build_levels
from .segments import DECISION, PLAYERS, SHOWDOWN, plan_segments
from .terminals import DECK, LANES
from .traversal import Subgame, Workspace, run

HOLE_CARDS = 2
MOST_LEVELS = 3
CACHE_LINE = 64  # bytes
NOTHING = 1e-6
"""A hand that meets less than this part of what others meet meets none: that is what float32 leaves of zero."""


class SubgameSolver:
    """A subgame while it is solved.

    regrets, cumulative_strategy: (entries,) float32; those of an action node begin at `game.offset`, and stand on each
    board as rows of hands, one for each action. weights: (2, width) float32, of the hands on the first board.
    """

    def __init__(self, tree: Any, board: Any, ranges: Any, with_isomorphism: bool = True) -> None:
        self.tree, self.board = tree, np.asarray(board, np.int64)
        self.ranges = np.asarray(ranges, np.float64)
        self.levels = build_levels(self.board, self.ranges, with_isomorphism)
        self.game = make_subgame(tree, self.levels)
        self.workspace = new_workspace(self.game)
        self.regrets, self.cumulative_strategy = aligned_zeros((2, int(self.game.offset[-1])), np.float32)
        self.weights = _weights_of_hands(self.levels[0], self.ranges)
        self.iterations = 0

    def iterate(self, count: int) -> None:
        """Run iterations."""
        self._run(TRAIN, self.factors(count))
        self.iterations += count

    def factors(self, count: int) -> Any:
        """(count, 3) float32: the discounts of the next iterations."""
        return SUBGAME_DCFR.factors(self.iterations + 1, count).astype(np.float32)

    def values(self, mode: int) -> Any:
        """(2, width) float32: counterfactual values of the hands on the first board. mode: VALUE for both players'
        average strategies, BEST for each player's best response to the other's."""
        return self._run(mode, np.ones((1, 3), np.float32))

    def _run(self, mode: int, factors: Any) -> Any:
        values = np.zeros_like(self.weights)
        run(self.game, self.workspace, self.weights, self.regrets, self.cumulative_strategy, mode, factors, values)
        return values

    def exploitability(self) -> float:
        """In chips: what best responses gain over the average strategies, the mean of both players."""
        best, played = (self._mean(self.values(mode)) for mode in (BEST, VALUE))
        return float((best - played).mean())

    def _mean(self, values: Any) -> Any:
        """(2,): the values of all hands together, in chips."""
        return (values.astype(np.float64) * self.weights).sum(axis=1) / self.pair_weight

    def lock(self, locked: Mapping[int, Any]) -> None:
        """Hold strategies fixed: by node, (1326, children) probabilities."""
        for node, strategy in locked.items():
            self.set_strategy(node, strategy)
            self.game.is_locked[node] = True

    def set_strategy(self, node: int, strategy: Any) -> None:
        """Take (1326, children) probabilities for what is played at a node, whatever cards were dealt since the
        root."""
        depth = int(self.tree.street[node]) - int(self.tree.street[0])
        level, player = self.levels[depth], int(self.tree.player[node])
        width = int(self.game.width[player, depth])
        first = int(self.game.offset[node])
        rows = np.zeros((len(level.boards), strategy.shape[1], width), np.float32)
        for board in range(len(level.boards)):
            n = level.count[player, board]
            rows[board, :, :n] = strategy[level.combo[player, board, :n]].T
        for target in (self.regrets, self.cumulative_strategy):
            target[first : first + rows.size] = rows.ravel()

    @cached_property
    def opponent_weights(self) -> Any:
        """(2, width): the weight of the other player's hands that share no card with each hand."""
        level = self.levels[0]
        found = np.zeros(self.weights.shape)
        for p in range(PLAYERS):
            n, m = level.count[p, 0], level.count[1 - p, 0]
            other = self.weights[1 - p, :m].astype(np.float64)
            by_card = np.zeros(CARDS)
            for cards in level.cards[1 - p, 0, :, :m]:
                np.add.at(by_card, cards, other)
            both = np.append(other, 0.0)[level.same[p, 0, :n]]
            found[p, :n] = other.sum() - by_card[level.cards[p, 0, :, :n]].sum(axis=0) + both
        return found.clip(0)

    @cached_property
    def pair_weight(self) -> float:
        """The weight of all pairs of hands that may meet."""
        return float((self.weights[0] * self.opponent_weights[0]).sum())

    def results(self) -> dict[str, Any]:
        """What a SubgameSolution says about the average strategies."""
        played, best = self.values(VALUE), self.values(BEST)
        bets = self.tree.put_in[0][:, None]
        values, equities = self._mean(played), self._equities()
        return {
            "iterations": self.iterations,
            "exploitability": float((self._mean(best) - values).mean()),
            "ev": self.by_combo(played) + bets,
            "values": values + bets[:, 0],
            "equity": self.by_combo(equities),
            "shares": self._mean(equities),
        }

    def _equities(self) -> Any:
        """(2, width): the share of the pot that each hand gets without any bet, as counterfactual values."""
        game = make_subgame(RUN_OUT, self.levels)
        values, none = np.zeros_like(self.weights), np.zeros(0, np.float32)
        run(game, new_workspace(game), self.weights, none, none, VALUE, np.ones((1, 3), np.float32), values)
        return values

    def by_combo(self, values: Any) -> Any:
        """(2, 1326): counterfactual values per hand that each hand meets, NaN where there is none."""
        found = np.full((PLAYERS, COMBOS), np.nan)
        for p in range(PLAYERS):
            n = self.levels[0].count[p, 0]
            own, met = values[p, :n].astype(np.float64), self.opponent_weights[p, :n]
            with np.errstate(invalid="ignore", divide="ignore"):
                found[p, self.levels[0].combo[p, 0, :n]] = np.where(met > NOTHING * met.max(), own / met, np.nan)
        return found


class Nodes(NamedTuple):
    """What a walk needs of a betting tree."""

    kind: Any
    street: Any
    player: Any
    first_child: Any
    children: Any
    street_start: Any
    payoff: Any


NOBODY = np.full(1, -1)
RUN_OUT = Nodes(
    np.array([SHOWDOWN]),
    np.zeros(1, np.int64),
    NOBODY,
    NOBODY,
    NOBODY,
    np.zeros(1, np.bool_),
    np.array([[[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]]),
)
"""Nobody bets: what is at stake is 1."""


def _weights_of_hands(level: Any, ranges: Any) -> Any:
    """(2, width) float32: the weights of the listed hands, the largest of a range being 1."""
    weights = np.zeros((PLAYERS, level.combo.shape[2]), np.float32)
    for p in range(PLAYERS):
        n = level.count[p, 0]
        held = ranges[p, level.combo[p, 0, :n]]
        weights[p, :n] = held / held.max()
    return weights


def make_subgame(tree: Any, levels: Any) -> Subgame:
    """The arrays that a walk reads."""
    segments = plan_segments(tree, len(levels))
    kind = np.array(tree.kind, np.int8)  # a copy, as kernels are compiled again for arrays that cannot be written
    nodes = len(kind)
    is_end = kind == SHOWDOWN
    depth = np.asarray(tree.street, np.int64) - int(tree.street[0])
    width = np.array([[_padded(level.count[p].max()) for level in levels] for p in range(PLAYERS)], np.int64)
    offset = np.zeros(nodes + 1, np.int64)
    for node in np.flatnonzero(kind == DECISION):
        boards = len(levels[depth[node]].boards)
        offset[node + 1] = boards * int(tree.children[node]) * width[tree.player[node], depth[node]]
    offset = np.cumsum(offset)
    return Subgame(
        kind,
        np.asarray(tree.player, np.int64),
        np.asarray(tree.first_child, np.int64),
        np.asarray(tree.children, np.int64),
        np.asarray(tree.street_start, np.bool_) | (is_end & (depth < len(levels) - 1)),
        depth,
        segments,
        (*levels, *[levels[-1]] * (MOST_LEVELS - len(levels))),
        len(levels) - 1,
        np.array([1 / (CARDS - 2 * HOLE_CARDS - level.boards.shape[1]) for level in levels], np.float32),
        offset,
        width,
        np.zeros(nodes, np.bool_),
    )


def _padded(count: int) -> int:
    return -(-int(count) // BLOCK) * BLOCK


def new_workspace(game: Subgame) -> Workspace:
    """Room for a walk."""
    widths = [level.combo.shape[2] for level in game.levels]
    rows = np.ones((MOST_LEVELS, 2), np.int64)
    rows[: game.last + 1] = game.segments.row_counts
    most = max(widths)
    return Workspace(
        tuple(aligned_zeros((rows[level, 0], width), np.float32) for level, width in enumerate(widths)),
        tuple(aligned_zeros((rows[level, 1], width), np.float32) for level, width in enumerate(widths)),
        aligned_zeros(most, np.float32),
        aligned_zeros(most, np.float32),
        aligned_zeros((DECK + 1, LANES), np.float32),
        aligned_zeros((most, LANES), np.float32),
        aligned_zeros((most, LANES), np.float32),
        aligned_zeros((most, LANES), np.float32),
        aligned_zeros((most, LANES), np.float32),
        aligned_zeros(most, np.int16),
    )


def aligned_zeros(shape: Any, dtype: Any) -> NDArray[Any]:
    """As numpy.zeros, beginning at a cache line. Rows are whole cache lines (`BLOCK`), but NumPy's memory begins
    anywhere: where vectors of eight hands straddle cache lines an iteration takes 12 % longer (`python -m benchmarks
    solvers`, rivers)."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + CACHE_LINE, np.uint8)
    first = -memory.ctypes.data % CACHE_LINE
    aligned: NDArray[Any] = memory[first : first + size].view(dtype).reshape(shape)
    return aligned
