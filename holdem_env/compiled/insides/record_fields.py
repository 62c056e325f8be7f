"""The attributes of one type of record: its fields, beside those that it is given."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from numba.core.errors import TypingError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr


def name_fields(record: Any, others: Collection[str]) -> None:
    """Let a type of record that has attributes of its own have its fields, too: its own hide those of records in
    general. Any other name is a TypingError.

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
            raise TypingError(f"a record has no field {name!r}")
