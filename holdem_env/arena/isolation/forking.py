"""The nursery's own process: `python -m holdem_env.arena.isolation.forking FD` forks a child for each agent.

It has imported this library, and runs no agent's code. The process that started it talks to it over the socket FD; when
that one ends, the nursery ends its children and itself.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import select
import shutil
import signal
import socket
import sys
import traceback
from contextlib import suppress
from typing import Any, TextIO

from . import confinement, serving
from .proc_files import descendants_of, status_of
from .wire import receive, send

LOOK = 0.5
SOCKET = 3  # where a child has its socket


class Forker:
    """Forks, ends and reaps children, as it is told over a socket."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._known: set[int] = set()

    def run(self) -> None:
        """Do what comes until the other side is gone."""
        scratch = ""
        while (got := self._received()) is not None:
            message, fds = got
            if message["do"] == "begin":
                scratch = message["scratch"]
                sys.path[:] = message["path"]
                confinement.become_subreaper()
                confinement.be_unreadable()
                answer: dict[str, Any] = {}
            elif message["do"] == "load":
                answer = _loaded(message["modules"])
            elif message["do"] == "birth":
                answer = {"pid": self._birth(message, fds)}
            else:
                answer = {"status": self._end(message["pid"])}
            with suppress(OSError):  # whoever is gone will be noticed above
                send(self._control, answer)
        for pid in [*self._known]:
            self._end(pid)
        shutil.rmtree(scratch, ignore_errors=True)

    def _received(self) -> tuple[dict[str, Any], list[int]] | None:
        """The next message. Meanwhile nobody hides here: a child whose agent wants no orphans would leave them to the
        nursery, where nobody counts what they take."""
        while not select.select([self._control], [], [], LOOK)[0]:
            self._end_orphans()
        try:
            return receive(self._control)
        except OSError:  # the other side went away without reading our last answer
            return None

    def _birth(self, message: dict[str, Any], fds: list[int]) -> int:
        parent, pid = os.getpid(), os.fork()
        if pid == 0:
            status = 1
            try:
                _be_born(self._control, message, fds, parent)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        for fd in fds:
            os.close(fd)
        self._known.add(pid)
        return pid

    def _end(self, pid: int) -> int | None:
        """End a child and whatever it has started. Returns how it ended: before, or now."""
        if pid not in self._known:
            return None
        self._known.remove(pid)
        for each in (pid, *(status.pid for status in descendants_of(pid))):
            with suppress(OSError):
                os.kill(each, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        self._end_orphans()
        return status

    def _end_orphans(self) -> None:
        """End those that have lost their parents, until there are none. A living agent's orphans are its own children
        and stay, unless it has refused them."""
        while orphans := [pid for pid in _own_children() if pid not in self._known]:
            for pid in orphans:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)


def _own_children() -> list[int]:
    me = os.getpid()
    try:
        with open(f"/proc/{me}/task/{me}/children") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:  # a kernel without this file
        found = (status_of(int(name)) for name in os.listdir("/proc") if name.isdecimal())
        return [status.pid for status in found if status and status.parent == me]


def _loaded(modules: list[str]) -> dict[str, Any]:
    """Import what agents will need; of this library's modules, do once what their function `warm_up` does. What is
    missing, the agents will say themselves."""
    for name in modules:
        with suppress(Exception):
            module = importlib.import_module(name)
            if name.startswith("holdem_agents."):
                getattr(module, "warm_up", int)()
    gc.collect()
    gc.freeze()  # so that collecting in the children does not touch what they share
    return {}


def _be_born(control: socket.socket, message: dict[str, Any], fds: list[int], parent: int) -> None:
    """In the child: leave the nursery's files behind, be locked in, and serve."""
    control.close()
    channel, output = fds
    kept = fcntl.fcntl(channel, fcntl.F_DUPFD, SOCKET + 1)
    null = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((null, 0), (output, 1), (output, 2), (kept, SOCKET)):
        os.dup2(source, target, inheritable=target < SOCKET)
    os.closerange(SOCKET + 1, os.sysconf("SC_OPEN_MAX"))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    sys.stdout, sys.stderr = _by_lines(1), _by_lines(2)
    writable = [message["cache"]] if message["compiles"] else []
    readable = [*message["readable"], message["cache"]]
    confinement.confine(parent, message["scratch"], readable, writable, message["network"])
    serving.serve(socket.socket(fileno=SOCKET), message)


def _by_lines(fd: int) -> TextIO:
    """What writes to an open file line by line, so that the last one is there when the process dies."""
    return open(fd, "w", buffering=1, closefd=False)


if __name__ == "__main__":
    Forker(socket.socket(fileno=int(sys.argv[1]))).run()
