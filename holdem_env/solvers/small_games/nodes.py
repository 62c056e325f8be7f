"""The nodes of a public tree, as records."""

from __future__ import annotations

import numpy as np

from ..trees.walking import DECISION as DECISION
from ..trees.walking import FOLDED as FOLDED
from ..trees.walking import SHOWDOWN as SHOWDOWN

CHANCE = 3
"""A kind of node besides those of betting trees."""
NOBODY = -1

NODE = np.dtype(
    [
        ("offset", np.int64),  # where a decision's entries of a strategy begin
        ("parent", np.int32),
        ("betting", np.int32),  # its node in the betting tree
        ("board", np.int32),  # the place of its first board among all
        ("boards", np.int32),  # how many boards it stands for, one after the other
        ("slot", np.int32),  # its place among the parent's children
        ("children", np.int32),  # of a decision
        ("depth", np.int32),
        ("kind", np.int8),
        ("player", np.int8),  # who is to act; NOBODY at other nodes
        ("above", np.int8),  # the parent's kind
        ("player_above", np.int8),  # who is to act there
        ("street", np.int8),
    ],
    align=True,
)
