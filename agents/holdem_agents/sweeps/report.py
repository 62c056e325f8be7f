"""The report of a sweep, of as many runs as are finished: sweep.csv, sweep.md with the tables, curve.svg.

The tables have means over the seeds, differences from the base paired by seed, and main effects of crossed factors. All
intervals are Student's t over the seeds, for 95 %: the seeds are what a recipe's results vary by; the hands of a run's
matches only add to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from holdem_env.arena.statistics.intervals import Interval, fixed_interval
from holdem_env.arena.statistics.tables import Tabled
from holdem_env.game.units import BIG_BLINDS, CHIPS, Unit, unit_of
from holdem_env.render.charts import Curve, around, curve_svg
from holdem_env.render.pencil import stacked
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.shown_names import in_markdown, shown_name

from ..runs.files import AVERAGED, CURVE_PLOT, EXPLOITABILITY, LAST, write_rows
from ..runs.seed_curves import Series, all_series, first_exact_series
from ..training.config import Budget
from .objective import COLUMNS, Row, RunTask, number_of
from .sweep_file import BASE, EXPLOITER, LAST_WEIGHTS, Measures, Plan

RESULTS, PAGE = "sweep.csv", "sweep.md"
DECISIONS = "decisions"  # the key in Numbers of how many decisions a run has made
EXACT = EXPLOITABILITY, LAST_WEIGHTS  # measures in chips per hand, whatever the game's unit
MAX_NAMED = 12  # settings with a colour and a line in the key, the best ones; the others are thin grey lines

BySeed = Mapping[int, float]
Numbers = dict[str, dict[str, dict[int, float]]]  # measure -> setting -> seed -> the win rate, or chips per hand
Named = tuple[str, Sequence[Interval | None], BySeed]
"""A row of a table: name, an interval for each measure, the decisions of each run; none of a difference."""


@dataclass(frozen=True)
class Comparison(Tabled):
    """A table as text: title, headings, and rows whose first cell is a name.

    results: the same as numbers, a row for each name and measure. The half-width is infinite with one seed.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    results: tuple[dict[str, Any], ...] = ()

    def markdown(self) -> str:
        line = "|---|" + "---:|" * (len(self.headings) - 1)
        rows = [f"| {in_markdown(name)} | {' | '.join(cells)} |" for name, *cells in self.rows]
        headings = " | ".join(map(in_markdown, self.headings))
        return "\n".join([f"## {self.title}", "", f"| {headings} |", line, *rows])

    def _table(self) -> list[dict[str, Any]]:
        return list(self.results)


def write_report(plan: Plan, tasks: Sequence[RunTask], trials: Mapping[str, str], folder: Path) -> list[Comparison]:
    """Write sweep.csv, sweep.md and curve.svg about the finished runs, and return the tables.

    tasks: all runs. trials: the settings of a search, with what they set. Without any finished run, nothing is written,
    and there are no tables.
    """
    finished = [task for task in tasks if task.is_finished]
    if not finished:
        return []
    rows = [row for task in finished for row in task.rows()]
    write_rows(folder / RESULTS, COLUMNS, rows)
    unit = unit_of(plan.base.rules)
    tables = comparisons(plan, numbers_of(rows, plan.sweep.measures.plays), trials, unit)
    best_first = [row[0].split(":")[0] for row in tables[0].rows]
    runs = {name: [task.folder for task in finished if task.setting == name] for name in best_first}
    if (equal := at_equal_decisions(runs)) is not None:
        tables.append(equal)
    _draw_curves(folder / CURVE_PLOT, runs, plan.base.budget, unit.name)
    write_atomically(folder / PAGE, _page(plan, tasks, len(finished), folder, tables))
    return tables


def _page(plan: Plan, tasks: Sequence[RunTask], finished: int, folder: Path, tables: Sequence[Comparison]) -> str:
    sweep = plan.sweep
    base = sweep.base if isinstance(sweep.base, str) else sweep.base.get("config", "fields of its own")
    parts = [
        f"# {in_markdown(folder.name)}",
        f"{finished} of {len(tasks)} runs are finished: {len({task.setting for task in tasks})} settings, seeds "
        f"{', '.join(map(str, sweep.seeds))}, {plan.base.budget.text} of training each. "
        f"The base is {in_markdown(shown_name(base))}. Matches have {sweep.measures.hands:,} hands on duplicate deals; "
        "the intervals are Student's t over the seeds, 95 %.",
        *(table.markdown() for table in tables),
        f"![The curves of all settings]({CURVE_PLOT})",
    ]
    return "\n\n".join(parts) + "\n"


def numbers_of(rows: Iterable[Row], plays: str) -> Numbers:
    """The win rates of one way to play, and the decisions of each run."""
    found: Numbers = {DECISIONS: {}}
    for row in rows:
        if row["plays"] == plays:
            setting, seed = row["setting"], int(row["seed"])
            found.setdefault(row["measure"], {}).setdefault(setting, {})[seed] = number_of(row)
            found[DECISIONS].setdefault(setting, {})[seed] = float(row["decisions"])
    return found


