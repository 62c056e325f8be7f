"""Boards that differ by a renaming of suits are one: 1,755 flops and 16,432 boards of four cards, in any order.

A board's suits are put in the order of the ranks they hold (as masks of 13 bits, the largest first). That renames the
suits, and boards that become the same are the same canonical board. Where two suits hold the same ranks, or none,
either order will do: whatever a table says of the canonical board treats the two alike.

>>> len(boards(3).cards), len(boards(4).cards)
(1755, 16432)
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations, pairwise, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_CARDS, COMBO_OF
from ...cards.text import CARDS, RANKS, SUITS
from ...compiled.compiler import inline

RANK_COUNT, SUIT_COUNT = len(RANKS), len(SUITS)
RENAMINGS: NDArray[np.int64] = np.array(list(permutations(range(SUIT_COUNT))), np.int64)
"""(24, 4): what each renaming makes of each suit."""
LARGEST_BOARD = 5
# How many sets of k+1 cards there are below a card, [card, k]: what numbers the sets of cards.
_CHOOSE: NDArray[np.int64] = np.zeros((CARDS, LARGEST_BOARD), np.int64)
for _card in range(CARDS):
    _CHOOSE[_card] = np.cumprod([(_card - k) / (k + 1) for k in range(LARGEST_BOARD)]).round()
# A mask of ranks as a suit's bits in the name of a canonical board.
_WEIGHTS: NDArray[np.int64] = 1 << (RANK_COUNT * np.arange(SUIT_COUNT - 1, -1, -1))


PREFLOP_CLASSES = RANK_COUNT * RANK_COUNT
ALL_FLOPS = 1_755  # as many differ by more than the names of suits


_HIGH, _LOW = COMBO_CARDS[:, 0], COMBO_CARDS[:, 1]
PREFLOP_CLASS: NDArray[np.int64] = np.where(
    _HIGH & 3 == _LOW & 3, (_HIGH >> 2) * RANK_COUNT + (_LOW >> 2), (_LOW >> 2) * RANK_COUNT + (_HIGH >> 2)
)
PREFLOP_CLASS.flags.writeable = False
"""(1326,): each hand without its suits, 0 to 168: 13 * row + column of the usual square from the deuce up, where suited
hands have the higher rank as their row and others as their column."""


class Boards(NamedTuple):
    """The canonical boards of one size, and where every board is found among them."""

    cards: NDArray[np.int64]  # (count, size): the cards of each canonical board, lowest first
    times: NDArray[np.int64]  # (count,): how many boards each stands for
    row: NDArray[np.int32]  # by `board_number`: the number of the canonical board
    renaming: NDArray[np.uint8]  # by `board_number`: which of RENAMINGS makes the board canonical


@lru_cache(maxsize=3)
def boards(size: int) -> Boards:
    """All boards of `size` cards, 3 or 4 (5 works too, and takes seconds). Raises ValueError for other sizes."""
    if size not in (3, 4, 5):
        raise ValueError(f"a board of {size} cards: give 3 (flop), 4 (turn) or 5 (river)")
    sets = np.array(list(combinations(range(CARDS), size)), np.int64)
    masks = np.zeros((len(sets), SUIT_COUNT), np.int64)
    each = np.arange(len(sets))
    for place in range(size):
        masks[each, sets[:, place] % SUIT_COUNT] |= 1 << (sets[:, place] // SUIT_COUNT)
    order = np.argsort(-masks, axis=1, kind="stable")  # order[i]: the suit that becomes suit i
    names = np.take_along_axis(masks, order, axis=1) @ _WEIGHTS
    _, first, row, times = np.unique(names, return_index=True, return_inverse=True, return_counts=True)
    new_suits = np.argsort(order, axis=1)
    renaming = _renaming_numbers(new_suits)
    numbers = board_numbers(sets)
    by_number_row, by_number_renaming = np.empty(len(sets), np.int32), np.empty(len(sets), np.uint8)
    by_number_row[numbers], by_number_renaming[numbers] = row, renaming
    canonical = np.sort(renamed_cards(sets[first], new_suits[first]), axis=1)
    made = Boards(canonical, times, by_number_row, by_number_renaming)
    for array in made:
        array.flags.writeable = False
    return made


def renamed_cards(cards: NDArray[np.int64], new_suits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cards (..., n) with their suits renamed by new_suits (..., 4)."""
    return cards // SUIT_COUNT * SUIT_COUNT + np.take_along_axis(new_suits, cards % SUIT_COUNT, axis=-1)


