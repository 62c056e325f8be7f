"""A program that runs beside this one and exchanges lines with it, without ever waiting for each other in a circle: one
thread writes while the program reads, reads while it writes, and takes its error output away."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import IO, Protocol

BLOCK = 1 << 16
LONGEST_LINE = 1 << 20  # bytes without an end of line, after which the program writes nonsense
ERRORS_KEPT = 2_000  # bytes of the latest error output that messages may show
LINES_SHOWN = 5
READS = 100
PATIENCE = 1.0  # seconds in which a program that has closed its output, or was asked to end, may end by itself


class ProgramError(ValueError):
    """A program cannot be started, ended too early, took too long, or sent an invalid answer."""


class Channel(Protocol):
    """A bot that lines are exchanged with, as `Program` does."""

    @property
    def is_here(self) -> bool: ...

    def send(self, data: bytes) -> None: ...
    def exchange(self, data: bytes, seconds: float) -> Iterator[bytes]: ...
    def close(self) -> None: ...
    def kill(self) -> None: ...
    def processor_time(self) -> float | None: ...
    def wrong(self, what: str) -> ProgramError: ...


class Program:
    """A running program. words: the command. who: what messages call it. folder: where it runs.

    Raises ProgramError if it cannot be started.
    """

    def __init__(self, words: Sequence[str], who: str, folder: str) -> None:
        self._who = who
        self._process = _started(words, who, folder)
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._to, self._from, self._errors = map(_unblocked, pipes)
        self._unsent, self._unread, self._error_output = bytearray(), bytearray(), bytearray()
        # Also when nobody closes it: when it is garbage, and when this process ends.
        self._end = weakref.finalize(self, _ended, self._process, os.getpid())
        self._owner = os.getpid()

    @property
    def is_here(self) -> bool:
        """Whether this process has started it: one that was forked later must leave it alone."""
        return self._owner == os.getpid()

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, data: bytes) -> None:
        """Write lines that have no answer. What does not fit into the pipe now goes first with what is sent next."""
        self._unsent += data
        self._write()

    def exchange(self, data: bytes, seconds: float) -> Iterator[bytes]:
        """Write lines, and give the program's lines as they come, without end; empty lines are left out.

        seconds: how long each may take. Raises ProgramError if none comes for so long, and if the program ends.
        """
        self._unsent += data
        with selectors.DefaultSelector() as selector:
            selector.register(self._from, selectors.EVENT_READ, self._read)
            selector.register(self._errors, selectors.EVENT_READ, self._read_errors)
            if self._unsent:
                selector.register(self._to, selectors.EVENT_WRITE, self._write)
            while True:
                yield self._next_line(selector, seconds)

    def close(self) -> None:
        """End the program: it reads what is left for it, and should end itself; a moment later its group is killed."""
        if self.is_here:
            self._send_the_rest()
        self._end()

    def kill(self) -> None:
        """End the program, and all of its group, at once."""
        _kill_group(self._process)
        self._end()

    def processor_time(self) -> float | None:
        """Seconds of processor time of its process, without its children; None if the system does not tell."""
        try:
            return time.clock_gettime((~self.pid << 3) | 2)  # as pthread_getcpuclockid(3) makes the number
        except (AttributeError, OSError):
            return None

    def _next_line(self, selector: selectors.BaseSelector, seconds: float) -> bytes:
        """Move bytes both ways until a line has come that is not empty."""
        deadline = time.monotonic() + seconds
        while not (line := self._complete_line()):
            left = deadline - time.monotonic()
            for key, _ in selector.select(max(left, 0)):
                if key.data():
                    selector.unregister(key.fileobj)
                    if key.fileobj is self._from:
                        raise self._ending()
            if left <= 0:
                raise self.wrong(f"gave no answer within {seconds:g} s")
            if len(self._unread) > LONGEST_LINE:
                raise self.wrong(f"wrote a line of more than {LONGEST_LINE:,} bytes")
        return line

    def _complete_line(self) -> bytes:
        line = b""
        while not line and (end := self._unread.find(b"\n")) >= 0:
            line = bytes(self._unread[:end]).strip()
            del self._unread[: end + 1]
        return line

    def _send_the_rest(self) -> None:
        """Write what did not fit into the pipe, close it, and wait for the program to close its own; drop its words."""
        deadline = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self._to, selectors.EVENT_WRITE, self._write)
            selector.register(self._from, selectors.EVENT_READ, self._read)
            selector.register(self._errors, selectors.EVENT_READ, self._read_errors)
            while (left := deadline - time.monotonic()) > 0:
                for key, _ in selector.select(left):
                    if key.data():
                        selector.unregister(key.fileobj)
                        if key.fileobj is self._from:
                            return
                        if key.fileobj is self._to:
                            self._to.close()
                self._unread.clear()

    def _write(self) -> bool:
        try:
            del self._unsent[: os.write(self._to.fileno(), self._unsent[:BLOCK])]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # it has ended, or will be found silent
            self._unsent.clear()
        return not self._unsent

    def _read(self) -> bool:
        return _available(self._from, self._unread) == 0

    def _read_errors(self) -> bool:
        closed = _available(self._errors, self._error_output) == 0
        del self._error_output[:-ERRORS_KEPT]
        return closed

    def _ending(self) -> ProgramError:
        try:
            status = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return self.wrong("closed its standard output")
        _kill_group(self._process)
        return self.wrong(f"was ended by {_signal_name(-status)}" if status < 0 else f"ended with exit status {status}")

    def wrong(self, what: str) -> ProgramError:
        """An error of this program, with the last lines of its error output. what: continues "the program"."""
        for _ in range(READS):  # it may write without end
            if not _available(self._errors, self._error_output):
                break
            del self._error_output[:-ERRORS_KEPT]
        lines = [line for line in printable(self._error_output.decode(errors="replace")).splitlines() if line.strip()]
        end = "".join(f"\n    {line}" for line in lines[-LINES_SHOWN:])
        return ProgramError(f"{self._who}: the program {what}." + (f" Its error output ends with:{end}" if end else ""))


def printable(text: str) -> str:
    """Untrusted text without control characters, which could change what a terminal shows."""
    return "".join(each if each.isprintable() or each == "\n" else "�" for each in text.replace("\t", "    "))


def _started(words: Sequence[str], who: str, folder: str) -> subprocess.Popen[bytes]:
    if sys.platform == "win32":
        raise ProgramError(
            f"{who}: programs play on Linux and macOS only: pipes of Windows cannot be read without waiting"
        )
    try:
        return subprocess.Popen(
            words,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # a group of its own, which can be killed as a whole
        )
    except FileNotFoundError:
        raise ProgramError(f"{who}: there is no program {words[0]!r}; give a file, or a name in PATH") from None
    except PermissionError:
        raise ProgramError(f"{who}: {words[0]!r} cannot be run: make it executable (chmod +x)") from None
    except OSError as error:
        raise ProgramError(f"{who}: {words[0]!r} cannot be run: {error.strerror}") from None


def _unblocked(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    os.set_blocking(pipe.fileno(), False)
    return pipe


def _available(pipe: IO[bytes], into: bytearray) -> int | None:
    """Append what can be read now. Returns how many bytes, 0 at the end; None if there are none yet."""
    try:
        data = os.read(pipe.fileno(), BLOCK)
    except BlockingIOError:
        return None
    into += data
    return len(data)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _ended(process: subprocess.Popen[bytes], owner: int) -> None:
    """Close the program's input, wait, kill the rest of the group. Does nothing in a fork of its owner."""
    if os.getpid() != owner:
        return
    if process.stdin:
        with suppress(OSError):
            process.stdin.close()
    if process.returncode is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        _kill_group(process)
        process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and those that it has started: right after it was seen alive, or its number may be another's."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
