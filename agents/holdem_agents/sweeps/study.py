"""A sweep in its folder: its settings and its search, trained by a runner, and their report.

From Python:

    path, sweep = load_sweep("configs/sweep.yaml")
    study = Study(sweep, plan_of(path, sweep), Path("runs/sweep"))
    study.run(jobs=2)
    study.report()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.runner import Interrupted, Outcome, Runner
from holdem_env.utils.shown_names import shown_text

from ..training.interrupts import Interrupts, report
from ..training.run_folder.files import SWEEP
from .comparison import Comparison
from .objective import ERROR, RunTask, check_unchanged, do_run, rate_of, result_text
from .report import write_report
from .settings import Plan, Setting
from .sweep_file import Sweep
from .trials import FixedTrials, SearchTrials, Trials, described


@dataclass
class Outcomes:
    """What became of the runs. failed: with the reasons. left: interrupted, or not begun."""

    finished: list[RunTask] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    left: list[RunTask] = field(default_factory=list)

    @property
    def are_complete(self) -> bool:
        """Whether all runs are finished."""
        return not self.failed and not self.left


class Study:
    """A sweep and its folder. Raises as `SearchTrials`, if the sweep has a search."""

    def __init__(self, sweep: Sweep, plan: Plan, folder: Path) -> None:
        self.sweep, self.plan = sweep, plan
        self.folder = folder.absolute()  # on another machine, runs begin in another folder
        self._search = SearchTrials(folder, sweep, sweep.search, plan) if sweep.search else None

    def settings(self) -> list[Setting]:
        """The settings of the file, and those of the search so far."""
        return [*self.plan.settings.values(), *(self._search.settings() if self._search else [])]

    def tasks(self, settings: Iterable[Setting]) -> list[RunTask]:
        """The runs of these settings: all settings with the first seed, then with the second, and so on, so that an
        interrupted sweep has something to compare."""
        chosen = list(settings)
        return [
            RunTask(
                setting.name,
                self.folder / setting.name / f"seed-{seed}",
                setting.config.model_copy(update={"seed": seed}),
                self.sweep.measures.exploiter,
            )
            for seed in self.sweep.seeds
            for setting in chosen
        ]

    def run(self, jobs: int = 1, ray: str | None = None, show: bool = True, runner: Runner | None = None) -> Outcomes:
        """Run what is left, `jobs` runs at a time, each in a process of its own; or on the Ray cluster at an address.

        Finished runs are kept, interrupted ones go on, failed ones are run again. The trials of a search begin behind
        the settings of the file; after a run has failed, no new one begins. show: print a line for each run that ends.
        runner: runs them instead. Raises ConfigError if a folder holds a run of another configuration,
        KeyboardInterrupt if ctrl-C was pressed twice, and as `Runner`.
        """
        with runner or Runner(jobs, ray, in_process=False, interrupts=Interrupts) as given:
            known = self.tasks(self.settings())
            check_unchanged(known)
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(
                self.folder / SWEEP, yaml_files.dumps(self.sweep.model_dump(mode="json", exclude_unset=True))
            )
            outcomes = Outcomes(finished=[task for task in known if task.is_finished])
            if show and outcomes.finished:
                report(f"{len(outcomes.finished)} of {len(known)} runs are finished already")
            fixed = FixedTrials(self.folder, self.plan.settings, self.sweep.seeds)
            try:
                for outcome in given.run(do_run, self._tasks_to_run(fixed, outcomes)):
                    self._add(outcomes, outcome, show)
                    self._end_trial(outcome.task.setting, fixed)
            except Interrupted:
                pass
        ended = {task.name for task in outcomes.finished} | set(outcomes.failed)
        outcomes.left = [task for task in self.tasks(self.settings()) if task.name not in ended]
        return outcomes

    def _tasks_to_run(self, fixed: FixedTrials, outcomes: Outcomes) -> Iterator[RunTask]:
        """The runs that are left. Each is taken when a process is free; a search then knows all results so far."""
        for task in self.tasks(self.plan.settings.values()):
            fixed.begin(task.setting)
            yield from self._unless_finished(task, fixed)
        while self._search and not outcomes.failed and (trial := self._search.next()):
            for task in self.tasks([trial]):
                yield from self._unless_finished(task, self._search)

    def _unless_finished(self, task: RunTask, trials: Trials) -> Iterator[RunTask]:
        if task.is_finished:
            self._end_trial(task.setting, trials)
        else:
            yield task

    def _end_trial(self, setting: str, fixed: Trials) -> None:
        """Tell Optuna the value of a setting all of whose runs are finished: their mean."""
        trials = next((each for each in (self._search, fixed) if each and setting in each.running), None)
        tasks = self.tasks(each for each in self.settings() if each.name == setting)
        if trials and all(task.is_finished for task in tasks):
            measure, sign = self.sweep.maximize
            trials.tell(setting, sign * fmean(rate_of(task, self.sweep.measures, measure) for task in tasks))

    def _add(self, outcomes: Outcomes, outcome: Outcome[bool], show: bool) -> None:
        task = outcome.task
        if outcome.error is not None:
            text = str(outcome.error).strip()
            reason = text.splitlines()[0] if text else type(outcome.error).__name__
            outcomes.failed[task.name] = reason
            where = task.folder / ERROR
            more = f"; {where} has more" if where.exists() else ""
            report(f"{task.name}: failed, {shown_text(reason)}{more}")
        elif outcome.value:
            outcomes.finished.append(task)
            if show:
                done = f"{len(outcomes.finished)} of {len(self.tasks(self.settings()))}"
                report(f"{task.name}: {shown_text(result_text(task))} ({done})")

    def report(self) -> list[Comparison]:
        """Write the report about the finished runs, and return its tables."""
        searched = self._search.settings() if self._search else []
        found = {each.name: described(each.changes) for each in searched}
        return write_report(self.sweep, self.plan, self.tasks(self.settings()), found, self.folder)
