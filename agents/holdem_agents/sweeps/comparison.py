"""Settings compared: means over the seeds, differences from the base paired by seed, main effects of crossed factors.

All intervals are Student's t over the seeds, for 95 %. The seeds are what a recipe's results vary by; the hands of a
run's matches only add to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from holdem_env.arena.statistics.intervals import Interval, fixed_interval
from holdem_env.utils.shown_names import in_markdown

from .objective import Row
from .settings import BASE, Plan
from .sweep_file import EXPLOITER, Measures

Numbers = dict[str, dict[str, dict[int, float]]]
"""Measure -> setting -> seed -> bb/100."""
DECISIONS = "decisions"
"""The key in Numbers of how many decisions a run has made."""


@dataclass(frozen=True)
class Comparison:
    """A table as text: title, headings, and rows whose first cell is a name."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """The table as Markdown."""
        lines = [f"## {self.title}", "", _line(map(in_markdown, self.headings))]
        lines += ["|---|" + "---:|" * (len(self.headings) - 1)]
        return "\n".join([*lines, *(_line(map(in_markdown, row)) for row in self.rows)])


def _line(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def numbers_of(rows: Iterable[Row], plays: str) -> Numbers:
    """The win rates of one way to play, and the decisions of each run."""
    found: Numbers = {DECISIONS: {}}
    for row in rows:
        if row["plays"] == plays:
            setting, seed = row["setting"], int(row["seed"])
            found.setdefault(row["measure"], {}).setdefault(setting, {})[seed] = float(row["bb_per_100"])
            found[DECISIONS].setdefault(setting, {})[seed] = float(row["decisions"])
    return found


def mean_of(values: Mapping[int, float]) -> Interval | None:
    """The mean over the seeds with its interval; None of nothing."""
    return fixed_interval(np.array([values[seed] for seed in sorted(values)])) if values else None


def difference(values: Mapping[int, float], base: Mapping[int, float]) -> Interval | None:
    """The mean of the differences of those seeds that both have."""
    return mean_of({seed: values[seed] - base[seed] for seed in values if seed in base})


def main_effects(
    numbers: Mapping[str, Mapping[int, float]], cells: Mapping[tuple[str, ...], str], place: int, level: str, other: str
) -> Interval | None:
    """How much more one level of a crossed factor gives than another, as the mean over all levels of the other factors.

    numbers: setting -> seed -> bb/100. cells: labels -> setting. place: of the factor among the labels. For each seed
    that all cells of both levels have, the difference is one number; the interval is over these.
    """
    pairs = [
        (numbers.get(name, {}), numbers.get(cells[(*labels[:place], other, *labels[place + 1 :])], {}))
        for labels, name in cells.items()
        if labels[place] == level
    ]
    seeds = set.intersection(*({*one} & {*two} for one, two in pairs)) if pairs else set()
    return mean_of({seed: float(np.mean([one[seed] - two[seed] for one, two in pairs])) for seed in seeds})


def comparisons(plan: Plan, measures: Measures, numbers: Numbers, trials: Mapping[str, str]) -> list[Comparison]:
    """The tables of a sweep: all settings, each factor against the base, and each crossed factor's main effects.

    trials: the settings of a search, with what they set. Those without any result are left out.
    """
    settings = _settings(plan, measures, numbers, trials)
    factors = [
        (f"{factor}: {label}", [difference(of.get(name, {}), of.get(BASE, {})) for of in _each(measures, numbers)], ())
        for factor, levels in plan.one_at_a_time.items()
        for label, name in levels.items()
        if name != BASE
    ]
    one = "Each factor by itself: difference from the base, paired by seed"
    main = "Crossed factors: main effects, paired by seed"
    tables = [
        _table("Settings", ("setting", "decisions, millions", "seeds"), measures, settings),
        _table(one, ("factor: level",), measures, factors),
        _table(main, ("factor: levels",), measures, list(_main_effects(plan, measures, numbers))),
    ]
    return [table for table in tables if table.rows]


Named = tuple[str, Sequence[Interval | None], Sequence[str]]
"""A name, an interval for each measure, and further cells."""


def _each(measures: Measures, numbers: Numbers) -> list[Mapping[str, Mapping[int, float]]]:
    """Setting -> seed -> bb/100 of each measure."""
    return [numbers.get(measure, {}) for measure in measures.names]


def _settings(plan: Plan, measures: Measures, numbers: Numbers, trials: Mapping[str, str]) -> list[Named]:
    rows: list[Named] = []
    for name in [*plan.settings, *trials]:
        if decisions := numbers[DECISIONS].get(name):
            means = [mean_of(of.get(name, {})) for of in _each(measures, numbers)]
            shown = f"{name}: {trials[name]}" if name in trials else name
            rows.append((shown, means, (f"{np.mean([*decisions.values()]) / 1e6:.2f}", str(len(decisions)))))
    return rows


def _main_effects(plan: Plan, measures: Measures, numbers: Numbers) -> Iterator[Named]:
    for place, (factor, labels) in enumerate(plan.levels.items()):
        # The level of the base is the one that others are compared with, if the base is one of the cells.
        first = next((cell[place] for cell, name in plan.cells.items() if name == BASE), labels[0])
        for label in labels:
            if label != first:
                found = [main_effects(of, plan.cells, place, label, first) for of in _each(measures, numbers)]
                yield f"{factor}: {label} against {first}", found, ()


def _table(title: str, headings: tuple[str, ...], measures: Measures, rows: Sequence[Named]) -> Comparison:
    """Rows as text, best first by the measure that orders the tables; those without a number of it come last."""
    name, sign = measures.ranking
    place = measures.names.index(name)

    def rank(row: Named) -> float:
        interval = row[1][place]
        return sign * interval.mean if interval else -np.inf

    columns = ["an exploiter wins" if name == EXPLOITER else name for name in measures.names]
    cells = tuple((name, *map(cell, found), *more) for name, found, more in sorted(rows, key=rank, reverse=True))
    return Comparison(f"{title}, bb/100, {measures.plays}", (headings[0], *columns, *headings[1:]), cells)


def cell(interval: Interval | None) -> str:
    """A mean with half its interval's width, as text; of one seed the mean alone.

    >>> cell(Interval(12.4, 3.6, 3, 0.95, "fixed"))
    '+12 ± 4'
    """
    if interval is None:
        return ""
    return f"{interval.mean:+.0f}" + (f" ± {interval.half_width:.0f}" if isfinite(interval.half_width) else "")
