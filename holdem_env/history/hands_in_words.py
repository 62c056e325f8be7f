"""A hand's name as PokerStars writes it: "a pair of Aces", "a full house, Kings full of Twos"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from ..cards.evaluation import evaluate

_RANKS = ("Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")
_BEST = 5
_WHEEL = {0, 1, 2, 3, 12}


def hand_in_words(hole: Sequence[int], board: Sequence[int], used: int | None = None) -> str:
    """The best high hand in words; before there are five cards, the pairs among them. used: how many hole cards count,
    by default any number."""
    return _in_words(_best(hole, board, used))


def _best(hole: Sequence[int], board: Sequence[int], used: int | None) -> tuple[int, ...]:
    if len(hole) + len(board) < _BEST or (used is not None and len(board) < _BEST - used):
        return (*hole, *board) if used is None else tuple(hole)
    if used is None:
        hands = list(combinations([*hole, *board], _BEST))
    else:
        hands = [(*own, *shared) for own in combinations(hole, used) for shared in combinations(board, _BEST - used)]
    return hands[int(np.argmax(evaluate(np.array(hands))))]


def _in_words(cards: Iterable[int]) -> str:
    cards = list(cards)
    counts = Counter(card // 4 for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    many = [_plural(rank) for rank in ranks]
    is_full = len(cards) == _BEST
    is_flush = is_full and len({card % 4 for card in cards}) == 1
    straight = _straight(ranks) if is_full else None
    match [counts[rank] for rank in ranks]:
        case [4, *_]:
            return f"four of a kind, {many[0]}"
        case [3, 2]:
            return f"a full house, {many[0]} full of {many[1]}"
        case [3, *_]:
            return f"three of a kind, {many[0]}"
        case [2, 2, *_]:
            return f"two pair, {many[0]} and {many[1]}"
        case [2, *_]:
            return f"a pair of {many[0]}"
    if is_flush and straight:
        return "a Royal Flush" if straight.startswith("Ten") else f"a straight flush, {straight}"
    if is_flush:
        return f"a flush, {_RANKS[ranks[0]]} high"
    return f"a straight, {straight}" if straight else f"high card {_RANKS[ranks[0]]}"


def _straight(ranks: list[int]) -> str | None:
    """From where to where a straight goes, of five different ranks, highest first."""
    if set(ranks) == _WHEEL:
        return "Ace to Five"
    is_straight = len(ranks) == _BEST and ranks[0] - ranks[-1] == _BEST - 1
    return f"{_RANKS[ranks[-1]]} to {_RANKS[ranks[0]]}" if is_straight else None


def _plural(rank: int) -> str:
    return f"{_RANKS[rank]}{'es' if _RANKS[rank] == 'Six' else 's'}"
