"""What the finished runs of a sweep have measured: sweep.csv, and the numbers by measure, setting and seed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from holdem_env.utils.atomic import write_whole

from ..training.run_folder import CROSSTABLE, rows_of
from .runs import RunTask, facts_of
from .sweep_file import EXPLOITER, Measures

RESULTS = "sweep.csv"
COLUMNS = (
    *("setting", "seed", "measure", "plays", "bb_per_100", "half_width_95", "hands"),
    *("decisions", "seconds", "cpu_seconds"),
)
Row = dict[str, str]
Numbers = dict[str, dict[str, dict[int, float]]]
"""Measure -> setting -> seed -> bb/100."""
DECISIONS = "decisions"
"""The key in Numbers of how many decisions a run has made."""


def rows_of_runs(tasks: Iterable[RunTask], measures: Measures) -> list[Row]:
    """A row for each finished run, measure and way to play. Of the exploiter, `plays` says how it plays, and bb_per_100
    is what it wins."""
    return [row for task in tasks if task.is_finished for row in _rows(task, measures)]


def _rows(task: RunTask, measures: Measures) -> Iterator[Row]:
    facts = facts_of(task.folder)
    spent = {name: str(facts[name]) for name in ("decisions", "seconds", "cpu_seconds")}
    played = rows_of(task.folder / CROSSTABLE)  # the anchors in the file's order, sampling and then greedy
    named = [(measures.matches[k % len(measures.matches)], row) for k, row in enumerate(played)]
    if task.exploiter is not None:
        named += [(EXPLOITER, row) for row in rows_of(task.exploiter_folder / CROSSTABLE)]
    for measure, row in named:
        result = {name: row[name] for name in ("plays", "bb_per_100", "half_width_95", "hands")}
        yield {"setting": task.setting, "seed": str(task.config.seed), "measure": measure, **result, **spent}


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write sweep.csv."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, text.getvalue())


def numbers_of(rows: Iterable[Row], plays: str) -> Numbers:
    """The win rates of one way to play, and the decisions of each run."""
    found: Numbers = {DECISIONS: {}}
    for row in rows:
        if row["plays"] == plays:
            setting, seed = row["setting"], int(row["seed"])
            found.setdefault(row["measure"], {}).setdefault(setting, {})[seed] = float(row["bb_per_100"])
            found[DECISIONS].setdefault(setting, {})[seed] = float(row["decisions"])
    return found
