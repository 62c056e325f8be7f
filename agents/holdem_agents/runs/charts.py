"""The charts of training runs, one or several laid over each other: what their CSV files say, as curves.

The web pages show them all; curve.svg has those of CURVE_FILE.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from holdem_env.game.street_names import STREETS
from holdem_env.game.units import CHIPS, OF_HANDS, unit_of_rows
from holdem_env.render.charts import Curve, Layout, around, curve_svg
from holdem_env.render.pencil import stacked
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.shown_names import shown_name

from . import files
from .reading import RunFolder
from .seed_curves import all_series

Group = Literal["strength", "learning", "moves"]
Rows = list[dict[str, str]]
ACROSS = "decisions of the learner"
POINTS = 150
"""A curve of more rows has the means of some that follow each other."""
FEW = 3
"""Rows of one point from which on it has a spread."""
UNITS_OF_HANDS = tuple(unit.name for unit in OF_HANDS)
INTERVALS = "Bands: 95 % intervals of the matches."
SEEDS = "Bands: one standard deviation over the seeds."
LEARNING = {
    "best_response/exploitability": ("Exploitability of the average, by the best response", CHIPS.name),
    "holdem/entropy": ("Entropy of the policy", "nats"),
    **{f"holdem/{unit.key}_in_training": ("Won in training", unit.name) for unit in OF_HANDS},
    "train/explained_variance": ("Explained variance", ""),
    "train/value_loss": ("Loss of the value", ""),
    "train/policy_gradient_loss": ("Loss of the policy", ""),
    "train/temperature": ("Temperature: entropy coefficient times deviation of the advantages", "chips"),
    "train/approx_kl": ("Change in an update (KL)", "nats"),
}
"""Columns of progress.csv, with title and unit."""
CURVE_FILE = ("holdem/entropy", "train/explained_variance")
"""The charts of learning that curve.svg shows below those of strength."""
MOVES = {"fold": "fold", "check_call": "check or call", "raise": "bet or raise"}
AGAINST = {f"training_{unit.key}/": unit for unit in OF_HANDS}


@dataclass
class Chart:
    """A drawing of curves. name: what it is, unchanged while it grows."""

    name: str
    group: Group
    title: str
    curves: list[Curve]
    across: str = ACROSS
    unit: str = ""
    note: str = ""
    has_zero: bool = False

    def svg(self, layout: Layout) -> str:
        shown = self.title, self.across, self.unit, self.note
        return curve_svg(self.curves, *shown, has_zero=self.has_zero, layout=layout)


def charts_of(runs: Sequence[RunFolder]) -> list[Chart]:
    """All charts that have something to show. Several runs are laid over each other, each under its folder's name."""
    found = [*_strength(runs), *_learning(runs), *_moves(runs)]
    units = dict.fromkeys(run.unit for run in runs)
    if set(units) != {"decisions"}:  # such as a blueprint's deals
        found = [replace(chart, across=" or ".join(units)) if chart.across == ACROSS else chart for chart in found]
    return [chart for chart in found if any(len(curve.at) for curve in chart.curves)]


def draw_curve(folder: Path) -> None:
    """Write curve.svg of a run or of a folder of seeds: evaluations, entropy, explained variance."""
    charts = charts_of([RunFolder(folder)])
    shown = [each for each in charts if each.group == "strength" or each.name in CURVE_FILE]
    drawings = [each.svg("wide") for each in shown] or [curve_svg([], "Training", ACROSS)]
    write_atomically(folder / files.CURVE_PLOT, stacked(drawings, f"Training of {shown_name(folder.name)}"))


def _strength(runs: Sequence[RunFolder]) -> Iterator[Chart]:
    leagues = [run for run in runs if run.kind == "league"]
    if leagues:
        curves = [curve for run in leagues for curve in _ratings(run, len(runs) > 1)]
        note = "Against the average of all. Bands: 95 % intervals."
        yield Chart(
            "ratings", "strength", "Ratings in the league", curves, "round", _unit(leagues, files.RATINGS), note, True
        )
    exact = [curve for run in runs if run.kind != "league" for curve in _exploitability(run, len(runs) > 1)]
    yield Chart(files.EXPLOITABILITY, "strength", "Exact exploitability", exact, unit=CHIPS.name, has_zero=True)
    evaluated = [(run, _evaluations(run)) for run in runs if run.kind != "league"]
    opponents = list(dict.fromkeys(name for _, curves in evaluated for name in curves))
    note = " ".join(
        dict.fromkeys(SEEDS if len(run.seeds) > 1 else INTERVALS for run, curves in evaluated if any(curves))
    )
    unit = _unit(runs, files.CURVE)
    if len(runs) == 1 and len(opponents) > 1:
        every = [curve._replace(name=name) for name, curve in evaluated[0][1].items()]
        yield Chart("all", "strength", "Evaluation matches", every, unit=unit, note=note, has_zero=True)
    for name in opponents:
        own = [curves[name]._replace(name=_name(run)) for run, curves in evaluated if name in curves]
        if len(runs) == 1:
            own = [own[0]._replace(name="mean of the seeds" if runs[0].seeds else name), *_each_seed(runs[0], name)]
        title = f"Against {shown_name(name)}"
        yield Chart(f"against {name}", "strength", title, own, unit=unit, note=note, has_zero=True)


def _unit(runs: Sequence[RunFolder], file: str) -> str:
    return unit_of_rows(
        [row for run in runs for folder in (run.seeds or [run.path]) for row in run.rows(file, folder)]
    ).name


