"""Hand ranking of the oracle (R1-R3): the best five of seven as a tuple; the bigger tuple wins, equal tuples tie.

A card is 4 * rank + suit, rank 0 = deuce ... 12 = ace, suits c d h s = 0 1 2 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"

# R2, from the weakest to the strongest. The royal flush is simply the highest straight flush.
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)


def cards(text: str) -> list[int]:
    """Read cards from text: "As Kd" or "AsKd"."""
    text = text.replace(" ", "")
    return [4 * RANKS.index(text[i]) + SUITS.index(text[i + 1]) for i in range(0, len(text), 2)]


def straight_top(ranks: Iterable[int]) -> int | None:
    """The highest rank of the best straight among these ranks, or None (R1: the ace plays low too)."""
    present = set(ranks)
    if 12 in present:
        present.add(-1)
    for top in range(12, 2, -1):
        if all(top - i in present for i in range(5)):
            return top
    return None


def best_hand(hand: Iterable[int]) -> tuple[int, ...]:
    """Value of the best five of these five to seven cards: (kind, then the ranks that R3 compares, in order)."""
    hand = list(hand)
    ranks = sorted((card // 4 for card in hand), reverse=True)
    count = Counter(ranks)
    suit, suited = Counter(card % 4 for card in hand).most_common(1)[0]
    flush = sorted((card // 4 for card in hand if card % 4 == suit), reverse=True) if suited >= 5 else None

    def kickers(number: int, *used: int) -> tuple[int, ...]:
        """The highest single cards that do not belong to the combination."""
        return tuple([rank for rank in ranks if rank not in used][:number])

    quads, trips, pairs = (sorted((r for r in count if count[r] == k), reverse=True) for k in (4, 3, 2))
    if flush and straight_top(flush) is not None:
        return (STRAIGHT_FLUSH, straight_top(flush))
    if quads:
        return (QUADS, quads[0], *kickers(1, quads[0]))
    # A second three of a kind can only serve as the pair of a full house.
    full_pairs = sorted(trips[1:] + pairs, reverse=True)
    if trips and full_pairs:
        return (FULL_HOUSE, trips[0], full_pairs[0])
    if flush:
        return (FLUSH, *flush[:5])
    if straight_top(ranks) is not None:
        return (STRAIGHT, straight_top(ranks))
    if trips:
        return (TRIPS, trips[0], *kickers(2, trips[0]))
    if len(pairs) >= 2:
        # A third pair can still give the kicker.
        return (TWO_PAIR, pairs[0], pairs[1], *kickers(1, pairs[0], pairs[1]))
    if pairs:
        return (PAIR, pairs[0], *kickers(3, pairs[0]))
    return (HIGH_CARD, *ranks[:5])


def short_deck_five(five: Iterable[int]) -> tuple[int, ...]:
    """Value of five cards of a deck from the six up: A-6-7-8-9 is the lowest straight, a flush beats a full house."""
    five = list(five)
    kind, *ranks = best_hand(five)
    if {RANKS[card // 4] for card in five} == set("A6789"):
        return (STRAIGHT_FLUSH if kind == FLUSH else STRAIGHT, RANKS.index("9"))
    return ({FLUSH: FULL_HOUSE, FULL_HOUSE: FLUSH}.get(kind, kind), *ranks)
