"""The names of agents: declared as entry points by installed packages, or registered in this process."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

AGENTS = "holdem_env.agents"
"""Entry point group: name -> callable that makes an agent; its keyword arguments are the agent's parameters."""
CATALOGS = "holdem_env.agent_catalogs"
"""Entry point group: a package's mapping of many names, each to (title, "module:callable")."""
LOADERS = "holdem_env.agent_loaders"
"""Entry point group: file suffix without its dot -> callable(path, **parameters) that makes an agent from a file."""

registered: dict[str, Callable[..., Any]] = {}


def register_agent(name: str, make: Callable[..., Any]) -> None:
    """Register a name: in this process, `make_agent(name)` then returns `make()`. Installed packages use entry points
    instead."""
    registered[name] = make


def declared() -> dict[str, EntryPoint]:
    """What installed packages declare, by name."""
    listed = [entry for point in entry_points(group=CATALOGS) for entry in point.load().items()]
    return {
        **{name: EntryPoint(name, value, AGENTS) for name, (_, value) in listed},
        **{point.name: point for point in entry_points(group=AGENTS)},
    }


def agent_names() -> list[str]:
    """All names that `make_agent` knows."""
    return sorted({*registered, *declared()})
