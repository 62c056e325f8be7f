"""Reading the cards in histories, and the check that no card appears twice. An unknown card is `??` or -1."""

from __future__ import annotations

from collections.abc import Iterable

from ..cards.text import CARDS, UNKNOWN, UNKNOWN_TEXT, card_name

HOLE_SIZE, BOARD_SIZE = 2, 5
_NUMBERS = {card_name(card): card for card in (UNKNOWN, *range(CARDS))}


def read_cards(text: str) -> list[int]:
    """Read cards of two characters each, case-sensitive, as the formats write them. Raises ValueError for anything
    else."""
    cards = []
    for at in range(0, len(text), 2):
        name = text[at : at + 2]
        if name not in _NUMBERS:
            raise ValueError(f"{name!r} is not a card such as 'Ah' or 'Td', nor {UNKNOWN_TEXT!r}")
        cards.append(_NUMBERS[name])
    return cards


class Seen:
    """The known cards of a record so far, and where each appeared."""

    def __init__(self) -> None:
        self._where: dict[int, str] = {}

    def take(self, cards: Iterable[int], where: str) -> None:
        """Add cards. Raises ValueError for a card that has appeared before."""
        for card in cards:
            if card == UNKNOWN:
                continue
            if card in self._where:
                raise ValueError(f"{card_name(card)} appears twice: {self._where[card]} and {where}")
            self._where[card] = where
