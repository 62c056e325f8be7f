"""One agent's process, seen from the process that plays: asked, timed and watched."""

from __future__ import annotations

import os
import select
import socket
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import Any, NoReturn

from . import dumpable
from .limits import MEGABYTE, AgentProcessError, Limits
from .nursery import Nursery, nursery
from .proc_files import descendants_of, processor_seconds, resident_bytes, status_of
from .reasons import how_it_ended, with_tail
from .wire import Inbox, WireError, send

LOOK, SELDOM = 0.02, 0.5
"""Seconds between two looks at a process that is taking its time, and at one that answers at once."""
MOST_PROCESSES = 64
MOST_PRINTED, TAIL = 2**20, 4096
SECONDS_TO_TAKE, SECONDS_TO_END = 10.0, 2.0
MAKING, PLAYING = "while the agent was made", "in the middle of the match"


class AgentProcess:
    """A child of the nursery, until `close` or its end.

    made_of: what `make_agent` makes the agent of, as JSON. readable: the files that it may read. modules: to be
    imported beforehand. cache: the folder of machine code of its own functions; compiles: whether it may write there.

    Every method raises AgentProcessError if the process ends, does not answer or takes too much; then it is closed.
    """

    def __init__(
        self,
        made_of: str,
        limits: Limits,
        readable: Sequence[str],
        modules: Sequence[str],
        cache: str,
        compiles: bool = False,
    ) -> None:
        self._limits = limits
        self._nursery: Nursery | None = nursery()
        self._nursery.load(modules)
        self._doing = MAKING
        self._number, self._counted = 0, 0.0
        self._looked = monotonic()
        self._stemming: list[int] = []
        self._output = os.memfd_create("output", os.MFD_CLOEXEC)
        ours, theirs = socket.socketpair()
        self._channel, self._inbox = ours, Inbox(ours)
        ours.settimeout(SECONDS_TO_TAKE)
        born = {"made_of": made_of, "cwd": os.getcwd(), "readable": [*readable], "network": limits.network}
        born |= {"cache": cache, "compiles": compiles}
        with theirs:
            self._pid, self._scratch = self._nursery.birth(theirs, self._output_to_append(), born)
        dumpable.forbid()
        self._pidfd = _pidfd(self._pid)
        self._poll = select.poll()
        for fd in (ours.fileno(), self._pidfd):
            if fd >= 0:
                self._poll.register(fd, select.POLLIN)

    def _output_to_append(self) -> int:
        import fcntl  # not everywhere

        fcntl.fcntl(self._output, fcntl.F_SETFL, os.O_APPEND)
        return self._output

    def make(self) -> dict[str, Any]:
        """Make the agent there. Returns the answer."""
        answer = self.ask({"do": "make"}, self._limits.seconds_to_start)
        self._doing = PLAYING
        return answer

    def ask(self, message: dict[str, Any], seconds: float, fds: Sequence[int] = ()) -> dict[str, Any]:
        """Send a message and wait for the answer, at most so long."""
        if self._nursery is None:
            raise AgentProcessError("its process has ended")
        self._look(SELDOM)
        self._number += 1
        ends = monotonic() + seconds
        try:
            send(self._channel, {**message, "n": self._number}, fds)
        except TimeoutError:
            self._fail("it does not take what it is sent")
        except OSError:
            self._fail_as_it_ended()
        while (answer := self._answer()) is None:
            self._wait(ends, seconds)
        if os.fstat(self._output).st_size > MOST_PRINTED:
            os.ftruncate(self._output, 0)
        return answer

    def _answer(self) -> dict[str, Any] | None:
        try:
            answer = self._inbox.message()
        except WireError as error:
            self._fail(f"its process sent {error}")
        if answer is not None and answer.get("n") != self._number:
            self._fail("its process sent an answer to another question")
        return answer

    def _wait(self, ends: float, seconds: float) -> None:
        """Wait for more of an answer, for a moment."""
        ready = [fd for fd, _ in self._poll.poll(1000 * LOOK)]
        if self._channel.fileno() in ready:
            try:
                if self._inbox.read():
                    return
            except OSError:
                pass
            self._fail_as_it_ended()
        status = status_of(self._pid)
        if ready or status is None or status.is_ended:
            with suppress(OSError):
                self._inbox.read()  # what it has said at the end
            self._fail_as_it_ended()
        self._look(LOOK)
        if monotonic() > ends:
            self._fail(f"no answer within {seconds:g} s (an endless loop?)")

    def _look(self, each: float) -> None:
        """Check how much memory the agent's processes hold, unless this was done less than so many seconds ago."""
        if monotonic() - self._looked < each:
            return
        self._stemming = [status.pid for status in descendants_of(self._pid)]
        if len(self._stemming) > MOST_PROCESSES:
            self._fail(f"it started {len(self._stemming)} processes, the limit is {MOST_PROCESSES}")
        used = resident_bytes([self._pid, *self._stemming]) // MEGABYTE
        self._looked = monotonic()
        if used > self._limits.memory_mb:
            self._fail(f"it used {used:,} MB of memory, the limit is {self._limits.memory_mb:,}")

    def processor_seconds(self) -> float:
        """The processor time that the agent's processes have taken since this was asked last."""
        own, status = processor_seconds(self._pid), status_of(self._pid)
        if own is None or status is None:
            return 0.0
        others = [other for pid in self._stemming if (other := status_of(pid))]
        total = own + status.of_ended + sum(other.seconds + other.of_ended for other in others)
        passed, self._counted = max(0.0, total - self._counted), total
        return passed

    def _fail_as_it_ended(self) -> NoReturn:
        ends = monotonic() + SECONDS_TO_END
        while not ((status := status_of(self._pid)) is None or status.is_ended):
            if monotonic() > ends:
                self._fail("its process has closed its connection")
            sleep(LOOK / 10)
        printed = self._printed()
        reason = how_it_ended(self.close(), self._doing)
        raise AgentProcessError(with_tail(reason, printed))

    def _fail(self, reason: str) -> NoReturn:
        self.close()
        raise AgentProcessError(reason)

    def _printed(self) -> str:
        size = os.fstat(self._output).st_size
        return os.pread(self._output, TAIL, max(0, size - TAIL)).decode(errors="replace")

    def close(self) -> int | None:
        """End the process and all that it has started. Returns how it ended, as `waitpid` says."""
        known, self._nursery = self._nursery, None
        if known is None:
            return None
        self._channel.close()
        status = known.end(self._pid, self._scratch)
        for fd in (self._pidfd, self._output):
            if fd >= 0:
                os.close(fd)
        dumpable.allow()
        return status

    def __del__(self) -> None:
        with suppress(Exception):  # at the end of Python, what it needs may be gone
            self.close()


def _pidfd(pid: int) -> int:
    """An open file that tells when the process ends; -1 where there is none, as in old kernels."""
    try:
        return os.pidfd_open(pid)
    except OSError:
        return -1
