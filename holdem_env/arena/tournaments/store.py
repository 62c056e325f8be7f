"""Where results are kept: one SQLite file a tournament, with its agents and a row for each shard that was played."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ...agents.fingerprints import difference
from ...game.rules import Rules
from ...game.units import PRIZES, unit_of
from ...utils.plain_data import json_of
from ..matches.dealer import KEY_BITS
from ..observed.big_pots import BigPot, largest, replayed
from ..observed.player_stats import PlayerStats
from ..statistics.deals import Deals, join
from ..statistics.intervals import CONFIDENCE, check_confidence
from .entrants import Entrant, copies_of, kept
from .plan import Format, Tournament
from .shards import Played
from .store_file import Change, StoreError, StoreFile, reads

__all__ = ["Store", "StoreError", "in_words"]

POT_KEYS = {"deal", "stage", "players", "names", "pot", "button", "stacks", "deck", "moves"}
ADD = """
insert into shards select ?, ?, ?, ?, ?, ?, ?, ?
where not exists (select 1 from shards where agents = ? and first < ? and first + count > ?)
"""
COMMON_FIELDS = ("rules", "format", "duplicate", "seed", "estimators")  # what all runs into one store have in common
BEYOND = 100  # times the chips of a table that an estimate of one hand may be
REPORTING = ("confidence", "watched", "nash", "rank_by", "leavers")
"""How the results are reported: as the latest run said."""
ENTER = """
insert into agents (name, made_of, digest, fingerprint) values (?, ?, ?, ?)
on conflict (name) do update set
    made_of = excluded.made_of, digest = excluded.digest, fingerprint = coalesce(excluded.fingerprint, fingerprint)
