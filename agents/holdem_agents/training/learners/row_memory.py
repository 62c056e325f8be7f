"""Memories of decisions for learners that learn from more than their latest rollout: a replay memory, a reservoir."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray


class RowMemory:
    """A bounded memory of rows, such as decisions, on the CPU.

    Args:
        size: How many rows it keeps.
        is_reservoir: True keeps a uniform sample of all rows (Vitter 1985, algorithm R), False the latest ones.
        seed: Seed of the sampling.
    """

    def __init__(self, size: int, *, is_reservoir: bool, seed: int) -> None:
        self.size, self.is_reservoir, self.seen = size, is_reservoir, 0
        self._random = torch.Generator().manual_seed(seed)
        self._columns: dict[str, NDArray[Any]] = {}

    def __len__(self) -> int:
        return min(self.seen, self.size)

    def add(self, **columns: NDArray[Any]) -> None:
        """Add rows: for each name an array (N, ...), always the same names, shapes and dtypes."""
        count = len(next(iter(columns.values())))
        number = self.seen + np.arange(count)
        where = number % self.size
        if self.is_reservoir:
            drawn = (torch.rand(count, generator=self._random, dtype=torch.float64).numpy() * (number + 1)).astype(int)
            where = np.where(number < self.size, number, drawn)
        kept = where < self.size
        for name, values in columns.items():
            column = self._columns.setdefault(name, np.zeros((self.size, *values.shape[1:]), values.dtype))
            column[where[kept]] = values[kept]
        self.seen += count

    def sample(self, count: int, device: torch.device | str = "cpu") -> dict[str, torch.Tensor]:
        """Return `count` rows at random, with repetition: by name, (count, ...) on a device."""
        chosen = torch.randint(len(self), (count,), generator=self._random).numpy()
        return {name: torch.from_numpy(column[chosen]).to(device) for name, column in self._columns.items()}

    def state(self) -> dict[str, Any]:
        """Return what `load_state` needs: plain data and tensors."""
        columns = {name: torch.from_numpy(column) for name, column in self._columns.items()}
        return {"seen": self.seen, "columns": columns, "random": self._random.get_state()}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a state, to the bit."""
        self.seen = state["seen"]
        self._columns = {name: column.numpy().copy() for name, column in state["columns"].items()}
        self._random.set_state(state["random"])
