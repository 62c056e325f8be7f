"""Rules as people give them: Rules, the name of a preset, a dict of fields, or the path of a YAML file."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..utils import yaml_files
from ..utils.plain_data import check_names
from ..utils.validation import what_is_wrong
from .presets import PRESETS, preset_fields
from .rules import Rules

RulesLike = Rules | str | PathLike[str] | Mapping[str, Any]
"""What every argument `rules` takes: Rules, a preset's name, a dict of fields (with `preset`: that preset
with changes), or the path of a YAML file with such fields."""
YAML_SUFFIXES = (".yaml", ".yml")


def as_rules(given: RulesLike | None) -> Rules:
    """Return Rules from a preset's name, a dict of fields, the path of a YAML file or Rules.

    None is Rules(), six-handed no-limit.

    Raises:
        ValueError: If the preset is unknown (the message suggests the nearest one) or a value is invalid.
        FileNotFoundError: If the file does not exist.
        TypeError: If `given` has another type.

    >>> as_rules({"preset": "heads-up-no-limit", "stacks": 40}).stacks
    40
    """
    if given is None:
        return Rules()
    if isinstance(given, Rules):
        return given
    fields = fields_of_rules(given)
    try:
        return Rules(**fields)
    except ValidationError as error:
        if isinstance(given, Mapping):
            raise
        raise ValueError(f"{given}: {what_is_wrong(error)}") from None


def fields_of_rules(given: str | PathLike[str] | Mapping[str, Any]) -> dict[str, Any]:
    """The fields of Rules that a preset's name, a dict or a YAML file stands for. Raises as `as_rules` does."""
    if isinstance(given, PathLike) or (isinstance(given, str) and _is_path(given)):
        return fields_of_rules(_read(Path(given)))
    if isinstance(given, str):
        return preset_fields(given)
    if not isinstance(given, Mapping):
        raise TypeError(
            "rules: give Rules, the name of a preset or a dict of fields, or the path of a YAML file, "
            f"not {given!r} ({type(given).__name__})"
        )
    check_names(given)
    fields = dict(given)
    preset = fields.pop("preset", None)
    return fields if preset is None else {**preset_fields(preset), **fields}


def _is_path(text: str) -> bool:
    return text not in PRESETS and (Path(text).suffix in YAML_SUFFIXES or len(Path(text).parts) > 1)


def _read(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        raise FileNotFoundError(f"rules: there is no file {path}")
    content = yaml_files.load(path)
    if not isinstance(content, Mapping):
        raise ValueError(f"{path}: give the fields of Rules as `name: value` lines; this is {type(content).__name__}")
    return content
