"""Programs that connect to us: where we wait for them, and how we start them."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

from ...agents.commands import words_of
from .errors import PlayerFailed
from .players import listening

LOOPBACK = "127.0.0.1"
QUIET = 1.0  # seconds until it is said that somebody is awaited
PATIENCE = 2.0  # seconds that a program has for ending by itself
logger = logging.getLogger(__name__)
Address = tuple[str, int]


def address_of(text: str) -> Address:
    """The host and the port of "HOST:PORT". Raises ValueError for anything else.

    >>> address_of("127.0.0.1:9001")
    ('127.0.0.1', 9001)
    """
    host, colon, port = text.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 2**16):
        raise ValueError(f"listen: {text!r} is no address; give HOST:PORT, such as 127.0.0.1:9001")
    return host.strip("[]"), int(port)


class Listener:
    """A port at which programs connect. All agents of this process that listen at one address share it.

    users: these agents.
    """

    shared: weakref.WeakValueDictionary[Address, Listener] = weakref.WeakValueDictionary()

    def __init__(self, address: Address) -> None:
        self._socket = listening("agent 'acpc'", *address)
        self.address: Address = self._socket.getsockname()[:2]
        self.users: weakref.WeakSet[object] = weakref.WeakSet()
        weakref.finalize(self, self._socket.close)

    @classmethod
    def at(cls, address: Address) -> Listener:
        """The listener at an address; port 0 is a new one. Raises OSError if the port is not free."""
        found = cls.shared.get(address)
        if found is None:
            found = cls(address)
            cls.shared[found.address] = found
        return found

    def accept(
        self, seconds: float, alive: Callable[[], None] = lambda: None, make_room: Callable[[], None] = lambda: None
    ) -> socket.socket:
        """The next program that connects.

        alive: raises an error if nobody will come. make_room: hangs up on programs that may connect again; both are
        called while nobody waits. Raises TimeoutError after this many seconds.
        """
        began, has_warned = monotonic(), False
        self._socket.settimeout(0.1)
        while (waited := monotonic() - began) < seconds:
            with suppress(TimeoutError):
                return self._socket.accept()[0]
            alive()
            if not has_warned and waited > QUIET:
                has_warned = True
                logger.warning("waiting for a program to connect to %s:%d", *self.address)
            make_room()
        raise TimeoutError


class Program:
    """A process that was started to play.

    command: with {host}, {port} and {game}, the path of a game definition. definition: its text. folder: where the
    program runs.
    """

    def __init__(self, command: str | Sequence[str], address: Address, definition: str, folder: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="holdem-acpc-")
        game, self._errors = Path(self._folder.name) / "match.game", Path(self._folder.name) / "errors"
        game.write_text(definition, encoding="utf-8")
        self.words = filled(command, host=address[0], port=str(address[1]), game=str(game))
        with self._errors.open("wb") as errors:
            try:
                self._process = subprocess.Popen(
                    self.words,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    start_new_session=os.name == "posix",
                )
            except OSError as error:
                self._folder.cleanup()
                raise PlayerFailed("agent 'acpc'", f"cannot run {self.words[0]!r}: {error.strerror}") from None
        self._connected: list[socket.socket] = []
        self.stop = weakref.finalize(self, _stop, self._process, self._connected, self._folder)

    def is_at(self, connected: socket.socket) -> None:
        """The program is at the other end of a socket, which is closed before the program is ended."""
        self._connected.append(connected)

    def check_alive(self) -> None:
        """Raise PlayerFailed if the process has ended; the message has its last words."""
        status = self._process.poll()
        if status is not None:
            raise PlayerFailed("agent 'acpc'", f"{self.words[0]!r} ended with status {status}{self.last_words()}")

    def last_words(self) -> str:
        """The last line that it wrote on stderr, as an addition to a message."""
        lines = self._errors.read_text(errors="replace").split("\n") if self._errors.exists() else []
        last = [line.strip() for line in lines if line.strip()][-1:]
        return f"; its last words: {last[0][:200]!r}" if last else ""


def filled(command: str | Sequence[str], **values: str) -> list[str]:
    """The words of a command, with values for its fields. Raises ValueError for an invalid command."""
    words = words_of(command)
    try:
        return [word.format(**values) for word in words]
    except (ValueError, KeyError, IndexError) as error:
        raise ValueError(f"command: {command!r}: {error}; its fields are {{host}}, {{port}} and {{game}}") from None


def _stop(
    process: subprocess.Popen[bytes], connected: list[socket.socket], folder: tempfile.TemporaryDirectory[str]
) -> None:
    """Hang up and give the process a little time to end; then end it and those that it has started."""
    for each in connected:
        each.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()
    folder.cleanup()
