"""Who is on a ladder: rungs and the agents that were added, as they are kept in a store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from holdem_env.arena.tournaments.entrants import Entrant, digest_of
from holdem_env.utils.version import __version__

from ..shipped.fitting import file_of

LENGTH = 16
OUR_AGENTS = "holdem_agents."


@dataclass(frozen=True)
class Player:
    """One row of a ladder.

    game: of which ladder. name: how it is called there; base: the same without the number that a changed agent gets.
    made_of: what `make_agent` makes it of, as JSON. content: a digest of its file; "" where it has none. fingerprint:
    of its parameters, its file and code of its own. added: the date, ISO. version: of holdem_env. is_rung: one of the
    fixed opponents.
    """

    game: str
    name: str
    made_of: str
    content: str = ""
    fingerprint: str = ""
    added: str = ""
    version: str = __version__
    is_rung: bool = False
    base: str = ""

    @property
    def key(self) -> str:
        """What tells it from all others in a store: a rung with another file is another player."""
        mark = f" #{self.content}" if self.is_rung and self.content else ""
        return f"{self.game}: {self.name}{mark}"

    @property
    def source(self) -> str:
        """The name or the file of the agent."""
        return str(json.loads(self.made_of)["agent"])

    @property
    def has_changed(self) -> bool:
        """Whether its file is another one now. Where there is no such file from here, nobody can tell."""
        return content_of(self.source) not in ("", self.content)

    def entrant(self) -> Entrant:
        """As it is sent to whoever plays."""
        return Entrant(self.key, self.made_of, "" if self.is_rung else digest_of(self.made_of))

    def dump(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Self:
        """From plain data. Raises TypeError for other data."""
        return cls(**data)


def rung(game: str, name: str) -> Player:
    """A fixed opponent as it is now."""
    made_of = json.dumps({"agent": name})
    return Player(game, name, made_of, content_of(name), added=today(), is_rung=True, base=name)


def added(game: str, name: str, base: str, made_of: Mapping[str, Any]) -> Player:
    """An agent that is added now. Raises what making it raises."""
    text = json.dumps(made_of, sort_keys=True)
    source = str(made_of["agent"])
    return Player(game, name, text, content_of(source), fingerprint_of_agent(text), today(), base=base)


def today() -> str:
    """The date of this moment, UTC, as it stands in a store."""
    return datetime.now(UTC).date().isoformat()


def content_of(source: str) -> str:
    """A digest of the file of an agent that is given by its file, or that plays one in the box; "" for others."""
    path = Path(source) if Path(source).suffix else file_of(source)
    if path is None or not path.is_file():
        return ""
    return _digest(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _digest(path: Path, _written: int) -> str:
    return sha256(path.read_bytes()).hexdigest()[:LENGTH]


def fingerprint_of_agent(made_of: str) -> str:
    """The fingerprint of an agent; of an agent of this library without the library's code, which has a version."""
    entrant = Entrant("", made_of, digest_of(made_of))
    found = json.loads(entrant.fingerprint())
    if type(entrant.agent()).__module__.startswith(OUR_AGENTS):
        found["code"] = {}
    return json.dumps(found, sort_keys=True)
