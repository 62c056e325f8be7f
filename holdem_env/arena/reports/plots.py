"""The pictures of a report, as SVG: crosstable, cumulative winnings, what agents do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...game.position_names import position_names
from ...game.street_names import STREETS
from ...render.charts import Curve, curve_svg
from ...render.pencil import Pencil, stacked
from ...utils.atomic import write_atomically
from ...utils.shown_names import shown_name
from ..observed.player_stats import ACTIONS
from ..statistics.intervals import sequence
from ..tournaments.standings import Standings

POINTS = 400
MANY = 12  # with more agents than this, pictures are drawn smaller and with less in them
NAME = 24  # characters of a name in a picture
FULL_COLOUR = 0.95
"""The quantile of a large crosstable's rates that has the strongest colour, as a few extremes make all others pale."""
WINS, LOSES = "curve-1", "curve-2"
STRONGEST = 0.75  # opacity of a cell's colour, so that its numbers can be read
COLOURS_OF_ACTIONS = ("tick", "part-3", "part-1", "part-2", "minus")
HEAD = 40.0  # height of a picture's key


def draw_crosstable(found: Standings, path: Path) -> Path:
    """Write the crosstable as a heat map. Up to MANY agents have their numbers in the cells; of more, a dot says that
    the interval holds 0, and the page has the numbers."""
    names = [shown_name(name, NAME) for name in found.names]
    many = len(names) > MANY
    rates = {pair: estimate.rate for pair, estimate in found.cross.items()}
    size = np.abs([mean for mean, _ in rates.values()])
    most = float(np.quantile(size, FULL_COLOUR if many else 1.0)) or 1.0
    width, height, left, text = (20.0, 20.0, 150.0, 11.0) if many else (110.0, 56.0, 180.0, 15.0)
    top = HEAD + (130.0 if many else 34.0)
    pencil = Pencil()
    across, down = left + width * len(names) + 12, top + height * len(names) + 12
    pieces = [pencil.box(0, 0, across, down, "page", round=12)]
    pieces.append(_key(pencil, (("wins", WINS), ("loses", LOSES)), f"the row's agent, in {found.unit.name}"))
    for k, name in enumerate(names):
        middle = left + width * (k + 0.5)
        label = pencil.words(0, 0, name, text, "ink", anchor="start", within=120) if many else ""
        pieces.append(
            f'<g transform="translate({middle + 4:g} {top - 6:g}) rotate(-90)">{label}</g>'
            if many
            else pencil.words(middle, top - 10, name, text, "ink", within=width - 6)
        )
        y = top + height * (k + 0.5) + text / 3
        pieces.append(pencil.words(left - 10, y, name, text, "ink", anchor="end", within=left - 20))
    places = {name: place for place, name in enumerate(found.names)}
    for (one, two), (mean, half) in rates.items():
        x, y = left + width * places[two], top + height * places[one]
        corners = [(x, y), (x + width - 1, y), (x + width - 1, y + height - 1), (x, y + height - 1)]
        opacity = max(STRONGEST * min(abs(mean) / most, 1.0), 0.02)
        pieces.append(pencil.patch(corners, WINS if mean > 0 else LOSES, opacity=opacity))
        middle = x + width / 2
        if not many:
            rate, _, width_text = found.unit.text(mean, half).partition(" ")
            pieces.append(pencil.words(middle, y + 25, rate.replace("-", "−"), 15, "ink", within=width - 8))
            pieces.append(pencil.words(middle, y + 43, width_text, 13, "ink", within=width - 8))
        elif abs(mean) <= half:
            pieces.append(pencil.disc(middle, y + height / 2, 2.0, "ink"))
    title = f"Crosstable in {found.unit.name} of the row's agent"
    write_atomically(path, pencil.picture(across, down, "".join(pieces), title))
    return path


def _key(pencil: Pencil, entries: Sequence[tuple[str, str]], words: str = "") -> str:
    pieces, x = [], 14.0
    for name, colour in entries:
        square = [(x, 12.0), (x + 16, 12.0), (x + 16, 28.0), (x, 28.0)]
        if colour in (WINS, LOSES):
            pieces.append(pencil.patch(square, colour, opacity=STRONGEST))
        else:
            pieces.append(pencil.box(x, 12, 16, 16, colour))
        pieces.append(pencil.words(x + 24, 25, name, 14, "ink", anchor="start"))
        x += 48 + 9 * len(name)
    return "".join(pieces) + pencil.words(x, 25, words, 14, "dim", anchor="start")


