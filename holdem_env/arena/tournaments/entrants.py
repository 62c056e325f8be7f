"""Entrants: agents as they are sent to other processes and machines, as names and files."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import file_digest, sha256

from ...agents.fingerprints import fingerprint_of, fingerprint_of_files
from ...agents.named_files import named_files
from ...agents.protocol import Agent
from ...agents.registry import make_agent
from ..isolation.agent_files import code_files, own_files
from ..isolation.isolated_agent import AgentError
from ..isolation.limits import AgentProcessError, Limits
from ..isolation.making import make_isolated


@dataclass(frozen=True)
class Entrant:
    """An agent as it is sent: a name of its own, what `make_agent` makes it of, as JSON, and the digest of that and of
    its files (`digest_of`): a file that has changed is another agent. An empty digest is not looked at. limits: of a
    process of its own, in which it is made and plays; None: it is made in the process that plays."""

    name: str
    made_of: str
    digest: str = ""
    limits: Limits | None = None

    def agent(self) -> Agent:
        """The agent; the same object each time in one process. Raises ValueError if its files are no longer those of
        the digest; AgentProcessError or AgentError if it exits or could not be made in a process of its own."""
        agent = _agent(self.made_of, self.digest, self.limits)
        if isinstance(agent, Exception):
            raise agent.with_traceback(None)
        return agent

    def plain(self) -> Entrant:
        """The agent without search (`Agent.plain`); this entrant if it has none, or could not be made."""
        try:
            agent = self.agent()
        except (AgentError, AgentProcessError):
            return self
        if (plain := agent.plain()) is agent:
            return self
        made_of = json.dumps(plain.config(), sort_keys=True)
        return replace(self, made_of=made_of, digest=digest_of(made_of) if self.digest else "")

    def fingerprint(self) -> str:
        """The fingerprint of the agent: of one in isolation, of its files alone. Raises as `agent`."""
        if self.limits is not None:
            return fingerprint_of_files(self.made_of, code_files(json.loads(self.made_of)))
        return fingerprint_of(self.agent(), self.made_of)


@lru_cache(maxsize=256)
def _agent(made_of: str, digest: str, limits: Limits | None) -> Agent | Exception:
    """The agent, or why it could not be made: to learn that of a process of its own may have taken minutes."""
    try:
        agent = make_isolated(json.loads(made_of), limits) if limits else make_agent(json.loads(made_of))
    except (AgentProcessError, AgentError) as error:
        return error
    except SystemExit as error:
        return AgentProcessError(f"it exits while it is made (SystemExit: {error})")
    if digest and digest_of(made_of, limits is not None) != digest:
        raise ValueError("its file has changed since the tournament began")
    return agent


def clear_failures() -> None:
    """Agents that could not be made in this process may try again."""
    _agent.cache_clear()


def digest_of(made_of: str, is_isolated: bool = False) -> str:
    """What tells an agent from another of the same name: what it is made of, and the content of every file named there,
    or in a config that is named there; of one that plays in isolation, of its own files. Raises ValueError as they."""
    digest, given = sha256(made_of.encode()), json.loads(made_of)
    for path in own_files(given) if is_isolated else named_files(given):
        with path.open("rb") as file:
            digest.update(file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]
