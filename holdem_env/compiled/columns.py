"""How compiled functions read the fields of nested lines: `t.stack[seat]` is column `stack` of `t.seats`.

A column is a view of the record with the length of a line as its stride. Numba knows such views but makes none of a
field, so it is taught to, for one type of record at a time.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed, lower_getattr
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr
from numba.np.arrayobj import make_array, populate_array

from .records import Columns, columns_of, place_of


def numba_record(dtype: np.dtype[Any]) -> Any:
    """The type that a record has in compiled functions."""
    return numba.from_dtype(dtype)


def register_columns(dtype: np.dtype[Any], columns: Columns, what: str, where: str) -> None:
    """Let compiled functions, and plain Python, read the fields of a record's lines by names of their own.

    what, where: such a record in words, and the file that lists its fields, for the error about a field that is not
    there.
    """
    columns_of[dtype] = columns
    _teach_types(dtype, columns, what, where)
    for name in columns:
        _teach_reading(dtype, columns, name)


def _lines(dtype: np.dtype[Any], field: str) -> Any:
    """The dtype of one line, and how many there are."""
    subarray = dtype[field].subdtype
    assert subarray is not None
    return subarray


def _column_type(dtype: np.dtype[Any], columns: Columns, name: str) -> types.Array:
    """A column's type: one axis for the lines, and those of what stands in each."""
    field, column = columns[name]
    line, count = _lines(dtype, field)
    inner = line[column]
    return types.Array(getattr(types, inner.base.name), len(count) + len(inner.shape), "A")


def _teach_types(dtype: np.dtype[Any], columns: Columns, what: str, where: str) -> None:
    @infer_getattr
    class RecordAttributes(AttributeTemplate):
        """The fields of the record, and the columns."""

        key = numba_record(dtype)

        def generic_resolve(self, record: Any, name: str) -> Any:
            """The type of an attribute. Raises TypingError for one that the record does not have."""
            if name in columns:
                return _column_type(dtype, columns, name)
            if name in record.fields:
                return record.typeof(name)
            near = get_close_matches(name, [*columns, *record.fields], n=3, cutoff=0.5)
            hint = f"; near are {', '.join(near)}" if near else ""
            raise TypingError(f"{what} has no field {name!r}{hint} ({where} has all)")


def _teach_reading(dtype: np.dtype[Any], columns: Columns, name: str) -> None:
    """Teach Numba how one column is read."""
    field, column = columns[name]
    line, count = _lines(dtype, field)
    inner = line[column]
    offset = place_of(dtype, field) + place_of(line, column)
    size = inner.base.itemsize
    assert len(inner.shape) <= 1
    shape, strides = (*count, *inner.shape), (line.itemsize, *(size for _ in inner.shape))

    @lower_getattr(numba_record(dtype), name)
    def column_of(context: Any, builder: Any, typ: Any, value: Any) -> Any:
        array_type = _column_type(dtype, columns, name)
        array = make_array(array_type)(context, builder)
        data = cgutils.get_record_member(builder, value, offset, context.get_data_type(array_type.dtype))
        pack = [[context.get_constant(types.intp, number) for number in numbers] for numbers in (shape, strides)]
        populate_array(
            array,
            data=data,
            shape=cgutils.pack_array(builder, pack[0]),
            strides=cgutils.pack_array(builder, pack[1]),
            itemsize=context.get_constant(types.intp, size),
            meminfo=None,
            parent=None,
        )
        return impl_ret_borrowed(context, builder, array_type, array._getvalue())