def _exploitability(run: RunFolder, is_among_others: bool) -> Iterator[Curve]:
    """Of a run, or of each of its seeds, for the last and the averaged weights."""
    for part, folder in run.parts:
        rows = run.rows(files.EXACT_CURVE, folder)
        for weights in dict.fromkeys(row.get(files.WEIGHTS) or "" for row in rows):
            points = files.numbers_in(
                [row for row in rows if row[files.WEIGHTS] == weights], "decisions", files.EXPLOITABILITY
            )
            names = [_name(run) if is_among_others else "", part, weights]
            yield Curve(" · ".join(filter(None, names)), [at for at, _ in points], [chips for _, chips in points])


def _evaluations(run: RunFolder) -> dict[str, Curve]:
    """By opponent: the evaluations with their intervals, of seeds the means with their spread."""
    if run.seeds:
        found = {}
        for one in all_series(run.seeds):
            at = (one.decisions.mean(axis=0) * 1e6).tolist()
            found[one.opponent] = around(one.opponent, at, one.mean.tolist(), one.spread.tolist())
        return found
    points = files.evaluations_in(run.rows(files.CURVE))
    return {name: around(name, *np.array(some).T.tolist()) for name, some in points.items()}


def _each_seed(run: RunFolder, opponent: str) -> list[Curve]:
    found = []
    for seed in run.seeds:
        points = files.evaluations_in(run.rows(files.CURVE, seed)).get(opponent, [])
        found.append(Curve(seed.name.replace("-", " "), [each[0] for each in points], [each[1] for each in points]))
    return found


def _ratings(run: RunFolder, is_among_others: bool) -> list[Curve]:
    """Of each learner its newest snapshot's rating in each round."""
    newest: dict[str, dict[float, tuple[float, float, float]]] = {}
    for row in run.rows(files.RATINGS):
        learner, _, decisions = (row.get("snapshot") or "").rpartition("-")
        for numbers in files.rates_in([row], "round"):
            league_round, rate, half = numbers
            age = float(decisions) if decisions.isdigit() else 0.0
            rated = newest.setdefault(learner, {})
            if age >= rated.get(league_round, (-1.0, 0.0, 0.0))[0]:
                rated[league_round] = age, rate, half
    found = []
    for learner, rounds in newest.items():
        at = sorted(rounds)
        name = f"{_name(run)} · {learner}" if is_among_others else learner
        found.append(around(name, at, [rounds[k][1] for k in at], [rounds[k][2] for k in at]))
    return found


def _learning(runs: Sequence[RunFolder]) -> Iterator[Chart]:
    for column, (title, unit) in LEARNING.items():
        curves = [means(name, rows, column) for name, rows in _logs(runs)]
        has_zero = unit in UNITS_OF_HANDS
        yield Chart(column, "learning", title, curves, unit=unit, note=_note(runs, curves), has_zero=has_zero)
    if len(logs := _logs(runs)) == 1:
        [(_, rows)] = logs
        for start, won in AGAINST.items():
            columns = sorted({column for column in (rows[-1] if rows else {}) if column.startswith(start)})
            curves = [means(column.removeprefix(start), rows, column, has_band=False) for column in columns]
            title, note = "Won in training, by opponent", _note(runs, curves)
            yield Chart("training", "learning", title, curves, unit=won.name, note=note, has_zero=True)


def _moves(runs: Sequence[RunFolder]) -> Iterator[Chart]:
    """By street how often each kind of move is made; of several runs only how often they raise."""
    logs = _logs(runs)
    for street in STREETS:
        if len(logs) == 1:
            curves = [_shares(words, logs[0][1], f"moves/{street}_{kind}") for kind, words in MOVES.items()]
            title = f"Moves on the {street}" if street != STREETS[0] else "Moves before the flop"
        else:
            curves = [_shares(name, rows, f"moves/{street}_raise") for name, rows in logs]
            title = f"Bets and raises on the {street}" if street != STREETS[0] else "Raises before the flop"
        yield Chart(f"moves {street}", "moves", title, curves, unit="% of the moves", note=_note(runs, curves))


def _shares(name: str, rows: Rows, column: str) -> Curve:
    curve = means(name, rows, column, has_band=False)
    return curve._replace(values=[100 * value for value in curve.values])


def _logs(runs: Sequence[RunFolder]) -> list[tuple[str, Rows]]:
    if len(runs) == 1:
        return [(name or _name(runs[0]), rows) for name, rows in runs[0].progress_rows]
    return [
        (f"{_name(run)} · {name}" if name else _name(run), rows) for run in runs for name, rows in run.progress_rows
    ]


def means(name: str, rows: Sequence[Mapping[str, str]], column: str, has_band: bool = True) -> Curve:
    """A column of progress.csv as a curve: at most POINTS means of rows that follow each other, in a band of one
    standard deviation."""
    points = np.array(files.numbers_in(rows, files.DECISIONS, column)).reshape(-1, 2)
    points = points[np.isfinite(points).all(axis=1)]
    parts = np.array_split(points, min(POINTS, len(points))) if len(points) else []
    at, values = ([float(part[:, k].mean()) for part in parts] for k in (0, 1))
    if not has_band or len(points) < FEW * POINTS:
        return Curve(name, at, values)
    return around(name, at, values, [float(part[:, 1].std(ddof=1)) for part in parts])


def _note(runs: Sequence[RunFolder], curves: Sequence[Curve]) -> str:
    """What a point is, where it is more than one rollout."""
    rows = max((len(rows) for _, rows in _logs(runs)), default=0)
    if rows <= POINTS:
        return "Each point is one rollout."
    band = ", bands one standard deviation" if any(len(curve.low) for curve in curves) else ""
    return f"Points are means of about {max(round(rows / POINTS), 2)} rollouts{band}."


def _name(run: RunFolder) -> str:
    return shown_name(run.name)
