"""Where results are kept: one SQLite file a tournament, a row for each shard that was played."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ...agents.fingerprints import difference
from ...game.rules import Rules
from ...utils.version import __version__
from ..matches.stopwatch import FORMER
from ..observed.big_pots import BigPot, largest
from ..observed.habits import Habits
from ..statistics.deals import Deals, join
from .entrants import Entrant
from .plan import Tournament
from .shards import Played

FORMAT = 1
FIXED = ("rules", "format", "seed", "all_in", "aivat")
"""What all runs into one store have in common."""
TOLD = ("confidence", "watched", "nash")
"""How the results are to be told: as the latest run said."""
TABLES = """
create table about (name text primary key, value text not null);
create table agents (
    name text primary key, made_of text not null, digest text not null, forfeit text, fingerprint text, clock text);
create table shards (
    agents text not null, first integer not null, count integer not null, hands integer not null,
    seconds text not null, decisions text not null, pots text not null, arrays blob not null,
    primary key (agents, first));
"""

LATER = ("fingerprint", "clock")
"""Columns of agents that older stores do not have: there they are unknown, and added by whoever plays on."""
ADD = """
insert into shards select ?, ?, ?, ?, ?, ?, ?, ?
where not exists (select 1 from shards where agents = ? and first < ? and first + count > ?)
"""
ENTER = """
insert into agents (name, made_of, digest, fingerprint) values (?, ?, ?, ?)
on conflict (name) do update set
    made_of = excluded.made_of, digest = excluded.digest, fingerprint = coalesce(excluded.fingerprint, fingerprint)
