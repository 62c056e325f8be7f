"""Intervals for a mean of independent numbers: Student's, to look at once, and one that may be watched while they come
in.

A user who looks at Student's t while a match runs, and stops when it looks good, is wrong far more often than in 5 of
100 matches. A confidence sequence holds the truth at all times at once, and is wider: the asymptotic one of
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), which asks no more than Student's t: a finite variance.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
BEST_AT = 10_000
FEW = 30  # numbers that are all the same say nothing about their variance while they are fewer
SAYS_NOTHING_BEFORE = 200
"""Numbers before which the sequence is silent: it holds in the limit, and would speak too soon."""


@dataclass(frozen=True)
class Interval:
    """A mean and how far the truth may be from it.

    Attributes:
        mean: The mean.
        half_width: Half of the interval's width.
        samples: Number of values.
        confidence: Probability that the interval holds the truth.
        method: "fixed", "sequence" or "bootstrap".
    """

    mean: float
    half_width: float
    samples: int
    confidence: float
    method: str

    @property
    def low(self) -> float:
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        return self.mean + self.half_width

    def times(self, factor: float) -> tuple[float, float]:
        """Mean and half-width in another unit, such as big blinds per hundred hands."""
        return factor * self.mean, factor * self.half_width


def fixed_interval(values: NDArray[np.float64], confidence: float = CONFIDENCE, constant: bool = False) -> Interval:
    """Return Student's interval for the mean of a number of values that was fixed beforehand.

    It is infinitely wide for fewer than two values, and for fewer than 30 that are all the same. Five freezeouts won of
    five do not show that nobody else ever wins.

    Args:
        values: The values.
        confidence: Confidence of the interval.
        constant: The values are the same by construction, as those of an agent that plays itself. Then few are enough.
    """
    from scipy.special import stdtrit  # what scipy.stats.t asks, without its checks, which took most of the time

    check_confidence(confidence)
    count = len(values)
    # They are all the same but for what rounding does.
    if count < 2 or (count < FEW and not constant and np.ptp(values) <= 1e-12 * np.abs(values).max()):
        return Interval(float(values.mean()) if count else 0.0, inf, count, confidence, "fixed")
    error = float(values.std(ddof=1)) / sqrt(count)
    half = float(stdtrit(count - 1, 0.5 + confidence / 2)) * error
    return Interval(float(values.mean()), half, count, confidence, "fixed")


def sequence(
    values: NDArray[np.float64], confidence: float = CONFIDENCE, best_at: int = BEST_AT
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the running means, (n,), and the half-widths of the confidence sequence after each value, (n,).

    With the given confidence, all intervals of the sequence hold the truth. Half-widths are infinite until
    SAYS_NOTHING_BEFORE.

    Args:
        values: (n,) values.
        confidence: Confidence of the sequence.
        best_at: Number of values after which it is narrowest, compared with sequences of its kind. Choose it
            beforehand.
    """
    check_confidence(confidence)
    count = np.arange(1, len(values) + 1)
    shift = values[0] if len(values) else 0.0  # constants stay constant
    centred = values - shift
    mean = np.cumsum(centred) / count
    variance = np.maximum(np.cumsum(centred**2) / count - mean**2, 0.0)
    alpha = 1 - confidence
    rho = sqrt((-2 * log(alpha) + log(1 - 2 * log(alpha))) / best_at)
    grown = count * rho**2 + 1
    half = np.sqrt(variance * 2 * grown / (count * rho) ** 2 * np.log(np.sqrt(grown) / alpha))
    half[: SAYS_NOTHING_BEFORE - 1] = inf
    return mean + shift, half


def watched_interval(values: NDArray[np.float64], confidence: float = CONFIDENCE, best_at: int = BEST_AT) -> Interval:
    """The latest interval of the confidence sequence: one that may be looked at, and acted on, at any time."""
    if not len(values):
        return Interval(0.0, inf, 0, confidence, "sequence")
    mean, half = sequence(values, confidence, best_at)
    return Interval(float(mean[-1]), float(half[-1]), len(values), confidence, "sequence")


def check_confidence(confidence: float) -> None:
    """Raise ValueError for one that is not between 0 and 1."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: {confidence} is not between 0 and 1; usual is 0.95")
