"""The hands of both players on every board of a subgame: those with weight, side by side, sorted by strength on rivers.

Boards come in levels: the one given, then each card that may be dealt, and so on to the river. Cards that differ by a
renaming of suits that changes neither the board nor the ranges are one: the first stands for its images, and counts for
each of them with the hands renamed.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from ...cards.combos import COMBO_CARDS, COMBO_OF, COMBOS, possible_combos
from ...cards.text import CARDS, SUITS
from ...equities.all_hands import hand_values

SUIT_COUNT = len(SUITS)
RIVER_CARDS = 5
PLAYERS = 2
BLOCK = 16
"""Rows of hands are as long as a multiple of this, and at least one longer than the hands."""


Image = tuple[int, Any]
"""The number of the board before, and the (52,) renaming of cards that makes the image."""
Images = list[list[Image]]


class Level(NamedTuple):
    """The boards with the same number of cards. `width`: places for hands; what lies behind a list is of no meaning."""

    boards: Any
    """(boards, cards) int64."""
    count: Any
    """(2, boards) int64: how many hands each player may hold."""
    combo: Any
    """(2, boards, width) int16: which they are, sorted by strength on rivers."""
    cards: Any
    """(2, boards, 2, width) int16: their high and their low cards."""
    same: Any
    """(2, boards, width) int16: where the other player's list has the same hand; its length if nowhere."""
    groups: Any
    """(2, boards, most groups, 3) int16: on rivers, see `terminals.add_showdowns`."""
    group_count: Any
    """(2, boards) int64."""
    first_child: Any
    """(boards + 1,) int64: the boards that follow, in the next level."""
    first_image: Any
    """(boards + 1,) int64: the images that a board stands for, itself first."""
    up: Any
    """(2, images, width) int16: where the parent's list has each hand, renamed."""
    renaming: Any
    """(images, 52) int8: what each image calls the cards."""


def build_levels(board: Any, ranges: Any, with_isomorphism: bool = True) -> list[Level]:
    """All levels from `board` (3..5 cards) to the river. ranges: (2, 1326) weights."""
    boards = np.asarray(board, np.int64).reshape(1, -1)
    renamings = [suit_renamings(boards[0], ranges) if with_isomorphism else [np.arange(CARDS)]]
    images: Images = [[(0, np.arange(CARDS))]]
    levels: list[Level] = []
    while boards.shape[1] < RIVER_CARDS:
        children, first_child, renamings, next_images = _deal(boards, renamings)
        levels.append(_level(boards, ranges, first_child, images, levels))
        boards, images = children, next_images
    levels.append(_level(boards, ranges, np.zeros(len(boards) + 1, np.int64), images, levels))
    return levels


def count_boards(board: Any, ranges: Any, with_isomorphism: bool = True) -> list[int]:
    """How many boards each level has."""
    boards = np.asarray(board, np.int64).reshape(1, -1)
    renamings = [suit_renamings(boards[0], ranges) if with_isomorphism else [np.arange(CARDS)]]
    counts = [1]
    while boards.shape[1] < RIVER_CARDS:
        boards, _, renamings, _ = _deal(boards, renamings)
        counts.append(len(boards))
    return counts


def suit_renamings(board: Any, ranges: Any) -> list[Any]:
    """The renamings of suits, as (52,) arrays of cards, that change neither the board nor the ranges; "none" first."""
    held = set(int(card) for card in board)
    found = []
    deck = np.arange(CARDS)
    for order in permutations(range(SUIT_COUNT)):
        cards = deck // SUIT_COUNT * SUIT_COUNT + np.array(order)[deck % SUIT_COUNT]
        if {int(cards[card]) for card in held} == held:
            hands = COMBO_OF[cards[COMBO_CARDS[:, 0]], cards[COMBO_CARDS[:, 1]]]
            if np.array_equal(ranges[:, hands], ranges):
                found.append(cards)
    return found


