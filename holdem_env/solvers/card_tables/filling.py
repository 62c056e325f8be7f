"""Tables of buckets: a row for each canonical flop or turn, an entry for each hand, filled board by board."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBOS
from ...compiled.compiler import kernel
from ...compiled.scalars import Flags, Ints
from .boundaries import nearest, quantile_of
from .features import PARTS, WITH_RANGE, board_features
from .isomorphism import boards

NO_BUCKET = 65_535
"""Stands in a table for a hand that holds a card of the board."""
CHUNK = 32

Progress = Callable[[int, int], object]
"""Called with how many boards are done, and of how many."""


@kernel
def fill_rows(cards: Ints, first: int, last: int, limits: Ints, table: Ints, filled: Flags) -> None:
    """Fill rows first..last-1 of a table (boards, 1326) uint16, and mark them in `filled` (boards,).

    cards: (boards, 3 or 4) the canonical boards; limits: what `boundaries.find_limits` gives.
    """
    size = cards.shape[1]
    columns = WITH_RANGE if len(limits) == WITH_RANGE else PARTS
    means, profiles = np.empty(COMBOS, np.int32), np.empty((COMBOS, columns), np.int32)
    distances = np.empty(limits.shape[1], np.int32)
    for row in range(first, last):
        if filled[row]:
            continue
        board_features(cards[row], size, means, profiles)
        for combo in range(COMBOS):
            if means[combo] < 0:
                table[row, combo] = NO_BUCKET
            elif len(limits) == 1:
                table[row, combo] = quantile_of(means[combo], limits[0])
            else:
                table[row, combo] = nearest(profiles[combo], limits, distances)
        filled[row] = True


class BucketTable:
    """The buckets of one street, flop or turn: `rows` (boards, 1326) uint16, of which those marked in `filled` hold."""

    def __init__(self, size: int, limits: NDArray[np.int32], rows: NDArray[np.uint16] | None = None) -> None:
        self.boards = boards(size)
        self.limits = limits
        whole = rows is not None
        # Memory that nobody writes to takes no room, so that a table of which little is asked is cheap.
        self.rows = rows if rows is not None else np.zeros((len(self.boards.cards), COMBOS), np.uint16)
        self.filled = np.full(len(self.boards.cards), whole)

    @property
    def is_whole(self) -> bool:
        """Whether all rows are filled."""
        return bool(self.filled.all())

    def row(self, number: int) -> NDArray[np.uint16]:
        """(1326,): the buckets on a canonical board; filled now if need be."""
        if not self.filled[number]:
            fill_rows(self.boards.cards, number, number + 1, self.limits, self.rows, self.filled)
        row: NDArray[np.uint16] = self.rows[number]
        return row

    def fill(self, threads: int = 1, progress: Progress | None = None) -> None:
        """Fill all rows that are not yet filled."""
        ends = [*range(0, len(self.boards.cards), CHUNK), len(self.boards.cards)]

        def fill_part(part: tuple[int, int]) -> int:
            fill_rows(self.boards.cards, *part, self.limits, self.rows, self.filled)
            return part[1] - part[0]

        done = 0
        with ThreadPoolExecutor(threads) as pool:
            for count in pool.map(fill_part, pairwise(ends)):
                done += count
                if progress is not None:
                    progress(done, len(self.boards.cards))
