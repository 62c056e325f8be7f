"""The configuration in a run folder, and whether the run can go on with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_atomically

from ..config import ConfigError, League, Training, change_field, checked_config, read_yaml
from .files import CONFIG

# The fields of a configuration that may change before a run is resumed.
FREE_TO_CHANGE = {
    "budget",
    "rounds",
    "evaluation",
    "sampling_temperature",
    "tensorboard",
    "wandb",
    "checkpoint_minutes",
}


def load_run_config(path: Path, before: Mapping[str, Any] | None = None) -> Training | League:
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


def check_resumable(config: Training | League, before: Mapping[str, Any], path: Path) -> None:
    """Raise ConfigError, naming the differences, if a run cannot be resumed with this configuration.

    before: the configuration in the checkpoint. path: the file of `config`.
    """
    now = config.model_dump(mode="json")
    mine, its = _learners(now), _learners(before)
    for name in mine.keys() & its.keys():
        given, kind = mine[name]["kind"], its[name]["kind"]
        if given != kind:
            raise ConfigError(
                f"{path} has changed since this run began: {name}.kind is {given!r}, but the run trains with {kind!r} "
                f"and can go on with nothing else. Set {name}.kind to {kind!r}, or begin a new run"
            )
    changed = [name for name in now if name not in FREE_TO_CHANGE and now[name] != before.get(name)]
    if changed:
        changes = "; ".join(f"{name} is {now[name]!r}, was {before.get(name)!r}" for name in changed)
        raise ConfigError(f"{path} has changed since this run began: {changes}. Begin a new run with it")


def _learners(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The settings of the learners of a configuration with all its fields, by their places in it."""
    members = config.get("learners")
    if members is None:
        return {"learner": config["learner"]}
    return {f"learners.{name}.learner": member["learner"] for name, member in members.items()}
