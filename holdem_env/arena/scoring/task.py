"""Tasks: a game, what is measured of an agent in it, with which seed and opponents, and how much at each budget.

A task is a YAML file. A figure can be compared with another of the same task and version, so whatever changes figures
gets a new name (`hu-20bb-v2`).
"""

from __future__ import annotations

import re
from functools import cached_property
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias, get_args

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError, field_validator, model_validator

from ...game.given_rules import as_rules
from ...game.rules import Rules
from ...game.street_names import STREETS
from ...solvers.trees.bet_sizes import BetSizes
from ...utils import yaml_files
from ...utils.registry import Registry
from ...utils.suggestions import suggestion
from ...utils.validation import Validated

Budget: TypeAlias = Literal["quick", "standard", "long"]
BUDGETS: tuple[Budget, ...] = get_args(Budget)
"""About 2 minutes, 30 minutes and 4 hours of two cores."""
SUFFIX = ".yaml"
NAME = re.compile(r"[a-z0-9-]+-v[1-9][0-9]*")
Amount = Annotated[int, Field(ge=0)]
Names = Annotated[tuple[str, ...], Field(min_length=1)]


class Amounts(Validated):
    """How much of something each budget has; 0 leaves it out."""

    quick: Amount
    standard: Amount
    long: Amount

    def of(self, budget: Budget) -> int:
        """How much a budget has."""
        amount: int = getattr(self, budget)
        return amount


class Exploitability(Validated):
    """Exact exploitability, NashConv / 2, in games small enough."""

    kind: Literal["exploitability"]


class Lbr(Validated):
    """Local best response in each set of actions from each street on. hands: of each of these settings."""

    kind: Literal["lbr"]
    actions: Names
    from_streets: Names = ("preflop",)
    hands: Amounts

    @field_validator("from_streets")
    @classmethod
    def _are_streets(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in STREETS:
                raise ValueError(f"there is no street {name!r}: {suggestion(name, STREETS)}")
        return names


class Matches(Validated):
    """Matches against anchors, by duplicate deals and AIVAT. hands: against each of them; of a game with a session,
    how many sessions."""

    kind: Literal["matches"]
    opponents: Names
    hands: Amounts


class Exploiter(Validated):
    """A learner that trains against the agent alone, then plays it. start: "fresh" with random weights, or "warm" with
    the agent's. actions: of a fresh one. seconds: of training. hands: of the match after it."""

    kind: Literal["exploiter"]
    start: Literal["fresh", "warm"]
    actions: str | None = None
    seconds: Amounts
    hands: Amounts


class Spots(Validated):
    """Fixed spots, each with both ranges: what a best response gains over the agent's strategy. file: of the spots,
    beside the task's (`spot_file`). sizes: the response's bets, as `BetSizes` takes them. spots: how many of them, from
    the first on. hands: in each spot, against its solution, of an agent that gives no probabilities."""

    kind: Literal["spots"]
    file: str
    sizes: str
    spots: Amounts
    hands: Amounts

    @field_validator("sizes")
    @classmethod
    def _are_sizes(cls, sizes: str) -> str:
        BetSizes.parse(sizes)
        return sizes


Measure = Annotated[Exploitability | Lbr | Matches | Exploiter | Spots, Field(discriminator="kind")]


class Task(Validated):
    """A task.

    name: with its version, such as "hu-20bb-v1". about: a line for people. rules: the game. seed: of all decks.
    measures: what is measured, in the order of the card.
    """

    name: str
    about: str
    rules: Annotated[Rules, BeforeValidator(as_rules)]
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    measures: Annotated[tuple[Measure, ...], Field(min_length=1)]
    _folder: Path = PrivateAttr(default=Path())

    @model_validator(mode="after")
    def _has_version(self) -> Self:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"name must end in its version, such as 'mine-v1', got {self.name!r}")
        return self

    def __repr__(self) -> str:
        return f"<Task {self.name}: {', '.join(measure.kind for measure in self.measures)}>"

    @cached_property
    def fingerprint(self) -> str:
        """What tells it from another task of the same name: a digest of its fields and its files."""
        digest = sha256(self.model_dump_json().encode())
        for measure in self.measures:
            if isinstance(measure, Spots):
                path = self.path_of(measure.file)
                digest.update(path.read_bytes() if path.is_file() else b"")  # the card says that it is missing
        return digest.hexdigest()[:16]

    def path_of(self, file: str) -> Path:
        """A file that the task names."""
        return self._folder / file


class _Tasks(Registry[Path]):
    """The files of tasks. An entry point is a package whose folder `tasks` has them."""

    def declared(self) -> dict[str, Path]:
        folders = (Path(str(files(point.value))) for point in sorted(entry_points(group=self.group)))
        return {path.stem: path for folder in folders for path in sorted(folder.glob(f"tasks/*{SUFFIX}"))}


TASKS = _Tasks("task", "holdem_env.tasks")


def load_task(given: str | Path | Task) -> Task:
    """A task by its name ("kuhn-v1"), from a YAML file, or as it is.

    Raises ValueError for an unknown name, naming the nearest, and for a file that is no task; FileNotFoundError.
    """
    if isinstance(given, Task):
        return given
    path = Path(given)
    if path.suffix != SUFFIX:
        path = TASKS.get(str(given))
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file; tasks are {', '.join(TASKS.names())}")
    content = yaml_files.load(path)
    if not isinstance(content, dict):
        raise ValueError(f"{path}: a task must be `name: value` lines, got {type(content).__name__}")
    try:
        task = Task(**content)
    except ValidationError as error:
        raise ValueError(f"{path}: {_in_words(error)}") from None
    task._folder = path.parent
    return task


def _in_words(error: ValidationError) -> str:
    first: Any = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place + ': ' if place else ''}{first['msg'].removeprefix('Value error, ')}"
