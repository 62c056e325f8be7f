"""What an agent's own code reaches for outside the hand that it plays, by Python's audit events.

Best effort: code that wants to hide can. Only a process of its own keeps an agent from the memory of others.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Collection
from importlib.util import find_spec
from pathlib import Path
from typing import Any

KINDS = {
    "memory": "other people's frames and objects",
    "ctypes": "memory by ctypes",
    "programs": "other programs and processes",
    "network": "the network",
    "files": "files to write, outside the temporary folder",
}
"""What an agent may reach for, by the word that allows it."""

EVENTS = {
    **dict.fromkeys(("sys._getframe", "sys._current_frames", "sys._current_exceptions"), "memory"),
    **dict.fromkeys(("gc.get_objects", "gc.get_referrers", "gc.get_referents", "object.__getattr__"), "memory"),
    **dict.fromkeys(("sys.settrace", "sys.setprofile", "sys.addaudithook"), "memory"),
    **dict.fromkeys(("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"), "programs"),
    **dict.fromkeys(("os.kill", "os.killpg", "os.startfile", "subprocess.Popen", "pty.spawn"), "programs"),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo"), "network"),
    **dict.fromkeys(("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate", "os.link"), "files"),
    **dict.fromkeys(("os.symlink", "os.chmod", "sqlite3.connect"), "files"),
}
FRAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FRAME_READERS = ("inspect.py",)
"""Modules that hand out frames: a caller has asked for one."""
COMPILERS = ("numba", "matplotlib", "torch", f"{__package__.split('.')[0]}{os.sep}compiled")
"""Packages that write and load files of their own, such as machine code."""


class Watch:
    """Reports what code outside the libraries reaches for.

    report: called with the kind, and a sentence with the file and line, each once. allowed: kinds that are not
    reported. folder: where files may be written.
    """

    def __init__(self, report: Callable[[str, str], None], allowed: Collection[str], folder: Path) -> None:
        self._report, self._allowed = report, frozenset(allowed)
        self._folder = os.path.realpath(folder)
        self._libraries = libraries()
        self.own: set[str] = set()
        """Files that are the agent's although they lie among the libraries."""
        self._reported: set[tuple[str, str]] = set()
        self._busy = threading.local()

    def begin(self) -> None:
        """Watch until the process ends: audit hooks stay."""
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        kind = EVENTS.get(event) or ("ctypes" if event.startswith("ctypes.") else "files" if event == "open" else None)
        if kind is None or kind in self._allowed or getattr(self._busy, "yes", False):
            return
        self._busy.yes = True
        try:
            kind, what = self._looked_at(event, kind, arguments)
            place = self._own_place(sys._getframe(1), strictly=kind == "memory") if what else ""
            if place and (event, place) not in self._reported and kind not in self._allowed:
                self._reported.add((event, place))
                self._report(kind, f"{place} reaches for {KINDS[kind]}: {what}")
        finally:
            self._busy.yes = False

    def _looked_at(self, event: str, kind: str, arguments: tuple[Any, ...]) -> tuple[str, str]:
        """The kind of an event, and what it does in words; "" if it is all right."""
        if event == "object.__getattr__":
            name = str(arguments[1])
            return kind, name if name in FRAMES else ""
        if event == "open":
            return self._opened(*arguments)
        if kind == "files":
            paths = [each for each in arguments if isinstance(each, str | bytes | os.PathLike)]
            outside = [path for path in paths if self._is_outside(path)]
            return kind, f"{event} {os.fsdecode(outside[0])}" if outside else ""
        return kind, event

    def _opened(self, path: Any, mode: str | None, flags: int) -> tuple[str, str]:
        if not isinstance(path, str | bytes | os.PathLike):
            return "files", ""
        name = os.fsdecode(path)
        if name.startswith("/proc/") and name.endswith(("/mem", "/maps")):
            return "memory", f"open {name}"
        writes = any(letter in mode for letter in "wax+") if mode else bool(flags & WRITING)
        return "files", f"open {name} for writing" if writes and self._is_outside(path) else ""

    def _is_outside(self, path: Any) -> bool:
        real = os.path.realpath(os.fsdecode(path))
        return real != os.devnull and not real.startswith(self._folder + os.sep)

    def _own_place(self, frame: Any, strictly: bool) -> str:
        """The place in the agent's own code that caused an event: "mybot.py:12"; "" if a library did it for itself.

        strictly: only if the code has asked by itself, or through a module that hands out frames.
        """
        while frame is not None:
            name = frame.f_code.co_filename
            if name.startswith("<frozen importlib"):
                return ""  # while something is imported
            if not name.startswith("<"):
                if name in self.own or not name.startswith(self._libraries):
                    return f"{os.path.basename(name)}:{frame.f_lineno}"
                if strictly and os.path.basename(name) not in FRAME_READERS:
                    return ""
                if any(f"{os.sep}{package}{os.sep}" in name for package in COMPILERS):
                    return ""
            frame = frame.f_back
        return ""


def libraries() -> tuple[str, ...]:
    """The folders of Python's library, of installed packages, and of this project's own packages."""
    paths = sysconfig.get_paths()
    folders = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {path for path in sys.path if path.endswith(("site-packages", "dist-packages"))}
    folders |= {str(Path(__file__).resolve().parents[1])}
    agents = find_spec("holdem_agents")
    folders |= {str(Path(place).resolve()) for place in (agents.submodule_search_locations or () if agents else ())}
    return tuple(f"{folder}{os.sep}" for folder in folders if folder)
