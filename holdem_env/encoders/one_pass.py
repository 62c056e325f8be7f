"""Stepping, offering and observing in one pass over a batch, a few tables at a time: what one does to a table the next
finds in the processor's nearest memory.

It is compiled once for all encoders and calls their kernels by address, as C does. Where that cannot be, the passes are
made one after the other.
"""

from __future__ import annotations

import numpy as np

from ..compiled import types
from ..compiled.compiler import kernel
from ..compiled.intrinsics import address_of, caller_of
from ..engine.batch import look_at
from ..engine.record import RULES_TYPE, TABLE_TYPE
from ..engine.stepping import step_at
from .base import ActionEncoder, ObservationEncoder

# So many tables at a time: half a megabyte with their observations, as second-level caches have.
CHUNK = 256

TABLES, RULES = types.Array(TABLE_TYPE, 1, "C"), types.Array(RULES_TYPE, 1, "C", readonly=True)
INTS, NUMBERS, FLOATS = types.int64[::1], types.int64[:, ::1], types.float32[:, ::1]
OBSERVE, CHOOSE = (TABLES, RULES, INTS, INTS, FLOATS), (TABLES, RULES, INTS, NUMBERS, NUMBERS)


call = caller_of(OBSERVE, CHOOSE)


@kernel
def step_and_look(
    observe, choose, tables, rules, log, actions, parameters, choices, results, mask, actor, rows, out, first, last
):
    """Play offered actions, then say who is to act, what is offered and what is seen. observe, choose: addresses;
    results: see `step_at`."""
    for begin in range(first, last, CHUNK):
        end = min(begin + CHUNK, last)
        step_at(tables, rules, log, choices, actions, results, begin, end)
        call(choose, tables, rules, rows[begin:end], parameters, choices[begin:end])
        look_at(tables, choices, mask, actor, begin, end)
        call(observe, tables, rules, rows[begin:end], actor[begin:end], out[begin:end])


def addresses(observation: ObservationEncoder, actions: ActionEncoder) -> tuple[int, int] | None:
    """Where the kernels of two encoders are, if each is nothing but its kernel, and parameters are what such a call
    takes for granted; else None."""
    if not (observation.is_kernel and actions.is_kernel):
        return None
    given = actions.parameters
    if given.dtype != np.int64 or given.ndim != NUMBERS.ndim or not given.flags.c_contiguous:
        return None
    found = address_of(observation.kernel, OBSERVE), address_of(actions.kernel, CHOOSE)
    return found if all(found) else None
