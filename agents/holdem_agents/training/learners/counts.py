"""What a learner's tables count while it trains: wins by opponent, and moves by street."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from holdem_env.engine.record import CHECK_CALL, FOLD, MAX_STREETS

KINDS = ("fold", "check_call", "raise")


class Counts(Protocol):
    """An environment that counts until `reset_counts`.

    Attributes:
        tables: Its tables, with the opponents as `agents`.
        won: Big blinds won in hands with each agent, in the order of `tables.agents`.
        hands: The number of these hands.
        moves_made: (streets, kinds) int64.
    """

    won: NDArray[np.float64]
    hands: NDArray[np.float64]
    moves_made: NDArray[np.int64]

    @property
    def tables(self) -> Any: ...

    def won_in_all(self) -> tuple[float, float]:
        """Return what the learner won from others, and in how many hands."""
        ...

    def reset_counts(self) -> None: ...


def no_moves() -> NDArray[np.int64]:
    """Return no moves yet, counted by street and kind: (streets, kinds) int64."""
    return np.zeros((MAX_STREETS, len(KINDS)), np.int64)


def count_moves(made: NDArray[np.int64], streets: NDArray[Any], moves: NDArray[np.int64]) -> None:
    """Add moves, (K,) each with its street, to those made."""
    kinds = np.select([moves == FOLD, moves == CHECK_CALL], [0, 1], 2)
    np.add.at(made, (streets, kinds), 1)
