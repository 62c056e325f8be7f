"""Compiling beforehand what this library's own agents need: jails only read machine code."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from ...agents.names import AGENTS
from ...agents.registry import make_agent
from ...game.rules import Rules
from ..matches.match import play_deals
from .agent_files import own_files

OWN = (
    "holdem_agents.scripted:",
    "holdem_agents.scripted.",
    "holdem_agents.shipped:",
    "holdem_env.solvers.blueprints.agent:",
)
"""Agents of this library that hold nothing of others, by their names: scripted ones, and trained ones and blueprints in
the box."""
BY_SUFFIX = {".safetensors": "holdem_agents.agent_files.warm_up"}
"""The modules of this library whose function `warm_up` compiles what such files need."""
GAME, DEALS = "heads-up-no-limit", 8


def is_own(name: str) -> bool:
    """Whether a name is one of this library's agents that hold nothing of others."""
    return declared_in(name, OWN)


def declared_in(name: str, modules: tuple[str, ...]) -> bool:
    """Whether a name is declared by these modules of this library."""
    return name in (known := AGENTS.declared()) and known[name].value.startswith(modules)


def compile_for(made_of: Mapping[str, Any]) -> None:
    """Compile, once, what an agent needs of this library. What is missing, the agent will say itself."""
    with suppress(Exception):
        for module in warm_ups_of(made_of):
            _warm_up(module)
        if is_own(name := str(made_of.get("agent"))):
            _play(name)


def warm_ups_of(made_of: Mapping[str, Any]) -> list[str]:
    """The modules whose `warm_up` loads what an agent's files need; none for files that are missing."""
    with suppress(Exception):
        return [BY_SUFFIX[suffix] for suffix in sorted({path.suffix for path in own_files(made_of)} & {*BY_SUFFIX})]
    return []


@cache
def _warm_up(module: str) -> None:
    import_module(module).warm_up()


@cache
def _play(name: str) -> None:
    play_deals(Rules.preset(GAME), [make_agent(name), make_agent(name)], [0, 1], range(DEALS))
