"""`PublicGame`: what is solved. A two-player game as public information: the betting tree, the boards in levels, the
hands that each leaves, and how an end is valued. Kuhn, Leduc, a river, a turn, a flop, a street of search: each is one.

        level 0              deal            level 1                    deal           level 2 = the last
    board ------ betting ------+---- board 1, images ---- betting ------+---- board 3 ---- betting ---- ends
      hands of both      (segment 0)     hands of both     (segment 1)          hands     (segment 2)
                               +---- board 2, images ---- betting ------+---- board 4 ...

The tree knows no cards and the boards no bets. What belongs to an action node on a board stands at one place:

    offset[node] + (board - first[level]) * children * width[player, level] + action * width[player, level] + hand

where `hand` is a place in the list of the player's hands on the board (boards.py). In which order the tree is walked is
in schedule.py, the walk in walk.py, iterations in solver.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..cards.text import CARDS
from ..game.rules import Rules
from .boards import PLAYERS, Boards, make_boards, padded
from .cfr import normalize_blocks
from .hands import Hands, Ints, count_boards, suit_renamings
from .schedule import Planner, Segments
from .trees.betting_tree import BettingTree, size_text
from .trees.walking import DECISION, SHOWDOWN

Floats = NDArray[np.floating[Any]]
HOLDEM = Rules(seats=2)
HAND_BYTES = 18  # what the lists of a board take for a hand of a player


SHARES = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])  # (outcomes, 2): the share of the pot that each player gets
SPLIT_SHARES = np.concatenate([SHARES, *((SHARES + low) / 2 for low in SHARES)])
"""The same where pots are split (R32): nobody has a low, or player 0, player 1, both have the better one."""


class RunOut(NamedTuple):
    """The betting tree in which nobody bets any more: what is at stake is 1."""

    kind: Any = np.array([SHOWDOWN], np.int8)
    street: Any = np.zeros(1, np.int8)
    player: Any = np.full(1, -1, np.int8)
    parent: Any = np.full(1, -1, np.int32)
    first_child: Any = np.full(1, -1, np.int32)
    children: Any = np.zeros(1, np.int32)
    move: Any = np.full(1, -2)
    payoff: Any = SHARES[None]


Betting: TypeAlias = BettingTree | RunOut


def run_out_from(rules: Rules, street: int) -> RunOut:
    """The tree of a game in which nobody bets from a street on."""
    shares = SPLIT_SHARES if rules.split == "high_low" else SHARES
    return RunOut(street=np.full(1, street, np.int8), payoff=shares[None])


class GameArrays(NamedTuple):
    """A public game as a walk reads it, of N nodes."""

    kind: NDArray[np.int8]  # (N,): DECISION, FOLDED or SHOWDOWN
    player: Ints  # (N,): who is to act
    first_child: Ints  # (N,)
    children: Ints  # (N,): how many
    deals: NDArray[np.bool_]  # (N,): cards are dealt on the way to this node
    segments: Segments
    boards: Boards
    last: int  # the level of full boards
    deal_probability: Floats  # (levels,): of each board that a deal leads to
    offset: Ints  # (N + 1,): where the regrets of an action node begin, and its cumulative strategy
    first_block: Ints  # (N + 1,): the number of the action node's block on the first board of its level
    width: Ints  # (2, levels): places in a row of regrets
    is_locked: NDArray[np.bool_]  # (N,): the player's strategy is held fixed


def hands_of(rules: Rules) -> Hands:
    """The hands of a game; made once, those of Texas hold'em for all its games."""
    return _made_hands(HOLDEM if rules.is_texas_holdem else rules)


@lru_cache(maxsize=8)
def _made_hands(rules: Rules) -> Hands:
    return Hands(rules)


