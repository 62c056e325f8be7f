"""Training runs as the pages show them: a summary of each, and all that its folder says of one."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from math import isfinite, nan
from pathlib import Path
from threading import Lock
from time import time
from typing import Any

from markdown_it import MarkdownIt

from holdem_env.game.units import unit_of_rows
from holdem_env.render.charts import Layout, Line, intervals_svg
from holdem_env.utils.counting import duration
from holdem_env.utils.shown_names import shown_name, shown_reason

from ...runs.charts import AGAINST
from ...runs.exploiter_results import FRESH
from ...runs.files import CARD, CROSSTABLE, EXPLOITERS, MISTAKES, rates_in
from ...runs.reading import RunFolder, RunSummary, run_folders
from ...training.config import LATEST_SELF, PAST_SELVES
from ..answers import ApiError, with_minus
from .index import RunIndex

PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}")
SEED_MARK = ".."  # between the id of a folder of seeds and the name of one of its runs


PAGE = 50  # runs on a page of the list
OPEN = 16  # runs whose rows are kept in memory
UNREAD_SORTS: dict[str, Callable[[RunFolder], Any]] = {
    "written": lambda run: run.updated,
    "name": lambda run: run.name.lower(),
}
SORTS: dict[str, Callable[[RunSummary], Any]] = {
    "game": lambda run: run.game.lower() or None,
    "state": lambda run: ("running", "quiet", "finished").index(run.state),
    "progress": lambda run: run.progress,
    "decisions": lambda run: run.decisions,
}
"""What a list can be sorted by; to sort by those in UNREAD_SORTS, no run is read."""


class WatchedRuns:
    """The runs in a folder, each by an id that stays the same. What was read is kept until a file changes; cache: a
    folder that keeps the summaries for the next server."""

    def __init__(self, folder: Path, cache: Path | None = None) -> None:
        self.folder = folder
        self._read: OrderedDict[Path, RunFolder] = OrderedDict()
        self._index, self._lock = RunIndex(folder, cache), Lock()

    def ids(self) -> dict[str, Path]:
        """id -> folder of every run, and of the runs in folders of seeds."""
        found = {}
        for name, path in self._listed().items():
            found[name] = path
            found |= {f"{name}{SEED_MARK}{seed.name}": seed for seed in RunFolder(path).seeds}
        return found

    def _listed(self) -> dict[str, Path]:
        """id -> folder of every run, without the runs of single seeds."""
        return {id_of(path.relative_to(self.folder).as_posix()): path for path in run_folders(self.folder)}

    def run(self, path: Path) -> RunFolder:
        fresh = RunFolder(path)
        stamps, known = fresh.stamps, self._read.pop(path, None)  # looked up before anything is read
        self._read[path] = known = fresh if known is None or known.stamps != stamps else known
        while len(self._read) > OPEN:
            self._read.popitem(last=False)
        return known

    def stamps(self) -> dict[str, Any]:
        """What changes when a file of a run does, by id."""
        return {name: RunFolder(path).stamps for name, path in self._listed().items()}

    def page(self, search: str = "", sort: str = "-written", number: int = 1) -> dict[str, Any]:
        """A page of the list. search: words, all of them in a run's name, game or configuration. sort: a key of SORTS
        or UNREAD_SORTS; "-" before it turns the order around.

        Raises ApiError for an unknown `sort`.
        """
        key, words = sort.removeprefix("-"), search.lower().split()
        if key not in SORTS | UNREAD_SORTS:
            raise ApiError(400, f"`sort` must be one of {', '.join(SORTS | UNREAD_SORTS)}, got {shown_name(key)!r}.")
        with self._lock:
            every = {name: RunFolder(path) for name, path in self._listed().items()}
            runs = (
                every
                if not words
                else {name: run for name, run in every.items() if self._index.summary(name, run).has(words)}
            )
            values = {
                name: UNREAD_SORTS[key](run) if key in UNREAD_SORTS else SORTS[key](self._index.summary(name, run))
                for name, run in runs.items()
            }
            known = sorted((name for name in runs if values[name] is not None), key=lambda name: values[name])
            order = known[::-1] if sort.startswith("-") else known
            order += [name for name in runs if values[name] is None]
            pages = max(-(-len(order) // PAGE), 1)
            number = min(max(number, 1), pages)
            shown = [(name, self._index.summary(name, runs[name])) for name in order[PAGE * (number - 1) :][:PAGE]]
            self._index.save(every)
        found = {"found": len(order), "page": number, "pages": pages}
        return {**found, "runs": [listed(name, run) for name, run in shown]}


def id_of(name: str) -> str:
    """What stands for a folder's name in addresses."""
    if PLAIN.fullmatch(name) and SEED_MARK not in name:
        return name
    word = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:40] or "run"
    return f"{word}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def listed(name: str, run: RunSummary) -> dict[str, Any]:
    """What a list says of a run."""
    return {
        "id": name,
        "name": run.name,
        "kind": run.kind,
        "game": run.game,
        "state": run.state,
        "state_in_words": run.state_in_words,
        "progress": run.progress,
        "seconds_left": run.seconds_left,
        "seconds_ago": max(time() - run.updated, 0.0) if run.updated else None,
        "decisions": run.decisions,
        "unit": run.unit,
        "sentences": run.sentences,
    }


