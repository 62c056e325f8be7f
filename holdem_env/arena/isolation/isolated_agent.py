"""`IsolatedAgent`: an agent in a process of its own, as matches see it, and what that says of it, checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter, process_time
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ...agents.facts import AgentFacts
from ...agents.protocol import StrategyUnknown
from ...agents.queries import SharedViews
from ...agents.range_copies import Likely, Rows, padded
from ...cards.combos import COMBOS
from ...compiled.records import Records, as_records
from ...engine.record import TABLE
from ...engine.seat_view import new_views, view_rows
from ...game.rules import Rules
from ...utils.plain_data import json_of, untrusted
from ...utils.shown_names import shown_text
from ...utils.validation import what_is_wrong
from ..matches.stopwatch import count_elsewhere
from .agent_files import copied_files, own_files, programs
from .agent_process import AgentProcess, a_jail_starts
from .compiling import compile_for, warm_ups_of
from .limits import AgentProcessError, IsolationUnavailable, Limits
from .shared_memory import SharedMemory

MAX_MOVES = 1024  # in a row of probabilities
VIEWS_FOR_RANGES = 128  # as many views come with memory for the answer about one range, of up to 197 moves
NO_ANSWER = "its process sent an invalid answer"
TYPE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,80}")


Text = Annotated[str, Field(max_length=2_000)]


class StatedFacts(BaseModel):
    """What an untrusted agent states of itself: its own attributes and facts, and whether it has a method `reset`."""

    model_config = ConfigDict(frozen=True, strict=True)

    name: Text
    gives_probabilities: bool
    gives_ranges: bool
    answers_counted: Annotated[int, Field(ge=2, lt=2**31)] | None
    tables_at_once: Annotated[int, Field(ge=1, lt=2**31)] | None
    resets: bool
    wants_hand_over: bool
    trained_on: Rules | None

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> StatedFacts:
        """From the answer of an agent's process. Raises ValueError, which says what is wrong."""
        with untrusted(ValueError):
            try:
                return cls.model_validate({name: answer.get(name) for name in cls.model_fields})
            except ValidationError as error:
                raise ValueError(what_is_wrong(error)) from None

    @field_validator("name")
    @classmethod
    def _can_be_shown(cls, name: str) -> str:
        return shown_text(name)

    @field_validator("trained_on", mode="before")
    @classmethod
    def _is_a_game(cls, given: Any) -> Rules | None:
        if given is None or isinstance(given, Rules):
            return given
        with untrusted(lambda why: ValueError(f"no game ({why})")):
            return Rules.model_validate(json_of(given))


