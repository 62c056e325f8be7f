"""Tasks: a game, what is measured of an agent in it, with which seed and opponents, and how much at each budget. A task
is a YAML file. Figures of one task and version can be compared, so whatever changes them gets a new name
(`hu-20bb-v2`)."""

from __future__ import annotations

import re
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, PrivateAttr, SerializeAsAny, ValidationError, model_validator

from ...game.rules import Rules
from ...game.rules_input import as_rules
from ...utils import yaml_files
from ...utils.registry import Registry, declared_points
from ...utils.validation import Validated, what_is_wrong
from .measure import Measure
from .measures import MEASURES

SUFFIX = ".yaml"
NAME = re.compile(r"[a-z0-9-]+-v[1-9][0-9]*")


def _of_kind(given: Any) -> Any:
    """A measure of a task as the class of its kind; what is none is left to pydantic."""
    if not isinstance(given, dict):
        return given
    return MEASURES.get(str(given.get("kind"))).model_validate(given)


class Task(Validated):
    """A task: a game and what is measured in it.

    Attributes:
        name: The name with its version, such as "hu-20bb-v1".
        about: A line of description.
        rules: The game.
        seed: Seed of all decks.
        measures: The measures, in the order of the card.
    """

    name: str
    about: str
    rules: Annotated[Rules, BeforeValidator(as_rules)]
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    measures: Annotated[tuple[Annotated[SerializeAsAny[Measure], BeforeValidator(_of_kind)], ...], Field(min_length=1)]
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
        """A digest of its fields and files, which tells it from another task of the same name."""
        digest = sha256(self.model_dump_json().encode())
        for measure in self.measures:
            for path in map(self.path_of, measure.files()):
                digest.update(path.read_bytes() if path.is_file() else b"")  # the card says that it is missing
        return digest.hexdigest()[:16]

    def path_of(self, file: str) -> Path:
        """A file that the task names."""
        return self._folder / file


class _Tasks(Registry[Path]):
    """The files of tasks. An entry point is a package whose folder `tasks` has them."""

    def declared(self) -> dict[str, Path]:
        folders = (Path(str(files(point.value))) for point in sorted(declared_points(self.group)))
        return {path.stem: path for folder in folders for path in sorted(folder.glob(f"tasks/*{SUFFIX}"))}


TASKS = _Tasks("task", "holdem_env.tasks")


def load_task(given: str | Path | Task) -> Task:
    """Return a task by its name ("kuhn-v1"), from a YAML file, or as it is.

    Raises:
        ValueError: If the name is unknown, with the nearest name, or if the file is not a task.
        FileNotFoundError: If the file does not exist.
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
        raise ValueError(f"{path}: {what_is_wrong(error)}") from None
    task._folder = path.parent
    return task
