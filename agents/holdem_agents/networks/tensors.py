"""Arrays as tensors and back, with the same memory: checkpoints hold tensors. And the device of a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray
from torch import nn


def as_tensors(arrays: Mapping[str, NDArray[Any]]) -> dict[str, torch.Tensor]:
    """NumPy arrays as the tensors that go into a checkpoint."""
    return {name: torch.from_numpy(values) for name, values in arrays.items()}


def as_arrays(tensors: Mapping[str, torch.Tensor]) -> dict[str, NDArray[Any]]:
    """Tensors of a checkpoint as NumPy arrays."""
    return {name: values.numpy() for name, values in tensors.items()}


def device_of(network: nn.Module) -> torch.device:
    """Where a network computes."""
    return next((weights.device for weights in network.parameters()), torch.device("cpu"))


def sent(array: NDArray[Any], device: torch.device) -> torch.Tensor:
    """An array as a tensor on a device; on the CPU with the same memory. Pinned memory may be read until the device
    next answers."""
    return torch.from_numpy(array).to(device, non_blocking=True)