class IsolatedAgent(SharedViews):
    """An agent that is made, and plays, in a process of its own. If it crashes, hangs, uses too much memory or
    reaches outside its task, it loses the match and harms nothing else.

    made_of: what `make_agent` makes it of: {"agent": name or file, parameter: value, ...}. limits: what it may take.
    copies: a folder with copies of its files, as `copy_files` makes it, which are used in their place.
    The process is started when it is needed: first to learn about the agent, in `IsolatedAgent(...)`, and again after
    `close`. Each process starts over: what the agent had learnt is gone. An agent that is registered only in this
    process cannot be made in another.

    Every method raises AgentProcessError if the process ends, does not answer in time or takes too much. An error that
    the agent raises is raised here as a RuntimeError with the name of its type, its message, and the file and line.
    """

    def __init__(
        self,
        made_of: Mapping[str, Any],
        limits: Limits | None = None,
        stated: StatedFacts | None = None,
        copies: Path | None = None,
    ) -> None:
        self.made_of, self.limits, self.copies = dict(made_of), limits or Limits(), copies
        self._text = json.dumps(self.made_of, sort_keys=True)
        self._process: AgentProcess | None = None
        self._starting: AgentProcess | None = None
        self._memory: SharedMemory | None = None
        self._answers: SharedMemory | None = None
        self._views: Records | None = None
        self._has_memory = False
        self._rules: Rules | None = None
        self.stated = says = stated or self._found_out()
        self.name, clock = says.name, "wall" if self.limits.network else self.limits.clock
        self.facts = AgentFacts(clock, False, says.tables_at_once, says.answers_counted, says.trained_on)

    # The agent

    def act(self, tables: Records, rules: Rules, rows: Rows) -> Rows:
        """As of any agent. Records that are not those of `new_views` are copied there, as the seats may see them."""
        self._asked("act", tables, rules, rows)
        return self._taken(0, len(rows), np.int64)

    def probabilities(self, tables: Records, rules: Rules, rows: Rows) -> Likely:
        if not self.gives_probabilities:
            return super().probabilities(tables, rules, rows)
        width = self._width(self._asked("probabilities", tables, rules, rows), MAX_MOVES)
        shape, count = (len(rows), width), len(rows) * width
        return self._taken(0, count, np.int64).reshape(shape), self._taken(count, count, np.float64).reshape(shape)

    @property
    def gives_probabilities(self) -> bool:
        return self.stated.gives_probabilities

    def range_probabilities(self, tables: Records, rules: Rules, rows: Rows) -> Likely:
        """As of any agent. Asks for one table after the other: an answer is as long as those of hundreds of moves."""
        if not self.gives_ranges:
            return super().range_probabilities(tables, rules, rows)
        seen = np.take(tables, rows)  # a copy: asking writes to the memory where the tables may lie
        if not len(rows):
            return padded([])
        if self._views is None or len(self._views) < VIEWS_FOR_RANGES:
            self.new_views(VIEWS_FOR_RANGES)
        return padded([self._range_at(seen[row : row + 1], rules) for row in range(len(seen))])

    def _range_at(self, table: Records, rules: Rules) -> Likely:
        answer = self._asked("range_probabilities", table, rules, np.zeros(1, np.int64))
        width = self._width(answer, VIEWS_FOR_RANGES * MAX_MOVES * 2 // (COMBOS + 1))
        probabilities = self._taken(width, COMBOS * width, np.float64)
        return self._taken(0, width, np.int64).reshape(1, width), probabilities.reshape(1, COMBOS, width)

    def _width(self, answer: Mapping[str, Any], most: int) -> int:
        width = answer.get("width")
        if not isinstance(width, int) or not 0 <= width <= most:
            self.close()
            raise AgentProcessError(NO_ANSWER)
        return width

    @property
    def gives_ranges(self) -> bool:
        return self.stated.gives_ranges

    def hand_over(self, tables: Records, rules: Rules, rows: Rows) -> None:
        self._asked("hand_over", tables, rules, rows)

    @property
    def wants_hand_over(self) -> bool:
        return self.stated.wants_hand_over

    def reset(self) -> None:
        if self.stated.resets:
            self._asked_plainly({"do": "reset"})

    def new_views(self, count: int) -> Records:
        """Blank TABLE records, (count,), in the one memory that the agent's process reads, as are those before."""
        if self._views is None or len(self._views) < count:
            self._memory = SharedMemory("views", count * TABLE.itemsize)
            self._views = as_records(self._memory.bytes, TABLE)
            self._has_memory = False
        self._views[:count] = new_views(count)
        return self._views[:count]

    def clone(self) -> IsolatedAgent:
        return type(self)(self.made_of, self.limits, self.stated, self.copies)

    def start(self) -> None:
        """Start a process, without waiting for it. The agent is made there when it is asked for the first time."""
        if self._process is None and self._starting is None:
            self._starting = self._started()

    def close(self) -> None:
        if self._starting is not None:
            self._starting.close()
            self._starting = None
        process, self._process = self._process, None
        if process is not None:
            process.close()
            if self._views is not None:  # nothing that it has left there reaches the next process
                self._views[:] = new_views(len(self._views))

    def config(self) -> dict[str, Any]:
        return self.made_of

    def __deepcopy__(self, memo: dict[int, Any]) -> IsolatedAgent:
        return self.clone()

    # Its process

    def _found_out(self) -> StatedFacts:
        """What the agent's process says of it, in a jail that ends before it sees a deal."""
        self.name = str(self.made_of.get("agent"))
        try:
            return StatedFacts.of(self._asked_plainly({"do": "describe"}))
        except ValueError as error:
            raise AgentProcessError(f"its process says of it what cannot be: {error}") from None
        finally:
            self.close()

    def _running(self) -> AgentProcess:
        if self._process is None:
            try:
                process = self._made()
            except IsolationUnavailable as error:
                if not a_jail_starts():
                    raise
                # Jails are to be had, so it is the agent that lets its own die.
                raise AgentProcessError(f"its jail ended while it started ({error})") from error
            self._process, self._has_memory, self._rules, self._answers = process, False, None, None
            process.processor_seconds()  # making the agent does not count
        return self._process

    def _made(self) -> AgentProcess:
        """A process in which the agent is made. One whose jail ends while it starts is tried once more."""
        for is_last in (False, True):
            process, self._starting = self._starting or self._started(), None
            try:
                _raise_error(process.make())
                return process
            except BaseException as error:
                process.close()
                if is_last or not isinstance(error, IsolationUnavailable):
                    raise
        raise AssertionError

    def _started(self) -> AgentProcess:
        compile_for(self.made_of)
        files = copied_files(self.copies) if self.copies else [(path, path) for path in own_files(self.made_of)]
        return AgentProcess(self._text, self.limits, files, programs(self.made_of), warm_ups_of(self.made_of))

    def _asked(self, what: str, tables: Records, rules: Rules, rows: Rows) -> dict[str, Any]:
        if not self._has(tables, rows):
            view_rows(tables, rules.record, rows, self.new_views(max(1, len(rows))), rotation=0)
        began = process_time(), perf_counter()
        process = self._running()
        count_elsewhere(began[0] - process_time(), began[1] - perf_counter())  # starting it does not count
        message: dict[str, Any] = {"do": what, "count": len(rows)}
        fds = self._new_memory()
        if rules is not self._rules:
            message["rules"], self._rules = rules.model_dump_json(), rules
        asked = perf_counter()
        answer = process.ask(message, self.limits.seconds_for(len(rows)), fds)
        processor, wall = process.processor_seconds(), perf_counter() - asked
        waited = process.waited_seconds() if self.limits.ms_per_decision is not None else 0.0
        # To wait for a processor is not to think, but for those that its own processes have taken meanwhile.
        count_elsewhere(processor, -min(waited, max(0.0, wall - processor)))
        _raise_error(answer)
        return answer

    def _asked_plainly(self, message: dict[str, Any]) -> dict[str, Any]:
        answer = self._running().ask(message, self.limits.seconds_for(1))
        _raise_error(answer)
        return answer

    def _has(self, tables: Records, rows: Rows) -> bool:
        if self._views is None or tables.ctypes.data != self._views.ctypes.data:
            return False
        return len(rows) <= len(self._views) and bool((rows == np.arange(len(rows))).all())

    def _new_memory(self) -> list[int]:
        """The open files that the process does not know yet."""
        if self._has_memory:
            return []
        assert self._memory is not None
        assert self._views is not None
        self._answers = SharedMemory("answers", len(self._views) * MAX_MOVES * 16)
        self._has_memory = True
        return [self._memory.fd, self._answers.fd]

    def _taken(self, first: int, count: int, kind: type) -> NDArray[Any]:
        """A copy of numbers of the answer: what is checked must not change any more."""
        assert self._answers is not None
        return self._answers.bytes[8 * first : 8 * (first + count)].view(kind).copy()


def _raise_error(answer: Mapping[str, Any]) -> None:
    if "error" not in answer:
        return
    error_of = answer["error"]
    if not (isinstance(error_of, list) and len(error_of) == 2 and all(isinstance(part, str) for part in error_of)):
        raise AgentProcessError(NO_ANSWER)
    name, text = error_of[0], shown_text(error_of[1])
    if name == StrategyUnknown.__name__:
        raise StrategyUnknown(text)
    if not TYPE_NAME.fullmatch(name):
        name = "Exception"
    raise type(name, (AgentError,), {})(text)


class AgentError(RuntimeError):
    """An error that an agent raised in its own process. The class that is raised has the name of the agent's error."""
