"""Rake: the house's share of a pot, as a validated, immutable value."""

from __future__ import annotations

import warnings
from typing import Annotated, Any

from pydantic import Field, model_validator

from ..utils.validation import Validated
from .field_types import Chips
from .rules_record import MAX_SEATS

LEAST_USUAL_RAKE = 1.0  # percent; less, as a plain number, may be meant as a fraction


class Rake(Validated):
    """The house's share (R31). It comes out of the main pot first.

    A plain number in its place, `Rules(rake=5)`, is the percentage; below 1 it gets a UserWarning, because 0.05 may be
    meant as 5 percent.

    Attributes:
        percent: The percentage of the called total, rounded down to the smallest chip.
        cap: The most chips per hand.
        no_flop_no_drop: Whether a hand that ends before the flop pays none.
        by_pot: The chips of the rake that come out of each pot before that, main pot first, where a history says them.
    """

    percent: Annotated[float, Field(ge=0, le=100)]
    cap: Chips | None = None
    no_flop_no_drop: bool = True
    by_pot: Annotated[tuple[Chips, ...], Field(max_length=MAX_SEATS)] = ()

    @model_validator(mode="before")
    @classmethod
    def _plain_number(cls, data: Any) -> Any:
        if not isinstance(data, int | float) or isinstance(data, bool):
            return data
        if 0 < data < LEAST_USUAL_RAKE:
            warnings.warn(
                f"rake={data} is {data} percent; for {100 * data:g} percent give {100 * data:g}, and if you mean "
                f"{data} percent, Rake(percent={data})",
                UserWarning,
                stacklevel=3,  # pydantic's __init__ lies between
            )
        return {"percent": data}
