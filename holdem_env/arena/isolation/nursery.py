"""The nursery, seen from the process that plays: it is started once, and forks a child for each agent."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any

from ...compiled.cache import CACHE_FOLDER
from ...compiled.folders import CACHE_VARIABLE
from .limits import IsolationUnavailable
from .wire import receive, send

KEPT = ("PATH", "LANG", "LANGUAGE", "TZ")
KEPT_BEGINNINGS = ("LC_", "OMP_", "OPENBLAS_", "MKL_", "KMP_", "NUMBA_", "ATEN_", "ONEDNN_", "DNNL_", "NPY_")
"""Of the environment: what decides how numbers are computed. Nothing else reaches an agent."""
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
SECONDS_TO_BEGIN = 300
OPEN_FILES = 16_384
SCRATCH = "holdem-agents-"
SECONDS_LEFT = 3600
"""So old is a folder that another process has left behind, if none holds it."""

_lock = RLock()
_nurseries: dict[int, Nursery] = {}


def check_available() -> None:
    """Raises IsolationUnavailable where agents cannot have processes of their own."""
    if sys.platform != "linux":
        raise IsolationUnavailable(
            f"agents in processes of their own need Linux, this is {sys.platform}; run it in a container, or give "
            "isolation: none if you trust all agents"
        )


def nursery() -> Nursery:
    """The nursery of this process."""
    check_available()
    with _lock:
        here = os.getpid()  # a fork of this process needs one of its own
        known = _nurseries.get(here)
        if known is None or not known.is_alive:
            known = _nurseries[here] = Nursery()
        return known


class Nursery:
    """A process that forks children. scratch: the folder that holds theirs, removed when the nursery ends."""

    def __init__(self) -> None:
        _sweep(Path(tempfile.gettempdir()))
        self.scratch = tempfile.mkdtemp(prefix=SCRATCH)
        self._held = _held(self.scratch)
        self._owner = os.getpid()
        _allow_open_files()
        self._count = 0
        self._loaded: set[str] = set()
        self._lock = RLock()
        ours, theirs = socket.socketpair()
        self._control = ours
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", f"{__package__}.forking", str(theirs.fileno())],
                env=self._environment(),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd=self.scratch,
                start_new_session=True,
            )
        ours.settimeout(SECONDS_TO_BEGIN)
        self._ask({"do": "begin", "scratch": self.scratch, "path": _path()})
        self.load(["holdem_agents.scripted"])

    def _environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if key in KEPT or key.startswith(KEPT_BEGINNINGS)}
        kept |= dict.fromkeys(ONE_THREAD, "1")
        kept |= {"OMP_WAIT_POLICY": "PASSIVE", "HOME": self.scratch, "PYTHONPATH": os.pathsep.join(_path())}
        if CACHE_FOLDER:
            kept[CACHE_VARIABLE] = str(CACHE_FOLDER.parent)
        return kept

    @property
    def is_alive(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    def load(self, modules: Sequence[str]) -> None:
        """Import modules, once for all children to come."""
        if new := [name for name in modules if name not in self._loaded]:
            self._ask({"do": "load", "modules": new})
            self._loaded |= {*new}

    def birth(self, channel: socket.socket, output: int, message: Mapping[str, Any]) -> tuple[int, Path]:
        """Fork a child that serves at the other end of a socket and prints to an open file. Returns its number, which
        no other process gets until `end`, and its scratch folder."""
        with self._lock:
            self._count += 1
            scratch = Path(self.scratch, str(self._count))
            scratch.mkdir(mode=0o700)
            told = {**message, "do": "birth", "scratch": str(scratch)}
            return int(self._ask(told, [channel.fileno(), output])["pid"]), scratch

    def new_cache(self) -> str:
        """A new folder for the machine code of one agent's own functions."""
        return tempfile.mkdtemp(prefix="code-", dir=self.scratch)

    def end(self, pid: int, scratch: Path) -> int | None:
        """End a child and all processes that it has started, and remove its scratch folder. Returns how it ended, as
        `waitpid` says; None if nobody knows."""
        try:
            status = self._ask({"do": "end", "pid": pid})["status"]
        except IsolationUnavailable:  # the nursery has ended, and its children with it
            status = None
        if os.getpid() == self._owner:
            shutil.rmtree(scratch, ignore_errors=True)
        return None if status is None else int(status)

    def _ask(self, message: Mapping[str, Any], fds: Sequence[int] = ()) -> dict[str, Any]:
        if os.getpid() != self._owner:
            raise IsolationUnavailable("a process cannot use the agents of the one that it was forked from")
        with self._lock:
            try:
                send(self._control, dict(message), fds)
                got = receive(self._control)
            except OSError as error:
                raise IsolationUnavailable(f"the process that makes agents does not answer ({error})") from error
        if got is None:
            status = self._process.wait()
            raise IsolationUnavailable(f"the process that makes agents has ended (exit status {status})")
        return got[0]

    def close(self) -> None:
        """End the process and its children."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            self._control.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
            shutil.rmtree(self.scratch, ignore_errors=True)
            if self._held >= 0:
                os.close(self._held)
            self._held = -1


def _held(folder: str | Path) -> int:
    """The folder as an open file that is locked for as long as this process lives. Raises OSError if another one
    holds it."""
    import fcntl  # not everywhere

    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_DIRECTORY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise
    return fd


def _sweep(folder: Path) -> None:
    """Remove what processes have left behind that were killed."""
    for old in folder.glob(f"{SCRATCH}*"):
        with suppress(OSError):
            status = old.lstat()
            if status.st_uid == os.getuid() and time.time() - status.st_mtime > SECONDS_LEFT:
                held = _held(old)
                shutil.rmtree(old, ignore_errors=True)
                os.close(held)


def _allow_open_files() -> None:
    """Each agent takes a few open files, and at tables of ten seats there are many."""
    import resource  # not everywhere

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if most == resource.RLIM_INFINITY else min(OPEN_FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _path() -> list[str]:
    """Where this process imports from, so that a child does, too."""
    return [str(Path(each or ".").resolve()) for each in sys.path]


@atexit.register
def _close_all() -> None:
    for pid, known in _nurseries.items():
        if pid == os.getpid():
            known.close()
