"""The settings of a sweep: the configurations that its file asks for, by the names of their folders."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from ..training.config import ConfigError, Training, config_errors, read_yaml
from ..training.field_paths import set_field
from .sweep_file import Changes, Factors, Sweep

BASE = "base"
GIVEN = {
    "seed": "seeds",
    "budget": "budget",
    "evaluation": "measures",
}
"""Fields that a sweep sets the same way for all settings, and where its file says how."""
LONGEST = 120
"""Characters of a folder's name."""
RESERVED = re.compile(r"seed-\d+|trial-\d+")


@dataclass(frozen=True)
class Setting:
    """One configuration of a sweep. name: of its folder. changes: how it differs from the base."""

    name: str
    config: Training
    changes: Mapping[str, Any]


@dataclass
class Plan:
    """Everything that a sweep runs, besides a search.

    settings: by name; equal ones are one. one_at_a_time: factor -> label -> name of the setting. levels: of the crossed
    factors, factor -> labels. cells: labels of the crossed factors, in their order -> name of the setting. unseeded:
    the base's fields, with what the sweep sets.
    """

    where: Path
    unseeded: dict[str, Any]
    settings: dict[str, Setting] = field(default_factory=dict)
    one_at_a_time: dict[str, dict[str, str]] = field(default_factory=dict)
    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    cells: dict[tuple[str, ...], str] = field(default_factory=dict)

    def config(self, changes: Changes, field_of_file: str) -> Training:
        """The base with these changes. field_of_file: where they stand, for messages. Raises ConfigError."""
        where = f"{self.where}: {field_of_file}"
        content = dict(self.unseeded)
        for path, value in changes.items():
            first = path.split(".")[0]
            if first in GIVEN:
                raise ConfigError(f"{where}: {path} is the same for all settings of a sweep; see its {GIVEN[first]!r}")
            if path == "learner.threads":
                raise ConfigError(f"{where}: {path}: every run of a sweep has one thread")
            self._fill(content, path)
            try:
                set_field(content, path, value)
            except ValueError as error:
                raise ConfigError(f"{where}: {error}") from None
        with config_errors(where):
            return Training(**content)

    def _fill(self, content: dict[str, Any], path: str) -> None:
        """Write the default of a list that a path leads into, such as learner.learning_rate of
        learner.learning_rate.0, unless the content has values of its own."""
        *parents, last = path.split(".")
        if not (last.isdecimal() and parents):
            return
        given: Any = content
        for key in parents:
            given = given.get(key) if isinstance(given, dict) else None
        if given is None:
            default: Any = Training(**content)
            for key in parents:
                default = getattr(default, key, None)
            if isinstance(default, tuple):
                set_field(content, ".".join(parents), list(default))

    def add(self, name: str, changes: Changes, field_of_file: str, config: Training | None = None) -> str:
        """Add a setting, unless an equal one is there; returns the name of the one that is. config: with the changes,
        if it is known already."""
        config = config or self.config(changes, field_of_file)
        same = [each.name for each in self.settings.values() if fingerprint(each.config) == fingerprint(config)]
        if same:
            return same[0]
        if name in self.settings or RESERVED.fullmatch(name):
            raise ConfigError(
                f"{self.where}: {field_of_file}: its folder would be {name!r}, which is another's; rename it"
            )
        self.settings[name] = Setting(name, config, changes)
        return name


def plan_of(path: Path, sweep: Sweep) -> Plan:
    """All settings of a sweep, each checked. path: of its file, for messages. Raises ConfigError."""
    plan = Plan(path, _base(path, sweep))
    base = plan.config({}, BASE)
    if sweep.one_at_a_time or sweep.search:
        plan.settings[BASE] = Setting(BASE, base, {})
    for factor, levels in sweep.one_at_a_time.items():
        plan.one_at_a_time[factor] = {
            label: plan.add(_slug(f"{factor}-{label}"), changes, f"one_at_a_time.{factor}.{label}")
            for label, changes in levels.items()
        }
    _cross(plan, sweep.crossed, base)
    return plan


def _cross(plan: Plan, crossed: Factors, base: Training) -> None:
    plan.levels = {factor: tuple(levels) for factor, levels in crossed.items()}
    for labels in product(*plan.levels.values()) if crossed else ():
        pairs = list(zip(crossed, labels, strict=True))
        changes: Changes = {}
        for factor, label in pairs:
            changes |= crossed[factor][label]
        where = "crossed." + " and ".join(f"{factor}.{label}" for factor, label in pairs)
        config = plan.config(changes, where)
        is_base = fingerprint(config) == fingerprint(base)
        name = BASE if is_base else _slug("_".join(f"{factor}-{label}" for factor, label in pairs))
        plan.cells[labels] = plan.add(name, changes, where, config)


def _base(path: Path, sweep: Sweep) -> dict[str, Any]:
    """The fields of the base configuration, with what the sweep sets for all settings."""
    content: dict[str, Any] = {"config": sweep.base} if isinstance(sweep.base, str) else dict(sweep.base)
    if "config" in content:
        changes = {name: value for name, value in content.items() if name != "config"}
        _, content = read_yaml(content["config"])
        content.pop("exploiters", None)  # no budget counts what training exploiters take
        for name, value in changes.items():
            try:
                set_field(content, str(name), value)
            except ValueError as error:
                raise ConfigError(f"{path}: base: {error}") from None
    if "learners" in content:
        raise ConfigError(f"{path}: base: this is a league; a sweep trains configurations of one learner")
    if sweep.budget is not None:
        content["budget"] = sweep.budget.model_dump(exclude_none=True)
    content |= {"seed": 0, "evaluation": sweep.measures.evaluation, "tensorboard": False, "wandb": None}
    set_field(content, "learner.threads", 1)
    return content


def fingerprint(config: Training) -> str:
    """Text that is the same for equal configurations, whatever their seed."""
    return json.dumps(config.model_dump(mode="json", exclude={"seed"}), sort_keys=True)


def _slug(text: str) -> str:
    """Text as the name of a folder; what is long gets a digest for its end."""
    name = re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-._")
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 9]}-{sha256(name.encode()).hexdigest()[:8]}"
