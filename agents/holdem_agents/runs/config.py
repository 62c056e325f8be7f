"""Configurations: YAML files and the folders of runs that hold them, read and checked by their kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from holdem_env.game.presets import PRESETS
from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.plain_data import check_names
from holdem_env.utils.suggestions import did_you_mean, suggestion

from .files import CONFIG

BY_NAME = {"rules": "preset", "base": "config"}
"""Fields that are the name of something, or that something with changes: then the name stands under this key."""


class Kind(NamedTuple):
    """A kind of run, both as "module:name", imported when it is used. config: what makes a configuration of its fields.
    trains: the class that trains by it, a `run.Trainable`."""

    config: str
    trains: str


KINDS = {
    "learner": Kind("holdem_agents.training.config:read_training", "holdem_agents.training.run:LearnerRun"),
    "league": Kind("holdem_agents.training.config:League", "holdem_agents.training.league.run:LeagueRun"),
    "blueprint": Kind(
        "holdem_env.solvers.blueprints.config:BlueprintConfig", "holdem_agents.training.blueprints.run:BlueprintRun"
    ),
    "values": Kind("holdem_agents.training.config:ValuesConfig", "holdem_agents.training.values.run:ValuesRun"),
}
"""The kinds of runs, by the field `kind` of a configuration."""
SWEEP_KIND: Final = "sweep"
"""The kind of a file that makes many runs (`sweeps.sweep_file`)."""
KIND_BY_FIELD = {
    "learners": "league",
    "sizes": "blueprint",
    "cards": "blueprint",
    "street": "values",
    "base": SWEEP_KIND,
}
"""Fields that tell the kind, so that it may be left out. Where there is none of them, one learner is trained."""
HARDWARE_FIELDS = {"learner.device", "learner.compile", "learner.autocast"}
"""Fields that say where and how a network computes."""
FREE_TO_CHANGE = {
    *("budget", "rounds", "examples", "epochs", "threads"),
    *("evaluation", "matches", "sampling_temperature"),
    *("tensorboard", "wandb", "checkpoint_minutes", "snapshots"),
    *HARDWARE_FIELDS,
}
"""The fields of a configuration that may change before a run is resumed."""


class ConfigError(ValueError):
    """A configuration that cannot be used. The message names the file, the field, and what would be right."""


def load_config(name: str | Path, changes: Sequence[str] = ()) -> Any:
    """Read and check the configuration of a run, of whatever kind. changes: other values, such as
    "learner.entropy=[0.02, 0.02]".

    Raises ConfigError, or FileNotFoundError.
    """
    path, content = read_yaml(name)
    if "agents" in content:
        raise ConfigError(f"{path}: this is a tournament; use holdem tournament {path.stem}")
    for change in changes:
        change_field(content, change)
    return checked_config(path, content, changes)


def kind_of(content: Mapping[str, Any]) -> str:
    """The kind of a configuration with these fields. Raises ValueError for an unknown one."""
    kind = content.get("kind") or next((KIND_BY_FIELD[name] for name in content if name in KIND_BY_FIELD), "learner")
    if kind not in (kinds := [*KINDS, SWEEP_KIND]):
        raise ValueError(f"kind: there is no {kind!r}: {suggestion(str(kind), kinds)}")
    return str(kind)


def checked_config(path: Path, content: Mapping[str, Any], changes: Sequence[str]) -> Any:
    """The configuration with these fields. path, changes: where they are from, for errors. Raises ConfigError."""
    with config_errors(path, changes):
        if (kind := kind_of(content)) == SWEEP_KIND:
            raise ConfigError(f"{path}: a configuration of one run is needed; this is a sweep, for holdem train")
        make: Callable[..., Any] = resolve_name(KINDS[kind].config)
        return make(**content)


def is_sweep(name: str | Path) -> bool:
    """Whether a file is that of a sweep. Raises as `load_config` for one that cannot be read."""
    path, content = read_yaml(name)
    with config_errors(path):
        return kind_of(content) == SWEEP_KIND


def find_config(name: str | Path) -> Path:
    """The file of this path, or a configuration that comes with the package: "demo", "demo.yaml", "configs/demo.yaml".

    Raises FileNotFoundError, which names the nearest, or lists those that come with the package.
    """
    path = Path(name)
    if path.is_file():
        return path
    shipped = shipped_configs()
    if path.stem in shipped and path.suffix in ("", ".yaml") and str(path.parent) in (".", "configs"):
        return shipped[path.stem]
    near = did_you_mean(path.stem, sorted(shipped))
    if str(name) in PRESETS:
        near = f"{name} is a game, which a configuration gets by --set rules={name}"
    hint = near or f"holdem comes with {', '.join(sorted(shipped))}"
    raise FileNotFoundError(f"{path}: there is no such file; {hint}")


def shipped_configs() -> dict[str, Path]:
    """The configurations that come with the package, by name."""
    folder = Path(str(files("holdem_agents.configs")))
    return {path.stem: path for path in folder.glob("*.yaml")}


def read_yaml(name: str | Path) -> tuple[Path, dict[str, Any]]:
    """The path of a configuration and the content of its file. Raises ConfigError, or FileNotFoundError."""
    path = find_config(name)
    try:
        content = yaml_files.load(path)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: a configuration is a list of `name: value` lines; this is {type(content).__name__}")
    try:
        check_names(content)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    return path, content


@contextmanager
def config_errors(path: Path | str, changes: Sequence[str] = ()) -> Iterator[None]:
    """Turn pydantic's errors into a ConfigError that names the fields, and the file or the change that is wrong."""
    try:
        yield
    except ConfigError:
        raise
    except ValidationError as error:
        texts = [(error_text(each), _change_of(each, changes)) for each in error.errors()]
        lines = [f"{path if change is None else f'--set {change}'}: {text}" for text, change in texts]
        raise ConfigError("\n".join(lines)) from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None


