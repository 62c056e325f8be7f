"""Which agents get processes of their own, and making them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from ...agents.commands import COMMAND
from ...agents.hub import SCHEME, download
from ...agents.names import AGENTS
from ...agents.protocol import Agent
from ...agents.registry import check_agent_name, make_agent
from .compiling import declared_in, is_own
from .isolated_agent import IsolatedAgent
from .jail import check_available
from .limits import Limits

Isolation = Literal["process", "none"]
CONNECTING = (
    "holdem_env.protocols.text:",
    "holdem_env.protocols.acpc.",
    "holdem_env.protocols.json_lines.remote_agent:",
)
"""Agents of this library that hold no code and no data of others, unless they have a command."""


def is_isolated(made_of: Mapping[str, Any]) -> bool:
    """Whether an agent belongs into a process of its own.

    Not there: this library's scripted agents and blueprints; those that only connect to somebody else, and run
    nothing here; and those that cannot be made elsewhere, as their names are registered in this process. All of them
    are given by their names: a folder or a file is not trusted, whatever it says.
    """
    name = str(made_of.get("agent"))
    connects = declared_in(name.partition(":")[0], CONNECTING) and not made_of.get(COMMAND)
    return not (name in AGENTS.registered or connects or is_own(name))


def make_isolated(made_of: Mapping[str, Any], limits: Limits | None = None, copies: Path | None = None) -> Agent:
    """The agent, in a process of its own if it belongs there. copies: as of `IsolatedAgent`.

    Raises AgentProcessError or AgentError if it cannot be made there; ValueError or FileNotFoundError for a name that
    stands for nothing, IsolationUnavailable where there are no such processes.
    """
    if not is_isolated(made_of):
        return make_agent(made_of)
    name = str(made_of["agent"])
    if copies is None:
        check_agent_name(name)
    check_available()
    scheme, _, repository = name.partition(":")
    if scheme != SCHEME:
        return IsolatedAgent(made_of, limits, copies=copies)
    agent = IsolatedAgent({**made_of, "agent": str(download(repository))}, limits)  # no network in there
    return IsolatedAgent(agent.made_of, limits, agent.stated.model_copy(update={"name": name}))
