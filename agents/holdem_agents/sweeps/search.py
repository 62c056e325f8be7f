"""A search by Optuna: trials whose values it chooses by the results of those before, kept in a database in the folder.

Optuna is the extra `optuna`, and only this module imports it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from holdem_env.utils.extras import explain_missing_extra

from ..parallel.runner import Runner
from ..training.config import ConfigError
from ..training.interrupts import tell
from .comparison import mean_of
from .results import numbers_of, rows_of_runs
from .runs import check_unchanged
from .settings import Plan, Setting
from .sweep_file import Range, Sweep, label_of
from .sweeping import Outcomes, run_tasks, tasks_of

DATABASE = "search.db"
STUDY = "sweep"
ASKED = "asked"


class Trials:
    """The trials of a sweep's search, in the database of its folder.

    Raises ModuleNotFoundError without Optuna, ConfigError if the database is of another search, or if one of the
    parameters is no field or has values of the wrong type.
    """

    def __init__(self, sweep: Sweep, plan: Plan, folder: Path) -> None:
        assert sweep.search is not None
        self._sweep, self._search, self._plan, self._folder = sweep, sweep.search, plan, folder
        self._check_parameters()
        with explain_missing_extra("a search"):
            import optuna
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._states = optuna.trial.TrialState
        folder.mkdir(parents=True, exist_ok=True)
        storage = optuna.storages.RDBStorage(f"sqlite:///{(folder / DATABASE).resolve()}")
        self._study: Any = optuna.create_study(
            storage=storage, study_name=STUDY, direction="maximize", load_if_exists=True
        )
        # A sampler that goes on must not draw again what it drew first.
        self._study.sampler = optuna.samplers.TPESampler(
            seed=sweep.seeds[0] + len(self._study.trials), constant_liar=True
        )
        self._check_study()

    def _check_parameters(self) -> None:
        for path, values in self._search.parameters.items():
            for value in (values.low, values.high) if isinstance(values, Range) else values:
                self._plan.config({path: value}, f"search.parameters.{path}")

    def _check_study(self) -> None:
        """Raise ConfigError if the trials in the database were asked for something else."""
        measure, sign = self._sweep.maximize
        asked = {"parameters": self._search.model_dump(mode="json")["parameters"], "maximize": f"{sign}{measure}"}
        before = self._study.user_attrs.get(ASKED)
        if before is None:
            self._study.set_user_attr(ASKED, asked)
        elif json.loads(json.dumps(asked)) != before:
            raise ConfigError(
                f"{self._folder / DATABASE} has the trials of another search: other parameters or another measure. "
                "Change the file of the sweep back, or give the sweep another --name"
            )

    def settings(self) -> list[Setting]:
        """The trials so far as settings: finished ones, and those under way."""
        return [self._setting(trial) for trial in self._study.trials if trial.state != self._states.FAIL]

    def _setting(self, trial: Any) -> Setting:
        changes = {path: self._value(path, trial.params[path]) for path in self._search.parameters}
        return Setting(f"trial-{trial.number:04}", self._plan.config(changes, "search.parameters"), changes)

    def _value(self, path: str, drawn: Any) -> Any:
        """The value that Optuna's stands for: of choices, Optuna knows the labels."""
        values = self._search.parameters[path]
        return drawn if isinstance(values, Range) else {label_of(value): value for value in values}[drawn]

    def _next(self, count: int) -> list[tuple[int, Setting]]:
        """So many trials to run, with their numbers: those under way first, then new ones."""
        chosen = [(trial.number, self._setting(trial)) for trial in self._study.trials if not trial.state.is_finished()]
        while len(chosen) < count and len(self._study.trials) < self._search.trials:
            trial = self._study.ask()
            for path, values in self._search.parameters.items():
                _suggest(trial, path, values)
            try:
                chosen.append((trial.number, self._setting(trial)))
            except ConfigError as error:  # each value is good, but not with the others
                tell(f"trial-{trial.number:04} is left out: {error}")
                self._study.tell(trial, state=self._states.FAIL)
        return chosen[:count]

    def run(self, runner: Runner, at_once: int, show: bool = True) -> Outcomes:
        """Run what is left of the trials, `at_once` of them at a time, each with all seeds.

        Ends early if a run fails or the user interrupts; trials under way go on the next time.
        """
        all_outcomes = Outcomes()
        while chosen := self._next(at_once):
            settings = [setting for _, setting in chosen]
            tasks = tasks_of(settings, self._sweep, self._folder)
            check_unchanged(tasks)
            outcomes = run_tasks(tasks, runner, show)
            all_outcomes.add(outcomes)
            if not outcomes.are_complete:
                break
            for (number, _), value in zip(chosen, self._values(settings), strict=True):
                self._study.tell(number, value)
        return all_outcomes

    def _values(self, settings: list[Setting]) -> Iterable[float]:
        """What each setting is worth to the search."""
        measure, sign = self._sweep.maximize
        tasks = tasks_of(settings, self._sweep, self._folder)
        numbers = numbers_of(rows_of_runs(tasks, self._sweep.measures), self._sweep.measures.plays)
        for setting in settings:
            mean = mean_of(numbers[measure][setting.name])
            assert mean is not None
            yield sign * mean.mean


def _suggest(trial: Any, path: str, values: Range | tuple[Any, ...]) -> None:
    """Let Optuna choose a value."""
    if not isinstance(values, Range):
        trial.suggest_categorical(path, [label_of(value) for value in values])
    elif values.is_whole:
        trial.suggest_int(path, values.low, values.high, step=values.step or 1, log=values.log)
    else:
        trial.suggest_float(path, values.low, values.high, step=values.step, log=values.log)


def described(changes: Mapping[str, Any]) -> str:
    """What a trial sets, in words."""
    return ", ".join(f"{path}={label_of(value)}" for path, value in changes.items())
