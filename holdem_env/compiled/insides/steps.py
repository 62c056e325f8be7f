"""Numba's compilation with our steps, once all types are known."""

from __future__ import annotations

from functools import cache
from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.typed_passes import NoPythonSupportedFeatureValidation

from .borrowing import BorrowedReferences
from .indexing import UnsignedIndices


@cache
def compiler_with(front_indices: bool, borrows: bool) -> type[CompilerBase]:
    """The class that compiles, with one step more for each that is chosen."""

    class Compiler(CompilerBase):
        def define_pipelines(self) -> list[Any]:
            steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
            if front_indices:
                steps.add_pass_after(UnsignedIndices, NoPythonSupportedFeatureValidation)
            if borrows:
                steps.add_pass_after(BorrowedReferences, NoPythonSupportedFeatureValidation)
            steps.finalize()
            return [steps]

    return Compiler
