"""The public tree of a small game: its betting tree times its boards, laid out for walks with vectors over hands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...engine.record import HIGH, new_records
from ...game.rules import Rules
from .every_move import Betting
from .hands import Hands, board_counts
from .nodes import CHANCE, DECISION, FOLDED, NOBODY, NODE, SHOWDOWN
from .outcomes import classes_on

SWEPT_CARDS = 2
"""With this many hole cards or fewer, a showdown is evaluated by one pass over sorted hands; else pair by pair."""
MOST_LANES = 4_096
"""Boards after the last cards are walked together, until there are this many pairs of board and hand: shorter walks."""
NO_PAIRS = np.zeros((1, 1, 1), np.int8)


class TreeArrays(NamedTuple):
    """The tree as kernels read it.

    nodes: M NODE records, parents before their children. events: the walk through them, int32: node i is entered at i
    and left at -1 - i; ends are only entered.

    weight: (boards,) see `Board`. free: (boards, H) whether a hand is possible. stands_for: (boards, H) the hand whose
    strategy a hand has there. first_same, same: the permutations of hands that leave a board as it is,
    same[first_same[b] : first_same[b + 1]]. order, count: (boards, H) hands by strength, and how many; strength:
    (boards, H); of full boards alone. cards: (H, hole cards). meeting: (H, H) whether two hands can be dealt together.
    pairs: (boards, H, H) classes of outcomes where these are not found by sweeps. payoff: (N, outcomes, 2) float64.
    """

    nodes: Any
    events: Any
    weight: Any
    free: Any
    stands_for: Any
    first_same: Any
    same: Any
    order: Any
    count: Any
    strength: Any
    cards: Any
    meeting: Any
    pairs: Any
    payoff: Any


@dataclass(frozen=True)
class Size:
    """How large a game is: decisions with a board, its private hands, and the entries of a strategy for it."""

    decisions: int
    hands: int
    entries: int

    @property
    def information_sets(self) -> int:
        """Decisions of one hand."""
        return self.decisions * self.hands


def size_of(rules: Rules, betting: Betting, hands: int, symmetric: bool = True) -> Size:
    """How large the public tree of a betting tree is, without making it."""
    counts = np.array(board_counts(rules, symmetric), dtype=object)
    at_decisions = betting.kind == DECISION
    boards = counts[betting.street[at_decisions].astype(np.int64)]
    entries = int((boards * betting.children[at_decisions].astype(object)).sum())
    return Size(int(boards.sum()), hands, entries * hands)


class PublicTree:
    """The public tree of a game: `arrays`, and how to find one's way in it.

    `entries`: how many numbers a strategy for it has: those of a decision node begin at its offset, child by child,
    with a number for each of its boards and each hand. `boards_before`: by level of `hands.boards`, the place of its
    first board among all.
    """

    def __init__(self, hands: Hands, betting: Betting) -> None:
        self.hands, self.betting, self.rules = hands, betting, hands.rules
        levels = [len(level) for level in hands.boards]
        self.boards_before = np.concatenate([[0], np.cumsum(levels)])
        self._nodes: list[tuple[Any, ...]] = []
        self._events: list[int] = []
        self.entries = 0
        self._after = _boards_after(hands)
        self._enter(0, 0, (0, 1), -1, 0, 0)
        self.nodes = new_records(NODE, len(self._nodes))
        self.nodes[:] = np.array(self._nodes, NODE)
        events, payoff = np.array(self._events, np.int32), betting.payoff.astype(np.float64)
        self.arrays = TreeArrays(self.nodes, events, **_of_boards(hands), payoff=payoff)
        self.most_children = int(max(1, self.nodes["children"].max()))
        self.most_lanes = int(self.nodes["boards"].max()) * len(hands)
        self.most_depth = int(self.nodes["depth"].max()) + 1
        del self._nodes, self._events

    @property
    def is_zero_sum(self) -> bool:
        """Whether what one player wins is what the other loses, at every end: there is no rake."""
        return not self.arrays.payoff.sum(axis=2).any()

    @cached_property
    def decisions(self) -> NDArray[np.int64]:
        """The decision nodes, in the order of the walk."""
        return np.flatnonzero(self.nodes["kind"] == DECISION)

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every decision on every board, node by node: the nodes, and the places of the boards among all."""
        counts = self.nodes["boards"][self.decisions].astype(np.int64)
        nodes = np.repeat(self.decisions, counts)
        within = np.arange(len(nodes)) - np.repeat(np.cumsum(counts) - counts, counts)
        return nodes, self.nodes["board"][nodes] + within

    def entries_of(
        self, nodes: NDArray[np.int64], boards: NDArray[np.int64], hands: NDArray[np.int64], slots: int
    ) -> NDArray[np.int64]:
        """(K, slots): where a strategy has the numbers of the first `slots` children of K decisions, on one of their
        boards, with a hand. A decision with fewer children has none of the last ones."""
        asked = self.nodes[nodes]
        lanes = asked["boards"].astype(np.int64) * len(self.hands)
        first = asked["offset"] + (boards - asked["board"]) * len(self.hands) + hands
        return np.asarray(first[:, None] + np.arange(slots) * lanes[:, None])

    def strategy_at(self, strategy: NDArray[Any], node: int) -> NDArray[Any]:
        """A view of a strategy's entries at a decision, (children, boards, H)."""
        first, children, boards = (int(self.nodes[name][node]) for name in ("offset", "children", "boards"))
        lanes = boards * len(self.hands)
        return strategy[first : first + children * lanes].reshape(children, boards, len(self.hands))

    def _enter(self, at: int, level: int, boards: tuple[int, int], parent: int, slot: int, depth: int) -> None:
        """Add the subtree of a betting node on boards of a level, which is one above its street: from the first on, so
        many."""
        betting, cards = self.betting, self.rules.board_cards
        kind, street = int(betting.kind[at]), int(betting.street[at])
        target = level if kind == FOLDED else len(cards) if kind == SHOWDOWN else street + 1
        while level < target and cards[level] == 0:
            level += 1
        node = len(self._nodes)
        self._events.append(node)
        dealing = level < target
        self._add(at, CHANCE if dealing else kind, level, boards, parent, slot, depth)
        if dealing:
            first, count = self._after[level][boards[0]]
            together = 1 if any(cards[level + 1 :]) else max(1, MOST_LANES // len(self.hands))
            for after in range(first, first + count, together):
                group = after, min(together, first + count - after)
                self._enter(at, level + 1, group, node, 0, depth + 1)
        elif kind == DECISION:
            child = int(betting.first_child[at])
            for k in range(int(betting.children[at])):
                self._enter(child + k, level, boards, node, k, depth + 1)
        if dealing or kind == DECISION:
            self._events.append(-1 - node)

    def _add(self, at: int, kind: int, level: int, boards: tuple[int, int], parent: int, slot: int, depth: int) -> None:
        children = int(self.betting.children[at]) if kind == DECISION else 0
        player = int(self.betting.player[at]) if kind == DECISION else NOBODY
        above, player_above = (NOBODY, NOBODY) if parent < 0 else self._nodes[parent][_KIND : _KIND + 2]
        first = int(self.boards_before[level]) + boards[0]
        numbers = self.entries, parent, at, first, boards[1], slot, children, depth
        self._nodes.append((*numbers, kind, player, above, player_above, level - 1))
        self.entries += children * boards[1] * len(self.hands)


_KIND = (NODE.names or ()).index("kind")


def _boards_after(hands: Hands) -> list[list[tuple[int, int]]]:
    """By level and board: the first board that chance may deal next, and how many there are, one after the other."""
    after: list[list[tuple[int, int]]] = [[(0, 0) for _ in level] for level in hands.boards]
    for level, boards in enumerate(hands.boards[1:]):
        for place, board in enumerate(boards):
            first, count = after[level][board.parent]
            after[level][board.parent] = (first if count else place), count + 1
    return after


def _of_boards(hands: Hands) -> dict[str, Any]:
    """The arrays of all boards, level by level."""
    boards = [board for level in hands.boards for board in level]
    same = [[hands.permutation(renaming) for renaming in board.same] for board in boards]
    whole = len(boards) - len(hands.boards[-1])
    order, strength = np.zeros((2, len(boards), len(hands)), np.int32)
    count = np.zeros(len(boards), np.int32)
    free = hands.free(boards)
    values, _ = hands.values(hands.boards[-1])
    for k, row in enumerate(values):
        possible = np.flatnonzero(free[whole + k])
        count[whole + k] = len(possible)
        order[whole + k, : len(possible)] = possible[np.argsort(row[possible], kind="stable")]
        strength[whole + k] = row
    pairs = NO_PAIRS
    if hands.rules.hole_cards > SWEPT_CARDS or hands.rules.record["split"][0] != HIGH:
        pairs = np.zeros((len(boards), len(hands), len(hands)), np.int8)
        for k, board in enumerate(hands.boards[-1]):
            pairs[whole + k] = classes_on(hands, board)
    return {
        "weight": np.array([board.weight for board in boards]),
        "free": free,
        "stands_for": np.array([np.min(each, axis=0) for each in same], np.int32),
        "first_same": np.cumsum([0, *map(len, same)]).astype(np.int64),
        "same": np.array([one for each in same for one in each], np.int32),
        "order": order,
        "count": count,
        "strength": strength,
        "cards": hands.cards,
        "meeting": hands.meeting if pairs is not NO_PAIRS else np.zeros((1, 1), np.bool_),
        "pairs": pairs,
    }
