"""Configs of agents, from which `make_agent` makes them again, and the small JSON or YAML files that hold them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..utils import yaml_files
from ..utils.atomic import write_atomically
from ..utils.plain_data import check_names, json_of
from .names import agent_names
from .protocol import Agent

CONFIG_SUFFIXES = ("json", "yaml", "yml")  # the suffixes of agent config files, without the dot
LARGEST = 2**20  # bytes of a config file


def config_of(agent: Agent) -> dict[str, Any]:
    """Return the config of an agent, {"agent": name or file, parameter: value, ...}: what its method `config` says,
    if its class has one, else `parameters_of`.

    Raises:
        ValueError: If it cannot be written down.
    """
    own = getattr(agent, "config", None)
    return dict(own()) if callable(own) else parameters_of(agent)


def parameters_of(agent: Agent) -> dict[str, Any]:
    """Return an agent's name, and the parameters of its class from the attributes of the same names.

    Raises:
        ValueError: If an attribute is missing.
    """
    names = [name for name in inspect.signature(type(agent)).parameters if name not in ("args", "kwargs")]
    for name in names:
        if not hasattr(agent, name):
            raise ValueError(f"agent {agent.name!r}: keep its parameter {name!r} as self.{name}, so it can be saved")
    return {"agent": agent.name, **{name: getattr(agent, name) for name in names}}


def save_agent(agent: Agent, path: str | Path) -> None:
    """Write an agent to a file from which `make_agent` makes it again: its config to a .json or .yaml file, or what
    the method `save` of its class writes, such as a model file.

    Raises:
        ValueError: For another suffix, an agent without a registered name, or parameters that are not plain data.
    """
    own = getattr(agent, "save", None)
    (own if callable(own) else partial(save_config, agent))(path)


def save_config(agent: Agent, path: str | Path) -> None:
    """Write an agent's config to a .json or .yaml file. Raises as `save_agent` does."""
    config = config_of(agent)
    if not (config["agent"] in agent_names() or Path(config["agent"]).is_file()):
        raise ValueError(f"agent {config['agent']!r} cannot be saved: no agent is registered under this name")
    write_config(Path(path), config)


def write_config(path: Path, config: Mapping[str, Any]) -> None:
    """Write a config. Raises ValueError, and writes nothing, for another suffix or a value that is not plain data."""
    suffix = _checked_suffix(path)
    for name, value in config.items():
        try:
            json.dumps(value)
        except TypeError:
            raise ValueError(
                f"{path}: the parameter {name!r} is {value!r}, which cannot be written to a file; give text or a number"
            ) from None
    write_atomically(path, json.dumps(config, indent=2) + "\n" if suffix == "json" else yaml_files.dumps(config))


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
