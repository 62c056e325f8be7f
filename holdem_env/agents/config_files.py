"""Agent config files: small JSON or YAML files, written atomically."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..utils import yaml_files
from ..utils.atomic import write_atomically
from ..utils.plain_data import check_names, json_of

CONFIG_SUFFIXES = ("json", "yaml", "yml")
"""The suffixes of agent config files, without the dot."""
LARGEST = 2**20
"""Bytes of a config file."""


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
        text = yaml_files.dumps(config)
    write_atomically(path, text)


def read_config(path: Path) -> dict[str, Any]:
    """The config in a file. Raises ValueError if the file holds no config."""
    suffix = _checked_suffix(path)
    if (size := path.stat().st_size) > LARGEST:
        raise ValueError(f"{path}: not the config of an agent ({size:,} bytes; the largest has {LARGEST:,})")
    try:
        text = path.read_text(encoding="utf-8")
        config = json_of(text) if suffix == "json" else yaml_files.loads(text)
        if isinstance(config, dict):
            check_names(config)
    except ValueError as error:
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
