"""Charts: curves over time with their bands, and means with their intervals on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import floor, isfinite, log10
from typing import Literal, NamedTuple

from ..utils.shown_names import shown_name
from .pencil import Pencil, Point
from .theme import CURVES

Layout = Literal["wide", "narrow"]
DASHES = ("", "9 5", "2 5", "14 4 2 4", "5 3 2 3 2 3")
MARKS = ("disc", "square", "triangle", "diamond", "ring", "wedge")
FEW = 24
"""A curve of at most FEW points has a mark at each; a longer one has MARKED of them."""
MARKED = 8
NAME = 32
"""Characters of a curve's name that the key has room for."""
UNITS = ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k"))
"""From what number on an axis counts in which unit, and its sign."""
BAND = 0.17
"""How much of a band's colour is seen."""


class Curve(NamedTuple):
    """One quantity over time. Points whose value is not finite leave a gap."""

    name: str
    at: Sequence[float]
    """Where the points are, in rising order."""
    values: Sequence[float]
    low: Sequence[float] = ()
    """Lower ends of the band around the values, one for each; () for none."""
    high: Sequence[float] = ()
    """Upper ends."""
    is_faint: bool = False
    """Drawn as a thin grey line behind the others, without a line in the key."""


def around(name: str, at: Sequence[float], values: Sequence[float], half_widths: Sequence[float]) -> Curve:
    """A curve in the middle of its band, such as means with half the widths of their intervals."""
    both = list(zip(values, half_widths, strict=True))
    return Curve(name, at, values, [mean - half for mean, half in both], [mean + half for mean, half in both])


def curve_svg(
    curves: Sequence[Curve],
    title: str,
    across: str,
    unit: str = "",
    note: str = "",
    has_zero: bool = False,
    y_range: tuple[float, float] | None = None,
    theme: str = "auto",
    layout: Layout = "wide",
) -> str:
    """Curves on common axes: each has its own colour, dashes and marks, and a line in the key with its last value.

    across: what the horizontal axis counts; unit: what the vertical one does; note: a line below. has_zero: zero is in
    the picture, whatever the values are, and the last values have their signs. y_range: the ends of the vertical axis;
    by default it holds all values. layout: "narrow" is for pages as wide as a phone.

    Raises ValueError for a curve whose parts differ in length, and for an unknown layout or theme.
    """
    for curve in curves:
        _check(curve)
    if layout not in ("wide", "narrow"):
        raise ValueError(f"layout: {layout!r} is neither 'wide' nor 'narrow'")
    named = [curve for curve in curves if not curve.is_faint]
    pencil, frame = Pencil(theme), _Frame(curves, len(named), layout, bool(note), has_zero, y_range)
    pieces = [pencil.box(0, 0, frame.width, frame.height, "page", round=12)]
    pieces.append(pencil.words(14, 28, title, 19, "ink", anchor="start", bold=True, within=frame.title_width))
    pieces.append(pencil.words(frame.width - 14, 28, unit, 16, "dim", anchor="end", within=frame.unit_width))
    pieces.append(_axes(pencil, frame, across))
    pieces += [_faint_line(pencil, frame, curve) for curve in curves if curve.is_faint]
    order = list(enumerate(named))
    pieces += [_band(pencil, frame, curve, k) for k, curve in order]
    pieces += [_line(pencil, frame, curve, k) for k, curve in order]
    pieces += [_key(pencil, frame, curve, k) for k, curve in order]
    if frame.is_empty:
        middle = (frame.left + frame.right) / 2
        pieces.append(pencil.words(middle, (frame.top + frame.foot) / 2, "nothing to show yet", 17, "dim"))
    if note:
        pieces.append(pencil.words(14, frame.height - 12, note, 14, "dim", anchor="start", within=frame.width - 28))
    label = "; ".join(f"{curve.name}: {_latest(curve, has_zero)}" for curve in named)
    return pencil.picture(frame.width, frame.height, "".join(pieces), f"{title}. {label} {unit}".strip())


def _check(curve: Curve) -> None:
    lengths = {len(curve.at), len(curve.values), *(len(band) for band in (curve.low, curve.high) if len(band))}
    if len(lengths) > 1 or len(curve.low) != len(curve.high):
        raise ValueError(
            f"curve {curve.name!r}: {len(curve.at)} places, {len(curve.values)} values and a band of {len(curve.low)} "
            f"and {len(curve.high)} ends; give as many of each, or no band"
        )


