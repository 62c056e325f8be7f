"""Settings compared: means over the seeds, differences from the base paired by seed, main effects of crossed factors.

All intervals are Student's t over the seeds, for 95 %. The seeds are what a recipe's results vary by; the hands of a
run's matches only add to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from holdem_env.arena.statistics.intervals import Interval, fixed_interval
from holdem_env.utils.shown_names import in_markdown

from .results import DECISIONS, Numbers
from .settings import BASE, Plan
from .sweep_file import EXPLOITER, Measures


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
    tables = [_settings(plan, measures, numbers, trials)]
    if plan.one_at_a_time:
        tables.append(_factors(plan, measures, numbers))
    if plan.cells:
        tables.append(_crossed(plan, measures, numbers))
    return [table for table in tables if table.rows]


def _settings(plan: Plan, measures: Measures, numbers: Numbers, trials: Mapping[str, str]) -> Comparison:
    rows = []
    for name in [*plan.settings, *trials]:
        decisions = numbers[DECISIONS].get(name, {})
        if decisions:
            means = [mean_of(numbers.get(measure, {}).get(name, {})) for measure in measures.names]
            millions = np.mean([*decisions.values()]) / 1e6
            shown = f"{name}: {trials[name]}" if name in trials else name
            rows.append((_worth(measures, means), (shown, *map(cell, means), f"{millions:.2f}", str(len(decisions)))))
    headings = ("setting", *_headings(measures), "decisions, millions", "seeds")
    return Comparison(f"Settings, bb/100, {measures.plays}", headings, _best_first(rows))


def _factors(plan: Plan, measures: Measures, numbers: Numbers) -> Comparison:
    rows = []
    for factor, levels in plan.one_at_a_time.items():
        for label, name in levels.items():
            if name == BASE:
                continue
            found = [
                difference(by_setting.get(name, {}), by_setting.get(BASE, {}))
                for by_setting in (numbers.get(measure, {}) for measure in measures.names)
            ]
            rows.append((_worth(measures, found), (f"{factor}: {label}", *map(cell, found))))
    title = f"Each factor by itself: difference from the base, paired by seed, bb/100, {measures.plays}"
    return Comparison(title, ("factor: level", *_headings(measures)), _best_first(rows))


def _crossed(plan: Plan, measures: Measures, numbers: Numbers) -> Comparison:
    rows = []
    for place, (factor, labels) in enumerate(plan.levels.items()):
        first = _level_of_base(plan, place) or labels[0]
        for label in labels:
            if label != first:
                found = [
                    main_effects(numbers.get(measure, {}), plan.cells, place, label, first)
                    for measure in measures.names
                ]
                rows.append((_worth(measures, found), (f"{factor}: {label} against {first}", *map(cell, found))))
    title = f"Crossed factors: main effects, paired by seed, bb/100, {measures.plays}"
    return Comparison(title, ("factor: levels", *_headings(measures)), _best_first(rows))


def _level_of_base(plan: Plan, place: int) -> str | None:
    """The level that the base has of a crossed factor, if the base is one of the cells."""
    return next((labels[place] for labels, name in plan.cells.items() if name == BASE), None)


def _headings(measures: Measures) -> list[str]:
    return ["an exploiter wins" if name == EXPLOITER else name for name in measures.names]


def _worth(measures: Measures, found: Sequence[Interval | None]) -> float:
    """What the tables are ordered by; the least for what has no number."""
    name, sign = measures.ranking
    interval = found[measures.names.index(name)]
    return sign * interval.mean if interval else -np.inf


def _best_first(rows: Sequence[tuple[float, tuple[str, ...]]]) -> tuple[tuple[str, ...], ...]:
    return tuple(cells for _, cells in sorted(rows, key=lambda row: row[0], reverse=True))


def cell(interval: Interval | None) -> str:
    """A mean with half its interval's width, as text; of one seed the mean alone.

    >>> cell(Interval(12.4, 3.6, 3, 0.95, "fixed"))
    '+12 ± 4'
    """
    if interval is None:
        return ""
    return f"{interval.mean:+.0f}" + (f" ± {interval.half_width:.0f}" if isfinite(interval.half_width) else "")
