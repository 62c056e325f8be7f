"""How compiled functions read what stands in the lines of the seats and of the moves: `t.stack[seat]` is column
`stack` of `t.seats`, `t.move[k]` column `move` of `t.made`.

Each is a view of the record with the length of a line as its stride. Numba knows such views but makes none of a
field, so the TABLE type is taught to.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed, lower_getattr
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr
from numba.np.arrayobj import make_array, populate_array

from .record import COLUMNS, TABLE, TABLE_TYPE, place_of


def _lines(field: str) -> Any:
    """The dtype of one line, and how many there are."""
    subarray = TABLE[field].subdtype
    assert subarray is not None
    return subarray


def _column_type(name: str) -> types.Array:
    """A column's type: one axis for the lines, and those of what stands in each."""
    field, column = COLUMNS[name]
    line, count = _lines(field)
    inner = line[column]
    dtype = getattr(types, inner.base.name)
    return types.Array(dtype, len(count) + len(inner.shape), "A")


@infer_getattr
class TableAttributes(AttributeTemplate):
    """The fields of a TABLE record, and the columns."""

    key = TABLE_TYPE

    def generic_resolve(self, record: Any, name: str) -> Any:
        """The type of an attribute. Raises TypingError for one that a table does not have."""
        if name in COLUMNS:
            return _column_type(name)
        if name in record.fields:
            return record.typeof(name)
        near = get_close_matches(name, [*COLUMNS, *record.fields], n=3, cutoff=0.5)
        hint = f"; near are {', '.join(near)}" if near else ""
        raise TypingError(f"a table has no field {name!r}{hint} (holdem_env/engine/record.py has all)")


def _lower(name: str) -> None:
    """Teach Numba how one column is read."""
    field, column = COLUMNS[name]
    line, count = _lines(field)
    inner = line[column]
    offset = place_of(TABLE, field) + place_of(line, column)
    size = inner.base.itemsize
    assert len(inner.shape) <= 1
    shape, strides = (*count, *inner.shape), (line.itemsize, *(size for _ in inner.shape))

    @lower_getattr(TABLE_TYPE, name)
    def column_of(context: Any, builder: Any, typ: Any, value: Any) -> Any:
        array_type = _column_type(name)
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


for _name in COLUMNS:
    _lower(_name)
