"""The units of results: what a rate of a game counts, how it is called in texts and files, and how it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import floor, isfinite, isnan, log10

from .rules import Rules

SIGNIFICANT = 5
"""Significant digits that a number with decimals has at most."""


@dataclass(frozen=True)
class Unit:
    """The unit of a rate.

    name: as texts write it. key: its column in files. amount: what is won. per: the hands, or sessions, of a rate.
    most_decimals: digits behind the point of a narrow interval. chips: in one of `amount`.
    """

    name: str
    key: str
    amount: str
    per: int
    most_decimals: int = 1
    chips: int = 1

    def text(self, mean: float, half_width: float | None = None) -> str:
        """A rate without its unit: "+0.054 ± 0.012".

        Both numbers end where the half-width has two significant digits, or sooner; whole numbers without a width
        have no decimals. A half-width of None is left out, an infinite one is "∞", an unknown rate is "–".
        """
        if isnan(mean):
            return "–"
        numbers = [mean] if half_width is None else [mean, half_width]
        is_whole = not half_width and isfinite(mean) and mean == round(mean)
        decimals = 0 if is_whole else min(self._decimals(number, number is not mean) for number in numbers)
        rate = _rounded(mean, decimals, "+") if isfinite(mean) else f"{'+' if mean > 0 else '−'}∞"
        if half_width is None:
            return rate
        return f"{rate} ± {_rounded(half_width, decimals) if isfinite(half_width) else '∞'}"

    def with_name(self, mean: float, half_width: float | None = None) -> str:
        """A rate with its unit: "+12 ± 30 bb/100"."""
        return f"{self.text(mean, half_width)} {self.name}"

    def numbers(self, *rates: float) -> tuple[str, ...]:
        """Rates as a file has them."""
        return tuple(f"{rate:.{self.most_decimals}f}" for rate in rates)

    def _decimals(self, number: float, is_width: bool) -> int:
        if not isfinite(number) or not number:
            return self.most_decimals
        size = floor(log10(abs(number)))
        return max(0, min(self.most_decimals, (1 if is_width else SIGNIFICANT - 1) - size))


def _rounded(number: float, decimals: int, sign: str = "") -> str:
    """A number without a minus before a zero."""
    return f"{round(number, decimals) + 0.0:{sign},.{decimals}f}"


BIG_BLINDS = Unit("bb/100", "bb_per_100", "big blinds", 100)
CHIPS = Unit("chips/hand", "chips_per_hand", "chips", 1, most_decimals=3)
MILLI = Unit("mbb/h", "mbb_per_hand", "big blinds", 1000)
PRIZES = Unit("% of a prize pool", "prize_pool_percent", "prize pools", 100)
OF_HANDS = BIG_BLINDS, CHIPS
UNITS = {unit.name: unit for unit in (*OF_HANDS, MILLI, PRIZES)}
"""All units by their names."""


def unit_of(rules: Rules) -> Unit:
    """The unit of a game's hands: bb/100, or chips a hand without a big blind. The reward's unit plays no part."""
    return replace(BIG_BLINDS, chips=rules.big_blind) if rules.big_blind else CHIPS


def unit_in(row: Mapping[str, object]) -> Unit:
    """The unit of a row of a file, by the column that has a rate. Raises ValueError if there is none."""
    for unit in OF_HANDS:
        if row.get(unit.key) not in (None, ""):
            return unit
    raise ValueError(f"columns must have {' or '.join(unit.key for unit in OF_HANDS)}, got {', '.join(row)}")


def unit_of_rows(rows: Sequence[Mapping[str, object]]) -> Unit:
    """The unit of a file's rows; BIG_BLINDS if they have none."""
    for row in rows:
        with suppress(ValueError):
            return unit_in(row)
    return BIG_BLINDS
