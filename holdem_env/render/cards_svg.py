"""Playing cards: a rank that can be read on a phone, and below it the suit, by shape and by colour."""

from __future__ import annotations

from collections.abc import Sequence

from ..cards.text import RANKS, SUITS, UNKNOWN
from .pencil import Pencil

RATIO = 1.42
"""A card's height by its width."""
FOOT = 0.14
"""What is free below the suit, by the card's width: a seat's panel lies over the lower edge of its cards."""
GAP = 5.0
"""What is free between two cards."""
SHAPES = {
    "c": "M50 4A22 22 0 0 1 69 37A22 22 0 1 1 56 72C57 84 61 92 68 97L32 97C39 92 43 84 44 72A22 22 0 1 1 31 37"
    "A22 22 0 0 1 50 4Z",
    "d": "M50 1L89 50L50 99L11 50Z",
    "h": "M50 95C20 68 3 49 3 29A24 24 0 0 1 50 23A24 24 0 0 1 97 29C97 49 80 68 50 95Z",
    "s": "M50 3C76 30 96 44 96 64A22 22 0 0 1 56 74C57 84 61 92 68 97L32 97C39 92 43 84 44 74A22 22 0 0 1 4 64"
    "C4 44 24 30 50 3Z",
}
"""The suits in a square of 100."""


def card_row(
    pencil: Pencil, cards: Sequence[int], middle: float, top: float, width: float, within: float, gap: float = GAP
) -> str:
    """Cards side by side around `middle`; where there is no room `within`, smaller ones, then ones that overlap."""
    if not cards:
        return ""
    count = len(cards)
    size = min(width, max((within - gap * (count - 1)) / count, 0.62 * width))
    step = min(size + gap, (within - size) / (count - 1)) if count > 1 else 0.0
    left = middle - (step * (count - 1) + size) / 2
    drop = (width - size) * (RATIO - FOOT)  # the suits of smaller cards stand on the same line
    return "".join(card(pencil, each, left + step * k, top + drop, size) for k, each in enumerate(cards))


def card(pencil: Pencil, number: int, x: float, y: float, width: float) -> str:
    """One card with its left upper corner at (x, y); -1 is one that lies face down."""
    height, corner = width * RATIO, width * 0.12
    if number == UNKNOWN:
        return _back(pencil, x, y, width)
    rank, suit = RANKS[number // len(SUITS)], SUITS[number % len(SUITS)]
    colour, size = f"suit-{suit}", width * 0.54
    return (
        pencil.box(x, y, width, height, "card", "card-edge", round=corner, line=1.5)
        + pencil.words(x + width / 2, y + height * 0.45, rank, width * 0.78, colour, bold=True)
        + pencil.shape(SHAPES[suit], x + (width - size) / 2, y + height - size - width * FOOT, size, colour)
    )


def _back(pencil: Pencil, x: float, y: float, width: float) -> str:
    height, corner, rim = width * RATIO, width * 0.12, width * 0.14
    size = width * 0.5
    return (
        pencil.box(x, y, width, height, "back", "card-edge", round=corner, line=1.5)
        + pencil.box(
            x + rim, y + rim, width - 2 * rim, height - 2 * rim, "back", "back-line", round=corner / 2, line=1.5
        )
        + pencil.shape(SHAPES["d"], x + (width - size) / 2, y + (height - size) / 2, size, "back-mark")
    )
