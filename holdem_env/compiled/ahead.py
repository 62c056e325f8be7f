"""The first compilation on two processors: another process compiles a part of the engine meanwhile.

The first process that compiles the engine into a folder starts it (`begin_ahead`); it goes through the functions that
are compiled once for all kernels, the last one first. `alone` lets one of the two compile a function, and the other one
take it from the cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

PROGRAM = "holdem_env.engine"
"""The package that, run as a program, compiles ahead."""
FOLDER_VARIABLE = "HOLDEM_COMPILES_AHEAD"
"""Tells the other process the folder of the machine code."""
LONGEST = 30.0
"""Seconds after which nobody waits any more for a function that another process compiles: it may have ended."""
_folder: Path | None = Path(os.environ[FOLDER_VARIABLE]) if FOLDER_VARIABLE in os.environ else None
_other: subprocess.Popen[bytes] | None = None


def begin_ahead(folder: Path) -> None:
    """Start the other process, if there is a processor for it and this is not it."""
    global _folder, _other
    if _folder is not None or _processors() < 2 or not sys.executable:
        return
    settings = {**os.environ, FOLDER_VARIABLE: str(folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    quiet = subprocess.DEVNULL
    with suppress(OSError):  # where no process may be started, this one compiles everything
        _other = subprocess.Popen(
            [sys.executable, "-m", PROGRAM], env=settings, stdin=quiet, stdout=quiet, stderr=quiet
        )
        _folder = folder


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def alone(symbol: str) -> Iterator[None]:
    """No other process compiles this function; if one does, this waits until it has. Without another process, nothing
    is looked at."""
    if _folder is None:
        yield
        return
    mark, patience = _folder / f"{symbol}.compiling", monotonic() + LONGEST
    while not (is_mine := _made(mark)) and monotonic() < patience and not _has_ended():
        sleep(0.02)
    try:
        yield
    finally:
        if is_mine:
            with suppress(OSError):
                mark.unlink()


def is_taken(symbol: str) -> bool:
    """Whether another process compiles this function now."""
    return _folder is not None and (_folder / f"{symbol}.compiling").exists()


def _made(mark: Path) -> bool:
    """Whether this process has made the mark; not if it was there, or cannot be made."""
    try:
        mark.touch(exist_ok=False)
    except OSError:
        return False
    return True


def _has_ended() -> bool:
    return _other is not None and _other.poll() is not None
