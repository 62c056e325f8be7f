"""Where results are kept: one SQLite file a tournament, a row for each shard that was played."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..observed.big_pots import BigPot, largest
from ..observed.player_stats import PlayerStats
from ..statistics.deals import Deals, join
from .entering import EnteredStore, in_words
from .shards import Played
from .store_file import StoreError, reads

__all__ = ["Store", "StoreError", "in_words"]

POT_KEYS = {"deal", "stage", "players", "pot", "button", "stacks", "deck", "moves"}
ADD = """
insert into shards select ?, ?, ?, ?, ?, ?, ?, ?
where not exists (select 1 from shards where agents = ? and first < ? and first + count > ?)
"""


class Store(EnteredStore):
    """A file of results. Opened with `create=True` it is made if there is none.

    Raises StoreError for a file that is no store, or one of another version, or one that something other than this
    library has written to (`check`); FileNotFoundError for none. All methods raise StoreError where the file cannot be
    read or written: in use, on a full disk, broken.
    """

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        """Keep what was played. Returns whether it was kept: not if another run has stored some of its deals since, as
        no deal is kept twice."""
        deals, player_stats = played.deals, played.player_stats
        if deals is None or player_stats is None:
            raise ValueError("add: nothing was played")
        self._only_runs("add")
        arrays: dict[str, Any] = {f"column {name}": values for name, values in deals.columns.items()}
        arrays |= {"numbers": deals.numbers, "seating": deals.seating, "unit": np.array(deals.unit)}
        arrays |= {"seed": np.array(deals.seed), "actions": player_stats.actions, "figures": player_stats.figures}
        blob = io.BytesIO()
        np.savez_compressed(blob, **arrays)
        shard = played.shard
        seconds = [spent.by(clock) for spent, clock in zip(played.spent, played.clocks, strict=True)]
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
        keys = [key for (key,) in self._rows("select distinct agents from shards")]
        order = {name: place for place, name in enumerate(self.agents)}
        found = [tuple(json.loads(key)) for key in keys]
        return sorted(found, key=lambda names: [order[name] for name in names])

    @reads
    def latest(self, matches: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """Which of these matches was played last."""
        rows = self._rows("select agents from shards order by rowid desc")
        found = [tuple(json.loads(key)) for (key,) in rows]
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
        """How many deals a match has so far."""
        rows = self._rows("select sum(count) from shards where agents = ?", (_key(names),))
        return int(next(rows)[0] or 0)

    @reads
    def shards(self, names: Sequence[str]) -> list[tuple[range, int]]:
        """The deals (sessions) of a match as they were played, piece by piece, in order, each piece with its seed."""
        rows = self._rows("select first, count from shards where agents = ? order by first", (_key(names),))
        seeds = [int(arrays["seed"]) for arrays in self._arrays(names, ["seed"])]
        return [(range(first, first + count), seed) for (first, count), seed in zip(rows, seeds, strict=True)]

    @reads
    def deals(self, names: Sequence[str]) -> Deals:
        """All deals of a match. Raises StoreError if it was never played."""
        parts = []
        for arrays in self._arrays(names):
            columns = {name.removeprefix("column "): arrays[name] for name in arrays if name.startswith("column ")}
            unit, seed = float(arrays["unit"]), int(arrays["seed"])
            if any(len(values) != len(arrays["numbers"]) for values in (*columns.values(), arrays["seating"])):
                raise self.damaged(f"the arrays of {' against '.join(names)} differ in length")
            parts.append(Deals(tuple(names), unit, seed, arrays["numbers"], arrays["seating"], columns))
        if not parts:
            raise StoreError(f"{self.path}: {' against '.join(names)} was not played")
        return join(parts)

    @reads
    def player_stats(self, names: Sequence[str]) -> PlayerStats:
        """How the agents of a match play, in their order there."""
        parts = list(self._arrays(names, ("actions", "figures")))
        actions, figures = (sum(part[name] for part in parts) for name in ("actions", "figures"))
        return PlayerStats(np.asarray(actions), np.asarray(figures))

    def _arrays(self, names: Sequence[str], wanted: Sequence[str] = ()) -> Iterable[dict[str, Any]]:
        """Of each shard the arrays wanted, by default all; only those are unpacked."""
        rows = self._rows("select arrays from shards where agents = ? order by first", (_key(names),))
        for (blob,) in rows:
            with np.load(io.BytesIO(blob), allow_pickle=False) as arrays:
                yield {name: arrays[name] for name in wanted or arrays}

    @reads
    def pots(self, kept: int = 10) -> list[BigPot]:
        """The biggest pots of all matches."""
        found: list[BigPot] = []
        for (text,) in self._rows("select pots from shards"):
            pots = json.loads(text)
            if not all(pot.keys() >= POT_KEYS for pot in pots):
                raise self.damaged("a big pot lacks a value")
            found = largest([*found, *pots], kept)
        return found

    @reads
    def hands(self) -> int:
        """How many hands were played in all."""
        return sum(int(hands) for (hands,) in self._rows("select hands from shards"))

    @reads
    def clocks(self) -> dict[str, str]:
        """By agent, the clock that its thinking was measured by: "processor" or "wall"."""
        return {name: clock for name, clock in self._of_agents("clock").items() if clock}

    @reads
    def thinking(self) -> dict[str, tuple[float, int]]:
        """For each agent, the seconds it has thought, by its clock, and its decisions; the calls that warm it up are
        not counted."""
        total: dict[str, tuple[float, int]] = {}
        for key, seconds, decisions in self._rows("select agents, seconds, decisions from shards"):
            for name, spent, made in zip(json.loads(key), json.loads(seconds), json.loads(decisions), strict=True):
                before = total.get(name, (0.0, 0))
                total[name] = before[0] + spent, before[1] + made
        return total


def _key(names: Sequence[str]) -> str:
    return json.dumps(list(names))