class PublicGame:
    """A betting tree with its boards and hands. Player 0 has the button.

    tree: its root is a decision, or an all-in. rules: the game's cards. board: those that lie at the root. ranges: (2,
    H) weights of both players' hands, by default all 1. isomorphic: whether boards that a renaming of suits makes the
    same are one. kind: float32, or float64 for games that are solved more precisely than to a millionth of a pot. ties:
    see `make_boards`. one_street: whether the walk ends at the first deal after the root, where somebody else says what
    hands are worth (values/street.py).
    """

    def __init__(
        self,
        tree: Betting,
        rules: Rules,
        board: Sequence[int] | Ints = (),
        ranges: NDArray[Any] | None = None,
        isomorphic: bool = True,
        kind: type[np.floating[Any]] = np.float32,
        ties: bool = False,
        one_street: bool = False,
    ) -> None:
        self.tree: Any = tree  # a BettingTree has more than a walk needs
        self.rules, self.board = rules, tuple(int(card) for card in board)
        self.hands, self.isomorphic, self.kind = hands_of(rules), isomorphic, kind
        self.ranges = np.ones((PLAYERS, len(self.hands))) if ranges is None else np.asarray(ranges, np.float64)
        self.one_street = one_street
        self.deals = [] if one_street else deals_after(rules, int(tree.street[0]), self.board)
        renamings = suit_renamings(self.hands, self.board, self.ranges) if isomorphic else [np.arange(CARDS)]
        self.boards = make_boards(self.hands, self.board, self.deals, self.ranges, renamings, ties, kind)
        self.arrays = self._arrays(tree)
        self.weights = self._weights()

    def _arrays(self, tree: Betting) -> GameArrays:
        boards, root = self.boards, int(tree.street[0])
        last = boards.levels if self.one_street else boards.levels - 1
        self.before_root = 0 if self.one_street else len(self.deals) - (self.rules.streets - 1 - root)
        depth = self.depth_of(tree)
        kind = np.array(tree.kind, np.int8)  # a copy, as kernels are compiled again for arrays that cannot be written
        ends = [range(boards.first[level], boards.first[level + 1]) for level in range(boards.levels)]
        most = [[int(boards.count[p, each].max()) for each in ends] for p in range(PLAYERS)]
        width = np.array([[padded(count, self.kind) for count in of_player] for of_player in most], np.int64)
        offset, first_block = np.zeros((2, len(kind) + 1), np.int64)
        deals = (kind == SHOWDOWN) & (depth < last)
        parents = np.asarray(tree.parent)
        deals[1:] |= (kind[1:] == DECISION) & (depth[1:] > depth[parents[1:]])
        nodes = np.flatnonzero((kind == DECISION) & (depth < boards.levels))
        first_block[nodes + 1] = np.diff(boards.first)[depth[nodes]]
        rows = np.asarray(tree.children)[nodes] * width[np.asarray(tree.player)[nodes], depth[nodes]]
        offset[nodes + 1] = first_block[nodes + 1] * rows
        lying = len(self.board) + np.cumsum([0, *self.deals])
        left = len(self.hands.deck) - 2 * self.hands.hole_cards - lying
        ways = [comb(cards, count) for cards, count in zip(left.tolist(), [*self.deals, 0], strict=True)]
        return GameArrays(
            kind,
            np.asarray(tree.player, np.int64),
            np.asarray(tree.first_child, np.int64),
            np.asarray(tree.children, np.int64),
            deals,
            Planner(tree, last, self.before_root > 0, self.hands.are_sorted).plan(boards.levels, self.kind),
            boards,
            last,
            np.array([1 / number for number in ways], self.kind),
            np.cumsum(offset),
            np.cumsum(first_block),
            width,
            np.zeros(len(kind), np.bool_),
        )

    def run_out(self) -> GameArrays:
        """The same hands and boards, and nobody bets."""
        return self._arrays(run_out_from(self.rules, int(self.tree.street[0])))

    def depth_of(self, tree: Betting) -> Ints:
        """(N,): the level of each node's board."""
        return np.asarray(tree.street, np.int64) - int(tree.street[0]) + self.before_root

    @cached_property
    def depth(self) -> Ints:
        """(N,): the level of the board at each node."""
        return self.depth_of(self.tree)

    def _weights(self) -> NDArray[Any]:
        """(2, width): the weights of the hands on the first board, the largest of a range being 1."""
        weights = np.zeros((PLAYERS, self.boards.hand.shape[2]), self.kind)
        for p in range(PLAYERS):
            held = self.ranges[p, self.boards.hands(p, 0)]
            weights[p, : len(held)] = held / held.max()
        return weights

    def opponent_weights(self, weights: Any) -> NDArray[np.float64]:
        """(2, H): the weight of the other player's hands that share no card with each hand. weights: (2, H)."""
        if not self.hands.are_sorted:
            return np.asarray(weights[::-1] @ self.hands.meeting, np.float64)
        found, cards = np.zeros(np.shape(weights)), self.hands.cards
        for p, other in enumerate(weights[::-1]):
            by_card = np.bincount(cards.ravel(), np.repeat(other, cards.shape[1]), CARDS)
            found[p] = other.sum() - by_card[cards].sum(axis=1) + other
        return found.clip(0)

    @cached_property
    def met(self) -> NDArray[np.float64]:
        """(2, width): the weight of the other player's hands that share no card with each hand on the first board."""
        found, weights = np.zeros(self.weights.shape), np.zeros((PLAYERS, len(self.hands)))
        held = [self.boards.hands(p, 0) for p in range(PLAYERS)]
        for p, hands in enumerate(held):
            weights[p, hands] = self.weights[p, : len(hands)]
        for p, hands in enumerate(held):
            found[p, : len(hands)] = self.opponent_weights(weights)[p, hands]
        return found

    @cached_property
    def pair_weight(self) -> float:
        """The weight of all pairs of hands that may meet."""
        return float((self.weights[0] * self.met[0]).sum())

    @cached_property
    def is_zero_sum(self) -> bool:
        """Whether what one player wins the other loses: there is no rake."""
        return not np.asarray(self.tree.payoff).sum(axis=-1).any()

    @cached_property
    def decisions(self) -> Ints:
        """The nodes at which somebody is to act."""
        return np.flatnonzero(self.arrays.kind == DECISION)

    def boards_at(self, node: int) -> range:
        """The boards on which a node may be reached."""
        level = int(self.depth[node])
        return range(int(self.boards.first[level]), int(self.boards.first[level + 1]))

    @property
    def entries(self) -> int:
        """How many numbers a strategy for it has."""
        return int(self.arrays.offset[-1])

    def information_sets(self, player: int) -> tuple[Ints, Ints, Ints]:
        """(K,) each: the decisions, boards and hands of all information sets of a player."""
        nodes = self.decisions[np.asarray(self.tree.player)[self.decisions] == player]
        boards = [np.arange(self.boards_at(node).start, self.boards_at(node).stop) for node in nodes]
        node, board = np.repeat(nodes, [len(each) for each in boards]), np.concatenate([*boards, np.zeros(0, np.int64)])
        counts = self.boards.count[player, board]
        place = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        node, board = np.repeat(node, counts), np.repeat(board, counts)
        return node, board, self.boards.hand[player, board, place].astype(np.int64)

    def entries_of(self, nodes: Ints, boards: Ints, hands: Ints, slots: int) -> Ints:
        """(K, slots): where a strategy has the numbers of the first `slots` moves of K decisions, on one of their
        boards, with a hand. A decision with fewer moves has none of the last ones."""
        player, level = self.arrays.player[nodes], self.depth[nodes]
        width = self.arrays.width[player, level]
        block = (boards - self.boards.first[level]) * self.arrays.children[nodes] * width
        first = self.arrays.offset[nodes] + block + self._places[player, boards, hands]
        return np.asarray(first[:, None] + np.arange(slots) * width[:, None])

    @cached_property
    def _places(self) -> NDArray[np.int16]:
        """(2, B, H): where the list of a board has each hand."""
        places = np.zeros((*self.boards.count.shape, len(self.hands)), np.int16)
        for player, board in np.ndindex(self.boards.count.shape):
            held = self.boards.hands(player, board)
            places[player, board, held] = np.arange(len(held))
        return places

    def rows(self, numbers: NDArray[Any], node: int) -> NDArray[Any]:
        """(boards, children, width): a view of the numbers of a decision."""
        first, end = self.arrays.offset[node : node + 2].tolist()
        shape = len(self.boards_at(node)), int(self.tree.children[node]), -1
        return numbers[first:end].reshape(shape)

    def strategy(self, weights: NDArray[Any]) -> NDArray[Any]:
        """A cumulative strategy, made probabilities: as large, float64 or float32."""
        out: Floats = np.zeros(weights.size, np.float64 if weights.dtype == np.float64 else np.float32)
        normalize_blocks(self.arrays.offset, self.arrays.first_block, self.arrays.children, weights, out)
        return out


