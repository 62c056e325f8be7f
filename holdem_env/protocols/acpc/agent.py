"""AcpcAgent: a program that speaks the ACPC's protocol sits at our tables. For the program, we are its dealer."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from socket import socket
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.facts import AgentFacts
from ...agents.protocol import Agent
from ...compiled.records import Records
from ...game.rules import Rules
from ...history.acpc_game import game_definition
from ...table.seat_view import Move, SeatView
from .answers import Hand, ruling
from .connection import Connection
from .errors import PlayerFailed
from .games import check_sayable
from .programs import LOOPBACK, Listener, Program, address_of, filled
from .remote import Limits, Remote

WHO = "agent 'acpc'"
logger = logging.getLogger(__name__)


class AcpcAgent(Agent):
    """A program of the Annual Computer Poker Competition, connected by TCP. `acpc:HOST:PORT` waits for it there.

    The program gets every state of every hand that it plays, as the ACPC's dealer sends it. It gets the last one when
    `hand_over` is called, as matches do. Its hands are numbered from 0 when it connects. A clone is another connection,
    and another process: a match has one for each seat.

    Args:
        listen: "HOST:PORT", where the program connects as it would to a dealer.
        command: A program to start, instead or in addition. Its words may have {host}, {port} and {game}, the path of a
            game definition.
        ms_per_decision: Limit for an answer, in milliseconds.
        ms_to_connect: Limit for the program to connect, in milliseconds.
        invalid_answers: How many answers may be no legal action; each is replaced by a call.
        new_at_reset: Hang up at every `reset`; the next decision waits for the program, or starts it, again. Then its
            play does not depend on earlier deals, but matches reset before every deal. By default a connection lasts.

    Raises:
        ValueError: If the protocol cannot express the game, or for more than one table at once.
        PlayerFailed: If the program does not connect, leaves, is too slow or too often wrong. It is a ValueError.
    """

    name = "acpc"
    facts = AgentFacts(clock="wall", tables_at_once=1)

    def __init__(
        self,
        listen: str | None = None,
        command: str | Sequence[str] | None = None,
        ms_per_decision: float = 60_000,
        ms_to_connect: float = 60_000,
        invalid_answers: int = 1000,
        new_at_reset: bool = False,
    ) -> None:
        if listen is None and command is None:
            raise ValueError("agent 'acpc': give listen='HOST:PORT', or a command such as './bot {game} {host} {port}'")
        if listen is not None:
            address_of(listen)
        if command is not None:
            filled(command, host="", port="", game="")
        self.listen, self.command = listen, command
        self.ms_per_decision, self.ms_to_connect = ms_per_decision, ms_to_connect
        self.invalid_answers, self.new_at_reset = invalid_answers, new_at_reset
        self._folder = os.getcwd()  # where relative names in the command begin, wherever the agent plays later
        self._disconnected()

    def _disconnected(self) -> None:
        self._listener: Listener | None = None
        self._program: Program | None = None
        self._remote: Remote | None = None
        self._hand: _Known | None = None
        self._hands = 0
        self._rules: Rules | None = None

    def __getstate__(self) -> dict[str, Any]:
        """A copy has the same parameters and its own connection."""
        own = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        return {**own, "_folder": self._folder}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._disconnected()

    @property
    def address(self) -> tuple[str, int]:
        """Host and port where a program connects. From now on it can."""
        return self._waiting().address

    def _waiting(self) -> Listener:
        if self._listener is None:
            try:
                self._listener = Listener.at(address_of(self.listen) if self.listen else (LOOPBACK, 0))
            except PermissionError as error:
                raise PermissionError(f"{error}; in an isolated process it needs `network: true`") from None
            self._listener.users.add(self)
        return self._listener

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if len(rows) > 1:
            raise ValueError(f"{WHO} plays one table at a time, and {len(rows)} asked at once")
        return np.array([self._decide(_view(tables, rules, row)) for row in rows.tolist()], np.int64)

    def hand_over(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> None:
        """Send the program how hands ended; see `Agent.hand_over`. A program that has left gets nothing, and the next
        decision raises an error."""
        for row in rows.tolist():
            view = _view(tables, rules, row)
            try:
                hand = self._follow(view)
                self._report_missing(hand)
                self._connected(rules).send_state(hand.now())
            except PlayerFailed as error:
                logger.info("%s", error)
            self._hand = None

    def reset(self) -> None:
        """Hang up, if that is wanted: the program, or a new process of it, then starts over at the next decision."""
        if self.new_at_reset:
            self.hang_up()

    def close(self) -> None:
        """Hang up, end the process and give back the port."""
        self.hang_up()
        self._listener = None

    def hang_up(self) -> None:
        """End the connection, and the process if there is one."""
        if self._remote is not None:
            self._remote.close()
        if self._program is not None:
            self._program.stop()
        listener = self._listener
        self._disconnected()
        self._listener = listener

    def _decide(self, view: SeatView) -> int:
        hand = self._follow(view)
        remote = self._connected(view.rules)
        self._report_missing(hand)
        count = sum(move.street == view.street for move in hand.moves)
        self._known.states_sent = len(hand.moves) + 1
        return remote.ask(hand.now(), lambda action: ruling(action, view, count))

    @property
    def _known(self) -> _Known:
        assert self._hand is not None
        return self._hand

    def _follow(self, view: SeatView) -> Hand:
        """The hand that is going on, with the moves that were made in the meantime; or a new one."""
        self._check(view)
        moves = self._hand.continued(view) if self._hand is not None else None
        if moves is None:
            moves = whole(view, ())
            self._hand = _Known(_key(view), self._hands)
            self._hands += 1
            if self._remote is not None:
                self._remote.new_hand()
        self._known.moves = moves
        return Hand(view, view.seat, self._known.number, (view.button + 1) % view.rules.seats, moves)

    def _report_missing(self, hand: Hand) -> None:
        remote, known = self._connected(hand.table.rules), self._known
        for made in range(known.states_sent, len(hand.moves)):
            remote.send_state(hand.before(made))
        known.states_sent = len(hand.moves)

    def _check(self, view: SeatView) -> None:
        rules = view.rules
        if rules is not self._rules:
            check_sayable(rules)
            self._rules = rules
        stacks, usual = view.starting_stacks, set(rules.starting_stacks)
        if len(usual) > 1 or set(stacks) != usual or not view.records["was_dealt"][0, : rules.seats].all():
            raise ValueError(
                f"{WHO}: the ACPC's protocol has the same stacks in every hand, not {stacks}; the JSON lines protocol "
                "(docs/protocol.md) has every game"
            )

    def _connected(self, rules: Rules) -> Remote:
        if self._remote is None:
            connection = Connection(self._accepted(rules), WHO)
            limits = Limits(response=self.ms_per_decision / 1000, hand=float("inf"), invalid=self.invalid_answers)
            self._remote = Remote(WHO, connection, limits, lambda text: logger.info("%s", text))
            try:
                self._remote.check_version(self.ms_to_connect / 1000)
            except TimeoutError as error:
                raise PlayerFailed(WHO, str(error)) from None
        return self._remote

    def _accepted(self, rules: Rules) -> socket:
        host, port = self.address
        if self.command is not None:
            self._program = Program(self.command, (host, port), game_definition(rules), self._folder)
        program, seconds = self._program, self.ms_to_connect / 1000
        try:
            if program is not None:
                connected = self._waiting().accept(seconds, alive=program.check_alive)
                program.is_at(connected)
                return connected
            return self._waiting().accept(seconds, make_room=self._make_room)
        except TimeoutError:
            raise PlayerFailed(WHO, f"did not connect to {host}:{port} within {seconds:g} s") from None

    def _make_room(self) -> None:
        """Hang up on programs of other clones whose hand is over, so that they may connect again."""
        for other in list(self._waiting().users):
            if isinstance(other, AcpcAgent) and other is not self and other._remote and other._hand is None:
                other.hang_up()


class _Known:
    """What the program knows of the hand. states_sent: one for each move that it knows of, and the present one."""

    def __init__(self, key: tuple[Any, ...], number: int) -> None:
        self.key, self.number = key, number
        self.states_sent = 0
        self.moves: list[Move] = []

    def continued(self, view: SeatView) -> list[Move] | None:
        """All moves of a view of the same hand, later on; None if it is another hand."""
        count = int(view.records["moves"][0])
        if self.key != _key(view) or count < self.states_sent:
            return None
        moves = whole(view, self.moves)
        return moves if moves[: len(self.moves)] == self.moves else None


def whole(view: SeatView, earlier: Sequence[Move]) -> list[Move]:
    """All moves of a hand. earlier: those known before, as a view has the latest 64; ValueError if some are missing."""
    count, latest = int(view.records["moves"][0]), view.moves
    first = count - len(latest)
    if first > len(earlier):
        raise ValueError(
            f"{WHO}: {first - len(earlier)} moves of the hand are forgotten, so the program cannot follow it"
        )
    return [*earlier[:first], *latest]


def _key(view: SeatView) -> tuple[Any, ...]:
    """The same for all views of one hand."""
    record = view.records[0]
    return int(record["table_id"]), int(record["hand"]), view.button, view.seat, view.hole_cards()


def _view(tables: Records, rules: Rules, row: int) -> SeatView:
    return SeatView(tables[row : row + 1].copy(), rules, int(tables["actor"][row]))