"""


class StoreWarning(UserWarning):
    """An agent is no longer what was entered."""


class Store(StoreFile):
    """A file of results. Opened with `create=True` it is made if there is none.

    Raises as `StoreFile`. All methods raise StoreError where the file cannot be read or written.
    """

    _has_entered = False

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def enter(self, tournament: Tournament, accept_changed: bool = False, retry: bool = False) -> dict[str, Entrant]:
        """Begin, or go on, with a tournament: later runs may add agents and hands. Returns its agents by name, as they
        are sent to the processes that play.

        Of agents in processes of their own copies are kept beside the store, and play. If the files of one have changed
        since it was entered, its copy plays on, with a StoreWarning.

        accept_changed: an agent whose code or parameters have changed goes on under its name, and its old results
        count as its own. retry: all forfeits are forgotten. If an agent that had forfeited has changed since and the
        change is not accepted, it plays again: what it had played is dropped.
        Raises StoreError if it is another game, seed or format, or only one of the two has duplicate deals, or if a
        name now stands for another agent; nothing is changed then.
        """
        entrants = tournament.entrants()
        if not accept_changed:
            entrants = self._as_entered(entrants, set(self.forfeits()) if retry else set())
        fingerprints = {name: self._fingerprint(entrant) for name, entrant in entrants.items()}
        entrants = {name: kept(entrant, self.copies) for name, entrant in entrants.items()}
        with self._writing() as change:
            about = self.about()
            fixed = {name: json.loads(tournament.model_dump_json(include={name}))[name] for name in COMMON_FIELDS}
            fixed["duplicate"] = tournament.is_duplicate
            self._refuse_another_tournament(about, fixed, tournament)
            retrying = self._retrying(entrants, fingerprints, accept_changed, retry)
            keys = {"keys": [*about.get("keys", []), token_hex(KEY_BITS // 8)]}
            for name, value in {**fixed, **_facts_of_run(tournament), **keys}.items():
                change.note(name, value)
            if retry:
                change.execute("update agents set forfeit = null")
            for name in retrying:
                self._drop(change, name)
            for name, entrant in entrants.items():
                change.execute(ENTER, (name, entrant.made_of, entrant.digest, fingerprints[name]))
        self._has_entered = True
        return entrants

    @property
    def copies(self) -> Path:
        return self.path.with_name(f"{self.path.name}.entrants")

    def _as_entered(self, entrants: dict[str, Entrant], again: set[str]) -> dict[str, Entrant]:
        """The entrants; of those whose files have changed since, but for some, the copies that were kept."""
        found, known = dict(entrants), self.entered()
        for name, entrant in entrants.items():
            before = known.get(name)
            if before is None or name in again or entrant.limits is None or before.made_of != entrant.made_of:
                continue
            copies = copies_of(before.digest, self.copies)
            if before.digest != entrant.digest and copies.is_dir():
                found[name] = replace(entrant, digest=before.digest, copies=str(copies))
                warnings.warn(
                    f"{name}: its files have changed since it was entered; its copy plays on. --accept-changed "
                    "(accept_changed=True) enters the new ones",
                    StoreWarning,
                    stacklevel=4,
                )
        return found

    def _fingerprint(self, entrant: Entrant) -> str | None:
        if entrant.copies:
            return self._of_agents("fingerprint").get(entrant.name)
        try:
            return entrant.make_fingerprint()
        except Exception:
            return None

    def _refuse_another_tournament(self, about: dict[str, Any], fixed: dict[str, Any], tournament: Tournament) -> None:
        for name in COMMON_FIELDS:
            if name in about and about[name] != fixed[name]:
                raise StoreError(f"{self.path}: {_difference(name, about[name], fixed[name])}; use another file")
        if about.get("stopped") and not tournament.watched:
            raise StoreError(
                f"{self.path}: pairs were stopped by a look at their intervals; only watched: true is right for them"
            )

    def _retrying(
        self, entrants: dict[str, Entrant], fingerprints: dict[str, str | None], accept_changed: bool, retry: bool
    ) -> set[str]:
        """Agents that have forfeited, changed since and try again. Raises StoreError for others that have changed."""
        changed = {} if accept_changed else self._changed(entrants, fingerprints)
        retrying = set(changed) & set(self.forfeits()) if retry else set()
        if kept := {name: why for name, why in changed.items() if name not in retrying}:
            out = [name for name in kept if name in self.forfeits()]
            hint = f"; {', '.join(map(repr, out))} forfeited, and --retry lets it play again" if out else ""
            raise StoreError(f"{self.path}: {_other_agents(kept)}{hint}")
        return retrying

    def _drop(self, change: Change, name: str) -> None:
        for key, first in list(self._rows("select agents, first from shards")):
            if name in json.loads(key):
                change.execute("delete from shards where agents = ? and first = ?", (key, first))

    def _of_agents(self, column: str) -> dict[str, str | None]:
        return dict(self._rows(f"select name, {column} from agents order by rowid"))

    def changed(self, tournament: Tournament) -> dict[str, str]:
        """Whose code or parameters are not those that its results here are of, and what has changed, in words."""
        entrants = tournament.entrants()
        return self._changed(entrants, {name: self._fingerprint(entrant) for name, entrant in entrants.items()})

    def _changed(self, entrants: dict[str, Entrant], fingerprints: dict[str, str | None]) -> dict[str, str]:
        """An agent that could not be made, and so has no fingerprint, is known by the digest of what it is made of."""
        known, digests, found = self._of_agents("fingerprint"), self._of_agents("digest"), {}
        for name, entrant in entrants.items():
            there, here = known.get(name), fingerprints[name]
            if there and here and there != here:
                found[name] = difference(there, here)
            elif not (there and here) and digests.get(name, entrant.digest) != entrant.digest:
                found[name] = ""
        return found

    # What was entered

    @reads
    def reporting(self) -> dict[str, Any]:
        """confidence, watched, nash, rank_by and leavers, as the latest run wanted them."""
        about = self.about()
        found = {name: about[name] for name in REPORTING if name in about}
        check_confidence(found.get("confidence", CONFIDENCE))
        return found

    @property
    @reads
    def rules(self) -> Rules:
        return Rules.model_validate(self._entered("rules"))

    @property
    @reads
    def format(self) -> str:
        found = self._entered("format")
        if found not in get_args(Format):
            raise self.damaged(f"its format is {found!r}")
        return str(found)

    @property
    @reads
    def seed(self) -> int | str:
        """Of all decks; "random" if each run has a key. Raises StoreError if nothing was entered yet."""
        seed = self._entered("seed")
        return seed if seed == "random" else int(seed)

    @reads
    def key(self, run: int) -> int:
        """The key of a run, 0 for the first, from which its decks come if the seed is "random"."""
        return int(self._entered("keys")[run], 16)

    @property
    @reads
    def runs(self) -> int:
        """How many runs there were, with the one that writes to it now."""
        return len(self._entered("keys"))

    @property
    @reads
    def open_keys(self) -> list[int]:
        """The keys of runs that have ended, in order: they deal nothing any more."""
        return [self.key(run) for run in self.about().get("ended", [])] if self.seed == "random" else []

    def end_run(self, run: int) -> None:
        """A run is over: nothing more is dealt with its key."""
        with self._writing() as change:
            change.note("ended", sorted({*self.about().get("ended", []), run}))

    @property
    @reads
    def is_duplicate(self) -> bool:
        return bool(self._entered("duplicate"))

    def _entered(self, name: str) -> Any:
        about = self.about()
        if name not in about:
            raise StoreError(f"{self.path}: no tournament was played into it")
        return about[name]

    @property
    @reads
    def agents(self) -> list[str]:
        """All who ever entered, in that order."""
        return [name for (name,) in self._rows("select name from agents order by rowid")]

    @reads
    def entered(self) -> dict[str, Entrant]:
        """All who ever entered, by name, in that order."""
        rows = self._rows("select name, made_of, digest, fingerprint from agents order by rowid")
        return {name: Entrant(name, made_of, digest, fingerprint=known) for name, made_of, digest, known in rows}

    # Forfeits

    def forfeits(self) -> dict[str, str]:
        return dict(self._rows("select name, forfeit from agents where forfeit is not null order by rowid"))

    def forfeit(self, name: str, reason: str) -> None:
        self._only_runs("forfeit")
        with self._writing() as change:
            change.execute("update agents set forfeit = ? where name = ?", (reason, name))

    def _only_runs(self, method: str) -> None:
        if not self._has_entered:
            raise StoreError(
                f"{self.path}: {method}: only runs write results; call `enter` with their tournament first"
            )

    # What was played

    @reads
    def missing(self, names: Sequence[str], deals: int, most: int) -> list[range]:
        """Which of a match's first `deals` deals were not played yet, in runs of at most `most`."""
        there = np.zeros(deals + 2, np.bool_)
        there[[0, -1]] = True  # so that a run has a beginning and an end
        for first, count in self._rows("select first, count from shards where agents = ?", (_key(names),)):
            there[1 + first : 1 + min(first + count, deals)] = True
        edges = np.flatnonzero(np.diff(there)).reshape(-1, 2).tolist()
        return [range(at, min(at + most, end)) for start, end in edges for at in range(start, end, most)]

    def add(self, played: Played) -> bool:
        """Keep what was played. Returns False if another run has stored some of its deals since: none is kept twice."""
        deals, player_stats = played.deals, played.player_stats
        if deals is None or player_stats is None:
            raise ValueError("add: nothing was played")
        self._only_runs("add")
        arrays: dict[str, Any] = {f"column {name}": values for name, values in deals.columns.items()}
        arrays |= {"numbers": deals.numbers, "seating": deals.seating, "unit": np.array(deals.unit.chips)}
        arrays |= {"run": np.array(played.shard.run), "actions": player_stats.actions, "figures": player_stats.figures}
        blob = io.BytesIO()
        np.savez_compressed(blob, **arrays)
        shard = played.shard
        seconds = [(spent.by(clock), spent.away) for spent, clock in zip(played.spent, played.clocks, strict=True)]
        row = (_key(shard.names), shard.first, shard.count, played.hands, json.dumps(seconds))
        decisions = json.dumps([spent.decisions for spent in played.spent])
        with self._writing() as change:
            overlap = row[0], shard.first + shard.count, shard.first
            values = *row, decisions, json.dumps(played.pots), blob.getvalue(), *overlap
            for name, clock in zip(shard.names, played.clocks, strict=True):
                change.execute("update agents set clock = ? where name = ? and clock is not ?", (clock, name, clock))
            return change.execute(ADD, values) == 1

    @reads
    def matches(self) -> list[tuple[str, ...]]:
        """Who has played whom, in the order of entering."""
        found = [tuple(json.loads(key)) for (key,) in self._rows("select distinct agents from shards")]
        order = {name: place for place, name in enumerate(self.agents)}
        return sorted(found, key=lambda names: [order[name] for name in names])

    @reads
    def latest(self, matches: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        found = (tuple(json.loads(key)) for (key,) in self._rows("select agents from shards order by rowid desc"))
        return next(names for names in found if names in matches)

    @reads
    def numbers(self, matches: Iterable[Sequence[str]]) -> list[NDArray[np.int64]]:
        """Which deals each of these matches has, in order."""
        found: dict[str, list[NDArray[np.int64]]] = {}
        for key, first, count in self._rows("select agents, first, count from shards order by first"):
            found.setdefault(key, []).append(np.arange(first, first + count))
        nothing = [np.arange(0)]
        return [np.concatenate(found.get(_key(names), nothing)) for names in matches]

    @reads
    def deals_played(self, names: Sequence[str]) -> int:
        rows = self._rows("select sum(count) from shards where agents = ?", (_key(names),))
        return int(next(rows)[0] or 0)

    @reads
    def deals_with(self, names: Collection[str]) -> int:
        rows = self._rows("select agents, sum(count) from shards group by agents")
        return sum(count for key, count in rows if not set(json.loads(key)).isdisjoint(names))

    @reads
    def shards(self, names: Sequence[str]) -> list[tuple[range, int]]:
        """The deals (sessions) of a match as they were played, piece by piece, in order, each piece with its run."""
        rows = self._rows("select first, count from shards where agents = ? order by first", (_key(names),))
        runs = [int(arrays["run"]) for arrays in self._arrays(names, ["run"])]
        return [(range(first, first + count), run) for (first, count), run in zip(rows, runs, strict=True)]

    @reads
    def deals(self, names: Sequence[str]) -> Deals:
        """All deals of a match. Raises StoreError if it was never played."""
        parts = []
        rules, is_freezeout = self.rules, self.format == "freezeout"
        unit = PRIZES if is_freezeout else unit_of(rules)
        for arrays in self._arrays(names):
            columns = {name.removeprefix("column "): arrays[name] for name in arrays if name.startswith("column ")}
            if any(len(values) != len(arrays["numbers"]) for values in (*columns.values(), arrays["seating"])):
                raise self.damaged(f"the arrays of {' against '.join(names)} differ in length")
            if not all(np.all(np.abs(values) <= _most(name, rules, is_freezeout)) for name, values in columns.items()):
                raise self.damaged(f"a result of {' against '.join(names)} is more than a table has, or no number")
            seating = arrays["seating"]
            if seating.dtype.kind != "i" or np.any(seating < 0) or np.any(seating >= len(names)):
                raise self.damaged(f"a seat of {' against '.join(names)} has no agent")
            parts.append(Deals(tuple(names), unit, None, arrays["numbers"], arrays["seating"], columns))
        if not parts:
            raise StoreError(f"{self.path}: {' against '.join(names)} was not played")
        return join(parts)

    @reads
    def player_stats(self, names: Sequence[str]) -> PlayerStats:
        parts = list(self._arrays(names, ("actions", "figures")))
        actions, figures = (sum(part[name] for part in parts) for name in ("actions", "figures"))
        return PlayerStats(np.asarray(actions), np.asarray(figures))

    def _arrays(self, names: Sequence[str], wanted: Sequence[str] = ()) -> Iterable[dict[str, Any]]:
        rows = self._rows("select arrays, count from shards where agents = ? order by first", (_key(names),))
        for blob, count in rows:
            with np.load(io.BytesIO(blob), allow_pickle=False) as arrays:
                if not wanted and len(arrays["numbers"]) != count:
                    raise self.damaged(f"{' against '.join(names)} has {len(arrays['numbers'])} of {count} deals")
                yield {name: arrays[name] for name in wanted or arrays}

    @reads
    def pots(self, kept: int = 10) -> list[BigPot]:
        found: list[BigPot] = []
        for (text,) in self._rows("select pots from shards"):
            pots = json.loads(text)
            if not all(pot.keys() >= POT_KEYS for pot in pots):
                raise self.damaged("a big pot lacks a value")
            found = largest([*found, *pots], kept)
        for pot in found:
            seats = len(replayed(pot, self.rules).starting_stacks)
            if not len(pot["players"]) == len(pot["names"]) == seats:
                raise self.damaged("a big pot has other players than seats")
            if not all(isinstance(name, str) for name in [*pot["players"], *pot["names"]]):
                raise self.damaged("a player's name is no text")
        return found

    @reads
    def hands(self, matches: Collection[tuple[str, ...]] | None = None) -> int:
        """How many hands were played in all, or in some matches."""
        rows = list(self._rows("select agents, hands from shards"))
        if any(hands <= 0 for _, hands in rows):
            raise self.damaged("a shard has no hands")
        return sum(int(hands) for key, hands in rows if matches is None or tuple(json.loads(key)) in matches)

    def leave(self, name: str) -> None:
        entered = [each for each in self.about()["entered"] if each != name]
        with self._writing() as change:
            change.note("entered", entered)

    @reads
    def clocks(self) -> dict[str, str]:
        """By agent, the clock that its thinking was measured by: "processor" or "wall"."""
        return {name: clock for name, clock in self._of_agents("clock").items() if clock}

    @reads
    def thinking(self) -> dict[str, tuple[float, float, int]]:
        """For each agent, the seconds it has thought, those it was gone while it was asked, and its decisions."""
        total: dict[str, tuple[float, float, int]] = {}
        for key, seconds, decisions in self._rows("select agents, seconds, decisions from shards"):
            for name, (spent, away), made in zip(*map(json_of, (key, seconds, decisions)), strict=True):
                if spent < 0 or away < 0 or made < 0:
                    raise self.damaged(f"{name} has thought for less than no time")
                before = total.get(name, (0.0, 0.0, 0))
                total[name] = before[0] + spent, before[1] + away, before[2] + made
        return total


def _most(column: str, rules: Rules, is_freezeout: bool) -> float:
    """The largest result that a column may have: estimators that correct for luck go beyond a table's chips."""
    chips = sum(rules.starting_stacks)
    if is_freezeout:
        pool = sum(rules.session.prizes) if rules.session else 0.0
        return {"prizes": pool or 1.0, "places": rules.seats, "hands": 1e9}.get(column, BEYOND * chips)
    return chips if column == "chips" else BEYOND * chips


def _facts_of_run(tournament: Tournament) -> dict[str, Any]:
    facts = {name: getattr(tournament, name) for name in (*REPORTING, "anchors", "jobs", "schedule")}
    facts |= {"entered": tournament.names, "results": tournament.known_results}
    facts |= {"ranking": tournament.is_ranking, "deals_each": tournament.deals_each()}
    return facts | ({"stopped": True} if tournament.stop_at is not None or tournament.is_ranking else {})


def _other_agents(changed: dict[str, str]) -> str:
    if len(changed) == 1:
        [(name, why)] = changed.items()
        who = f"{name!r} is another agent there, its code, its parameters or its file have changed"
        words = f"{who}{f' ({why})' if why else ''}; give this one another name"
    else:
        words = f"{in_words(changed)} are other agents there, their code, parameters or files have changed; "
        words += "give them other names"
    return (
        f"{words} ({{agent: ..., name: ...}}), use another file of results, or accept the change with --accept-changed "
        "(accept_changed=True), which counts the old results as its own"
    )


def in_words(changed: dict[str, str]) -> str:
    """Agents that have changed, each with what has changed: "'a' (other code in a.py), 'b' (size 3, here 5)"."""
    return ", ".join(f"{name!r} ({why})" if why else repr(name) for name, why in changed.items())


def _difference(name: str, there: Any, here: Any) -> str:
    if isinstance(there, dict) and isinstance(here, dict):
        differ = [f"{key} {there.get(key)!r}, here {here[key]!r}" for key in here if there.get(key) != here[key]]
        return f"its rules have {'; '.join(differ)}"
    return f"its {name} is {there!r}, here {here!r}"


def _key(names: Sequence[str]) -> str:
    return json.dumps(list(names))
