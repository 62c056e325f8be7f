"""What run folders say of themselves while their runs still write them: kind, state, progress and the time left.

Nothing here imports a learner. A file that is missing, half-written or damaged costs a sentence, never the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from pathlib import Path
from time import time
from typing import Any, Literal

from holdem_env.game.title import game_title
from holdem_env.utils.links import bytes_of, leads_out
from holdem_env.utils.plain_data import json_of, untrusted
from holdem_env.utils.shown_names import shown_name, shown_reason

from . import files
from .config import load_run_config
from .seed_curves import SEEDS, seed_folders

UNITS = {"blueprint": "deals", "values": "examples"}
"""What else than decisions a run counts, by its kind."""
Kind = Literal["run", "league", "seeds"]
State = Literal["running", "finished", "quiet"]
SPENT, ELAPSED = "holdem/budget_spent", "time/time_elapsed"
COUNTED = (SPENT, ELAPSED, files.DECISIONS)
QUIET = 120.0
"""Seconds without a line after which a run is not said to be running, unless its lines are that far apart."""
FINAL_MATCHES = 1800.0
"""The same once the budget is spent: the final matches write nothing before their end."""
PAUSES = 20
"""So many times the usual gap between two lines is an evaluation rather than an end."""
ROUNDED = 2.0
"""Seconds by which a line's elapsed time and the times of files may differ."""
RECENT = 0.5
"""The part of a run's latest lines that tells its speed."""
WATCHED = (
    files.PROGRESS,
    files.CURVE,
    files.EXACT_CURVE,
    files.RATINGS,
    files.CROSSTABLE,
    files.EXPLOITERS,
    files.FACTS,
    files.MISTAKES,
    files.CARD,
    files.CONFIG,
    SEEDS,
    files.FINAL,
    files.LATEST,
)


MAX_CONFIG_TEXT = 4000
"""Characters of a configuration that a search looks at."""


@dataclass(frozen=True)
class RunSummary:
    """What a list says of a run. It changes only with the files in `stamps`; its state follows the clock, too.

    progress: of 0..1; None if no line says so. time_left: seconds of training left while it runs. updated,
    running_until: in seconds since 1970; the run counts as quiet after the latter. config_text: its configuration.
    """

    name: str
    kind: Kind = "run"
    game: str = ""
    unit: str = "decisions"
    decisions: int = 0
    progress: float | None = None
    time_left: float | None = None
    is_finished: bool = False
    updated: float = 0.0
    running_until: float = 0.0
    sentences: tuple[str, ...] = ()
    config_text: str = ""

    def has(self, words: Iterable[str]) -> bool:
        """Whether its name, game and configuration have all these words, in lower case."""
        text = f"{self.name} {self.game} {self.kind} {self.config_text}".lower()
        return all(word in text for word in words)

    @property
    def state(self) -> State:
        """`running` while lines come; `finished` with the results of the final matches; else `quiet`: it has stopped,
        or plays long matches."""
        if self.is_finished:
            return "finished"
        return "running" if time() < self.running_until else "quiet"

    @property
    def seconds_left(self) -> float | None:
        return self.time_left if self.state == "running" else None

    @property
    def state_in_words(self) -> str:
        state = self.state
        if state == "finished":
            return "Finished: the final matches are played."
        if state == "running" and (self.progress or 0.0) >= 1.0:
            return "The budget is spent; the final matches are being played."
        if state == "running":
            return "Running."
        if not self.updated:
            return "Nothing is written yet."
        silent = _long(time() - self.updated)
        return f"Nothing was written for {silent}: it was stopped, is a copy, or plays long matches."


