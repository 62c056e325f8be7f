"""Which files an agent is made of: those that its config names, as the config's values or as words of a command."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .commands import COMMAND, beside, words_of
from .config_files import CONFIG_SUFFIXES, read_config
from .hub import SCHEME, download
from .names import agent_names

WRONG = (ValueError, TypeError, OSError, ModuleNotFoundError)  # making the agent says what is wrong


@dataclass
class Named:
    """What plain data names, such as the config of an agent, and the config files among it.

    files: in order, each once; those of commands, too. commands: by their words, files with their folders. any_name:
    whether names without a suffix count. opens_configs: whether what config files name counts.
    """

    any_name: bool = False
    opens_configs: bool = True
    files: dict[Path, None] = field(default_factory=dict)
    commands: list[list[str]] = field(default_factory=list)
    _seen: dict[int, Any] = field(default_factory=dict)  # by `id`: YAML may name one thing a billion times


def named_in(value: Any, any_name: bool = False, opens_configs: bool = True) -> Named:
    """The files and commands that plain data names.

    A text may be a file if it has a suffix, or with any_name; in a command every word may be one. A relative path in a
    config file begins at that file, or else at the working directory. That of an agent of the Hub is downloaded.
    opens_configs: whether config files are read; not where they may be untrusted.
    """
    found = Named(any_name, opens_configs)
    _collect(value, None, found)
    return found


def named_files(value: Any) -> list[Path]:
    """The files of `named_in`."""
    return list(named_in(value).files)


def named_from(folder: Path, value: Any) -> Any:
    """Plain data in which the files that lie in `folder` are named from there; other text stays. As in `named_in`, a
    text may be a file if it has a suffix, and so may every word of a command."""
    if isinstance(value, str):
        scheme, colon, rest = value.partition(":")
        if colon and scheme in agent_names():
            with suppress(ValueError):  # making the agent says what is wrong
                words = beside(rest, folder)
                return f"{scheme}:{shlex.join(words)}" if words != words_of(rest) else value
        return str(folder / value) if Path(value).suffix and (folder / value).is_file() else value
    if isinstance(value, Mapping):
        return {key: (_command_from if key == COMMAND else named_from)(folder, each) for key, each in value.items()}
    return [named_from(folder, each) for each in value] if isinstance(value, list | tuple) else value


def _command_from(folder: Path, command: Any) -> Any:
    with suppress(*WRONG):
        return beside(command, folder)
    return command


def _collect(value: Any, config: Path | None, found: Named) -> None:
    if isinstance(value, str):
        scheme, colon, rest = value.partition(":")
        if colon and scheme == SCHEME:
            with suppress(*WRONG):
                _add(download(rest), found)
        elif colon and scheme in agent_names():  # such as "program:./bot"
            _collect_command(rest, config, found)
        elif value and (Path(value).suffix or found.any_name):
            for path in dict.fromkeys([config.parent / value if config else Path(value), Path(value)]):
                _add(path, found)
    elif isinstance(value, Mapping | list | tuple) and id(value) not in found._seen:
        found._seen[id(value)] = value
        for key, each in value.items() if isinstance(value, Mapping) else enumerate(value):
            (_collect_command if key == COMMAND else _collect)(each, config, found)


def _collect_command(command: Any, config: Path | None, found: Named) -> None:
    with suppress(*WRONG):
        words = words_of(beside(command, config.parent) if config else command)
        found.commands.append(words)
        for word in words:
            _add(Path(word), found)


def _add(path: Path, found: Named) -> None:
    if not os.path.isfile(path) or path in found.files:
        return
    found.files[path] = None
    if found.opens_configs and path.suffix.removeprefix(".") in CONFIG_SUFFIXES:
        with suppress(*WRONG, RecursionError):
            _collect(read_config(path), path, found)