def _deal(boards: Any, renamings: list[list[Any]]) -> tuple[Any, Any, list[list[Any]], Images]:
    """The boards that follow, where those of each begin, the renamings that change neither them nor what went before,
    and their images."""
    children, first, left, images = [], [0], [], []
    for parent, (board, allowed) in enumerate(zip(boards, renamings)):
        done = set(int(card) for card in board)
        for card in range(CARDS):
            if card in done:
                continue
            by_image = {int(renaming[card]): renaming for renaming in reversed(allowed)}
            done |= by_image.keys()
            children.append([*board, card])
            left.append([renaming for renaming in allowed if renaming[card] == card])
            images.append([(parent, by_image[image]) for image in sorted(by_image)])
        first.append(len(children))
    return np.array(children, np.int64), np.array(first, np.int64), left, images


def _level(boards: Any, ranges: Any, first_child: Any, images: Images, above: list[Level]) -> Level:
    """The lists of one level. above: the levels before it."""
    first_image = np.cumsum([0, *(len(some) for some in images)])
    lists = [[_hands(board, weights) for board in boards] for weights in ranges]
    count = np.array([[len(combos) for combos, _ in of_player] for of_player in lists], np.int64)
    width = (int(count.max()) // BLOCK + 1) * BLOCK
    groups = [[_groups(lists[p][b][1], lists[1 - p][b][1]) for b in range(len(boards))] for p in range(PLAYERS)]
    most = max((len(some) for of_player in groups for some in of_player), default=0)
    level = Level(
        boards,
        count,
        np.zeros((PLAYERS, len(boards), width), np.int16),
        np.zeros((PLAYERS, len(boards), 2, width), np.int16),
        np.zeros((PLAYERS, len(boards), width), np.int16),
        np.zeros((PLAYERS, len(boards), most, 3), np.int16),
        np.array([[len(some) for some in of_player] for of_player in groups], np.int64),
        first_child,
        first_image,
        np.zeros((PLAYERS, int(first_image[-1]), width), np.int16),
        np.array([renaming for some in images for _, renaming in some], np.int8),
    )
    for p in range(PLAYERS):
        for b in range(len(boards)):
            combos, other = lists[p][b][0], lists[1 - p][b][0]
            n = len(combos)
            level.combo[p, b, :n] = combos
            level.cards[p, b, :, :n] = COMBO_CARDS[combos].T
            level.same[p, b, :n] = _places(other, len(other))[combos]
            level.groups[p, b, : len(groups[p][b])] = groups[p][b]
            if above:
                _look_up(level, above[-1], p, b, images[b])
    return level


def _look_up(level: Level, parent: Level, player: int, board: int, images: list[Image]) -> None:
    """Where the parent's list has the hands of a board, for each image of the board."""
    n = level.count[player, board]
    combos = level.combo[player, board, :n]
    for i, (above, renaming) in enumerate(images):
        places = _places(parent.combo[player, above, : parent.count[player, above]], -1)
        renamed = renaming[COMBO_CARDS[combos]]
        level.up[player, level.first_image[board] + i, :n] = places[COMBO_OF[renamed[:, 0], renamed[:, 1]]]


def _places(combos: Any, nowhere: int) -> Any:
    """(1326,): where a list has each hand."""
    places = np.full(COMBOS, nowhere)
    places[combos] = np.arange(len(combos))
    return places


def _hands(board: Any, weights: Any) -> tuple[Any, Any]:
    """The hands with weight that a board leaves, weakest first, and their values, which are 0 before the river."""
    combos = np.flatnonzero(possible_combos(board) & (weights > 0))
    if len(board) < RIVER_CARDS:
        return combos, np.zeros(len(combos), np.int64)
    values = hand_values(board)[combos]
    order = np.argsort(values, kind="stable")
    return combos[order], values[order]


def _groups(own: Any, other: Any) -> Any:
    """Own hands of equal value: where they end, where the other's weaker hands end, and those that are no stronger."""
    strengths = np.unique(own)
    ends = [
        np.searchsorted(*pair)
        for pair in ((own, strengths, "right"), (other, strengths, "left"), (other, strengths, "right"))
    ]
    return np.stack(ends, axis=1)
