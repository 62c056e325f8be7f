"""A whole sweep in its folder: its settings, its search, its report.

From Python:

    path, sweep = load_sweep("configs/sweep.yaml")
    whole = WholeSweep(sweep, plan_of(path, sweep), Path("runs/sweep"))
    whole.run(jobs=2)
    whole.report()
"""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_whole

from ..parallel.machines import Machines
from ..parallel.runner import ProcessRunner, Runner, runner
from ..training.run_folder import SWEEP
from .report import shown, write_report
from .runs import check_unchanged
from .search import Trials
from .settings import Plan
from .sweep_file import Sweep
from .sweeping import Outcomes, run_tasks, tasks_of


class WholeSweep:
    """A sweep and its folder. Raises as `Trials`, if the sweep has a search."""

    def __init__(self, sweep: Sweep, plan: Plan, folder: Path) -> None:
        self.sweep, self.plan, self.folder = sweep, plan, folder
        self._trials = Trials(sweep, plan, folder) if sweep.search else None

    def run(self, jobs: int = 1, ray: str | None = None, show: bool = True, by: Runner | None = None) -> Outcomes:
        """Run what is left, `jobs` runs at a time, each in a process of its own; or on the Ray cluster at an address.

        by: runs them instead. Returns what became of the runs; those of a search begin when all others are finished.
        Raises as `run_tasks`, `check_unchanged` and `parallel.runner`.
        """
        runs = by or (ProcessRunner(Machines(jobs).workers) if ray is None else runner(jobs, ray))
        self.folder.mkdir(parents=True, exist_ok=True)
        tasks = tasks_of(self.plan.settings.values(), self.sweep, self.folder)
        check_unchanged(tasks)
        write_whole(self.folder / SWEEP, yaml_files.dumps(self.sweep.model_dump(mode="json", exclude_unset=True)))
        outcomes = run_tasks(tasks, runs, show)
        if self._trials and outcomes.are_complete:
            outcomes.add(self._trials.run(runs, max(1, Machines(jobs).workers // len(self.sweep.seeds)), show))
        return outcomes

    def report(self) -> list[Table]:
        """Write the report about the finished runs, and return its tables for the terminal."""
        trials = self._trials.settings() if self._trials else []
        return [shown(table) for table in write_report(self.sweep, self.plan, trials, self.folder)]