def details(name: str, run: RunFolder) -> dict[str, Any]:
    """Everything but the charts."""
    exploiters = run.rows(EXPLOITERS)
    found = {
        "learners": [shown_name(part) for part, _ in run.parts if part],
        "seeds": [{"id": f"{name}{SEED_MARK}{seed.name}", "name": seed.name} for seed in run.seeds],
        "budget": _budget(run),
        "opponents": _opponents(run),
        "results": [_result(row) for row in run.rows(CROSSTABLE)],
        "exploiters": [_exploiter(row) for row in exploiters],
        "exploiters_svg": _exploiters_svg(exploiters, "wide"),
        "exploiters_svg_narrow": _exploiters_svg(exploiters, "narrow"),
        "mistakes_html": _html(run, MISTAKES),
        "card_html": _html(run, CARD),
    }
    # Last, as reading the files may have added sentences.
    return {**found, **listed(name, run.summary), "sentences": [shown_reason(each) for each in run.sentences]}


def _budget(run: RunFolder) -> str:
    return "" if run.config is None else str(run.config.budget_text)


def _opponents(run: RunFolder) -> list[dict[str, Any]]:
    """Whom it trains against: how often, and what it won in the latest rollout."""
    weights = getattr(run.config, "opponents", {})
    total = sum(weights.values())
    latest = [rows[-1] for _, rows in run.progress_rows if rows]
    last = latest[0] if len(latest) == 1 else {}
    return [
        {"name": shown_name(name), "share": weight / total, "rate": _won_from(name, last)}
        for name, weight in weights.items()
        if weight
    ]


def _won_from(name: str, row: Mapping[str, str]) -> str | None:
    """What the learner won in training from an opponent of the configuration: from past selves, the mean of all."""
    for start, unit in AGAINST.items():
        if name == PAST_SELVES:
            each = [_number(row[column]) for column in row if column.startswith(f"{start}past_self_")]
        else:
            each = [_number(row.get(start + ("self" if name == LATEST_SELF else name.replace(" ", "_"))))]
        if known := [rate for rate in each if rate is not None]:
            return with_minus(unit.with_name(sum(known) / len(known)))
    return None


def _result(row: Mapping[str, str]) -> dict[str, Any]:
    [rate, *_] = rates_in([row]) or [(nan, nan)]
    unit = unit_of_rows([row])
    return {
        "plays": row.get("plays", ""),
        "opponent": shown_name(row.get("opponent", "")),
        "rate": with_minus(unit.text(*rate)),
        "unit": unit.name,
        "hands": _number(row.get("hands")),
    }


def _exploiter(row: Mapping[str, str]) -> dict[str, Any]:
    spent = {name: _number(row.get(name)) for name in ("decisions", "seconds", "seed")}
    found = {name: value for name, value in _result(row).items() if name != "opponent"}
    return {**found, **spent, "kind": row.get("kind") or FRESH}


def _exploiters_svg(rows: list[dict[str, str]], layout: Layout) -> str | None:
    lines = []
    for row in rows:
        for seconds, mean, half in rates_in([row], "seconds"):
            name = f"{row.get('kind') or FRESH}, {row['plays']}, after {duration(seconds)}"
            lines.append(Line(name, mean, half))
    if not lines:
        return None
    return intervals_svg(lines, "What exploiters win from it", unit_of_rows(rows).name, "95 % intervals", layout=layout)


def _number(text: str | None) -> float | None:
    """A number of a file; None for text, and for values that JSON cannot express."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if isfinite(number) else None


def _html(run: RunFolder, name: str) -> str | None:
    """A Markdown file of a run, such as the model card, as HTML; None if there is none yet."""
    text = run.text(name)
    return None if text is None else card_html(text)


def card_html(markdown: str) -> str:
    """Markdown as HTML without anything that could run or be fetched: HTML in it is shown as text, links and pictures
    stay words.

    >>> card_html("**no** <script>[x](javascript:1) ![y](http://z)")
    '<p><strong>no</strong> &lt;script&gt;[x](javascript:1) ![y](http://z)</p>\\n'
    """
    reader = (
        MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink", "reference"])
    )
    return str(reader.render(markdown))
