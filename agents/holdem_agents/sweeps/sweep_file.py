"""The file of a sweep: its fields, their checks, and the settings that it asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from holdem_env.utils.validation import Validated, suggestion

from ..runs.config import SWEEP_KIND, ConfigError, change_field, config_errors, kind_of, read_yaml, set_field
from ..runs.files import EXPLOITABILITY
from ..training.config import Budget, Evaluation, Positive, Training, known_agents
from .baselines import BASELINES

BASE, EXPLOITER = "base", "exploiter"
LAST_WEIGHTS = f"{EXPLOITABILITY}, last weights"
SAME_FOR_ALL = {
    "seed": "its `seeds` set it",
    "budget": "its `budget` sets it",
    "evaluation": "its `measures` set it",
    "learner.threads": "every run has one thread",
}
"""Fields that are not factors, and why."""
RESERVED = re.compile(r"base|seed-\d+|trial-\d+")
LONGEST = 120  # characters of a folder's name

Changes = dict[str, Any]  # values by the dotted paths of their fields, such as {"learner.epochs": 3}
Levels = dict[str, Changes]  # what each level of a factor changes, by its label


def levels_of(factor: str, given: Any) -> dict[str, Any]:
    """The levels of a factor. In the short form, such as `learner.epochs: [1, 3]`, the factor is a field's path, and
    its values are the labels."""
    if given and isinstance(given, Mapping):
        return {str(label): changes for label, changes in given.items()}
    if not isinstance(given, list | tuple) or not given:
        raise ValueError(f"{factor} must be a list of values, or levels with what each of them sets, got {given!r}")
    levels = {str(value): {factor: value} for value in given}
    if len(levels) < len(given):
        raise ValueError(f"{factor} must have each value once, got {given!r}")
    return levels


def _factors(given: Any) -> Any:
    return {str(name): levels_of(str(name), of) for name, of in given.items()} if isinstance(given, Mapping) else given


def _once(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(set(values)) < len(values):
        raise ValueError(f"must have each entry once, got {list(values)}")
    return values


Factors = Annotated[dict[str, Levels], BeforeValidator(_factors)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]


class ExploiterMeasure(Validated):
    """An exploiter that trains against every run's agent.

    kind: "warm", which begins with the agent's weights, or "fresh", with random ones. decisions: for how many it
    trains. hands: of its match against the agent.
    """

    kind: Literal["warm", "fresh"] = "warm"
    decisions: Positive = 1_000_000
    hands: Positive = 20_000


class Measures(Validated):
    """What is measured of every run.

    matches: the anchors that its agent plays. hands: of each match at the end. times: how many evaluations there are
    during training, before the one at the end: the points of the curves. hands_in_training: of each of their matches.
    exploiter: train an exploiter against every run's agent, too. plays: which numbers the tables show; sweep.csv has
    both. exploitability: measure it exactly, in chips per hand, also during training. rank_by: the measure that orders
    the tables: one of the matches, by default the first, -exploiter or -exploitability.
    """

    matches: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_once), AfterValidator(known_agents)] = (
        "tight_aggressive",
        "pot_odds",
    )
    hands: Positive = 20_000
    times: Annotated[int, Field(ge=0)] = 0
    hands_in_training: Positive | None = None
    exploiter: ExploiterMeasure | None = None
    plays: Literal["sampling", "greedy"] = "sampling"
    exploitability: bool = False
    rank_by: str | None = None

    @model_validator(mode="after")
    def _ranked_by_a_measure(self) -> Self:
        self.direction(self.rank_by, "rank_by")
        return self

    def direction(self, name: str | None = None, field: str = "") -> tuple[str, int]:
        """A measure, and 1 if more of it is better, -1 if less is; by default the one that orders the tables.

        field: of the file, for messages. Raises ValueError unless it names a match or is -exploiter or -exploitability.
        """
        name = name or self.rank_by or self.matches[0]
        less = {EXPLOITER: self.exploiter, EXPLOITABILITY: self.exploitability}
        known = [*self.matches, *(f"-{each}" for each, is_measured in less.items() if is_measured)]
        if name not in known:
            wanted = ", or ".join(["one of measures.matches", *(f"-{each} with measures.{each}" for each in less)])
            raise ValueError(f"{field} must be {wanted}, got {name!r}: {suggestion(name, known)}")
        return name.removeprefix("-"), -1 if name.startswith("-") else 1

    @property
    def names(self) -> tuple[str, ...]:
        """All measures, in the order of the tables' columns."""
        exact = (EXPLOITABILITY, LAST_WEIGHTS) if self.exploitability else ()
        return (*self.matches, *([EXPLOITER] if self.exploiter else []), *exact)

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of every run."""
        shared = self.model_dump(include={"hands", "times", "hands_in_training", "exploitability"})
        return Evaluation(opponents=self.matches, past_selves=0, **shared)


class Range(Validated):
    """Numbers from low to high, both included, as Optuna's distributions have them; whole numbers if all are."""

    low: float | int
    high: float | int
    log: bool = False
    step: float | int | None = None


