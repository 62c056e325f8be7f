"""The states of ranks as that of one learner with all tables, and back: a run goes on with any number of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .buffer import NONE

Columns = dict[str, NDArray[Any]]
POINTERS = "following", "last"


def joined(waiting: Sequence[Columns]) -> Columns:
    """The decisions that wait at all tables, of `RolloutBuffer.state` at each rank's."""
    before = np.cumsum([0, *(len(each["action"]) for each in waiting)])
    moved = [
        each | {name: np.where(each[name] == NONE, NONE, each[name] + first) for name in POINTERS}
        for each, first in zip(waiting, before, strict=False)
    ]
    return {name: np.concatenate([each[name] for each in moved]) for name in moved[0]}


def share_of(waiting: Columns, tables: slice) -> Columns:
    """The decisions that wait at these tables, of those at all tables."""
    count, following, last = len(waiting["action"]), waiting["following"], waiting["last"]
    at = np.full(count, NONE)
    for table, decisions in enumerate(last):
        at[decisions[decisions != NONE]] = table
    for decision in range(count - 1, -1, -1):
        if following[decision] != NONE:
            at[decision] = at[following[decision]]
    kept = np.flatnonzero((at >= tables.start) & (at < tables.stop))
    new = np.full(count + 1, NONE)  # the last one is the new number of NONE
    new[kept] = np.arange(len(kept))
    columns = {name: column[kept] for name, column in waiting.items() if name not in POINTERS}
    return columns | {"following": new[following[kept]], "last": new[last[tables]]}
