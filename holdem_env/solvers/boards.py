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
from .hands import IMPOSSIBLE, Hands, Ints, Renaming

PLAYERS = 2
CACHE_LINE = 64  # bytes; rows of hands are whole lines
MAX_HANDS = 2**15 - CACHE_LINE  # lists of hands are int16
Image = tuple[int, Renaming]  # the number of the board before, and the renaming that makes the image


class Boards(NamedTuple):
    """B boards, with `width` places for the hands of each; what lies behind a list is of no meaning."""

    first: Ints  # (levels + 1,): where each level begins
    cards: NDArray[np.int8]  # (B, most cards): -1 behind the last
    count: Ints  # type: ignore[assignment]  # not a tuple's method
    """(2, B): how many hands each player may hold."""
    hand: NDArray[np.int16]  # (2, B, width): which they are
    held: NDArray[np.int16]  # (2, B, 2, width): their high and their low cards; 0 where hands are not sorted
    same: NDArray[np.int16]  # (2, B, width): where the other player's list has the same hand; its length if nowhere
    groups: NDArray[np.int16]
    """(2, B, most groups, 3): on full boards, where own hands of equal value end, where the other's weaker hands end,
    and those that are not stronger."""
    group_count: Ints  # (2, B)
    classes: NDArray[np.int8]
    """(B, width, width): where hands are not sorted, the class of outcomes (hands.py) of player 0's hand against player
    1's, -1 where they cannot meet; elsewhere without boards."""
    first_child: Ints  # (B + 1,): the boards that follow
    first_image: Ints  # (B + 1,): the images that a board stands for, itself first
    up: NDArray[np.int16]  # (2, images, width): where the list of the board before has each hand, renamed
    renaming: NDArray[np.int8]  # (images, 52): what each image calls the cards
    alike: NDArray[np.int16]
    """(2, B, width): the first hand of the list that a renaming makes the same, so that both are played alike; without
    boards where they are not tied to each other."""
    is_tied: NDArray[np.bool_]  # (B,): whether any are

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


def make_boards(
    hands: Hands,
    board: Sequence[int],
    deals: Sequence[int],
    ranges: Any,
    renamings: list[Renaming],
    ties: bool = False,
    kind: type[np.floating[Any]] = np.float32,
) -> Boards:
    """All boards from one on. deals: how many cards are dealt each time. ranges: (2, H) weights. renamings: from
    `suit_renamings`, or the identity alone. ties: whether hands that a renaming makes the same are tied to each
    other. kind: of the numbers that stand in rows of hands."""
    if len(hands) > MAX_HANDS:
        raise ValueError(f"public game: must have at most {MAX_HANDS:,} private hands, got {len(hands):,}")
    listed = _Listed(hands, board, deals, renamings)
    boards, images, is_sorted, players = listed.boards, listed.images, hands.are_sorted, range(PLAYERS)
    most_cards = sum(hands.rules.board_cards)
    found = [[_list(hands, each, len(each) == most_cards, weights) for each in boards] for weights in ranges]
    held, values = ([[each[k] for each in of_player] for of_player in found] for k in range(2))
    groups = [[*map(_groups, values[p], values[1 - p])] for p in players]
    same = [
        [_places(hands, held[1 - p][b], len(held[1 - p][b]))[held[p][b]] for b in range(len(boards))] for p in players
    ]
    count = np.array([[*map(len, of_player)] for of_player in held], np.int64)
    width = padded(int(count.max()) + 1, kind)  # one longer than the hands
    first_image = np.cumsum([0, *map(len, images)])
    cards = np.full((len(boards), max(map(len, boards))), -1, np.int8)
    for b, each in enumerate(boards):
        cards[b, : len(each)] = each
    return Boards(
        np.array(listed.first),
        cards,
        count,
        _table(held, width),
        _table(
            [[hands.cards[each].T if is_sorted else each[None, :0] for each in of_player] for of_player in held],
            2,
            width,
        ),
        _table(same, width),
        _table(groups, max(len(some) for of_player in groups for some in of_player), 3),
        np.array([[*map(len, of_player)] for of_player in groups], np.int64),
        _classes(hands, boards, held, width),
        np.array(listed.first_child, np.int64),
        first_image,
        _table([_above(hands, of_player, images) for of_player in held], width),
        np.array([renaming for some in images for _, renaming in some], np.int8),
        _table([_alike(hands, of_player, listed.left) if ties else [] for of_player in held], width),
        np.array([ties and len(left) > 1 for left in listed.left], np.bool_),
    )


