"""Hooks: functions that a room calls by name because they live in a room above it, where it may not import.

The room above registers where its function is; it is imported when it is first called for.
"""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

_homes: dict[str, str] = {}


def register_hook(name: str, home: str) -> None:
    """Let `hook(name)` give the function at `home`, "package.module:function"; a later home replaces an earlier one."""
    _homes[name] = home


def hook(name: str) -> Callable[..., Any]:
    """The function that is registered under a name. Raises LookupError where nothing is."""
    if name not in _homes:
        known = ", ".join(sorted(_homes)) or "none"
        raise LookupError(f"no function is registered for the hook {name!r}; registered are: {known}")
    found: Callable[..., Any] = resolve_name(_homes[name])
    return found
