"""The attributes of one type of record: its fields, beside those that it is given."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

from numba.core.errors import TypingError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr


def name_fields(record: Any, others: Collection[str], what: str, where: str) -> None:
    """Let a type of record that has attributes of its own have its fields, too: its own hide those of records in
    general. Any other name is a TypingError that says what is near.

    others: the attributes that it has of its own.
    """

    @infer_getattr
    class RecordFields(AttributeTemplate):
        key = record

        def generic_resolve(self, given: Any, name: str) -> Any:
            if name in others:
                return None  # it has a template of its own
            if name in given.fields:
                return given.typeof(name)
            near = get_close_matches(name, [*others, *given.fields], n=3, cutoff=0.5)
            hint = f"; near are {', '.join(near)}" if near else ""
            raise TypingError(f"{what} has no field {name!r}{hint} ({where} has all)")
