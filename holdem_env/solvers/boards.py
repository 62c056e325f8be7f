"""The boards of a game, deal by deal, and the hands that each leaves both players: what a walk needs of the cards.

Boards come in levels: the one given, then those after each deal. All stand in one list, level by level, and the boards
after a board one after the other. Boards that differ by a renaming of suits that changes neither what lay before nor
the ranges are one: the first stands for its images, and counts for each of them with the hands renamed.

On each board stand the hands with weight, side by side; on full boards sorted by strength where that is how showdowns
are valued.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cards.text import CARDS, cards_text
from .hands import Hands, Ints, Renaming

PLAYERS = 2
BLOCK = 16
"""Rows of hands are as long as a multiple of this, and at least one longer than the hands."""
MAX_HANDS = 2**15 - BLOCK
"""Lists of hands are int16."""
Image = tuple[int, Renaming]
"""The number of the board before, and the renaming that makes the image."""


class Boards(NamedTuple):
    """B boards, with `width` places for the hands of each; what lies behind a list is of no meaning."""

    first: Ints
    """(levels + 1,): where each level begins."""
    cards: NDArray[np.int8]
    """(B, most cards): -1 behind the last."""
    count: Ints  # type: ignore[assignment]  # not a tuple's method
    """(2, B): how many hands each player may hold."""
    hand: NDArray[np.int16]
    """(2, B, width): which they are."""
    held: NDArray[np.int16]
    """(2, B, 2, width): their high and their low cards; 0 where hands are not sorted."""
    same: NDArray[np.int16]
    """(2, B, width): where the other player's list has the same hand; its length if nowhere."""
    groups: NDArray[np.int16]
    """(2, B, most groups, 3): on full boards, where own hands of equal value end, where the other's weaker hands end,
    and those that are not stronger."""
    group_count: Ints
    """(2, B)."""
    classes: NDArray[np.int8]
    """(B, width, width): where hands are not sorted, the class of outcomes (hands.py) of player 0's hand against player
    1's, -1 where they cannot meet; elsewhere without boards."""
    first_child: Ints
    """(B + 1,): the boards that follow."""
    first_image: Ints
    """(B + 1,): the images that a board stands for, itself first."""
    up: NDArray[np.int16]
    """(2, images, width): where the list of the board before has each hand, renamed."""
    renaming: NDArray[np.int8]
    """(images, 52): what each image calls the cards."""
    alike: NDArray[np.int16]
    """(2, B, width): the first hand of the list that a renaming makes the same, so that both are played alike; without
    boards where they are not tied to each other."""
    is_tied: NDArray[np.bool_]
    """(B,): whether any are."""

    @property
    def levels(self) -> int:
        return len(self.first) - 1

    def hands(self, player: int, board: int) -> Ints:
        """(n,): which hands a player may hold on a board."""
        return self.hand[player, board, : self.count[player, board]].astype(np.int64)

    def find(self, dealt: Sequence[Sequence[int]]) -> tuple[int, Renaming]:
        """The board with these cards, deal by deal, or the one that stands for it; and what that one's cards are called
        there. Raises ValueError for cards that are not dealt."""
        board, renaming = 0, np.arange(CARDS)
        for cards in dealt:
            board, further = self._child(board, sorted(np.argsort(renaming)[list(cards)].tolist()))
            renaming = renaming[further]
        return board, renaming

    def _child(self, board: int, dealt: list[int]) -> tuple[int, Renaming]:
        for child in range(self.first_child[board], self.first_child[board + 1]):
            after = self.lying(child)[len(self.lying(board)) :]
            for image in range(self.first_image[child], self.first_image[child + 1]):
                renaming = self.renaming[image].astype(np.int64)
                if sorted(renaming[after].tolist()) == dealt:
                    return child, renaming
        raise ValueError(f"board: {cards_text(dealt)} is not dealt there")

    def lying(self, board: int) -> list[int]:
        """The cards of a board, in the order of the deals."""
        return [card for card in self.cards[board].tolist() if card >= 0]


