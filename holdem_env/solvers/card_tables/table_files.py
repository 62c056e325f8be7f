"""Tables of buckets on disk: one file for each street and its boundaries, in the user's cache folder.

A file is a NumPy array whose last row is a checksum of the others. A damaged file counts as none: the table is made
again.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBOS
from ...compiled.folders import cache_roots
from ...utils.atomic import whole_file

FOLDER = "card_tables"


def cache_folder() -> Path:
    """The user's cache folder, or $HOLDEM_CACHE_DIR."""
    return cache_roots()[-1] / FOLDER


def path_of(digest: str, folder: Path | None = None) -> Path:
    """Where the table of this digest is kept."""
    return (folder or cache_folder()) / f"{digest}.npy"


def _checksum(rows: NDArray[np.uint16]) -> NDArray[np.uint16]:
    checksum = np.zeros(COMBOS, np.uint16)
    digest = np.frombuffer(sha256(np.ascontiguousarray(rows).data).digest(), np.uint16)
    checksum[: len(digest)] = digest
    return checksum


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
