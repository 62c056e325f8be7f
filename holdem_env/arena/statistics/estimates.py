"""Estimators of a win rate: the same truth seen through less and less luck, each unbiased and with its interval. `raw`
is one rotation of each deal, `duplicate` the mean over all rotations; other columns of the deals, such as `all_in` or
AIVAT's, put expectations in place of luck, and combine with both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf, isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...game.units import Unit
from ...render.charts import Line, intervals_svg
from ...utils.counting import counted
from ...utils.shown_names import shown_name
from .deals import Deals
from .intervals import BEST_AT, CONFIDENCE, Interval, fixed_interval, watched_interval
from .tables import Tabled

OF_SESSIONS = ("places", "hands")  # columns that say something else than what was won


@dataclass(frozen=True)
class Estimate(Tabled):
    """One estimator's estimate of an agent's win rate.

    Attributes:
        name: The estimator's name.
        agent: The agent's name.
        interval: Interval of the win rate, in `unit.amount` a hand.
        hands: Hands played for it.
        deviation: sqrt(variance of a deal × its hands): the standard deviation of a hand of independent luck that would
            give this interval.
        saved: How many times fewer hands it needs than the raw result for the same interval. 1.0 for the raw result
            itself, and for a single deal.
        unit: The unit.
    """

    name: str
    agent: str
    interval: Interval
    hands: int
    deviation: float
    saved: float
    unit: Unit

    @property
    def rate(self) -> tuple[float, float]:
        """Win rate and half-width in `unit`."""
        return self.interval.times(self.unit.per)

    def hands_for(self, half_width: float) -> float:
        """How many hands this estimator needs for an interval of ± this much in `unit`."""
        mean_error = half_width / self.unit.per
        per_root = self.interval.half_width * sqrt(self.hands) if self.interval.samples > 1 else inf
        return (per_root / mean_error) ** 2

    @property
    def saved_text(self) -> str:
        """`saved` with a decimal where it is small."""
        return f"{self.saved:,.{1 if self.saved < 1000 else 0}f}"

    def _table(self) -> list[dict[str, Any]]:
        rate = dict(zip(("rate", "half_width"), self.rate, strict=True)) | {"unit": self.unit.name}
        return [{"agent": self.agent, "estimator": self.name, **rate, "hands": self.hands}]

    def _repr_html_(self) -> str:
        title = f"{shown_name(self.agent, None)}, {self.name}"
        note = f"{100 * self.interval.confidence:.4g} % interval, {counted(self.hands, 'hand')}"
        return intervals_svg([Line("", *self.rate)], title, self.unit.name, note)

    def __str__(self) -> str:
        saved = f"{self.saved_text} times fewer than raw" if isfinite(self.saved) else "always the same result"
        rate, hands = self.unit.with_name(*self.rate), counted(self.hands, "hand")
        return f"{shown_name(self.agent, None)}, {self.name}: {rate}, {hands}, {saved}"


def estimates(
    deals: Deals,
    agent: int | str = 0,
    confidence: float = CONFIDENCE,
    watched: bool = False,
    columns: Iterable[str] | None = None,
    best_at: int = BEST_AT,
) -> list[Estimate]:
    """Return all estimates of an agent's win rate that these deals allow, the raw one first.

    Args:
        deals: The deals.
        agent: The agent's number or name.
        confidence: Confidence of the intervals.
        watched: Use intervals of the confidence sequence, which hold while the match runs.
        columns: The columns to use. By default all.
        best_at: Number of deals after which intervals of the confidence sequence are narrowest.
    """
    names = list(columns or columns_of(deals))
    whether = (False, True) if deals.rotations > 1 else (False,)
    settings = confidence, watched, best_at
    found = [_estimate(deals, agent, name, duplicate, *settings) for duplicate in whether for name in names]
    raw = _deviation(deals.single(agent, columns_of(deals)[0]), 1)
    return [_with_saving(each, raw) for each in found]


def best_estimate(
    deals: Deals, agent: int | str = 0, confidence: float = CONFIDENCE, watched: bool = False, best_at: int = BEST_AT
) -> Estimate:
    """The estimate that all luck has been taken out of: the last of `estimates`' columns, duplicate if there is.

    Which one that is depends on the columns alone, never on the results: choosing the nicest would be a lie.
    """
    return estimates(deals, agent, confidence, watched, columns_of(deals)[-1:], best_at)[-1]


def columns_of(deals: Deals) -> list[str]:
    """The columns that estimate the win rate, what was won first: chips, or the prizes of sessions that have them."""
    result = "prizes" if "prizes" in deals.columns else "chips"
    return [result, *(name for name in deals.columns if name not in ("chips", result, *OF_SESSIONS))]


def column_of(deals: Deals) -> str:
    """The column that rates are made of: the last, which has the least luck in it."""
    return columns_of(deals)[-1]


def _estimate(
    deals: Deals, agent: int | str, column: str, duplicate: bool, confidence: float, watched: bool, best_at: int
) -> Estimate:
    values = deals.per_deal(agent, column) if duplicate else deals.single(agent, column)
    result = columns_of(deals)[0]
    is_result, each = column == result, deals.rotations if duplicate else 1

    def interval_of(some: NDArray[np.float64]) -> Interval:
        return watched_interval(some, confidence, best_at) if watched else fixed_interval(some, confidence)

    interval = interval_of(values)
    if not is_result and isfinite(interval.half_width):
        won = deals.per_deal(agent, result) if duplicate else deals.single(agent, result)
        if not isfinite(interval_of(won).half_width):  # too few deals to say how the result varies
            interval = replace(interval, half_width=inf)
    name = "raw" if is_result else column
    if duplicate:
        name = "duplicate" if is_result else f"duplicate + {column}"
    who = deals.agents[deals.number_of(agent)]
    return Estimate(name, who, interval, len(values) * each, _deviation(values, each), 1.0, deals.unit)


def _deviation(values: NDArray[np.float64], hands: int) -> float:
    return float(values.std(ddof=1)) * sqrt(hands) if len(values) > 1 else inf


def _with_saving(estimate: Estimate, raw: float) -> Estimate:
    if raw == estimate.deviation:  # also both 0, and both inf for one deal
        saved = inf if raw == 0 else 1.0
    else:
        saved = inf if estimate.deviation == 0 else (raw / estimate.deviation) ** 2
    return replace(estimate, saved=saved)
