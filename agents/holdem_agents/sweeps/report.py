"""The report of a sweep, of as many runs as are finished: sweep.csv, sweep.md, curve.png, tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from holdem_env.utils.atomic import write_whole
from holdem_env.utils.shown_names import in_markdown, shown_name

from ..training.evaluation_time import budget_text
from ..training.run_folder import CURVE_PLOT
from .comparison import Comparison, comparisons
from .curves import draw_curves
from .results import RESULTS, numbers_of, rows_of_runs, write_rows
from .runs import RunTask
from .search import described
from .settings import Plan, Setting
from .sweep_file import Sweep
from .sweeping import tasks_of

PAGE = "sweep.md"


def write_report(sweep: Sweep, plan: Plan, trials: Sequence[Setting], folder: Path) -> list[Comparison]:
    """Write sweep.csv, sweep.md and curve.png about the finished runs, and return the tables.

    trials: the settings of a search. Without any finished run, nothing is written, and there are no tables.
    """
    settings = [*plan.settings.values(), *trials]
    tasks = tasks_of(settings, sweep, folder)
    rows = rows_of_runs(tasks, sweep.measures)
    if not rows:
        return []
    write_rows(folder / RESULTS, rows)
    numbers = numbers_of(rows, sweep.measures.plays)
    tables = comparisons(plan, sweep.measures, numbers, {each.name: described(each.changes) for each in trials})
    write_whole(folder / PAGE, _page(sweep, tasks, folder, tables))
    finished = [task for task in tasks if task.is_finished]
    order = [row[0].split(":")[0] for row in tables[0].rows]
    runs = {name: [task.folder for task in finished if task.setting == name] for name in order}
    draw_curves(folder / CURVE_PLOT, runs, tasks[0].config.budget)
    return tables


def _page(sweep: Sweep, tasks: Sequence[RunTask], folder: Path, tables: Sequence[Comparison]) -> str:
    finished = sum(task.is_finished for task in tasks)
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


def shown(comparison: Comparison) -> Table:
    """A table for the terminal."""
    table = Table(title=comparison.title, title_justify="left")
    for place, heading in enumerate(comparison.headings):
        table.add_column(Text(shown_name(heading)), justify="right" if place else "left")
    for row in comparison.rows:
        table.add_row(*(Text(shown_name(each, None)) for each in row))
    return table
