"""Fingerprints: what an agent is, in code and parameters, so that a store notices when its name stands for another. The
code is that of its classes' files and of what they import from their folder, without this library's, as a store is of
one version of it. A file in a parameter stands there by its content, so it may be moved."""

from __future__ import annotations

import ast
import inspect
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from .commands import COMMAND, words_of
from .config_files import CONFIG_SUFFIXES, config_of, read_config
from .error_places import is_of_library, own_modules
from .protocol import Agent

LENGTH = 16


def fingerprint_of(agent: Agent, made_of: str) -> str:
    """The fingerprint of an agent that was `made_of` this JSON: its class, digests of its code, its parameters."""
    kind = type(agent)
    code = _digests(_code_of(agent))
    if not code and not is_of_library(kind):
        code = {kind.__qualname__: _digest(_source(kind).encode())}
    return json.dumps({"class": kind.__qualname__, "code": code, "parameters": _parameters(agent, made_of)})


def fingerprint_of_files(made_of: str, files: Sequence[Path]) -> str:
    """The fingerprint of an agent whose code is not run here: its name, digests of its files, its parameters."""
    given = json.loads(made_of)
    name = str(given.pop("agent", ""))
    given.pop("trust", None)  # it lets a file be loaded, and changes nothing about how the agent plays
    described = json.loads(json.dumps(_described(given), default=_kind, sort_keys=True))
    return json.dumps({"class": Path(name).name, "code": _digests(files), "parameters": described})


def difference(there: str, here: str) -> str:
    """What differs between two fingerprints, in words."""
    one, two = json.loads(there), json.loads(here)
    differences = [f"class {one['class']}, here {two['class']}"] if one["class"] != two["class"] else []
    if files := _changed(one["code"], two["code"]):
        differences.append(f"other code in {', '.join(files)}")
    for name in _changed(one["parameters"], two["parameters"]):
        differences.append(f"{name} {one['parameters'].get(name)!r}, here {two['parameters'].get(name)!r}")
    return "; ".join(differences)


def _changed(one: dict[str, Any], two: dict[str, Any]) -> list[str]:
    return [name for name in {**one, **two} if (name in one, one.get(name)) != (name in two, two.get(name))]


def _parameters(agent: Agent, made_of: str) -> dict[str, Any]:
    """What it was made of, and what it says of itself, without the paths of files."""
    given = {"agent": None, **json.loads(made_of)}
    with suppress(Exception):  # an agent need not be able to write itself down
        given = {**given, **config_of(agent)}
    source = given.pop("agent")
    given.pop("trust", None)
    if isinstance(source, str) and os.path.isfile(source):
        given["file"] = source
    elif files := [str(file) for file in agent.facts.files]:
        given["file"] = files[0] if len(files) == 1 else files
    described: dict[str, Any] = json.loads(json.dumps(_described(given), default=_kind, sort_keys=True))
    return described


def _described(value: Any) -> Any:
    """Plain data in which each name of a file is a digest of its content; that of a config is its description."""
    if isinstance(value, dict):
        return {str(key): (_command if key == COMMAND else _described)(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_described(each) for each in value]
    if not isinstance(value, str) or not Path(value).suffix or not os.path.isfile(value):
        return value
    if Path(value).suffix.removeprefix(".") in CONFIG_SUFFIXES:
        with suppress(ValueError, ModuleNotFoundError, RecursionError):
            return _described(read_config(Path(value)))
    return _file(Path(value))


def _file(path: Path) -> str:
    return f"a file with the digest {_digest(path.read_bytes())}"


def _command(command: Any) -> Any:
    """A command by its words: a file, which may have no suffix, by its content, a folder by its last name."""
    with suppress(ValueError, TypeError):
        return [_word(word) for word in words_of(command)]
    return command


def _word(word: str) -> str:
    if os.path.isfile(word):
        return _file(Path(word))
    return Path(word).absolute().name if os.path.isdir(word) else word


def _digests(files: Iterable[Path]) -> dict[str, str]:
    """A digest for each name of a file, so that folders may be moved: of the contents of all files of this name."""
    found: dict[str, list[str]] = {}
    for path in sorted(files):
        found.setdefault(path.name, []).append(_digest(path.read_bytes()))
    return {
        name: each[0] if len(each) == 1 else _digest(" ".join(each).encode()) for name, each in sorted(found.items())
    }


def _kind(value: Any) -> str:
    return f"an object of {type(value).__qualname__}"


def _code_of(agent: Agent) -> set[Path]:
    """The files of an agent's classes, and of what these import from their own folder."""
    found: set[Path] = set()
    for module in own_modules(agent):
        _add_files(module, found)
    return found


def _add_files(module: ModuleType, found: set[Path]) -> None:
    path = Path(getattr(module, "__file__", None) or "")
    if path.suffix != ".py" or not path.is_file() or path in found:
        return
    found.add(path)
    for name in _imported(path, module):
        other = sys.modules.get(name)
        if other is not None and Path(getattr(other, "__file__", None) or "").parent == path.parent:
            _add_files(other, found)


def _imported(path: Path, module: ModuleType) -> Iterator[str]:
    package = module.__package__ or ""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - node.level + 1], *([base] if base else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _source(kind: type) -> str:
    """The source of a class that no file has; of one typed into a shell, its name."""
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):
        return kind.__qualname__


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:LENGTH]
