"""Checks actions and converts them to moves, for `Tables`, environments and agents, with the error messages."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..compiled.records import Records
from ..engine.batch import first_illegal
from ..engine.legality import why_illegal
from ..engine.record import CHECK_CALL
from ..game.rules import Rules
from .base import ActionEncoder, BoxActionEncoder, EncoderError, Rows

SHOWN = 12  # the most offered actions that an error names


def checked_indices(actions: ArrayLike, count: int) -> NDArray[np.int64]:
    """Discrete actions as (count,) int64. Raises ValueError for another shape, or if they are not integers."""
    array = np.asarray(actions)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise ValueError(
            f"actions: give {count} integers, one per table; this has shape {array.shape}, dtype {array.dtype}"
        )
    return np.ascontiguousarray(array, np.int64)


def decoded_moves(
    encoder: BoxActionEncoder, rules: Rules, tables: Records, rows: Rows, actions: ArrayLike
) -> NDArray[np.int64]:
    """The moves that continuous actions mean at tables[rows]: (K, *shape) numbers become (K,) int64.

    Numbers outside the space are clipped. Raises ValueError for another shape or type, and for NaN and infinity, naming
    the table; EncoderError if the encoder decodes to an illegal move.
    """
    array = np.asarray(actions)
    shape = (len(rows), *encoder.shape(rules))
    if array.shape != shape or array.dtype.kind not in "fiu":
        raise ValueError(
            f"actions: give numbers in an array of shape {shape}; this has shape {array.shape}, dtype {array.dtype}"
        )
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        raise ValueError(f"actions: {array[tuple(bad[0])]} at table {rows[bad[0][0]]}; give numbers in -1 to 1")
    moves = np.empty(len(rows), np.int64)
    encoder.decode(tables, rules.record, rows, np.clip(array, -1, 1).astype(np.float32, order="C"), moves)
    wrong = first_illegal(tables, rules.record, rows, moves)
    if wrong >= 0:
        row = int(rows[wrong])
        why = why_illegal(tables, rules.record, row, int(moves[wrong]))
        raise EncoderError(
            f"action encoder {encoder.name!r} decodes {array[wrong]} at table {row} to an illegal move: {why}"
        )
    return moves


def nearest_action(offered: NDArray[np.int64], move: int) -> int:
    """The index of the offered move that equals this one, or is nearest to it: for a raise, the raise whose total has
    the nearest ratio; if there is none, check or call. offered: (A,) moves, as an encoder chooses them."""
    exact, raises = np.flatnonzero(offered == move), np.flatnonzero(offered > 0)
    if exact.size:
        return int(exact[0])
    if move <= CHECK_CALL or not raises.size:
        return int(np.flatnonzero(offered == CHECK_CALL)[0])
    return int(raises[np.abs(np.log(offered[raises] / move)).argmin()])


def action_text(encoder: ActionEncoder, rules: Rules, action: int) -> str:
    """A discrete action in words: "2 (raise pot)", or that it is outside the space."""
    meanings = encoder.meanings(rules)
    if 0 <= action < len(meanings):
        return f"{action} ({meanings[action]})"
    return f"{action}, outside 0..{len(meanings) - 1},"


def offered_text(encoder: ActionEncoder, rules: Rules, mask: NDArray[np.int8]) -> str:
    """The offered actions in words; if there are many, only the first ones and the last."""
    meanings = encoder.meanings(rules)
    words = [f"{action} ({meanings[action]})" for action in np.flatnonzero(mask)]
    if len(words) > SHOWN:
        words[SHOWN - 2 : -1] = [f"... {len(words) - SHOWN + 1} more ..."]
    return ", ".join(words)
