"""DealerErrors: how likely each dealer error is (R33-R38)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..utils.validation import Validated
from .rules_record import DEALER_ERRORS

Chance = Annotated[float, Field(ge=0, le=1)]
WHOLE = 2**32


class DealerErrors(Validated):
    """The probability (0..1) of each kind of dealer error in a hand. The kinds are drawn independently.

    The same seed produces the same errors, whatever the players do. The errors do not change which deck a hand has.

    Attributes:
        exposed_hole_card: One hole card is turned up; all hole cards dealt are equally likely. If it is the first card
            dealt, the hand is a misdeal (R33); any other card is replaced (R34).
        extra_card: The first player is dealt one card too many (R35). Together with an exposed card in the same deal,
            it is a misdeal.
        premature_flop, premature_turn, premature_river: The card or cards are dealt before the previous street's
            betting is complete (R36, R37, R38), by default as soon as it begins. Nothing happens on a street where
            nobody has a decision, because its betting is then complete.
        flop_too_many: The flop has four cards (R36).
        mid_round: The probability of premature cards coming after some players have acted, rather than when the round
            begins. With n players who have a decision when the round begins, they then come after 1 to n - 1 moves, all
            equally likely. If the betting is complete by then, the cards came on time and there was no error.
    """

    exposed_hole_card: Chance = 0.0
    extra_card: Chance = 0.0
    premature_flop: Chance = 0.0
    premature_turn: Chance = 0.0
    premature_river: Chance = 0.0
    flop_too_many: Chance = 0.0
    mid_round: Chance = 0.0

    @property
    def probabilities(self) -> list[int]:
        """The probabilities in units of 2**-32, as the engine's record stores them."""
        return [round(getattr(self, name) * WHOLE) for name in DEALER_ERRORS]

    @property
    def mid_round_chance(self) -> int:
        """`mid_round` in units of 2**-32, as the engine's record stores it."""
        return round(self.mid_round * WHOLE)
