"""holdem_env: Texas hold'em for reinforcement learning. The complete rules, compiled, behind every interface people
use.

What the names here need is imported when they are first used, so `import holdem_env` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import holdem_v0 as holdem_v0
    from .cards import Cards as Cards
    from .evaluation import evaluate as evaluate
    from .rules import Rake as Rake
    from .rules import Rules as Rules
    from .table import IllegalMove as IllegalMove
    from .table import Table as Table
    from .tables import Tables as Tables

__version__ = "0.1.0"

_HOMES = {
    "Rules": "rules",
    "Rake": "rules",
    "Table": "table",
    "IllegalMove": "table",
    "Tables": "tables",
    "Cards": "cards",
    "evaluate": "evaluation",
}
_ROOMS = {"holdem_v0"}

__all__ = ["Cards", "IllegalMove", "Rake", "Rules", "Table", "Tables", "evaluate", "holdem_v0"]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module 'holdem_env' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
