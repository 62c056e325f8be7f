"""What an agent with memory keeps between its decisions: a hidden state for each seat that it has at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.compiled.records import Records
from holdem_env.game.rules import Rules

HALF_RESULT = 2
"""The units won, usually big blinds, that are encoded as 0.5."""
NOT_BEGUN, ENDED = -1, 2**31
"""In place of a number of moves: of a hand without a decision yet, and of one that is over."""

Rows = NDArray[np.int64]
States = NDArray[np.float32]


def hand_ends(tables: Records, rules: Rules, rows: Rows, seats: Rows) -> NDArray[np.float32]:
    """A memory's inputs at the ends of hands, with the observations: (K, 2) float32, 1 for the end of a hand, and the
    seat's result, between -1 and 1."""
    chips = tables["seats"]["stack"][rows, seats] - tables["start_stack"][rows, seats]
    units = chips / rules.unit
    return np.column_stack([np.ones(len(rows)), units / (np.abs(units) + HALF_RESULT)]).astype(np.float32)


class TableMemory:
    """Hidden states by table and seat, as agents know them: by the views' `table_id` and `actor`.

    width: numbers in a state. hands: the number of hands of a table after which its state is zeros again. They are
    counted by `session_hands`; where it does not grow, hands stand alone, and every hand begins with zeros. A question
    that is asked again gets the same answer: states go on when the next decision is asked for.
    """

    def __init__(self, width: int, hands: int) -> None:
        self.width, self.hands = width, hands
        self.clear()

    def clear(self) -> None:
        """Discard the states of all tables."""
        self._places: dict[tuple[int, int], int] = {}
        self._before: States = np.zeros((0, self.width), np.float32)
        self._after: States = np.zeros((0, self.width), np.float32)
        self._asked: NDArray[np.int64] = np.zeros((0, 2), np.int64)

    def recall(self, tables: Records, rows: Rows, seats: Rows, moves: Rows | None = None) -> tuple[Rows, States]:
        """The places of these seats, (K,), and their states before what happens now, (K, width).

        moves: how many there were in the hand; by default those of the tables.
        """
        places = self._places_of(tables["table_id"][rows], seats)
        now = np.column_stack([tables["session_hands"][rows], tables["moves"][rows] if moves is None else moves])
        then, hand, last = self._asked[places], now[:, 0], self._asked[places, 0]
        is_same = (now == then).all(axis=1)
        is_new = (
            (hand < last) | (hand // self.hands != last // self.hands) | ((hand == last) & (now[:, 1] < then[:, 1]))
        )
        before = np.where(is_same[:, None], self._before[places], self._after[places])
        before[is_new] = 0
        self._before[places], self._asked[places] = before, now
        return places, before

    def keep(self, places: Rows, after: States) -> None:
        """The states after what happened at these places."""
        self._after[places] = after

    def end_hands(self, tables: Records, places: Rows, rows: Rows, after: States) -> None:
        """The states after the ends of hands: zeros if the sitting is over."""
        number = tables["session_hands"][rows] + 1
        self._after[places] = np.where((number % self.hands == 0)[:, None], 0, after)
        self._asked[places, 0] = number
        self._asked[places, 1] = NOT_BEGUN

    def _places_of(self, tables: Rows, seats: Rows) -> Rows:
        keys, known = zip(tables.tolist(), seats.tolist(), strict=True), self._places
        places = np.array([known.setdefault(key, len(known)) for key in keys], np.int64)
        if len(known) > len(self._asked):
            room = 2 * len(known)
            for name in ("_before", "_after", "_asked"):
                old = getattr(self, name)
                grown = np.zeros((room, old.shape[1]), old.dtype)
                grown[: len(old)] = old
                setattr(self, name, grown)
        return places

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything it remembers, as new arrays."""
        count = len(self._places)
        keys = np.array(list(self._places), np.int64).reshape(count, 2)
        parts: dict[str, NDArray[Any]] = {"before": self._before, "after": self._after, "asked": self._asked}
        return {"keys": keys, **{name: values[:count].copy() for name, values in parts.items()}}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        keys: list[list[int]] = state["keys"].tolist()
        self._places = {(table, seat): place for place, (table, seat) in enumerate(keys)}
        self._before, self._after, self._asked = (state[name].copy() for name in ("before", "after", "asked"))
