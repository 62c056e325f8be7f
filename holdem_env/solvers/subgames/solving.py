"""The rest of a hand solved: a betting tree, a board and both ranges whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...cards.combos import COMBOS
from ...cards.text import CARDS
from .boards import BLOCK, build_levels
from .lanes import DECK, LANES
from .segments import DECISION, PLAYERS, SHOWDOWN, plan_segments
from .walking import BEST, LEARN, PLAYED, Subgame, Workplace, run

HOLE_CARDS = 2
MOST_LEVELS = 3
NOTHING = 1e-6
"""A hand that meets less than this part of what others meet meets none: that is what float32 leaves of zero."""


@dataclass
class Discounting:
    """What the past counts for in iteration t: positive regrets t**a / (t**a + 1), negative ones the same with b,
    averages (t / (t + 1)) ** c."""

    positive: float = 1.5
    negative: float = 0.0
    average: float = 3.0

    def factors(self, first: int, count: int) -> Any:
        """(count, 3) float32, from iteration `first` on, which is 1 or more."""
        t = np.arange(first, first + count, dtype=np.float64)
        grown, shrunk = t**self.positive, t**self.negative
        factors = [grown / (grown + 1), shrunk / (shrunk + 1), ((t - 1) / t) ** self.average]
        return np.stack(factors, axis=1).astype(np.float32)


class Solving:
    """A subgame while it is solved: its arrays, and the numbers of its decisions."""

    def __init__(self, tree: Any, board: Any, ranges: Any, with_isomorphism: bool = True) -> None:
        self.tree, self.board = tree, np.asarray(board, np.int64)
        self.ranges = np.asarray(ranges, np.float64)
        self.levels = build_levels(self.board, self.ranges, with_isomorphism)
        self.game = make_subgame(tree, self.levels)
        self.work = workplace_of(self.game)
        numbers = int(self.game.offset[-1])
        self.regrets, self.averages = np.zeros((2, numbers), np.float32)
        self.weights = _weights_of_hands(self.levels[0], self.ranges)
        self.iterations = 0
        self.discounting = Discounting()

    def iterate(self, count: int) -> None:
        """Run iterations."""
        self._run(LEARN, self.discounting.factors(self.iterations + 1, count))
        self.iterations += count

    def values(self, mode: int) -> Any:
        """(2, width) float32: see `walking.run`."""
        return self._run(mode, np.ones((1, 3), np.float32))

    def _run(self, mode: int, discounts: Any) -> Any:
        values = np.zeros_like(self.weights)
        run(self.game, self.work, self.weights, self.regrets, self.averages, mode, discounts, values)
        return values

    def exploitability(self) -> float:
        """In chips: what best responses gain over the averages, the mean of both players."""
        best, played = (self._total(self.values(mode)) for mode in (BEST, PLAYED))
        return float((best - played).mean())

    def _total(self, values: Any) -> Any:
        """(2,): what all hands together are worth, in chips."""
        return (values.astype(np.float64) * self.weights).sum(axis=1) / self.meeting

    def lock(self, locked: Mapping[int, Any]) -> None:
        """Hold strategies fixed: by node, (1326, children) probabilities."""
        for node, rows in locked.items():
            self.play(node, rows)
            self.game.is_locked[node] = True

    def play(self, node: int, rows: Any) -> None:
        """Take (1326, children) probabilities for what is played at a node, whatever the cards that were dealt since
        the root."""
        depth = int(self.tree.street[node]) - int(self.tree.street[0])
        level, player = self.levels[depth], int(self.tree.player[node])
        width = int(self.game.width[player, depth])
        shape = len(level.boards), rows.shape[1], width
        first = int(self.game.offset[node])
        numbers = np.zeros(shape, np.float32)
        for board in range(len(level.boards)):
            n = level.count[player, board]
            numbers[board, :, :n] = rows[level.combo[player, board, :n]].T
        for target in (self.regrets, self.averages):
            target[first : first + numbers.size] = numbers.ravel()

    @cached_property
    def met(self) -> Any:
        """(2, width): the weight of the other player's hands that each hand meets."""
        level = self.levels[0]
        met = np.zeros(self.weights.shape)
        for p in range(PLAYERS):
            n, m = level.count[p, 0], level.count[1 - p, 0]
            other = self.weights[1 - p, :m].astype(np.float64)
            by_card = np.zeros(CARDS)
            for cards in level.cards[1 - p, 0, :, :m]:
                np.add.at(by_card, cards, other)
            both = np.append(other, 0.0)[level.same[p, 0, :n]]
            met[p, :n] = other.sum() - by_card[level.cards[p, 0, :, :n]].sum(axis=0) + both
        return met.clip(0)

    @cached_property
    def meeting(self) -> float:
        """The weight of all pairs of hands that may meet."""
        return float((self.weights[0] * self.met[0]).sum())

    def facts(self) -> dict[str, Any]:
        """What a SubgameSolution says about the strategies as they are."""
        played, best = self.values(PLAYED), self.values(BEST)
        bets = self.tree.put_in[0][:, None]
        values, equities = self._total(played), self._equities()
        return {
            "iterations": self.iterations,
            "exploitability": float((self._total(best) - values).mean()),
            "ev": self.by_combo(played) + bets,
            "values": values + bets[:, 0],
            "equity": self.by_combo(equities),
            "shares": self._total(equities),
        }

    def _equities(self) -> Any:
        """(2, width): the share of the pot that each hand gets without any bet, times the weight of what it meets."""
        game = make_subgame(RUN_OUT, self.levels)
        values, none = np.zeros_like(self.weights), np.zeros(0, np.float32)
        run(game, workplace_of(game), self.weights, none, none, PLAYED, np.ones((1, 3), np.float32), values)
        return values

    def by_combo(self, values: Any) -> Any:
        """(2, 1326): per hand that it meets, NaN where there is none."""
        found = np.full((PLAYERS, COMBOS), np.nan)
        for p in range(PLAYERS):
            n = self.levels[0].count[p, 0]
            worth, met = values[p, :n].astype(np.float64), self.met[p, :n]
            with np.errstate(invalid="ignore", divide="ignore"):
                found[p, self.levels[0].combo[p, 0, :n]] = np.where(met > NOTHING * met.max(), worth / met, np.nan)
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
    kind = np.array(tree.kind, np.int8)  # a copy, as kernels are compiled anew for arrays that cannot be written
    nodes = len(kind)
    is_end = kind == SHOWDOWN
    depth = np.asarray(tree.street, np.int64) - int(tree.street[0])
    width = np.array([[_whole_blocks(level.count[p].max()) for level in levels] for p in range(PLAYERS)], np.int64)
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


def _whole_blocks(count: int) -> int:
    return -(-int(count) // BLOCK) * BLOCK


def workplace_of(game: Subgame) -> Workplace:
    """Room for a walk."""
    widths = [level.combo.shape[2] for level in game.levels]
    rows = np.ones((MOST_LEVELS, 2), np.int64)
    rows[: game.last + 1] = game.segments.most_rows
    most = max(widths)
    return Workplace(
        tuple(np.zeros((rows[level, 0], width), np.float32) for level, width in enumerate(widths)),
        tuple(np.zeros((rows[level, 1], width), np.float32) for level, width in enumerate(widths)),
        np.zeros((DECK + 1, LANES), np.float32),
        np.zeros((most, LANES), np.float32),
        np.zeros((most, LANES), np.float32),
        np.zeros((most, LANES), np.float32),
        np.zeros((most, LANES), np.float32),
        np.zeros(most, np.float32),
        np.zeros(most, np.float32),
        np.zeros(most, np.int16),
    )
