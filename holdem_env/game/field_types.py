"""The types of fields that Rules and SessionRules share, with their bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .rules_record import MAX_STACK

Chips = Annotated[int, Field(ge=0, le=MAX_STACK)]
PositiveChips = Annotated[int, Field(gt=0, le=MAX_STACK)]
Structure = Literal["fixed_limit", "pot_limit", "no_limit"]
MaxRaises = tuple[Annotated[int, Field(ge=0, le=1000)], ...]
"""The most bets and raises by players, per street."""
