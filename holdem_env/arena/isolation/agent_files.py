"""An entrant: an untrusted folder or file, and what the organiser declares with it. Its jail holds copies of these
bytes, its fingerprint is made of them. Nothing outside the jail parses or imports them, and links are left out."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ...agents.named_files import named_in
from ...agents.names import AGENTS
from ...agents.python_files import PYTHON_SUFFIX
from ...agents.registry import CODE, ENTRY, FINAL
from .jail import check_hidden, is_seen
from .limits import FILES, PROGRAMS

MAX_FILES = 500
MAX_BYTES = 2**30  # of all files of an agent


def own_files(made_of: Mapping[str, Any]) -> list[Path]:
    """The files, absolute, each once. Raises ValueError if there are too many or they are too large."""
    found: dict[Path, None] = {}
    size = 0
    for path in (path for root in _roots(made_of) for path in _plain_files(Path(os.path.abspath(root)))):
        if path in found or is_seen(path):
            continue
        found[path] = None
        size += path.stat().st_size
        if len(found) > MAX_FILES:
            raise ValueError(f"{made_of.get('agent')}: an agent in isolation must have at most {MAX_FILES} files")
        if size > MAX_BYTES:
            raise ValueError(
                f"{made_of.get('agent')}: the files of an agent in isolation must have at most {MAX_BYTES:,} bytes, "
                f"got {size:,} with {path.name}"
            )
    return list(found)


def copy_files(made_of: Mapping[str, Any], folder: Path) -> None:
    """Copy the files into a folder, each under its own path. Raises as `own_files`."""
    for path in own_files(made_of):
        copy = folder / path.relative_to(path.anchor)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)


def copied_files(folder: Path) -> list[tuple[Path, Path]]:
    """The files that `copy_files` has copied: where they lay, and where they lie."""
    return [(Path(folder.anchor) / path.relative_to(folder), path) for path in _plain_files(folder)]


def _roots(made_of: Mapping[str, Any]) -> Iterator[Path]:
    """The files and folders that the organiser names: as the agent, in its parameters and commands, and declared."""
    agent = Path(str(made_of.get("agent")))
    if (agent / FINAL).is_file():
        agent = agent / FINAL
        yield agent
    if agent.name == FINAL and (agent.parent / CODE).is_dir():
        yield agent.parent / CODE
    elif agent.is_dir():
        yield agent
    elif agent.stem == ENTRY and agent.is_file():
        yield agent.parent
    named = named_in(made_of, any_name=True, opens_configs=False)
    yield from named.files
    yield from (Path(word) for words in named.commands for word in words if os.path.isdir(word))
    yield from map(Path, _listed(made_of.get(FILES)))


def _plain_files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    for folder, folders, _ in os.walk(root):
        folders.sort()
        with os.scandir(folder) as entries:
            yield from sorted(Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False))


def code_files(made_of: Mapping[str, Any]) -> list[Path]:
    """The files by which an agent is known: its own; of one that a package registers, that which defines it."""
    found = own_files(made_of)
    if point := AGENTS.declared().get(str(made_of.get("agent")).partition(":")[0]):
        place = Path(*point.module.split(".")).with_suffix(f".{PYTHON_SUFFIX}")
        found += [Path(each, place) for each in sys.path if Path(each, place).is_file()][:1]
    return found


def _listed(given: Any) -> list[str]:
    return [str(each) for each in (given if isinstance(given, list | tuple) else [given] if given else [])]


def programs(made_of: Mapping[str, Any]) -> list[Path]:
    """What the jail shows next to Python: the programs of the organiser's commands and those that are declared, each
    with what it is installed in. Raises ValueError if a declared one is missing."""
    named = named_in(made_of, any_name=True, opens_configs=False)
    commands = [words[0] for words in named.commands if not os.path.isfile(words[0])]
    found: dict[Path, None] = {}
    for word in [*commands, *(declared := _listed(made_of.get(PROGRAMS)))]:
        program = word if os.path.isdir(word) else shutil.which(word)
        if program is None and word in declared:
            raise ValueError(f"{PROGRAMS}: must be programs or folders, got {word!r}, which is not installed")
        for path in dict.fromkeys((Path(program).absolute(), Path(program).resolve())) if program else ():
            found |= dict.fromkeys([path, _installation(path)])
    return [path for path in found if not is_seen(path)]


@cache
def _installation(program: Path) -> Path:
    """The folder that a program is installed in: that of "bin" or of a version manager's "shims", if it is in one."""
    if program.is_dir():
        return program
    folder = program.parent.parent if program.parent.name in ("bin", "shims") else program.parent
    return program if folder in (Path("/"), Path.home(), Path.cwd()) else folder


def check_hidden_from(made_of: Sequence[Mapping[str, Any]], store: Path) -> None:
    """Raises ValueError if a store, or a file of one of these agents, lies where jails see more than copies, or the
    store is among an agent's files, under whatever name."""
    shown = [program for each in made_of for program in programs(each)]
    check_hidden(store, shown)
    for each in made_of:
        for path in own_files(each):
            check_hidden(path, shown)
            if path.samefile(store):
                raise ValueError(f"{store}: the agent {each.get('agent')} declares a folder with this file of results")
