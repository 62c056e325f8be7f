"""Cards as histories write them, and the check that no card is there twice. An unknown card is `??`, or -1."""

from __future__ import annotations

from collections.abc import Iterable

from ..cards.text import CARDS, UNKNOWN, UNKNOWN_TEXT, card_name

HOLE_SIZE, BOARD_SIZE = 2, 5
_NUMBERS = {card_name(card): card for card in (UNKNOWN, *range(CARDS))}


def read_cards(text: str) -> list[int]:
    """Cards as the formats spell them, two characters each, case and all. Raises ValueError for anything else."""
    cards = []
    for at in range(0, len(text), 2):
        name = text[at : at + 2]
        if name not in _NUMBERS:
            raise ValueError(f"{name!r} is not a card such as 'Ah' or 'Td', nor {UNKNOWN_TEXT!r}")
        cards.append(_NUMBERS[name])
    return cards


class Seen:
    """The cards a record has told so far, and where."""

    def __init__(self) -> None:
        self._places: dict[int, str] = {}

    def take(self, cards: Iterable[int], place: str) -> None:
        """Note cards; raises ValueError for one that has been seen."""
        for card in cards:
            if card == UNKNOWN:
                continue
            if card in self._places:
                raise ValueError(f"{card_name(card)} is there twice: {self._places[card]} and {place}")
            self._places[card] = place
