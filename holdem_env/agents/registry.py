"""`make_agent`: an agent from a name, a config or a file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from ..utils.extras import explain_missing_extra
from ..utils.validation import suggestion
from .commands import COMMAND, beside
from .config_files import CONFIG_SUFFIXES, read_config
from .making import made, named
from .names import AGENTS, LOADERS, agent_names
from .protocol import Agent
from .python_files import PYTHON_SUFFIX, load_python

MODEL_SUFFIX = ".safetensors"  # of a model file, which holds data alone: loading it cannot run code
PICKLED = ".zip"  # of a model of Stable-Baselines3, which holds pickles: loading it can run any code
FINAL = f"final{MODEL_SUFFIX}"  # the agent in the folder of a training run
CODE = "code"  # the folder of a training run with the code of its own parts
DEEPEST = 8  # configs that name each other
_DEPTH: ContextVar[int] = ContextVar("how many configs are being read", default=0)
ENTRY = "agent"  # the stem of the file that is the agent of a folder, such as agent.yaml or agent.py


def make_agent(what: str | Path | Mapping[str, Any] | Agent, **parameters: Any) -> Agent:
    """Return an agent from a name, a config, a file or a folder.

    A relative path in a config file is relative to that file, or else to the working directory. A .py file is code
    and runs.

    Args:
        what: One of these:

            - a name: "calling_station"
            - a name with its first parameter after a colon: "program:./mybot"
            - a config: {"agent": "maniac", "aggression": 0.5}
            - a file: "mine.json", "runs/x/final.safetensors", "mybot.py"
            - a folder with such a file called agent, "mybot/agent.py", or of a training run, "runs/x"
            - an agent, which is returned unchanged
        **parameters: The agent's parameters; they override those of a config. trust=True allows files that can run any
            code: the .zip files of Stable-Baselines3, which hold pickles, and .safetensors files of agents trained with
            custom code.

    Raises:
        ValueError: If the name is not registered, the file has no loader, or the config has no agent.
        FileNotFoundError: If the file does not exist.
        TypeError: If the agent does not have one of the parameters.
        ModuleNotFoundError: If the agent needs an extra of this library that is not installed.
    """
    if isinstance(what, Agent):
        return what
    if isinstance(what, Mapping):
        return _from_config("the config", what, parameters)
    name = str(what)
    if name in AGENTS.registered:
        return named(made(repr(name), AGENTS.registered[name], parameters), name)
    if (declared := _declared(name)) is None:
        return _load_file(_checked_file(what), parameters)
    point, first = declared
    with explain_missing_extra(f"agent {point.name!r}"):
        return named(made(repr(name), point.load(), parameters, *first), name)


def takes_trust(what: str | Path) -> bool:
    """Whether an agent is a model that may run code when it is loaded, and so has the parameter `trust`."""
    path = Path(what)
    return path.suffix in (PICKLED, MODEL_SUFFIX) or (path / FINAL).is_file()


def needs_trust(agent: Any) -> bool:
    """As `takes_trust`, also for the config file of a model."""
    path = Path(str(agent))
    if path.suffix.removeprefix(".") in CONFIG_SUFFIXES:
        with suppress(ValueError, OSError, ModuleNotFoundError):  # making the agent says what is wrong
            return takes_trust(str(read_config(path).get("agent")))
    return takes_trust(path)


def check_agent_name(what: str | Path) -> None:
    """Whether `make_agent` knows such a name or file; nothing is made. Raises as `make_agent`."""
    if str(what) not in AGENTS.registered and _declared(str(what)) is None:
        _checked_file(what)


def _declared(name: str) -> tuple[EntryPoint, tuple[str, ...]] | None:
    """Where a package declares a name, and the agent's first parameter if the name has one."""
    scheme, colon, rest = name.partition(":")
    known = AGENTS.declared()
    if name in known:
        return known[name], ()
    return (known[scheme], (rest,)) if colon and scheme in known else None


def _checked_file(what: str | Path) -> Path:
    path = Path(what)
    if (path / FINAL).is_file():
        what = path = path / FINAL
    if path.is_dir() and str(what):
        what = path = _entry_of(path)
    if not path.suffix and not isinstance(what, Path):
        known = suggestion(str(what), agent_names())
        raise ValueError(f"there is no agent {what!r}: {known} A file needs its suffix, such as .safetensors.")
    if path.suffix.removeprefix(".") not in file_suffixes():
        suffixes = ", ".join(sorted(file_suffixes()))
        raise ValueError(f"{path}: no loader for '{path.suffix or '.'}' files; there are loaders for {suffixes}")
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    return path


def _entry_of(folder: Path) -> Path:
    found = sorted(path for path in folder.glob(f"{ENTRY}.*") if path.suffix.removeprefix(".") in file_suffixes())
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise ValueError(
            f"{folder}: must hold one file {ENTRY}.yaml, {ENTRY}.py or of another kind of agent, got {names}"
        )
    return found[0]


def _from_config(source: str, config: Mapping[str, Any], parameters: dict[str, Any]) -> Agent:
    if "agent" not in config:
        raise ValueError(f"{source} has no 'agent': give a name or a file, as in {{'agent': 'maniac'}}")
    if (depth := _DEPTH.get()) == DEEPEST:
        raise ValueError(f"{source}: agents within agents must be at most {DEEPEST} deep; does one name itself?")
    before = _DEPTH.set(depth + 1)
    try:
        own = {name: config[name] for name in config if name != "agent"}
        return make_agent(config["agent"], **{**own, **parameters})
    finally:
        _DEPTH.reset(before)


def without_search(agent: Agent) -> Agent:
    """Return an agent to play many hands fast, as in training: one that does not search, or itself if it was told how
    to search, or does not."""
    return agent.without_search() if agent.facts.searches else agent  # type: ignore[attr-defined]


def file_suffixes() -> set[str]:
    """The suffixes, without the dot, of the files that `make_agent` knows."""
    return {*LOADERS.names(), *CONFIG_SUFFIXES, PYTHON_SUFFIX}


def _load_file(path: Path, parameters: dict[str, Any]) -> Agent:
    suffix = path.suffix.removeprefix(".")
    if suffix == PYTHON_SUFFIX:
        return load_python(path, parameters)
    if suffix in CONFIG_SUFFIXES:
        return _from_config(str(path), _with_path_beside(path, read_config(path)), parameters)
    with explain_missing_extra(str(path)):
        return made(str(path), LOADERS.get(suffix), parameters, path)


def _with_path_beside(path: Path, config: dict[str, Any]) -> dict[str, Any]:
    """The config in a file, with its files relative to it, if they are not in the working directory alone. Raises
    FileNotFoundError if neither has the agent's file."""
    if COMMAND in config:
        config = {**config, COMMAND: beside(config[COMMAND], path.parent)}
    agent = config.get("agent")
    if not isinstance(agent, str) or Path(agent).suffix.removeprefix(".") not in file_suffixes():
        return config
    if agent in agent_names() or Path(agent).is_absolute():
        return config
    there = path.parent / agent
    if there.is_file():
        return {**config, "agent": str(there)}
    if not Path(agent).is_file():
        raise FileNotFoundError(
            f"{path}: there is no file {agent!r}, neither beside it ({there}) nor in the working directory"
        )
    return config
