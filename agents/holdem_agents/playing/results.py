"""What a person has won: hands that are over, and the result with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite

import numpy as np

from holdem_env.arena.estimators.all_in import AllInValue
from holdem_env.arena.statistics.intervals import fixed_interval
from holdem_env.game.rules import Rules
from holdem_env.game.units import Unit
from holdem_env.table.table import Table
from holdem_env.utils.counting import counted


@dataclass(frozen=True)
class FinishedHand:
    """A hand that was played to its end, and counts.

    number: from 1. table: with all cards, so not for the person's eyes: `table.view(seat)` is. chips: what the person
    won or lost. all_in_chips: the all-in value of that, the mean over the board cards that could have come after the
    betting; None in games that have none (`why_no_all_in_chips`).
    """

    number: int
    table: Table
    chips: int
    all_in_chips: float | None


@dataclass(frozen=True)
class Results:
    """A person's result so far, in chips and as a rate in `unit`.

    half_width_95: of the 95 % interval around the rate (Student's t, the hands taken as independent); None while
    there are too few hands to say: below 2, or below 30 that are all the same. The all-in values estimate the same win
    rate with less luck; None in games that have none. They have an interval only where the rate has one.
    """

    hands: int
    chips: int
    rate: float
    half_width_95: float | None
    all_in_rate: float | None
    all_in_half_width_95: float | None
    unit: Unit

    @property
    def in_chips(self) -> str:
        """ "+23 chips in 12 hands", all that a tournament's result means in chips: its blinds rise."""
        if not self.hands:
            return "no hand was played to its end"
        return f"{self.chips:+,} chips in {counted(self.hands, 'hand')}"

    def __str__(self) -> str:
        if not self.hands:
            return self.in_chips
        text = f"{self.in_chips}: {self.rate_text} {self.unit.name}"
        return text if self.all_in_text is None else f"{text}, by all-in value {self.all_in_text} {self.unit.name}"

    @property
    def rate_text(self) -> str:
        """The rate with its interval, if there is one."""
        return self.unit.text(self.rate, self.half_width_95)

    @property
    def all_in_text(self) -> str | None:
        """The all-in value likewise; None in games that have none."""
        return None if self.all_in_rate is None else self.unit.text(self.all_in_rate, self.all_in_half_width_95)


def results_of(finished: Sequence[FinishedHand], unit: Unit) -> Results:
    """The result of these hands. unit: of the game."""
    chips = [hand.chips for hand in finished]
    values = [hand.all_in_chips for hand in finished if hand.all_in_chips is not None]
    rate, half = _rate(chips, unit)
    all_in, all_in_half = _rate(values, unit) if len(values) == len(finished) else (None, None)
    return Results(len(finished), sum(chips), rate, half, all_in, None if half is None else all_in_half, unit)


def why_no_all_in_chips(rules: Rules) -> str | None:
    """Why a person cannot be shown the all-in value of hands; None if it can."""
    if not rules.face_up_all_in:
        return "hands that are all-in may stay hidden, and the all-in value would tell what they were"
    return _estimator().why_not(rules)


def all_in_chips(table: Table, seat: int) -> float | None:
    """The all-in value of a finished hand for one seat, in chips; None where there is none.

    It is made from what the seat may see: the cards of those who folded count as unseen, so that it tells nothing about
    them. It has the same mean.
    """
    if why_no_all_in_chips(table.rules):
        return None
    records = table.records.copy()
    records["was_dealt"] &= records["in_hand"] != 0
    return float(_estimator().with_method(records, table.rules)[0][0, seat])


@cache
def _estimator() -> AllInValue:
    """One for all games: it remembers matchups."""
    return AllInValue()


def _rate(chips: Sequence[float], unit: Unit) -> tuple[float, float | None]:
    """The mean in this unit, and the half-width of its interval if it has one."""
    interval = fixed_interval(np.array(chips, np.float64))
    mean, half = interval.times(unit.per / unit.chips)
    return mean, half if isfinite(half) else None
