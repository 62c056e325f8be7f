"""The report of a sweep, of as many runs as are finished: sweep.csv, sweep.md, curve.svg."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.shown_names import in_markdown, shown_name

from ..training.evaluation.duration import budget_text
from ..training.run_folder.files import CURVE_PLOT
from .comparison import Comparison, comparisons, numbers_of
from .curves import draw_curves
from .objective import COLUMNS, RunTask, rows_of_run
from .settings import Plan
from .sweep_file import Sweep

RESULTS, PAGE = "sweep.csv", "sweep.md"


def write_report(
    sweep: Sweep, plan: Plan, tasks: Sequence[RunTask], trials: Mapping[str, str], folder: Path
) -> list[Comparison]:
    """Write sweep.csv, sweep.md and curve.svg about the finished runs, and return the tables.

    tasks: all runs. trials: the settings of a search, with what they set. Without any finished run, nothing is written,
    and there are no tables.
    """
    finished = [task for task in tasks if task.is_finished]
    if not finished:
        return []
    rows = [row for task in finished for row in rows_of_run(task, sweep.measures)]
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_atomically(folder / RESULTS, text.getvalue())
    tables = comparisons(plan, sweep.measures, numbers_of(rows, sweep.measures.plays), trials)
    best_first = [row[0].split(":")[0] for row in tables[0].rows]
    runs = {name: [task.folder for task in finished if task.setting == name] for name in best_first}
    draw_curves(folder / CURVE_PLOT, runs, tasks[0].config.budget)
    write_atomically(folder / PAGE, _page(sweep, tasks, len(finished), folder, tables))
    return tables


def _page(sweep: Sweep, tasks: Sequence[RunTask], finished: int, folder: Path, tables: Sequence[Comparison]) -> str:
    base = sweep.base if isinstance(sweep.base, str) else sweep.base.get("config", "fields of its own")
    parts = [
        f"# {in_markdown(folder.name)}",
        f"{finished} of {len(tasks)} runs are finished: {len({task.setting for task in tasks})} settings, seeds "
        f"{', '.join(map(str, sweep.seeds))}, {budget_text(tasks[0].config.budget)} of training each. "
        f"The base is {in_markdown(shown_name(base))}. Matches have {sweep.measures.hands:,} hands on duplicate deals; "
        "the intervals are Student's t over the seeds, 95 %.",
        *(table.markdown() for table in tables),
        f"![The curves of all settings]({CURVE_PLOT})",
    ]
    return "\n\n".join(parts) + "\n"
