"""The order in which a betting tree is walked: street by street, in segments.

A segment is what is played between two deals from some nodes on, its roots: the nodes where a street begins, or the
all-ins whose boards are run out. It ends at terminal nodes and at chance nodes, on which a card is dealt. A walk for
one player needs, at each node, a row with the other player's reach probabilities (cfreach), and a row with its own
hands' counterfactual values. The first changes only at the other player's nodes; so nodes share rows of reach. Terminal
nodes have no rows of reach of their own either: they are evaluated many at a time (terminals.py).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

DECISION, FOLDED, SHOWDOWN = 0, 1, 2
PLAYERS = 2


class Segments(NamedTuple):
    """The segments of a tree, the first being its beginning. Ranges are (segments + 1,) int64, into the lists."""

    level: Any
    """(segments,) int64: deals since the root."""
    first_root: Any
    roots: Any
    """Nodes."""
    first_action_node: Any
    action_nodes: Any
    """Nodes, parents first."""
    first_chance_node: Any
    chance_nodes: Any
    """Nodes on which a card is dealt: roots of the segments that follow, in their order."""
    first_next: Any
    """Segments that follow: those numbers."""
    first_evaluation: Any
    """(2, segments + 1): of terminal nodes, by the player whose values they are."""
    evaluation_rows: Any
    """(evaluations, 5) int32: value rows for a fold by the player to act and for the rest, the two reach rows whose
    weighted sum gives T, the reach row of B and N."""
    evaluation_factors: Any
    """(evaluations, 6) float32: weights of the two rows; of T in the first and in the second value row; of B; of N."""
    reach_row: Any
    """(2, nodes) int32: the reach row of an action node in its own segment, by the player whose hands they are."""
    value_row: Any
    """(nodes,) int32: the value row of an action node in its own segment."""
    child_reach_row: Any
    """(2, nodes) int32: the reach row of a node in the segment of its parent, which differs where a card is dealt."""
    child_value_row: Any
    chance_reach_row: Any
    """(2, chance nodes) int32: an all-in whose board is run out is a chance node of several segments."""
    chance_value_row: Any
    row_counts: Any
    """(levels, 2) int64: rows of reach and of values that a segment needs; the last row of values is for what nobody
    reads."""


class _ChanceNode(NamedTuple):
    """A node on which a card is dealt, and its rows in the segment before the deal."""

    node: int
    reach: list[int]
    value: int


class _Segment:
    """One segment while the list is made."""

    def __init__(self, level: int, roots: list[int]) -> None:
        self.level, self.roots = level, roots
        self.action_nodes: list[int] = []
        self.chance_nodes: list[_ChanceNode] = []
        self.evaluations: tuple[list[Any], list[Any]] = ([], [])
        self.following = (0, 0)


class _Planner:
    """Makes the segments of a tree, one after the other."""

    def __init__(self, tree: Any, levels: int) -> None:
        self.kind, self.player = tree.kind.tolist(), tree.player.tolist()
        self.first_child, self.children = tree.first_child.tolist(), tree.children.tolist()
        self.street_start, self.payoff = tree.street_start.tolist(), tree.payoff
        self.last = levels - 1
        nodes = len(self.kind)
        self.reach_row, self.child_reach_row = np.zeros((2, PLAYERS, nodes), np.int32)
        self.value_row, self.child_value_row = np.zeros((2, nodes), np.int32)
        self.row_counts = np.ones((levels, 2), np.int64)
        self.segments = [_Segment(0, [0])]

    def plan(self) -> Segments:
        for segment in self.segments:  # grows meanwhile
            self.fill(segment)
        return self.arrays()

    def fill(self, segment: _Segment) -> None:
        """List what is in a segment, number its rows, and append those that follow."""
        reaches = [len(segment.roots)] * PLAYERS
        values = len(segment.roots)
        for row, root in enumerate(segment.roots):
            self.reach_row[:, root] = self.value_row[root] = row
        is_last = segment.level == self.last
        waiting = list(segment.roots)
        for node in waiting:  # grows meanwhile: parents first
            if self.kind[node] == DECISION:
                segment.action_nodes.append(node)
            elif node in segment.roots:
                self.run_out(segment, node, is_last)
                continue
            else:
                continue
            for child in range(self.first_child[node], self.first_child[node] + self.children[node]):
                rows = [int(self.reach_row[p, node]) for p in range(PLAYERS)]
                mover = self.player[node]
                rows[mover] = reaches[mover]
                reaches[mover] += 1
                self.child_reach_row[:, child], self.child_value_row[child] = rows, values
                if self.street_start[child] or (self.kind[child] == SHOWDOWN and not is_last):
                    segment.chance_nodes.append(_ChanceNode(child, rows, values))
                else:
                    self.reach_row[:, child], self.value_row[child] = rows, values
                    waiting.append(child)
                values += 1
        for node in segment.action_nodes:
            self.add_evaluations(segment, node, is_last)
        most = self.row_counts[segment.level]
        most[:] = np.maximum(most, (max(reaches), values + 1))
        self.follow(segment)

    def run_out(self, segment: _Segment, node: int, is_last: bool) -> None:
        """A root that is an end: settled on the river, dealt on before."""
        row = int(self.value_row[node])
        if self.kind[node] == FOLDED:
            raise ValueError("the tree is over before it begins: its root is a fold")
        if not is_last:
            segment.chance_nodes.append(_ChanceNode(node, [row] * PLAYERS, row))
            return
        for hero in range(PLAYERS):
            all_of, below, up_to = self.showdown(node, hero)
            rows = (-1, row, row, row, row)
            segment.evaluations[hero].append((rows, (1.0, 0.0, 0.0, all_of, below, up_to)))

    def showdown(self, node: int, hero: int) -> tuple[float, float, float]:
        """What T, B and N count for at a showdown."""
        win, loss, tie = (float(self.payoff[node, case, hero]) for case in (hero, 1 - hero, 2))
        return loss, win - tie, tie - loss

    def add_evaluations(self, segment: _Segment, node: int, is_last: bool) -> None:
        """The ends right behind a decision."""
        fold = call = -1
        for child in range(self.first_child[node], self.first_child[node] + self.children[node]):
            if self.kind[child] == FOLDED:
                fold = child
            elif self.kind[child] == SHOWDOWN and is_last:
                call = child
        if fold < 0 and call < 0:
            return
        for hero in range(PLAYERS):
            folded = float(self.payoff[fold, 0, hero]) if fold >= 0 else 0.0
            all_of, below, up_to = self.showdown(call, hero) if call >= 0 else (0.0, 0.0, 0.0)
            reach = self.reach_row[1 - hero]
            if self.player[node] == hero:
                row = int(reach[node])
                rows = (self.row_of(fold), self.row_of(call), row, row, row)
                factors = (1.0, 0.0, folded, all_of, below, up_to)
            else:
                fold_row = int(reach[fold]) if fold >= 0 else 0
                call_row = int(reach[call]) if call >= 0 else 0
                rows = (-1, int(self.value_row[node]), fold_row, call_row, call_row)
                factors = (folded, all_of, 0.0, 1.0, below, up_to)
            segment.evaluations[hero].append((rows, factors))

    def row_of(self, node: int) -> int:
        return int(self.value_row[node]) if node >= 0 else -1

    def follow(self, segment: _Segment) -> None:
        """Append the segments behind a segment: one for all boards that are only run out, one for each other."""
        ends = [chance_node for chance_node in segment.chance_nodes if self.kind[chance_node.node] == SHOWDOWN]
        others = [chance_node for chance_node in segment.chance_nodes if self.kind[chance_node.node] == DECISION]
        segment.chance_nodes = ends + others
        first = len(self.segments)
        for chance_nodes in ([ends] if ends else []) + [[chance_node] for chance_node in others]:
            self.segments.append(_Segment(segment.level + 1, [chance_node.node for chance_node in chance_nodes]))
        segment.following = (first, len(self.segments))

    def arrays(self) -> Segments:
        segments = self.segments
        evaluations = [
            evaluation for hero in range(PLAYERS) for segment in segments for evaluation in segment.evaluations[hero]
        ]
        counts = [[len(segment.evaluations[hero]) for segment in segments] for hero in range(PLAYERS)]
        first_evaluation = np.cumsum([[0, *counts[0]], [0, *counts[1]]], axis=1)
        first_evaluation[1] += first_evaluation[0, -1]
        chance_nodes = [chance_node for segment in segments for chance_node in segment.chance_nodes]
        nothing = int(self.row_counts[:, 1].max()) - 1
        evaluation_rows = np.array([rows for rows, _ in evaluations], np.int32).reshape(-1, 5)
        evaluation_rows[evaluation_rows < 0] = nothing
        return Segments(
            np.array([segment.level for segment in segments], np.int64),
            *_listed([segment.roots for segment in segments]),
            *_listed([segment.action_nodes for segment in segments]),
            *_listed([[chance_node.node for chance_node in segment.chance_nodes] for segment in segments]),
            np.array([segment.following for segment in segments], np.int64).reshape(-1, 2),
            first_evaluation,
            evaluation_rows,
            np.array([factors for _, factors in evaluations], np.float32).reshape(-1, 6),
            self.reach_row,
            self.value_row,
            self.child_reach_row,
            self.child_value_row,
            np.array([chance_node.reach for chance_node in chance_nodes], np.int32).reshape(-1, PLAYERS).T.copy(),
            np.array([chance_node.value for chance_node in chance_nodes], np.int32),
            np.array([[most_reach, nothing + 1] for most_reach in self.row_counts[:, 0]], np.int64),
        )


def _listed(lists: list[list[int]]) -> tuple[Any, Any]:
    """Where each list begins in all of them end to end, and these."""
    first = np.cumsum([0, *(len(some) for some in lists)])
    return first, np.array([node for some in lists for node in some], np.int64)


def plan_segments(tree: Any, levels: int) -> Segments:
    """The segments of a tree. levels: how many levels of boards there are, from the root's to the river."""
    return _Planner(tree, levels).plan()
