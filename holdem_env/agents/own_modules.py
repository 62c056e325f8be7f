"""Which modules an agent's classes come from, outside this library."""

from __future__ import annotations

import sys
from types import ModuleType

from .protocol import Agent

LIBRARY = Agent.__module__.split(".")[0]


def is_of_library(kind: type) -> bool:
    """Whether this library defines the class."""
    return kind.__module__.split(".")[0] == LIBRARY


def own_modules(agent: Agent) -> list[ModuleType]:
    """The modules that define the agent's class and its bases, except this library's; each once."""
    names = dict.fromkeys(kind.__module__ for kind in type(agent).__mro__ if not is_of_library(kind))
    return [sys.modules[name] for name in names if name in sys.modules]
