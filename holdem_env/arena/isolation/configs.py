"""What an agent is made of, where config files end."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...agents.config_files import CONFIG_SUFFIXES, read_config

NESTED = 10
"""Configs that name configs; more are a circle."""


def last_of(made_of: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The agent that a config names in the end, by its name or file, and its parameters."""
    name, parameters = str(made_of.get("agent")), dict(made_of)
    beside = Path()
    for _ in range(NESTED):
        path = next((path for path in (beside / name, Path(name)) if path.is_file()), None)
        if path is None or path.suffix.removeprefix(".") not in CONFIG_SUFFIXES:
            break
        inner: dict[str, Any] = {}
        with suppress(ValueError, OSError, ModuleNotFoundError, RecursionError):  # whoever makes the agent says it
            inner = read_config(path)
        if "agent" not in inner:
            break
        parameters = {**inner, **parameters, "agent": inner["agent"]}
        name, beside = str(inner["agent"]), path.parent
    return name, parameters
