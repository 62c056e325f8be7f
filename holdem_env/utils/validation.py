"""Base class of validated models: frozen, strict about field names, and helpful when a name is misspelt."""

from __future__ import annotations

import operator
from functools import reduce
from inspect import Parameter, Signature
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Any, SupportsIndex, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.fields import FieldInfo

from .suggestions import suggestion as suggestion


def whole_number(name: str, given: SupportsIndex, wanted: str) -> int:
    """An argument as an int. Raises TypeError that says what is wanted; a float is no whole number, not even 1.0."""
    try:
        return operator.index(given)
    except TypeError:
        raise TypeError(f"{name}: give {wanted}, not {given!r}") from None


def readable_signature(model: type[BaseModel]) -> Signature:
    """The fields of a model as a signature that people can read: plain types without their bounds, and `...` for a long
    default."""
    fields = model.model_fields.items()
    return Signature(
        [
            Parameter(name, Parameter.KEYWORD_ONLY, default=_shown(field), annotation=_plain(field.annotation))
            for name, field in fields
        ]
    )


def _shown(field: FieldInfo) -> Any:
    """A field's default, `...` for one that is made anew or too long for `repr`; nothing for a required field."""
    if field.is_required():
        return Parameter.empty
    return field.default if field.repr and field.default_factory is None else ...


def _plain(kind: Any) -> Any:
    """A type without the bounds that Annotated adds, inside unions and tuples, too."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _plain(inner[0])
    if origin in (Union, UnionType):
        return reduce(or_, map(_plain, inner))
    return GenericAlias(tuple, tuple(map(_plain, inner))) if origin is tuple else kind


class Validated(BaseModel):
    """Base of Rules and of every configuration. It is immutable, and an unknown field is an error that suggests the
    right name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        super().__pydantic_init_subclass__(**options)
        cls.__signature__ = readable_signature(cls)

    @model_validator(mode="before")
    @classmethod
    def _known_names_only(cls, data: Any) -> Any:
        if isinstance(data, dict):
            known = list(cls.model_fields)
            for name in data:
                if name not in known:
                    raise ValueError(f"{cls.__name__} has no field {name!r}: {suggestion(name, known)}")
        return data
