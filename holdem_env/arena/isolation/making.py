"""Which agents get processes of their own, and making them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ...agents import names
from ...agents.commands import COMMAND
from ...agents.hub import SCHEME, download
from ...agents.protocol import Agent
from ...agents.registry import check_agent_name, make_agent
from ...protocols.text import takes_key
from .compiling import declared_in, is_own
from .configs import last_of
from .isolated_agent import AgentError, IsolatedAgent
from .jail import check_available
from .limits import Limits

Isolation = Literal["process", "none"]
LANGUAGE_MODELS = ("holdem_env.protocols.text:",)
CONNECTING = (*LANGUAGE_MODELS, "holdem_env.protocols.acpc.")
"""Agents of this library that hold no code and no data of others, unless they have a command."""
AS_RAISED: dict[str, type[Exception]] = {
    kind.__name__: kind for kind in (ValueError, TypeError, FileNotFoundError, ModuleNotFoundError)
}


def is_isolated(made_of: Mapping[str, Any]) -> bool:
    """Whether an agent belongs into a process of its own.

    Not there: this library's scripted agents and blueprints, given by their names; those that only connect to somebody
    else, and run nothing of theirs here, unless a file says that they take a key along; and those that cannot be made
    elsewhere, as their names are registered in this process.
    """
    name, parameters = last_of(made_of)
    if name in names.registered or (_connects(name, parameters) and not _file_with_key(made_of)):
        return False
    return not is_own(str(made_of.get("agent")))


def _connects(name: str, parameters: Mapping[str, Any]) -> bool:
    scheme = name.partition(":")[0]
    return declared_in(scheme, CONNECTING) and not parameters.get(COMMAND)


def _file_with_key(made_of: Mapping[str, Any]) -> bool:
    """Whether a config file, which may be a stranger's, names a language model that is sent a key."""
    name, parameters = last_of(made_of)
    is_file = name != str(made_of.get("agent"))
    return is_file and declared_in(name, LANGUAGE_MODELS) and takes_key(parameters)


def make_isolated(made_of: Mapping[str, Any], limits: Limits | None = None) -> Agent:
    """The agent, in a process of its own if it belongs there.

    Raises AgentProcessError or AgentError if it cannot be made there, and for what is wrong with its name, file or
    parameters the errors of `make_agent`; IsolationUnavailable where there are no such processes.
    """
    if not is_isolated(made_of):
        return make_agent(made_of)
    if _file_with_key(made_of):
        raise ValueError(
            f"{made_of['agent']}: whoever wrote this file decides which server gets your key; if that was you, give "
            "its parameters here, in place of the file, or play without isolation"
        )
    check_agent_name(str(made_of["agent"]))
    check_available()
    name, parameters = last_of(made_of)
    scheme, _, repository = name.partition(":")
    try:
        if scheme != SCHEME:
            return IsolatedAgent(made_of, limits)
        agent = IsolatedAgent({**parameters, "agent": str(download(repository))}, limits)  # no network in there
        return IsolatedAgent(agent.made_of, limits, agent.facts.model_copy(update={"name": name}))
    except AgentError as error:
        kind = AS_RAISED.get(type(error).__name__)
        if kind is None or error.is_own:
            raise
        again = kind(str(error))
        if isinstance(again, ModuleNotFoundError):
            again.path = str(made_of.get("agent"))
        raise again from None
