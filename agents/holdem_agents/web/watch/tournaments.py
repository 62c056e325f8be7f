"""Tournaments as the pages show them: read from their stores while they are played."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic, time
from typing import Any

from holdem_env.agents.short_names import short_names
from holdem_env.arena.reports.html_report import write_report
from holdem_env.arena.tournaments.progress import TournamentProgress, progress_of
from holdem_env.arena.tournaments.standings import Standings, standings
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.game.title import game_title
from holdem_env.game.units import Unit
from holdem_env.utils.shown_names import shown_name

from ...catalog import titles_of

QUIET = 60.0  # seconds without a new result after which nobody is said to play
PATIENCE = 4.0  # standings are worked out again after this multiple of the time that it takes
SEEN = 60  # looks at how far a tournament is that tell its speed
KINDS = {"round_robin": "round robin", "tables": "tables", "freezeout": "freezeouts"}
Stamp = tuple[float, int]


@dataclass
class WatchedTournament:
    """One store. What was read is kept until the file changes."""

    name: str
    path: Path
    _view: dict[str, Any] = field(default_factory=dict)
    _stamp: Stamp | None = None
    _report: tuple[Stamp, str] | None = None
    _cost: float = 0.0
    _read_at: float = 0.0
    _seen: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=SEEN))
    _lock: Lock = field(default_factory=Lock)

    @property
    def stamp(self) -> Stamp:
        """When the file was written last, and how long it is; zeros if there is none."""
        try:
            status = self.path.stat()
        except OSError:
            return 0.0, 0
        return status.st_mtime, status.st_size

    def view(self) -> dict[str, Any]:
        """All that a page shows. A store that cannot be read has a sentence, beside what was read of it before."""
        with self._lock:
            stamp = self.stamp
            is_due = monotonic() - self._read_at >= PATIENCE * self._cost
            if stamp != self._stamp and (is_due or not self._view):
                begun = monotonic()
                self._view, self._stamp = self._read(stamp), stamp
                self._read_at = monotonic()
                self._cost = self._read_at - begun
            return {**self._view, **self._time(stamp), "is_newest": stamp == self._stamp}

    def _read(self, stamp: Stamp) -> dict[str, Any]:
        about = {"id": self.name, "name": shown_name(self.path.stem)}
        try:
            with Store(self.path) as store:
                far = progress_of(store)
                if not self._seen or self._seen[-1][1] != far.done:
                    self._seen.append((stamp[0], far.done))
                found = standings(store)
                rules = store.rules
        except (StoreError, OSError, ModuleNotFoundError) as error:
            sentence = str(error).removeprefix(f"{self.path}: ")
            return {**EMPTY, **self._view, **about, "sentence": sentence[:1].upper() + sentence[1:] + "."}
        game = f"{rules.seats} seats, {game_title(rules)}"
        return {**EMPTY, **about, "game": game, **_progress(far, found), **_tables(found.shortened())}

    def _time(self, stamp: Stamp) -> dict[str, Any]:
        """What changes without the file."""
        ago = max(time() - stamp[0], 0.0) if stamp[0] else None
        done, total = self._view.get("done", 0), self._view.get("total")
        is_over = (total is not None and done >= total) or self._view.get("is_decided", False)
        is_playing = not is_over and self._view.get("kind") and ago is not None and ago < max(QUIET, 3 * self._pause())
        left = None
        if is_playing and total is not None and (speed := self._speed()):
            left = max((total - done) / speed - (ago or 0.0), 0.0)
        state = "finished" if is_over else "running" if is_playing else "quiet"
        return {"seconds_ago": ago, "state": state, "seconds_left": left}

    def _speed(self) -> float | None:
        """Deals a second, since this server first looked."""
        (first, before), (last, after) = (self._seen[0], self._seen[-1]) if self._seen else ((0.0, 0), (0.0, 0))
        return (after - before) / (last - first) if last > first and after > before else None

    def _pause(self) -> float:
        """Seconds between two results, as seen so far."""
        return (self._seen[-1][0] - self._seen[0][0]) / (len(self._seen) - 1) if len(self._seen) > 1 else 0.0

    def report(self) -> str:
        """The page that `holdem tournament` writes, made of what is stored now.

        Raises StoreError where there is nothing to tell, and ModuleNotFoundError without the packages that draw it.
        """
        with self._lock:
            stamp = self.stamp
            if self._report is None or self._report[0] != stamp:
                with TemporaryDirectory() as folder, Store(self.path) as store:
                    page = write_report(store, folder)
                    self._report = stamp, page.read_text(encoding="utf-8")
            return self._report[1]


EMPTY: dict[str, Any] = {
    "game": "",
    "kind": "",
    "unit": "",
    "svg": None,
    "svg_narrow": None,
    "is_decided": False,
    "explanation": "",
    "sentence": None,
    "confidence": 0.95,
    "done": 0,
    "total": None,
    "is_most": False,
    "hands": 0,
    "latest": None,
    "deal": "deal",
    "now": [],
    "columns": [],
    "rows": [],
    "cells": [],
    "names": [],
    "cross": [],
    "forfeits": [],
    "matches": [],
}
"""A tournament of which nothing is known."""


def _progress(far: TournamentProgress, found: Standings) -> dict[str, Any]:
    short = short_names(
        list(dict.fromkeys([*found.names, *found.forfeits, *(n for match in far.played for n in match)]))
    )

    def named(match: tuple[str, ...]) -> list[str]:
        return [short.get(name) or shown_name(name) for name in match]

    counts = [{"agents": named(match), "played": count, "each": far.each} for match, count in far.played.items()]
    return {
        "deal": "session" if found.format == "freezeout" else "deal",
        "done": far.done,
        "total": far.total,
        "is_most": far.is_most,
        "latest": None if far.latest is None else named(far.latest),
        "now": [named(match) for match in far.now],
        "matches": counts,
    }


def _tables(found: Standings) -> dict[str, Any]:
    """Standings and crosstable; names are short ones."""
    cross = [
        [_rate(found.unit, found.cross[one, two].rate) if (one, two) in found.cross else None for two in found.names]
        for one in found.names
    ]
    return {
        "kind": KINDS[found.format],
        "unit": found.unit.name,
        "hands": found.hands,
        "confidence": found.confidence,
        "svg": found.svg() if found.rows else None,
        "svg_narrow": found.svg(layout="narrow") if found.rows else None,
        "is_decided": found.are_ranks_decided is True,
        "columns": [
            {"key": column.keys[0], "heading": column.heading, "is_words": column.is_words} for column in found.columns
        ],
        "rows": [{key: _known(value) for key, value in values.items()} for values in found.values_by_key()],
        "cells": found.cells(),
        "names": found.names,
        "titles": titles_of(found.names),
        "cross": cross if found.cross else [],
        "forfeits": [{"name": name, "reason": reason} for name, reason in found.forfeits.items()],
        "explanation": found.explanation if found.rows else "",
    }


def _known(value: Any) -> Any:
    return _finite(value) if isinstance(value, float) else value


def _rate(unit: Unit, mean_and_half: tuple[float, float]) -> dict[str, float | str | None]:
    """A rate and how it is written; a half width that is not known is null."""
    mean, half = mean_and_half
    text, _, width = unit.text(mean, half).replace("-", "−").partition(" ")
    return {"mean": _finite(mean), "half_width": _finite(half), "text": text, "width_text": width}


def _finite(value: float) -> float | None:
    return float(value) if isfinite(value) else None