class _Level(NamedTuple):
    """A level while the list is made. left: by board, the renamings that change neither it nor what lay before."""

    boards: list[list[int]]
    images: list[list[Image]]
    left: list[list[Renaming]]


def make_boards(
    hands: Hands, board: Sequence[int], deals: Sequence[int], ranges: Any, renamings: list[Renaming], ties: bool = False
) -> Boards:
    """All boards from one on. deals: how many cards are dealt each time. ranges: (2, H) weights. renamings: from
    `suit_renamings`, or the identity alone. ties: whether hands that a renaming makes the same are tied to each
    other."""
    if len(hands) > MAX_HANDS:
        raise ValueError(f"public game: must have at most {MAX_HANDS:,} private hands, got {len(hands):,}")
    levels, first_child = _levels(hands, board, deals, renamings)
    first = np.cumsum([0, *(len(level.boards) for level in levels)])
    first_child += [int(first[-1])] * (len(levels[-1].boards) + 1)
    return _Lists(hands, ranges, levels, first, np.array(first_child, np.int64)).made(ties)


def _levels(
    hands: Hands, board: Sequence[int], deals: Sequence[int], renamings: list[Renaming]
) -> tuple[list[_Level], list[int]]:
    """All levels, and where the boards after each board that is not full begin."""
    levels = [_Level([[int(card) for card in board]], [[(0, np.arange(CARDS))]], [renamings])]
    first_child: list[int] = []
    for count in deals:
        following, starts = _dealt(hands, levels[-1], count, sum(len(level.boards) for level in levels[:-1]))
        first_child += starts
        levels.append(following)
    return levels, first_child


def _dealt(hands: Hands, level: _Level, count: int, before: int) -> tuple[_Level, list[int]]:
    """The level after a deal, and where the boards after each board begin. before: how many boards the levels before
    this one have."""
    after = _Level([], [], [])
    starts, base = [], before + len(level.boards)
    for parent, (board, allowed) in enumerate(zip(level.boards, level.left, strict=True)):
        starts.append(base + len(after.boards))
        seen: set[tuple[int, ...]] = set()
        for cards in combinations(sorted(set(hands.deck) - set(board)), count):
            if cards in seen:
                continue
            by_image = {tuple(sorted(renaming[list(cards)].tolist())): renaming for renaming in reversed(allowed)}
            seen |= by_image.keys()
            after.boards.append([*board, *cards])
            after.left.append([one for one in allowed if tuple(sorted(one[list(cards)].tolist())) == cards])
            after.images.append([(before + parent, by_image[image]) for image in sorted(by_image)])
    return after, starts


