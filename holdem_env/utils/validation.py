"""Base class of validated models: frozen, strict about field names, and helpful when a name is misspelt."""

from __future__ import annotations

import operator
from functools import reduce
from inspect import Parameter, Signature
from itertools import islice
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Any, Literal, SupportsIndex, Union, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.fields import FieldInfo

from .suggestions import did_you_mean
from .suggestions import suggestion as suggestion

MOST_ERRORS = 3


def whole_number(name: str, given: SupportsIndex, wanted: str) -> int:
    """An argument as an int. Raises TypeError that says what is wanted; a float is no whole number, not even 1.0, and
    True is none."""
    if isinstance(given, bool | np.bool_):
        raise TypeError(f"{name}: give {wanted}, not {given!r}")
    try:
        return operator.index(given)
    except TypeError:
        raise TypeError(f"{name}: give {wanted}, not {given!r}") from None


def what_is_wrong(error: ValidationError) -> str:
    """A model's first errors on one line: fields, and what is wrong with them, each field once."""
    found = dict[str, str]()
    for each in error.errors(include_url=False, include_input=False, include_context=False):
        field = ".".join(str(part) for part in each["loc"] if str(part).isalnum() or str(part).isidentifier())
        found.setdefault(field, each["msg"].removeprefix("Value error, "))
    return "; ".join(f"{field}: {said}" if field else said for field, said in islice(found.items(), MOST_ERRORS))


def readable_signature(model: type[BaseModel]) -> Signature:
    """The fields of a model as a signature that people can read: plain types without their bounds, and a short form of
    a long default."""
    fields = model.model_fields.items()
    return Signature(
        [
            Parameter(name, Parameter.KEYWORD_ONLY, default=_shown(field), annotation=_plain(field.annotation))
            for name, field in fields
        ]
    )


def _shown(field: FieldInfo) -> Any:
    """A field's default, a short form of one that a factory makes or that is too long; nothing for a required field."""
    if field.is_required():
        return Parameter.empty
    if field.default_factory is not None:
        return _Short("...")
    if field.repr or not isinstance(field.default, tuple):
        return field.default
    return _Short(f"({field.default[0]!r}, {field.default[1]!r}, ..., {field.default[-1]!r})")


class _Short:
    """Stands for a long default in a signature."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _plain(kind: Any) -> Any:
    """A type without the bounds that Annotated adds, inside unions and tuples, too."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _plain(inner[0])
    if origin in (Union, UnionType):
        return reduce(or_, map(_plain, inner))
    return GenericAlias(tuple, tuple(map(_plain, inner))) if origin is tuple else kind


def _check_word(name: str, given: str, kind: Any) -> None:
    """Raise ValueError for text that is almost one of a field's words; other text is pydantic's to judge."""
    words = _words(kind)
    if given not in words and (hint := did_you_mean(given, words)):
        raise ValueError(f"{name}: there is no {given!r}: {hint} Known are {', '.join(map(repr, words))}.")


def _words(kind: Any) -> list[str]:
    """The words of a field that takes one of some words, or a number; none of a field that takes other text."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _words(inner[0])
    if origin in (Union, UnionType):
        return [] if str in inner else [word for part in inner for word in _words(part)]
    return [word for word in inner if isinstance(word, str)] if origin is Literal else []


class Validated(BaseModel):
    """Base of Rules and of every configuration. It is immutable, and an unknown field is an error that suggests the
    right name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        super().__pydantic_init_subclass__(**options)
        cls.__signature__ = readable_signature(cls)

    @classmethod
    def _inside(cls, name: str) -> str:
        """ "did you mean 'learner.device'?" if a field's own fields have the name, otherwise nothing."""
        for field, info in cls.model_fields.items():
            for kind in (info.annotation, *get_args(info.annotation)):
                if isinstance(kind, type) and issubclass(kind, BaseModel) and name in kind.model_fields:
                    return f"did you mean '{field}.{name}'?"
        return ""

    @model_validator(mode="before")
    @classmethod
    def _known_names_only(cls, data: Any) -> Any:
        if isinstance(data, dict):
            known = list(cls.model_fields)
            for name in data:
                if name not in known:
                    hint = did_you_mean(name, known) or cls._inside(name) or suggestion(name, known)
                    raise ValueError(f"{cls.__name__} has no field {name!r}: {hint}")
                if isinstance(data[name], str):
                    _check_word(name, data[name], cls.model_fields[name].annotation)
        return data