def winnings(values: NDArray[np.float64], confidence: float) -> dict[str, NDArray[np.float64]]:
    """Cumulative winnings after some of the deals, with the confidence sequence around them: deals, total, low, high.

    values: an agent's results in each deal.
    """
    values = values[~np.isnan(values)]
    mean, half = sequence(values, confidence, best_at=max(len(values), 1))
    at = np.unique(np.linspace(0, len(values) - 1, min(POINTS, len(values))).astype(int))
    count = at + 1.0
    found = {"total": mean, "low": mean - half, "high": mean + half}
    return {"deals": count, **{name: values[at] * count for name, values in found.items()}}


def draw_winnings(series: Mapping[str, Mapping[str, NDArray[np.float64]]], unit: str, deals: str, path: Path) -> Path:
    """Write everybody's cumulative winnings: one panel each with the same axes, the others in grey behind."""
    count = len(series)
    columns = 4 if count > MANY else count if count < 4 else 2 if count == 4 else 3
    top = max(float(np.abs(one["total"]).max()) for one in series.values()) * 1.25 or 1.0
    step = POINTS // 80
    behind = [
        Curve("", one["deals"][::step].tolist(), one["total"][::step].tolist(), is_faint=True)
        for one in series.values()
    ]
    panels = []
    for name, one in series.items():
        own = Curve("in all", *(one[key].tolist() for key in ("deals", "total", "low", "high")))
        shown = shown_name(name, NAME), deals, unit
        panels.append(curve_svg([*behind, own], *shown, has_zero=True, y_range=(-top, top), layout="narrow"))
    write_atomically(path, stacked(panels, "Cumulative winnings with confidence bands", columns))
    return path


def labels_of_positions(seats: int, has_blinds: bool) -> list[str]:
    """The names of seats by their distance from the button, which is 0."""
    if not has_blinds:
        return ["BTN", *(f"BTN+{k}" for k in range(1, seats))]
    names = [position.name for position in position_names(seats)]
    return names if seats == 2 else [names[-1], *names[:-1]]


def draw_actions(
    names: Sequence[str], actions: NDArray[np.int64], labels: Sequence[str], streets: int, path: Path
) -> Path:
    """Write what each agent does: a column of bars a street, in it a group for each agent, a bar for each position.

    actions: (agents, seats, streets, 5) counts. labels: of the positions.
    """
    seats, many = actions.shape[1], len(names) > MANY
    bar, gap, width, left = (9.0, 9.0, 150.0, 230.0) if many else (16.0, 14.0, 190.0, 270.0)
    group, top = bar * seats + gap, HEAD + 28
    pencil = Pencil()
    across, down = left + (width + 20) * streets, top + group * len(names) + 30
    pieces = [pencil.box(0, 0, across, down, "page", round=12)]
    pieces.append(_key(pencil, list(zip(ACTIONS, COLOURS_OF_ACTIONS, strict=True))))
    for row, name in enumerate(names):
        y = top + group * row
        size = 12 if many else 15
        within = left - 70
        middle = y + bar * seats / 2 + size / 3
        pieces.append(pencil.words(14, middle, shown_name(name, NAME), size, "ink", anchor="start", within=within))
        for seat, label in enumerate(labels):
            pieces.append(pencil.words(left - 8, y + bar * (seat + 0.8), label, bar * 0.8, "dim", anchor="end"))
    for street in range(streets):
        x = left + (width + 20) * street
        pieces.append(pencil.words(x + width / 2, top - 10, STREETS[street], 15, "ink"))
        for part, words in ((0.0, "0"), (0.5, "50"), (1.0, "100 %")):
            anchor = "end" if part == 1.0 else "middle"
            pieces.append(pencil.words(x + width * part, down - 12, words, 13, "dim", anchor=anchor))
        for row, seat in np.ndindex(len(names), seats):
            y = top + group * row + bar * seat
            pieces.append(_bar(pencil, actions[row, seat, street], x, y, width, bar * 0.82))
    write_atomically(path, pencil.picture(across, down, "".join(pieces), "Actions by street and position"))
    return path


def _bar(pencil: Pencil, counts: NDArray[np.int64], x: float, y: float, width: float, height: float) -> str:
    ends = x + width * np.concatenate([[0], np.cumsum(counts)]) / max(int(counts.sum()), 1)
    parts = zip(COLOURS_OF_ACTIONS, ends, ends[1:], strict=False)
    return "".join(pencil.box(a, y, b - a, height, colour) for colour, a, b in parts if b > a)