"""
PARDON = "update agents set forfeit = null"
WAIT = 30
"""Seconds that another process has for its writing."""
HINTS = {
    "no such": "it is not a store of results",
    "locked": "another process writes to it; try again when it is done",
    "full": "what was stored before is still there; make room, and the same command goes on",
    "unable to open": "may it be read, and written to?",
}


class StoreError(ValueError):
    """A store that cannot be used; the message says why, and what would be right."""


class Store:
    """A file of results. Opened with `create=True` it is made if there is none.

    Raises StoreError for a file that is no store, or one of another version; FileNotFoundError for none. All methods
    raise StoreError where the file cannot be read or written: in use, on a full disk, broken.
    """

    def __init__(self, path: str | Path, create: bool = False) -> None:
        self.path = Path(path)
        if self.path.is_dir() or not self.path.parent.is_dir():
            what = "this is a folder" if self.path.is_dir() else f"there is no folder {self.path.parent}"
            raise StoreError(f"{self.path}: {what}; give a file, such as tournament.db")
        new = not self.path.exists()
        if new and not create:
            raise FileNotFoundError(f"{self.path}: there is no such file; `holdem tournament` makes one")
        with self._errors():
            self._base = sqlite3.connect(self.path, timeout=WAIT)
        try:
            if new:
                with self._errors():
                    self._base.executescript(TABLES)
                self._note("store", FORMAT)
                self._note("version", __version__)
            self._check()
        except StoreError:
            self._base.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """What SQLite has to say, as a sentence."""
        try:
            yield
        except sqlite3.OperationalError as error:
            hint = next((f"; {hint}" for word, hint in HINTS.items() if word in str(error)), "")
            raise StoreError(f"{self.path}: {error}{hint}") from error
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: not a store of results ({error})") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        with self._errors(), self._base:
            yield self._base

    def _rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        with self._errors():
            yield from self._base.execute(query, values)

    def _note(self, name: str, value: Any) -> None:
        with self._writing() as base:
            base.execute("insert or replace into about values (?, ?)", (name, json.dumps(value)))

    def about(self) -> dict[str, Any]:
        """What the store says of itself and its tournament."""
        return {name: json.loads(value) for name, value in self._rows("select name, value from about")}

    def _check(self) -> None:
        about = self.about()
        if about.get("store") != FORMAT or about.get("version") != __version__:
            raise StoreError(
                f"{self.path}: written by holdem_env {about.get('version')} (format {about.get('store')}), this is "
                f"{__version__} (format {FORMAT}); results of different versions do not mix. Use that version, or "
                "another file"
            )

    # The tournament

    def enter(self, tournament: Tournament, accept_changed: bool = False, retry: bool = False) -> dict[str, Entrant]:
        """Begin, or go on, with a tournament: later runs may add agents and hands. Returns its agents by name, as they
        are sent to whoever plays.

        accept_changed: an agent whose code or parameters have changed goes on under its name, and its old results
        count as its own. retry: all forfeits are forgotten. If an agent that had forfeited has changed since and the
        change is not accepted, it plays anew: what it had played is dropped.
        Raises StoreError if it is another game, seed or format, or if a name now stands for another agent; nothing is
        changed then.
        """
        about = self.about()
        fixed = {name: json.loads(tournament.model_dump_json(include={name}))[name] for name in FIXED}
        self._refuse_another_tournament(about, fixed, tournament)
        entrants = tournament.entrants()
        fingerprints = {name: _fingerprint(entrant) for name, entrant in entrants.items()}
        changed = {} if accept_changed else self._changed(entrants, fingerprints)
        anew = set(changed) & set(self.forfeits()) if retry else set()
        if kept := {name: why for name, why in changed.items() if name not in anew}:
            out = [name for name in kept if name in self.forfeits()]
            hint = f"; {', '.join(map(repr, out))} forfeited, and --retry lets it play anew" if out else ""
            raise StoreError(f"{self.path}: {_other_agents(kept)}{hint}")
        told = {name: getattr(tournament, name) for name in TOLD}
        told |= {"entered": tournament.names}
        told |= {"stopped": True} if tournament.stop_at is not None else {}
        with self._writing() as base:
            for column in self._lacking():
                base.execute(f"alter table agents add column {column} text")
            for name, value in {**fixed, **told}.items():
                base.execute("insert or replace into about values (?, ?)", (name, json.dumps(value)))
            if retry:
                base.execute(PARDON)
            for names in [names for names in self.matches() if anew & set(names)]:
                base.execute("delete from shards where agents = ?", (_key(names),))
            for name, entrant in entrants.items():
                base.execute(ENTER, (name, entrant.made_of, entrant.digest, fingerprints[name]))
        return entrants

    def _lacking(self) -> list[str]:
        """The columns of agents that this store, an older one, does not have."""
        there = {row[1] for row in self._rows("pragma table_info(agents)")}
        return [column for column in LATER if column not in there]

    def _of_agents(self, column: str) -> dict[str, str | None]:
        """A column of the agents, by name."""
        if column in self._lacking():
            return {}
        return dict(self._rows(f"select name, {column} from agents order by rowid"))

    def _refuse_another_tournament(self, about: dict[str, Any], fixed: dict[str, Any], tournament: Tournament) -> None:
        for name, value in fixed.items():
            if name in about and about[name] != value:
                raise StoreError(f"{self.path}: {_difference(name, about[name], value)}; use another file")
        if about.get("stopped") and not tournament.watched:
            raise StoreError(
                f"{self.path}: pairs were stopped by a look at their intervals; only watched: true is right for them"
            )

    def changed(self, tournament: Tournament) -> dict[str, str]:
        """Whose code or parameters are not those that its results here are of, and what has changed, in words."""
        entrants = tournament.entrants()
        return self._changed(entrants, {name: _fingerprint(entrant) for name, entrant in entrants.items()})

    def _changed(self, entrants: dict[str, Entrant], fingerprints: dict[str, str | None]) -> dict[str, str]:
        """An agent without a fingerprint, in an older store, is known by the digest of what it was made of."""
        known, digests, found = self._of_agents("fingerprint"), self._of_agents("digest"), {}
        for name, entrant in entrants.items():
            there, here = known.get(name), fingerprints[name]
            if there and here:
                differs = there != here
                why = difference(there, here) if differs else ""
            else:
                differs, why = digests.get(name, entrant.digest) != entrant.digest, ""
            if differs:
                found[name] = why
        return found

    def told(self) -> dict[str, Any]:
        """confidence, watched and nash, as the latest run wanted them."""
        about = self.about()
        return {name: about[name] for name in TOLD if name in about}

    @property
    def rules(self) -> Rules:
        """The game. Raises StoreError if nothing was entered yet."""
        return Rules.model_validate(self._entered("rules"))

    @property
    def format(self) -> str:
        """The tournament's format. Raises StoreError if nothing was entered yet."""
        return str(self._entered("format"))

    def _entered(self, name: str) -> Any:
        about = self.about()
        if name not in about:
            raise StoreError(f"{self.path}: no tournament was played into it")
        return about[name]

    @property
    def agents(self) -> list[str]:
        """All who ever entered, in that order."""
        return [name for (name,) in self._rows("select name from agents order by rowid")]

    def forfeits(self) -> dict[str, str]:
        """Who has forfeited, and why."""
        rows = self._rows("select name, forfeit from agents where forfeit is not null order by rowid")
        return dict(rows)

    def pardon(self) -> None:
        """Forget all forfeits: those who failed may try again, and what they had played counts."""
        with self._writing() as base:
            base.execute(PARDON)

    def forfeit(self, name: str, reason: str) -> None:
        """An agent has failed."""
        with self._writing() as base:
            base.execute("update agents set forfeit = ? where name = ?", (reason, name))

    # Shards

    def missing(self, names: Sequence[str], deals: int, most: int) -> list[range]:
        """Which of a match's first `deals` deals were not played yet, in runs of at most so many."""
        there = np.zeros(deals + 2, np.bool_)
        there[[0, -1]] = True  # so that a run has a beginning and an end
        for first, count in self._rows("select first, count from shards where agents = ?", (_key(names),)):
            there[1 + first : 1 + min(first + count, deals)] = True
        edges = np.flatnonzero(np.diff(there)).reshape(-1, 2).tolist()
        return [range(at, min(at + most, end)) for start, end in edges for at in range(start, end, most)]

    def add(self, played: Played) -> bool:
        """Keep what was played. Returns whether it was kept: not if another run has stored some of its deals since, as
        no deal is kept twice."""
        deals, habits = played.deals, played.habits
        if deals is None or habits is None:
            raise ValueError("add: nothing was played")
        arrays: dict[str, Any] = {f"column {name}": values for name, values in deals.columns.items()}
        arrays |= {"numbers": deals.numbers, "seating": deals.seating, "unit": np.array(deals.unit)}
        arrays |= {"seed": np.array(deals.seed), "actions": habits.actions, "figures": habits.figures}
        blob = io.BytesIO()
        np.savez_compressed(blob, **arrays)
        shard = played.shard
        seconds = [spent.by(clock) for spent, clock in zip(played.spent, played.clocks, strict=True)]
        row = (_key(shard.names), shard.first, shard.count, played.hands, json.dumps(seconds))
        decisions = json.dumps([spent.decisions for spent in played.spent])
        with self._writing() as base:
            overlap = row[0], shard.first + shard.count, shard.first
            values = *row, decisions, json.dumps(played.pots), blob.getvalue(), *overlap
            for name, clock in zip(shard.names, played.clocks, strict=True):
                base.execute("update agents set clock = ? where name = ?", (clock, name))
            return base.execute(ADD, values).rowcount == 1

    def matches(self) -> list[tuple[str, ...]]:
        """Who has played whom, in the order of entering."""
        keys = [key for (key,) in self._rows("select distinct agents from shards")]
        order = {name: place for place, name in enumerate(self.agents)}
        found = [tuple(json.loads(key)) for key in keys]
        return sorted(found, key=lambda names: [order[name] for name in names])

    def latest(self, matches: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """Which of these matches was played last."""
        rows = self._rows("select agents from shards order by rowid desc")
        found = (tuple(json.loads(key)) for (key,) in rows)
        return next(names for names in found if names in matches)

    def deals_played(self, names: Sequence[str]) -> int:
        """How many deals a match has so far."""
        rows = self._rows("select sum(count) from shards where agents = ?", (_key(names),))
        return int(next(rows)[0] or 0)

    def deals(self, names: Sequence[str]) -> Deals:
        """All deals of a match. Raises StoreError if it was never played."""
        parts = []
        for arrays in self._arrays(names):
            columns = {name.removeprefix("column "): arrays[name] for name in arrays if name.startswith("column ")}
            unit, seed = float(arrays["unit"]), int(arrays["seed"])
            parts.append(Deals(tuple(names), unit, seed, arrays["numbers"], arrays["seating"], columns))
        if not parts:
            raise StoreError(f"{self.path}: {' against '.join(names)} was not played")
        return join(parts)

    def habits(self, names: Sequence[str]) -> Habits:
        """How the agents of a match play, in their order there."""
        parts = list(self._arrays(names))
        actions, figures = (sum(part[name] for part in parts) for name in ("actions", "figures"))
        return Habits(np.asarray(actions), np.asarray(figures))

    def _arrays(self, names: Sequence[str]) -> Iterable[dict[str, Any]]:
        rows = self._rows("select arrays from shards where agents = ? order by first", (_key(names),))
        for (blob,) in rows:
            with np.load(io.BytesIO(blob), allow_pickle=False) as arrays:
                yield dict(arrays)

    def pots(self, kept: int = 10) -> list[BigPot]:
        """The biggest pots of all matches."""
        found: list[BigPot] = []
        for (text,) in self._rows("select pots from shards"):
            found = largest([*found, *json.loads(text)], kept)
        return found

    def hands(self) -> int:
        """How many hands were played in all."""
        return int(next(self._rows("select coalesce(sum(hands), 0) from shards"))[0])

    def clocks(self) -> dict[str, str]:
        """By agent, the clock that its thinking was measured by: "processor" or "wall"."""
        return {name: clock or FORMER for name, clock in self._of_agents("clock").items()}

    def thinking(self) -> dict[str, tuple[float, int]]:
        """For each agent, the seconds it has thought, by its clock, and its decisions; the calls that warm it up are
        not counted."""
        total: dict[str, tuple[float, int]] = {}
        for key, seconds, decisions in self._rows("select agents, seconds, decisions from shards"):
            for name, spent, made in zip(json.loads(key), json.loads(seconds), json.loads(decisions), strict=True):
                before = total.get(name, (0.0, 0))
                total[name] = before[0] + spent, before[1] + made
        return total


def _fingerprint(entrant: Entrant) -> str | None:
    """Of an entrant; None for one that cannot be made: whoever plays it says why."""
    try:
        return entrant.fingerprint()
    except Exception:
        return None


def _other_agents(changed: dict[str, str]) -> str:
    """What is said of agents that have changed."""
    if len(changed) == 1:
        [(name, why)] = changed.items()
        who = f"{name!r} is another agent there, its code, its parameters or its file have changed"
        told = f"{who}{f' ({why})' if why else ''}; give this one another name"
    else:
        told = f"{in_words(changed)} are other agents there, their code, parameters or files have changed; "
        told += "give them other names"
    return (
        f"{told} ({{agent: ..., name: ...}}), use another file of results, or accept the change with --accept-changed "
        "(accept_changed=True), which counts the old results as its own"
    )


def in_words(changed: dict[str, str]) -> str:
    """Agents that have changed, each with what has changed: "'a' (other code in a.py), 'b' (size 3, here 5)"."""
    return ", ".join(f"{name!r} ({why})" if why else repr(name) for name, why in changed.items())


def _key(names: Sequence[str]) -> str:
    return json.dumps(list(names))


def _difference(name: str, there: Any, here: Any) -> str:
    if isinstance(there, dict) and isinstance(here, dict):
        differ = [f"{key} {there.get(key)!r}, here {here[key]!r}" for key in here if there.get(key) != here[key]]
        return f"its rules have {'; '.join(differ)}"
    return f"its {name} is {there!r}, here {here!r}"
