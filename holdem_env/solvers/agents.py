"""Solutions as agents: `SolutionAgent` plays a whole game, `SubgameAgent` the rest of a hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.known_strategy import KnownStrategy
from ..cards.combos import COMBO_OF
from ..cards.text import cards_text
from ..compiled.compiler import kernel
from ..compiled.records import Records
from ..engine.batch import NO_MOVE
from ..engine.record import MAX_MOVES
from ..game.rules import Rules
from .trees.walking import DECISION

Ints = NDArray[np.int64]
Answer = tuple[Ints, NDArray[np.float64]]


class _AgentOfSolution(KnownStrategy):
    """Plays a solution in either seat, and gives its probabilities.

    seed: with the same seed, the agent plays the same in the same hand of the same table. path: the file that the
    solution is from, if any.
    """

    def __init__(self, solution: Any, seed: int = 0, path: Path | None = None) -> None:
        super().__init__(seed)
        self.solution, self.path = solution, path
        self.name = "solution" if path is None else str(path)

    def config(self) -> dict[str, Any]:
        """See `config_of`. Raises ValueError for a solution that is not from a file."""
        if self.path is None:
            raise ValueError("agent 'solution': save the solution first, and make the agent from its file")
        return {"agent": str(self.path), "seed": self.seed}


class SolutionAgent(_AgentOfSolution):
    """Plays the solution of a whole game.

    It plays the game that was solved and no other. With bet sizes it knows only those: it raises ValueError where an
    opponent has made a bet that is not among them.
    """

    def __init__(self, solution: Any, seed: int = 0, path: Path | None = None) -> None:
        super().__init__(solution, seed, path)
        self._rules, self.facts = solution.rules, replace(self.facts, trained_on=solution.rules)
        self._boards: dict[tuple[tuple[int, ...], ...], tuple[int, Ints]] = {}

    def probabilities(self, tables: Records, rules: Rules, rows: Ints) -> Answer:
        """See `Agent.probabilities`. Raises ValueError for other rules, and for a hand that has left the tree."""
        self.check_rules(rules)
        game, tree = self.solution.game, self.solution.game.tree
        nodes = self._nodes(tables, rows)
        boards, hands = self._boards_and_hands(tables, rows)
        children = tree.children[nodes][:, None]
        place = np.arange(int(children.max(initial=1)))
        offered = place < children
        child = np.where(offered, tree.first_child[nodes][:, None] + place, 0)
        entry = np.where(offered, game.entries_of(nodes, boards, hands, len(place)), 0)
        moves = np.where(offered, tree.move[child], NO_MOVE)
        probabilities = self.solution.numbers.values[entry].astype(np.float64) * offered
        return moves.astype(np.int64), probabilities / probabilities.sum(axis=1, keepdims=True)

    def check_rules(self, rules: Rules) -> None:
        if rules is self._rules:
            return
        if names := self.solution.rules.differences(rules):
            own = self.solution.rules
            differences = "; ".join(f"{name} {getattr(own, name)!r}, not {getattr(rules, name)!r}" for name in names)
            raise ValueError(f"agent {self.name!r}: it has solved another game: {differences}")
        self._rules = rules

    def _nodes(self, tables: Records, rows: Ints) -> Ints:
        tree, found = self.solution.game.tree, np.empty(len(rows), np.int64)
        children = np.asarray(tree.children, np.int64)
        bad = follow(tables, rows, tree.first_child, children, tree.move, found)
        if bad >= 0 or (tree.kind[found] != DECISION).any():
            row = int(rows[bad if bad >= 0 else (tree.kind[found] != DECISION).argmax()])
            raise ValueError(
                f"agent {self.name!r}, table {row}: the hand has a move that the solution does not know; its bet sizes "
                f"are {self.solution.sizes or 'every legal raise'}"
            )
        return found

    def _boards_and_hands(self, tables: Records, rows: Ints) -> tuple[Ints, Ints]:
        """The place of each table's board among all, and the number of the hand of the seat to act, once its suits are
        renamed as those of the board are."""
        actor, held = tables["actor"][rows].astype(np.int64), self.solution.rules.hole_cards
        cards = tables["hole"][rows, actor, :held].astype(np.int64)
        counts = np.array(self.solution.rules.board_sizes)[tables["street"][rows].astype(np.int64)]
        lying = np.where(np.arange(tables["board"].shape[1]) < counts[:, None], tables["board"][rows], -1)
        seen = np.concatenate([tables["street"][rows][:, None], lying], axis=1).astype(np.int64)
        different, which = np.unique(seen, axis=0, return_inverse=True)
        found = [self._board(row[0], row[1:]) for row in different.tolist()]
        boards, renamings = np.array([board for board, _ in found]), np.array([renaming for _, renaming in found])
        which = which.reshape(-1)
        return boards[which], self.solution.game.hands.numbers(renamings[which[:, None], cards])

    def _board(self, street: int, cards: list[int]) -> tuple[int, Ints]:
        """The board that stands for the one on the table on a street, and the renaming of suits that leads there."""
        game, rules, left = self.solution.game, self.solution.rules, iter(cards)
        dealt = [tuple(islice(left, count)) for count in rules.board_cards[: street + 1]]
        key = tuple(dealt[rules.streets - len(game.deals) :])  # nothing may lie before the first decision
        if key not in self._boards:
            board, renaming = game.boards.find(key)
            self._boards[key] = board, np.argsort(renaming)
        return self._boards[key]


@kernel
def follow(tables: Records, rows: Ints, first_child: Ints, children: Ints, move: Ints, found: Ints) -> int:
    """Follow the moves made at tables[rows] through a betting tree; the nodes are written to `found`. Returns the first
    place in `rows` whose moves the tree does not have, or -1."""
    for k in range(rows.size):
        t = tables[rows[k]]
        node = np.int64(0)
        if t.moves > MAX_MOVES:
            return k
        for made in range(t.moves):
            after = np.int64(-1)
            for child in range(children[node]):
                if move[first_child[node] + child] == t.move[made]:
                    after = np.int64(first_child[node] + child)
            if after < 0:
                return k
            node = after
        found[k] = node
    return -1


class SubgameAgent(_AgentOfSolution):
    """Plays a solved subgame, from its spot on.

    A table must have come to the spot: its board begins with the solution's, and the pot was the same when the street
    began. Every move since then must be one of the tree's.
    """

    def probabilities(self, tables: Records, rules: Rules, rows: Ints) -> Answer:
        """See `Agent.probabilities`. Raises ValueError for a table that is not at the spot, for a bet outside the tree,
        and for a hand outside the solution's range."""
        tree = self.solution.tree
        moves = np.full((len(rows), int(tree.children.max())), NO_MOVE, np.int64)
        probabilities = np.zeros(moves.shape)
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
        solution, tree, known = self.solution, self.solution.tree, len(self.solution.board)
        board = t["board"][: int(t["board_count"])].tolist()
        where = f"agent {self.name!r}, table {row}"
        if set(board[:known]) != set(solution.board):
            raise ValueError(f"{where}: the board is {cards_text(board)}, the solution's {cards_text(solution.board)}")
        node, count = 0, int(t["moves"])
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
