"""Pencil: what draws SVG, piece by piece. Every piece is text, and a picture is the pieces joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from unicodedata import east_asian_width

from ..utils.shown_names import shown_name
from .theme import FONT, prefix_of, style_sheet

Point = tuple[float, float]
GAP = 12.0
"""Between drawings in one picture."""
AVERAGE, WIDE = 0.57, 1.05
"""About how wide a letter is, in its font's size: one of Latin, and one that fills a square."""


class Pencil:
    """Draws in the colours of one theme: "auto", "light" or "dark". Words are escaped here and nowhere else."""

    def __init__(self, theme: str = "auto") -> None:
        self.theme = theme
        self.prefix = prefix_of(theme)

    def picture(self, width: float, height: float, pieces: str, label: str) -> str:
        """The whole SVG. label: what the picture says, for those who cannot see it."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(label)}" '
            f'style="max-width:100%;height:auto" font-family="{escape(FONT)}">'
            f"<style>{style_sheet(self.theme)}</style>{pieces}</svg>"
        )

    def classes(self, *names: str) -> str:
        """The class attribute for some of the theme's colours."""
        return " ".join(f"{self.prefix}-{name}" for name in names)

    def box(
        self, x: float, y: float, width: float, height: float, *colours: str, round: float = 0.0, line: float = 0.0
    ) -> str:
        """A rectangle. round: the radius of its corners; line: how thick its edge is."""
        return (
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round:g}" '
            f'class="{self.classes(*colours)}"{_line(line)}/>'
        )

    def disc(self, x: float, y: float, radius: float, *colours: str, line: float = 0.0) -> str:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="{self.classes(*colours)}"{_line(line)}/>'

    def shape(self, path: str, x: float, y: float, size: float, *colours: str) -> str:
        """A path that is drawn in a square of 100, put into the square of `size` at (x, y)."""
        place = f"translate({x:g} {y:g}) scale({size / 100:g})"
        return f'<path d="{path}" transform="{place}" class="{self.classes(*colours)}"/>'

    def words(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *colours: str,
        anchor: str = "middle",
        bold: bool = False,
        within: float | None = None,
    ) -> str:
        """A line of text. anchor: "start", "middle" or "end" of it is at x; within: as wide as it may be. Amounts are
        made smaller where other words would be cut."""
        if within is not None:
            is_amount = not any(sign.isalpha() for sign in text)
            text, size = fitted(text, within, size, 0.3 if is_amount else 0.75)
        weight = ' font-weight="bold"' if bold else ""
        return (
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"{weight} '
            f'class="{self.classes(*colours)}">{escape(text)}</text>'
        )

    def track(self, points: Sequence[Point], *colours: str, line: float = 2.0, dash: str = "") -> str:
        """A line through points, in the text colour of a class. dash: SVG's lengths of dashes and gaps."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        return (
            f'<polyline points="{_places(points)}" fill="none" stroke="currentColor" stroke-width="{line:g}" '
            f'stroke-linejoin="round" stroke-linecap="round" class="{self.classes(*colours)}"{dashes}/>'
        )

    def patch(self, points: Sequence[Point], *colours: str, opacity: float = 1.0) -> str:
        """The area within points, in the text colour of a class."""
        see_through = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
        return (
            f'<polygon points="{_places(points)}" fill="currentColor" class="{self.classes(*colours)}"{see_through}/>'
        )

    def spot(self, x: float, y: float, radius: float, *colours: str, is_ring: bool = False) -> str:
        """A small disc or ring around a point, in the text colour of a class."""
        paint = 'fill="none" stroke="currentColor" stroke-width="2"' if is_ring else 'fill="currentColor"'
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {paint} class="{self.classes(*colours)}"/>'

    def slot(self, x: float, y: float, width: float, height: float, round: float) -> str:
        """An empty place on the felt."""
        return (
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round:g}" fill="none" '
            f'class="{self.classes("slot")}" stroke-width="1.5" stroke-dasharray="5 5"/>'
        )

    def faded(self, pieces: str) -> str:
        return f'<g opacity="0.5">{pieces}</g>'


def stacked(drawings: Sequence[str], label: str, columns: int = 1) -> str:
    """Drawings of one size in one SVG, row by row. label: what the whole says, for those who cannot see it."""
    sizes = [_size(drawing) for drawing in drawings]
    width = max((size[0] for size in sizes), default=0.0)
    rows = [range(first, min(first + columns, len(drawings))) for first in range(0, len(drawings), columns)]
    pieces, top = "", 0.0
    for row in rows:
        for column, k in enumerate(row):
            place = f'<svg x="{column * (width + GAP):g}" y="{top:g}"'
            pieces += re.sub(r' style="[^"]*"', "", drawings[k].replace("<svg", place, 1), count=1)
        top += max(sizes[k][1] for k in row) + GAP
    total = (columns * (width + GAP) - GAP, max(top - GAP, 0.0))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total[0]:g}" height="{total[1]:g}" '
        f'viewBox="0 0 {total[0]:g} {total[1]:g}" role="img" aria-label="{escape(label)}" '
        f'style="max-width:100%;height:auto">{pieces}</svg>'
    )


def _size(drawing: str) -> tuple[float, float]:
    """Width and height of a drawing."""
    found = re.search(r'width="([0-9.]+)" height="([0-9.]+)"', drawing)
    assert found is not None
    return float(found[1]), float(found[2])


def fitted(text: str, width: float, size: float, least: float = 0.75) -> tuple[str, float]:
    """A text and the size in which it fits into a width: smaller down to `least` of the size, then cut in the middle.

    >>> fitted("short", 200, 20)
    ('short', 20)
    >>> fitted("a rather long name for a seat", 150, 20)
    ('a rather…r a seat', 15.0)
    """
    needed = text_width(text) * size
    if needed <= width:
        return text, size
    if needed * least <= width:
        return text, round(size * width / needed, 1)
    size *= least
    while text_width(text) * size > width and len(text) > 1:
        text = shown_name(text, len(text) - 1)
    return text, size


def text_width(text: str) -> float:
    """About how wide a text is, in its font's size."""
    return sum(WIDE if east_asian_width(sign) in "WF" else AVERAGE for sign in text)


def _places(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _line(thickness: float) -> str:
    return f' stroke-width="{thickness:g}"' if thickness else ""
