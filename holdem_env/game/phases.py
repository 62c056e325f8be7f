"""Phase: a phase of mixed hold'em, and what it changes in a game (R19)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Protocol, Self

from pydantic import Field, model_validator

from ..utils.validation import Validated
from .field_types import (
    HAND_FIELDS,
    USUAL_MAX_RAISES,
    BoardCards,
    BurnCards,
    Chips,
    Deck,
    FirstToAct,
    HoleCards,
    MaxRaises,
    PositiveChips,
    Ranking,
    Split,
    Structure,
)
from .presets import preset_fields

Count = Annotated[int, Field(ge=1, le=2**31 - 1)]
LENGTH = ("hands", "orbits")
BETS_OF_STRUCTURE = ("small_bet", "big_bet", "min_bet", "reopen_fraction")
SHAPE = (*HAND_FIELDS, "burn_cards", "first_to_act")
"""The fields that `game` sets, beside the structure and the cap on raises."""


class MixedGame(Protocol):
    """The fields of Rules that decide what a phase changes."""

    @property
    def structure(self) -> Structure: ...
    @property
    def board_cards(self) -> BoardCards: ...
    @property
    def min_bet(self) -> int | tuple[int, ...] | None: ...


class Phase(Validated):
    """A phase of mixed hold'em (R19): the fields that differ from the Rules, and how long the phase lasts.

    Where the number of streets changes, a field with one value per street takes its usual values unless the phase gives
    it.

    Attributes:
        game: The name of a preset, as a short way to say what is played. The phase takes its structure, its cap on
            raises and its kind of hand, but neither its seats nor its blinds, antes, bets and stacks. Other fields
            override it.
        structure, blinds, ante, big_blind_ante, straddle, small_bet, big_bet, min_bet, max_raises: The betting, as in
            Rules.
        split, deck, hole_cards, board_cards, burn_cards, first_to_act, ranking: The kind of hand, as in Rules.
        hole_cards_used: As in Rules; None is any number. A phase that gives hole_cards gives hole_cards_used, too.
        hands, orbits: The phase's length; give one of the two. An orbit ends when the big blind reaches or passes the
            seat where the phase began.
        name: Shown to people; by default the game, or else the structure.
    """

    game: str | None = None
    structure: Structure | None = None
    blinds: tuple[Chips, Chips] | None = None
    ante: Chips | None = None
    big_blind_ante: Chips | None = None
    straddle: Chips | None = None
    small_bet: PositiveChips | None = None
    big_bet: PositiveChips | None = None
    min_bet: PositiveChips | tuple[PositiveChips, ...] | None = None
    max_raises: MaxRaises | None = None
    split: Split | None = None
    deck: Deck | None = Field(default=None, repr=False)
    hole_cards: HoleCards | None = None
    hole_cards_used: int | None = None
    board_cards: BoardCards | None = None
    burn_cards: BurnCards | None = None
    first_to_act: FirstToAct | None = None
    ranking: Ranking | None = None
    hands: Count | None = None
    orbits: Count | None = None
    name: str | None = None

    @model_validator(mode="after")
    def _known_game(self) -> Self:
        if self.game is not None:
            preset_fields(self.game)
        return self

    def changes_in(self, rules: MixedGame) -> dict[str, Any]:
        """The fields of Rules that the phase changes, with their values. What does not go with a new structure or
        another number of streets falls back to what is usual."""
        given = dict(self._given())
        if self.game is not None:
            given = _fields_of_game(self.game, rules) | given
        if given.get("structure", rules.structure) != rules.structure:
            given = dict.fromkeys(BETS_OF_STRUCTURE) | given
        streets = len(given.get("board_cards", rules.board_cards))
        if streets != len(rules.board_cards):
            given = _usual_per_street(streets, rules) | given
        return given

    def _given(self) -> Iterator[tuple[str, Any]]:
        for name, value in self:
            any_number = name == "hole_cards_used" and self.hole_cards is not None
            if name not in ("game", "name", *LENGTH) and (value is not None or any_number):
                yield name, value


def _fields_of_game(name: str, rules: MixedGame) -> dict[str, Any]:
    """What a phase takes from a preset: the kind of hand, the structure, and its cap on raises if it has one."""
    preset = preset_fields(name)
    usual = {field: _default(rules, field) for field in ("structure", *SHAPE)}
    return usual | {field: value for field, value in preset.items() if field in (*usual, "max_raises")}


def _usual_per_street(streets: int, rules: MixedGame) -> dict[str, Any]:
    """What a game of `streets` streets has on each of them by default."""
    usual = {"burn_cards": None, "first_to_act": None, "max_raises": USUAL_MAX_RAISES[:streets]}
    return usual | ({"min_bet": None} if isinstance(rules.min_bet, tuple) else {})


def _default(rules: MixedGame, field: str) -> Any:
    return type(rules).model_fields[field].default  # type: ignore[attr-defined]
