"""The curves of several seeds of one configuration, read from their run folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.arena.statistics.intervals import fixed_interval
from holdem_env.arena.statistics.tables import Tabled
from holdem_env.game.units import CHIPS, OF_HANDS, unit_of_rows
from holdem_env.utils import yaml_files
from holdem_env.utils.extras import explain_missing_extra
from holdem_env.utils.validation import suggestion

from . import files

SEEDS = "seeds.csv"


@dataclass(frozen=True)
class Series:
    """The evaluations of all seeds against one opponent.

    decisions: (seeds, E) millions of decisions at the evaluations. rates: (seeds, E) win rates; of a best response,
    which is the opponent of `exact_series`, chips per hand.
    """

    opponent: str
    decisions: NDArray[np.float64]
    rates: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float64]:
        means: NDArray[np.float64] = self.rates.mean(axis=0)
        return means

    @property
    def spread(self) -> NDArray[np.float64]:
        """(E,) the sample standard deviation over the seeds; NaN for one seed."""
        count = len(self.rates)
        return self.rates.std(axis=0, ddof=1) if count > 1 else np.full(self.rates.shape[1], np.nan)


@dataclass(frozen=True)
class Curves(Tabled):
    """Learning curves over several seeds, one for each quantity.

    series: by quantity. units: of each quantity, "" where it has none.
    """

    series: dict[str, Series]
    units: dict[str, str]

    def _table(self) -> list[dict[str, Any]]:
        return [
            {
                "quantity": name,
                "decisions": round(1e6 * at),
                "mean": mean,
                "half_width": fixed_interval(rates).half_width,
                "standard_deviation": spread,
                "unit": self.units[name],
                "seeds": len(rates),
            }
            for name, one in self.series.items()
            for at, mean, spread, rates in zip(
                one.decisions.mean(axis=0).tolist(), one.mean.tolist(), one.spread.tolist(), one.rates.T, strict=True
            )
        ]

    def plot(self, axes: Any = None, label: str | None = None) -> Any:
        """Draw each quantity's mean in its band: the 95 % interval (Student's t over the seeds).

        Args:
            axes: Of matplotlib; by default the current ones.
            label: Stands in the key instead of the quantity.

        Returns:
            The axes.

        Raises:
            ModuleNotFoundError: Without matplotlib, which the extra `notebooks` brings.
        """
        with explain_missing_extra("plot"):
            from matplotlib import pyplot
        axes, rows = axes or pyplot.gca(), self._table()
        for name in self.series:
            found = [(row["decisions"], row["mean"], row["half_width"]) for row in rows if row["quantity"] == name]
            at, mean, half = np.array(found).T
            (line,) = axes.plot(at, mean, label=label or name)
            axes.fill_between(at, mean - half, mean + half, color=line.get_color(), alpha=0.2, linewidth=0)
        units = " or ".join(filter(None, dict.fromkeys(self.units.values())))
        names = self.series if len(self.series) == 1 else ()
        axes.set(xlabel="decisions", ylabel=", ".join(filter(None, [*names, units])))
        axes.legend()
        return axes


def curves(folders: str | Path | Sequence[str | Path], *quantities: str) -> Curves:
    """Read learning curves from runs that differ in their seeds alone.

    Point k of a curve is the mean of the runs' k-th evaluations, or rollouts, as far as all runs have come.

    Args:
        folders: Run folders, or folders of seeds.
        quantities: Opponents of the evaluation matches, "exploitability" (of the delivered weights), or columns
            of progress.csv, such as "holdem/entropy". By default all opponents and the exploitability.

    Returns:
        The curves, with `to_frame()`, `to_latex()` and `plot()`.

    Raises:
        ValueError: If a folder does not exist, or if one of the runs lacks a quantity.
    """
    given = [Path(each) for each in ([folders] if isinstance(folders, str | Path) else folders)]
    if missing := [str(folder) for folder in given if not folder.is_dir()]:
        raise ValueError(f"`folders` must be run folders, got {', '.join(missing)}")
    runs = [run for folder in given for run in seed_folders(folder) or [folder]]
    _check_alike(runs)
    unit = unit_of_rows([row for run in runs for row in files.complete_rows_of(run / files.CURVE)[0]])
    series = {one.opponent: one for one in all_series(runs)}
    units = dict.fromkeys(series, unit.name)
    if exact := first_exact_series(runs, (files.AVERAGED, files.LAST)):
        series[files.EXPLOITABILITY], units[files.EXPLOITABILITY] = exact, CHIPS.name
    logs = [files.complete_rows_of(run / files.PROGRESS)[0] for run in runs] if {*quantities} - {*series} else []
    for name in quantities:
        if name not in series and (
            logged := _series(name, [files.numbers_in(rows, files.DECISIONS, name) for rows in logs])
        ):
            series[name] = logged
            units[name] = next((each.name for each in OF_HANDS if each.key in name), "")
    for name in quantities:
        if name not in series:
            if not series and not any(logs):
                break
            known = [*series, *(logs[0][-1] if logs and logs[0] else ())]
            raise ValueError(f"`quantities` must be in every run, got {name!r}: {suggestion(name, known)}")
    if not series:
        raise ValueError(f"`folders` must be runs with evaluations, got {', '.join(map(str, given))}")
    wanted = quantities or tuple(series)
    return Curves({name: series[name] for name in wanted}, {name: units[name] for name in wanted})


def _check_alike(runs: Sequence[Path]) -> None:
    first, *others = [_settings_of(run) for run in runs]
    for run, other in zip(runs[1:], others, strict=True):
        if names := sorted(name for name in {*first, *other} if first.get(name) != other.get(name)):
            raise ValueError(f"`folders` must be runs of one configuration, got others of {', '.join(names)} in {run}")


def _settings_of(run: Path) -> dict[str, Any]:
    """What a run was configured to do, but for its seed and its name; nothing without a configuration."""
    found = yaml_files.load(run / files.CONFIG) if (run / files.CONFIG).is_file() else {}
    return {name: value for name, value in found.items() if name not in ("seed", "name")}


def seed_folders(folder: Path) -> list[Path]:
    """The run folders in a folder of seeds, by seed."""
    runs = [run for run in folder.glob("seed-*") if run.name.removeprefix("seed-").isdigit()]
    return sorted(runs, key=lambda run: int(run.name.removeprefix("seed-")))


def all_series(runs: Sequence[Path]) -> list[Series]:
    """The evaluations in the runs' curve.csv by opponent, as far as all runs with results have come."""
    curves = [curve for run in runs if (curve := files.evaluations_in(files.complete_rows_of(run / files.CURVE)[0]))]
    opponents = curves[0] if curves else []
    found = (_series(opponent, [curve.get(opponent, []) for curve in curves]) for opponent in opponents)
    return [one for one in found if one]


def exact_series(runs: Sequence[Path], weights: str) -> Series | None:
    """The exact exploitability in the runs' exploitability.csv, of the last or the averaged weights."""
    every = [
        [row for row in files.complete_rows_of(run / files.EXACT_CURVE)[0] if row[files.WEIGHTS] == weights]
        for run in runs
    ]
    parts = [files.numbers_in(rows, "decisions", files.EXPLOITABILITY) for rows in every if rows]
    return _series(weights, parts) if parts else None


def first_exact_series(runs: Sequence[Path], wanted: Sequence[str]) -> Series | None:
    """The exact curves of the first of these weights that the runs have."""
    return next((one for weights in wanted if (one := exact_series(runs, weights))), None)


def _series(opponent: str, parts: Sequence[Sequence[tuple[float, ...]]]) -> Series | None:
    """The points of all seeds, as far as all of them have come."""
    count = min(map(len, parts), default=0)
    if not count:
        return None
    points = np.array([part[:count] for part in parts], np.float64)
    return Series(opponent, points[:, :, 0] / 1e6, points[:, :, 1])
