"""Solvers over the engine's own moves: betting trees, small games, subgames, blueprints."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "BetSizes": "trees",
    "BettingTree": "trees",
    "CardAbstraction": "card_tables.abstraction",
    "Icm": "trees.utility",
    "game_size": "small_games",
    "Solution": "solution",
    "Until": "solving",
    "load_solution": "solution",
    "load_strategy": "blueprints.strategy_file",
    "solve": "small_games",
    "solve_subgame": "subgames",
}
"""Names for users, and the rooms that have them. Each is imported when it is used."""


__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'holdem_env.solvers' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
