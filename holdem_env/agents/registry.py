"""`make_agent`: an agent from a name, a config or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from ..utils.extras import explain_missing_extra
from ..utils.validation import suggestion
from . import names
from .config_files import CONFIG_SUFFIXES, read_config
from .names import AGENTS, LOADERS, agent_names
from .protocol import Agent
from .python_files import PYTHON_SUFFIX, check_parameters, load_python


def make_agent(what: str | Path | Mapping[str, Any] | Agent, **parameters: Any) -> Agent:
    """An agent from a name ("calling_station"), a config ({"agent": "maniac", "aggression": 0.5}), a file ("mine.json",
    "runs/x/final.zip", "mybot.py") or an agent (returned unchanged). parameters: the agent's; they override those of a
    config.

    Raises ValueError for a name that is not registered, a file without a loader or a config without an agent;
    FileNotFoundError for a missing file; TypeError for parameters that the agent does not have; ModuleNotFoundError if
    the agent needs an extra of this library that is not installed. Each message says what would be right.
    """
    if isinstance(what, Agent):
        return what
    if isinstance(what, Mapping):
        return _from_config("the config", what, parameters)
    name = str(what)
    if name in names.registered:
        return _made(name, names.registered[name], parameters)
    for point in entry_points(group=AGENTS, name=name):
        with explain_missing_extra(f"agent {name!r}"):
            return _made(name, point.load(), parameters)
    if Path(name).suffix or isinstance(what, Path):
        return _load_file(Path(name), parameters)
    raise ValueError(
        f"there is no agent {name!r}: {suggestion(name, agent_names())} A file needs its suffix, such as .zip."
    )


def _made(name: str, make: Callable[..., Agent], parameters: dict[str, Any]) -> Agent:
    check_parameters(f"agent {name!r}", make, parameters)
    return make(**parameters)


def _from_config(source: str, config: Mapping[str, Any], parameters: dict[str, Any]) -> Agent:
    if "agent" not in config:
        raise ValueError(f"{source} has no 'agent': give a name or a file, as in {{'agent': 'maniac'}}")
    return make_agent(config["agent"], **{**{name: config[name] for name in config if name != "agent"}, **parameters})


def file_suffixes() -> set[str]:
    """The suffixes, without the dot, of the files that `make_agent` knows."""
    return {*(point.name for point in entry_points(group=LOADERS)), *CONFIG_SUFFIXES, PYTHON_SUFFIX}


def _load_file(path: Path, parameters: dict[str, Any]) -> Agent:
    suffix = path.suffix.removeprefix(".")
    known = {point.name: point for point in entry_points(group=LOADERS)}
    if suffix not in file_suffixes():
        suffixes = ", ".join(sorted(file_suffixes()))
        raise ValueError(f"{path}: no loader for '.{suffix}' files; there are loaders for {suffixes}")
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    if suffix in known:
        with explain_missing_extra(str(path)):
            agent: Agent = known[suffix].load()(path, **parameters)
        return agent
    if suffix == PYTHON_SUFFIX:
        return load_python(path, parameters)
    return _from_config(str(path), read_config(path), parameters)
