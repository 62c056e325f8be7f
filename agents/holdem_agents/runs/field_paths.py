"""Fields of a configuration by their dotted paths, such as `learner.entropy` and, in a list, `learner.entropy.0`."""

from __future__ import annotations

from typing import Any

BY_NAME = {"rules": "preset", "base": "config"}
"""Fields that are the name of something, or that something with changes: then the name stands under this key."""


def set_field(content: dict[str, Any], path: str, value: Any) -> None:
    """Set the field at this path. The mappings and lists on the way to it are copied, so that those who share them
    see no change. Raises ValueError for a path through something that has no such place.

    >>> fields = {"rules": "leduc", "learner": {"entropy": [0.02, 0.01]}}
    >>> set_field(fields, "learner.entropy.1", 0.0)
    >>> set_field(fields, "rules.stacks", 40)
    >>> fields
    {'rules': {'preset': 'leduc', 'stacks': 40}, 'learner': {'entropy': [0.02, 0.0]}}
    """
    *parents, name = path.split(".")
    at: Any = content
    for key in parents:
        place = _place(at, key)
        inner = at.get(place, {}) if isinstance(at, dict) else at[place]
        if key in BY_NAME and isinstance(inner, str):
            inner = {BY_NAME[key]: inner}
        if not isinstance(inner, dict | list):
            raise ValueError(f"{key} is {inner!r}, which has no {name!r}")
        at[place] = inner = inner.copy()
        at = inner
    at[_place(at, name)] = value


def _place(at: Any, key: str) -> str | int:
    if isinstance(at, dict):
        return key
    if not key.isdecimal() or int(key) >= len(at):
        raise ValueError(f"{at!r} has no place {key!r}; its places are 0 to {len(at) - 1}")
    return int(key)
