"""Means with their intervals on one scale: results of matches, estimates, standings."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Literal, NamedTuple

from ..utils.shown_names import shown_name
from .pencil import Pencil

WIDTH, ROW, TOP, FOOT = 720.0, 38.0, 48.0, 40.0
NARROW, NARROW_ROW = 390.0, 58.0
LEFT, RIGHT = 230.0, 510.0
"""Where the scale begins and ends: names stand left of it, numbers right."""


class Line(NamedTuple):
    """One mean to be drawn."""

    name: str
    """Whose it is; "" where the title says it."""
    mean: float
    half_width: float
    """Of its interval, in the same unit; infinite where nothing is known."""


def intervals_svg(
    lines: Sequence[Line],
    title: str,
    unit: str,
    note: str = "",
    theme: str = "auto",
    layout: Literal["wide", "narrow"] = "wide",
) -> str:
    """Each mean as a dot on the line of its interval, with zero marked. An infinite interval goes from edge to edge.

    layout: "narrow", for a page as wide as a phone, has names and numbers above the intervals. Raises ValueError for
    an unknown layout or theme.
    """
    if layout not in ("wide", "narrow"):
        raise ValueError(f"layout: {layout!r} is neither 'wide' nor 'narrow'")
    is_wide = layout == "wide"
    width, each_row = (WIDTH, ROW) if is_wide else (NARROW, NARROW_ROW)
    pencil, scale = Pencil(theme), _Scale(lines, *((LEFT, RIGHT) if is_wide else (22.0, NARROW - 22)))
    height, draw = TOP + each_row * len(lines) + FOOT, _row if is_wide else _narrow_row
    pieces = [pencil.box(0, 0, width, height, "page", round=12)]
    pieces.append(pencil.words(16, 30, title, 20, "ink", anchor="start", bold=True, within=width - 150))
    pieces.append(pencil.words(width - 16, 30, unit, 19, "dim", anchor="end", within=110))
    pieces.append(pencil.box(scale.place(0.0) - 1, TOP, 2, each_row * len(lines), "dim" if is_wide else "tick"))
    pieces.append(pencil.words(scale.place(0.0), TOP + each_row * len(lines) + 17, "0", 16, "dim"))
    pieces += [draw(pencil, scale, line, TOP + each_row * (k + 0.5)) for k, line in enumerate(lines)]
    if note:
        room = LEFT + 250 if is_wide else width - 32
        pieces.append(
            pencil.words(16, height - 10 + (0 if is_wide else 4), note, 16, "dim", anchor="start", within=room)
        )
    label = "; ".join(f"{line.name}: {numbers(line)} {unit}" for line in lines)
    return pencil.picture(width, height, "".join(pieces), f"{title}. {label}")


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

    def __init__(self, lines: Sequence[Line], left: float, right: float) -> None:
        self.left, self.right = left, right
        known = [line for line in lines if isfinite(line.mean)]
        ends = [line.mean + sign * line.half_width for line in known for sign in (-1, 1) if isfinite(line.half_width)]
        values = [0.0, *(line.mean for line in known), *ends]
        low, high = min(values), max(values)
        margin = (high - low) / 15 or 1.0
        self.low, self.high = low - margin, high + margin

    def place(self, value: float) -> float:
        """Where a value is, held within the scale."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)


def _row(pencil: Pencil, scale: _Scale, line: Line, y: float) -> str:
    words = shown_name(line.name, 40) if line.name else ""
    name = pencil.words(16, y + 6, words, 19, "ink", anchor="start", within=LEFT - 30)
    value = pencil.words(WIDTH - 16, y + 6, numbers(line), 19, "ink", anchor="end", within=WIDTH - RIGHT - 34)
    return name + _interval(pencil, scale, line, y) + value


def _narrow_row(pencil: Pencil, scale: _Scale, line: Line, y: float) -> str:
    words = shown_name(line.name, 40) if line.name else ""
    name = pencil.words(16, y - 8, words, 17, "ink", anchor="start", within=200)
    value = pencil.words(NARROW - 16, y - 8, numbers(line), 17, "ink", anchor="end", within=150)
    return name + value + _interval(pencil, scale, line, y + 13)


def _interval(pencil: Pencil, scale: _Scale, line: Line, y: float) -> str:
    if not isfinite(line.mean):
        return ""
    low, high = scale.place(line.mean - line.half_width), scale.place(line.mean + line.half_width)
    whisker = pencil.box(low, y - 2, max(high - low, 1.0), 4, "whisker", round=2)
    if isfinite(line.half_width):
        whisker += "".join(pencil.box(end - 1.5, y - 8, 3, 16, "whisker") for end in (low, high))
    return whisker + pencil.disc(scale.place(line.mean), y, 6.5, "ink")
