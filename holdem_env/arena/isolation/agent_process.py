"""One agent's process in its jail, seen from the process that plays: asked, timed, watched and ended."""

from __future__ import annotations

import json
import math
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, NoReturn

from ...protocols.wire import Inbox, WireError, send
from . import jail
from .control_groups import ControlGroup, new_group
from .limits import MEGABYTE, AgentProcessError, IsolationUnavailable, Limits
from .seccomp import filter_program

PAGE, TICK = (os.sysconf("SC_PAGE_SIZE"), 1 / os.sysconf("SC_CLK_TCK")) if sys.platform == "linux" else (4096, 0.01)


class Usage(NamedTuple):
    """What processes hold and have taken together. seconds: of processor time, with that of children that have ended
    and were waited for. resident: bytes in memory; what they share counts for each. threads: of all of them."""

    processes: int = 0
    seconds: float = 0.0
    resident: int = 0
    threads: int = 0


def tasks_of(first: int) -> Iterator[tuple[int, list[str]]]:
    """All processes of a process namespace, each with its threads. first: the first one there, from which all others
    stem. One that ends meanwhile may be missing."""
    waiting = [first]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError):
            threads = os.listdir(f"/proc/{pid}/task")
            for thread in threads:
                waiting += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
            yield pid, threads


def usage_of(first: int) -> Usage:
    """Of all processes of a process namespace; first as of `tasks_of`."""
    processes, seconds, resident, threads = 0, 0.0, 0, 0
    for pid, tasks in tasks_of(first):
        with suppress(OSError):
            text = _read(f"/proc/{pid}/stat")
            words = text[text.rindex(b")") + 2 :].split()  # a name may hold blanks and brackets
            processes, threads = processes + 1, threads + len(tasks)
            seconds += sum(map(int, words[11:15])) * TICK
            resident += int(words[21]) * PAGE
    return Usage(processes, seconds, resident, threads)


def waited_by(first: int) -> float:
    """Seconds for which the threads of a process namespace were ready to run and waited for a processor, together; of
    those that still exist. 0 where the kernel does not count it. first as of `tasks_of`."""
    waited = 0
    for pid, threads in tasks_of(first):
        for thread in threads:
            with suppress(OSError):
                waited += int(_read(f"/proc/{pid}/task/{thread}/schedstat").split()[1])
    return waited * 1e-9


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def stop_all(first: int) -> bool:
    """Stop all processes of a process namespace; first as of `tasks_of`. False if new ones appear faster than that."""
    stopped: set[int] = set()
    for _ in range(MAX_LOOKS):
        new = {pid for pid, _ in tasks_of(first)} - stopped
        if not new:
            return True
        _signal_all(new, signal.SIGSTOP)
        stopped |= new
    return False


