"""The names of agents, and the loaders of files: declared by installed packages, or registered in this process."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any

from ..utils.registry import Registry, declared_points

CATALOGS = "holdem_env.agent_catalogs"
"""Entry point group: a package's mapping of many names, each to (title, "module:callable")."""


class Agents(Registry[Callable[..., Any]]):
    """Callables that make agents, by name; their keyword arguments are the agents' parameters."""

    def declared(self) -> dict[str, EntryPoint]:
        """What installed packages declare, by name, in catalogs too."""
        listed = [entry for point in declared_points(CATALOGS) for entry in point.load().items()]
        catalogued = {name: EntryPoint(name, value, self.group) for name, (_, value) in listed}
        return {**catalogued, **{point.name: point for point in declared_points(self.group)}}


AGENTS = Agents("agent", "holdem_env.agents")
LOADERS: Registry[Callable[..., Any]] = Registry("loader", "holdem_env.agent_loaders")
"""File suffix without its dot -> callable(path, **parameters) that makes an agent from a file."""


def register_agent(name: str, make: Callable[..., Any]) -> None:
    """Register a name: in this process, `make_agent(name)` then returns `make()`. Installed packages use entry points
    instead."""
    AGENTS.register(name, make)


def agent_names() -> list[str]:
    """All names that `make_agent` knows."""
    return sorted(AGENTS.names())
