"""The rest of a hand solved: a betting tree, a board and both ranges whole."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .boards import BLOCK, RIVER_CARDS, build_levels
from .lanes import DECK, LANES
from .segments import DECISION, SHOWDOWN, plan_segments
from .walking import BEST, LEARN, PLAYED, Subgame, Workplace, run

PLAYERS = 2
HOLE_CARDS = 2
DECK_CARDS = 52


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
        self.game = _subgame(tree, self.levels)
        self.work = _workplace(self.game)
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
        return float((best - played).sum() / 2 / self.meeting)

    def _total(self, values: Any) -> Any:
        return (values.astype(np.float64) * self.weights).sum(axis=1)

    @property
    def meeting(self) -> float:
        """The weight of all pairs of hands that may meet."""
        level = self.levels[0]
        by_card = np.zeros((PLAYERS, DECK_CARDS))
        for p in range(PLAYERS):
            n = level.count[p, 0]
            for cards in level.cards[p, 0, :, :n]:
                np.add.at(by_card[p], cards, self.weights[p, :n])
        zero, one = self.weights.astype(np.float64)
        n = level.count[0, 0]
        both = (zero[:n] * np.append(one, 0.0)[level.same[0, 0, :n]]).sum()
        return float(zero.sum() * one.sum() - (by_card[0] * by_card[1]).sum() + both)


def _weights_of_hands(level: Any, ranges: Any) -> Any:
    """(2, width) float32: the weights of the listed hands, the largest of a range being 1."""
    weights = np.zeros((PLAYERS, level.combo.shape[2]), np.float32)
    for p in range(PLAYERS):
        n = level.count[p, 0]
        held = ranges[p, level.combo[p, 0, :n]]
        weights[p, :n] = held / held.max()
    return weights


def _subgame(tree: Any, levels: Any) -> Subgame:
    """The arrays that a walk reads."""
    segments = plan_segments(tree, len(levels))
    kind = np.asarray(tree.kind, np.int8)
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
        segments,
        tuple(levels),
        np.array([1 / (DECK_CARDS - 2 * HOLE_CARDS - level.boards.shape[1]) for level in levels], np.float32),
        offset,
        width,
        np.zeros(nodes, np.bool_),
    )


def _whole_blocks(count: int) -> int:
    return -(-int(count) // BLOCK) * BLOCK


def _workplace(game: Subgame) -> Workplace:
    """Room for a walk."""
    widths = [level.combo.shape[2] for level in game.levels]
    rows = game.segments.most_rows
    lanes = np.zeros((4, max(widths), LANES), np.float32)
    return Workplace(
        tuple(np.zeros((rows[level, 0], width), np.float32) for level, width in enumerate(widths)),
        tuple(np.zeros((rows[level, 1], width), np.float32) for level, width in enumerate(widths)),
        np.zeros((DECK + 1, LANES), np.float32),
        *lanes,
        *np.zeros((2, max(widths)), np.float32),
        np.zeros(max(widths), np.int16),
    )
