"""What chips are worth to the players of a tree, where a chip is not worth a chip, as models that files can keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ...table.prizes import icm
from ...utils.validation import Validated

Utility: TypeAlias = Callable[[NDArray[np.float64]], NDArray[Any]]
"""From (..., 2), the chips that both players have at an end, to (..., 2), what these are worth."""


class Icm(Validated):
    """Chips as shares of prizes, by the independent chip model (Harville 1973; Malmuth 1987).

    Attributes:
        others: The chips of the players who are not in the hand.
        prizes: Of the places that are still open, best first.
    """

    name: Literal["icm"] = "icm"
    others: tuple[int, ...] = Field(max_length=8)
    prizes: tuple[float, ...] = Field(min_length=1, max_length=10)

    def __call__(self, chips: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (..., 2), the prizes that both players can expect with these chips."""
        pairs, where = np.unique(np.reshape(chips, (-1, 2)), axis=0, return_inverse=True)
        worth = np.array([self._worth(pair.tolist()) for pair in pairs])
        return worth[where.reshape(-1)].reshape(np.shape(chips))

    def _worth(self, pair: list[float]) -> list[float]:
        left = sum(chips > 0 for chips in (*pair, *self.others))
        out = self.prizes[left] if left < len(self.prizes) else 0.0  # the prize of the next place
        found = icm([*pair, *self.others], self.prizes[:left])[:2]
        return [worth if chips else out for worth, chips in zip(found, pair, strict=True)]