def _renaming_numbers(new_suits: NDArray[np.int64]) -> NDArray[np.int64]:
    digits = SUIT_COUNT ** np.arange(SUIT_COUNT)
    number_of = np.full(SUIT_COUNT**SUIT_COUNT, -1, np.int64)
    number_of[RENAMINGS @ digits] = np.arange(len(RENAMINGS))
    return np.asarray(number_of[new_suits @ digits])


def board_numbers(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of boards (N, size) of sorted cards among all boards of that size; see `board_number`."""
    return np.asarray(_CHOOSE[cards, np.arange(cards.shape[1])].sum(axis=1))


def canonical_board(cards: Any) -> tuple[int, NDArray[np.int64]]:
    """The number of a board's canonical board, and what combo becomes of each hand: (1326,) int64.

    cards: 3 or 4 different cards in any order.

    >>> row, combos = canonical_board([50, 49, 2])
    >>> boards(3).cards[row].tolist()
    [0, 48, 49]
    """
    known = np.sort(np.asarray(cards, np.int64))
    all_boards = boards(len(known))
    number = int(board_numbers(known[None])[0])
    return int(all_boards.row[number]), RENAMED_COMBOS[all_boards.renaming[number]]


_RENAMED = COMBO_CARDS // SUIT_COUNT * SUIT_COUNT + RENAMINGS[:, COMBO_CARDS % SUIT_COUNT]
RENAMED_COMBOS: NDArray[np.int64] = COMBO_OF[_RENAMED[..., 0], _RENAMED[..., 1]].astype(np.int64)
RENAMED_COMBOS.flags.writeable = False  # (24, 1326): what each renaming makes of each hand


def representative_flops(count: int) -> list[tuple[tuple[int, ...], int]]:
    """Flops that stand for all others of their kind, each with how many: together 22,100.

    The 1,755 flops that differ by more than the names of suits are put in order by pairs, suits and ranks, and `count`
    of them are taken at equal distances, so that each kind has its share; of a large count some are taken twice and are
    one. Raises ValueError for a count outside 1 to 1,755, which takes them all.
    """
    all_flops = boards(3)
    if not 1 <= count <= ALL_FLOPS:
        raise ValueError(f"flops: must be 1 to {ALL_FLOPS:,}, got {count}")
    if count == ALL_FLOPS:
        return [(tuple(cards.tolist()), int(times)) for cards, times in zip(*all_flops[:2], strict=True)]
    ranks = np.sort(all_flops.cards // SUIT_COUNT, axis=1)
    suits = np.sort(all_flops.cards % SUIT_COUNT, axis=1)
    pairs, of_suits = ((np.diff(each, axis=1) == 0).sum(axis=1) for each in (ranks, suits))
    order = np.lexsort((*ranks.T, of_suits, pairs))
    upto = np.cumsum(all_flops.times[order])
    ends = [int(upto[-1]) * k // count for k in range(count + 1)]
    weights = Counter[int]()
    for first, end in pairwise(ends):
        weights[int(order[np.searchsorted(upto, (first + end) // 2, side="right")])] += end - first
    return [(tuple(all_flops.cards[flop].tolist()), weight) for flop, weight in weights.items()]


@inline
def sorted_three(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Three numbers, the lowest first."""
    low, high = min(a, b), max(a, b)
    return min(low, c), max(low, min(high, c)), max(high, c)


@inline
def flop_number(a: int, b: int, c: int) -> int:
    """The number, 0..22099, of three different cards in any order."""
    a, b, c = sorted_three(a, b, c)
    return a + (b * (b - 1) >> 1) + c * (c - 1) * (c - 2) // 6


@inline
def turn_number(a: int, b: int, c: int, d: int) -> int:
    """The number, 0..270724, of four different cards in any order."""
    a, b, c = sorted_three(a, b, c)
    d, c = max(c, d), min(c, d)
    c, b = max(b, c), min(b, c)
    b, a = max(a, b), min(a, b)
    return a + (b * (b - 1) >> 1) + c * (c - 1) * (c - 2) // 6 + d * (d - 1) * (d - 2) * (d - 3) // 24


@inline
def combo_of(one: int, two: int) -> int:
    """The combo of two different cards in any order."""
    high, low = max(one, two), min(one, two)
    return (high * (high - 1) >> 1) + low


@inline
def combo_in(renaming: int, one: int, two: int) -> int:
    """What a renaming (its number) makes of the hand of two cards: its combo."""
    first = (one & ~3) | RENAMINGS[renaming, one & 3]
    second = (two & ~3) | RENAMINGS[renaming, two & 3]
    return combo_of(first, second)
