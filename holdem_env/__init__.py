"""holdem_env: Texas hold'em for reinforcement learning. The complete rules, compiled, behind every interface people
use.

What the names here need is imported when they are first used, so `import holdem_env` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .envs.registration import register_environments

if TYPE_CHECKING:
    from . import holdem_v0 as holdem_v0
    from .cards import Cards as Cards
    from .dealer_errors import DealerErrors as DealerErrors
    from .equities import Equity as Equity
    from .equities import equity as equity
    from .equities import equity_batch as equity_batch
    from .evaluation import evaluate as evaluate
    from .ranges import Range as Range
    from .rules import Rake as Rake
    from .rules import Rules as Rules
    from .schedule import SessionRules as SessionRules
    from .session import Session as Session
    from .session import SessionError as SessionError
    from .table import IllegalMove as IllegalMove
    from .table import Table as Table
    from .tables import Tables as Tables

__version__ = "0.1.0"

_HOMES = {
    "Rules": "rules",
    "Rake": "rules",
    "Session": "session",
    "SessionError": "session",
    "SessionRules": "schedule",
    "DealerErrors": "dealer_errors",
    "Table": "table",
    "IllegalMove": "table",
    "Tables": "tables",
    "Cards": "cards",
    "evaluate": "evaluation",
    "equity": "equities",
    "equity_batch": "equities",
    "Equity": "equities",
    "Range": "ranges",
}
_ROOMS = {"holdem_v0"}

__all__ = [
    "Cards",
    "DealerErrors",
    "Equity",
    "IllegalMove",
    "Rake",
    "Range",
    "Rules",
    "Session",
    "SessionError",
    "SessionRules",
    "Table",
    "Tables",
    "equity",
    "equity_batch",
    "evaluate",
    "holdem_v0",
]


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


register_environments()
