"""An agent's own files: those that its configuration names, and those that its Python files import from their folder.
Its jail holds copies of them; its fingerprint is made of them. A config file may be a stranger's, so what it names lies
in its folder."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from ...agents.named_files import named_in
from ...agents.names import AGENTS
from ...agents.python_files import PYTHON_SUFFIX, imported_beside
from .jail import check_hidden, is_seen
from .limits import FILES

MOST_FILES = 500
MOST_BYTES = 2**30
"""Of all files of an agent."""


def own_files(made_of: Mapping[str, Any]) -> list[Path]:
    """The files, absolute, each once. Raises ValueError if there are too many or they are too large, if a config file
    names what is not in its folder, or if a file that nobody has named is a link to somewhere else."""
    named = named_in(made_of, any_name=True, confined=True)
    allowed = [path.resolve() for path in _declared(made_of)]
    for path, config in named.outside:
        is_allowed = any(path.resolve().is_relative_to(declared) for declared in allowed)
        if not is_allowed and not is_seen(Path(os.path.abspath(path))):
            raise ValueError(
                f"{config}: names {path}, which is not in its folder; if the agent may read that, name it in the "
                f"tournament's own file, or declare it there in `{FILES}`"
            )
    found: dict[Path, None] = {}
    for path in named.files:
        _add(Path(os.path.abspath(path)), found)
    folders = [Path(word) for words in named.commands for word in words if os.path.isdir(word)]
    for declared in [*_declared(made_of), *folders]:
        for path in sorted(declared.rglob("*")) if declared.is_dir() else [declared]:
            if path.is_file():
                _check_inside(path, declared)
                _add(Path(os.path.abspath(path)), found)
    if len(found) > MOST_FILES:
        raise ValueError(
            f"{made_of.get('agent')}: {len(found):,} files; an agent in isolation has at most {MOST_FILES}"
        )
    own = [path for path in found if not is_seen(path)]
    if (size := sum(path.stat().st_size for path in own)) > MOST_BYTES:
        raise ValueError(
            f"{made_of.get('agent')}: {size:,} bytes of files; an agent in isolation has at most {MOST_BYTES:,}"
        )
    return own


def code_files(made_of: Mapping[str, Any]) -> list[Path]:
    """The files by which an agent is known: its own; of one that a package registers, that which defines it."""
    found = own_files(made_of)
    for point in entry_points(group=AGENTS, name=str(made_of.get("agent")).partition(":")[0]):
        place = Path(*point.module.split(".")).with_suffix(f".{PYTHON_SUFFIX}")
        found += [Path(each, place) for each in sys.path if Path(each, place).is_file()][:1]
    return found


def _declared(made_of: Mapping[str, Any]) -> list[Path]:
    given = made_of.get(FILES) or []
    return [Path(each) for each in (given if isinstance(given, list | tuple) else [given])]


def _add(path: Path, found: dict[Path, None]) -> None:
    """Add a file, and what it imports if it is Python."""
    if path in found:
        return
    found[path] = None
    if path.suffix == f".{PYTHON_SUFFIX}":
        for other in imported_beside(path):
            _check_inside(other, path.parent)
            _add(other, found)


def _check_inside(path: Path, folder: Path) -> None:
    """Raises ValueError for a link by which an agent would get a copy of somebody else's file."""
    place = path.resolve()
    if not (place.is_relative_to(folder.resolve()) or is_seen(place)):
        raise ValueError(
            f"{path}: a link to {place}, which is not in the agent's folder; if the agent may read that, "
            f"declare it in `{FILES}`, and remove the link"
        )


def programs(made_of: Mapping[str, Any]) -> list[Path]:
    """What runs the commands of an agent: its program, where that is installed, and its libraries."""
    found: list[Path] = []
    for words in named_in(made_of, any_name=True).commands:
        if not os.path.isfile(words[0]) and (program := shutil.which(words[0])):
            for path in dict.fromkeys((Path(program).absolute(), Path(program).resolve())):
                found += [path, _installation(path)]
    return [path for path in dict.fromkeys(found) if not is_seen(path)]


@cache
def _installation(program: Path) -> Path:
    """The folder that a program is installed in: that of "bin" or of a version manager's "shims", if it is in one."""
    folder = program.parent.parent if program.parent.name in ("bin", "shims") else program.parent
    return program if folder in (Path("/"), Path.home(), Path.cwd()) else folder


def check_store(path: Path, made_of: Mapping[str, Any]) -> None:
    """Raises ValueError for a store that every jail sees, or that is among an agent's files, under whatever name."""
    check_hidden(path)
    if any(path.samefile(own) for own in own_files(made_of) if own.is_file()):
        raise ValueError(f"{path}: the agent {made_of.get('agent')} declares a folder with this file of results")