@dataclass
class RunFolder:
    """One folder in which a run, a league or several seeds of a configuration write.

    Links to files elsewhere are not read: the folder may be anybody's. sentences: what cannot be read of it, in
    words.
    """

    path: Path
    sentences: list[str] = field(default_factory=list)

    @cached_property
    def config(self) -> Any:
        """The configuration; None where it is not there or cannot be read. Of seeds, that of the first."""
        home = self.path if (self.path / files.CONFIG).is_file() or not self.seeds else self.seeds[0]
        if not self._is_own(home / files.CONFIG):
            return None
        try:
            return load_run_config(home / files.CONFIG)
        except FileNotFoundError:
            self._say(f"There is no {files.CONFIG}.")
        except (ValueError, OSError) as error:
            self._say(f"{files.CONFIG} cannot be used: {str(error).splitlines()[0]}.")
        return None

    @property
    def unit(self) -> str:
        return UNITS.get(self._kind, "decisions")

    @property
    def name(self) -> str:
        """The folder's name; of a setting of a sweep, with the sweep's: "sweep/base"."""
        is_setting = (self.path.parent / files.SWEEP).is_file()
        return f"{self.path.parent.name}/{self.path.name}" if is_setting else self.path.name

    @property
    def final(self) -> Path:
        """Where the finished agent lies, or will."""
        return self.path / files.FINAL

    @cached_property
    def seeds(self) -> list[Path]:
        """The folders of a configuration's seeds; none for a single run."""
        return seed_folders(self.path)

    @property
    def kind(self) -> Kind:
        """Seeds have their folders inside; a league's configuration says that it is one."""
        if self.seeds:
            return "seeds"
        is_league = self._kind == "league" or (self.path / files.RATINGS).exists()
        return "league" if is_league else "run"

    @property
    def _kind(self) -> str:
        """The kind of its configuration; "" where that cannot be read."""
        return "" if self.config is None else str(self.config.kind)

    @cached_property
    def parts(self) -> list[tuple[str, Path]]:
        """Those that learn, each with its name and the folder of its logs: one, a league's learners, or the seeds."""
        if self.seeds:
            return [(run.name.replace("-", " "), run) for run in self.seeds]
        if self.kind == "run":
            return [("", self.path)]
        if self._kind == "league":
            return [(name, self.path / name) for name in self.config.learners]
        return [(path.parent.name, path.parent) for path in sorted(self.path.glob(f"*/{files.PROGRESS}"))]

    def rows(self, name: str, folder: Path | None = None) -> list[dict[str, str]]:
        """The whole rows of one of the CSV files; a sentence is kept of what is damaged."""
        path = (folder or self.path) / name
        rows, sentence = files.complete_rows_of(path) if self._is_own(path) else ([], None)
        if sentence:
            self._say(sentence if folder is None or folder == self.path else f"{folder.name}: {sentence}")
        return rows

    @cached_property
    def progress_rows(self) -> list[tuple[str, list[dict[str, str]]]]:
        """progress.csv of each part, by its name."""
        return [(name, self.rows(files.PROGRESS, folder)) for name, folder in self.parts]

    @cached_property
    def _logs(self) -> list[list[dict[str, str]]]:
        """The rows of `progress_rows`, with COUNTED columns at least."""
        if "progress_rows" in self.__dict__:
            return [rows for _, rows in self.progress_rows]
        return [self._log(folder) for _, folder in self.parts]

    def _log(self, folder: Path) -> list[dict[str, str]]:
        """COUNTED columns of progress.csv, a fifth of the time of all; a file that is not plain is read with care."""
        with suppress(OSError, ValueError):
            raw = bytes_of(folder / files.PROGRESS, files.MAX_LOG) if self._is_own(folder / files.PROGRESS) else b""
            head, *lines = raw[: raw.rfind(b"\n")].decode("ascii").split("\n")
            names = head.split(",")
            is_plain = len({*names}) == len(names) and not any(sign in raw for sign in (b'"', b"\r", b"\0"))
            if is_plain and all(line.count(",") == len(names) - 1 for line in lines):
                places = [(name, names.index(name)) for name in COUNTED if name in names]
                return [{name: cells[k] for name, k in places} for cells in (line.split(",") for line in lines)]
        return self.rows(files.PROGRESS, folder)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """training.json: decisions, seconds, seed; empty until a run is over."""
        if not self._is_own(self.path / files.FACTS):
            return {}
        try:
            facts = json_of(bytes_of(self.path / files.FACTS, files.MAX_LOG))
        except FileNotFoundError:
            return {}
        except (ValueError, OSError) as error:
            self._say(f"{files.FACTS} cannot be read: {error}.")
            return {}
        return facts if isinstance(facts, dict) else {}

    def text(self, name: str) -> str | None:
        """One of its files as text; None if there is none."""
        with suppress(OSError, ValueError):
            if self._is_own(self.path / name):
                return bytes_of(self.path / name, files.MAX_LOG).decode(errors="replace")
        return None

    def _is_own(self, path: Path) -> bool:
        """Whether a file lies in the folder; a sentence is kept of links to others."""
        if leads_out(path, self.path):
            self._say(f"{path.relative_to(self.path)} is a link to a file elsewhere, which is not read.")
            return False
        return True

    def _say(self, sentence: str) -> None:
        if sentence not in self.sentences:
            self.sentences.append(sentence)

    @cached_property
    def progress(self) -> float | None:
        """The part of the budget that is spent, 0..1; None where no line says so. Of several parts, the mean."""
        spent = [numbers[-1][0] if (numbers := files.numbers_in(rows, SPENT)) else 0.0 for rows in self._logs]
        known = bool(spent) and any(rows for rows in self._logs) and isfinite(sum(spent))
        return min(max(sum(spent) / len(spent), 0.0), 1.0) if known else None

    @cached_property
    def decisions(self) -> int:
        latest = [numbers[-1][0] for rows in self._logs if (numbers := files.numbers_in(rows, files.DECISIONS))]
        return int(sum(filter(isfinite, latest))) or int(self.facts.get("decisions") or 0)

    @cached_property
    def summary(self) -> RunSummary:
        """What a list says of it. A run that cannot be read at all has a sentence for that."""
        name = shown_name(self.name)
        try:
            with untrusted(ValueError):
                return self._summary(name)
        except ValueError as error:
            self._say(f"This run is damaged: {shown_reason(error)}.")
            return RunSummary(name, updated=self.updated, sentences=tuple(self.sentences))

    def _summary(self, name: str) -> RunSummary:
        home = self.path if not self.seeds else self.seeds[0]
        progress = 1.0 if self._is_finished else self.progress  # its last line was written before its end
        return RunSummary(
            name,
            kind=self.kind,
            game=self.game,
            unit=self.unit,
            decisions=self.decisions,
            progress=progress,
            time_left=self._time_left,
            is_finished=self._is_finished,
            updated=self.updated,
            running_until=0.0 if self._is_finished else self._running_until,
            config_text=" ".join((self.text(str((home / files.CONFIG).relative_to(self.path))) or "").split())[
                :MAX_CONFIG_TEXT
            ],
            sentences=tuple(shown_reason(each) for each in self.sentences),
        )

    @property
    def _time_left(self) -> float | None:
        """Seconds of training at the speed of the latest lines; evaluations between them are in it, final matches are
        not. None where too few lines tell the speed."""
        progress = self.progress
        if progress is None or len(self.seeds) > 1:
            return None
        speeds = [speed for rows in self._logs if (speed := _speed(rows))]
        # With one process, the learners of a league train one after the other.
        speed = sum(speeds) / len(speeds) / len(self.parts) if speeds else 0.0
        left = (1.0 - progress) / speed if speed else None
        return left if left is not None and isfinite(left) else None

    @property
    def updated(self) -> float:
        """When something was written last, in seconds since 1970; 0 if never."""
        return max((stamp for stamp, _ in self.stamps.values()), default=0.0)

    @cached_property
    def stamps(self) -> dict[str, tuple[float, int]]:
        """Of each file that is watched, when it was written and how long it is: they change when it does."""
        found = dict(_stamps_in(self.path))
        for folder in _folders_in(self.path):
            found |= {f"{folder.name}/{name}": stamp for name, stamp in _stamps_in(folder)}
        return found

    @cached_property
    def _is_finished(self) -> bool:
        return all(run.facts.get(files.MEASURED) for run in ([RunFolder(seed) for seed in self.seeds] or [self]))

    @property
    def _running_until(self) -> float:
        """When it is no longer said to be running, unless something is written; 0 for a copy."""
        last = max((stamp for name, (stamp, _) in self.stamps.items() if name.endswith(files.PROGRESS)), default=0.0)
        if self._is_copy(last):
            return 0.0
        patience = FINAL_MATCHES if (self.progress or 0.0) >= 1.0 else QUIET
        return self.updated + max(patience, PAUSES * self._gap)

    def _is_copy(self, last: float) -> bool:
        """Whether the folder was copied after its latest line: then its configuration came here later than the training
        began that wrote the line. last: when progress.csv was written, in seconds since 1970."""
        came = []
        for folder in (self.path, *_folders_in(self.path)):
            with suppress(OSError):
                came.append((folder / files.CONFIG).stat().st_ctime)
        elapsed = [numbers[-1][0] for rows in self._logs if (numbers := files.numbers_in(rows, ELAPSED))]
        return bool(came and elapsed) and last - max(elapsed) < min(came) - ROUNDED

    @cached_property
    def _gap(self) -> float:
        """Seconds between two lines of a run, usually."""
        elapsed = [files.numbers_in(rows, ELAPSED) for rows in self._logs]
        return max((each[-1][0] / len(each) for each in elapsed if each), default=0.0)

    @property
    def game(self) -> str:
        """The game in words; "" where the configuration cannot be read."""
        if not (rules := getattr(self.config, "rules", None)):
            return ""
        return f"{rules.seats} seats, {game_title(rules)}"


