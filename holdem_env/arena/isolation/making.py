"""Which agents get processes of their own, and making them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal

from ...agents import names
from ...agents.config_files import CONFIG_SUFFIXES, read_config
from ...agents.names import AGENTS
from ...agents.protocol import Agent
from ...agents.registry import make_agent
from .isolated_agent import AgentError, IsolatedAgent
from .limits import Limits
from .nursery import check_available

Isolation = Literal["process", "none"]
OURS = "holdem_agents.scripted"
"""Where the agents of this library are that hold no code and no data of others."""
NESTED = 10
AS_RAISED: dict[str, type[Exception]] = {
    kind.__name__: kind for kind in (ValueError, TypeError, FileNotFoundError, ModuleNotFoundError)
}


def is_isolated(made_of: Mapping[str, Any]) -> bool:
    """Whether an agent belongs into a process of its own: all but this library's scripted agents, given by their names,
    and those that can only be made in this process, as somebody has registered their names here."""
    name = str(made_of.get("agent"))
    if name in names.registered or _registered_in_config(name):
        return False
    return not any(point.value.startswith(f"{OURS}:") for point in entry_points(group=AGENTS, name=name))


def _registered_in_config(name: str, depth: int = 0) -> bool:
    """Whether a config file names, in the end, an agent that is registered in this process."""
    if depth > NESTED or Path(name).suffix.removeprefix(".") not in CONFIG_SUFFIXES:
        return False
    with suppress(ValueError, OSError, ModuleNotFoundError, RecursionError):
        inner = str(read_config(Path(name)).get("agent"))
        return inner in names.registered or _registered_in_config(inner, depth + 1)
    return False


def make_isolated(made_of: Mapping[str, Any], limits: Limits | None = None) -> Agent:
    """The agent, in a process of its own if it belongs there.

    Raises AgentProcessError or AgentError if it cannot be made there, and for what is wrong with its name, file or
    parameters the errors of `make_agent`; IsolationUnavailable where there are no such processes.
    """
    if not is_isolated(made_of):
        return make_agent(made_of)
    check_available()
    try:
        return IsolatedAgent(made_of, limits)
    except AgentError as error:
        kind = AS_RAISED.get(type(error).__name__)
        if kind is None or error.is_own:
            raise
        again = kind(str(error))
        if isinstance(again, ModuleNotFoundError):
            again.path = str(made_of.get("agent"))
        raise again from None
