"""The private hands of a game for two, what beats what, and the renamings of suits that leave a game as it is.

Outcomes of a showdown come in classes, those of a tree's payoffs. In games without a low half these are 0, player 0's
hand wins; 1, player 1's; 2, they tie. With it (R32) there are as many for each of four: no low, and who has the better
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cards.text import CARDS, SUITS
from ..compiled.compiler import kernel
from ..engine.ranking import seat_low, seat_value
from ..engine.record import HIGH, HIGH_LOW, TABLE, new_records
from ..equities.all_hands import hand_values
from ..game.rules import Rules
from .trees.walking import OUTCOMES

Ints = NDArray[np.int64]
Renaming = Ints  # (52,): what each card is called under other suits
WINS, LOSES, TIES = 0, 1, 2
IMPOSSIBLE = -1
SORTED_CARDS = 2  # hole cards with which showdowns are sums over sorted hands; otherwise, over pairs of hands


class Hands:
    """All private hands of a game, H of them.

    cards: (H, hole cards) int64, the highest card first, in the order of cards/combos.py where there are two of 52.
    are_sorted: whether showdowns are valued by sums over sorted hands, rather than pair by pair.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.deck, self.hole_cards, self._is_texas = rules.deck, rules.hole_cards, rules.is_texas_holdem
        found = sorted(tuple(sorted(hand, reverse=True)) for hand in combinations(rules.deck, rules.hole_cards))
        self.cards: Ints = np.array(found, np.int64).reshape(-1, rules.hole_cards)
        self.are_sorted = self.hole_cards == SORTED_CARDS and int(rules.record["split"][0]) == HIGH
        # By which each card of a hand is multiplied to make its key, the first the most.
        self._powers = CARDS ** np.arange(self.hole_cards - 1, -1, -1, dtype=np.int64)
        self._keys = self.cards @ self._powers
        self._renamed: dict[bytes, Ints] = {}

    def __len__(self) -> int:
        return len(self.cards)

    def numbers(self, cards: Ints) -> Ints:
        """The numbers of hands, (..., hole cards) in any order."""
        return np.searchsorted(self._keys, np.sort(cards, axis=-1)[..., ::-1] @ self._powers)

    def renamed(self, renaming: Renaming) -> Ints:
        """(H,): which hand each hand becomes."""
        key = renaming.tobytes()
        if key not in self._renamed:
            self._renamed[key] = self.numbers(renaming[self.cards])
        return self._renamed[key]

    def possible(self, board: Ints) -> NDArray[np.bool_]:
        """(H,): the hands that a board leaves."""
        lies = np.zeros(CARDS, np.bool_)
        lies[board] = True
        return np.asarray(~lies[self.cards].any(axis=1))

    @cached_property
    def renamings(self) -> list[Renaming]:
        """The renamings of suits that leave the deck as it is; of those that do the same to its cards, one. The
        identity is the first."""
        deck, cards, found = list(self.deck), np.arange(CARDS), dict[bytes, Renaming]()
        for order in permutations(range(len(SUITS))):
            renaming = cards // len(SUITS) * len(SUITS) + np.array(order)[cards % len(SUITS)]
            if np.array_equal(np.sort(renaming[deck]), np.sort(deck)):
                found.setdefault(renaming[deck].tobytes(), renaming)
        return list(found.values())

    @cached_property
    def meeting(self) -> NDArray[np.bool_]:
        """(H, H): which hands can be dealt together."""
        held = np.zeros((len(self), CARDS), np.int64)
        np.put_along_axis(held, self.cards, 1, axis=1)
        return np.asarray(held @ held.T == 0)

    def values(self, board: Ints) -> tuple[Ints, Ints]:
        """(H,) each: the strength of every hand on a full board, high, and low where the game is split (R32)."""
        if self._is_texas:
            high = hand_values(board)
            return high, np.zeros_like(high)
        high, low = np.zeros((2, len(self)), np.int64)
        rank_all(new_records(TABLE, 1), self.rules.record, self.cards, board, high, low)
        return high, low

    def classes(self, board: Ints) -> NDArray[np.int8]:
        """(H, H): the class of player 0's hand against player 1's on a full board; IMPOSSIBLE where they cannot
        meet."""
        high, low = self.values(board)
        classes = _compared(high)
        if self.rules.split == "high_low":
            nobody = np.maximum(low[:, None], low[None, :]) == 0
            classes = classes + len(OUTCOMES) * np.where(nobody, 0, 1 + _compared(low))
        possible = self.possible(board)
        return np.where(self.meeting & possible[:, None] & possible[None, :], classes, IMPOSSIBLE).astype(np.int8)


def _compared(values: Ints) -> Ints:
    one, other = values[:, None], values[None, :]
    return np.where(one > other, WINS, np.where(one < other, LOSES, TIES))


@kernel
def rank_all(tables: Any, rules: Any, hands: Ints, board: Ints, high: Ints, low: Ints) -> None:
    """`Hands.values` by the game's own ranking; those of hands that the board makes impossible mean nothing. tables:
    one TABLE record to work in."""
    t, r = tables[0], rules[0]
    t.board_count = board.size
    for k in range(board.size):
        t.board[k] = board[k]
    for h in range(hands.shape[0]):
        possible = True
        for k in range(hands.shape[1]):
            t.hole[0, k] = hands[h, k]
            for other in range(board.size):
                possible &= hands[h, k] != board[other]
        if possible:
            high[h] = seat_value(t, r, 0)
            if r.split == HIGH_LOW:
                low[h] = seat_low(t, r, 0)


# Renamings of suits


def suit_renamings(hands: Hands, board: Sequence[int] = (), ranges: Any = None) -> list[Renaming]:
    """The renamings of suits that change neither the deck, nor the board, nor the ranges (P, H); the identity is the
    first."""
    lying = np.sort(np.array(board, np.int64))
    return [
        renaming
        for renaming in hands.renamings
        if np.array_equal(np.sort(renaming[lying]), lying)
        and (ranges is None or np.array_equal(ranges[:, hands.renamed(renaming)], ranges))
    ]


def count_boards(deck: Sequence[int], deals: Sequence[int], renamings: Sequence[Renaming]) -> list[int]:
    """By level, the first without a deal: how many different boards there are, up to a renaming, without listing them.
    By Burnside's lemma that is the mean number of boards that a renaming leaves as they are. deck: the cards that are
    left to be dealt. deals: how many are dealt each time."""
    cycles = [_cycle_lengths(deck, renaming) for renaming in renamings]
    return [
        sum(_boards_kept(lengths, tuple(deals[:level])) for lengths in cycles) // len(cycles)
        for level in range(len(deals) + 1)
    ]


def _cycle_lengths(deck: Sequence[int], renaming: Renaming) -> list[int]:
    left, lengths = set(deck), []
    while left:
        card, length = left.pop(), 1
        while (following := int(renaming[card])) in left:
            left.remove(following)
            card, length = following, length + 1
        lengths.append(length)
    return lengths


def _boards_kept(lengths: list[int], counts: tuple[int, ...]) -> int:
    """How many boards with this many cards by deal consist of whole cycles in each deal."""
    ways = {tuple(0 for _ in counts): 1}
    for length in lengths:
        more = dict(ways)
        for taken, number in ways.items():
            for deal, count in enumerate(counts):
                if taken[deal] + length <= count:
                    after = (*taken[:deal], taken[deal] + length, *taken[deal + 1 :])
                    more[after] = more.get(after, 0) + number
        ways = more
    return ways.get(counts, 0)
