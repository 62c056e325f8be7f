"""The 169 kinds of starting hands as a chart of 13 by 13: a range, or what somebody does with each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import COMBO_CARDS, COMBO_OF, COMBOS
from ..cards.ranges import Range
from ..cards.text import RANKS, SUITS
from .pencil import Pencil

Layout = Literal["wide", "narrow"]
KINDS = len(RANKS)
CELL, MARGIN, TOP = 53.0, 16.0, 44.0
NARROW_TOP, NARROW_KEY = 92.0, 46.0
"""Of a chart for a phone: the room for title and note in two lines, and for each line of the key."""
WIDTH = KINDS * CELL + 2 * MARGIN
MAX_PARTS, IN_LINE = 8, 3

PARTS = tuple(f"part-{k}" for k in range(1, 5))
FULL: NDArray[np.float64] = np.ones((KINDS, KINDS))

_RANKS = COMBO_CARDS // len(SUITS)
_SUITED = COMBO_CARDS[:, 0] % len(SUITS) == COMBO_CARDS[:, 1] % len(SUITS)
# Aces come first. The higher rank is the row of suited hands and the column of the others.
_HIGH, _LOW = KINDS - 1 - _RANKS.max(axis=1), KINDS - 1 - _RANKS.min(axis=1)
CELLS: tuple[NDArray[np.int64], NDArray[np.int64]] = (
    np.where(_SUITED, _HIGH, _LOW),
    np.where(_SUITED, _LOW, _HIGH),
)
"""Row and column of each of the 1,326 hands in the chart."""
IN_CELL: NDArray[np.float64] = np.zeros((KINDS, KINDS))
"""(13, 13): how many of the 1,326 hands each cell stands for: 6 of a pair, 4 suited, 12 offsuit."""
np.add.at(IN_CELL, CELLS, 1.0)


def hand_name(row: int, column: int) -> str:
    """What a cell of the chart is called.

    >>> hand_name(0, 0), hand_name(0, 1), hand_name(1, 0)
    ('AA', 'AKs', 'AKo')
    """
    high, low = (RANKS[KINDS - 1 - place] for place in sorted((row, column)))
    return high + low + ("" if row == column else "s" if row < column else "o")


def cell_means(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """(1326, ...) -> (13, 13, ...): the mean over the hands of each cell."""
    sums = np.zeros((KINDS, KINDS, *values.shape[1:]))
    np.add.at(sums, CELLS, values)
    return sums / IN_CELL.reshape(KINDS, KINDS, *[1] * (values.ndim - 1))


def range_svg(hands: Range, theme: str = "auto", layout: Layout = "wide") -> str:
    """A range as a chart: of every kind of hand, how much of it is in the range. layout: as of `chart_svg`."""
    weights = np.zeros(COMBOS)
    weights[COMBO_OF[hands.cards[:, 0], hands.cards[:, 1]]] = hands.weights
    count = float(weights.sum())
    note = f"{count:,.4g} of {COMBOS:,} hands, {100 * count / COMBOS:.1f} %"
    return chart_svg(cell_means(weights)[..., np.newaxis], hands.text, note, theme=theme, layout=layout)


def chart_svg(
    shares: NDArray[np.floating],
    title: str,
    note: str = "",
    legend: Sequence[str] = (),
    theme: str = "auto",
    layout: Layout = "wide",
    colours: Sequence[str] = PARTS,
    fills: NDArray[np.floating] = FULL,
) -> str:
    """Return a 13 by 13 chart as SVG text.

    `cell_means` makes shares of values for each of the 1,326 hands.

    Args:
        shares: (13, 13, parts), how much of a cell each of up to eight parts fills, 0..1 and together at most 1.
        title: The heading.
        note: Words beside the title, or below it in a narrow chart.
        legend: The name of each part.
        theme: "light", "dark", or "auto", which follows the reader's settings.
        layout: "wide", or "narrow", which has larger words, for pages as wide as a phone.
        colours: The colours of the parts, by their names in the theme.
        fills: (13, 13), how high the parts of a cell are, 0..1.

    Raises:
        ValueError: If shares have another shape or are above 1 together, or the layout is unknown.
    """
    parts = shares.shape[-1]
    if shares.shape != (KINDS, KINDS, parts) or not 1 <= parts <= min(MAX_PARTS, len(colours)):
        most = min(MAX_PARTS, len(colours))
        raise ValueError(f"shares: the shape is {shares.shape}; give (13, 13, parts), with 1 to {most} parts")
    if not (shares >= 0).all() or shares.sum(axis=-1).max() > 1 + 1e-6:
        raise ValueError("shares: a cell is filled by parts of 0 or more that together make 1 at most")
    if len(legend) not in (0, parts):
        raise ValueError(f"legend: {len(legend)} words for {parts} parts; give one for each, or none")
    if layout not in ("wide", "narrow"):
        raise ValueError(f"layout: {layout!r} is neither 'wide' nor 'narrow'")
    pencil, is_wide = Pencil(theme), layout == "wide"
    top = TOP if is_wide else NARROW_TOP
    below = 34.0 * -(-len(legend) // IN_LINE) if is_wide else NARROW_KEY * -(-len(legend) // 2)
    end = top + KINDS * CELL + MARGIN
    pieces = [pencil.box(0, 0, WIDTH, end + below, "page", round=16)]
    if is_wide:
        pieces.append(pencil.words(MARGIN, 30, title, 21, "ink", anchor="start", bold=True, within=WIDTH - 310))
        pieces.append(pencil.words(WIDTH - MARGIN, 30, note, 19, "dim", anchor="end", within=260))
    else:
        pieces.append(pencil.words(MARGIN, 38, title, 34, "ink", anchor="start", bold=True, within=WIDTH - 2 * MARGIN))
        pieces.append(pencil.words(MARGIN, 76, note, 28, "dim", anchor="start", within=WIDTH - 2 * MARGIN))
    size = 19 if is_wide else 24
    pieces += [
        _cell(pencil, row, column, _parts(shares, colours, row, column), fills[row, column], top, size)
        for row in range(KINDS)
        for column in range(KINDS)
    ]
    pieces += [_key(pencil, k, word, colours[k], end, is_wide) for k, word in enumerate(legend)]
    return pencil.picture(WIDTH, end + below, "".join(pieces), f"{title}: {note}" if note else title)


Part = tuple[float, str]
"""How much of a cell, in which colour."""


def _parts(shares: NDArray[np.floating], colours: Sequence[str], row: int, column: int) -> list[Part]:
    return list(zip(shares[row, column].tolist(), colours[: shares.shape[-1]], strict=True))


def _cell(pencil: Pencil, row: int, column: int, parts: Sequence[Part], height: float, top: float, size: float) -> str:
    """Parts fill a cell from the left; a share that is neither nothing nor all is written, too."""
    x, y, inside = MARGIN + column * CELL, top + row * CELL, CELL - 2
    drawn, begin = pencil.box(x + 1, y + 1, inside, inside, "cell", round=5), x + 1
    high = float(height) * inside
    for share, colour in parts:
        if share > 0:
            drawn += pencil.box(begin, y + 1 + inside - high, share * inside, high, colour, round=min(5, share * 5))
            begin += share * inside
    shares = [share for share, _ in parts]
    partial = len(shares) == 1 and 0 < shares[0] < 1
    middle, line = x + CELL / 2, y + CELL / 2 + (1 if partial else round(0.36 * size))
    drawn += pencil.words(middle, line, hand_name(row, column), size, "ink" if any(shares) else "dim", bold=any(shares))
    if partial:
        drawn += pencil.words(middle, y + CELL - 9, f"{100 * shares[0]:.0f} %", round(0.79 * size), "ink")
    return drawn


def _key(pencil: Pencil, part: int, word: str, colour: str, top: float, is_wide: bool) -> str:
    """A colour and its word: three in a line, on a narrow chart two."""
    size, columns, line = (20.0, IN_LINE, 34.0) if is_wide else (32.0, 2, NARROW_KEY)
    width = (WIDTH - 2 * MARGIN) / columns
    x, y = MARGIN + part % columns * width, top + part // columns * line
    words = pencil.words(
        x + 1.4 * size, y + round(0.8 * size), word, round(0.9 * size), "ink", anchor="start", within=width - 1.8 * size
    )
    return pencil.box(x, y, size, size, colour, round=4) + words
