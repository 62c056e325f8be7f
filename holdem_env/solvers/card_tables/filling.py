"""Tables of buckets: a row for each canonical flop or turn, an entry for each hand, filled board by board.

Whole ones are kept in the user's cache folder, or $HOLDEM_CACHE_DIR, a file for each street and its boundaries: a NumPy
array whose last row is a checksum of the others. A damaged file counts as none: the table is made again.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBOS
from ...compiled.compiler import kernel
from ...compiled.folders import cache_roots
from ...compiled.scalars import Flags, Ints
from ...utils.atomic import whole_file
from .boundaries import nearest, quantile_of
from .features import PARTS, WITH_RANGE, board_features
from .isomorphism import boards

NO_BUCKET = 65_535  # stands in a table for a hand that holds a card of the board
CHUNK = 32
FOLDER = "card_tables"

Progress = Callable[[int, int], object]  # called with how many boards are done, and of how many


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
        self.boards, self.limits = boards(size), limits
        # Memory that nobody writes to takes no room, so that a table of which little is asked is cheap.
        self.rows = rows if rows is not None else np.zeros((len(self.boards.cards), COMBOS), np.uint16)
        self.filled = np.full(len(self.boards.cards), rows is not None)

    @property
    def is_whole(self) -> bool:
        return bool(self.filled.all())

    def row(self, number: int) -> NDArray[np.uint16]:
        """(1326,): the buckets on a canonical board; filled now if need be."""
        if not self.filled[number]:
            fill_rows(self.boards.cards, number, number + 1, self.limits, self.rows, self.filled)
        return np.asarray(self.rows[number])

    def fill(self, threads: int = 1, progress: Progress | None = None) -> None:
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


def path_of(digest: str) -> Path:
    """Where the table of this digest is kept."""
    return cache_roots()[-1] / FOLDER / f"{digest}.npy"


def _checksum(rows: NDArray[np.uint16]) -> NDArray[np.uint16]:
    digest = np.frombuffer(sha256(np.ascontiguousarray(rows).data).digest(), np.uint16)
    return np.pad(digest, (0, COMBOS - len(digest)))


def save_rows(rows: NDArray[np.uint16], path: Path) -> bool:
    """Write a whole table; False if that is not possible: then it is made again next time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            np.save(file, np.concatenate([rows, _checksum(rows)[None]]), allow_pickle=False)
    except OSError:
        return False
    return True


def load_rows(path: Path, boards: int) -> NDArray[np.uint16] | None:
    """The table in a file, (boards, 1326) uint16, read from the disk as it is needed; None if there is none or it is
    damaged."""
    try:
        content = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    if not isinstance(content, np.ndarray) or content.shape != (boards + 1, COMBOS) or content.dtype != np.uint16:
        return None
    rows = np.asarray(content[:-1])
    return rows if np.array_equal(content[-1], _checksum(rows)) else None
