"""Plain data that a stranger may have written: JSON, and what is asked of YAML and JSON alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

DEEPEST = 100
"""Lists and mappings within each other."""


def json_of(text: str | bytes) -> Any:
    """The data in JSON text. Raises ValueError for other text, and as `check_depth`."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError(_too_deep()) from None
    check_depth(data)
    return data


def check_depth(data: Any) -> None:
    """Raise ValueError for lists and mappings that are nested more than DEEPEST deep, or hold themselves, as those of
    YAML may: other code takes a step of recursion for each."""
    level = [data]
    for _ in range(DEEPEST + 1):
        inner = {id(each): each for container in level for each in _within(container)}
        if not inner:
            return
        level = list(inner.values())
    raise ValueError(_too_deep())


def check_names(fields: Mapping[Any, Any]) -> None:
    """Raise ValueError for a field whose name is no text."""
    for name in fields:
        if not isinstance(name, str):
            hint = "; YAML reads yes, no, on and off as true and false" if isinstance(name, bool) else ""
            raise ValueError(f"{name!r} is no name of a field; names are text, in quotes if need be{hint}")


def _within(container: Any) -> Iterable[Any]:
    """The lists and mappings directly in one."""
    values = container.values() if isinstance(container, Mapping) else container
    return (
        [each for each in values if isinstance(each, Mapping | list)] if isinstance(container, Mapping | list) else []
    )


def _too_deep() -> str:
    return f"nested more than {DEEPEST} deep"
