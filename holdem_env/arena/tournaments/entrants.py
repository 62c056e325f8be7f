"""`Entry`: an agent as a tournament's file names it. `Entrant`: as it is sent to other processes and machines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import field_validator, model_validator

from ...agents.config_files import config_of
from ...agents.fingerprints import fingerprint_of, fingerprint_of_files
from ...agents.named_files import named_files
from ...agents.protocol import Agent
from ...agents.registry import make_agent, without_search
from ...protocols.json_lines.remote_agent import SCHEME
from ...utils.plain_data import check_names
from ...utils.shown_names import why_not_a_name
from ...utils.validation import Validated
from ..isolation.agent_files import code_files, copied_files, copy_files, own_files
from ..isolation.isolated_agent import AgentError, IsolatedAgent
from ..isolation.limits import FILES, PROGRAMS, AgentProcessError, Limits
from ..isolation.making import is_isolated, make_isolated


@dataclass(frozen=True)
class Entrant:
    """An agent as it is sent: a name of its own, what `make_agent` makes it of, as JSON, and the digest of that and of
    its files (`digest_of`): a file that has changed is another agent. An empty digest is not looked at. limits: of a
    process of its own, in which it is made and plays; None: it is made in the process that plays. copies: a folder with
    copies of its files, which play in their place (`kept`); "" for none. address: of the server that a remote bot
    joins; "" for none. fingerprint: what a store knows it by."""

    name: str
    made_of: str
    digest: str = ""
    limits: Limits | None = None
    copies: str = ""
    address: str = ""
    fingerprint: str | None = None

    @property
    def remote(self) -> str:
        """The name by which it joins as a remote bot; "" if it is none."""
        name = str(json.loads(self.made_of)["agent"])
        return name.removeprefix(SCHEME) if name.startswith(SCHEME) else ""

    @property
    def is_stranger(self) -> bool:
        """Whether it plays in a process of its own, here or elsewhere."""
        return self.limits is not None or bool(self.remote)

    def agent(self) -> Agent:
        """The agent; the same object each time in one process. Raises ValueError if its files have changed;
        AgentProcessError or AgentError if it exits or could not be made in a process of its own."""
        agent = _agent(self.made_of, self.digest, self.limits, self.copies, self.address)
        if isinstance(agent, Exception):
            raise agent.with_traceback(None)
        return agent

    def without_search(self) -> Entrant:
        """Return the agent without search; this entrant if it has none, or could not be made."""
        try:
            agent = self.agent()
        except (AgentError, AgentProcessError):
            return self
        if (plain := without_search(agent)) is agent:
            return self
        made_of = json.dumps(config_of(plain), sort_keys=True)
        return replace(self, made_of=made_of, digest=digest_of(made_of) if self.digest else "")

    def make_fingerprint(self) -> str:
        """The fingerprint of the agent: of one in isolation, of its files alone. Raises as `agent`."""
        if self.limits is not None:
            return fingerprint_of_files(self.made_of, code_files(json.loads(self.made_of)))
        return fingerprint_of(self.agent(), self.made_of)


@lru_cache(maxsize=256)
def _agent(made_of: str, digest: str, limits: Limits | None, copies: str, address: str) -> Agent | Exception:
    """The agent, or why it could not be made: to learn that of a process of its own may have taken minutes."""
    try:
        folder = Path(copies) if copies else None
        joins = {"address": address} if address else {}
        made = json.loads(made_of)
        agent = make_isolated(made, limits, folder) if limits else make_agent(made, **joins)
    except (AgentProcessError, AgentError) as error:
        return error
    except SystemExit as error:
        return AgentProcessError(f"it exits while it is made (SystemExit: {error})")
    if digest and digest_of(made_of, limits is not None, folder) != digest:
        raise ValueError("its file has changed since the tournament began")
    return agent


@contextmanager
def ending(agents: Sequence[Agent]) -> Iterator[None]:
    """At the end of the block those in processes of their own end; asked again, they start over."""
    try:
        yield
    finally:
        for agent in agents:
            if isinstance(agent, IsolatedAgent):
                agent.close()


def clear_failures() -> None:
    """Agents that could not be made in this process may try again."""
    _agent.cache_clear()


def kept(entrant: Entrant, folder: Path) -> Entrant:
    """The entrant with copies of its files in a folder, where it plays in a process of its own: what happens to its own
    files does not reach its matches. Raises ValueError if they change meanwhile."""
    if entrant.limits is None:
        return entrant
    copies = copies_of(entrant.digest, folder)
    if not copies.is_dir():
        folder.mkdir(exist_ok=True)
        with TemporaryDirectory(dir=folder) as place:
            copy_files(json.loads(entrant.made_of), Path(place, "files"))
            Path(place, "files").mkdir(exist_ok=True)
            if digest_of(entrant.made_of, True, Path(place, "files")) != entrant.digest:
                raise ValueError(f"{entrant.name}: its files have changed while it was entered; enter it again")
            with suppress(FileExistsError, OSError):  # another run has just made them
                Path(place, "files").rename(copies)
    return replace(entrant, copies=str(copies))


def copies_of(digest: str, folder: Path) -> Path:
    """Where the copies of an entrant's files lie."""
    return (folder / digest).absolute()


def digest_of(made_of: str, is_isolated: bool = False, copies: Path | None = None) -> str:
    """What tells an agent from another of the same name: what it is made of, and the content of every file named there,
    or in a config that is named there; of one that plays in isolation, of its own files, or of copies of them. Raises
    ValueError as they."""
    digest, given = sha256(made_of.encode()), json.loads(made_of)
    if copies:
        files = [path for _, path in sorted(copied_files(copies))]
    else:
        files = sorted(own_files(given)) if is_isolated else named_files(given)
    for path in files:
        with path.open("rb") as file:
            digest.update(file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]


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
        return self.agent.startswith(SCHEME)

    def entrant(self, limits: Limits | None = None) -> Entrant:
        """As it is sent to the processes that play. limits: of a process of its own, if it belongs into one."""
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
