"""Do the compiler tricks work with Numba and llvmlite as they are installed? Each is tried on a toy, in toys.py.

Asked for versions that nobody tested, and once for these: the answer is kept beside the machine code. Each trick is
tried in a process of its own, in which only it is in use: a trick that no longer fits may do worse than raise an error.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from .folders import CACHE_VARIABLE, cache_roots, is_writable
from .sources import PACKAGE, digest_of

PATIENCE = 120  # seconds for one trick


def failing_tricks(tricks: Iterable[str], variable: str, versions: tuple[str, str]) -> tuple[frozenset[str], bool]:
    """Which tricks do not work with these versions of Numba and llvmlite, and whether they were tried only now.

    variable: of the environment, which says what tricks are in use.
    """
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    key = digest_of(sources, versions, sys.version_info[:3], platform.machine())
    places = [root / f"holdem-tricks-{key}.json" for root in cache_roots()]
    for place in places:
        if (known := _read(place)) is not None:
            return known, False
    failing = frozenset(trick for trick in tricks if not _works(trick, variable))
    for place in places:
        if is_writable(place.parent):
            _write(place, failing, versions)
            break
    return failing, True


def _read(place: Path) -> frozenset[str] | None:
    try:
        return frozenset(json.loads(place.read_text())["failing"])
    except (OSError, ValueError, KeyError):
        return None


def _write(place: Path, failing: frozenset[str], versions: tuple[str, str]) -> None:
    """Whole or not at all: another process may read it meanwhile."""
    answer = {"numba": versions[0], "llvmlite": versions[1], "failing": sorted(failing)}
    unfinished = place.with_name(f"{place.name}.{os.getpid()}")
    unfinished.write_text(json.dumps(answer))
    unfinished.replace(place)


def _works(trick: str, variable: str) -> bool:
    """Whether the toy of a trick comes out right, in a process and a cache folder of its own."""
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        own = {"PYTHONPATH": os.pathsep.join(paths), CACHE_VARIABLE: folder, variable: trick}
        command = [sys.executable, "-m", "holdem_env.compiled.toys", trick]
        try:
            done = subprocess.run(
                command, env=os.environ | own, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0
