"""Lines of text to and from one player, with a limit of time for each."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from math import inf
from time import monotonic

from .errors import PlayerFailed

LONGEST_LINE = 8192
"""Bytes. States of the longest hands that the protocol allows are shorter."""
LAST_MOMENT = 0.5  # seconds that a player has for hanging up, too
END = b"\r\n"
Watch = Callable[[str, str, str], None]  # called with each line: "TO" or "FROM", the player, the line


def nobody_watches(direction: str, player: str, line: str) -> None:
    """Messages are not shown."""


class Connection:
    """A connected socket.

    player: the name in errors. watch: called with each line. Every method raises PlayerFailed if the player is gone or
    too slow.
    """

    def __init__(self, connected: socket.socket, player: str, watch: Watch = nobody_watches) -> None:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket, self._player, self._watch = connected, player, watch
        self._waiting = b""

    def send(self, line: str, seconds: float) -> None:
        """Send a line within this many seconds."""
        self._watch("TO", self._player, line)
        self._socket.settimeout(_timeout(seconds))
        try:
            self._socket.sendall(line.encode() + END)
        except TimeoutError:
            raise PlayerFailed(self._player, f"does not read: a message was not taken in {seconds:g} s") from None
        except OSError as error:
            raise self._gone(error) from None

    def receive(self, seconds: float | None) -> str | None:
        """The next line, without its end; None if it does not come within this many seconds. None waits for ever."""
        deadline = inf if seconds is None else monotonic() + seconds
        while b"\n" not in self._waiting and len(self._waiting) <= LONGEST_LINE:
            self._socket.settimeout(_timeout(deadline - monotonic()))
            try:
                more = self._socket.recv(4096)
            except TimeoutError:
                return None
            except OSError as error:
                raise self._gone(error) from None
            if not more:
                raise self._gone()
            self._waiting += more
        line, _, self._waiting = self._waiting.partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise PlayerFailed(self._player, f"sent a line of more than {LONGEST_LINE:,} bytes")
        text = line.decode("ascii", "replace").rstrip("\r")
        self._watch("FROM", self._player, text)
        return text

    def close(self) -> None:
        """Hang up. May be called again. What the player still sends is read for a moment: a socket that closes with
        unread bytes may take back the last line that was sent."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            deadline = monotonic() + LAST_MOMENT
            while (left := deadline - monotonic()) > 0:
                self._socket.settimeout(left)
                if not self._socket.recv(4096):
                    break
        self._socket.close()

    def _gone(self, error: OSError | None = None) -> PlayerFailed:
        return PlayerFailed(self._player, f"has disconnected{f' ({error.strerror})' if error else ''}")


def _timeout(seconds: float) -> float | None:
    """Seconds as a socket takes them: 0 would mean not to wait at all, None is for ever."""
    return None if seconds == inf else max(seconds, 0.001)
