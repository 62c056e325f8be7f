"""DealerErrors: how likely the dealer errs (R33-R38)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..utils.validation import Validated
from .rules_record import DEALER_ERRORS

Chance = Annotated[float, Field(ge=0, le=1)]
WHOLE = 2**32


class DealerErrors(Validated):
    """How likely the dealer errs in a hand: a probability 0..1 for each kind, drawn independently of the others.

    exposed_hole_card: one hole card is turned up, each that is dealt being equally likely. The first: a misdeal (R33),
        another is replaced (R34).
    extra_card: the first player is dealt one card too many (R35). In one deal with an exposed card: a misdeal.
    premature_flop, premature_turn, premature_river: dealt before the betting of the street before is complete, namely
        when it begins (R36, R37, R38). Where nobody has a decision, no betting is incomplete, and nothing happens.
    flop_too_many: the flop has four cards (R36).

    The same seed errs the same way, whatever the players do; which deck a hand has does not depend on the errors.
    """

    exposed_hole_card: Chance = 0.0
    extra_card: Chance = 0.0
    premature_flop: Chance = 0.0
    premature_turn: Chance = 0.0
    premature_river: Chance = 0.0
    flop_too_many: Chance = 0.0

    @property
    def chances(self) -> list[int]:
        """In parts of 2**32, as the engine's record has them."""
        return [round(getattr(self, name) * WHOLE) for name in DEALER_ERRORS]
