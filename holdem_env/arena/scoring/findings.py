"""What a measure finds: figures with their intervals, what it took, and why something was not measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field

from ...game.units import BIG_BLINDS, CHIPS, MILLI, PRIZES, UNITS, Unit
from ...utils.validation import Validated
from ..statistics.intervals import CONFIDENCE

Says: TypeAlias = Literal["exact", "lower bound", "gain in spots", "win rate", "other"]
COMPARED = {MILLI.name: (MILLI, 1.0), BIG_BLINDS.name: (MILLI, MILLI.per / BIG_BLINDS.per), CHIPS.name: (CHIPS, 1.0)}
"""The unit in which bounds on exploitability are compared, and the factor to it. A game has bounds in one such unit."""


Number = Annotated[float, Field(ge=-1e15, le=1e15)]  # a card is a stranger's: nothing in it is NaN
Least0 = Annotated[float, Field(ge=0, le=1e15)]
HalfWidth = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=0, le=10**15)]


class NotMeasured(ValueError):
    """A measure cannot be had of this agent, or with this budget; the message is a sentence for the card."""


class _Stored(Validated):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


class Figure(_Stored):
    """A measured number.

    Attributes:
        name: The figure's name.
        says: "exact" or "lower bound" of the agent's exploitability, "gain in spots" of a best response, "win rate" of
            the agent, or "other".
        value: The number, in `unit`.
        half_width: Half-width of the 95 % interval. 0 if the figure is exact, infinite if too little was played.
        unit: The unit.
        samples: Independent samples.
    """

    name: str
    says: Says
    value: Number
    half_width: HalfWidth
    unit: str
    samples: Count = 0

    @property
    def shown_in(self) -> Unit:
        """How it is written. Units that are not of a game are percent."""
        return UNITS.get(self.unit, PRIZES)

    def low(self, of: int = 1) -> float:
        """Return the lower end of the interval.

        Args:
            of: Number of figures under comparison. With 95 % confidence all of their intervals hold together
                (Bonferroni).
        """
        return self.value - self.half_width * _wider(self.samples, of) if self.half_width else self.value

    def __str__(self) -> str:
        if self.says in ("exact", "other"):
            half = f" ± {self.half_width:.2g}" if self.half_width else ""
            return f"{self.value:.4g}{half.replace('inf', '∞')} {self.unit}".rstrip()
        return f"{self.shown_in.text(self.value, self.half_width)} {self.unit}"


class Spent(_Stored):
    """What something took: seconds of wall time, and of processor time of the process that measured; decisions: of the
    agent in matches, of a learner in training; hands."""

    seconds: Least0 = 0.0
    processor_seconds: Least0 = 0.0
    decisions: Count = 0
    hands: Count = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(**{name: getattr(self, name) + getattr(other, name) for name in type(self).model_fields})


class Point(_Stored):
    """A point of a learning curve: after how many decisions, what was won, and half the width of its interval."""

    decisions: Count
    value: Number
    half_width: HalfWidth


class Found(_Stored):
    """What one part of a task has found. part: its name. measure: its kind. curve: of a learner. notes: sentences.
    why_not: why nothing was measured; then there are no figures."""

    part: str
    measure: str
    figures: tuple[Figure, ...] = ()
    spent: Spent = Spent()
    curve: tuple[Point, ...] = ()
    notes: tuple[str, ...] = ()
    why_not: str | None = None

    @property
    def curve_unit(self) -> Unit:
        return self.figures[0].shown_in if self.figures else BIG_BLINDS


def counted_from(answers: int | None) -> tuple[str, ...]:
    """The note on an agent whose probabilities are counted (`AgentFacts.answers_counted`)."""
    return () if answers is None else (f"its probabilities are counted from {answers:,} answers at each decision",)


def lower_bounds(found: Sequence[Found]) -> list[Figure]:
    """The figures that bound the agent's exploitability from below and can be compared."""
    figures = [figure for one in found for figure in one.figures]
    return [figure for figure in figures if figure.says == "lower bound" and figure.unit in COMPARED]


def by_unit(figures: Sequence[Figure]) -> list[list[Figure]]:
    """The figures of each unit."""
    return [[figure for figure in figures if figure.unit == unit] for unit in dict.fromkeys(f.unit for f in figures)]


def best_bound(found: Sequence[Found]) -> tuple[Figure, float] | None:
    """The figure with the highest lower end in a unit of COMPARED, and that end: with 95 % confidence at least
    so much can be won, although it is the best of several. None if there is none."""
    bounds = lower_bounds(found)
    ends = [COMPARED[figure.unit][1] * figure.low(len(bounds)) for figure in bounds]
    return max(zip(bounds, ends, strict=True), key=lambda pair: pair[1]) if bounds else None


def _wider(samples: int, of: int) -> float:
    """By how much an interval is wider if `of` of them are to hold together."""
    from scipy.special import stdtrit

    if of == 1 or samples < 2:
        return 1.0
    tail = (1 - CONFIDENCE) / 2
    return float(stdtrit(samples - 1, 1 - tail / of) / stdtrit(samples - 1, 1 - tail))
