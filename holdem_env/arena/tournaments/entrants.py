"""Entrants: agents as they are sent to other processes and machines, as names and files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from ...agents.named_files import named_files
from ...agents.protocol import Agent
from ...agents.registry import make_agent


@dataclass(frozen=True)
class Entrant:
    """An agent as it is sent: a name of its own, what `make_agent` makes it of, as JSON, and the digest of that and of
    its files (`digest_of`): a file that has changed is another agent. An empty digest is not looked at."""

    name: str
    made_of: str
    digest: str = ""

    def agent(self) -> Agent:
        """The agent; the same object each time in one process. Raises ValueError if its files are no longer those of
        the digest."""
        return _agent(self.made_of, self.digest)


@lru_cache(maxsize=64)
def _agent(made_of: str, digest: str) -> Agent:
    agent = make_agent(json.loads(made_of))
    if digest and digest_of(made_of) != digest:
        raise ValueError("its file has changed since the tournament began")
    return agent


def digest_of(made_of: str) -> str:
    """What tells an agent from another of the same name: what it is made of, and the content of every file named there,
    or in a config that is named there."""
    digest = sha256(made_of.encode())
    for path in named_files(json.loads(made_of)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
