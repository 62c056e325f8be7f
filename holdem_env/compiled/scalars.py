"""The numbers and arrays of compiled functions, as annotations.

In compiled code an int has 64 bits, as `int64(x)` has: NumPy's conversion, which type checkers take for an int here. So
they take a `float32(x)` for a float.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

int64: Callable[[Any], int] = np.int64  # type: ignore[assignment]
int32: Callable[[Any], int] = np.int32  # type: ignore[assignment]
float32: Callable[[Any], float] = np.float32  # type: ignore[assignment]

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]
Word = np.uint64
"""A random number: 64 bits."""
