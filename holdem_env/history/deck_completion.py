"""Filling in the cards that a history does not record. The engine needs a whole deck, so every unknown card becomes one
of the unused cards.

If all players but one folded, any card will do. At a showdown the filled-in cards must not decide the pots: an
unknown hand gets two cards with which it loses to every shown hand, drawn at random by seed, or the weakest two if
all pairs win. All pairs are tried (at most 1,326), so the first unknown hand gets a losing pair if there is one;
further unknown hands choose from the remaining cards. In Omaha some thousands of hands are tried. An unknown hand
that won alone, by the result in the file or because everybody else mucked, gets the strongest two cards, and the
other unknown hands lose to it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cards.evaluation import evaluate
from ..cards.text import CARDS, UNKNOWN
from .known_cards import BOARD_SIZE

FIVE, RANKS, EIGHT = 5, 13, 8
MAX_FILLINGS = 2_000
"""So many hands of Omaha are tried."""


class Showdown(NamedTuple):
    """The seats at the showdown: those that showed, those with unknown cards, and the single winner if it is known."""

    shown: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
    winner: int | None = None


def full_deck(
    holes: Sequence[Sequence[int]],
    board: Sequence[int],
    button: int,
    showdown: Showdown,
    seed: int,
    pack: Sequence[int] = range(CARDS),
    used: int | None = None,
    has_low: bool = False,
) -> list[int]:
    """The cards of a hand in dealing order (R4), with unknown cards and burn cards filled in: 2N hole cards, then 8
    more.

    holes: two cards for each seat (four in Omaha); -1 is an unknown card.
    board: up to five cards.
    showdown: who showed. A showdown with unknown hands needs the cards of hold'em or Omaha.
    pack: all cards of the game.
    used: how many hole cards count, in Omaha two; None: any number. has_low: the lowest hand wins, too (R32).
    """
    known = {card for hand in (*holes, board) for card in hand}
    rest = [card for card in pack if card not in known]
    full_board = [*board, *[UNKNOWN] * (BOARD_SIZE - len(board))]
    if UNKNOWN in full_board or UNKNOWN in known:
        random.Random(seed).shuffle(rest)
    table = [rest.pop() if card == UNKNOWN else card for card in full_board]
    rank = _Ranking(table, used, has_low)
    hands = _fill_holes(holes, rank, rest, showdown)
    return _dealing_order(hands, table, button, rest)


def _dealing_order(hands: Sequence[Sequence[int]], board: Sequence[int], button: int, rest: list[int]) -> list[int]:
    seats = [(button + 1 + i) % len(hands) for i in range(len(hands))]
    deck = [hands[seat][i] for i in range(len(hands[0])) for seat in seats]
    return [*deck, rest[0], *board[:3], rest[1], board[3], rest[2], board[4]]


class _Ranking:
    """What hands are worth on a board."""

    def __init__(self, board: Sequence[int], used: int | None, has_low: bool) -> None:
        self.board, self.used, self.has_low = list(board), used, has_low

    def high(self, hands: Sequence[Sequence[int]]) -> NDArray[np.int64]:
        """The value of the best high hand of each, (N,)."""
        if self.used is None:
            return evaluate(np.array([[*self.board, *hand] for hand in hands]))
        fives = np.array([[(*own, *board) for own, board in self._fives(hand)] for hand in hands])
        values: NDArray[np.int64] = evaluate(fives.reshape(-1, FIVE)).reshape(len(hands), -1).max(axis=1)
        return values

    def low(self, hand: Sequence[int]) -> int:
        """The value of the best low hand (R32): the greater, the better; 0 for none."""
        lows = [sorted({(card // 4 + 1) % RANKS for card in (*own, *board)}) for own, board in self._fives(hand)]
        found = [sum(1 << rank for rank in ranks) for ranks in lows if len(ranks) == FIVE and ranks[-1] < EIGHT]
        return (1 << EIGHT) - min(found) if found else 0

    def _fives(self, hand: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        used = self.used or 0
        return ((own, board) for own in combinations(hand, used) for board in combinations(self.board, FIVE - used))

    def fillings(self, rest: Sequence[int], missing: int) -> list[tuple[int, ...]]:
        """The cards that may complete a hand: all of two, some of more. `rest` must be shuffled."""
        return list(islice(combinations(rest, missing), MAX_FILLINGS if self.used else None))


def _fill_holes(
    holes: Sequence[Sequence[int]], ranking: _Ranking, rest: list[int], showdown: Showdown
) -> list[list[int]]:
    known = [[card for card in hand if card != UNKNOWN] for hand in holes]
    hands = [list(hand) for hand in known]
    compared = [seat for seat in showdown.unknown if UNKNOWN in holes[seat]]
    if compared:
        bar = [hands[seat] for seat in showdown.shown]
        if showdown.winner in compared:
            _give(hands, showdown.winner, ranking, rest, len(holes[0]), None)
            bar = [hands[showdown.winner]]
            compared.remove(showdown.winner)
        for seat in compared if bar else ():
            _give(hands, seat, ranking, rest, len(holes[0]), bar)
    for seat, hand in enumerate(hands):
        fillers = hand[len(known[seat]) :]
        while len(known[seat]) + len(fillers) < len(holes[seat]):
            fillers.append(rest.pop())
        # A card that was dealt unknown and shown later keeps its index in the hand.
        hands[seat] = [fillers.pop(0) if card == UNKNOWN else card for card in holes[seat]]
    return hands


def _give(
    hands: list[list[int]],
    seat: int,
    ranking: _Ranking,
    rest: list[int],
    size: int,
    shown: Sequence[Sequence[int]] | None,
) -> None:
    """Complete a hand to a random one that loses to all hands shown, or to the strongest one if `shown` is None. `rest`
    must be shuffled."""
    fillings = ranking.fillings(rest, size - len(hands[seat]))
    ranks = ranking.high([(*hands[seat], *filling) for filling in fillings])
    if shown is None:
        chosen = int(np.argmax(ranks))
    else:
        losing = np.flatnonzero(ranks < ranking.high(shown).min()).tolist()
        if ranking.has_low:
            lows = [low for low in map(ranking.low, shown) if low]
            losing = [k for k in losing if ranking.low((*hands[seat], *fillings[k])) < min(lows, default=1)]
        chosen = losing[0] if losing else int(np.argmin(ranks))
    hands[seat] += fillings[chosen]
    for card in fillings[chosen]:
        rest.remove(card)