def _signal_all(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


WORDS = {  # by name, as not every system has all of them
    "SIGSEGV": "segmentation fault",
    "SIGABRT": "aborted",
    "SIGKILL": "killed, perhaps because the machine ran out of memory",
    "SIGBUS": "bus error",
    "SIGFPE": "arithmetic error",
    "SIGILL": "illegal instruction",
    "SIGXCPU": "too much processor time",
    "SIGTERM": "terminated",
}
LONGEST_LINE = 200  # characters of what a process printed last that a reason quotes
SIGNALLED = 128


def how_it_ended(status: int, doing: str) -> str:
    """How a process ended, from its exit status as shells give it. doing: when, such as "while it played"."""
    if status > SIGNALLED:  # no need to say when
        number = status - SIGNALLED
        known = next((words for name, words in WORDS.items() if getattr(signal, name, None) == number), None)
        return f"its process ended: {known or 'a signal'} (signal {number})"
    return f"its process ended with exit status {status} {doing}"


def with_tail(reason: str, printed: str) -> str:
    """A reason, with the end of what the process printed last."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return f"{reason}; it printed last: {lines[-1][-LONGEST_LINE:]!r}" if lines else reason


POLL_SECONDS, SELDOM = 0.02, 0.1
"""Seconds between two looks at a process that is taking its time, and at one that answers at once."""
MAX_THREADS = 128  # of all processes in a jail, each of which has one at least
MAX_STIR = 0.1  # seconds of processor time that may be counted late, after all processes of a jail were stopped
MAX_LOOKS = 100  # at a jail whose processes are being stopped one by one, until there are no new ones
MAX_FILES = 20_000
MAX_PRINTED, TAIL = 2**20, 4096
SECONDS_TO_TAKE, SECONDS_TO_END, SECONDS_TO_BEGIN = 10.0, 2.0, 120.0
MAKING, PLAYING = "while the agent was made", "in the middle of the match"
PROGRAM = (sys.executable, "-P", "-s", "-c", f"from {__package__}.serving import main; main()")


class AgentProcess:
    """A jail, until `close` or the end of its process. It starts without anybody waiting for it: Python, this library
    and what it needs of PyTorch are loaded there while others play; nothing of the agent's is run before `make`. From
    then on all that is in the jail runs only while it is asked, and is frozen otherwise: nobody thinks, or takes the
    processors, while a rival is asked.

    made_of: what `make_agent` makes the agent of, as JSON. files: its own, where they are seen there and where they
    lie; programs: what runs them. warm_ups: modules whose function `warm_up` loads what such agents need.

    Raises IsolationUnavailable if there is no jail; so does `make`, if a lock of it does not hold. Every method raises
    AgentProcessError if the process ends, does not answer or takes too much; then it is closed.
    """

    def __init__(
        self,
        made_of: str,
        limits: Limits,
        files: Sequence[tuple[Path, Path]],
        programs: Sequence[Path],
        warm_ups: Sequence[str] = (),
    ) -> None:
        jail.check_available()
        import fcntl  # not everywhere

        self._limits, self._doing = limits, MAKING
        self._number, self._counted, self._looked, self._is_open = 0, 0.0, monotonic(), True
        self._waited, self._stood = 0.0, math.inf
        self._output = os.memfd_create("output", os.MFD_CLOEXEC)
        fcntl.fcntl(self._output, fcntl.F_SETFL, os.O_APPEND)  # once it is emptied, it starts over
        self._channel, theirs = socket.socketpair()
        self._inbox = Inbox(self._channel)
        self._channel.settimeout(SECONDS_TO_TAKE)
        self._group = new_group(limits.memory_mb * MEGABYTE, MAX_THREADS)
        try:
            with theirs:
                self._bubblewrap, pid = _started(theirs, self._output, files, programs, limits.network, self._group)
        except BaseException:
            if self._group:
                self._group.close()
            raise
        self._first = pid
        self._pidfd = os.pidfd_open(pid) if pid else -1
        self._poll = select.poll()
        self._poll.register(self._channel, select.POLLIN)
        namespaces = [os.readlink(f"/proc/self/ns/{name}") for name in jail.NAMESPACES]
        birth = {"made_of": made_of, "cwd": os.getcwd(), "namespaces": namespaces, "network": limits.network}
        birth["memory"] = limits.memory_mb * MEGABYTE
        try:
            self._send({"do": "begin", "warm_ups": list(warm_ups), **birth})
        except AgentProcessError as error:
            raise _unavailable(error) from None

    def begin(self) -> None:
        """Wait until all is loaded that is not the agent's. Raises IsolationUnavailable."""
        try:
            self._received(SECONDS_TO_BEGIN)
        except AgentProcessError as error:
            raise _unavailable(error) from None

    def make(self) -> dict[str, Any]:
        self.begin()
        answer = self.ask({"do": "make"}, self._limits.seconds_to_start)
        self._doing = PLAYING
        return answer

    def ask(self, message: dict[str, Any], seconds: float, fds: Sequence[int] = ()) -> dict[str, Any]:
        """Send a message and wait for the answer, at most this number of seconds."""
        self._freeze(False)
        self._send(message, fds)
        answer = self._received(seconds)
        self._freeze(True)
        if os.fstat(self._output).st_size > MAX_PRINTED:
            os.ftruncate(self._output, 0)
        return answer

    def _freeze(self, frozen: bool) -> None:
        if not self._is_open:
            return
        if self._group and self._group.freezes:
            self._group.freeze(frozen)
        elif not frozen:
            if usage_of(self._first).seconds - self._stood > MAX_STIR:
                self._fail("its processes ran while nobody asked it")
            _signal_all([pid for pid, _ in tasks_of(self._first)], signal.SIGCONT)
        elif not stop_all(self._first):
            self._fail("it starts processes faster than they can be stopped")
        else:
            self._stood = usage_of(self._first).seconds

    def _send(self, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
        if not self._is_open:
            raise AgentProcessError("its process has ended")
        self._number += 1
        try:
            send(self._channel, {**message, "n": self._number}, fds)
        except TimeoutError:
            self._fail("it does not take what it is sent")
        except OSError:
            self._fail_as_it_ended()

    def _received(self, seconds: float) -> dict[str, Any]:
        ends = monotonic() + seconds
        while (answer := self._answer()) is None:
            if monotonic() > ends:
                self._fail(f"no answer within {seconds:g} s")
            self._wait()
        if monotonic() - self._looked > SELDOM:
            self._look()
        return answer

    def _answer(self) -> dict[str, Any] | None:
        try:
            answer = self._inbox.message()
        except WireError as error:
            self._fail(f"its process sent {error}")
        if answer is not None and answer.get("n") != self._number:
            self._fail("its process sent an answer to another question")
        return answer

    def _wait(self) -> None:
        if self._poll.poll(1000 * POLL_SECONDS):
            with suppress(OSError):
                if self._inbox.read():
                    return
            self._fail_as_it_ended()
        self._look()

    def _look(self) -> float:
        """Returns the processor seconds taken in the jail; checks what the kernel does not limit."""
        self._looked = monotonic()
        if self._group:
            return self._group.processor_seconds()
        used = usage_of(self._first)
        if used.threads > MAX_THREADS:
            self._fail(f"it started {used.threads} threads, the limit is {MAX_THREADS}")
        if used.resident > self._limits.memory_mb * MEGABYTE:
            megabytes = used.resident // MEGABYTE
            self._fail(f"it used {megabytes:,} MB of memory, the limit is {self._limits.memory_mb:,}")
        if (files := jail.files_of(self._first)) > MAX_FILES:
            self._fail(f"it made {files:,} files, the limit is {MAX_FILES:,}")
        return used.seconds

    def processor_seconds(self) -> float:
        """The processor time that the processes in the jail have taken since this was asked last."""
        if not self._is_open:
            return 0.0
        total = self._look()
        passed, self._counted = max(0.0, total - self._counted), max(total, self._counted)
        return passed

    def waited_seconds(self) -> float:
        """For how long its threads have waited for a processor since this was asked last, together."""
        if not self._is_open:
            return 0.0
        total = waited_by(self._first)
        passed, self._waited = max(0.0, total - self._waited), total
        return passed

    def _fail_as_it_ended(self) -> NoReturn:
        printed = self._printed()
        with suppress(subprocess.TimeoutExpired):
            status = self._bubblewrap.wait(SECONDS_TO_END)
            printed = self._printed()
            if self._group and self._group.ran_out_of_memory():
                self._fail(f"it used more memory than the limit of {self._limits.memory_mb:,} MB")
            self.close()
            raise AgentProcessError(with_tail(how_it_ended(status, self._doing), printed))
        self._fail("its process has closed its connection")

    def _fail(self, reason: str) -> NoReturn:
        self.close()
        raise AgentProcessError(reason)

    def _printed(self) -> str:
        size = os.fstat(self._output).st_size
        return os.pread(self._output, TAIL, max(0, size - TAIL)).decode(errors="replace")

    def close(self) -> None:
        """End the jail: the kernel ends every process in it with its first one, and this waits until they are gone."""
        if not self._is_open:
            return
        self._is_open = False
        self._channel.close()
        if self._pidfd >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            select.select([self._pidfd], [], [])
            os.close(self._pidfd)
            with suppress(subprocess.TimeoutExpired):
                self._bubblewrap.wait(SECONDS_TO_END)
        self._bubblewrap.kill()
        self._bubblewrap.wait()
        os.close(self._output)
        if self._group:
            self._group.close()

    def __del__(self) -> None:
        with suppress(Exception):  # at the end of Python, what it needs may be gone
            self.close()


@cache
def a_jail_starts() -> bool:
    """Whether a jail without any agent's files starts on this system."""
    process = AgentProcess("{}", Limits(), (), ())
    try:
        process.begin()
    except IsolationUnavailable:
        return False
    finally:
        process.close()
    return True


def _started(
    channel: socket.socket,
    output: int,
    files: Sequence[tuple[Path, Path]],
    programs: Sequence[Path],
    network: bool,
    group: ControlGroup | None,
) -> tuple[subprocess.Popen[bytes], int]:
    """Start bubblewrap. Returns it, and the first process in the jail, which waits for the group; 0 for none."""
    info, write_info = os.pipe()
    waits, goes_on = os.pipe()
    program = os.memfd_create("filter", os.MFD_CLOEXEC)
    os.pwrite(program, filter_program(), 0)
    opened: list[tuple[Path, int, bool]] = []
    try:
        for seen, path in files:
            opened.append((seen, os.open(path, os.O_RDONLY | os.O_CLOEXEC), os.access(path, os.X_OK)))
        words = [
            *jail.command(opened, programs, network, write_info),
            *("--block-fd", str(waits), "--seccomp", str(program), "--chdir", jail.SCRATCH),
        ]
        started = subprocess.Popen(
            [*words, *PROGRAM],
            env=jail.environment(),
            pass_fds=[write_info, waits, program, *(file for _, file, _ in opened)],
            stdin=channel.fileno(),
            stdout=output,
            stderr=output,
        )
    except BlockingIOError as error:
        raise IsolationUnavailable(f"isolation: process: the system starts no more processes ({error})") from error
    finally:
        for file in (write_info, waits, program, *(file for _, file, _ in opened)):
            os.close(file)
    with open(info, "rb") as answer, open(goes_on, "wb"):
        text = answer.read()
        pid = int(json.loads(text)["child-pid"]) if text else 0
        if group and pid:
            with suppress(ProcessLookupError):  # it has ended already, and the next question says why
                group.add(pid)
    return started, pid


def _unavailable(error: AgentProcessError) -> IsolationUnavailable:
    cause = jail.forbidden_by() or "inside a container, docs/strangers.md names the options"
    return IsolationUnavailable(
        f"isolation: process: no jail could be made ({error}); bubblewrap needs user namespaces: {cause}"
    )
