"""Runs: a configuration of whatever kind, trained in a folder, with checkpoints, curves, a card, and a way to go on.

The names below are imported when they are first used: what trains needs PyTorch, which takes seconds, and the command
line often wants only the configurations.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .config import ConfigError as ConfigError
    from .config import load_config as load_config
    from .files import new_folder as new_folder
    from .run import resume as resume
    from .run import train as train
    from .seed_curves import curves as curves

_MODULES = {
    "train": "run",
    "resume": "run",
    "new_folder": "files",
    "load_config": "config",
    "ConfigError": "config",
    "curves": "seed_curves",
}

__all__ = ["ConfigError", "curves", "load_config", "new_folder", "resume", "train"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'holdem_agents.runs' has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