class _Frame:
    """Where everything is, and which values the axes have."""

    def __init__(
        self,
        curves: Sequence[Curve],
        named: int,
        layout: Layout,
        has_note: bool,
        has_zero: bool,
        y_range: tuple[float, float] | None,
    ) -> None:
        is_wide = layout == "wide"
        self.width, self.left = (720.0, 76.0) if is_wide else (390.0, 62.0)
        self.right, self.top = (500.0 if is_wide else self.width - 18), 46.0
        self.title_width, self.unit_width = (500.0, 170.0) if is_wide else (250.0, 104.0)
        self.foot = self.top + (250.0 if is_wide else 220.0)
        below = self.foot + 56
        self.key_left, self.key_top = (self.right + 18, self.top + 4) if is_wide else (18.0, below)
        self.key_row = 40.0 if is_wide else 24.0
        self.key_is_aside = is_wide
        end_of_key = self.key_top + self.key_row * named
        self.height = max(below, end_of_key) + (26 if has_note else 4)
        points = [point for curve in curves for point in _points(curve)]
        ends = [end for curve in curves for end in (*curve.low, *curve.high) if isfinite(end)]
        self.is_empty, self.is_signed = not points, has_zero
        self.x_ticks, self.x_range = _axis([x for x, _ in points], 5 if is_wide else 4, margin=0.0)
        values = list(y_range or [*(y for _, y in points), *ends, *([0.0] if has_zero else [])])
        self.y_ticks, self.y_range = _axis(values, 5, margin=0.0 if y_range else 0.05)

    def x(self, value: float) -> float:
        return self.left + _share(value, self.x_range) * (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a value is from the top, held within the picture."""
        return self.foot - min(max(_share(value, self.y_range), 0.0), 1.0) * (self.foot - self.top)


def _share(value: float, ends: tuple[float, float]) -> float:
    return (value - ends[0]) / (ends[1] - ends[0])


FLAT = 1e-9
"""Values that differ by less are the same: what is left of sums of floats."""


def _axis(values: Sequence[float], wanted: int, margin: float) -> tuple[list[float], tuple[float, float]]:
    """The ticks of an axis that has all the values, and its ends."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if high - low < FLAT:
        room = abs(low) / 10 if abs(low) > FLAT else 0.5
    else:
        room = margin * (high - low)
    low, high = low - room, high + room
    return ticks(low, high, wanted), (low, high)


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """About `wanted` round numbers within two ends: steps of 1, 2 or 5 times a power of ten.

    >>> ticks(-3.0, 27.0), ticks(0.0, 1.0, 3)
    ([0.0, 5.0, 10.0, 15.0, 20.0, 25.0], [0.0, 0.5, 1.0])
    """
    least = (high - low) / max(wanted, 1)
    power = 10.0 ** floor(log10(least))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= least * 0.8)
    first = floor(low / step)
    count = round((high - low) / step) + 3
    found = [round((first + k) * step, 12) + 0.0 for k in range(count)]
    slack = step * 1e-6
    return [value for value in found if low - slack <= value <= high + slack]


def tick_texts(places: Sequence[float]) -> list[str]:
    """The numbers at an axis's ticks: in one unit, with as many digits as their steps have.

    >>> tick_texts([0.0, 500_000.0, 1_000_000.0]), tick_texts([-0.05, 0.0]), tick_texts([0.0, 20_000.0])
    (['0', '0.5M', '1.0M'], ['−0.05', '0'], ['0', '20k'])
    """
    largest, step = max(map(abs, places), default=0.0), _step(places)
    unit, sign = next(((unit, sign) for least, unit, sign in UNITS if largest >= least), (1.0, ""))
    digits = min(max(0, -floor(log10(step / unit) + 1e-9)), 9)
    return ["0" if value == 0 else f"{value / unit:,.{digits}f}{sign}".replace("-", "−") for value in places]


def _axes(pencil: Pencil, frame: _Frame, across: str) -> str:
    """Thin lines at the ticks, a thick one at zero, and numbers."""
    drawn = []
    for value, text in zip(frame.y_ticks, tick_texts(frame.y_ticks), strict=True):
        y, thick = frame.y(value), 2.0 if value == 0 else 1.0
        drawn.append(
            pencil.box(frame.left, y - thick / 2, frame.right - frame.left, thick, "dim" if value == 0 else "tick")
        )
        drawn.append(pencil.words(frame.left - 8, y + 5, text, 15, "dim", anchor="end", within=frame.left - 12))
    for value, text in zip(frame.x_ticks, tick_texts(frame.x_ticks), strict=True):
        x = frame.x(value)
        drawn.append(pencil.box(x - 0.5, frame.foot, 1, 6, "dim"))
        is_last = x > frame.right - 14
        place, anchor = (x + 4, "end") if is_last else (x, "middle")
        drawn.append(pencil.words(place, frame.foot + 22, text, 15, "dim", anchor=anchor))
    drawn.append(pencil.box(frame.left, frame.foot - 0.5, frame.right - frame.left, 1, "dim"))
    middle = (frame.left + frame.right) / 2
    drawn.append(pencil.words(middle, frame.foot + 43, across, 15, "dim", within=frame.right - frame.left))
    return "".join(drawn)


def _step(places: Sequence[float]) -> float:
    return min((b - a for a, b in pairwise(places)), default=abs(places[0]) if places and places[0] else 1.0)


def _points(curve: Curve) -> list[Point]:
    pairs = zip(curve.at, curve.values, strict=True)
    return [(float(x), float(y)) for x, y in pairs if isfinite(x) and isfinite(y)]


