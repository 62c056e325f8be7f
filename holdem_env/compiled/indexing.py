"""Indices of compiled functions count from the front: -1 is not the last place, as in C.

Python's meaning costs a comparison and a selection at every access, a tenth of a step's time. Slices keep it, and so
do functions of users. A bounds-checked engine says where an index is negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.np import arrayobj


def _as_it_is(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
    return context.cast(builder, index, index_type, types.intp)


@contextmanager
def _from_the_front() -> Iterator[None]:
    """Numba asks this one function how an index is meant. Its compiler lock keeps other threads from compiling."""
    usual = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = _as_it_is
    try:
        yield
    finally:
        arrayobj.fix_integer_index = usual


@register_pass(mutates_CFG=True, analysis_only=False)
class LoweringFromTheFront(NativeLowering):
    """Numba's last step, with indices that count from the front."""

    _name = "native_lowering_from_the_front"

    def run_pass(self, state: Any) -> bool:
        """Make machine code of one function; those that it calls have been through this before."""
        with _from_the_front():
            return bool(super().run_pass(state))


class EngineCompiler(CompilerBase):
    """Numba's usual way, but for the last step."""

    def define_pipelines(self) -> list[Any]:
        """The steps of compiling."""
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        ours = {NativeLowering: LoweringFromTheFront}
        steps.passes = [(ours.get(step, step), why) for step, why in steps.passes]
        steps.finalize()
        return [steps]
