"""The folders that machine code may be kept in."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .sources import PACKAGE

CACHE_VARIABLE = "HOLDEM_CACHE_DIR"
A_SMALL_FILE = 2**16


class CompileCacheWarning(UserWarning):
    """The compiled engine could not be written to a folder: every process will compile it again."""


def cache_roots() -> list[Path]:
    """Where machine code may live, best first: the user's choice, beside the package, the user's cache folder."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return [Path(chosen)]
    from platformdirs import user_cache_path  # only needed here; keeps the import of the engine light

    return [PACKAGE / "__pycache__", user_cache_path("holdem_env")]


def is_writable(folder: Path) -> bool:
    """Whether files can be written to a folder, which is made if need be; a full disk has room for empty ones only."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(A_SMALL_FILE))
        return True
    except OSError:
        return False