def _pieces(flags: Sequence[bool]) -> list[range]:
    """The runs of places at which something is there."""
    edges = [k for k in range(len(flags) + 1) if (k < len(flags) and flags[k]) != (k > 0 and flags[k - 1])]
    return [range(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _colour(number: int) -> str:
    return f"curve-{number % CURVES + 1}"


def _dash(number: int) -> str:
    return DASHES[number % len(DASHES)]


def _band(pencil: Pencil, frame: _Frame, curve: Curve, number: int) -> str:
    """The band as an area; around a single point, a bar."""
    if not len(curve.low):
        return ""
    known = [all(map(isfinite, each)) for each in zip(curve.at, curve.values, curve.low, curve.high, strict=True)]
    drawn = ""
    for run in _pieces(known):
        upper = [(frame.x(curve.at[k]), frame.y(curve.high[k])) for k in run]
        lower = [(frame.x(curve.at[k]), frame.y(curve.low[k])) for k in reversed(run)]
        if len(run) == 1:
            drawn += pencil.track([upper[0], lower[0]], _colour(number), line=2)
        else:
            drawn += pencil.patch([*upper, *lower], _colour(number), opacity=BAND)
    return drawn


def _line(pencil: Pencil, frame: _Frame, curve: Curve, number: int) -> str:
    known = [isfinite(x) and isfinite(y) for x, y in zip(curve.at, curve.values, strict=True)]
    drawn = ""
    for run in _pieces(known):
        points = [(frame.x(curve.at[k]), frame.y(curve.values[k])) for k in run]
        drawn += pencil.track(points, _colour(number), line=2.4, dash=_dash(number)) if len(points) > 1 else ""
    places = [(frame.x(x), frame.y(y)) for x, y in _points(curve)]
    # Curves of many points have their marks at different places, so that none hides another.
    every = 1 if len(places) <= FEW else len(places) // MARKED
    begin = 0 if every == 1 else (number * every // len(MARKS)) % every
    marked = places[begin::every]
    return drawn + "".join(_mark(pencil, x, y, number) for x, y in marked)


def _faint_line(pencil: Pencil, frame: _Frame, curve: Curve) -> str:
    points = [(frame.x(x), frame.y(y)) for x, y in _points(curve)]
    return pencil.track(points, "faint", line=1) if len(points) > 1 else ""


def _mark(pencil: Pencil, x: float, y: float, number: int, size: float = 4.2) -> str:
    colour, kind = _colour(number), MARKS[number % len(MARKS)]
    shapes: dict[str, list[Point]] = {
        "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        "triangle": [(0, -1.3), (1.2, 1), (-1.2, 1)],
        "wedge": [(0, 1.3), (1.2, -1), (-1.2, -1)],
        "diamond": [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)],
    }
    if kind in shapes:
        return pencil.patch([(x + size * right, y + size * down) for right, down in shapes[kind]], colour)
    return pencil.spot(x, y, size, colour, is_ring=kind == "ring")


def _key(pencil: Pencil, frame: _Frame, curve: Curve, number: int) -> str:
    """A piece of the line, the name, and the last value."""
    x, y = frame.key_left, frame.key_top + frame.key_row * number + 9
    sample = pencil.track([(x, y), (x + 30, y)], _colour(number), line=2.4, dash=_dash(number))
    sample += _mark(pencil, x + 15, y, number)
    name, value = shown_name(curve.name, NAME), _latest(curve, frame.is_signed)
    if frame.key_is_aside:
        room = frame.width - x - 50
        first = pencil.words(x + 38, y + 5, name, 15, "ink", anchor="start", within=room)
        return sample + first + pencil.words(x + 38, y + 22, value, 14, "dim", anchor="start", within=room)
    first = pencil.words(x + 38, y + 5, name, 15, "ink", anchor="start", within=185)
    return sample + first + pencil.words(frame.width - 14, y + 5, value, 15, "dim", anchor="end", within=130)


def _latest(curve: Curve, is_signed: bool = False) -> str:
    """The last value, with half the width of its band where it is in the middle of it."""
    last = next((k for k in reversed(range(len(curve.values))) if isfinite(curve.values[k])), None)
    if last is None:
        return "–"
    value, sign = curve.values[last], "+" if is_signed else ""
    text = f"{value:{sign},.{_digits(value)}f}"
    if len(curve.low) and isfinite(half := (curve.high[last] - curve.low[last]) / 2):
        is_middle = abs(curve.high[last] - value - half) <= 1e-9 * max(abs(half), 1.0)
        text += f" ± {half:,.{_digits(value)}f}" if is_middle else ""
    return text.replace("-", "−")


def _digits(value: float) -> int:
    """Decimals that show three significant digits, and at most one of a large number."""
    size = abs(value)
    return 0 if size >= 1000 or size == 0 else 1 if size >= 10 else min(2 - floor(log10(size)), 6)


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
    if 0 < line.half_width < 1:
        digits = max(1, min(_digits(line.half_width) - 1, 4 - floor(log10(max(abs(line.mean), line.half_width)))))
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
