"""Site: what a server of pages may use. The browser names agents, games and files by ids of this module, never by a
path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Protocol

from holdem_env.agents.registry import FINAL
from holdem_env.agents.short_names import short_names
from holdem_env.game.given_rules import as_rules
from holdem_env.game.presets import PRESETS
from holdem_env.game.rules import Rules

from .guard import EVERYWHERE, bracketed
from .offered_agents import named_agents

PACE = 350
"""Milliseconds between two moves of agents, so that a person sees them."""


def presets() -> dict[str, Rules]:
    """The named games."""
    return {name: Rules.preset(name) for name in PRESETS}


class PlayedTable(Protocol):
    """A table at which somebody plays, for pages that show its finished hands."""

    title: str
    game: Any
    """The `playing.HumanGame`."""


@dataclass
class Site:
    """What the server may use, and where it listens.

    agents_given: id -> name or path of agents that were named on the command line. rules: id -> game. histories: id ->
    file or folder. runs: the folder of training runs. tournaments: id -> a tournament's store. host, port: where the
    server listens. token: what a browser must bring, made at each start. pace: milliseconds between moves of agents.
    tables: the tables of `play_routes`, by id. closing: whether the server is about to end; streams end then. on_close:
    what is called when it does.
    """

    agents_given: dict[str, str] = field(default_factory=dict)
    rules: dict[str, Rules] = field(default_factory=presets)
    histories: dict[str, Path] = field(default_factory=dict)
    runs: Path = Path("runs")
    tournaments: dict[str, Path] = field(default_factory=dict)
    host: str = "127.0.0.1"
    port: int = 8765
    token: str = field(default_factory=lambda: token_urlsafe(32))
    pace: int = PACE
    tables: dict[str, PlayedTable] = field(default_factory=dict)
    closing: bool = False
    on_close: list[Callable[[], None]] = field(default_factory=list)

    @property
    def agents(self) -> dict[str, str]:
        """id -> name or path: agents with names that need nothing else, those of the command line, and the finished
        training runs as they are now."""
        found = {**{name: name for name in named_agents()}, **self.agents_given}
        finals = sorted(self.runs.glob(f"*/{FINAL}")) if self.runs.is_dir() else []
        return found | ids_of((str(path) for path in finals), taken=found, prefix="run-")

    @property
    def address(self) -> str:
        """The address that a person opens first."""
        host = "127.0.0.1" if self.host in EVERYWHERE else bracketed(self.host)
        return f"http://{host}:{self.port}/?token={self.token}"

    def close(self) -> None:
        """Say to all streams and tables that the server ends."""
        self.closing = True
        for tell in self.on_close:
            tell()


def make_site(
    agents: Sequence[str] = (),
    rules: Sequence[str | Path] = (),
    histories: Sequence[Path] = (),
    tournaments: Sequence[Path] = (),
    runs: Path = Path("runs"),
    host: str = "127.0.0.1",
    port: int = 8765,
) -> Site:
    """The site of a command line: names and files as they were given.

    Raises FileNotFoundError for a file that is not there, and ValueError for rules that are none.
    """
    games = presets()
    for name, given in ids_of(map(str, rules), taken=games).items():
        games[name] = as_rules(given)
    for path in (*histories, *tournaments):
        if not path.exists():
            raise FileNotFoundError(f"{path}: there is no such file")
    known = {name: name for name in named_agents()}
    return Site(
        agents_given=ids_of((name for name in agents if name not in known), taken=known),
        rules=games,
        histories={name: Path(path) for name, path in ids_of(map(str, histories)).items()},
        runs=runs,
        tournaments={name: Path(path) for name, path in ids_of(map(str, tournaments)).items()},
        host=host,
        port=port,
    )


def ids_of(paths: Iterable[str], taken: Iterable[str] = (), prefix: str = "") -> dict[str, str]:
    """An id for each name or path, as they may stand in an address: letters, digits, "_", "." and "-".

    >>> ids_of(["games/my rules.yaml", "other/my rules.yaml"])
    {'games-my-rules': 'games/my rules.yaml', 'other-my-rules': 'other/my rules.yaml'}
    """
    given, used = list(dict.fromkeys(paths)), set(taken)
    short = short_names(given)
    found: dict[str, str] = {}
    for path in given:
        name = short[path]
        word = re.sub(r"[^A-Za-z0-9_.]+", "-", name if name != path else _stem(path)).strip("-.")[:60] or "file"
        once = word = prefix + word
        number = 1
        while word in used:
            number += 1
            word = f"{once}-{number}"
        used.add(word)
        found[word] = path
    return found


def _stem(path: str) -> str:
    """A path without its suffix and root."""
    return str(Path(path).with_suffix("")) if Path(path).name else path
