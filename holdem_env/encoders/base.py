"""The base classes of encoders.

An observation encoder writes what one seat sees of one table. An action encoder writes, for each of its actions, the
engine move that the action means, or NO_MOVE if it is not offered; this list is both the mask and the decoding. An
encoder of continuous actions converts numbers to moves. All are compiled functions of the records, applied to a whole
batch. The engine decides what is legal; encoders choose among legal moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints, float32
from ..engine.batch import NO_MOVE
from ..engine.record import CHECK_CALL, DECK, FOLD, NOBODY, RulesRecord, TableRecord
from ..game.rules import Rules

if TYPE_CHECKING:  # spaces are imported when asked for
    from gymnasium.spaces import Box, Discrete

Layout = list[tuple[str, int, int]]
Legend = dict[str, list[str]]
Rows = NDArray[np.int64]
Shape = tuple[int, ...]

HALF_AMOUNT = 20  # this many big blinds are written as 0.5
EXPOSED = "card exposed by a dealer's error, by 4 * rank + suit"


SEE_EXPOSED = ("flat", "planes", "tokens", "equity", "shown_cards")
"""The built-in observations that show the cards that a dealer's error exposed (R33-R38)."""


class EncoderError(ValueError):
    """An encoder broke its contract: it wrote outside its space, offered an illegal move, or offered no move."""


@inline
def big_blind(r: RulesRecord) -> int:
    """The unit of amounts: chips in a big blind, or in the minimum bet if the game has no big blind."""
    return r.big_blind if r.big_blind > 0 else r.min_bet[0]


@inline
def squash(amount: float, half: float) -> float:
    """Chips as a number in 0..1; `half` chips become 0.5."""
    chips = float32(amount)
    return chips / (chips + float32(half))


@inline
def raise_fraction(total: int, level: int, pot: int, call: int) -> float:
    """A raise to a street total as a part of the pot after the call."""
    return (total - level) / max(pot + call, 1)


@inline
def write_exposed(t: TableRecord, out: Floats, at: int) -> None:
    """R33-R38: write the cards that a dealer's error has shown to everybody, as 52 zeros and ones."""
    for card in range(DECK):
        out[at + card] = t.exposed[card]


@inline
def offer_passive(t: TableRecord, seat: int, choices: Ints) -> None:
    """Offer a fold if there is something to call, and a check or call."""
    choices[0] = FOLD if t.bet_to_match > t.bet[seat] else NO_MOVE
    choices[1] = CHECK_CALL


@kernel
def choose_kinds(tables: Records, rules: Records, rows: Ints, parameters: Ints, choices: Ints) -> None:
    """Fold, check or call, the minimum raise. `parameters` is unused."""
    for i in range(rows.size):
        t = tables[rows[i]]
        choices[i, :] = NO_MOVE
        if t.actor != NOBODY:
            offer_passive(t, t.actor, choices[i])
            choices[i, 2] = t.raise_min if t.raise_max > 0 else NO_MOVE


class Encoder(ABC):
    """Base of all encoders: what has a name."""

    name: str

    def __repr__(self) -> str:
        name = getattr(self, "name", None)
        return f"<{type(self).__name__}>" if name is None else f"<{type(self).__name__} {name!r}>"


class ObservationEncoder(Encoder):
    """Converts a table, as one seat sees it, to float32 numbers."""

    layout_axis = 0
    """The axis of the shape that the layout describes, such as channels, columns, or a flat observation's only axis."""

    @abstractmethod
    def layout(self, rules: Rules) -> Layout:
        """Return the meaning of each index along `layout_axis`, in order and without gaps.

        Returns:
            A list of (meaning, first index, one past the last).

        Raises:
            ValueError: If the encoder does not support the rules.
        """

    kernel: Any = None
    """A `@kernel` with the arguments of `observe`, if the encoder needs nothing else. `Tables` and the AEC environment
    then step, offer and observe in one call."""

    @property
    def is_kernel(self) -> bool:
        """Whether the encoder is nothing but its kernel."""
        return self.kernel is not None and type(self).observe is ObservationEncoder.observe

    @property
    def thread_safe(self) -> bool:
        """Whether several threads may call `observe` at once."""
        return self.is_kernel

    def observe(self, tables: Records, rules: Records, rows: Rows, seats: Rows, out: NDArray[np.float32]) -> None:
        """Write out[k] = tables[rows[k]] as seats[k] sees it.

        Args:
            tables: (N,) TABLE records.
            rules: The RULES records of the game.
            rows, seats: (K,) int64.
            out: (K, size) float32, C-contiguous. An observation of several axes is flattened in C order.
        """
        if self.kernel is None:
            raise NotImplementedError(f"observation encoder {self.name!r} has neither `observe` nor a `kernel`")
        self.kernel(tables, rules, rows, seats, out)

    def legend(self, rules: Rules) -> Legend:
        """For an observation of several axes, the meanings of the indices along the other axes, by title."""
        return {}

    def shape(self, rules: Rules) -> Shape:
        """The shape of one observation."""
        return (self.layout(rules)[-1][2],)

    def size(self, rules: Rules) -> int:
        """The number of numbers in an observation."""
        return prod(self.shape(rules))

    def space(self, rules: Rules) -> Box:
        """The space of one observation."""
        from gymnasium.spaces import Box

        return Box(0.0, 1.0, self.shape(rules), np.float32)


