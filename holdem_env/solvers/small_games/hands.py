"""The private hands and the boards of a game: lists of them, what their suits leave the same, what beats what, and what
can come of a showdown.

Boards that differ by a renaming of suits are one board here, the first of them, which counts as often as there are of
them. The renamings that leave a board as it is make groups of hands that are played alike on it.

Outcomes of a showdown come in classes. In games without a low half these are 0, player 0's hand wins; 1, player 1's; 2,
they tie. With it (R32) there are as many for each of four: no low, and who has the better one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from ...cards.text import CARDS
from ...compiled.compiler import kernel
from ...engine.ranking import seat_low, seat_value
from ...engine.record import HIGH_LOW, TABLE, new_records
from ...game.rules import Rules

SUITS = 4
Cards = tuple[int, ...]
Renaming = tuple[int, ...]
"""A renaming of suits as a map of the 52 cards."""
WINS, LOSES, TIES = 0, 1, 2
HIGH_CLASSES = 3
LOW_CLASSES = 4
IMPOSSIBLE = -1


@dataclass(frozen=True)
class Board:
    """The board on a street. cards: by street, each in ascending order. parent: its place among the boards of the
    street before. weight: how many boards it stands for, times how likely one is to come after the parent, given two
    hands that leave it possible. same: the renamings of suits that leave it as it is, all streets of it."""

    cards: tuple[Cards, ...]
    parent: int
    weight: float
    same: tuple[Renaming, ...]

    @property
    def all_cards(self) -> Cards:
        """The cards of all streets."""
        return tuple(card for street in self.cards for card in street)


class Hands:
    """All private hands of a two-player game, H of them, and its boards street by street.

    `cards`: (H, hole_cards) int64, the higher card first, in the order of cards/combos.py where there are two of 52.
    symmetric: whether boards that differ by a renaming of suits are listed once.
    """

    def __init__(self, rules: Rules, symmetric: bool = True) -> None:
        self.rules, self.symmetric = rules, symmetric
        found = sorted(tuple(sorted(hand, reverse=True)) for hand in combinations(rules.deck, rules.hole_cards))
        self.cards: NDArray[np.int64] = np.array(found, np.int64).reshape(-1, rules.hole_cards)
        self.number = {hand: k for k, hand in enumerate(found)}
        self._permutations: dict[Renaming, NDArray[np.int64]] = {}

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def renamings(self) -> tuple[Renaming, ...]:
        """The renamings of suits that leave the deck as it is, each once, the identity first."""
        return renamings_of(self.rules.deck) if self.symmetric else (tuple(range(CARDS)),)

    @cached_property
    def deals(self) -> int:
        """How many ways there are to deal both hands."""
        return len(self) * comb(len(self.rules.deck) - self.rules.hole_cards, self.rules.hole_cards)

    @cached_property
    def boards(self) -> list[list[Board]]:
        """By level: the empty board before any street, then the boards of each street."""
        levels = [[Board((), -1, 1.0, self.renamings)]]
        for count in self.rules.board_cards:
            levels.append([after for k, board in enumerate(levels[-1]) for after in self._after(k, board, count)])
        return levels

    @cached_property
    def places(self) -> list[dict[tuple[int, Cards], int]]:
        """By level: the place of a board among those of its level, by its parent's place and the street's cards."""
        by_level: list[dict[tuple[int, Cards], int]] = [{}]
        for level in self.boards[1:]:
            by_level.append({(board.parent, board.cards[-1]): place for place, board in enumerate(level)})
        return by_level

    def _after(self, place: int, board: Board, count: int) -> list[Board]:
        """The boards after one more street of `count` cards."""
        lying = board.all_cards
        left = sorted(set(self.rules.deck) - set(lying))
        ways = comb(len(left) - 2 * self.rules.hole_cards, count)
        boards, seen = [], set()
        for cards in combinations(left, count):
            if cards in seen:
                continue
            orbit = {renamed(cards, renaming) for renaming in board.same}
            seen |= orbit
            same = tuple(renaming for renaming in board.same if renamed(cards, renaming) == cards)
            boards.append(Board((*board.cards, cards), place, len(orbit) / ways, same))
        return boards

    def permutation(self, renaming: Renaming) -> NDArray[np.int64]:
        """(H,): which hand each hand becomes."""
        if renaming not in self._permutations:
            hands = np.sort(np.array(renaming)[self.cards], axis=1)[:, ::-1]
            self._permutations[renaming] = np.array([self.number[tuple(hand)] for hand in hands.tolist()], np.int64)
        return self._permutations[renaming]

    def free(self, boards: list[Board]) -> NDArray[np.bool_]:
        """(boards, H): which hands are possible on each board."""
        lying = np.zeros((len(boards), CARDS), np.bool_)
        for k, board in enumerate(boards):
            lying[k, list(board.all_cards)] = True
        return np.asarray(~lying[:, self.cards].any(axis=2))

    def values(self, boards: list[Board]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The strength of the hands on full boards, (boards, H) each: high, and low where the game is split (R32)."""
        cards = np.array([board.all_cards for board in boards], np.int64).reshape(len(boards), -1)
        high, low = np.zeros((2, len(boards), len(self)), np.int64)
        rank_all(new_records(TABLE, 1), self.rules.record, self.cards, cards, high, low)
        return high, low

    @cached_property
    def meeting(self) -> NDArray[np.bool_]:
        """(H, H): which pairs of hands can be dealt together."""
        held = np.zeros((len(self), CARDS), np.int64)
        np.put_along_axis(held, self.cards, 1, axis=1)
        return np.asarray(held @ held.T == 0)


