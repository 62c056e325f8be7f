"""Functions that make no arrays count no references: their callers hold the arrays that they work with.

Numba counts, atomically, each time that a function is given an array or takes a part of one, and again when it leaves:
for a tuple of sixty arrays a hundred and twenty times a call. Its own pruning finds pairs in one basic block only. That
was two thirds of the time of a turn to solve, half of Leduc's, two fifths of a blueprint's training (`python -m
benchmarks tricks`).

A function borrows if it returns no reference and every reference in it is one that it was given, or a part of one. What
only looks like that fails loudly: where nothing is counted, Numba refuses to allocate.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass

NUMBA: Any = types  # its annotations lack half of the types
PARTS = {
    "getitem",
    "static_getitem",
    "typed_getitem",
    "getattr",
    "build_tuple",
    "exhaust_iter",
    "getiter",
    "cast",
    "phi",
}
"""Expressions whose references are parts of others."""
GIVEN = (ir.Arg, ir.Var, ir.Global, ir.FreeVar, ir.Const)


@register_pass(mutates_CFG=False, analysis_only=False)
class BorrowedReferences(FunctionPass):
    """Count no references in a function that only borrows them."""

    _name = "borrowed_references"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change how the function is compiled; returns whether that was done."""
        if not self._borrows(state):
            return False
        state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return True

    def _borrows(self, state: Any) -> bool:
        models = state.targetctx.data_model_manager

        def has_references(kind: Any) -> bool:
            return bool(models[kind].contains_nrt_meminfo())

        if has_references(state.return_type) or state.func_ir.is_generator:
            return False
        return all(
            self._only_borrows(statement, state, has_references)
            for block in state.func_ir.blocks.values()
            for statement in block.body
        )

    def _only_borrows(self, statement: Any, state: Any, has_references: Any) -> bool:
        """Whether a statement makes no reference, and copies no array."""
        if isinstance(statement, ir.SetItem | ir.StaticSetItem | ir.SetAttr):
            return not has_references(state.typemap[statement.value.name])
        if isinstance(statement, ir.DynamicRaise | ir.DynamicTryRaise):
            return False
        if not isinstance(statement, ir.Assign) or not has_references(state.typemap[statement.target.name]):
            return True
        made = statement.value
        if not isinstance(made, ir.Expr):
            return isinstance(made, GIVEN)
        if made.op == "getitem" and isinstance(state.typemap[made.index.name], NUMBA.Array):
            return False  # by an array: a copy
        return made.op in PARTS or (made.op == "call" and self._passes_on(state.typemap[made.func.name]))

    def _passes_on(self, function: Any) -> bool:
        """Whether a function makes a named tuple, or is an intrinsic of ours that returns what it was given."""
        passes_on = getattr(getattr(function, "typing_key", None), "borrows", False)
        return passes_on or isinstance(function, NUMBA.NamedTupleClass)
