"""The types of fields that Rules and SessionRules share, with their bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ..cards.text import parse_cards
from .rules_record import DECK, MAX_BOARD, MAX_HOLE, MAX_STACK


def _no_bool(chips: Any) -> Any:
    """True would be one chip. Booleans mean something only where a field says so."""
    if isinstance(chips, bool):
        raise ValueError(f"give chips, not {chips}")
    return chips


Chips = Annotated[int, Field(ge=0, le=MAX_STACK), BeforeValidator(_no_bool)]
PositiveChips = Annotated[int, Field(gt=0, le=MAX_STACK), BeforeValidator(_no_bool)]
Structure = Literal["fixed_limit", "pot_limit", "no_limit"]


def _several(wanted: str) -> BeforeValidator:
    """Refuses a single value where there are several, and says what is wanted."""

    def checked(given: Any) -> Any:
        if isinstance(given, int | float | str | Mapping):
            raise ValueError(f"give {wanted}, not {given!r}")
        return given

    return BeforeValidator(checked)


Blinds = Annotated[tuple[Chips, Chips], _several("(small, big) in chips, such as (50, 100)")]
MaxRaises = Annotated[
    tuple[Annotated[int, Field(ge=0, le=1000)], ...],
    _several("one number for each street, such as (3, 4, 4, 4), or None for no cap"),
]
"""The most bets and raises by players, per street."""
USUAL_MAX_RAISES = (3, 4, 4, 4)
"""Fixed limit's cap where none is given, cut to the number of streets (R18)."""


def _parsed(cards: Any) -> Any:
    return parse_cards(cards) if isinstance(cards, str) else cards


Deck = Annotated[tuple[Annotated[int, Field(ge=0, lt=DECK)], ...], BeforeValidator(_parsed)]
"""Cards as ints or as text."""
HoleCards = Annotated[int, Field(ge=1, le=MAX_HOLE)]
BoardCards = Annotated[
    tuple[Annotated[int, Field(ge=0, le=MAX_BOARD)], ...], _several("one number for each street, such as (0, 3, 1, 1)")
]
"""Board cards per street; one number for each street of the game."""
BurnCards = Annotated[
    tuple[Annotated[int, Field(ge=0, le=1)], ...], _several("one number for each street, such as (0, 1, 1, 1)")
]
FirstToAct = Annotated[
    tuple[Literal["after_blinds", "left_of_button"], ...],
    _several("'after_blinds' or 'left_of_button' for each street, such as ('after_blinds', 'left_of_button')"),
]
Ranking = Literal["standard", "short_deck", "pair"]
Split = Literal["high", "high_low"]
HAND_FIELDS = ("deck", "hole_cards", "hole_cards_used", "board_cards", "ranking", "split")
"""The fields of Rules that say which cards there are and which hand wins: games that agree in them differ in the
betting alone."""