def deals_after(rules: Rules, street: int, board: Sequence[int]) -> list[int]:
    """How many cards are dealt each time from the root on: before it too, where a street's cards do not lie there."""
    counts = [*rules.board_cards]
    at_root = [] if len(board) == sum(counts[: street + 1]) else [counts[street]]
    return [*at_root, *counts[street + 1 :]]


@dataclass(frozen=True)
class GameSize:
    """What a game takes.

    nodes: of the betting tree. boards: by level, up to a renaming of suits. decisions: action nodes on boards.
    information_sets: decisions of one hand, of both players; an upper bound where ranges leave hands out. numbers: of
    a strategy, of both players, rows padded to whole cache lines. bits: of a regret, and of a number of the cumulative
    strategy: 64, 32 or 16. lists: bytes for everything else. kept: arrays of as many numbers.
    """

    nodes: int
    boards: tuple[int, ...]
    decisions: int
    information_sets: int
    numbers: int
    lists: int
    bits: int
    kept: int = 2

    @property
    def memory(self) -> int:
        return self.numbers * self.kept * self.bits // 8 + self.lists

    def fitting(self, most_memory: int, bits: int | None = None) -> GameSize:
        """The same in this many bits; by default in 16 if 32 take more than most_memory bytes. Raises ValueError for
        other bits than 16 and 32."""
        if bits not in (None, 16, 32):
            raise ValueError(f"bits: must be 16 or 32, got {bits}")
        return replace(self, bits=bits or (32 if self.memory <= most_memory else 16))

    def __str__(self) -> str:
        boards = " + ".join(f"{count:,}" for count in self.boards) + " board" + "s" * (sum(self.boards) != 1)
        sets = f"{self.information_sets:,} information sets, of {self.nodes:,} nodes on {boards}"
        return f"{sets}, take {size_text(self.memory)} in {self.bits} bits"


