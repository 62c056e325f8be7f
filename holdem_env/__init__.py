"""holdem_env: Texas hold'em for reinforcement learning. The complete rules, compiled, behind every interface people
use.

What the names here need is imported when they are first used, so `import holdem_env` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .envs.registration import register_environments
from .render.drawings import register_drawings
from .utils.version import __version__ as __version__

if TYPE_CHECKING:
    from . import holdem_v0 as holdem_v0
    from .cards.evaluation import evaluate as evaluate
    from .cards.ranges import Range as Range
    from .cards.text import Cards as Cards
    from .engine.legality import IllegalMove as IllegalMove
    from .equities.equity import equity as equity
    from .equities.equity import equity_batch as equity_batch
    from .equities.methods import Equity as Equity
    from .game.dealer_errors import DealerErrors as DealerErrors
    from .game.rake import Rake as Rake
    from .game.rules import Rules as Rules
    from .game.session_rules import SessionRules as SessionRules
    from .table.session import Session as Session
    from .table.session import SessionError as SessionError
    from .table.table import Table as Table
    from .table.tables import Tables as Tables

_HOMES = {
    "Rules": "game.rules",
    "Rake": "game.rake",
    "Session": "table.session",
    "SessionError": "table.session",
    "SessionRules": "game.session_rules",
    "DealerErrors": "game.dealer_errors",
    "Table": "table.table",
    "IllegalMove": "engine.legality",
    "Tables": "table.tables",
    "Cards": "cards.text",
    "evaluate": "cards.evaluation",
    "equity": "equities.equity",
    "equity_batch": "equities.equity",
    "Equity": "equities.methods",
    "Range": "cards.ranges",
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
register_drawings()
