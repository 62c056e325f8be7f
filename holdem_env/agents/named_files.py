"""Which files an agent is made of: those that its config names, as the config's values or as words of a command."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .commands import COMMAND, words_of
from .config_files import CONFIG_SUFFIXES, read_config
from .names import agent_names

WRONG = (ValueError, OSError, ModuleNotFoundError)  # whoever makes the agent says what is wrong


def named_files(value: Any) -> list[Path]:
    """The files that plain data names, such as the config of an agent, and those that a config file among them names;
    in order, each once.

    A text is a file if it has a suffix; in a command every word may be one. A relative path in a config file begins at
    that file, or else at the working directory.
    """
    found: dict[Path, None] = {}
    _collect(value, Path(), found, {})
    return list(found)


def _collect(value: Any, beside: Path, found: dict[Path, None], seen: dict[int, Any]) -> None:
    """seen: what was looked through, by `id`: YAML may name one thing a billion times."""
    if isinstance(value, Mapping | list | tuple):
        if id(value) in seen:
            return
        seen[id(value)] = value
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key == COMMAND:
                _collect_command(each, beside, found)
            else:
                _collect(each, beside, found, seen)
    elif isinstance(value, list | tuple):
        for each in value:
            _collect(each, beside, found, seen)
    elif isinstance(value, str):
        scheme, colon, rest = value.partition(":")
        if colon and scheme in agent_names():  # such as "program:./bot"
            _collect_command(rest, beside, found)
        elif Path(value).suffix:
            _add(value, beside, found)


def _collect_command(command: Any, beside: Path, found: dict[Path, None]) -> None:
    with suppress(*WRONG, TypeError):
        for word in words_of(command):
            _add(word, beside, found)


def _add(name: str, beside: Path, found: dict[Path, None]) -> None:
    """Add a file, if there is one of this name, and the files that it names if it is a config."""
    path = next((path for path in (beside / name, Path(name)) if os.path.isfile(path)), None)
    if path is None or path in found:
        return
    found[path] = None
    if path.suffix.removeprefix(".") in CONFIG_SUFFIXES:
        with suppress(*WRONG):
            _collect(read_config(path), path.parent, found, {})
