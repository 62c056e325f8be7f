"""Decks for hands that are played by script."""

from __future__ import annotations

from .ranking import cards


def stacked_deck(seats, button, holes=None, board=""):
    """A deck in dealing order (R4) with these hole cards ({seat: text}) and this board; the rest is arbitrary."""
    deck = [None] * 52
    for seat, text in (holes or {}).items():
        place = (seat - button - 1) % seats
        deck[place], deck[seats + place] = cards(text)
    for at, card in zip((1, 2, 3, 5, 7), cards(board), strict=False):
        deck[2 * seats + at] = card
    rest = iter([card for card in range(52) if card not in deck])
    return [next(rest) if card is None else card for card in deck]
