"""The trials of a sweep, which Optuna keeps in `study.db` in its folder: one for each setting, with all seeds.

Trials are asked for and ended (Optuna's ask-and-tell interface) by the process of the command alone; what is done of a
run, its folder says. So a trial that was killed is still RUNNING the next time, and goes on.

The settings of the file are enqueued one by one. Optuna's GridSampler is of no use here: with several runs at a time it
asks for a trial that is still running again, and it ends outside of `Study.optimize` with an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from holdem_env.utils.extras import explain_missing_extra

from ..training.config import ConfigError
from ..training.interrupts import report
from .settings import Plan, Setting
from .sweep_file import Range, Search, Sweep, label_of

DATABASE = "study.db"
SEARCH, ASKED = "search", "asked"


@contextmanager
def explain_database_errors(folder: Path) -> Iterator[None]:
    """What the database of a sweep in this folder has to say, as an OSError with one sentence."""
    with explain_missing_extra("a sweep"):
        import optuna
        from sqlalchemy.exc import OperationalError
    try:
        yield
    except (OperationalError, optuna.exceptions.StorageInternalError) as error:
        why = getattr(error, "orig", None) or getattr(error.__cause__, "orig", None) or error
        raise OSError(f"{folder / DATABASE}: {why}; what was stored before is still there") from error


class Trials:
    """The trials of a study of Optuna. running: the numbers of those under way, by the names of their settings."""

    def __init__(self, folder: Path, name: str) -> None:
        with explain_missing_extra("a sweep"):
            import optuna
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        folder.mkdir(parents=True, exist_ok=True)
        # SQLite: what kill -9 leaves half-written is rolled back. Optuna's journal file could not be read any more.
        storage = f"sqlite:///{(folder / DATABASE).resolve()}"
        self._optuna: Any = optuna
        self._study = optuna.create_study(storage=storage, study_name=name, direction="maximize", load_if_exists=True)
        self.running: dict[str, int] = {}

    def tell(self, setting: str, value: float) -> None:
        """End the trial of a setting with its value."""
        self._study.tell(self.running.pop(setting), value)


class FixedTrials(Trials):
    """The settings that the sweep's file names. Another list of them is another study in the same database."""

    def __init__(self, folder: Path, settings: Iterable[str], seeds: Sequence[int]) -> None:
        names = list(settings)
        digest = sha256(json.dumps([names, seeds]).encode()).hexdigest()[:8]
        super().__init__(folder, f"settings {digest}")
        self._choices = self._optuna.distributions.CategoricalDistribution(names)
        known = {trial.params["setting"]: trial for trial in self._study.trials if trial.params}
        self._known = set(known)
        self.running = {name: trial.number for name, trial in known.items() if not trial.state.is_finished()}

    def begin(self, setting: str) -> None:
        """Make the trial of a setting, if there is none."""
        if setting not in self._known:
            self._known.add(setting)
            # One may be waiting already, after a kill between these two lines.
            self._study.enqueue_trial({"setting": setting}, skip_if_exists=True)
            self.running[setting] = self._study.ask({"setting": self._choices}).number


class SearchTrials(Trials):
    """The trials of a search, whose values one of Optuna's samplers chooses by the results of those before.

    Raises ConfigError if the database is of another search, or if one of the parameters is no field or has values of
    the wrong type.
    """

    def __init__(self, folder: Path, sweep: Sweep, search: Search, plan: Plan) -> None:
        self._search, self._plan = search, plan
        for path, values in search.parameters.items():
            for value in (values.low, values.high) if isinstance(values, Range) else values:
                plan.config({path: value}, f"search.parameters.{path}")
        super().__init__(folder, SEARCH)
        samplers = self._optuna.samplers
        seed = sweep.seeds[0] + len(self._study.trials)  # a sampler that goes on must not draw again what it drew first
        self._study.sampler = {
            # Trials under way count as bad ones, so that those beside them are elsewhere.
            "tpe": lambda: samplers.TPESampler(seed=seed, constant_liar=True),
            "gp": lambda: samplers.GPSampler(seed=seed),
            "random": lambda: samplers.RandomSampler(seed=seed),
        }[search.sampler]()
        self._check_search(folder, sweep)
        self._distributions = {path: self._distribution(values) for path, values in search.parameters.items()}
        under_way = [trial for trial in self._study.trials if not trial.state.is_finished()]
        self._left = [self._setting(trial) for trial in under_way]
        self.running = {setting.name: trial.number for setting, trial in zip(self._left, under_way, strict=True)}

    def _check_search(self, folder: Path, sweep: Sweep) -> None:
        """Raise ConfigError if the trials in the database were asked for something else."""
        measure, sign = sweep.maximize
        asked = {"parameters": self._search.model_dump(mode="json")["parameters"], "maximize": f"{sign}{measure}"}
        before = self._study.user_attrs.get(ASKED)
        if before is None:
            self._study.set_user_attr(ASKED, asked)
        elif json.loads(json.dumps(asked)) != before:
            raise ConfigError(
                f"{folder / DATABASE} has the trials of another search: other parameters or another measure. "
                "Change the file of the sweep back, or give the sweep another --name"
            )

    def _distribution(self, values: Range | tuple[Any, ...]) -> Any:
        of = self._optuna.distributions
        if not isinstance(values, Range):
            return of.CategoricalDistribution([label_of(value) for value in values])
        if values.is_whole:
            return of.IntDistribution(values.low, values.high, log=values.log, step=values.step or 1)
        return of.FloatDistribution(values.low, values.high, log=values.log, step=values.step)

    def settings(self) -> list[Setting]:
        """The trials so far as settings: finished ones, and those under way."""
        failed = self._optuna.trial.TrialState.FAIL
        return [self._setting(trial) for trial in self._study.trials if trial.state != failed]

    def _setting(self, trial: Any) -> Setting:
        changes = {path: self._value(path, trial.params[path]) for path in self._search.parameters}
        return Setting(f"trial-{trial.number:04}", self._plan.config(changes, "search.parameters"), changes)

    def _value(self, path: str, drawn: Any) -> Any:
        """The value that Optuna's stands for: of choices, Optuna knows the labels."""
        values = self._search.parameters[path]
        return drawn if isinstance(values, Range) else {label_of(value): value for value in values}[drawn]

    def next(self) -> Setting | None:
        """The setting of the next trial: those under way first, then new ones; None if there are enough."""
        if self._left:
            return self._left.pop(0)
        while len(self._study.trials) < self._search.trials:
            trial = self._study.ask(self._distributions)
            try:
                setting = self._setting(trial)
            except ConfigError as error:  # each value is good, but not with the others
                report(f"trial-{trial.number:04} is left out: {error}")
                self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
                continue
            self.running[setting.name] = trial.number
            return setting
        return None


def described(changes: Mapping[str, Any]) -> str:
    """What a setting sets, in words."""
    return ", ".join(f"{path}={label_of(value)}" for path, value in changes.items())
