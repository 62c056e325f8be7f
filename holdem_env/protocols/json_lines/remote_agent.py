"""RemoteAgent: a bot that has joined a tournament over the network, as the processes that play see it. Each opens a
Unix socket to the server of `holdem tournament --listen` (`holdem_agents.remote`) for each match, and sends messages
(`..wire`) with lines of docs/protocol.md; to `answers` above 0 it gets as many lines back, or an `error`."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter
from typing import Any

from ...agents.facts import AgentFacts
from ..wire import receive, send
from .program_agent import LineAgent, count_elsewhere
from .programs import ProgramError, printable


class EntrantLeft(OSError):
    """A bot is no longer in the tournament: what it was playing is dropped, and nobody's fault."""


SCHEME = "remote:"  # what the names of such agents begin with


class RemoteAgent(LineAgent):
    """A bot that plays over the network in `holdem tournament --listen`, by the messages of docs/protocol.md.

    name: by which the bot joins. address: the Unix socket of the server that it joins; without one it cannot play.
    How long the bot may take, and how long it may be away, the server decides.
    """

    facts = AgentFacts(clock="wall", is_trusted=False)

    def __init__(self, name: str, address: str = "") -> None:
        super().__init__(name)
        self._address = address

    def config(self) -> dict[str, Any]:
        return {"agent": f"{SCHEME}{self.name}"}

    def _begun(self) -> RemoteChannel:
        if not self._address:
            raise ProgramError(f"agent {self.name!r}: a remote bot must play in `holdem tournament --listen`")
        return RemoteChannel(self._address, self.name)


class RemoteChannel:
    """One match of a remote bot: what a program of its own would be by pipes.

    Raises ProgramError if the bot fails, EntrantLeft, and OSError if the server has ended, which is no bot's fault.
    """

    def __init__(self, address: str, name: str) -> None:
        self._name, self._owner = name, os.getpid()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(address)
        send(self._socket, {"bot": name})

    @property
    def is_here(self) -> bool:
        return self._owner == os.getpid()

    def send(self, data: bytes) -> None:
        self._send(data, 0)

    def exchange(self, data: bytes, seconds: float) -> Iterator[bytes]:
        """Send lines, and give as many that the bot answers. The server times it, so `seconds` is unused."""
        began = perf_counter()
        self._send(data, data.count(b"\n"))
        if (received := receive(self._socket)) is None:
            raise ConnectionError("the server of the remote bots has ended")
        found, _ = received
        if found["left"]:
            raise EntrantLeft(f"{self._name} has left the tournament")
        count_elsewhere(0.0, found["thought"] - (perf_counter() - began), found["away"])
        yield from map(str.encode, found["lines"])
        raise self.wrong(found["error"] or "gave fewer answers than it was asked for")

    def close(self) -> None:
        """End the match; the bot stays connected."""
        self._socket.close()

    def kill(self) -> None:
        self.close()

    def processor_time(self) -> None:
        """Unknown."""

    def wrong(self, what: str) -> ProgramError:
        """An error of this bot. what: continues "the bot"."""
        return ProgramError(f"agent {self._name!r}: the bot {printable(what)}.")

    def _send(self, data: bytes, answers: int) -> None:
        with suppress(BrokenPipeError):  # reading says that the server has ended
            send(self._socket, {"lines": data.decode(), "answers": answers})