def _table(rows: list[list[Ints]], *shape: int) -> NDArray[np.int16]:
    """(players, rows, *shape): rows of each player, with zeros behind them."""
    table = np.zeros((PLAYERS, len(rows[0]), *shape), np.int16)
    for p, r in np.ndindex(table.shape[:2]):
        row = rows[p][r]
        table[(p, r, *map(slice, row.shape))] = row
    return table


def _above(hands: Hands, held: list[Ints], images: list[list[Image]]) -> list[Ints]:
    """Of each image, the first board's left out: where the list of the board before has each hand, renamed."""
    found = [held[0][:0]]
    for b, some in enumerate(images[1:], 1):
        found += [_places(hands, held[before], -1)[hands.renamed(renaming)[held[b]]] for before, renaming in some]
    return found


def _alike(hands: Hands, held: list[Ints], left: list[list[Renaming]]) -> list[Ints]:
    """Of each board, the place of the first hand that a renaming makes the same."""
    places = [_places(hands, each, -1) for each in held]
    return [
        np.min([at[hands.renamed(one)[own]] for one in some], axis=0)
        for at, own, some in zip(places, held, left, strict=True)
    ]


def _classes(hands: Hands, boards: list[list[int]], held: list[list[Ints]], width: int) -> NDArray[np.int8]:
    """(B, width, width), or (0, width, width) for sorted hands: the outcome of each pair of hands on each board."""
    classes = np.full((0 if hands.are_sorted else len(boards), width, width), IMPOSSIBLE, np.int8)
    for b, (each, one, other) in enumerate(zip(boards, *held, strict=True) if len(classes) else ()):
        is_full = len(each) == sum(hands.rules.board_cards)
        pairs = hands.classes(np.array(each, np.int64)) if is_full else hands.meeting - np.int8(1)
        classes[b, : len(one), : len(other)] = pairs[np.ix_(one, other)]
    return classes


def padded(count: int, kind: type[np.floating[Any]]) -> int:
    """The places in a row of numbers for this many hands."""
    line = CACHE_LINE // np.dtype(kind).itemsize
    return -(-count // line) * line


class _Listed:
    """All boards, level by level. first: where each level begins. first_child: where the boards after each begin.
    images: of each board. left: by board, the renamings that change neither it nor what lay before."""

    def __init__(self, hands: Hands, board: Sequence[int], deals: Sequence[int], renamings: list[Renaming]) -> None:
        self.boards = [[int(card) for card in board]]
        self.images: list[list[Image]] = [[(0, np.arange(CARDS))]]
        self.left, self.first = [renamings], [0, 1]
        self.first_child: list[int] = []
        for count in deals:
            for parent in range(*self.first[-2:]):
                self.first_child.append(len(self.boards))
                self._deal(sorted(set(hands.deck) - set(self.boards[parent])), parent, count)
            self.first.append(len(self.boards))
        self.first_child += [len(self.boards)] * (self.first[-1] - self.first[-2] + 1)

    def _deal(self, deck: list[int], parent: int, count: int) -> None:
        """Append the boards after a board."""
        board, allowed = self.boards[parent], self.left[parent]
        seen: set[tuple[int, ...]] = set()
        for cards in combinations(deck, count):
            if cards in seen:
                continue
            by_image = {tuple(sorted(renaming[list(cards)].tolist())): renaming for renaming in reversed(allowed)}
            seen |= by_image.keys()
            self.boards.append([*board, *cards])
            self.left.append([one for one in allowed if tuple(sorted(one[list(cards)].tolist())) == cards])
            self.images.append([(parent, by_image[image]) for image in sorted(by_image)])


def _list(hands: Hands, board: list[int], is_full: bool, weights: Any) -> tuple[Ints, Ints]:
    """The hands with weight that a board leaves; on full ones weakest first, and their values, else none."""
    lying = np.array(board, np.int64)
    held = np.flatnonzero(hands.possible(lying) & (weights > 0))
    if not (is_full and hands.are_sorted):
        return held, held[:0]
    values = hands.values(lying)[0][held]
    order = np.argsort(values, kind="stable")
    return held[order], values[order]


def _places(hands: Hands, held: Ints, nowhere: int) -> Ints:
    """(H,): where a list has each hand."""
    places = np.full(len(hands), nowhere)
    places[held] = np.arange(len(held))
    return places


def _groups(own: Ints, other: Ints) -> Ints:
    """See `Boards.groups`, of the values of own hands and of the other's."""
    if not own.size:
        return np.zeros((0, 3), np.int64)
    strengths = np.unique(own)
    weaker, no_better = (np.searchsorted(other, strengths, side) for side in ("left", "right"))
    return np.stack([np.searchsorted(own, strengths, "right"), weaker, no_better], axis=1)
