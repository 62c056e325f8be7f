"""Summaries of many runs, kept in memory and in a file, so that a list reads only what has changed."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from os import fsencode
from pathlib import Path
from time import monotonic

from pydantic import TypeAdapter

from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.links import bytes_of
from holdem_env.utils.version import __version__

from ...runs.reading import RunFolder, RunSummary

MAX_FILE = 2**26  # bytes of an index that is read
SAVE_PAUSE, SAVE_COUNT = 30.0, 20
"""Seconds between two writes of the file while a few runs grow, and summaries that are written at once."""


@dataclass
class _Content:
    """version, folder: of what it is; anything else is foreign. runs: by id, the stamp of the files and the summary."""

    version: str
    folder: str
    runs: dict[str, tuple[str, RunSummary]] = field(default_factory=dict)


_CONTENT = TypeAdapter(_Content)


class RunIndex:
    """The summaries of the runs in a folder, by id. A damaged or foreign file is thrown away.

    Args:
        folder: The folder of runs.
        cache: Where the file lies; None keeps summaries in memory only.
    """

    def __init__(self, folder: Path, cache: Path | None = None) -> None:
        name = sha256(fsencode(folder.resolve())).hexdigest()
        self._path = None if cache is None else cache / f"runs-{name[:16]}.json"
        self._content = _Content(__version__, name)
        self._unsaved, self._saved_at = 0, -SAVE_PAUSE
        if self._path is not None:
            with suppress(OSError, ValueError, RecursionError):
                found = _CONTENT.validate_json(bytes_of(self._path, MAX_FILE), strict=True)
                if (found.version, found.folder) == (__version__, name):
                    self._content = found

    def summary(self, name: str, run: RunFolder) -> RunSummary:
        """A run's summary; its files are read only if their stamps have changed."""
        stamp = sha256(repr(sorted(run.stamps.items())).encode(errors="surrogateescape")).hexdigest()[:32]
        known = self._content.runs.get(name)
        if known is None or known[0] != stamp:
            known = self._content.runs[name] = stamp, run.summary
            self._unsaved += 1
        return known[1]

    def save(self, names: Collection[str]) -> None:
        """Forget all other runs than these, and write the file if it is time to."""
        self._content.runs = {name: each for name, each in self._content.runs.items() if name in names}
        is_due = self._unsaved >= SAVE_COUNT or monotonic() - self._saved_at >= SAVE_PAUSE
        if self._path is None or not self._unsaved or not is_due:
            return
        with suppress(OSError, ValueError):  # without the file, the next server reads the runs again
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, _CONTENT.dump_json(self._content))
        self._unsaved, self._saved_at = 0, monotonic()