def mean_of(values: BySeed) -> Interval | None:
    """The mean over the seeds with its interval; None of nothing."""
    return fixed_interval(np.array([values[seed] for seed in sorted(values)])) if values else None


def difference(values: BySeed, base: BySeed) -> Interval | None:
    """The mean of the differences of those seeds that both have."""
    return mean_of({seed: values[seed] - base[seed] for seed in values if seed in base})


def main_effect(
    numbers: Mapping[str, BySeed], cells: Mapping[tuple[str, ...], str], place: int, level: str, other: str
) -> Interval | None:
    """How much more one level of a crossed factor gives than another, as the mean over all levels of the other factors.

    numbers: setting -> seed -> win rate. cells: labels -> setting. place: of the factor among the labels. For each seed
    that all cells of both levels have, the difference is one number; the interval is over these.
    """
    pairs = [
        (numbers.get(name, {}), numbers.get(cells[(*labels[:place], other, *labels[place + 1 :])], {}))
        for labels, name in cells.items()
        if labels[place] == level
    ]
    seeds = set.intersection(*({*one} & {*two} for one, two in pairs)) if pairs else set()
    return mean_of({seed: fmean(one[seed] - two[seed] for one, two in pairs) for seed in seeds})


def comparisons(plan: Plan, numbers: Numbers, trials: Mapping[str, str], unit: Unit = BIG_BLINDS) -> list[Comparison]:
    """The tables of a sweep: all settings, each factor against the base, and each crossed factor's main effects.

    trials: the settings of a search, with what they set. What has no result is left out.
    """
    measures, decisions = plan.sweep.measures, numbers[DECISIONS]
    each = [numbers.get(measure, {}) for measure in measures.names]

    def setting(name: str) -> Named:
        shown = f"{name}: {trials[name]}" if name in trials else name
        return shown, [mean_of(of.get(name, {})) for of in each], decisions[name]

    settings = [setting(name) for name in [*plan.settings, *trials] if name in decisions]
    factors: list[Named] = [
        (f"{factor}: {label}", [difference(of.get(name, {}), of.get(BASE, {})) for of in each], {})
        for factor, levels in plan.one_at_a_time.items()
        for label, name in levels.items()
        if name != BASE
    ]
    effects: list[Named] = [
        (f"{factor}: {label} against {first}", [main_effect(of, plan.cells, place, label, first) for of in each], {})
        for place, factor, label, first in _pairs_of_levels(plan)
    ]
    one = "Each factor by itself: difference from the base, paired by seed"
    main = "Crossed factors: main effects, paired by seed"
    tables = [
        _table(unit, "Settings", ("setting", "decisions, millions", "seeds"), measures, settings),
        _table(unit, one, ("factor: level",), measures, factors),
        _table(unit, main, ("factor: levels",), measures, effects),
    ]
    return [table for table in tables if table.rows]


def at_equal_decisions(runs: Mapping[str, Sequence[Path]]) -> Comparison | None:
    """The exploitability of all learners after as many decisions as the slowest run has made, read off their curves;
    None without two that made decisions. runs: setting -> run folders."""
    wanted = {EXPLOITABILITY: (AVERAGED, LAST), LAST_WEIGHTS: (LAST,)}
    found = {
        name: [one for of in wanted.values() for one in [first_exact_series(folders, of)] if one]
        for name, folders in runs.items()
    }
    learners = {
        name: series for name, series in found.items() if len(series) == len(wanted) and series[0].decisions.any()
    }
    if len(learners) < 2:
        return None
    least = min(series[0].decisions[:, -1].min() for series in learners.values())
    values = {
        name: [
            fixed_interval(np.array([np.interp(least, *one) for one in zip(each.decisions, each.rates, strict=True)]))
            for each in series
        ]
        for name, series in learners.items()
    }
    rows = sorted(values.items(), key=lambda row: row[1][0].mean)
    cells = tuple((name, *map(exact_cell, intervals)) for name, intervals in rows)
    title = f"After {least:.2f} million decisions, {CHIPS.name}"
    results = _results([(*row, {0: least * 1e6}) for row in rows], wanted, CHIPS)
    return Comparison(title, ("setting", *wanted), cells, results)


def _pairs_of_levels(plan: Plan) -> Iterator[tuple[int, str, str, str]]:
    """Each crossed factor with its place, a level, and the one it is compared with: the base's, if that is a cell."""
    for place, (factor, levels) in enumerate(plan.sweep.crossed.items()):
        first = next((cell[place] for cell, name in plan.cells.items() if name == BASE), next(iter(levels)))
        yield from ((place, factor, label, first) for label in levels if label != first)


