"""What an encoder is.

An observation encoder writes what one seat sees of one table; an action encoder writes, for each of its actions, the
engine move that it stands for, or NO_MOVE where it offers none: mask and decoding are the same list. An encoder of
continuous actions turns numbers into moves instead. All are compiled functions of the records, applied to a batch in a
pass of their own; legality is the engine's, encoders only choose.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..engine.batch import NO_MOVE
from ..engine.record import CHECK_CALL, DECK, FOLD, NOBODY
from ..game.rules import Rules

if TYPE_CHECKING:  # spaces are imported when asked for
    from gymnasium.spaces import Box, Discrete

Layout = list[tuple[str, int, int]]
Legend = dict[str, list[str]]
Rows = NDArray[np.int64]
Shape = tuple[int, ...]

HALF_AMOUNT = 20  # big blinds that are written as one half
EXPOSED = "card exposed by a dealer's error, by 4 * rank + suit"


class EncoderError(ValueError):
    """An encoder did what it must not: wrote outside its space, offered an illegal move, or none."""


@inline
def big_blind(r):
    """The unit of amounts: chips in a big blind, or in the least bet of games that have none."""
    return r.big_blind if r.big_blind > 0 else r.min_bet[0]


@inline
def squash(amount, half):
    """Chips as a number in 0..1; `half` chips are one half."""
    chips = np.float32(amount)
    return chips / (chips + np.float32(half))


@inline
def write_exposed(t, out, at):
    """R33-R38: the cards that a dealer's error showed to everybody, wherever they lie now, as 52 zeros and ones."""
    for card in range(DECK):
        out[at + card] = t.exposed[card]


@inline
def offer_passive(t, seat, choices):
    """Fold if there is something to call, and check or call."""
    choices[0] = FOLD if t.level > t.bet[seat] else NO_MOVE
    choices[1] = CHECK_CALL


@kernel
def choose_kinds(tables, rules, rows, parameters, choices):
    """Fold, check or call, the least raise. parameters: none."""
    for i in range(rows.size):
        t = tables[rows[i]]
        choices[i, :] = NO_MOVE
        if t.actor != NOBODY:
            offer_passive(t, t.actor, choices[i])
            choices[i, 2] = t.raise_min if t.raise_max > 0 else NO_MOVE


class ObservationEncoder(ABC):
    """Turns a table, as one seat sees it, into float32 numbers."""

    name: str
    layout_axis = 0
    """Which axis of the shape the layout divides: channels or columns. Of a flat observation the only one."""

    @abstractmethod
    def layout(self, rules: Rules) -> Layout:
        """What stands where: (meaning, first index, one past the last), in order and without gaps, along
        `layout_axis`.

        Raises ValueError for rules that the encoder cannot describe.
        """

    kernel: Any = None
    """A `@kernel` of the arguments of `observe`, if that is all there is to it: then `Tables` and the AEC environment
    step, offer and observe in one call."""

    def observe(self, tables: Records, rules: Records, rows: Rows, seats: Rows, out: NDArray[np.float32]) -> None:
        """Write out[k] = tables[rows[k]] as seats[k] sees it. rows, seats: (K,) int64; out: (K, size) float32,
        C-contiguous: an observation of several axes row by row."""
        if self.kernel is None:
            raise NotImplementedError(f"observation encoder {self.name!r} has neither `observe` nor a `kernel`")
        self.kernel(tables, rules, rows, seats, out)

    def legend(self, rules: Rules) -> Legend:
        """Of an observation of several axes: what the places along the others stand for, by a title."""
        return {}

    def shape(self, rules: Rules) -> Shape:
        """The shape of one observation."""
        return (self.layout(rules)[-1][2],)

    def size(self, rules: Rules) -> int:
        """How many numbers an observation has."""
        return prod(self.shape(rules))

    def space(self, rules: Rules) -> Box:
        """The space of one observation."""
        from gymnasium.spaces import Box

        return Box(0.0, 1.0, self.shape(rules), np.float32)


class ActionEncoder(ABC):
    """Maps a few discrete actions to engine moves."""

    name: str

    @abstractmethod
    def meanings(self, rules: Rules) -> list[str]:
        """What each action stands for, in order."""

    kernel: Any = None
    """A `@kernel` of the arguments of `choose`, with the encoder's `parameters` before the last, if that is all there
    is to it: then `Tables` and the AEC environment step, offer and observe in one call."""
    parameters: NDArray[np.int64] = np.zeros((1, 0), np.int64)
    """Of two axes, int64 and C-contiguous; a kernel that takes others is called by itself."""

    def choose(self, tables: Records, rules: Records, rows: Rows, choices: NDArray[np.int64]) -> None:
        """Write choices[k, a] = the engine move of action a at tables[rows[k]], or NO_MOVE. choices: (K, actions)
        int64, C-contiguous."""
        if self.kernel is None:
            raise NotImplementedError(f"action encoder {self.name!r} has neither `choose` nor a `kernel`")
        self.kernel(tables, rules, rows, self.parameters, choices)

    def size(self, rules: Rules) -> int:
        """How many actions there are: the width of the mask."""
        return len(self.meanings(rules))

    def space(self, rules: Rules) -> Discrete | Box:
        """The space of actions."""
        from gymnasium.spaces import Discrete

        return Discrete(self.size(rules))


class BoxActionEncoder(ActionEncoder):
    """Maps a few numbers in -1..1 to an engine move: for algorithms of continuous actions, which know no masks.

    Every action means a legal move, so a mask has nothing to forbid. Still there is one, which tells those who want to
    know it what the seat may do: the `meanings` are the kinds of moves, by default fold, check or call, and raise.
    """

    kernel = staticmethod(choose_kinds)

    @abstractmethod
    def shape(self, rules: Rules) -> Shape:
        """The shape of one action: (numbers,)."""

    @abstractmethod
    def decode(
        self, tables: Records, rules: Records, rows: Rows, actions: NDArray[np.float32], moves: NDArray[np.int64]
    ) -> None:
        """Write moves[k] = the legal engine move that actions[k] means at tables[rows[k]]. actions: (K, numbers)
        float32 and finite, C-contiguous, cut to the space; moves: (K,) int64."""

    def meanings(self, rules: Rules) -> list[str]:
        return ["fold", "check or call", "raise"]

    def space(self, rules: Rules) -> Box:
        from gymnasium.spaces import Box

        return Box(-1.0, 1.0, self.shape(rules), np.float32)


def phases(rules: Rules) -> list[str]:
    """The phases of mixed hold'em (R19) that an observation tells apart; none where there is only one."""
    given = rules.session.phases if rules.session else ()
    names = [phase.name or stage.structure for phase, stage in zip(given, rules.stages, strict=False)]
    return [f"{k} ({name})" for k, name in enumerate(names)] if len(names) > 1 else []


def exposed_lengths(rules: Rules) -> list[tuple[str, int]]:
    """The part of a layout that `write_exposed` writes; none in games where the dealer does not err."""
    return [] if rules.dealer_errors is None else [(EXPOSED, DECK)]


def ranges(lengths: list[tuple[str, int]]) -> Layout:
    """A layout from meanings and how many numbers each has."""
    layout: Layout = []
    at = 0
    for meaning, length in lengths:
        layout.append((meaning, at, at + length))
        at += length
    return layout