class ActionEncoder(Encoder):
    """Maps discrete actions to engine moves."""

    @abstractmethod
    def meanings(self, rules: Rules) -> list[str]:
        """The meaning of each action, in order."""

    kernel: Any = None
    """A `@kernel` with the arguments of `choose` and the encoder's `parameters` before the last one, if the encoder
    needs nothing else. `Tables` and the AEC environment then step, offer and observe in one call."""
    parameters: NDArray[np.int64] = np.zeros((1, 0), np.int64)
    """Two axes, int64 and C-contiguous. A kernel with other parameters is called separately."""

    @property
    def is_kernel(self) -> bool:
        """Whether the encoder is nothing but its kernel."""
        return self.kernel is not None and type(self).choose is ActionEncoder.choose

    @property
    def thread_safe(self) -> bool:
        """Whether several threads may call `choose` at once."""
        return self.is_kernel

    def choose(self, tables: Records, rules: Records, rows: Rows, choices: NDArray[np.int64]) -> None:
        """Write choices[k, a] = the engine move of action a at tables[rows[k]], or NO_MOVE.

        Args:
            tables: (N,) TABLE records.
            rules: The RULES records of the game.
            rows: (K,) int64.
            choices: (K, actions) int64, C-contiguous.
        """
        if self.kernel is None:
            raise NotImplementedError(f"action encoder {self.name!r} has neither `choose` nor a `kernel`")
        self.kernel(tables, rules, rows, self.parameters, choices)

    def size(self, rules: Rules) -> int:
        """The number of actions: the width of the mask."""
        return len(self.meanings(rules))

    def space(self, rules: Rules) -> Discrete | Box:
        from gymnasium.spaces import Discrete

        return Discrete(self.size(rules))


class BoxActionEncoder(ActionEncoder):
    """Maps a few numbers in -1..1 to an engine move, for algorithms with continuous actions, which have no masks.

    Every action means a legal move, so nothing needs a mask. The mask shows which kinds of moves are legal: `meanings`
    lists the kinds, by default fold, check or call, and raise.
    """

    kernel = staticmethod(choose_kinds)

    @abstractmethod
    def shape(self, rules: Rules) -> Shape:
        """The shape of one action: (numbers,)."""

    @abstractmethod
    def decode(
        self, tables: Records, rules: Records, rows: Rows, actions: NDArray[np.float32], moves: NDArray[np.int64]
    ) -> None:
        """Write moves[k] = the legal engine move that actions[k] means at tables[rows[k]].

        Args:
            tables: (N,) TABLE records.
            rules: The RULES records of the game.
            rows: (K,) int64.
            actions: (K, numbers) float32, C-contiguous, finite and clipped to the space.
            moves: (K,) int64.
        """

    def meanings(self, rules: Rules) -> list[str]:
        return ["fold", "check or call", "raise"]

    def space(self, rules: Rules) -> Box:
        from gymnasium.spaces import Box

        return Box(-1.0, 1.0, self.shape(rules), np.float32)


def phases(rules: Rules) -> list[str]:
    """The phases of mixed hold'em (R19) that an observation shows; none if there is only one."""
    names = rules.phase_names
    return [f"{k} ({name})" for k, name in enumerate(names)] if len(names) > 1 else []


def exposed_lengths(rules: Rules) -> list[tuple[str, int]]:
    """The layout of what `write_exposed` writes; empty in games without dealer errors."""
    return [] if rules.dealer_errors is None else [(EXPOSED, DECK)]


def ranges(lengths: list[tuple[str, int]]) -> Layout:
    """A layout from pairs of a meaning and its number of numbers."""
    layout: Layout = []
    at = 0
    for meaning, length in lengths:
        layout.append((meaning, at, at + length))
        at += length
    return layout
