"""The command `holdem sweep`: its options and output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from holdem_env.utils.shown_names import shown_name

from .console import console, print_table, user_errors
from .exit_status import FAILED, INTERRUPTED

if TYPE_CHECKING:
    from ..sweeps.report import Comparison

SWEEP_EXAMPLE = "Example: holdem sweep configs/sweep.yaml --jobs 2"


def sweep_command(
    file: Annotated[str, typer.Argument(help="A YAML file, or the name of a sweep that comes with holdem: sweep.")],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the sweep's folder. Default: the file's name.")
    ] = None,
    runs: Annotated[Path, typer.Option(metavar="FOLDER", help="Parent of the sweep's folder.")] = Path("runs"),
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Set a value of the sweep's file, such as base=sixmax_nolimit or budget.cpu_seconds=60. May be "
            "repeated.",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(metavar="N", help="Runs at a time, each in a process of its own; -1 uses all cores.")
    ] = 1,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Run on the Ray cluster at this address, such as auto or ray://host:10001, whose machines share the "
            "folder of runs.",
        ),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", show_default=False, help="Run nothing; print the table of what there is.")
    ] = False,
) -> None:
    """Train the settings of a sweep with several seeds each, and compare them.

    Ctrl-C ends the runs under way after a checkpoint; the same command goes on. The exit status is 1 if a run has
    failed.
    """
    with user_errors():
        # Imported late: PyTorch takes seconds to import, and other commands do without.
        from ..sweeps.sweep_file import load_sweep

        plan = load_sweep(file, changes or [])
        from ..sweeps.study import Study

        folder = runs / (name or plan.path.stem)
        study = Study(plan, folder)
        outcomes = None if report else study.run(jobs, ray)
        tables = study.report()
    for table in tables:
        print_table(console, _shown(table))
    if tables:
        console.print(f"Written to {folder}: sweep.csv, sweep.md, curve.svg", soft_wrap=True, markup=False)
    elif report:
        console.print(f"{folder}: no run is finished yet", soft_wrap=True, markup=False)
    if outcomes is None:
        return
    if outcomes.failed:
        words = f"{len(outcomes.failed)} failed: {'; '.join(outcomes.failed)}. The same command runs them again."
        console.print(words, style="red", soft_wrap=True, markup=False)
        raise typer.Exit(FAILED)
    if not outcomes.are_complete:
        done = len(outcomes.finished)
        words = f"Interrupted; {done} runs are finished, and {len(outcomes.left)} are left. The same command goes on."
        console.print(words, soft_wrap=True, markup=False)
        raise typer.Exit(INTERRUPTED)


def _shown(comparison: Comparison) -> Table:
    table = Table(title=comparison.title, title_justify="left")
    for place, heading in enumerate(comparison.headings):
        table.add_column(Text(shown_name(heading)), justify="right" if place else "left")
    for name, *cells in comparison.rows:
        table.add_row(Text(shown_name(name, None)), *cells)
    return table
