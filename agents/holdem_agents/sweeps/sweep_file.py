"""The file of a sweep: its fields and their checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from holdem_env.utils.validation import Validated, suggestion

from ..training.config import (
    Budget,
    ConfigError,
    Evaluation,
    Positive,
    change_field,
    config_errors,
    error_text,
    read_yaml,
)

EXPLOITER = "exploiter"
"""The name of the measure "what an exploiter takes"."""

Seed = Annotated[int, Field(ge=0, lt=2**32)]
Changes = dict[str, Any]
"""Values by the dotted paths of their fields, such as {"learner.epochs": 3}."""


def factors(given: Any) -> Any:
    """Factors with the changes of each level by its label.

    In the short form, such as `learner.epochs: [1, 3]`, a factor is the path of a field, and its levels are values;
    then the values are the labels.
    """
    if not isinstance(given, Mapping):
        raise ValueError("give factors, such as learner.epochs: [1, 3] or size: {small: {learner.hidden: [64]}}")
    return {str(factor): _levels(str(factor), levels) for factor, levels in given.items()}


def _levels(factor: str, given: Any) -> dict[str, Changes]:
    if isinstance(given, list | tuple):
        levels = {label_of(value): {factor: value} for value in given}
        if len(levels) < len(given):
            raise ValueError(f"{factor}: a level is there twice")
    elif isinstance(given, Mapping):
        levels = {str(label): _changes(factor, label, changes) for label, changes in given.items()}
    else:
        raise ValueError(f"{factor}: give a list of values, or the changes of each level by its label; not {given!r}")
    if not levels:
        raise ValueError(f"{factor}: a factor without levels")
    return levels


def _changes(factor: str, label: Any, given: Any) -> Changes:
    if not isinstance(given, Mapping):
        raise ValueError(
            f"{factor}.{label}: give the fields that it sets, such as {{learner.epochs: 3}}, not {given!r}"
        )
    return {str(path): value for path, value in given.items()}


def label_of(value: Any) -> str:
    """What a value is called in tables: "3", "0.04, 0.015", "all"."""
    if isinstance(value, list | tuple):
        return ", ".join(map(label_of, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {label_of(inner)}" for name, inner in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


Factors = Annotated[dict[str, dict[str, Changes]], BeforeValidator(factors)]
"""Factor -> label of a level -> what the level changes."""


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
    during training, besides the one at the end: the points of the curves. hands_in_training: of each of their matches.
    exploiter: train an exploiter against every run's agent, too. plays: which numbers the tables show; sweep.csv has
    both. rank_by: the measure that orders the tables: one of the matches, by default the first, or -exploiter.
    """

    matches: Annotated[tuple[str, ...], Field(min_length=1)] = ("tight_aggressive", "pot_odds")
    hands: Positive = 20_000
    times: Annotated[int, Field(ge=0)] = 0
    hands_in_training: Positive | None = None
    exploiter: ExploiterMeasure | None = None
    plays: Literal["sampling", "greedy"] = "sampling"
    rank_by: str | None = None

    @field_validator("matches")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        try:
            Evaluation(opponents=names)
        except ValidationError as error:
            raise ValueError(error_text(error.errors()[0]).removeprefix("opponents: ")) from None
        if len(set(names)) < len(names):
            raise ValueError(f"{list(names)} has an opponent twice")
        return names

    @model_validator(mode="after")
    def _ranked_by_a_measure(self) -> Self:
        self.check(self.rank_by, "rank_by")
        return self

    def check(self, name: str | None, field: str) -> None:
        """Raise ValueError for what is no measure that could be made larger: a match, or -exploiter."""
        known = [*self.matches, *([f"-{EXPLOITER}"] if self.exploiter else [])]
        if name is not None and name not in known:
            why = "; measures.exploiter is not given" if name.lstrip("-") == EXPLOITER else ""
            raise ValueError(f"{field}: {name!r} is not measured{why}: {suggestion(name, known)}")

    @property
    def names(self) -> tuple[str, ...]:
        """All measures, in the order of the tables' columns."""
        return (*self.matches, *([EXPLOITER] if self.exploiter else []))

    @property
    def ranking(self) -> tuple[str, int]:
        """The measure that orders the tables, and 1 if more of it is better, -1 if less is."""
        name = self.rank_by or self.matches[0]
        return name.removeprefix("-"), -1 if name.startswith("-") else 1

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of every run."""
        return Evaluation(
            opponents=self.matches,
            hands=self.hands,
            times=self.times,
            hands_in_training=self.hands_in_training,
            past_selves=0,
        )


class Range(Validated):
    """Numbers from low to high, both included; whole numbers if both are. log: spread evenly over their logarithms.
    step: only low, low + step and so on."""

    low: float | int
    high: float | int
    log: bool = False
    step: float | int | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.low < self.high:
            raise ValueError(f"low: {self.low} is not below high, {self.high}")
        if self.log and self.low <= 0:
            raise ValueError(f"low: {self.low}; with log, it must be above 0")
        if self.step is not None and (self.log or self.step <= 0):
            raise ValueError("step: give a number above 0, and no log")
        return self

    @property
    def is_whole(self) -> bool:
        """Whether its numbers are whole."""
        return isinstance(self.low, int) and isinstance(self.high, int) and not isinstance(self.step, float)


def _parameter(path: str, given: Any) -> Any:
    if isinstance(given, Mapping):
        try:
            return Range(**given)
        except ValidationError as error:
            raise ValueError(f"{path}: {error_text(error.errors()[0])}") from None
    if not (isinstance(given, list | tuple) and given):
        raise ValueError(f"{path}: give {{low: ..., high: ...}} or a list of choices, not {given!r}")
    if len({label_of(value) for value in given}) < len(given):
        raise ValueError(f"{path}: a choice is there twice")
    return given


class Search(Validated):
    """A search by Optuna, which chooses each trial's values by the results of those before it.

    trials: how many, each with all seeds. parameters: by the paths of their fields, ranges or lists of choices.
    sampler: "tpe" (TPESampler), "gp" (GPSampler) or "random" (RandomSampler). maximize: the mean of this measure over
    the seeds; by default what the tables are ordered by.
    """

    trials: Positive
    parameters: Annotated[dict[str, Range | tuple[Any, ...]], Field(min_length=1)]
    sampler: Literal["tpe", "gp", "random"] = "tpe"
    maximize: str | None = None

    @field_validator("parameters", mode="before")
    @classmethod
    def _ranges_or_choices(cls, given: Any) -> Any:
        return {path: _parameter(path, values) for path, values in given.items()} if isinstance(given, dict) else given


class Sweep(Validated):
    """A sweep: a base configuration, settings that differ from it, and what is measured of them.

    base: a configuration's name or file; such a name as `config:` with other fields; or all fields of a training. The
    training exploiters of a configuration that is named are left out.
    seeds: each setting is trained with each of them. budget: of every run, instead of the base's; give cpu_seconds to
    compare settings at equal processor time. one_at_a_time: each level of each factor by itself, besides the base.
    crossed: every combination of the factors' levels. measures: what is measured of every run. search: by Optuna.
    """

    base: str | dict[str, Any]
    seeds: Annotated[tuple[Seed, ...], Field(min_length=1)] = (0, 1, 2)
    budget: Budget | None = None
    one_at_a_time: Factors = {}
    crossed: Factors = {}
    measures: Measures = Measures()
    search: Search | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not (self.one_at_a_time or self.crossed or self.search):
            raise ValueError("the sweep is empty: give one_at_a_time, crossed or search")
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError(f"seeds: {list(self.seeds)} has a seed twice")
        if self.search:
            self.measures.check(self.search.maximize, "search.maximize")
        return self

    @property
    def maximize(self) -> tuple[str, int]:
        """What the search makes large, as `Measures.ranking`."""
        name = self.search.maximize if self.search else None
        return self.measures.model_copy(update={"rank_by": name}).ranking if name else self.measures.ranking


def load_sweep(name: str | Path, changes: Sequence[str] = ()) -> tuple[Path, Sweep]:
    """Read and check the file of a sweep. changes: other values of its fields, such as "base=sixmax_nolimit" or
    "budget.cpu_seconds=60".

    Returns its path, too. Raises ConfigError, or FileNotFoundError.
    """
    path, content = read_yaml(name)
    if "base" not in content:
        raise ConfigError(f"{path}: this is no sweep, which has a `base`; a configuration is for holdem train")
    for change in changes:
        change_field(content, change)
    with config_errors(path, changes):
        return path, Sweep(**content)
