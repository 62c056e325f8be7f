"""What an encoder is, and how a function of a few lines becomes one.

An observation encoder writes what one seat sees of one table; an action encoder writes, for each of its actions,
the engine move
that it stands for, or NO_MOVE where it offers none: mask and decoding are the same list. Both are compiled
    functions of the records, applied to a batch in a pass of their own; legality is the engine's, encoders only
    choose.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from ..engine.batch import NO_MOVE
from ..engine.compiling import kernel_of, typed
from ..engine.record import NOBODY, RULES, TABLE, Records
from ..rules import Rules

if TYPE_CHECKING:  # spaces are imported when asked for
    from gymnasium.spaces import Box, Discrete

Layout = list[tuple[str, int, int]]
Rows = NDArray[np.int64]

TABLE_TYPE = numba.from_dtype(TABLE)
RULES_TYPE = numba.from_dtype(RULES)
OBSERVE_SIGNATURE = types.void(TABLE_TYPE, RULES_TYPE, types.int64, types.float32[::1])
CHOOSE_SIGNATURE = types.void(TABLE_TYPE, RULES_TYPE, types.int64[::1])
ROWS_TYPE = types.int64[::1]
TABLES_TYPE, RULES_ARRAY = types.Array(TABLE_TYPE, 1, "C"), types.Array(RULES_TYPE, 1, "C", readonly=True)


class ObservationEncoder(ABC):
    """Turns a table, as one seat sees it, into float32 numbers."""

    name: str

    @abstractmethod
    def layout(self, rules: Rules) -> Layout:
        """What stands where: (meaning, first index, one past the last), in order and without gaps."""

    @abstractmethod
    def observe(self, tables: Records, rules: Records, rows: Rows, seats: Rows, out: NDArray[np.float32]) -> None:
        """Write out[k] = tables[rows[k]] as seats[k] sees it. rows, seats: (K,) int64; out: (K, size) float32,
        C-contiguous."""

    def size(self, rules: Rules) -> int:
        """How many numbers an observation has."""
        return self.layout(rules)[-1][2]

    def space(self, rules: Rules) -> Box:
        """The space of one observation."""
        from gymnasium.spaces import Box

        return Box(0.0, 1.0, (self.size(rules),), np.float32)


class ActionEncoder(ABC):
    """Maps a few discrete actions to engine moves."""

    name: str

    @abstractmethod
    def meanings(self, rules: Rules) -> list[str]:
        """What each action stands for, in order."""

    @abstractmethod
    def choose(self, tables: Records, rules: Records, rows: Rows, choices: NDArray[np.int64]) -> None:
        """Write choices[k, a] = the engine move of action a at tables[rows[k]], or NO_MOVE. choices: (K, actions)
        int64."""

    def size(self, rules: Rules) -> int:
        """How many actions there are."""
        return len(self.meanings(rules))

    def space(self, rules: Rules) -> Discrete:
        """The space of actions."""
        from gymnasium.spaces import Discrete

        return Discrete(self.size(rules))


@cache
def _observe_each() -> Callable[..., None]:
    """The pass that applies a first-class function to a batch; compiled once for all functions, and cached."""
    function = types.FunctionType(OBSERVE_SIGNATURE)
    signature = types.void(function, TABLES_TYPE, RULES_ARRAY, ROWS_TYPE, ROWS_TYPE, types.float32[:, ::1])
    return kernel_of(signature, observe_each)


@cache
def _choose_each() -> Callable[..., None]:
    """Likewise for action encoders."""
    function = types.FunctionType(CHOOSE_SIGNATURE)
    signature = types.void(function, TABLES_TYPE, RULES_ARRAY, ROWS_TYPE, types.int64[:, ::1])
    return kernel_of(signature, choose_each)


def observe_each(function, tables, rules, rows, seats, out):
    """Zero the rows and let the function write them."""
    for k in range(rows.size):
        out[k, :] = 0.0
        function(tables[rows[k]], rules[0], seats[k], out[k])


def choose_each(function, tables, rules, rows, choices):
    """Offer nothing, and let the function write what it offers where somebody is to act."""
    for k in range(rows.size):
        choices[k, :] = NO_MOVE
        if tables[rows[k]].actor != NOBODY:
            function(tables[rows[k]], rules[0], choices[k])


class FunctionObservation(ObservationEncoder):
    """An observation encoder made of a user's function; see `observation_encoder`."""

    def __init__(
        self, function: Callable[..., None], size: int | Callable[[Rules], int], low: float, high: float
    ) -> None:
        self.name = function.__name__
        self._size, self._low, self._high = size, low, high
        self._function = typed(OBSERVE_SIGNATURE)(function)

    def layout(self, rules: Rules) -> Layout:
        return [(self.name, 0, self._size(rules) if callable(self._size) else self._size)]

    def space(self, rules: Rules) -> Box:
        from gymnasium.spaces import Box

        return Box(self._low, self._high, (self.size(rules),), np.float32)

    def observe(self, tables: Records, rules: Records, rows: Rows, seats: Rows, out: NDArray[np.float32]) -> None:
        _observe_each()(self._function, tables, rules, rows, seats, out)


class FunctionActions(ActionEncoder):
    """An action encoder made of a user's function; see `action_encoder`."""

    def __init__(self, function: Callable[..., None], meanings: list[str]) -> None:
        self.name = function.__name__
        self._meanings = meanings
        self._function = typed(CHOOSE_SIGNATURE)(function)

    def meanings(self, rules: Rules) -> list[str]:
        return self._meanings

    def choose(self, tables: Records, rules: Records, rows: Rows, choices: NDArray[np.int64]) -> None:
        _choose_each()(self._function, tables, rules, rows, choices)


def observation_encoder(
    size: int | Callable[[Rules], int], low: float = 0.0, high: float = 1.0
) -> Callable[[Callable[..., None]], FunctionObservation]:
    """Make an encoder of a function (t, r, seat, out) that reads the records and writes `size` float32 numbers into
    zeroed `out`.

    >>> @observation_encoder(size=2)
    ... def pot_odds(t, r, seat, out):
    ...     call = t.level - t.bet[seat]
    ...     out[0] = call / (t.pot + call)
    ...     out[1] = t.in_hand[seat]
    """
    return lambda function: FunctionObservation(function, size, low, high)


def action_encoder(meanings: list[str]) -> Callable[[Callable[..., None]], FunctionActions]:
    """Make an encoder of a function (t, r, choices) that writes an engine move for each action it offers.

    >>> @action_encoder(["fold", "call", "shove"])
    ... def push_or_fold(t, r, choices):
    ...     choices[0] = -1
    ...     choices[1] = 0
    ...     if t.raise_max == t.stack[t.actor] + t.bet[t.actor]:
    ...         choices[2] = t.raise_max
    """
    return lambda function: FunctionActions(function, meanings)