def renamed(cards: Cards, renaming: Renaming) -> Cards:
    """The cards under other suits, in ascending order."""
    return tuple(sorted([renaming[card] for card in cards]))


def renamings_of(deck: Cards) -> tuple[Renaming, ...]:
    """The renamings of suits that leave a deck as it is; of those that do the same to its cards, one."""
    found: dict[Cards, Renaming] = {}
    for suits in permutations(range(SUITS)):
        renaming = tuple(SUITS * (card // SUITS) + suits[card % SUITS] for card in range(CARDS))
        if renamed(deck, renaming) == tuple(sorted(deck)):
            found.setdefault(tuple(renaming[card] for card in deck), renaming)
    return tuple(found.values())


def board_counts(rules: Rules, symmetric: bool = True) -> list[int]:
    """By street: how many different boards there are, without listing them; with `symmetric`, up to a renaming of
    suits. By Burnside's lemma that is the mean number of boards that a renaming leaves as they are."""
    renamings = renamings_of(rules.deck) if symmetric else (tuple(range(CARDS)),)
    cycles = [_cycle_lengths(rules.deck, renaming) for renaming in renamings]
    streets = rules.board_cards
    return [
        sum(_boards_kept(lengths, streets[: street + 1]) for lengths in cycles) // len(cycles)
        for street in range(len(streets))
    ]


def _cycle_lengths(deck: Cards, renaming: Renaming) -> list[int]:
    """How many cards each cycle of a renaming has."""
    left, lengths = set(deck), []
    while left:
        card, length = left.pop(), 1
        while (following := renaming[card]) in left:
            left.remove(following)
            card, length = following, length + 1
        lengths.append(length)
    return lengths


def _boards_kept(lengths: list[int], counts: tuple[int, ...]) -> int:
    """How many boards with this many cards by street consist of whole cycles on each street."""
    ways = {tuple(0 for _ in counts): 1}
    for length in lengths:
        more = dict(ways)
        for taken, number in ways.items():
            for street, count in enumerate(counts):
                if taken[street] + length <= count:
                    after = (*taken[:street], taken[street] + length, *taken[street + 1 :])
                    more[after] = more.get(after, 0) + number
        ways = more
    return ways.get(counts, 0)


Deal = tuple[NDArray[np.int64], NDArray[np.int64], Board]
"""Player 0's cards, player 1's cards, and the whole board."""


def class_count(rules: Rules) -> int:
    """How many classes of outcomes a game has."""
    return HIGH_CLASSES * (LOW_CLASSES if rules.split == "high_low" else 1)


def classes_on(hands: Hands, board: Board) -> NDArray[np.int8]:
    """(H, H) int8: the class of player 0's hand against player 1's on a whole board; IMPOSSIBLE where they cannot
    meet."""
    high, low = hands.values([board])
    classes = _compared(high[0])
    if hands.rules.split == "high_low":
        nobody = np.maximum(low[0][:, None], low[0][None, :]) == 0
        classes = classes + HIGH_CLASSES * np.where(nobody, 0, 1 + _compared(low[0]))
    free = hands.free([board])[0]
    possible = hands.meeting & free[:, None] & free[None, :]
    return np.where(possible, classes, IMPOSSIBLE).astype(np.int8)


def _compared(values: NDArray[np.int64]) -> NDArray[np.int64]:
    one, other = values[:, None], values[None, :]
    return np.where(one > other, WINS, np.where(one < other, LOSES, TIES))


def example_deals(hands: Hands) -> list[Deal | None]:
    """A deal for each class of outcomes; None for classes that cannot come up."""
    found: list[Deal | None] = [None] * class_count(hands.rules)
    for board in hands.boards[-1]:
        classes = classes_on(hands, board)
        for number, deal in enumerate(found):
            if deal is None:
                pairs = np.argwhere(classes == number)
                if len(pairs):
                    found[number] = hands.cards[pairs[0, 0]], hands.cards[pairs[0, 1]], board
        if all(deal is not None for deal in found):
            break
    return found


@kernel
def rank_all(tables, rules, hands, boards, high, low):
    """`Hands.values`: every hand on every board by the game's own ranking; of hands that the board makes impossible
    the values mean nothing. tables: one TABLE record to work in."""
    t, r = tables[0], rules[0]
    t.board_count = boards.shape[1]
    for b in range(boards.shape[0]):
        for k in range(boards.shape[1]):
            t.board[k] = boards[b, k]
        for h in range(hands.shape[0]):
            for k in range(hands.shape[1]):
                t.hole[0, k] = hands[h, k]
            possible = True
            for k in range(hands.shape[1]):
                for other in range(boards.shape[1]):
                    possible &= hands[h, k] != boards[b, other]
            if possible:
                high[b, h] = seat_value(t, r, 0)
                if r.split == HIGH_LOW:
                    low[b, h] = seat_low(t, r, 0)
