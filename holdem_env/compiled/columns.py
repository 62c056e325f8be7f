"""How compiled functions read the fields of nested lines: `t.stack[seat]` is field `stack` of line `seat` of `t.seats`.

A column is `t.seats.stack` under a name of its own: an attribute that one type of record is given. That hides what
records have in general, so that type must be given its fields, too, which is the compiler trick `columns`. Where it is
off, all types of records get the attribute, and then no other type of record may have a field of that name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import overload_attribute

from .records import Columns, columns_of
from .tricks import uses


def numba_record(dtype: np.dtype[Any]) -> Any:
    """The type that a record has in compiled functions."""
    return numba.from_dtype(dtype)


def register_columns(dtype: np.dtype[Any], columns: Columns) -> None:
    """Let compiled functions, and plain Python, read the fields of a record's lines by names of their own."""
    columns_of[dtype] = columns
    record = numba_record(dtype)
    if uses("columns"):
        from .insides.record_fields import name_fields

        name_fields(record, columns)
    for name, (lines, field) in columns.items():
        _readers.setdefault(name, {})[record] = _reader_of(lines, field)
        if uses("columns"):
            overload_attribute(record, name)(_reader_for(name))
        elif len(_readers[name]) == 1:  # the first record that has such a column
            overload_attribute(types.Record, name)(_reader_for(name))


_readers: dict[str, dict[Any, Callable[[Any], Any]]] = {}
"""By the name of a column: the types of records that have it, and what reads it."""


def _reader_of(lines: str, field: str) -> Callable[[Any], Any]:
    def read(t):
        return t[lines][field]

    return read


def _reader_for(name: str) -> Callable[[Any], Any]:
    """How a column is read, as Numba asks for it: a function that gives, for a type of record, the one that reads."""

    def choose(t):
        return _readers[name].get(t)

    return choose