def _change_of(error: Any, changes: Sequence[str]) -> str | None:
    """The change that one of pydantic's errors is about; None if it is about the file."""
    place = ".".join(map(str, error["loc"]))
    for change in changes:
        field = change.partition("=")[0].strip()
        parent, _, name = field.rpartition(".")
        if f"{place}.".startswith(f"{field}.") or (place == parent and f"no field {name!r}" in error["msg"]):
            return change
    return None


def change_field(content: dict[str, Any], change: str) -> None:
    """Set one field from text: its dotted path, an equals sign, and the value as YAML."""
    path, equals, value = change.partition("=")
    try:
        new = yaml_files.loads(value)
    except ValueError:
        new, equals = None, ""
    if not equals or not path.strip().split(".")[-1]:
        raise ConfigError(f"--set: {change!r} does not set a field; an example that does: learner.entropy=[0.02,0.02]")
    try:
        set_field(content, path.strip(), new)
    except ValueError as error:
        raise ConfigError(f"--set: {change!r}: {error}") from None


def error_text(error: Any) -> str:
    """One of pydantic's errors as text: the field, the message, and the value that was given."""
    field = ".".join(map(str, error["loc"]))
    message = _plain(error["msg"].removeprefix("Value error, "))
    given = "" if error["type"] in ("value_error", "missing") else f", not {error['input']!r}"
    return f"{field + ': ' if field else ''}{message}{given}"


def _plain(message: str) -> str:
    """What pydantic says of text that is not a number, as a person says it."""
    return re.sub(r"Input should be a valid (\w+), unable to parse string as an? \w+", _needed, message)


def _needed(found: re.Match[str]) -> str:
    return {"integer": "give a whole number", "number": "give a number"}.get(found[1], f"give a valid {found[1]}")


