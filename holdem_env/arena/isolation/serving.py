"""What runs in an agent's jail, with a socket as its standard input: it checks the locks, makes the agent, answers."""

from __future__ import annotations

import json
import os
import resource
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.error_places import with_place
from ...agents.protocol import Agent
from ...agents.queries import answered_moves, answered_probabilities
from ...agents.range_copies import Likely
from ...agents.registry import make_agent, takes_trust
from ...cards.combos import COMBOS
from ...compiled.records import Records, as_records
from ...engine.record import TABLE
from ...game.rules import Rules
from ...protocols.wire import receive, send
from .limits import FILES, PROGRAMS
from .shared_memory import mapped

LOCKS = {"NoNewPrivs": "1", "Seccomp": "2", "CapPrm": "0" * 16, "CapEff": "0" * 16, "CapBnd": "0" * 16}
LIMITS = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_FSIZE: 64 * 2**20,
    resource.RLIMIT_NOFILE: 256,
    resource.RLIMIT_NPROC: 1024,
    resource.RLIMIT_CPU: 24 * 3600,
}
MAX_DATA = 2  # times its limit of memory that a process may map: a process with threads maps more than it uses
MAX_TEXT = 2_000


def serve(channel: socket.socket) -> None:
    """Make the agent and answer until the other side is gone."""
    server: _Server | None = None
    while (got := receive(channel)) is not None:
        message, fds = got
        if server is None:
            check_locks(message)
            limit_resources(message["memory"])
            warm_up(message["warm_ups"])
            server, answer = _Server(message), {}
        else:
            answer = server.answer(message, fds)
        answer["n"] = message["n"]
        send(channel, answer)


def check_locks(birth: dict[str, Any]) -> None:
    """Raises RuntimeError if a lock does not hold. birth: "namespaces", those of the process that plays, which this one
    must not be in; "network", whether it may be in that of the network."""
    shared = {
        name for name in birth["namespaces"] if name in {os.readlink(each.path) for each in os.scandir("/proc/self/ns")}
    }
    if birth["network"]:
        shared = {name for name in shared if not name.startswith("net:")}
    if shared:
        raise RuntimeError(f"it shares {', '.join(sorted(shared))} with the process that plays")
    with open("/proc/self/status", encoding="utf-8") as file:
        status = dict(line.split(":", 1) for line in file if ":" in line)
    for name, wanted in LOCKS.items():
        if status[name].strip() != wanted:
            raise RuntimeError(f"{name} is {status[name].strip()}, not {wanted}")


def limit_resources(memory: int) -> None:
    """What the kernel limits for each process. memory: bytes for all; RLIMIT_AS would count what Go only reserves."""
    for which, most in {**LIMITS, resource.RLIMIT_DATA: MAX_DATA * memory}.items():
        hard = resource.getrlimit(which)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (value, value))


def warm_up(modules: Sequence[str]) -> None:
    """Load what the agent will need of this library, before it is made. What is missing, the agent will say itself."""
    for module in modules:
        with suppress(Exception):
            import_module(module).warm_up()


class _Server:
    """The agent, and the memory that is shared with those who ask, who send the rules with their first question."""

    _game: Rules

    def __init__(self, birth: dict[str, Any]) -> None:
        self._made_of = {
            key: value for key, value in json.loads(birth["made_of"]).items() if key not in (FILES, PROGRAMS)
        }
        self._folder = birth["cwd"]
        self._agent: Agent | None = None
        self._views: Records = as_records(np.zeros(0, np.uint8), TABLE)
        self._answers = np.zeros(0, np.uint8)

    def answer(self, message: dict[str, Any], fds: list[int]) -> dict[str, Any]:
        try:
            if fds:
                self._take(fds)
            if message.get("rules"):
                self._game = Rules.model_validate_json(message["rules"])
            do = getattr(self, f"_{message['do']}")
            answer: dict[str, Any] = do(message.get("count", 0))
        except BaseException as error:
            return {"error": [type(error).__name__, self._words(error)]}
        return answer

    def _take(self, fds: list[int]) -> None:
        views, answers = (mapped(fd, os.fstat(fd).st_size) for fd in fds)
        self._views, self._answers = as_records(views, TABLE), answers
        for fd in fds:
            os.close(fd)

    # What is asked

    def _make(self, _: int) -> dict[str, Any]:
        with self._where_files_are():
            if takes_trust(str(self._made_of["agent"])):
                self._made_of["trust"] = True  # there is nothing in the jail that code could harm
            self._agent = make_agent(self._made_of)
        return {}

    def _describe(self, _: int) -> dict[str, Any]:
        with self._where_files_are():
            return facts_of(self._known_agent)

    @contextmanager
    def _where_files_are(self) -> Iterator[None]:
        with suppress(OSError):
            os.chdir(self._folder)
        try:
            yield
        finally:
            os.chdir(tempfile.gettempdir())

    def _act(self, count: int) -> dict[str, Any]:
        self._put(0, answered_moves(self._known_agent, self._views[:count], self._game, count), np.int64)
        return {}

    def _probabilities(self, count: int) -> dict[str, Any]:
        return self._put_likely(self._known_agent.probabilities, count, ())

    def _range_probabilities(self, count: int) -> dict[str, Any]:
        return self._put_likely(self._known_agent.range_probabilities, count, (COMBOS,))

    def _put_likely(self, ask: Callable[..., Likely], count: int, hands: tuple[int, ...]) -> dict[str, Any]:
        given = ask(self._views[:count], self._game, np.arange(count))
        moves, probabilities = answered_probabilities(self._known_agent, given, count, hands)
        if (moves.size + probabilities.size) * 8 > len(self._answers):
            what = "range_probabilities" if hands else "probabilities"
            raise ValueError(f"{what} gives {moves.shape[1]:,} moves a row, too many to be handed over")
        self._put(0, moves, np.int64)
        self._put(moves.size * 8, probabilities, np.float64)
        return {"width": moves.shape[1]}

    def _reset(self, _: int) -> dict[str, Any]:
        self._known_agent.reset()
        return {}

    def _hand_over(self, count: int) -> dict[str, Any]:
        self._known_agent.hand_over(self._views[:count], self._game, np.arange(count))
        return {}

    def _put(self, at: int, values: NDArray[Any], kind: type) -> None:
        self._answers[at : at + values.size * 8].view(kind)[:] = values.ravel()

    @property
    def _known_agent(self) -> Agent:
        assert self._agent is not None
        return self._agent

    # What went wrong

    def _words(self, error: BaseException) -> str:
        try:
            if self._agent is not None and isinstance(error, Exception):
                return with_place(self._agent, error)[:MAX_TEXT]
            return str(error)[:MAX_TEXT]
        except Exception:  # of the error's own method
            return "an error without words"


def facts_of(agent: Agent) -> dict[str, Any]:
    """What others need to know of an agent, as plain data."""
    facts = agent.facts
    return {
        "name": str(agent.name)[:MAX_TEXT],
        "gives_probabilities": bool(agent.gives_probabilities),
        "gives_ranges": bool(agent.gives_ranges),
        "answers_counted": None if facts.answers_counted is None else int(facts.answers_counted),
        "tables_at_once": None if facts.tables_at_once is None else int(facts.tables_at_once),
        "resets": type(agent).reset is not Agent.reset,
        "wants_hand_over": bool(agent.wants_hand_over),
        "trained_on": facts.trained_on.model_dump_json() if facts.trained_on is not None else None,
    }


def main() -> None:
    """Serve at the other end of the standard input."""
    channel = socket.socket(fileno=os.dup(0))
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr] # the last line is there when the process dies
    serve(channel)
