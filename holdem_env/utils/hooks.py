"""Hooks: functions that a room calls by name, because they are in a higher room, from which it must not import.

The higher room registers where its function is. The function is imported when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

_homes: dict[str, str] = {}


def register_hook(name: str, home: str) -> None:
    """Register a function: `hook(name)` then returns the function at `home`, "package.module:function". A later home
    replaces an earlier one."""
    _homes[name] = home


def hook(name: str) -> Callable[..., Any]:
    """The function registered under a name. Raises LookupError if there is none."""
    if name not in _homes:
        known = ", ".join(sorted(_homes)) or "none"
        raise LookupError(f"no function is registered for the hook {name!r}; registered are: {known}")
    found: Callable[..., Any] = resolve_name(_homes[name])
    return found
