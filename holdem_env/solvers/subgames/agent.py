"""`SubgameAgent`: a solved subgame as an agent."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.known_strategy import KnownStrategy
from ...cards.combos import COMBO_OF
from ...cards.text import cards_text
from ...compiled.records import Records
from ...engine.batch import NO_MOVE
from ...engine.record import MAX_MOVES
from ...game.rules import Rules


class SubgameAgent(KnownStrategy):
    """Plays a solved subgame, from its spot on, in either seat.

    A table must have come to the spot: its board begins with the solution's, and the pot was the same when the street
    began. Every move since then must be one of the tree's.
    """

    name = "subgame"

    def __init__(self, solution: Any, seed: int = 0) -> None:
        super().__init__(seed)
        self.solution = solution

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `Agent.probabilities`.

        Raises ValueError for a table that is not at the spot, for a bet that the tree does not have, and for a hand
        that the solution's range does not.
        """
        tree = self.solution.tree
        width = int(tree.children.max())
        moves = np.full((len(rows), width), NO_MOVE, np.int64)
        probabilities = np.zeros((len(rows), width))
        for k, row in enumerate(rows.tolist()):
            node, dealt = self._place(tables[row], row)
            made = tree.moves(node)
            hole = tables[row]["hole"][int(tables[row]["actor"])]
            shares = self.solution.strategy(node, dealt)[COMBO_OF[hole[0], hole[1]]]
            if not shares.any():
                raise ValueError(f"agent {self.name!r}, table {row}: {cards_text(hole[:2])} is not in the solved range")
            moves[k, : len(made)], probabilities[k, : len(made)] = made, shares
        return moves, probabilities

    def _place(self, t: Any, row: int) -> tuple[int, list[int]]:
        """The node of a table, and the cards dealt since the root."""
        solution, tree = self.solution, self.solution.tree
        board = t["board"][: int(t["board_count"])].tolist()
        known = len(solution.board)
        where = f"agent {self.name!r}, table {row}"
        if set(board[:known]) != set(solution.board):
            raise ValueError(f"{where}: the board is {cards_text(board)}, the solution's {cards_text(solution.board)}")
        node = 0
        count = int(t["moves"])
        for number in range(max(0, count - MAX_MOVES), count):
            move = t["made"][number % MAX_MOVES]
            if int(move["street"]) >= int(tree.street[0]):
                try:
                    node = tree.child(node, int(move["move"]))
                except ValueError as error:
                    raise ValueError(f"{where}: {error}") from None
        right = int(tree.player[node]) == int(int(t["actor"]) != int(t["button"]))
        if not right or int(t["pot"]) != int(tree.pot[node]):
            raise ValueError(
                f"{where}: it is not at the solution's spot; the pot is {int(t['pot'])}, there {int(tree.pot[node])}"
            )
        return node, board[known:]
