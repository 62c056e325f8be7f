"""Base class of validated models: frozen, strict about field names, and helpful when a name is misspelt."""

from __future__ import annotations

import operator
from difflib import get_close_matches
from typing import Any, SupportsIndex

from pydantic import BaseModel, ConfigDict, model_validator


def suggestion(name: object, known: list[str]) -> str:
    """ "did you mean 'x'?" if a known name is close, otherwise the list of known names."""
    near = get_close_matches(str(name), known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known are {', '.join(map(repr, known))}."


def whole_number(name: str, given: SupportsIndex, wanted: str) -> int:
    """An argument as an int. Raises TypeError that says what is wanted; a float is no whole number, not even 1.0."""
    try:
        return operator.index(given)
    except TypeError:
        raise TypeError(f"{name}: give {wanted}, not {given!r}") from None


class Validated(BaseModel):
    """Base of Rules and of every configuration. It is immutable, and an unknown field is an error that suggests the
    right name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _known_names_only(cls, data: Any) -> Any:
        if isinstance(data, dict):
            known = list(cls.model_fields)
            for name in data:
                if name not in known:
                    raise ValueError(f"{cls.__name__} has no field {name!r}: {suggestion(name, known)}")
        return data
