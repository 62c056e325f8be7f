"""Training: configurations, self-play with PPO, evaluation matches, leagues, exploiters.

`train` and `resume` are imported when they are first used: they need PyTorch, which takes seconds, and the command line
only wants the configurations.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import resume as resume
    from .run import train as train
    from .run_folder.files import new_folder as new_folder

_MODULES = {"train": "run", "resume": "run", "new_folder": "run_folder.files"}

__all__ = ["new_folder", "resume", "train"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'holdem_agents.training' has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
