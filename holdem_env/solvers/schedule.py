"""The order in which a betting tree is walked: street by street, in segments.

A segment is what is played between two deals from some nodes on, its roots: the nodes where a street begins, or the
all-ins whose boards are run out. It ends at terminal nodes and at chance nodes, on which cards are dealt. A walk for
one player needs, at each node, a row with the other player's reach probabilities (cfreach), and a row with its own
hands' counterfactual values. The first changes only at the other player's nodes; so nodes share rows of reach. Terminal
nodes have no rows of reach of their own either: they are evaluated many at a time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.intrinsics import LANES
from .boards import PLAYERS
from .hands import TIES, Ints
from .trees.walking import DECISION, FOLDED, SHOWDOWN

ROWS, WEIGHTS = 5, 4  # columns of an evaluation's rows, and of its factors before those of the showdown
ALMOST_NOTHING = 1e-30  # of a fold that is worth nothing: the walk writes the values of folds that have a factor


class Segments(NamedTuple):
    """The segments of a tree, the first being its beginning. Ranges are (segments + 1,) int64, into the lists."""

    level: Ints  # (segments,): deals since the root
    first_root: Ints
    roots: Ints  # nodes
    first_action_node: Ints
    action_nodes: Ints  # nodes, parents first
    first_chance_node: Ints
    chance_nodes: Ints  # nodes on which cards are dealt: roots of the segments that follow, in their order
    first_next: Ints  # (segments, 2): the segments that follow are those numbers
    first_batch: Ints  # (2, segments + 1): of evaluations of terminal nodes, by the player whose values they are
    has_folds: NDArray[np.bool_]  # (batches,): whether any is of a fold by the player to act
    evaluation_rows: NDArray[np.int32]
    """(batches, 5, LANES): value rows for a fold by the player to act and for the rest, the two reach rows whose
    weighted sum gives T, the reach row of the showdown."""
    evaluation_factors: NDArray[np.floating[Any]]
    """(batches, 4 + K, LANES): weights of the two rows; of T in the first and in the second value row; then of B and of
    N where hands are sorted (terminals.py), or what each class of outcomes pays more than a loss."""
    reach_row: NDArray[np.int32]  # (2, nodes): the reach row of an action node in its own segment, by whose hands
    value_row: NDArray[np.int32]  # (nodes,): the value row of an action node in its own segment
    child_reach_row: NDArray[np.int32]  # (2, nodes): of a node in its parent's segment, another where cards are dealt
    child_value_row: NDArray[np.int32]
    chance_reach_row: NDArray[np.int32]  # (2, chance nodes): an all-in that is run out is one of several segments
    chance_value_row: NDArray[np.int32]
    row_counts: Ints
    """(2,): rows of reach and of values that a segment needs at most; the last row of values is for what nobody
    reads."""


class _ChanceNode(NamedTuple):
    """A node on which cards are dealt, and its rows in the segment before the deal."""

    node: int
    reach: tuple[int, ...]
    value: int


class _Segment:
    def __init__(self, level: int, roots: list[int]) -> None:
        self.level, self.roots = level, roots
        self.action_nodes: list[int] = []
        self.chance_nodes: list[_ChanceNode] = []
        self.evaluations: tuple[list[Any], list[Any]] = ([], [])
        self.following = (0, 0)


class Planner:
    """Makes the segments of a tree, one after the other. last: the level of full boards. deals_at_root: whether cards
    are dealt before the root's decision. are_sorted: see `Hands`."""

    def __init__(self, tree: Any, last: int, deals_at_root: bool, are_sorted: bool) -> None:
        self.kind, self.player = tree.kind.tolist(), tree.player.tolist()
        self.first_child, self.children = tree.first_child.tolist(), tree.children.tolist()
        self.street, self.payoff = tree.street.tolist(), np.asarray(tree.payoff, np.float64).tolist()
        self.last, self.deals_at_root, self.are_sorted = last, deals_at_root, are_sorted
        nodes = len(self.kind)
        self.reach_row, self.child_reach_row = ([(0,) * PLAYERS] * nodes for _ in range(2))
        self.value_row, self.child_value_row = ([0] * nodes for _ in range(2))
        self.row_counts, self.nothing = (1, 1), [0.0] * len(self.showdown(0, 0))
        self.segments = [_Segment(0, [0])]

    def plan(self, levels: int, kind: Any) -> Segments:
        """The segments of the first levels. kind: the type of the factors."""
        self.levels = levels
        for segment in self.segments:  # grows meanwhile
            self.fill(segment)
        return self.arrays(kind)

    def fill(self, segment: _Segment) -> None:
        """List what is in a segment, number its rows, and append those that follow."""
        reaches, values = [len(segment.roots)] * PLAYERS, len(segment.roots)
        for row, root in enumerate(segment.roots):
            self.reach_row[root], self.value_row[root] = (row,) * PLAYERS, row
        is_last, waiting = segment.level == self.last, list(segment.roots)
        for node in waiting:  # grows meanwhile: parents first
            if segment is self.segments[0] and self.deals_at_root:
                segment.chance_nodes.append(_ChanceNode(node, (0,) * PLAYERS, 0))
                continue
            if self.kind[node] != DECISION:
                if node in segment.roots:
                    self.run_out(segment, node, is_last)
                continue
            segment.action_nodes.append(node)
            for child in range(self.first_child[node], self.first_child[node] + self.children[node]):
                mover, (one, two) = self.player[node], self.reach_row[node]
                rows = (reaches[0], two) if mover == 0 else (one, reaches[1])
                reaches[mover] += 1
                self.child_reach_row[child], self.child_value_row[child] = rows, values
                is_dealt = self.kind[child] == DECISION and self.street[child] > self.street[node]
                if is_dealt or (self.kind[child] == SHOWDOWN and not is_last):
                    segment.chance_nodes.append(_ChanceNode(child, rows, values))
                else:
                    self.reach_row[child], self.value_row[child] = rows, values
                    waiting.append(child)
                values += 1
        for node in segment.action_nodes:
            self.add_evaluations(segment, node, is_last)
        self.row_counts = max(self.row_counts[0], *reaches), max(self.row_counts[1], values + 1)
        self.follow(segment)

    def run_out(self, segment: _Segment, node: int, is_last: bool) -> None:
        """A root at which both are all-in: a showdown on a full board, on others more cards are dealt."""
        row = self.value_row[node]
        if self.kind[node] == FOLDED:
            raise ValueError("the tree is over before it begins: its root is a fold")
        if not is_last:
            segment.chance_nodes.append(_ChanceNode(node, (row,) * PLAYERS, row))
            return
        for hero in range(PLAYERS):
            all_of, *shown = self.showdown(node, hero)
            rows = (-1, row, row, row, row)
            segment.evaluations[hero].append((rows, (1.0, 0.0, 0.0, all_of, *shown)))

    def showdown(self, node: int, hero: int) -> list[float]:
        """What T counts for at a showdown, then what follows: B and N, or the classes of outcomes."""
        pays = [pay[hero] for pay in self.payoff[node]]
        loss = pays[1 - hero]
        rest = [pays[hero] - pays[TIES], pays[TIES] - loss] if self.are_sorted else [pay - loss for pay in pays]
        return [loss, *rest]

    def add_evaluations(self, segment: _Segment, node: int, is_last: bool) -> None:
        """The ends right behind a decision."""
        first = self.first_child[node]
        kinds = self.kind[first : first + self.children[node]]
        fold = first + kinds.index(FOLDED) if FOLDED in kinds else -1
        call = first + kinds.index(SHOWDOWN) if is_last and SHOWDOWN in kinds else -1
        if fold < 0 and call < 0:
            return
        for hero in range(PLAYERS):
            folded = (self.payoff[fold][0][hero] or ALMOST_NOTHING) if fold >= 0 else 0.0
            all_of, *shown = self.showdown(call, hero) if call >= 0 else self.nothing
            if self.player[node] == hero:
                row = self.reach_row[node][1 - hero]
                own_rows = (self.value_row[end] if end >= 0 else -1 for end in (fold, call))
                rows = (*own_rows, row, row, row)
                factors = (1.0, 0.0, folded, all_of, *shown)
            else:
                fold_row = self.reach_row[fold][1 - hero] if fold >= 0 else 0
                call_row = self.reach_row[call][1 - hero] if call >= 0 else 0
                rows = (-1, self.value_row[node], fold_row, call_row, call_row)
                factors = (folded, all_of, 0.0, 1.0, *shown)
            segment.evaluations[hero].append((rows, factors))

    def follow(self, segment: _Segment) -> None:
        """Append the segments behind a segment: one for all boards that are only run out, one for each other."""
        ends = [each for each in segment.chance_nodes if self.kind[each.node] == SHOWDOWN]
        others = [each for each in segment.chance_nodes if self.kind[each.node] == DECISION]
        segment.chance_nodes = ends + others
        if segment.level + 1 == self.levels:
            return
        first = len(self.segments)
        for group in ([ends] if ends else []) + [[each] for each in others]:
            self.segments.append(_Segment(segment.level + 1, [each.node for each in group]))
        segment.following = first, len(self.segments)

    def arrays(self, kind: Any) -> Segments:
        segments = self.segments
        of_players = [[segment.evaluations[hero] for segment in segments] for hero in range(PLAYERS)]
        batches = [
            [[some[k : k + LANES] for k in range(0, len(some), LANES)] for some in of_hero] for of_hero in of_players
        ]
        first_batch = np.cumsum([[0, *(len(some) for some in of_hero)] for of_hero in batches], axis=1)
        first_batch[1] += first_batch[0, -1]
        listed = [batch for of_hero in batches for some in of_hero for batch in some]
        padded = [evaluation for batch in listed for evaluation in batch + batch[-1:] * (LANES - len(batch))]
        chance_nodes = [chance_node for segment in segments for chance_node in segment.chance_nodes]
        evaluation_rows = _by_lane([rows for rows, _ in padded], ROWS, np.int32)
        evaluation_rows[evaluation_rows < 0] = int(self.row_counts[1]) - 1
        width = WEIGHTS + len(self.nothing) - 1
        factors = _by_lane([factors for _, factors in padded], width, kind)
        return Segments(
            np.array([segment.level for segment in segments], np.int64),
            *_listed([segment.roots for segment in segments]),
            *_listed([segment.action_nodes for segment in segments]),
            *_listed([[chance_node.node for chance_node in segment.chance_nodes] for segment in segments]),
            np.array([segment.following for segment in segments], np.int64).reshape(-1, 2),
            first_batch,
            np.logical_or.reduce(factors[:, 2] != 0, axis=1),
            evaluation_rows,
            factors,
            np.array(self.reach_row, np.int32).T.copy(),
            np.array(self.value_row, np.int32),
            np.array(self.child_reach_row, np.int32).T.copy(),
            np.array(self.child_value_row, np.int32),
            np.array([chance_node.reach for chance_node in chance_nodes], np.int32).reshape(-1, PLAYERS).T.copy(),
            np.array([chance_node.value for chance_node in chance_nodes], np.int32),
            np.array(self.row_counts),
        )


def _by_lane(rows: list[Any], width: int, kind: Any) -> NDArray[Any]:
    """(batches, width, LANES) from rows of this width, one a lane."""
    return np.array(rows, kind).reshape(-1, LANES, width).transpose(0, 2, 1).copy()


def _listed(lists: list[list[int]]) -> tuple[Ints, Ints]:
    """Where each list begins in all of them end to end, and these."""
    first = np.cumsum([0, *(len(some) for some in lists)])
    return first, np.array([node for some in lists for node in some], np.int64)