def _folders_in(path: Path) -> list[Path]:
    try:
        with os.scandir(path) as entries:
            return [path / each.name for each in entries if each.is_dir()]
    except OSError:
        return []


def _stamps_in(folder: Path) -> Iterator[tuple[str, tuple[float, int]]]:
    """The watched files that lie in a folder, each with the time of its last change and its size."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in WATCHED:
                with suppress(OSError):
                    status = entry.stat()
                    yield entry.name, (status.st_mtime, status.st_size)


def _speed(rows: list[dict[str, str]]) -> float | None:
    """The part of the budget that a second takes, by the latest lines since the run was begun or resumed."""
    points = files.numbers_in(rows, ELAPSED, SPENT)
    begin = max((k for k in range(1, len(points)) if points[k][0] < points[k - 1][0]), default=0)
    session = points[begin:]
    recent = session[int(len(session) * (1 - RECENT)) :]
    if len(recent) < 2 or recent[-1][0] <= recent[0][0]:
        recent = session
    if len(recent) < 2 or recent[-1][0] <= recent[0][0] or recent[-1][1] <= recent[0][1]:
        return None
    return (recent[-1][1] - recent[0][1]) / (recent[-1][0] - recent[0][0])


def _long(seconds: float) -> str:
    """How long that is, in words.

    >>> _long(90), _long(5400), _long(200_000)
    ('2 minutes', '90 minutes', '56 hours')
    """
    if seconds < 2 * 3600:
        return f"{max(round(seconds / 60), 1):,} minutes" if seconds >= 90 else "a minute"
    if seconds < 72 * 3600:
        return f"{seconds / 3600:.0f} hours"
    return f"{seconds / 86400:,.0f} days"


def run_folders(parent: Path) -> Iterator[Path]:
    """The folders of runs, leagues and seeds in a folder: those with a configuration or logs, in the order of names. Of
    a sweep, the folders of its settings."""
    for folder in sorted(_folders_in(parent)):
        if (folder / files.SWEEP).is_file():
            yield from run_folders(folder)
        elif any(
            (folder / name).is_file() for name in (files.CONFIG, files.PROGRESS, files.CURVE, files.RATINGS)
        ) or seed_folders(folder):
            yield folder