class Search(Validated):
    """A search by Optuna, which chooses each trial's values by the results of those before it.

    trials: how many, each with all seeds. parameters: by the paths of their fields, ranges or lists of choices.
    sampler: "tpe" (TPESampler), "gp" (GPSampler) or "random" (RandomSampler). maximize: the mean of this measure over
    the seeds; by default what the tables are ordered by.
    """

    trials: Positive
    parameters: Annotated[dict[str, Range | list[Any]], Field(min_length=1)]
    sampler: Literal["tpe", "gp", "random"] = "tpe"
    maximize: str | None = None


class Sweep(Validated):
    """A sweep: a base configuration, settings that differ from it, and what is measured of them.

    base: a configuration's name or file; such a name as `config:` with other fields; or all fields of a training. The
    training exploiters of a configuration that is named are left out.
    seeds: each setting is trained with each of them. budget: of every run, instead of the base's; give cpu_seconds to
    compare settings at equal processor time. baselines: of those that are no configurations (`baselines.py`), each with
    the budget in processor time. one_at_a_time: the base, and each level of each factor by itself.
    crossed: every combination of the factors' levels. measures: what is measured of every run. search: by Optuna.
    """

    kind: Literal["sweep"] = SWEEP_KIND
    base: str | dict[str, Any]
    seeds: Annotated[tuple[Seed, ...], Field(min_length=1), AfterValidator(_once)] = (0, 1, 2)
    budget: Budget | None = None
    baselines: Annotated[tuple[str, ...], AfterValidator(_once)] = ()
    one_at_a_time: Factors = {}
    crossed: Factors = {}
    measures: Measures = Measures()
    search: Search | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not (self.one_at_a_time or self.crossed or self.search):
            raise ValueError("the sweep is empty: give one_at_a_time, crossed or search")
        self.measures.direction(self.search.maximize if self.search else None, "search.maximize")
        for name in self.baselines:
            if name not in BASELINES:
                raise ValueError(f"baselines must be of {', '.join(BASELINES)}, got {name!r}")
        if self.baselines and self.measures.direction()[0] != EXPLOITABILITY:
            raise ValueError("measures.rank_by must be -exploitability with baselines, which play no matches")
        return self

    @property
    def maximize(self) -> tuple[str, int]:
        """What Optuna makes large, as `Measures.direction`."""
        return self.measures.direction(self.search.maximize if self.search else None)


@dataclass(frozen=True)
class Setting:
    """One configuration of a sweep. name: of its folder. changes: how it differs from the base. baseline: what is run
    instead of it, within its budget."""

    name: str
    config: Training
    changes: Changes
    baseline: str | None = None


