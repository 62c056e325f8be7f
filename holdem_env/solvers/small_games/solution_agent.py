"""A solved small game as an agent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.known_strategy import KnownStrategy
from ...cards.text import CARDS
from ...compiled.compiler import kernel
from ...compiled.records import Records
from ...engine.batch import NO_MOVE
from ...engine.record import MAX_MOVES
from ...game.rules import Rules
from .hands import Cards, renamed
from .nodes import DECISION
from .solved_game import SolvedGame

Ints = NDArray[np.int64]


class SolutionAgent(KnownStrategy):
    """Plays a `GameSolution` in either seat, and gives its probabilities.

    It plays the game that was solved and no other. With bet sizes it knows only those: it raises ValueError where an
    opponent has made a bet that is not among them.

    seed: with the same seed, the agent plays the same in the same hand of the same table. path: the file that the
    solution is from, if any.
    """

    def __init__(self, solution: SolvedGame, seed: int = 0, path: Path | None = None) -> None:
        super().__init__(seed)
        self.solution, self.path = solution, path
        self.name = "solution" if path is None else str(path)
        self._rules = solution.rules
        self._boards: dict[tuple[Cards, ...], tuple[int, Ints]] = {}
        tree = solution.tree
        self._node = _nodes_by_place(solution)
        self._keys = tree.hands.cards @ _powers(solution.rules.hole_cards)

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `Agent.probabilities`. Raises ValueError for other rules, and for a hand that has left the tree."""
        self._check_rules(rules)
        tree, betting = self.solution.tree, self.solution.tree.betting
        at = self._betting_nodes(tables, rows)
        boards, hands = self._boards_and_hands(tables, rows)
        nodes = self._node[at, boards].astype(np.int64)
        children = tree.nodes["children"][nodes][:, None]
        place = np.arange(int(children.max(initial=1)))
        offered = place < children
        child = np.where(offered, betting.first_child[at][:, None] + place, 0)
        entry = np.where(offered, tree.entries_of(nodes, boards, hands, len(place)), 0)
        moves = np.where(offered, betting.move[child], NO_MOVE)
        probabilities = self.solution.strategy[entry].astype(np.float64) * offered
        return moves.astype(np.int64), probabilities / probabilities.sum(axis=1, keepdims=True)

    def config(self) -> dict[str, Any]:
        """See `Agent.config`. Raises ValueError for a solution that is not from a file."""
        if self.path is None:
            raise ValueError("agent 'solution': save the solution first, and make the agent from its file")
        return {"agent": str(self.path), "seed": self.seed}

    def _check_rules(self, rules: Rules) -> None:
        if rules is self._rules:
            return
        if names := self.solution.rules.differences(rules):
            own = self.solution.rules
            differences = "; ".join(f"{name} {getattr(own, name)!r}, not {getattr(rules, name)!r}" for name in names)
            raise ValueError(f"agent {self.name!r}: it has solved another game: {differences}")
        self._rules = rules

    def _betting_nodes(self, tables: Records, rows: Ints) -> Ints:
        """The node of the betting tree at each table."""
        betting, found = self.solution.tree.betting, np.empty(len(rows), np.int64)
        children = np.asarray(betting.children, np.int64)
        bad = follow(tables, rows, betting.first_child, children, betting.move, found)
        if bad >= 0 or (betting.kind[found] != DECISION).any():
            row = int(rows[bad if bad >= 0 else (betting.kind[found] != DECISION).argmax()])
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
        sizes = np.array((0, *self.solution.rules.board_sizes))
        level = 1 + tables["street"][rows].astype(np.int64)
        lying = np.where(np.arange(tables["board"].shape[1]) < sizes[level][:, None], tables["board"][rows], -1)
        seen = np.concatenate([level[:, None], lying], axis=1)
        different, which = np.unique(seen, axis=0, return_inverse=True)
        found = [self._board(row[0], row[1:]) for row in different.tolist()]
        boards, renamings = np.array([board for board, _ in found]), np.array([renaming for _, renaming in found])
        which = which.reshape(-1)
        cards = np.sort(renamings[which[:, None], cards], axis=1)[:, ::-1]
        return boards[which], np.searchsorted(self._keys, cards @ _powers(held))

    def _board(self, level: int, cards: list[int]) -> tuple[int, Ints]:
        """The place of the board that stands for the one on the table, and the renaming of suits that leads there."""
        hands, first = self.solution.tree.hands, 0
        streets: list[Cards] = []
        for count in self.solution.rules.board_cards[:level]:
            streets.append(tuple(sorted(cards[first : first + count])))
            first += count
        key = tuple(streets)
        if key not in self._boards:
            place, renaming = 0, tuple(range(CARDS))
            for number, street in enumerate(streets):
                seen = renamed(street, renaming)
                lies, best = min((renamed(seen, one), one) for one in hands.boards[number][place].same)
                place = hands.places[number + 1][place, lies]
                renaming = tuple(best[card] for card in renaming)
            self._boards[key] = int(self.solution.tree.boards_before[level]) + place, np.array(renaming, np.int64)
        return self._boards[key]


def _powers(cards: int) -> Ints:
    """By which each card of a hand is multiplied to make its key, the first the most."""
    return CARDS ** np.arange(cards - 1, -1, -1, dtype=np.int64)


def _nodes_by_place(solution: SolvedGame) -> NDArray[np.int32]:
    """(betting nodes, boards) int32: the decision there; 0 where there is none."""
    tree = solution.tree
    found = np.zeros((len(tree.betting.kind), int(tree.boards_before[-1])), np.int32)
    nodes, boards = tree.places
    found[tree.nodes["betting"][nodes], boards] = nodes
    return found


@kernel
def follow(tables, rows, first_child, children, move, found):
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