def _table(unit: Unit, title: str, headings: tuple[str, ...], measures: Measures, rows: Sequence[Named]) -> Comparison:
    """Rows as text, best first by the measure that orders the tables; those without a number of it come last."""
    measure, sign = measures.direction()
    place = measures.names.index(measure)

    def rank(row: Named) -> float:
        interval = row[1][place]
        return sign * interval.mean if interval else -np.inf

    rows = sorted((row for row in rows if any(row[1])), key=rank, reverse=True)
    columns = ["an exploiter wins" if name == EXPLOITER else name for name in measures.names]
    cells = tuple(
        (name, *(_shown(unit, *each) for each in zip(measures.names, found, strict=True)), *_spent(made))
        for name, found, made in rows
    )
    units = dict.fromkeys([unit.name, *([CHIPS.name] if measures.exploitability else [])])
    title = f"{title}, {' and '.join(units)}, {measures.plays}"
    return Comparison(title, (headings[0], *columns, *headings[1:]), cells, _results(rows, columns, unit))


def _spent(made: BySeed) -> tuple[str, ...]:
    """Millions of decisions, of which baselines count none, and seeds; nothing of a difference."""
    return (f"{fmean(made.values()) / 1e6:.2f}" if any(made.values()) else "", str(len(made))) if made else ()


def _results(rows: Iterable[Named], measures: Iterable[str], unit: Unit) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "compared": name,
            "measure": measure,
            "rate": interval.mean,
            "half_width": interval.half_width,
            "unit": (CHIPS if measure in EXACT else unit).name,
            "seeds": interval.samples,
            **({"decisions": round(fmean(made.values()))} if made else {}),
        }
        for name, found, made in rows
        for measure, interval in zip(measures, found, strict=True)
        if interval
    )


def _shown(unit: Unit, measure: str, interval: Interval | None) -> str:
    return exact_cell(interval) if measure in EXACT else cell(interval, unit)


def cell(interval: Interval | None, unit: Unit = BIG_BLINDS) -> str:
    """A mean with half its interval's width, as text; of one seed the mean alone.

    >>> cell(Interval(12.4, 3.6, 3, 0.95, "fixed"))
    '+12.4 ± 3.6'
    """
    if interval is None:
        return ""
    return unit.text(interval.mean, interval.half_width if isfinite(interval.half_width) else None)


def exact_cell(interval: Interval | None) -> str:
    """The same of an exploitability in chips per hand.

    >>> exact_cell(Interval(0.3124, 0.0361, 3, 0.95, "fixed")), exact_cell(Interval(2.5e-6, 1e-9, 3, 0.95, "fixed"))
    ('0.312 ± 0.036', '2.5e-06')
    """
    if interval is None:
        return ""
    if 0 < abs(interval.mean) < 1e-3:
        return f"{interval.mean:.1e}"
    shown = isfinite(interval.half_width) and interval.half_width >= 5e-4
    return f"{interval.mean:.3f}" + (f" ± {interval.half_width:.3f}" if shown else "")


def _draw_curves(path: Path, runs: Mapping[str, Sequence[Path]], budget: Budget, unit: str) -> None:
    """For each setting the mean of its learning curves, with a band over the seeds; one panel for each opponent.

    runs: setting -> run folders. Best first, in the key, too.
    """
    found = [(name, one) for name, folders in runs.items() for one in all_series(folders)]
    across = "decisions of the learner" if budget.decisions is not None else "part of the budget"
    note = "Mean and one standard deviation over the seeds."
    panels = []
    for opponent in dict.fromkeys(one.opponent for _, one in found):
        own = [(name, one) for name, one in found if one.opponent == opponent]
        curves = [_curve(name, one, budget, k >= MAX_NAMED) for k, (name, one) in enumerate(own)]
        panels.append(curve_svg(curves, f"Against {shown_name(opponent)}", across, unit, note, has_zero=True))
    panels += _exact_panels(runs, across, budget)
    if panels:
        write_atomically(path, stacked(panels, "Learning curves of all settings"))


def _exact_panels(runs: Mapping[str, Sequence[Path]], across: str, budget: Budget) -> Iterator[str]:
    """Exploitability over the budget: of the weights that are delivered, and of the last ones."""
    note = "Mean and one standard deviation over the seeds."
    for measure, wanted in ((EXPLOITABILITY, (AVERAGED, LAST)), (LAST_WEIGHTS, (LAST,))):
        found = {name: first_exact_series(folders, wanted) for name, folders in runs.items()}
        curves = [
            _curve(name, one, budget, k >= MAX_NAMED, first=0.0) for k, (name, one) in enumerate(found.items()) if one
        ]
        if curves:
            yield curve_svg(curves, f"Exact {measure}", across, CHIPS.name, note, has_zero=True)


def _curve(name: str, series: Series, budget: Budget, is_faint: bool, first: float | None = None) -> Curve:
    count = series.rates.shape[1]
    # The evaluations are evenly spaced over the budget, and the last one is at its end. first: where the first one is.
    start = 1 / count if first is None else first
    at = series.decisions.mean(axis=0) * 1e6 if budget.decisions is not None else np.linspace(start, 1, count)
    return around(name, at.tolist(), series.mean.tolist(), series.spread.tolist())._replace(is_faint=is_faint)