@dataclass
class Plan:
    """A sweep and its settings, but for those of a search.

    settings: by name; equal ones are one. one_at_a_time: factor -> label -> name of the setting. cells: labels of the
    crossed factors, in their order -> name of the setting.
    """

    path: Path
    sweep: Sweep
    base: Training
    settings: dict[str, Setting] = field(default_factory=dict)
    one_at_a_time: dict[str, dict[str, str]] = field(default_factory=dict)
    cells: dict[tuple[str, ...], str] = field(default_factory=dict)

    def config(self, changes: Changes, where: str) -> Training:
        """The base with these changes. where: they stand in the file. Raises ConfigError."""
        where = f"{self.path}: {where}"
        content = self.base.model_dump(mode="json")
        for path, value in changes.items():
            if why := next((why for name, why in SAME_FOR_ALL.items() if f"{path}.".startswith(f"{name}.")), None):
                raise ConfigError(f"{where}: {path} must be the same for all settings of a sweep: {why}")
            try:
                set_field(content, path, value)
            except ValueError as error:
                raise ConfigError(f"{where}: {error}") from None
        with config_errors(where):
            return Training(**content)

    def add(self, part: str, labels: Mapping[str, str]) -> str:
        """Add the setting with these levels, unless an equal one is there; returns the name of the one that is.

        part: "one_at_a_time" or "crossed". labels: by factor.
        """
        factors = getattr(self.sweep, part)
        changes = {path: value for name, label in labels.items() for path, value in factors[name][label].items()}
        where = f"{part}.{' and '.join(f'{name}.{label}' for name, label in labels.items())}"
        config = self.config(changes, where)
        learners = [each for each in self.settings.values() if not each.baseline]
        if same := next((each.name for each in learners if each.config == config), None):
            return same
        is_base = config == self.base
        name = BASE if is_base else _slug("_".join(f"{name}-{label}" for name, label in labels.items()))
        if name in self.settings or (RESERVED.fullmatch(name) and not is_base):
            raise ConfigError(f"{self.path}: {where}: its folder must have a name of its own, got {name!r}; rename it")
        self.settings[name] = Setting(name, config, changes)
        return name


def _slug(text: str) -> str:
    """Text as the name of a folder; what is long gets a digest for its end."""
    name = re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-._")
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 9]}-{sha256(name.encode()).hexdigest()[:8]}"


def load_sweep(name: str | Path, changes: Sequence[str] = ()) -> Plan:
    """Read and check the file of a sweep, with all its settings. changes: other values of its fields, such as
    "base=sixmax_nolimit" or "budget.cpu_seconds=60". Raises ConfigError, or FileNotFoundError."""
    path, content = read_yaml(name)
    if "base" not in content:
        raise ConfigError(f"{path}: this is no sweep, which has a `base`")
    for change in changes:
        change_field(content, change)
    with config_errors(path, changes):
        sweep = Sweep(**content)
    plan = Plan(path, sweep, _base(path, sweep))
    if sweep.one_at_a_time or sweep.search:
        plan.settings[BASE] = Setting(BASE, plan.base, {})
    for factor, levels in sweep.one_at_a_time.items():
        plan.one_at_a_time[factor] = {label: plan.add("one_at_a_time", {factor: label}) for label in levels}
    for cell in product(*sweep.crossed.values()) if sweep.crossed else ():
        plan.cells[cell] = plan.add("crossed", dict(zip(sweep.crossed, cell, strict=True)))
    if sweep.baselines and plan.base.budget.cpu_seconds is None:
        raise ConfigError(f"{path}: budget must be in cpu_seconds with baselines, which make no decisions that compare")
    for name in sweep.baselines:
        if name in plan.settings:
            raise ConfigError(f"{path}: baselines: {name!r} must not be the name of a setting, too")
        plan.settings[name] = Setting(name, plan.base, {}, baseline=name)
    return plan


def _base(path: Path, sweep: Sweep) -> Training:
    """The base configuration, with what the sweep sets for all settings."""
    content: dict[str, Any] = {"config": sweep.base} if isinstance(sweep.base, str) else dict(sweep.base)
    if "config" in content:
        changes = content
        _, content = read_yaml(changes.pop("config"))
        content.pop("exploiters", None)  # no budget counts what training exploiters take
        for name, value in changes.items():
            try:
                set_field(content, str(name), value)
            except ValueError as error:
                raise ConfigError(f"{path}: base: {error}") from None
    if (kind := kind_of(content)) != "learner":
        raise ConfigError(f"{path}: base: this is a {kind}; a sweep trains configurations of one learner")
    if sweep.budget is not None:
        content["budget"] = sweep.budget.model_dump(exclude_none=True)
    content |= {"seed": 0, "evaluation": sweep.measures.evaluation, "tensorboard": False, "wandb": None}
    set_field(content, "learner.threads", 1)
    with config_errors(f"{path}: base"):
        return Training(**content)
