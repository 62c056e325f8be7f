"""`Entry`: an agent as a tournament's file names it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pydantic import field_validator, model_validator

from ...protocols.json_lines.remote_agent import SCHEME
from ...utils.plain_data import check_names
from ...utils.shown_names import why_not_a_name
from ...utils.validation import Validated
from ..isolation.limits import FILES, PROGRAMS, Limits
from ..isolation.making import is_isolated
from .entrants import Entrant, digest_of


class Entry(Validated):
    """An agent of a tournament, as its file says it.

    Attributes:
        agent: A name or a file. {"remote": NAME}, the same as the agent "remote:NAME", is a bot that joins over the
            network.
        parameters: Of the agent. Two declare what it needs in its jail, apart from its folder or file: `files`, a
            list of files and folders, and `programs`, such as node.
        name: In the tables; by default `agent`.
        network: Whether it may use the network from its jail.
    """

    agent: str
    name: str
    parameters: dict[str, Any] = {}
    network: bool = False

    @model_validator(mode="before")
    @classmethod
    def _shorthands(cls, given: Any) -> Any:
        """ "maniac", or {"agent": "maniac", "aggression": 0.5, "name": "half"}."""
        if isinstance(given, str):
            given = {"agent": given}
        if isinstance(given, dict) and "remote" in given and "agent" not in given:
            given = {"agent": f"{SCHEME}{given['remote']}", "name": given["remote"]} | given
            del given["remote"]
        if not isinstance(given, dict) or not isinstance(given.get("agent"), str):
            return given
        check_names(given)
        known = {*cls.model_fields}
        parameters = {**given.get("parameters", {}), **{key: given[key] for key in given if key not in known}}
        own = {key: given[key] for key in given if key in known}
        return {"name": given["agent"], **own, "parameters": parameters}

    @field_validator("name")
    @classmethod
    def _can_be_shown(cls, name: str) -> str:
        if why := why_not_a_name(name):
            raise ValueError(f"{why}; give the agent another name: {{agent: ..., name: ...}}")
        return name

    @property
    def is_stranger(self) -> bool:
        """Whether it plays in a process of its own where the tournament has such."""
        return is_isolated({"agent": self.agent, **self.parameters})

    @property
    def is_remote(self) -> bool:
        """Whether it joins over the network."""
        return self.agent.startswith(SCHEME)

    def entrant(self, limits: Limits | None = None) -> Entrant:
        """As it is sent to the processes that play, with the digest of its files as they are now. limits: of a process
        of its own, if it belongs into one."""
        made = {"agent": self.agent, **self.parameters}
        own = replace(limits, network=self.network) if limits and self.is_stranger else None
        if own is None:
            made = {key: made[key] for key in made if key not in (FILES, PROGRAMS)}
        made_of = json.dumps(made, sort_keys=True)
        return Entrant(self.name, made_of, digest_of(made_of, own is not None), own)


def is_remote(given: Any) -> bool:
    """Whether an entry of `agents` that was not read yet is a remote bot."""
    with suppress(ValueError):
        return Entry.model_validate(given).is_remote
    return False  # reading it says what is wrong
