"""Where machine code is kept: in a folder for each state of the sources, of which a few are kept.

Any edit opens a new folder (sources.py says which files count), and so do other versions of Python, NumPy and Numba,
bounds checking, and another choice of compiler tricks.
"""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numba import config

from .ahead import begin_ahead
from .folders import CACHE_VARIABLE, cache_roots, is_writable
from .folders import CompileCacheWarning as CompileCacheWarning
from .sources import core_sources, digest_of, is_core, sources_of
from .tricks import IN_USE, versions

FOLDER_PREFIX = "holdem-"
FOLDERS_KEPT = 3


def _sweep(folder: Path, prefix: str, keep: Path) -> None:
    """Remove the machine code of all but the newest few states of the sources."""
    folders = [found for found in folder.glob(f"{prefix}*") if found.is_dir() and found != keep]
    folders.sort(key=lambda found: found.stat().st_mtime, reverse=True)
    for old in folders[FOLDERS_KEPT - 1 :]:
        shutil.rmtree(old, ignore_errors=True)


def remove_machine_code() -> int:
    """Remove the machine code of every state of the sources from all cache folders; returns the bytes removed."""
    removed = 0
    for folder in (found for root in cache_roots() for found in root.glob(f"{FOLDER_PREFIX}*") if found.is_dir()):
        removed += sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        shutil.rmtree(folder, ignore_errors=True)
    return removed


def cache_folder() -> Path | None:
    """The folder for this state of the core, made if need be; None if nothing can be written anywhere."""
    compilers = sys.version_info[:3], np.__version__, versions(), config.BOUNDSCHECK, sorted(IN_USE)
    name = FOLDER_PREFIX + digest_of(core_sources(), *compilers)
    roots = cache_roots()
    for root in roots:
        folder = root / name
        if folder.is_dir() and (os.access(folder, os.W_OK) or any(folder.glob("*/*.nbi"))):
            return folder  # one that can only be read was filled by others: `only_read`
        if is_writable(folder):
            _sweep(root, FOLDER_PREFIX, folder)
            return folder
    warnings.warn(
        f"holdem_env cannot keep its compiled engine: {' and '.join(map(str, roots))} cannot be written. Each process "
        f"will compile it again (half a minute). Set {CACHE_VARIABLE} to a folder that can be written.",
        CompileCacheWarning,
        stacklevel=2,
    )
    return None


CACHE_FOLDER = None if config.DISABLE_JIT else cache_folder()


def cache_place(function: Callable[..., Any]) -> Path | None:
    """Where a function's machine code is kept; None for one that stands in no file (typed into a shell, say)."""
    file = Path(function.__code__.co_filename)
    if CACHE_FOLDER is None or not file.exists():
        return None
    if is_core(file.resolve()):
        return CACHE_FOLDER
    try:
        return _place_outside(tuple(sources_of(function)), file)
    except OSError:  # a full disk: it is compiled in each process
        return None


@cache
def _place_outside(sources: tuple[Path, ...], file: Path) -> Path:
    """A folder in that of the core, for this state of what a file imports."""
    assert CACHE_FOLDER is not None
    prefix = f"{file.stem}-{sha256(str(file.resolve()).encode()).hexdigest()[:8]}-"
    place = CACHE_FOLDER / (prefix + digest_of(sources))
    if not (place.is_dir() or _ONLY_READS):
        place.mkdir(exist_ok=True)
        _sweep(CACHE_FOLDER, prefix, place)
    return place


def _only_read() -> None:
    """From now on this process writes no machine code to the cache, and goes on reading it."""
    try:
        from numba.core import caching

        caching._CacheLocator.ensure_cache_path = lambda locator: None
        caching.Cache.save_overload = lambda cache, signature, data: None
    except (ImportError, AttributeError):  # another version of Numba: what it cannot write, it will say
        return


_ONLY_READS = CACHE_FOLDER is not None and not os.access(CACHE_FOLDER, os.W_OK)
if _ONLY_READS:
    _only_read()


def say_when_compiling() -> None:
    """From now on, say why the first call takes so long: once, and only when it really happens."""
    if config.DISABLE_JIT:
        return
    try:
        from numba.core import event
    except ImportError:  # without Numba's events there is nothing to print on
        return

    pace: dict[str, Pace] = {}

    class Compilations(event.Listener):
        def on_start(self, event: Any) -> None:
            module = event.data["dispatcher"].py_func.__module__ or ""  # exec gives none
            if module.startswith("holdem_env."):
                part = _part_of(module)
                if _say_if_first(CACHE_FOLDER, part):
                    pace.setdefault(part, Pace(part)).count()

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Compilations())


class Pace:
    """Says every SECONDS how many functions of a part are compiled, and how long that has taken."""

    SECONDS = 10.0
    FUNCTIONS = {"the rules engine": 100, "the solvers": 80}
    """About how many there are, where it is nearly the same at every first start."""

    def __init__(self, part: str) -> None:
        self.part, self.done = part, 0
        self.begun = self.said = monotonic()

    def count(self) -> None:
        now = monotonic()
        if now - self.said >= self.SECONDS:
            self.said = now
            of = self.FUNCTIONS.get(self.part, 0)
            total = f" of about {of}" if self.done <= of else ""
            words = f"{self.part}, {self.done}{total} functions after {now - self.begun:.0f} s"
            print(f"holdem_env: compiling {words}", file=sys.stderr, flush=True)
        self.done += 1


PARTS = {
    "holdem_env.solvers": "the solvers",
    "holdem_env.equities": "equities",
    "holdem_env.arena": "the arena",
}
"""What is compiled, by the beginnings of modules' names; all else is the rules engine."""


ENGINE = "the rules engine"


def _part_of(module: str) -> str:
    return next((part for room, part in PARTS.items() if module.startswith(room)), ENGINE)


@cache
def _say_if_first(folder: Path | None, part: str) -> bool:
    """Say that this takes long, if no process compiled this part into this folder before, and return whether that is
    so; leaves a mark that one now has."""
    if folder is None or _ONLY_READS:
        return False  # the warning about the missing folder has said it
    try:
        (folder / f"compiled {part}").touch(exist_ok=False)
    except OSError:  # there already; or nothing can be written, of which a warning tells
        return False
    words = f"{part}, this once (about half a minute, longer on a slow machine); later starts take a second."
    print(f"holdem_env: compiling {words}", file=sys.stderr, flush=True)
    if part == ENGINE:
        begin_ahead(folder)
    return True
