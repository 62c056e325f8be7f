"""ProgramAgent: a program in any language as an agent, by lines of JSON over its standard input and output. Its base,
LineAgent, is any bot behind such lines."""

from __future__ import annotations

import json
import math
import os
import sys
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.commands import name_of, words_of
from ...agents.facts import AgentFacts, Clock
from ...agents.protocol import Agent
from ...compiled.records import Records
from ...engine import batch
from ...engine.legality import why_illegal
from ...engine.record import NO_CARD
from ...engine.seat_view import new_views, view_rows
from ...game.rules import Rules
from ...utils.hooks import hook
from .answers import WrongAnswer, answer_of, border, check_hello_answer, id_of, move_of, shown
from .messages import Decision
from .programs import Channel, Program
from .situations import HASH_BITS, decisions_of, ends_of, hand_names, hashed, hello_of

MAX_SECONDS = 10.0
START_SECONDS = 60.0
CLOCK: Clock = "processor" if sys.platform == "linux" else "wall"
FLOAT_BITS = 53  # how many random bits a float holds
AS_TEXT = json.JSONEncoder(separators=(",", ":")).encode


class LineAgent(Agent):
    """A bot that is asked by lines of JSON: one for each decision, one for its answer (docs/protocol.md).

    Many decisions are sent at once; the bot answers them in any order. Each clone of the agent has a bot of its own.
    name: in results. max_seconds: how long the bot may take for an answer. start_seconds: how long until it has
    answered the first message. Playing raises ProgramError, a ValueError.
    """

    def __init__(self, name: str, max_seconds: float = MAX_SECONDS, start_seconds: float = START_SECONDS) -> None:
        self.name, self.max_seconds = name, _seconds("max_seconds", max_seconds)
        self.start_seconds = _seconds("start_seconds", start_seconds)
        self._program: Channel | None = None
        self._asked = 0
        self._wants_ends = False

    @abstractmethod
    def _begun(self) -> Channel:
        """A new bot. Raises ProgramError."""

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if not len(rows):
            return np.empty(0, np.int64)
        views = _views(tables, rules, rows)
        decisions = decisions_of(views, rules, self._asked, hand_names(tables[rows], rules), _randoms(tables[rows]))
        self._asked += len(decisions)
        began, is_new = perf_counter(), self._program is None
        program = self._running(rules)
        starting, before = perf_counter() - began, program.processor_time()
        try:
            moves = self._answers(program, decisions)
            with border():
                _check_legal(views, rules, moves)
        except BaseException as error:
            raise self._ended_by(program, error) from None
        after = program.processor_time()
        count_elsewhere((after or 0.0) - (before or 0.0), -starting if is_new else 0.0)
        return moves

    def hand_over(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> None:
        """See `Agent.hand_over`: sent to a program that asked for it in its answer to `hello`."""
        program = self._running(rules)
        if self._wants_ends:
            views = tables[rows]
            program.send(_lines(ends_of(views, rules, hand_names(views, rules))))

    def reset(self) -> None:
        """Tell the program to forget what it has learnt from earlier hands."""
        if self._program is not None:
            self._program.send(_lines([{"type": "reset"}]))

    def close(self) -> None:
        """End the program; it starts again if it is asked again."""
        program, self._program = self._program, None
        if program is not None:
            program.send(_lines([{"type": "bye"}]))
            program.close()

    def __getstate__(self) -> dict[str, Any]:
        """A copy has the same command and its own program."""
        return {**self.__dict__, "_program": None, "_asked": 0, "_wants_ends": False}

    def _running(self, rules: Rules) -> Channel:
        if self._program is None or not self._program.is_here:
            program = self._begun()
            try:
                line = next(program.exchange(_lines([hello_of(rules)]), self.start_seconds))
                with border():
                    answer = answer_of(line)
                    check_hello_answer(answer)
            except BaseException as error:
                raise self._ended_by(program, error) from None
            self._wants_ends = answer.get("hand_over", False)
            self._program = program
        return self._program

    def _answers(self, program: Channel, decisions: Sequence[Decision]) -> NDArray[np.int64]:
        places: dict[int | None, int] = {decision["id"]: place for place, decision in enumerate(decisions)}
        moves = np.empty(len(decisions), np.int64)
        for line in program.exchange(_lines(decisions), self.max_seconds):
            with border():
                answer = answer_of(line)
                place = places.pop(id_of(answer), None)
                if place is None:
                    raise WrongAnswer(f"answered {shown(answer)}, and was asked no decision with this id that is open")
                moves[place] = move_of(answer, decisions[place]["legal"])
            if not places:
                break
        return moves

    def _ended_by(self, program: Channel, error: BaseException) -> BaseException:
        """End a program, whose next answers belong to another question. Returns the error to raise."""
        self._program = None
        failure = program.wrong(str(error).rstrip(".")) if isinstance(error, WrongAnswer) else error
        program.kill()
        return failure


class ProgramAgent(LineAgent):
    """A program that plays by the protocol of docs/protocol.md: one line of JSON for each decision, one for its answer.

    The program is started when it is first asked, and each clone of the agent has its own. Many decisions are sent at
    once; the program answers them one after the other.

    Args:
        command: What to run, as text ("node bot.js") or as a list of words. Files in the command of a config file are
            relative to that file.
        name: The name in results. By default that of the program's file.
        max_seconds: Limit for an answer.
        start_seconds: Limit for the answer to the first message.
        tables_at_once: Number of tables at which it can play at once; None for any number.

    Raises:
        ValueError: If the command has no words.
        ProgramError: When playing, if the program cannot be started, ends, takes too long or answers with an illegal
            move. It is a ValueError.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        name: str | None = None,
        max_seconds: float = MAX_SECONDS,
        start_seconds: float = START_SECONDS,
        tables_at_once: int | None = None,
    ) -> None:
        self.command = words_of(command)
        super().__init__(name or name_of(self.command), max_seconds, start_seconds)
        self.facts = AgentFacts(CLOCK, tables_at_once=tables_at_once)
        self._folder = os.getcwd()  # where relative names in the command begin, wherever the agent plays later

    def _begun(self) -> Program:
        return Program(self.command, f"agent {self.name!r}", self._folder)

    @property
    def processor_time(self) -> float | None:
        """Seconds of processor time of the running program, without its children; None if there is none or no clock."""
        return None if self._program is None else self._program.processor_time()

    def config(self) -> dict[str, Any]:
        return {
            "agent": "program",
            "command": self.command,
            "name": self.name,
            "max_seconds": self.max_seconds,
            "start_seconds": self.start_seconds,
            "tables_at_once": self.facts.tables_at_once,
        }


def _check_legal(views: Records, rules: Rules, moves: NDArray[np.int64]) -> None:
    bad = batch.first_illegal(views, rules.record, np.arange(len(moves)), moves)
    if bad >= 0:
        move = int(moves[bad])
        raise WrongAnswer(f"answered a raise to {move}: {why_illegal(views, rules.record, bad, move)}")


def count_elsewhere(processor: float, wall: float, away: float = 0.0) -> None:
    """Count a bot's processor time, and a correction of its wall time, for the stopwatch of a match if there is one."""
    with suppress(LookupError):
        hook("count_elsewhere")(processor, wall, away)


def _views(tables: Records, rules: Rules, rows: NDArray[np.int64]) -> Records:
    """tables[rows] as the seats to act may see them. Matches hand over such views already."""
    if (tables["deck"][rows] == NO_CARD).all():
        return tables[rows]
    views = new_views(len(rows))
    view_rows(tables, rules.record, rows, views, rotation=0)
    return views


def _randoms(tables: Records) -> list[float]:
    """A random number for each decision, at least 0 and below 1, of the random word that a view has."""
    words = zip(*(tables[name].tolist() for name in ("seed", "hand", "moves")), strict=True)
    return [(int.from_bytes(hashed(*word), "big") >> HASH_BITS - FLOAT_BITS) / 2.0**FLOAT_BITS for word in words]


def _lines(messages: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(f"{AS_TEXT(message)}\n" for message in messages).encode()


def _seconds(name: str, given: float) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given < math.inf:
        raise ValueError(f"{name}: give seconds above zero, not {given!r}")
    return float(given)
