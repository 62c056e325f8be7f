"""The types of fields that Rules and SessionRules share, with their bounds."""

from __future__ import annotations

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
MaxRaises = tuple[Annotated[int, Field(ge=0, le=1000)], ...]
"""The most bets and raises by players, per street."""
USUAL_MAX_RAISES = (3, 4, 4, 4)
"""Fixed limit's cap where none is given, cut to the number of streets (R18)."""


def _parsed(cards: Any) -> Any:
    return parse_cards(cards) if isinstance(cards, str) else cards


Deck = Annotated[tuple[Annotated[int, Field(ge=0, lt=DECK)], ...], BeforeValidator(_parsed)]
"""Cards as ints or as text."""
HoleCards = Annotated[int, Field(ge=1, le=MAX_HOLE)]
BoardCards = tuple[Annotated[int, Field(ge=0, le=MAX_BOARD)], ...]
"""Board cards per street; one number for each street of the game."""
BurnCards = tuple[Annotated[int, Field(ge=0, le=1)], ...]
FirstToAct = tuple[Literal["after_blinds", "left_of_button"], ...]
Ranking = Literal["standard", "short_deck", "pair"]
Split = Literal["high", "high_low"]
HAND_FIELDS = ("deck", "hole_cards", "hole_cards_used", "board_cards", "ranking", "split")
"""The fields of Rules that say which cards there are and which hand wins: games that agree in them differ in the
betting alone."""
