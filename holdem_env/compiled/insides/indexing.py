"""Indices of compiled functions count from the front: -1 is not the last place, as in C.

Python's meaning of a negative index costs a comparison and a selection at every access, an eighth of a step's time.
Numba saves them where an index has an unsigned type, so a step of the compilation gives unsigned types to integer
indices of arrays. Slices keep Python's meaning, and so do constant indices. A bounds-checked engine says where an index
is negative.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass

NUMBA: Any = types  # its annotations lack half of the types


def _unsigned(index: Any) -> Any:
    """The type of an index, with signed integers taken as unsigned."""
    if isinstance(index, NUMBA.Integer):
        return NUMBA.uintp if index.signed else index
    if isinstance(index, NUMBA.BaseTuple):
        return NUMBA.Tuple([_unsigned(part) for part in index])
    return index


@register_pass(mutates_CFG=False, analysis_only=False)
class UnsignedIndices(FunctionPass):
    """Give unsigned types to the integer indices of arrays, wherever an element is read or written."""

    _name = "unsigned_indices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change the types in place; returns whether any was changed."""
        changed = False
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                changed |= self._change(state.calltypes, statement)
        return changed

    def _change(self, calltypes: Any, statement: Any) -> bool:
        access = statement.value if isinstance(statement, ir.Assign) else statement
        is_read = isinstance(access, ir.Expr) and access.op == "getitem"
        if not is_read and not isinstance(access, ir.SetItem):
            return False
        signature = calltypes[access]
        array, index, *value = signature.args
        if not isinstance(array, NUMBA.Array) or _unsigned(index) == index:
            return False
        del calltypes[access]  # its dictionary overwrites nothing
        calltypes[access] = signature.replace(args=(array, _unsigned(index), *value))
        return True