class _Lists:
    """Makes the lists of hands."""

    def __init__(self, hands: Hands, ranges: Any, levels: list[_Level], first: Ints, first_child: Ints) -> None:
        self.hands, self.ranges, self.first, self.first_child = hands, ranges, first, first_child
        self.most = sum(hands.rules.board_cards)
        self.boards = [board for level in levels for board in level.boards]
        self.images = [images for level in levels for images in level.images]
        self.left = [left for level in levels for left in level.left]
        self.lists = [[self._list(k, weights) for k in range(len(self.boards))] for weights in ranges]

    def _is_full(self, number: int) -> bool:
        return len(self.boards[number]) == self.most

    def _list(self, number: int, weights: Any) -> tuple[Ints, Ints]:
        """The hands with weight that a board leaves, weakest first on full ones, and their values, else 0."""
        board = np.array(self.boards[number], np.int64)
        held = np.flatnonzero(self.hands.possible(board) & (weights > 0))
        if not (self._is_full(number) and self.hands.are_sorted):
            return held, np.zeros(len(held), np.int64)
        values = self.hands.values(board)[0][held]
        order = np.argsort(values, kind="stable")
        return held[order], values[order]

    def made(self, ties: bool) -> Boards:
        total, is_sorted = len(self.boards), self.hands.are_sorted
        count = np.array([[len(held) for held, _ in of_player] for of_player in self.lists], np.int64)
        width = (int(count.max()) // BLOCK + 1) * BLOCK
        groups = [[_groups(self.lists[p][b][1], self.lists[1 - p][b][1]) for b in range(total)] for p in range(PLAYERS)]
        most_groups = max(len(some) for of_player in groups for some in of_player)
        first_image = np.cumsum([0, *(len(some) for some in self.images)])
        cards = np.full((total, max(map(len, self.boards))), -1, np.int8)
        for b, board in enumerate(self.boards):
            cards[b, : len(board)] = board
        made = Boards(
            self.first,
            cards,
            count,
            np.zeros((PLAYERS, total, width), np.int16),
            np.zeros((PLAYERS, total, 2, width), np.int16),
            np.zeros((PLAYERS, total, width), np.int16),
            np.zeros((PLAYERS, total, most_groups, 3), np.int16),
            np.array([[len(some) for some in of_player] for of_player in groups], np.int64),
            np.full((0 if is_sorted else total, width, width), -1, np.int8),
            self.first_child,
            first_image,
            np.zeros((PLAYERS, int(first_image[-1]), width), np.int16),
            np.array([renaming for some in self.images for _, renaming in some], np.int8),
            np.zeros((PLAYERS, total if ties else 0, width), np.int16),
            np.array([ties and len(left) > 1 for left in self.left], np.bool_),
        )
        for p in range(PLAYERS):
            for b in range(total):
                held, other = self.lists[p][b][0], self.lists[1 - p][b][0]
                n = len(held)
                made.hand[p, b, :n] = held
                made.same[p, b, :n] = self._places(other, len(other))[held]
                made.groups[p, b, : len(groups[p][b])] = groups[p][b]
                if is_sorted:
                    made.held[p, b, :, :n] = self.hands.cards[held].T
                if ties:
                    self._tie(made, p, b)
                if b:
                    self._look_up(made, p, b)
        if not is_sorted:
            self._compare(made)
        return made

    def _places(self, held: Ints, nowhere: int) -> Ints:
        """(H,): where a list has each hand."""
        places = np.full(len(self.hands), nowhere)
        places[held] = np.arange(len(held))
        return places

    def _look_up(self, made: Boards, player: int, number: int) -> None:
        """Where the list of the board before has the hands of a board, for each image of the board."""
        held = self.lists[player][number][0]
        for i, (before, renaming) in enumerate(self.images[number]):
            places = self._places(self.lists[player][before][0], -1)
            made.up[player, made.first_image[number] + i, : len(held)] = places[self.hands.renamed(renaming)[held]]

    def _tie(self, made: Boards, player: int, number: int) -> None:
        """The first of the hands that are alike on a board."""
        held = self.lists[player][number][0]
        places = self._places(held, -1)
        images = [places[self.hands.renamed(renaming)[held]] for renaming in self.left[number]]
        made.alike[player, number, : len(held)] = np.min(images, axis=0)

    def _compare(self, made: Boards) -> None:
        """What comes of every pair of hands."""
        for b, board in enumerate(self.boards):
            one, other = self.lists[0][b][0], self.lists[1][b][0]
            pairs = (
                self.hands.classes(np.array(board, np.int64)) if self._is_full(b) else self.hands.meeting - np.int8(1)
            )
            made.classes[b, : len(one), : len(other)] = pairs[np.ix_(one, other)]


def _groups(own: Ints, other: Ints) -> Ints:
    """See `Boards.groups`, of the values of own hands and of the other's."""
    strengths = np.unique(own)
    ends = [
        np.searchsorted(*pair)
        for pair in ((own, strengths, "right"), (other, strengths, "left"), (other, strengths, "right"))
    ]
    return np.stack(ends, axis=1)
