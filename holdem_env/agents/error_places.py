"""Which modules and files an agent's classes come from, and where in them an error arose, for messages."""

from __future__ import annotations

import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType

from .protocol import Agent

ACT = "act(self, tables, rules, rows)"
LIBRARY = Agent.__module__.split(".")[0]


def is_of_library(kind: type) -> bool:
    """Whether this library defines the class."""
    return kind.__module__.split(".")[0] == LIBRARY


def own_modules(agent: Agent) -> list[ModuleType]:
    """The modules that define the agent's class and its bases, except this library's; each once."""
    names = dict.fromkeys(kind.__module__ for kind in type(agent).__mro__ if not is_of_library(kind))
    return [sys.modules[name] for name in names if name in sys.modules]


def with_place(agent: Agent, error: BaseException) -> str:
    """An error's message, and in brackets the last line of the agent's own files that it passed through, "mybot.py:14",
    unless the message says so. The errors that led to this one count."""
    message, files = str(error), {getattr(module, "__file__", None) for module in own_modules(agent)}
    while error.__cause__ is not None:
        error = error.__cause__
    found = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    place = f"{Path(found[-1].filename).name}:{found[-1].lineno}" if found else ""
    return message if not place or place in message else f"{message} ({place})"


def wrong_signature(agent: Agent) -> TypeError | None:
    """What to raise if `act` cannot be called because it takes other arguments; None if it can be called."""
    try:
        given = inspect.signature(agent.act)
        given.bind(None, None, None)
    except ValueError:  # it has no signature
        return None
    except TypeError:
        code = getattr(agent.act, "__code__", None)
        where = f" ({Path(code.co_filename).name}:{code.co_firstlineno})" if code else ""
        return TypeError(f"agent {agent.name!r}: write {ACT}, not act{inspect.signature(type(agent).act)}{where}")
    return None
