"""Stack: several observations joined into one, "flat+equity" or Stack(Flat(), my_encoder)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..compiled.records import Records
from ..engine.record import RULES
from ..game.rules import Rules
from .base import Layout, ObservationEncoder, Rows

if TYPE_CHECKING:  # spaces are imported when asked for
    from gymnasium.spaces import Box

BLOCK = 256  # tables observed at a time: their parts stay in a near cache until they are copied to `out`
# The bytes of a record that belong to fields; the padding between fields is undefined.
FIELD_BYTES = np.concatenate([np.arange(at, at + field.itemsize) for field, at, *_ in (RULES.fields or {}).values()])


class Stack(ObservationEncoder):
    """The observations of several encoders, one after the other in one row. Observations of several axes are flattened.

    >>> from holdem_env import Rules
    >>> from holdem_env.encoders import get_observation
    >>> get_observation("flat+equity").layout(Rules(seats=2))[-1]
    ('equity: twice the standard deviation of the share over the cards to come', 153, 154)
    """

    def __init__(self, *parts: ObservationEncoder) -> None:
        if not parts:
            raise ValueError("Stack: give it at least one encoder")
        self.parts = parts
        self.name = "+".join(part.name for part in parts)
        self._sizes: dict[bytes, list[int]] = {}

    @property
    def thread_safe(self) -> bool:
        return all(part.thread_safe for part in self.parts)

    def layout(self, rules: Rules) -> Layout:
        sizes = self._sizes[_key(rules.record)] = [part.size(rules) for part in self.parts]
        layout: Layout = []
        at = 0
        for part, size in zip(self.parts, sizes):
            layout += [(f"{part.name}: {meaning}", at + a, at + b) for meaning, a, b in _flat_layout(part, rules, size)]
            at += size
        return layout

    def space(self, rules: Rules) -> Box:
        from gymnasium.spaces import Box

        boxes = [part.space(rules) for part in self.parts]
        low, high = (
            np.concatenate([side.ravel() for side in sides]) for sides in zip(*((b.low, b.high) for b in boxes))
        )
        return Box(low, high, dtype=np.float32)

    def observe(self, tables: Records, rules: Records, rows: Rows, seats: Rows, out: NDArray[np.float32]) -> None:
        sizes = self._sizes.get(_key(rules))
        if sizes is None:
            raise RuntimeError(f"observation {self.name!r}: first call size(rules) with the rules of these tables")
        for first in range(0, len(rows), BLOCK):
            block = slice(first, first + BLOCK)
            at = 0
            for part, size in zip(self.parts, sizes):
                numbers = np.empty((len(rows[block]), size), np.float32)
                part.observe(tables, rules, rows[block], seats[block], numbers)
                out[block, at : at + size] = numbers
                at += size


def _key(rules: Records) -> bytes:
    """The rules as a hashable key."""
    key: bytes = np.frombuffer(rules.tobytes(), np.uint8)[FIELD_BYTES].tobytes()
    return key


def _flat_layout(part: ObservationEncoder, rules: Rules, size: int) -> Layout:
    """The layout of a part when it is flattened."""
    layout, axis = part.layout(rules), part.layout_axis
    if axis > 0:
        return [(f"{part.shape(rules)}, row by row", 0, size)]
    inner = size // layout[-1][2]
    return [(meaning, first * inner, last * inner) for meaning, first, last in layout]
