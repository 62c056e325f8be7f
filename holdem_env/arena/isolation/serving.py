"""What runs in an agent's own process: make the agent, and answer what is asked over a socket."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.error_places import with_place, wrong_signature
from ...agents.fingerprints import fingerprint_of
from ...agents.own_modules import LIBRARY
from ...agents.protocol import Agent
from ...agents.registry import make_agent
from ...cards.combos import COMBOS
from ...compiled.cache import only_read
from ...compiled.records import Records, as_records
from ...engine.record import TABLE
from ...game.rules import Rules
from .shared_memory import mapped
from .wire import receive, send

MOST_TEXT = 2_000
INSTALLED = ("site-packages", "dist-packages")


def serve(channel: socket.socket, birth: dict[str, Any]) -> None:
    """Make the agent and answer until the other side is gone.

    birth: "made_of", what `make_agent` makes the agent of, as JSON; "cwd", where relative paths begin while it is made;
    "scratch", its own folder, where it works afterwards; "cache", where machine code of the agent's own functions is
    kept, if it "compiles", and read otherwise.
    """
    np.random.seed()  # noqa: NPY002 - a fork draws the numbers of its siblings otherwise
    only_read(Path(birth["cache"]), birth["compiles"])
    server = _Server(birth)
    while (got := receive(channel)) is not None:
        message, fds = got
        answer = server.answer(message, fds)
        answer["n"] = message["n"]
        send(channel, answer)


class _Server:
    """The agent, and the memory that is shared with those who ask."""

    def __init__(self, birth: dict[str, Any]) -> None:
        self._birth = birth
        self._agent: Agent | None = None
        self._rules: Rules | None = None
        self._views: Records = as_records(np.zeros(0, np.uint8), TABLE)
        self._answers = np.zeros(0, np.uint8)

    def answer(self, message: dict[str, Any], fds: list[int]) -> dict[str, Any]:
        """The answer to one message. Whatever the agent raises is told as text."""
        try:
            if fds:
                self._take(fds)
            if message.get("rules"):
                self._rules = Rules.model_validate_json(message["rules"])
            do = getattr(self, f"_{message['do']}")
            answer: dict[str, Any] = do(message.get("count", 0))
        except BaseException as error:
            return {"error": [type(error).__name__, self._told(error)], "own": self._is_own(error)}
        return answer

    def _take(self, fds: list[int]) -> None:
        views, answers = (mapped(fd, os.fstat(fd).st_size) for fd in fds)
        self._views, self._answers = as_records(views, TABLE), answers
        for fd in fds:
            os.close(fd)

    # What is asked

    def _make(self, _: int) -> dict[str, Any]:
        with self._where_files_are():
            self._agent = make_agent(json.loads(self._birth["made_of"]))
        return {}

    def _describe(self, _: int) -> dict[str, Any]:
        with self._where_files_are():
            return facts_of(self._known_agent, self._birth["made_of"])

    @contextmanager
    def _where_files_are(self) -> Iterator[None]:
        """The folder where relative paths of the agent begin."""
        with suppress(OSError):
            os.chdir(self._birth["cwd"])
        try:
            yield
        finally:
            os.chdir(self._birth["scratch"])

    def _act(self, count: int) -> dict[str, Any]:
        agent, rows = self._known_agent, np.arange(count)
        try:
            moves = np.asarray(agent.act(self._views[:count], self._game, rows))
        except TypeError as error:
            if wrong := wrong_signature(agent):
                raise wrong from error
            raise
        if moves.shape != rows.shape or moves.dtype.kind not in "iu":
            return {"odd": [_form(moves)]}
        self._put(0, moves, np.int64)
        return {}

    def _probabilities(self, count: int) -> dict[str, Any]:
        told = self._known_agent.probabilities(self._views[:count], self._game, np.arange(count))
        moves, chances = (np.asarray(part) for part in told)
        shape = moves.shape
        is_odd = len(shape) != 2 or shape != chances.shape or shape[0] != count
        if is_odd or moves.dtype.kind not in "iu" or chances.dtype.kind not in "fiu":
            return {"odd": [_form(moves), _form(chances)]}
        if 2 * moves.size * 8 > len(self._answers):
            raise ValueError(f"probabilities gives {shape[1]:,} moves a row, too many to be handed over")
        self._put(0, moves, np.int64)
        self._put(moves.size * 8, chances, np.float64)
        return {"width": shape[1]}

    def _range_probabilities(self, count: int) -> dict[str, Any]:
        told = self._known_agent.range_probabilities(self._views[:count], self._game, np.arange(count))
        moves, chances = (np.asarray(part) for part in told)
        is_odd = moves.ndim != 2 or len(moves) != count or chances.shape != (count, COMBOS, moves.shape[1])
        if is_odd or moves.dtype.kind not in "iu" or chances.dtype.kind not in "fiu":
            return {"odd": [_form(moves), _form(chances)]}
        if (moves.size + chances.size) * 8 > len(self._answers):
            raise ValueError(f"range_probabilities gives {moves.shape[1]:,} moves, too many to be handed over")
        self._put(0, moves, np.int64)
        self._put(moves.size * 8, chances, np.float64)
        return {"width": moves.shape[1]}

    def _reset(self, _: int) -> dict[str, Any]:
        self._known_agent.reset()  # type: ignore[attr-defined]
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

    @property
    def _game(self) -> Rules:
        assert self._rules is not None
        return self._rules

    # What went wrong

    def _told(self, error: BaseException) -> str:
        """An error's message, and where in the agent's file it arose."""
        try:
            if self._agent is not None and isinstance(error, Exception):
                return with_place(self._agent, error)[:MOST_TEXT]
            return str(error)[:MOST_TEXT]
        except Exception:  # of the error's own method
            return "an error without words"

    @staticmethod
    def _is_own(error: BaseException) -> bool:
        """Whether the error went through code that is neither this library's nor installed."""
        trace = error.__traceback__
        while trace is not None:
            file, module = trace.tb_frame.f_code.co_filename, trace.tb_frame.f_globals.get("__name__") or ""
            is_installed = any(name in Path(file).parts for name in INSTALLED) or file.startswith(sys.base_prefix)
            if not (file.startswith("<") or is_installed or module.split(".")[0] in (LIBRARY, "holdem_agents")):
                return True
            trace = trace.tb_next
        return False


def facts_of(agent: Agent, made_of: str) -> dict[str, Any]:
    """What others need to know of an agent, as plain data."""
    rules = getattr(agent, "trained_on", None)
    return {
        "name": str(agent.name)[:MOST_TEXT],
        "clock": str(agent.clock)[:MOST_TEXT],
        "tells_probabilities": bool(agent.tells_probabilities),
        "tells_ranges": bool(agent.tells_ranges),
        "tables_at_once": None if agent.tables_at_once is None else int(agent.tables_at_once),
        "resets": callable(getattr(agent, "reset", None)),
        "wants_hand_over": bool(agent.wants_hand_over),
        "fingerprint": fingerprint_of(agent, made_of),
        "trained_on": rules.model_dump_json() if isinstance(rules, Rules) else None,
    }


def _form(values: NDArray[Any]) -> list[Any]:
    return [list(values.shape), values.dtype.name]