def load_run_config(path: Path, before: Mapping[str, Any] | None = None) -> Any:
    """Read and check the configuration in a run folder. before: the one in the run's checkpoint, if there is one.

    Opponents and members of a league keep the order that they have in `before`, because seats are drawn by their
    places. Raises ConfigError, or FileNotFoundError.
    """
    path, content = read_yaml(path)
    return checked_config(path, _in_order(content, before), ())


def change_run_config(folder: Path, changes: Sequence[str]) -> None:
    """Write changes, such as "budget={seconds: 60}", to the configuration in a run folder, unless the run cannot go on
    with them.

    Raises ConfigError, and changes nothing, for changes of other fields than FREE_TO_CHANGE.
    """
    path, content = read_yaml(folder / CONFIG)
    before = checked_config(path, content, ()).model_dump(mode="json")
    changed = deepcopy(content)
    for change in changes:
        change_field(changed, change)
    check_resumable(checked_config(path, changed, changes), before, path)
    write_atomically(path, yaml_files.dumps(changed))


def _in_order(fields: Any, before: Any) -> Any:
    """Fields, and the fields in them, in the order that they have in `before`; new ones are the last."""
    if not isinstance(fields, Mapping) or not isinstance(before, Mapping):
        return fields
    names = [*(name for name in before if name in fields), *(name for name in fields if name not in before)]
    return {name: _in_order(fields[name], before.get(name)) for name in names}


def check_resumable(config: Any, before: Mapping[str, Any], path: Path) -> None:
    """Raise ConfigError, naming the differences, if a run cannot be resumed with this configuration.

    before: the configuration in the checkpoint. path: the file of `config`.
    """
    if changes := differences(config.model_dump(mode="json"), before, FREE_TO_CHANGE):
        raise ConfigError(f"{path} has changed since this run began: {changes}. Begin a new run with it")


def differences(now: Mapping[str, Any], before: Mapping[str, Any], free: Collection[str] = ()) -> str:
    """The fields in which two configurations differ, in words; free: those that do not count.

    >>> differences({"learner": {"kind": "sb3"}, "seed": 1}, {"learner": {"kind": "ppo"}, "seed": 0}, {"seed"})
    "learner.kind is 'sb3', was 'ppo'"
    """
    mine, its = dict(_leaves(now)), dict(_leaves(before))
    changed = [
        path
        for path in mine | its
        if mine.get(path) != its.get(path) and not {path, path.partition(".")[0]} & set(free)
    ]
    return "; ".join(f"{path} is {mine.get(path)!r}, was {its.get(path)!r}" for path in changed)


def _leaves(content: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """All values by the dotted paths of their fields."""
    for name, value in content.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def set_field(content: dict[str, Any], path: str, value: Any) -> None:
    """Set the field at this path. The mappings and lists on the way to it are copied, so that those who share them
    see no change. Raises ValueError for a path through something that has no such place.

    >>> fields = {"rules": "leduc", "learner": {"entropy": [0.02, 0.01]}}
    >>> set_field(fields, "learner.entropy.1", 0.0)
    >>> set_field(fields, "rules.stacks", 40)
    >>> fields
    {'rules': {'preset': 'leduc', 'stacks': 40}, 'learner': {'entropy': [0.02, 0.0]}}
    """
    *parents, name = path.split(".")
    at: Any = content
    for key in parents:
        place = _place(at, key)
        inner = at.get(place, {}) if isinstance(at, dict) else at[place]
        if key in BY_NAME and isinstance(inner, str):
            inner = {BY_NAME[key]: inner}
        if not isinstance(inner, dict | list):
            raise ValueError(f"{key} is {inner!r}, which has no {name!r}")
        at[place] = inner = inner.copy()
        at = inner
    at[_place(at, name)] = value


def _place(at: Any, key: str) -> str | int:
    if isinstance(at, dict):
        return key
    if not key.isdecimal() or int(key) >= len(at):
        raise ValueError(f"{at!r} has no place {key!r}; its places are 0 to {len(at) - 1}")
    return int(key)
