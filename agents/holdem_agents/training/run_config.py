"""The configuration in a run folder: which kinds its learners are, and whether the run can go on with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .config import ConfigError, League, Learner, Training, checked_config, read_yaml

FIRST_KIND = "sb3"
"""The kind of all learners from before there was a choice."""
# The fields of a configuration that may change before a run is resumed.
FREE_TO_CHANGE = {"budget", "rounds", "evaluation", "sampling_temperature", "tensorboard", "checkpoint_minutes"}


def load_run_config(path: Path, before: Mapping[str, Any] | None = None) -> Training | League:
    """Read and check the configuration in a run folder. before: the one in the run's checkpoint, if there is one.

    A learner without `kind` is of the kind in the checkpoint; if that has none either, it is from before there was a
    choice. Opponents and members of a league keep the order that they have in `before`, because seats are drawn by
    their places. Raises ConfigError, or FileNotFoundError.
    """
    path, content = read_yaml(path)
    return checked_config(path, _in_order(with_kinds(content, before), before), ())


def _in_order(fields: Any, before: Any) -> Any:
    """Fields, and the fields in them, in the order that they have in `before`; new ones are the last."""
    if not isinstance(fields, Mapping) or not isinstance(before, Mapping):
        return fields
    names = [*(name for name in before if name in fields), *(name for name in fields if name not in before)]
    return {name: _in_order(fields[name], before.get(name)) for name in names}


def with_kinds(content: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The fields of a configuration with a `kind` for every learner: its own, else that in `before`, else SB3's."""
    members, old = content.get("learners"), (before or {}).get("learners", {})
    if not isinstance(members, Mapping):
        learner_alone: dict[str, Any] = _with_kind(dict(content), before)
        return learner_alone
    return {**content, "learners": {name: _with_kind(member, old.get(name)) for name, member in members.items()}}


def _with_kind(fields: Any, before: Mapping[str, Any] | None) -> Any:
    """Fields with a `learner`, and its kind in it. What is no such thing stays as it is, for the checks to tell."""
    learner = (fields.get("learner") or {}) if isinstance(fields, Mapping) else None
    if not isinstance(learner, Mapping):
        return fields
    kind = (before or {}).get("learner", {}).get("kind", FIRST_KIND)
    return {**fields, "learner": {"kind": kind, **learner}}


def fields_given(config: Training | League) -> dict[str, Any]:
    """The fields that a configuration was given, as JSON has them, and the kind of every learner."""
    given, whole = config.model_dump(mode="json", exclude_unset=True), config.model_dump(mode="json")
    return with_kinds(given, whole)


def check_resumable(config: Training | League, before: Mapping[str, Any], path: Path) -> None:
    """Raise ConfigError, naming the differences, if a run cannot be resumed with this configuration.

    before: the configuration in the checkpoint. path: the file of `config`.
    """
    now, fields = config.model_dump(mode="json"), type(config).model_fields
    # A checkpoint from before a field existed was made with the field's default.
    old = _whole(with_kinds({name: before.get(name, fields[name].default) for name in now}))
    mine, its = _learners(now), _learners(old)
    for name in mine.keys() & its.keys():
        given, kind = mine[name]["kind"], its[name]["kind"]
        if given != kind:
            raise ConfigError(
                f"{path} has changed since this run began: {name}.kind is {given!r}, but the run trains with {kind!r} "
                f"and can go on with nothing else. Set {name}.kind to {kind!r}, or begin a new run"
            )
    changed = [name for name in now if name not in FREE_TO_CHANGE and now[name] != old[name]]
    if changed:
        changes = "; ".join(f"{name} is {now[name]!r}, was {old[name]!r}" for name in changed)
        raise ConfigError(f"{path} has changed since this run began: {changes}. Begin a new run with it")


def _learners(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The settings of the learners of a whole configuration, by their places in it."""
    members = config.get("learners")
    if members is None:
        return {"learner": config["learner"]}
    return {f"learners.{name}.learner": member["learner"] for name, member in members.items()}


def _whole(config: dict[str, Any]) -> dict[str, Any]:
    """A configuration with the defaults of the settings that its learners lack."""
    for settings in _learners(config).values():
        settings.update(Learner(**settings).model_dump(mode="json"))
    return config
