"""How large a subgame is, before anything of it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..trees import BettingTree
from .boards import BLOCK, count_boards
from .segments import DECISION, PLAYERS

MOST_MEMORY = 4 * 2**30
NUMBER_BYTES = 8
"""A regret and an average."""
HAND_BYTES = 18
"""What the lists of a board take for a hand of a player."""


@dataclass(frozen=True)
class SubgameSize:
    """What a subgame takes.

    nodes: of the betting tree. boards: on the streets from the root on. numbers: probabilities of a strategy, of both
    players. memory: bytes.
    """

    nodes: int
    boards: tuple[int, ...]
    numbers: int
    memory: int

    def __str__(self) -> str:
        boards = " + ".join(f"{count:,}" for count in self.boards)
        word = "board" if sum(self.boards) == 1 else "boards"
        return (
            f"{self.nodes:,} nodes on {boards} {word} have {self.numbers:,} probabilities and take "
            f"{self.memory / 2**20:,.0f} MiB"
        )


def size_of(tree: BettingTree, board: Sequence[int], ranges: Any, with_isomorphism: bool = True) -> SubgameSize:
    """The size of a betting tree on a board with these ranges, (2, 1326) weights."""
    boards = count_boards(board, ranges, with_isomorphism)
    hands = [-(-int((weights > 0).sum()) // BLOCK) * BLOCK for weights in ranges]
    depth = tree.street.astype(np.int64) - int(tree.street[0])
    decides = tree.kind == DECISION
    rows = np.array(boards)[depth[decides]] * tree.children[decides]
    numbers = sum(int(rows[tree.player[decides] == player].sum()) * hands[player] for player in range(PLAYERS))
    memory = numbers * NUMBER_BYTES + sum(boards) * sum(hands) * HAND_BYTES
    return SubgameSize(len(tree), tuple(boards), numbers, memory)
