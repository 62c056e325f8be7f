"""Site: what a server of pages may use. The browser names agents, games and files by ids of this module, never by a
path."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from secrets import token_urlsafe
from stat import S_ISREG
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import FINAL, MODEL_SUFFIX
from holdem_env.agents.short_names import short_names
from holdem_env.compiled.folders import cache_roots
from holdem_env.game.presets import PRESETS
from holdem_env.game.rules import Rules
from holdem_env.game.rules_input import as_rules

from ..shipped.fitting import game_of, is_of_another_game, own_parts_of, unable
from .guard import EVERYWHERE, bracketed
from .offered_agents import make_player, named_agents

PACE = 350  # milliseconds between two moves of agents, so that a person sees them
PATIENCE = 4.0  # seconds that a page waits for a new table; then it is shown what keeps it


OFFERED = 50  # training runs that a page offers at once


def presets() -> dict[str, Rules]:
    """The named games."""
    return {name: Rules.preset(name) for name in PRESETS}


class OfferedRuns(NamedTuple):
    """Some finished training runs. agents: id -> path. untrusted: the ids of those that are left out, as playing them
    runs code of their authors. total: of all finished runs. found: those that the search has found."""

    agents: dict[str, str]
    untrusted: list[str]
    total: int
    found: int


@dataclass
class Site:
    """What the server may use, and where it listens.

    agents_given: id -> name or path of agents that were named on the command line. rules: id -> game. histories: id ->
    file or folder. runs: the folder of training runs. tournaments: id -> a tournament's store. trust: models may run
    code of their authors when they are loaded. keep: the folder of the hands that people have played here; None keeps
    none. cache: the folder that keeps summaries of runs; None keeps none. host, port: where the server listens. token:
    what a browser must bring, made at each start. pace: milliseconds between moves of agents. patience: seconds that a
    page waits for a new table before it hears that it takes longer. tables: the `PlayTable`s, by id.
    closing: whether the server is about to end; streams end then. on_close: what is called when it does.
    """

    agents_given: dict[str, str] = field(default_factory=dict)
    rules: dict[str, Rules] = field(default_factory=presets)
    histories: dict[str, Path] = field(default_factory=dict)
    runs: Path = Path("runs")
    tournaments: dict[str, Path] = field(default_factory=dict)
    trust: bool = False
    keep: Path | None = None
    cache: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8765
    token: str = field(default_factory=lambda: token_urlsafe(32))
    pace: int = PACE
    patience: float = PATIENCE
    tables: dict[str, Any] = field(default_factory=dict)
    closing: bool = False
    on_close: list[Callable[[], None]] = field(default_factory=list)
    _agents_loaded: dict[str, tuple[int, Agent]] = field(default_factory=dict, repr=False)
    _models: dict[str, tuple[int, tuple[bool, Rules | None]]] = field(default_factory=dict, repr=False)
    _loading: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def agents(self) -> dict[str, str]:
        """id -> name or path: agents with names that need nothing else, those of the command line, and the finished
        training runs as they are now."""
        return self.named | {name: what for name, what in self._finals().items() if self._is_trusted(what)}

    @property
    def named(self) -> dict[str, str]:
        return {**{name: name for name in named_agents()}, **self.agents_given}

    def offered_runs(self, search: str = "", also: Collection[str] = ()) -> OfferedRuns:
        """The latest finished training runs with this text in their ids. also: ids of further ones."""
        finals = self._finals()
        word = search.strip().lower().replace(" ", "-")
        found = [name for name in finals if word in name.lower()]
        latest = sorted(found, key=lambda name: -_written(finals[name]))[:OFFERED]
        shown = [name for name in finals if name in {*latest, *also}]
        agents = {name: finals[name] for name in shown if self._is_trusted(finals[name])}
        return OfferedRuns(agents, [name for name in shown if name not in agents], len(finals), len(found))

    def run_agent(self, final: Path) -> str | None:
        """The id under which the agent of a training run plays; None if it does not."""
        name = next((name for name, what in self._finals().items() if what == str(final)), None)
        return name if name is not None and self._is_trusted(str(final)) else None

    def _is_trusted(self, what: str) -> bool:
        return self.trust or not self._model(what)[0]

    def _model(self, what: str) -> tuple[bool, Rules | None]:
        """Whether playing a model's file runs its authors' code, and its game; it is read once for each change."""
        written, known = _written(what), self._models.get(what)
        if known is None or known[0] != written:
            known = self._models[what] = written, (bool(own_parts_of(what)), game_of(what))
        return known[1]

    def _finals(self) -> dict[str, str]:
        """id -> path of the finished training runs."""
        finals = sorted(self.runs.glob(f"*/{FINAL}")) if self.runs.is_dir() else []
        return ids_of(map(str, finals), taken=[*named_agents(), *self.agents_given], prefix="run-")

    def unable(self, rules: Rules, agents: Mapping[str, str] | None = None) -> list[str]:
        """The ids of agents that are known to be unable to play a game, without loading them. agents: whom to look at,
        by id; by default all."""
        cannot, found = set(unable(rules)), []
        known: dict[Rules, bool] = {}
        for name, what in (self.agents if agents is None else agents).items():
            if what in cannot:
                found.append(name)
            elif what.endswith(MODEL_SUFFIX) and (own := self._model(what)[1]) is not None:
                if own not in known:
                    known[own] = is_of_another_game(what, rules)
                if known[own]:
                    found.append(name)
        return found

    @property
    def address(self) -> str:
        host = "127.0.0.1" if self.host in EVERYWHERE else bracketed(self.host)
        return f"http://{host}:{self.port}/?token={self.token}"

    @cached_property
    def uploads(self) -> Path:
        """A folder for the files that a browser sends; it goes when the server ends."""
        made = TemporaryDirectory(prefix="holdem-web-")
        self.on_close.append(made.cleanup)
        return Path(made.name)

    def new_agent(self, name: str) -> Agent:
        """A new agent for a table, by its id. Its file is read once, and again when it has changed. Raises KeyError for
        an unknown id, and what loading it raises."""
        return self.agent(name).clone()

    @property
    def loaded(self) -> dict[str, Agent]:
        """The agents that have been loaded so far, by id."""
        return {name: agent for name, (_, agent) in self._agents_loaded.items()}

    def game_of(self, name: str) -> str | None:
        """The id of the game that a loaded agent was trained for; None for agents that were trained for none."""
        trained_on = self.loaded[name].facts.trained_on if name in self.loaded else None
        return next((game for game, rules in self.rules.items() if rules == trained_on), None)

    def load_given(self) -> None:
        """Load the agents of the command line, and list the games that they were trained for. Raises what loading
        raises."""
        for name in self.agents_given:
            trained_on = self.agent(name).facts.trained_on
            if trained_on is not None and self.game_of(name) is None:
                self.rules[f"game-of-{name}"] = trained_on

    def agent(self, name: str) -> Agent:
        """The loaded agent with an id, for questions about its strategy; the same until its file changes. Raises as
        `new_agent` does."""
        what = self.agents[name]
        written = _written(what)
        with self._loading:
            known = self._agents_loaded.get(name)
            if known is None or known[0] != written:
                known = self._agents_loaded[name] = (written, make_player(what, self.trust))
            return known[1]

    def close(self) -> None:
        """Say to all streams and tables that the server ends."""
        self.closing = True
        for notify in self.on_close:
            notify()


def make_site(
    agents: Sequence[str] = (),
    rules: Sequence[str | Path] = (),
    histories: Sequence[Path] = (),
    tournaments: Sequence[Path] = (),
    runs: Path = Path("runs"),
    trust: bool = False,
    keep: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8765,
) -> Site:
    """The site of a command line: names and files as they were given.

    Raises FileNotFoundError for a missing file, and ValueError for invalid rules.
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
        trust=trust,
        keep=keep,
        cache=cache_roots()[-1] / "web",
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


def _written(what: str) -> int:
    """When a file was written last, in nanoseconds; 0 for a name."""
    try:
        status = Path(what).stat()
    except OSError:
        return 0
    return status.st_mtime_ns if S_ISREG(status.st_mode) else 0


def _stem(path: str) -> str:
    """A path without its suffix and root."""
    return str(Path(path).with_suffix("")) if Path(path).name else path
