"""Arrays as tensors and back, with the same memory: checkpoints hold tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray


def as_tensors(arrays: Mapping[str, NDArray[Any]]) -> dict[str, torch.Tensor]:
    """NumPy arrays as the tensors that go into a checkpoint."""
    return {name: torch.from_numpy(values) for name, values in arrays.items()}


def as_arrays(tensors: Mapping[str, torch.Tensor]) -> dict[str, NDArray[Any]]:
    """Tensors of a checkpoint as NumPy arrays."""
    return {name: values.numpy() for name, values in tensors.items()}
