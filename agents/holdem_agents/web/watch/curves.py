"""Curves of chosen runs as numbers: one for each configuration, with the mean and the spread of its seeds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from holdem_env.render.charts import Curve, around
from holdem_env.utils.shown_names import shown_name

from ...runs.charts import Chart, charts_of
from ...runs.reading import RunFolder

OWN_NAME = ("seed", "name")  # fields of a configuration in which seeds of it differ
LEFT_OUT = ("all", "training")  # charts of several opponents: there is one for each of them


def compared(runs: Mapping[str, RunFolder]) -> list[dict[str, Any]]:
    """The charts of chosen runs, by id. Of each configuration, a curve is the mean of its runs; a band is one standard
    deviation over them, or of a single run its own."""
    groups = list(_groups(runs.values()).items())
    found: dict[str, dict[str, Any]] = {}
    for k, (name, members) in enumerate(groups):
        for (chart, part), (about, curves) in _by_part(members).items():
            shown = found.setdefault(
                chart,
                {"name": chart, "group": about.group, "title": about.title, "unit": about.unit, "across": about.across}
                | {"curves": []},
            )
            curve = curves[0] if len(curves) == 1 else mean_of(curves)
            shown["curves"].append(
                {"name": " · ".join(filter(None, [name, part])), "colour": k % 6 + 1, "runs": len(curves)}
                | {key: _known(getattr(curve, key)) for key in ("at", "values", "low", "high")}
            )
    return list(found.values())


def mean_of(curves: Sequence[Curve]) -> Curve:
    """The mean of each point over the seeds, in a band of one standard deviation, as far as all of them have come."""
    length = min(len(curve.at) for curve in curves)
    at, values = (np.array([getattr(curve, key)[:length] for curve in curves]) for key in ("at", "values"))
    return around("", at.mean(axis=0).tolist(), values.mean(axis=0).tolist(), values.std(axis=0, ddof=1).tolist())


def _groups(runs: Iterable[RunFolder]) -> dict[str, list[RunFolder]]:
    """The single runs of each configuration, by a name for it; seeds of a folder are single runs. Of several runs with
    one seed, such as copies, one counts: they are not independent."""
    by_config: dict[str, list[tuple[str, RunFolder]]] = {}
    for run in runs:
        for single in [RunFolder(seed) for seed in run.seeds] or [run]:
            config = single.config
            fields = None if config is None else config.model_dump(mode="json", exclude=set(OWN_NAME))
            key = str(single.path) if fields is None else json.dumps(fields, sort_keys=True)
            by_config.setdefault(key, []).append((shown_name(run.name), single))
    found: dict[str, list[RunFolder]] = {}
    for members in by_config.values():
        first, *others = dict.fromkeys(name for name, _ in members)
        name = f"{first} and {len(others)} more" if others else first
        while name in found:
            name += "′"
        seeds = {single.path if (config := single.config) is None else config.seed: single for _, single in members}
        found[name] = list(seeds.values())
    return found


def _by_part(members: Sequence[RunFolder]) -> dict[tuple[str, str], tuple[Chart, list[Curve]]]:
    """By chart, and learner of a league or weights: the curves of all runs."""
    found: dict[tuple[str, str], tuple[Chart, list[Curve]]] = {}
    for run in members:
        for chart in charts_of([run]):
            if chart.name in LEFT_OUT:
                continue
            curves = [curve for curve in chart.curves if len(curve.at)]
            if chart.group == "moves":  # how often it raises says most
                curves = curves[-1:] if run.kind == "run" else curves
            for curve in curves:
                part = curve.name if len(curves) > 1 else ""
                found.setdefault((chart.name, part), (chart, []))[1].append(curve)
    return found


def _known(values: Iterable[float]) -> list[float | None]:
    return [float(value) if isfinite(value) else None for value in values]
