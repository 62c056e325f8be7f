"""The names of agents: those that installed packages declare as entry points, and those registered in this process."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

AGENTS = "holdem_env.agents"
"""Entry point group: name -> callable that makes an agent (keyword arguments are its parameters)."""
LOADERS = "holdem_env.agent_loaders"
"""Entry point group: file suffix without its dot -> callable(path, **parameters) that makes an agent from a file."""

registered: dict[str, Callable[..., Any]] = {}


def register_agent(name: str, make: Callable[..., Any]) -> None:
    """Let `make_agent(name)` mean what `make()` gives, in this process. Installed packages use entry points instead."""
    registered[name] = make


def agent_names() -> list[str]:
    """All names that `make_agent` knows."""
    return sorted({*registered, *(point.name for point in entry_points(group=AGENTS))})
