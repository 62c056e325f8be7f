"""Arrays of records: how they lie in memory, and how plain Python reads them.

A record may hold lines: a nested array of small records, one for each seat, say. `register_columns` in columns.py gives
the fields of such lines names of their own: `t.stack[seat]` is field `stack` of line `seat` of `t.seats`.
"""

from __future__ import annotations

from typing import Annotated, Any, get_type_hints

import numpy as np
from numba import config
from numpy.typing import NDArray

CACHE_LINE = 64
Records = np.ndarray[Any, np.dtype[Any]]
Columns = dict[str, tuple[str, str]]
"""By a column's name: which field has the lines, and which field of a line it is."""

Int64 = Annotated[int, np.int64]
Int32 = Annotated[int, np.int32]
Int16 = Annotated[int, np.int16]
Int8 = Annotated[int, np.int8]
Float64 = Annotated[float, np.float64]
"""The fields of a record, as type checkers see them and as they lie in memory (`dtype_of`)."""

columns_of: dict[np.dtype[Any], Columns] = {}


def dtype_of(annotated: type) -> np.dtype[Any]:
    """The structured dtype of a class: of its fields `name: Int64`, and `name: Annotated[Ints, np.int64, shape]` for
    arrays, in this order. Other fields are columns."""
    hints = get_type_hints(annotated, include_extras=True)
    fields = [(name, *hint.__metadata__) for name, hint in hints.items() if hasattr(hint, "__metadata__")]
    return np.dtype(fields, align=True)


def new_records(dtype: np.dtype[Any], count: int) -> Records:
    """`count` zeroed records, the first at the beginning of a cache line. Run as plain Python (NUMBA_DISABLE_JIT=1),
    fields must be attributes."""
    memory = np.zeros(count * dtype.itemsize + CACHE_LINE, np.uint8)
    first = -memory.ctypes.data % CACHE_LINE
    return as_records(memory[first : first + count * dtype.itemsize], dtype)


def as_records(memory: NDArray[np.uint8], dtype: np.dtype[Any]) -> Records:
    """Bytes as the records that lie there, as many as fit. memory: (B,) uint8, best beginning at a cache line."""
    records = memory[: len(memory) // dtype.itemsize * dtype.itemsize].view(dtype)
    return records.view(np.dtype((PlainRecord, dtype))) if config.DISABLE_JIT else records


def frozen(records: Records) -> Records:
    """A copy of records that nobody can write to, nor make writable."""
    copy = np.frombuffer(records.tobytes(), records.dtype)
    return copy.view(np.dtype((PlainRecord, copy.dtype))) if config.DISABLE_JIT else copy


def place_of(dtype: np.dtype[Any], name: str) -> int:
    """Where a field begins, bytes from the beginning of its record."""
    assert dtype.fields is not None
    return int(dtype.fields[name][1])


def column(records: Records, name: str) -> np.ndarray[Any, np.dtype[Any]]:
    """A view of one field of records, or of a column: of tables ("stack", seat 3) is column(records, "stack")[:, 3]."""
    columns = _columns(records.dtype)
    if name not in columns:
        return records[name]
    field, inner = columns[name]
    values: np.ndarray[Any, np.dtype[Any]] = records[field][inner]
    return values


def _columns(dtype: np.dtype[Any]) -> Columns:
    return next((columns for known, columns in columns_of.items() if known.fields == dtype.fields), {})


class PlainRecord(np.record):  # type: ignore[misc]
    """A record as plain Python sees it: fields and columns are attributes."""

    def __getattr__(self, name: str) -> Any:
        if name not in _columns(self.dtype):
            raise AttributeError(name)
        return column(self, name)  # type: ignore[arg-type]
