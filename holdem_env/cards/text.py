"""Cards as numbers and as text.

A card is 4 * rank + suit; ranks are 0 = deuce … 12 = ace, suits c d h s = 0 1 2 3. An unknown card is -1, or "??".

>>> parse_cards("As Kd, 10h")
(51, 45, 34)
>>> cards_text([51, 45, 34])
'AsKdTh'
>>> Cards("2cAs")[1:] == "As"
True
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from typing import Self, SupportsIndex, overload

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARDS = len(RANKS) * len(SUITS)
UNKNOWN = -1
UNKNOWN_TEXT = "??"

NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
WHAT_IS_RIGHT = "a card is a rank (2-9, T or 10, J, Q, K, A) and a suit (c, d, h, s), as in 'As', or '??' if unknown"

_CARD = re.compile(r"(?P<rank>10|[2-9TJQKA])(?P<suit>[cdhs])|\?\?", re.IGNORECASE | re.ASCII)
_GAP = re.compile(r"[\s,]*")
# The part of invalid text that an error shows: two characters, or "10" and one more.
_PIECE = re.compile(r"10[^\s,]?|[^\s,]{1,2}")


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards from text: "AsKd10h", "as kd th" or "As, Kd, Th"; "??" is an unknown card, -1.

    Raises TypeError if it is not text, and ValueError for an invalid card; the message names the card and its position.

    >>> parse_cards("2c ??")
    (0, -1)
    """
    if not isinstance(text, str):
        raise TypeError(f"parse_cards reads text such as 'AsKd', not {type(text).__name__} {text!r}")
    cards: list[int] = []
    position = _skip_gap(text, 0)
    while position < len(text):
        match = _CARD.match(text, position)
        if match is None:
            raise _invalid_text(text, position, len(cards) + 1)
        cards.append(_number(match))
        position = _skip_gap(text, match.end())
    return tuple(cards)


def _skip_gap(text: str, position: int) -> int:
    gap = _GAP.match(text, position)
    return gap.end() if gap else position


def _number(match: re.Match[str]) -> int:
    if match["rank"] is None:
        return UNKNOWN
    rank = "T" if match["rank"] == "10" else match["rank"].upper()
    return len(SUITS) * RANKS.index(rank) + SUITS.index(match["suit"].lower())


def _invalid_text(text: str, position: int, number: int) -> ValueError:
    piece = _PIECE.match(text, position)
    bad = piece.group() if piece else text[position]
    shown = text if len(text) <= 60 else text[:57] + "..."
    where = f"card {number}, at character {position + 1} of {shown!r}"
    return ValueError(f"{bad!r} ({where}) is not a card: {WHAT_IS_RIGHT}")


def card_name(card: SupportsIndex) -> str:
    """The text of one card, "As"; "??" for -1. Raises TypeError or ValueError for an invalid card.

    >>> card_name(51)
    'As'
    """
    number = operator.index(card)
    if not UNKNOWN <= number < CARDS:
        raise ValueError(_invalid_number(number))
    return UNKNOWN_TEXT if number == UNKNOWN else NAMES[number]


def _invalid_number(number: int) -> str:
    return f"{number} is not a card: cards are 0 (2c) to {CARDS - 1} (As), and -1 for an unknown one"


def cards_text(cards: Iterable[SupportsIndex]) -> str:
    """The text of several cards, "AsKd"; the inverse of `parse_cards`.

    >>> cards_text([51, -1])
    'As??'
    """
    return "".join([card_name(card) for card in cards])


class Cards(tuple[int, ...]):
    """Cards in order: a tuple of ints that prints as text and equals the same cards as text, list or tuple.

    The hash is the tuple's hash, so a dict with Cards as keys finds them by tuple but not by text.

    Args:
        cards: Text, or ints (0..51, -1 unknown).

    Raises:
        TypeError: If a card has the wrong type.
        ValueError: If a card is invalid. The message names the card and its position.

    >>> board = Cards([51, 45, 34])
    >>> print(board)
    AsKdTh
    >>> board == "As Kd 10h" == board and board == [51, 45, 34] and board == (51, 45, 34)
    True
    >>> board + Cards("2c")
    Cards('AsKdTh2c')
    """

    __slots__ = ()

    def __new__(cls, cards: str | Iterable[SupportsIndex] = ()) -> Self:
        """Make Cards from text or numbers."""
        if isinstance(cards, str):
            return super().__new__(cls, parse_cards(cards))
        numbers = [operator.index(card) for card in cards]
        for position, number in enumerate(numbers, start=1):
            if not UNKNOWN <= number < CARDS:
                raise ValueError(f"card {position} of {len(numbers)}: {_invalid_number(number)}")
        return super().__new__(cls, numbers)

    def __str__(self) -> str:
        return cards_text(self)

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            try:
                other = parse_cards(other)
            except ValueError:
                return False
        elif isinstance(other, list):
            other = tuple(other)
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    # The same cards have the same hash as a tuple and as Cards.
    __hash__ = tuple.__hash__

    @overload
    def __getitem__(self, index: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Cards: ...
    def __getitem__(self, index: SupportsIndex | slice) -> int | Cards:
        """An index gives one card as an int; a slice gives Cards."""
        part = super().__getitem__(index)
        return part if isinstance(part, int) else Cards(part)

    def __add__(self, other: Iterable[int] | str) -> Cards:  # type: ignore[override]
        if not isinstance(other, tuple | list | str):
            return NotImplemented
        return Cards([*self, *Cards(other)])
