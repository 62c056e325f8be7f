"""How a betting tree is walked: street by street, in segments.

A segment is what is played between two deals from some nodes on, its roots: the nodes where a street begins, or the
ends whose boards are run out. A walk for one player needs, at each node, a row with how often the other player's hands
come there (reach), and a row with what each own hand is worth. The first changes only at the other player's nodes; so
nodes share reach rows. Ends have no rows of reach of their own either: they are settled in jobs, many at a time
(lanes.py).
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
    first_decision: Any
    decisions: Any
    """Nodes, parents first."""
    first_leaf: Any
    leaves: Any
    """Nodes on which a card is dealt: roots of the segments that follow, in their order."""
    first_next: Any
    """Segments that follow: those numbers."""
    first_job: Any
    """(2, segments + 1): by the player who wins it."""
    job_rows: Any
    """(jobs, 5) int32: value rows for a fold by the player to act and for the rest, the two reach rows whose weighted
    sum gives T, the reach row of B and N."""
    job_factors: Any
    """(jobs, 6) float32: weights of the two rows; of T in the first and in the second value row; of B; of N."""
    reach: Any
    """(2, nodes) int32: by the player whose hands they are, in the segment of which a node is a decision or a root."""
    value: Any
    """(nodes,) int32."""
    leaf_reach: Any
    """(2, nodes) int32: the same, in the segment before the deal."""
    leaf_value: Any
    most_rows: Any
    """(levels, 2) int64: rows of reach and of values that a segment needs; the last row of values is for nothing."""


class _Segment:
    """One segment while the list is made."""

    def __init__(self, level: int, roots: list[int]) -> None:
        self.level, self.roots = level, roots
        self.decisions: list[int] = []
        self.leaves: list[int] = []
        self.jobs: tuple[list[Any], list[Any]] = ([], [])
        self.following = (0, 0)


class _Planner:
    """Makes the segments of a tree, one after the other."""

    def __init__(self, tree: Any, levels: int) -> None:
        self.kind, self.player = tree.kind.tolist(), tree.player.tolist()
        self.first_child, self.children = tree.first_child.tolist(), tree.children.tolist()
        self.street_start, self.payoff = tree.street_start.tolist(), tree.payoff
        self.last = levels - 1
        nodes = len(self.kind)
        self.reach, self.leaf_reach = np.zeros((2, PLAYERS, nodes), np.int32)
        self.value, self.leaf_value = np.zeros((2, nodes), np.int32)
        self.most_rows = np.ones((levels, 2), np.int64)
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
            self.reach[:, root] = self.value[root] = row
        is_last = segment.level == self.last
        waiting = list(segment.roots)
        for node in waiting:  # grows meanwhile: parents first
            if self.kind[node] == DECISION:
                segment.decisions.append(node)
            elif node in segment.roots:
                self.run_out(segment, node, is_last)
                continue
            else:
                continue
            for child in range(self.first_child[node], self.first_child[node] + self.children[node]):
                rows = [int(self.reach[p, node]) for p in range(PLAYERS)]
                mover = self.player[node]
                rows[mover] = reaches[mover]
                reaches[mover] += 1
                deals = self.street_start[child] or (self.kind[child] == SHOWDOWN and not is_last)
                reach, value = (self.leaf_reach, self.leaf_value) if deals else (self.reach, self.value)
                reach[:, child], value[child] = rows, values
                values += 1
                if deals:
                    segment.leaves.append(child)
                else:
                    waiting.append(child)
        for node in segment.decisions:
            self.add_jobs(segment, node, is_last)
        most = self.most_rows[segment.level]
        most[:] = np.maximum(most, (max(reaches), values + 1))
        self.follow(segment)

    def run_out(self, segment: _Segment, node: int, is_last: bool) -> None:
        """A root that is an end: settled on the river, dealt on before."""
        row = int(self.value[node])
        if self.kind[node] == FOLDED:
            raise ValueError("the tree is over before it begins: its root is a fold")
        if not is_last:
            self.leaf_reach[:, node], self.leaf_value[node] = self.reach[:, node], row
            segment.leaves.append(node)
            return
        for hero in range(PLAYERS):
            all_of, below, up_to = self.showdown(node, hero)
            rows = (-1, row, row, row, row)
            segment.jobs[hero].append((rows, (1.0, 0.0, 0.0, all_of, below, up_to)))

    def showdown(self, node: int, hero: int) -> tuple[float, float, float]:
        """What T, B and N count for at a showdown."""
        win, loss, tie = (float(self.payoff[node, case, hero]) for case in (hero, 1 - hero, 2))
        return loss, win - tie, tie - loss

    def add_jobs(self, segment: _Segment, node: int, is_last: bool) -> None:
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
            reach = self.reach[1 - hero]
            if self.player[node] == hero:
                row = int(reach[node])
                rows = (self.value_row(fold), self.value_row(call), row, row, row)
                factors = (1.0, 0.0, folded, all_of, below, up_to)
            else:
                fold_row = int(reach[fold]) if fold >= 0 else 0
                call_row = int(reach[call]) if call >= 0 else 0
                rows = (-1, int(self.value[node]), fold_row, call_row, call_row)
                factors = (folded, all_of, 0.0, 1.0, below, up_to)
            segment.jobs[hero].append((rows, factors))

    def value_row(self, node: int) -> int:
        return int(self.value[node]) if node >= 0 else -1

    def follow(self, segment: _Segment) -> None:
        """Append the segments behind a segment: one for all boards that are only run out, one for each other."""
        ends = [node for node in segment.leaves if self.kind[node] == SHOWDOWN]
        others = [node for node in segment.leaves if self.kind[node] == DECISION]
        segment.leaves = ends + others
        first = len(self.segments)
        for roots in ([ends] if ends else []) + [[node] for node in others]:
            self.segments.append(_Segment(segment.level + 1, roots))
        segment.following = (first, len(self.segments))

    def arrays(self) -> Segments:
        segments = self.segments
        jobs = [job for hero in range(PLAYERS) for segment in segments for job in segment.jobs[hero]]
        counts = [[len(segment.jobs[hero]) for segment in segments] for hero in range(PLAYERS)]
        first_job = np.cumsum([[0, *counts[0]], [0, *counts[1]]], axis=1)
        first_job[1] += first_job[0, -1]
        nothing = int(self.most_rows[:, 1].max()) - 1
        job_rows = np.array([rows for rows, _ in jobs], np.int32).reshape(-1, 5)
        job_rows[job_rows < 0] = nothing
        return Segments(
            np.array([segment.level for segment in segments], np.int64),
            *_listed([segment.roots for segment in segments]),
            *_listed([segment.decisions for segment in segments]),
            *_listed([segment.leaves for segment in segments]),
            np.array([segment.following for segment in segments], np.int64).reshape(-1, 2),
            first_job,
            job_rows,
            np.array([factors for _, factors in jobs], np.float32).reshape(-1, 6),
            self.reach,
            self.value,
            self.leaf_reach,
            self.leaf_value,
            np.array([[most_reach, nothing + 1] for most_reach in self.most_rows[:, 0]], np.int64),
        )


def _listed(lists: list[list[int]]) -> tuple[Any, Any]:
    """Where each list begins in all of them end to end, and these."""
    first = np.cumsum([0, *(len(some) for some in lists)])
    return first, np.array([node for some in lists for node in some], np.int64)


def plan_segments(tree: Any, levels: int) -> Segments:
    """The segments of a tree. levels: how many levels of boards there are, from the root's to the river."""
    return _Planner(tree, levels).plan()