def size_of(
    tree: Betting,
    rules: Rules,
    board: Sequence[int] = (),
    ranges: Any = None,
    isomorphic: bool = True,
    kind: type[np.floating[Any]] = np.float32,
) -> GameSize:
    """The size of a game, before anything of it is made. Arguments as those of `PublicGame`."""
    hands, root = hands_of(rules), int(tree.street[0])
    deals = deals_after(rules, root, board)
    renamings = suit_renamings(hands, board, ranges) if isomorphic else [np.arange(CARDS)]
    left = sorted(set(hands.deck) - set(board))
    boards = np.array(count_boards(left, deals, renamings), dtype=object)
    held = [len(hands)] * PLAYERS if ranges is None else [int((weights > 0).sum()) for weights in ranges]
    decides = tree.kind == DECISION
    depth = tree.street[decides].astype(np.int64) - root + len(deals) - (rules.streets - 1 - root)
    player, children = tree.player[decides], tree.children[decides].astype(object)
    lying = len(board) + np.cumsum([0, *deals])
    possible = [comb(len(hands.deck) - count, hands.hole_cards) for count in lying.tolist()]
    sets = numbers = 0
    for p in range(PLAYERS):
        own, most = player == p, [min(held[p], count) for count in possible]
        sets += int((boards * most)[depth][own].sum())
        numbers += int(((boards * [padded(count, kind) for count in most])[depth] * children)[own].sum())
    rows = [padded(count, kind) for count in held]
    lists = int(boards.sum()) * (sum(rows) * HAND_BYTES + (0 if hands.are_sorted else rows[0] * rows[1]))
    bits = 8 * np.dtype(kind).itemsize
    return GameSize(len(tree.kind), tuple(boards.tolist()), int(boards[depth].sum()), sets, numbers, lists, bits)
