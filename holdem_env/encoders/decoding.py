"""What the faces share when they are given actions: checking them, making moves of them, and saying what is wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..compiled.records import Records
from ..engine.batch import first_illegal
from ..engine.legality import why_illegal
from ..game.rules import Rules
from .base import ActionEncoder, BoxActionEncoder, EncoderError, Rows

SHOWN = 12  # offered actions that an error names, at most


def checked_indices(actions: ArrayLike, count: int) -> NDArray[np.int64]:
    """Discrete actions as (count,) int64. Raises ValueError for another shape or what are not integers."""
    given = np.asarray(actions)
    if given.shape != (count,) or given.dtype.kind not in "iu":
        raise ValueError(
            f"actions: give {count} integers, one a table; this has shape {given.shape}, dtype {given.dtype}"
        )
    return np.ascontiguousarray(given, np.int64)


def decoded_moves(
    encoder: BoxActionEncoder, rules: Rules, tables: Records, rows: Rows, actions: ArrayLike
) -> NDArray[np.int64]:
    """The moves that continuous actions mean at tables[rows]: (K, *shape) numbers become (K,) int64.

    Numbers beyond the space are cut to it. Raises ValueError for another shape, what are not numbers, NaN and infinity,
    naming the table; EncoderError for an encoder that decodes to an illegal move.
    """
    given = np.asarray(actions)
    shape = (len(rows), *encoder.shape(rules))
    if given.shape != shape or given.dtype.kind not in "fiu":
        raise ValueError(
            f"actions: give numbers in an array of shape {shape}; this has shape {given.shape}, dtype {given.dtype}"
        )
    bad = np.argwhere(~np.isfinite(given))
    if bad.size:
        raise ValueError(f"actions: {given[tuple(bad[0])]} at table {rows[bad[0][0]]}; give numbers in -1 to 1")
    moves = np.empty(len(rows), np.int64)
    encoder.decode(tables, rules.record, rows, np.clip(given, -1, 1).astype(np.float32, order="C"), moves)
    wrong = first_illegal(tables, rules.record, rows, moves)
    if wrong >= 0:
        row = int(rows[wrong])
        why = why_illegal(tables, rules.record, row, int(moves[wrong]))
        raise EncoderError(
            f"action encoder {encoder.name!r} makes of {given[wrong]} at table {row} an illegal move: {why}"
        )
    return moves


def action_text(encoder: ActionEncoder, rules: Rules, action: int) -> str:
    """A discrete action in words: "2 (raise pot)", or that it is outside the space."""
    meanings = encoder.meanings(rules)
    if 0 <= action < len(meanings):
        return f"{action} ({meanings[action]})"
    return f"{action}, outside 0..{len(meanings) - 1},"


def offered_text(encoder: ActionEncoder, rules: Rules, mask: NDArray[np.int8]) -> str:
    """The offered actions in words; of many the first and the last."""
    meanings = encoder.meanings(rules)
    words = [f"{action} ({meanings[action]})" for action in np.flatnonzero(mask)]
    if len(words) > SHOWN:
        words[SHOWN - 2 : -1] = [f"... {len(words) - SHOWN + 1} more ..."]
    return ", ".join(words)
