"""A sweep in its folder: its settings and its search, trained by a runner, kept by Optuna in study.db.

A trial of Optuna is a setting, with all seeds. The process of the command alone asks for trials and tells their values
(Optuna's ask-and-tell interface); what is done of a run, its folder says. So a trial that was killed is still RUNNING
the next time, and goes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.extras import explain_missing_extra
from holdem_env.utils.runner import Interrupted, Outcome, Runner
from holdem_env.utils.shown_names import shown_text

from ..runs.config import ConfigError
from ..runs.files import SWEEP
from ..runs.interrupts import Interrupts, report
from .objective import ERROR, RunTask, check_unchanged, do_run
from .report import Comparison, write_report
from .sweep_file import Plan, Range, Search, Setting

with explain_missing_extra("a sweep"):
    import optuna
    from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
    from optuna.samplers import BaseSampler, GPSampler, RandomSampler, TPESampler
    from optuna.trial import FrozenTrial, Trial, TrialState
    from sqlalchemy.exc import OperationalError

DATABASE = "study.db"
ASKED = "asked"  # the user attribute of Optuna's study that says what a search has been asked for


@dataclass
class Outcomes:
    """What became of the runs. failed: with the reasons. left: interrupted, or not begun."""

    finished: list[RunTask] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    left: list[RunTask] = field(default_factory=list)

    @property
    def are_complete(self) -> bool:
        return not self.failed and not self.left


class Study:
    """A sweep and its folder. settings: those of the file, and those of the search so far.

    Raises ConfigError if the database is of another search, or if a parameter of the search is no field or has values
    of the wrong type; OSError if the database cannot be used.
    """

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.sweep = plan, plan.sweep
        self.folder = folder.absolute()  # on another machine, runs begin in another folder
        self.settings = dict(plan.settings)
        if self.sweep.search:
            with _database_errors(folder):
                self._open_search(self.sweep.search)

    def tasks(self, settings: Iterable[Setting] | None = None) -> list[RunTask]:
        """The runs of these settings, or of all: each with the first seed, then with the second, and so on, so that an
        interrupted sweep has something to compare."""
        chosen = list(self.settings.values() if settings is None else settings)
        return [
            RunTask(
                setting.name,
                self.folder / setting.name / f"seed-{seed}",
                setting.config.model_copy(update={"seed": seed}),
                self.sweep.measures,
                setting.baseline,
            )
            for seed in self.sweep.seeds
            for setting in chosen
        ]

    def run(self, jobs: int = 1, ray: str | None = None, show: bool = True, runner: Runner | None = None) -> Outcomes:
        """Run what is left, `jobs` runs at a time, each in a process of its own; or on the Ray cluster at an address.

        Finished runs are kept, interrupted ones go on, failed ones are run again. The trials of a search begin behind
        the settings of the file; after a run has failed, no new one begins. The report is written when a run ends.
        show: print a line for each run that ends.
        runner: runs them instead. Raises ConfigError if a folder holds a run of another configuration,
        KeyboardInterrupt if ctrl-C was pressed twice, OSError if the database cannot be used, and as `Runner`.
        """
        with (
            runner or Runner(jobs, ray, in_process=False, interrupts=Interrupts) as given,
            _database_errors(self.folder),
        ):
            known = self.tasks()
            check_unchanged(known)
            self._open_fixed()
            content = self.sweep.model_dump(mode="json", exclude_unset=True)
            write_atomically(self.folder / SWEEP, yaml_files.dumps(content))
            outcomes = Outcomes([task for task in known if task.is_finished])
            if show and outcomes.finished:
                report(f"{len(outcomes.finished)} of {len(known)} runs are finished already")
            for name in list(self.settings):
                self._end_trial(name)
            try:
                for outcome in given.run(do_run, self._tasks_to_run(outcomes)):
                    self._add(outcomes, outcome, show)
                    self._end_trial(outcome.task.setting)
                    self.report()
            except Interrupted:
                pass
        ended = {task.name for task in outcomes.finished} | set(outcomes.failed)
        outcomes.left = [task for task in self.tasks() if task.name not in ended]
        return outcomes

    def report(self) -> list[Comparison]:
        """Write the report about the finished runs, and return its tables."""
        trials = {
            name: ", ".join(f"{path}={_shown(value)}" for path, value in setting.changes.items())
            for name, setting in self.settings.items()
            if name not in self.plan.settings
        }
        return write_report(self.plan, self.tasks(), trials, self.folder)

    def _tasks_to_run(self, outcomes: Outcomes) -> Iterator[RunTask]:
        """The runs that are left. Each is taken when a process is free; a search then knows all results so far."""
        yield from self._unfinished(self.plan.settings.values())
        if self.sweep.search:
            trials = self._searched(self.sweep.search.trials)
            while not outcomes.failed and (setting := next(trials, None)):
                yield from self._unfinished([setting])

    def _unfinished(self, settings: Iterable[Setting]) -> Iterator[RunTask]:
        return (task for task in self.tasks(settings) if not task.is_finished)

    def _add(self, outcomes: Outcomes, outcome: Outcome[bool], show: bool) -> None:
        task = outcome.task
        if outcome.error is not None:
            reason = next(iter(str(outcome.error).strip().splitlines()), type(outcome.error).__name__)
            outcomes.failed[task.name] = reason
            where = task.folder / ERROR
            more = f"; {where} has more" if where.exists() else ""
            report(f"{task.name}: failed, {shown_text(reason)}{more}")
        elif outcome.value:
            outcomes.finished.append(task)
            if show:
                every = len(self.settings) * len(self.sweep.seeds)
                report(f"{task.name}: {shown_text(task.result())} ({len(outcomes.finished)} of {every})")

    # Optuna: the settings of the file are one study, a search is another in the same database.

    def _open_fixed(self) -> None:
        """A trial for each setting of the file, numbered as they are. Another list of settings or seeds is another
        study. Not GridSampler, which asks for a running trial again, and ends outside of `optimize` with an error."""
        names = list(self.plan.settings)
        digest = sha256(json.dumps([names, self.sweep.seeds]).encode()).hexdigest()[:8]
        self._fixed = _open(self.folder, f"settings {digest}")
        for name in names:
            self._fixed.enqueue_trial({"setting": name}, skip_if_exists=True)
        while self._fixed.get_trials(deepcopy=False, states=(TrialState.WAITING,)):
            self._fixed.ask({"setting": CategoricalDistribution(names)})

    def _end_trial(self, name: str) -> None:
        """Tell Optuna the value of a setting all of whose runs are finished: their mean."""
        tasks = self.tasks([self.settings[name]])
        if all(task.is_finished for task in tasks):
            is_fixed = name in self.plan.settings
            number = list(self.plan.settings).index(name) if is_fixed else int(name.removeprefix("trial-"))
            measure, sign = self.sweep.maximize
            value = sign * fmean(task.rate(measure) for task in tasks)
            (self._fixed if is_fixed else self._search).tell(number, value, skip_if_finished=True)

    def _open_search(self, search: Search) -> None:
        self._parameters = {path: _parameter(self.plan, path, given) for path, given in search.parameters.items()}
        self._search = _open(self.folder, "search")
        # A sampler that goes on must not draw again what it drew first.
        self._search.sampler = _sampler(search.sampler, self.sweep.seeds[0] + len(self._search.trials))
        self._check_search(search)
        for trial in self._search.get_trials(deepcopy=False):
            # A command that was killed while it asked has left one without all its values.
            if trial.state != TrialState.FAIL and trial.params.keys() == self._parameters.keys():
                self._add_trial(trial)

    def _check_search(self, search: Search) -> None:
        measure, sign = self.sweep.maximize
        asked = {"parameters": search.model_dump(mode="json")["parameters"], "maximize": f"{sign}{measure}"}
        if self._search.user_attrs.get(ASKED, asked) != asked:
            raise ConfigError(
                f"{self.folder / DATABASE} has the trials of another search: other parameters or another measure. "
                "Change the sweep.yaml back, or begin another sweep"
            )
        self._search.set_user_attr(ASKED, asked)

    def _searched(self, trials: int) -> Iterator[Setting]:
        """The trials under way, then new ones, until there are enough."""
        for begun in self._search.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
            if _name(begun) in self.settings:
                yield self.settings[_name(begun)]
            else:
                self._search.tell(begun.number, state=TrialState.FAIL)
        while len(self._search.get_trials(deepcopy=False)) < trials:
            trial = self._search.ask({path: distribution for path, (distribution, _) in self._parameters.items()})
            try:
                yield self._add_trial(trial)
            except ConfigError as error:  # each value is good, but not with the others
                report(f"{_name(trial)} is left out: {error}")
                self._search.tell(trial, state=TrialState.FAIL)

    def _add_trial(self, trial: Trial | FrozenTrial) -> Setting:
        changes = {path: self._parameters[path][1].get(drawn, drawn) for path, drawn in trial.params.items()}
        name = _name(trial)
        self.settings[name] = Setting(name, self.plan.config(changes, "search.parameters"), changes)
        return self.settings[name]


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _name(trial: Trial | FrozenTrial) -> str:
    return f"trial-{trial.number:04}"


def _parameter(plan: Plan, path: str, given: Range | list[Any]) -> tuple[BaseDistribution, dict[Any, Any]]:
    """A parameter of a search as Optuna has it, and of choices the values by their texts, which Optuna knows.

    Raises ConfigError for an unknown field and for values of the wrong type.
    """
    where = f"search.parameters.{path}"
    for value in (given.low, given.high) if isinstance(given, Range) else given:
        plan.config({path: value}, where)
    try:
        if not isinstance(given, Range):
            choices = {str(value): value for value in given}
            return CategoricalDistribution(list(choices)), choices
        is_whole = all(isinstance(each, int) for each in (given.low, given.high, given.step or 1))
        kind = IntDistribution if is_whole else FloatDistribution
        return kind(**given.model_dump(exclude_none=True)), {}
    except ValueError as error:
        raise ConfigError(f"{plan.path}: {where}: {error}") from None


def _sampler(name: str, seed: int) -> BaseSampler:
    if name == "tpe":  # trials under way count as bad ones, so that those beside them are elsewhere
        return TPESampler(seed=seed, constant_liar=True)
    return GPSampler(seed=seed) if name == "gp" else RandomSampler(seed=seed)


def _open(folder: Path, name: str) -> optuna.Study:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    folder.mkdir(parents=True, exist_ok=True)
    # SQLite: what kill -9 leaves half-written is rolled back. Optuna's journal file could not be read any more.
    storage = f"sqlite:///{(folder / DATABASE).resolve()}"
    return optuna.create_study(storage=storage, study_name=name, direction="maximize", load_if_exists=True)


@contextmanager
def _database_errors(folder: Path) -> Iterator[None]:
    """What the database of a sweep in this folder has to say, as an OSError with one sentence."""
    try:
        yield
    except (OperationalError, optuna.exceptions.StorageInternalError) as error:
        why = getattr(error, "orig", None) or getattr(error.__cause__, "orig", None) or error
        raise OSError(f"{folder / DATABASE}: {why}; what was stored before is still there") from error
