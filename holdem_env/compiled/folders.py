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
    """Folders for machine code, best first: HOLDEM_CACHE_DIR; in a clone, beside the package; the user's cache."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return [Path(chosen)]
    from platformdirs import user_cache_path  # only needed here; keeps the import of the engine light

    users = user_cache_path("holdem_env")
    # pip removes the files that it installed: others in its folders would outlive the library.
    return [PACKAGE / "__pycache__", users] if (PACKAGE.parent / "pyproject.toml").is_file() else [users]


def is_writable(folder: Path) -> bool:
    """Whether files can be written to a folder, which is made if need be; a full disk has room for empty ones only."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(A_SMALL_FILE))
        return True
    except OSError:
        return False
