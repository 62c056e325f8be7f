"""Who sits at a dealer's table: agents of this library, and programs behind sockets."""

from __future__ import annotations

import os
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from time import monotonic

import numpy as np

from ...agents.protocol import Agent
from ...agents.queries import SealedAgent
from ...table.seat_view import Move
from ...table.table import Table
from .answers import Hand, as_said, ruling
from .connection import Connection, Watch
from .errors import PlayerFailed
from .remote import Limits, Remote

ONE_ROW = np.zeros(1, np.int64)
SECONDS_TO_BEGIN = 60.0  # until a connection that has sent no whole first line is closed


class Player(ABC):
    """A player of a match. port: where its program connects; 0 for a player that needs none."""

    name: str
    port: int = 0

    def open(self, deadline: float | None) -> None:  # noqa: B027 - may be left out
        """Be there until the deadline, by `monotonic`. Raises PlayerFailed."""

    @abstractmethod
    def send_state(self, hand: Hand) -> None:
        """Learn of the state."""

    @abstractmethod
    def move(self, hand: Hand, table: Table) -> int:
        """The engine move of the player to act. Raises PlayerFailed."""

    def new_hand(self) -> None:  # noqa: B027 - may be left out
        """A hand begins."""

    @abstractmethod
    def close(self) -> None:
        """The match is over."""


class OwnPlayer(Player):
    """An agent of this library, which is closed with the match. It has no limit of time."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self._agent = SealedAgent(agent)

    def send_state(self, hand: Hand) -> None:
        table = hand.table
        if table.is_over and self._agent.agent.wants_hand_over:
            with self._named_errors():
                self._agent.report_finished_hands(table.records, table.rules, ONE_ROW, np.array([hand.seat]))

    def move(self, hand: Hand, table: Table) -> int:
        with self._named_errors():
            move = int(self._agent.moves(table.records, table.rules, ONE_ROW)[0])
        return as_said(move, table, moves_of_round(hand.moves, table))

    def close(self) -> None:
        self._agent.agent.close()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            raise PlayerFailed(self.name, f"failed: {type(error).__name__}: {error}") from error


class RemotePlayer(Player):
    """A program that connects to a port.

    host, port: where; port 0: any free one. limits, warn: see Remote. watch: called with all lines. Raises OSError
    if the port is not free.
    """

    def __init__(
        self, name: str, host: str, port: int, limits: Limits, warn: Callable[[str], None], watch: Watch
    ) -> None:
        self.name = name
        self._limits, self._warn, self._watch = limits, warn, watch
        self._remote: Remote | None = None
        self._listener = listening(name, host, port)
        self.port = int(self._listener.getsockname()[1])

    def open(self, deadline: float | None) -> None:
        try:
            while not self._is_connected(deadline):
                pass
        finally:
            self._listener.close()

    def _is_connected(self, deadline: float | None) -> bool:
        """Whether the next to connect says who it is; the others are disconnected."""
        left = inf if deadline is None else max(deadline - monotonic(), 0.001)
        self._listener.settimeout(None if deadline is None else left)
        try:
            connected, _ = self._listener.accept()
        except TimeoutError:
            raise PlayerFailed(
                self.name, f"did not connect to port {self.port} within {self._limits.start:g} s"
            ) from None
        connection = Connection(connected, self.name, self._watch)
        self._remote = Remote(self.name, connection, self._limits, self._warn)
        try:
            self._remote.check_version(min(left, SECONDS_TO_BEGIN))
        except TimeoutError as error:
            self._warn(f"{self.name}: a client that connected {error}; port {self.port} waits for another")
            self._remote.close()
            return False
        return True

    @property
    def remote(self) -> Remote:
        assert self._remote is not None, "open comes first"
        return self._remote

    def send_state(self, hand: Hand) -> None:
        self.remote.send_state(hand.now())

    def move(self, hand: Hand, table: Table) -> int:
        count = moves_of_round(hand.moves, table)
        return self.remote.ask(hand.now(), lambda action: ruling(action, table, count))

    def new_hand(self) -> None:
        self.remote.new_hand()

    def close(self) -> None:
        self._listener.close()
        if self._remote is not None:
            self._remote.close()


def listening(who: str, host: str, port: int) -> socket.socket:
    """A socket that waits for a player. Raises OSError that names the player and the address."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address, family=family)
    except OSError as error:
        # create_server adds the address to the system's words; whatever name lookup says is not numbered as they are.
        plain = error.strerror if isinstance(error, socket.gaierror) or not error.errno else os.strerror(error.errno)
        raise type(error)(f"{host}:{port}, the port for {who}: {plain or error}") from None


def moves_of_round(moves: Sequence[Move], table: Table) -> int:
    """How many moves the running betting round had."""
    return sum(move.street == table.street for move in moves)
