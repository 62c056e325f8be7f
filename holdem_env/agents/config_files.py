"""Agent config files: small JSON or YAML files, written atomically."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CONFIG_SUFFIXES = ("json", "yaml", "yml")
"""The suffixes of agent config files, without the dot."""


def write_config(path: Path, config: Mapping[str, Any]) -> None:
    """Write a config. Raises ValueError, and writes nothing, for another suffix or a value that is not plain data."""
    suffix = _checked_suffix(path)
    try:
        text = json.dumps(config, indent=2) + "\n"
    except TypeError:
        wrong = [name for name, value in config.items() if not _is_plain(value)]
        raise ValueError(
            f"{path}: the parameter {wrong[0]!r} is {config[wrong[0]]!r}, which cannot be written to a file; give "
            "text or a number"
        ) from None
    if suffix != "json":
        text = _yaml(path).safe_dump(dict(config), sort_keys=False)
    unfinished = path.with_name(path.name + ".partial")
    unfinished.write_text(text)
    unfinished.replace(path)


def read_config(path: Path) -> dict[str, Any]:
    """The config in a file. Raises ValueError if the file holds no config."""
    text = path.read_text()
    try:
        config = json.loads(text) if _checked_suffix(path) == "json" else _yaml(path).safe_load(text)
    except Exception as error:  # PyYAML's exceptions can be named only where it is installed
        if isinstance(error, ImportError):
            raise
        raise ValueError(f"{path}: not the config of an agent ({error})") from None
    if not isinstance(config, dict):
        raise ValueError(f"{path}: not the config of an agent, such as {{'agent': 'maniac', 'seed': 1}}")
    return config


def _checked_suffix(path: Path) -> str:
    suffix = path.suffix.removeprefix(".")
    if suffix not in CONFIG_SUFFIXES:
        raise ValueError(f"{path}: the config of an agent goes into a .json or .yaml file, not '.{suffix}'")
    return suffix


def _is_plain(value: object) -> bool:
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True


def _yaml(path: Path) -> Any:
    try:
        import yaml
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{path}: YAML needs PyYAML (pip install pyyaml); .json needs nothing") from error
    return yaml
