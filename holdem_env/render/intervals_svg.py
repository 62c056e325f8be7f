"""Means with their intervals on one scale: results of matches, estimates, standings."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from ..utils.shown_names import shown_name
from .pencil import Pencil

WIDTH, ROW, TOP, FOOT = 720.0, 38.0, 48.0, 40.0
LEFT, RIGHT = 230.0, 510.0
"""Where the scale begins and ends: names stand left of it, numbers right."""


class Line(NamedTuple):
    """One mean to be drawn."""

    name: str
    """Whose it is; "" where the title says it."""
    mean: float
    half_width: float
    """Of its interval, in the same unit; infinite where nothing is known."""


def intervals_svg(lines: Sequence[Line], title: str, unit: str, note: str = "", theme: str = "auto") -> str:
    """Each mean as a dot on the line of its interval, with zero marked. An infinite interval goes from edge to edge."""
    pencil, scale = Pencil(theme), _Scale(lines)
    height = TOP + ROW * len(lines) + FOOT
    pieces = [pencil.box(0, 0, WIDTH, height, "page", round=12)]
    pieces.append(pencil.words(16, 30, title, 20, "ink", anchor="start", bold=True, within=WIDTH - 150))
    pieces.append(pencil.words(WIDTH - 16, 30, unit, 19, "dim", anchor="end", within=110))
    pieces.append(pencil.box(scale.place(0.0) - 1, TOP, 2, ROW * len(lines), "dim"))
    pieces.append(pencil.words(scale.place(0.0), TOP + ROW * len(lines) + 17, "0", 16, "dim"))
    pieces += [_row(pencil, scale, line, TOP + ROW * (k + 0.5)) for k, line in enumerate(lines)]
    if note:
        pieces.append(pencil.words(16, height - 10, note, 16, "dim", anchor="start", within=LEFT + 250))
    label = "; ".join(f"{line.name}: {numbers(line)} {unit}" for line in lines)
    return pencil.picture(WIDTH, height, "".join(pieces), f"{title}. {label}")


def numbers(line: Line) -> str:
    """A mean and its interval in words.

    >>> numbers(Line("nit", -12.345, 6.7)), numbers(Line("nit", 1234.5, float("inf")))
    ('−12.3 ± 6.7', '+1,234 ± ∞')
    """
    digits = 0 if abs(line.mean) >= 1000 else 1
    half = f"{line.half_width:,.{digits}f}" if isfinite(line.half_width) else "∞"
    return f"{line.mean:+,.{digits}f} ± {half}".replace("-", "−") if isfinite(line.mean) else "–"


class _Scale:
    """From values to places in the picture: zero and all that is known is in it."""

    def __init__(self, lines: Sequence[Line]) -> None:
        known = [line for line in lines if isfinite(line.mean)]
        ends = [line.mean + sign * line.half_width for line in known for sign in (-1, 1) if isfinite(line.half_width)]
        values = [0.0, *(line.mean for line in known), *ends]
        low, high = min(values), max(values)
        margin = (high - low) / 15 or 1.0
        self.low, self.high = low - margin, high + margin

    def place(self, value: float) -> float:
        """Where a value is, held within the scale."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return LEFT + share * (RIGHT - LEFT)


def _row(pencil: Pencil, scale: _Scale, line: Line, y: float) -> str:
    words = shown_name(line.name, 40) if line.name else ""
    name = pencil.words(16, y + 6, words, 19, "ink", anchor="start", within=LEFT - 30)
    value = pencil.words(WIDTH - 16, y + 6, numbers(line), 19, "ink", anchor="end", within=WIDTH - RIGHT - 34)
    if not isfinite(line.mean):
        return name + value
    low, high = scale.place(line.mean - line.half_width), scale.place(line.mean + line.half_width)
    whisker = pencil.box(low, y - 2, max(high - low, 1.0), 4, "whisker", round=2)
    if isfinite(line.half_width):
        whisker += "".join(pencil.box(end - 1.5, y - 8, 3, 16, "whisker") for end in (low, high))
    return name + whisker + pencil.disc(scale.place(line.mean), y, 6.5, "ink") + value
