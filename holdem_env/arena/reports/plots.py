"""The pictures of a report, drawn with Matplotlib: crosstable, cumulative winnings, what agents do."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...game.position_names import position_names
from ...game.street_names import STREETS
from ...utils.atomic import whole_file
from ...utils.shown_names import in_picture
from ..observed.habits import ACTIONS
from ..statistics.intervals import sequence
from ..tournaments.standings import Standings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT = "#2b2b2b", "#dddddd"
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
"""Okabe and Ito's colours, which people of all kinds of sight can tell apart."""
OF_ACTIONS = ("#bdbdbd", "#c6dbef", "#6baed6", "#fdae6b", "#d94801")
POINTS = 400
DPI = 110
MANY = 12
"""With more agents than this, pictures are drawn smaller and with less in them."""
FULL_COLOUR = 0.95
"""The share of a large crosstable's cells below the strongest colour, as a few extreme rates make all others pale."""


def figure(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Figure, Any]:
    """A figure that does not touch pyplot's global state; its axes, (rows, columns)."""
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    return made, made.subplots(rows, columns, squeeze=False)


def save(made: Figure, path: Path) -> Path:
    """Write a figure as PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(made)
    with whole_file(path) as file, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)  # signs in names
        made.savefig(file, format="png", dpi=DPI, facecolor="white")
    return path


def plain(axes: Axes) -> None:
    """Few lines, none of them loud."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FAINT)
    axes.tick_params(colors=INK, length=0)


def draw_crosstable(found: Standings, path: Path) -> Path:
    """The crosstable as a heat map: blue wins, red loses. Up to MANY agents have their numbers in the cells; of more,
    a dot says that the interval holds 0, and the page has the numbers."""
    names = found.names
    many = len(names) > MANY
    means, halves = (np.full((len(names), len(names)), np.nan) for _ in range(2))
    places = {name: place for place, name in enumerate(names)}
    for (one, two), estimate in found.cross.items():
        means[places[one], places[two]], halves[places[one], places[two]] = estimate.bb100
    most = float(np.nanquantile(np.abs(means), FULL_COLOUR if many else 1.0)) or 1.0
    size = (
        (2.4 + 0.2 * len(names), 1.4 + 0.2 * len(names)) if many else (2.2 + 1.15 * len(names), 1.6 + 0.62 * len(names))
    )
    made, axes = figure(*size)
    ax = axes[0, 0]
    image = ax.imshow(means, cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
    if many:
        y, x = np.nonzero(np.abs(means) <= halves)
        ax.scatter(x, y, s=4, color=INK, linewidths=0)
    else:
        _write_cells(ax, means, halves, most)
    labels = [in_picture(name) for name in names]
    ax.set_xticks(range(len(names)), labels, rotation=90 if many else 25, ha="center" if many else "left")
    if not many:
        for label in ax.get_xticklabels():
            label.set_rotation_mode("anchor")
    ax.set_yticks(range(len(names)), labels)
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0, colors=INK)
    ax.tick_params(labelsize=7.5 if many else None)
    ax.spines[:].set_visible(False)
    bar = made.colorbar(image, ax=ax, shrink=0.85, extend="both" if many else "neither")
    bar.set_label("bb/100 of the row's agent", color=INK)
    bar.outline.set_visible(False)
    return save(made, path)


def _write_cells(ax: Axes, means: NDArray[np.float64], halves: NDArray[np.float64], most: float) -> None:
    for i, j in np.argwhere(~np.isnan(means)).tolist():
        colour = "white" if abs(means[i, j]) > 0.6 * most else INK
        half = f"{halves[i, j]:.0f}" if np.isfinite(halves[i, j]) else "∞"
        text = f"{means[i, j]:+.0f}\n± {half}"
        ax.text(j, i, text, ha="center", va="center", fontsize=8.5, color=colour)


def winnings(values: NDArray[np.float64], confidence: float) -> dict[str, NDArray[np.float64]]:
    """Cumulative winnings after some of the deals, with the confidence sequence around them: deals, total, low, high.

    values: an agent's results in each deal.
    """
    values = values[~np.isnan(values)]
    mean, half = sequence(values, confidence, best_at=max(len(values), 1))
    at = np.unique(np.linspace(0, len(values) - 1, min(POINTS, len(values))).astype(int))
    count = at + 1.0
    return {
        "deals": count,
        "total": mean[at] * count,
        "low": (mean - half)[at] * count,
        "high": (mean + half)[at] * count,
    }


def draw_winnings(series: Mapping[str, Mapping[str, NDArray[np.float64]]], unit: str, deals: str, path: Path) -> Path:
    """Everybody's cumulative winnings, one small picture each with the same axes, the others in grey behind."""
    from matplotlib.collections import LineCollection

    count = len(series)
    many = count > MANY
    columns = 6 if many else count if count < 4 else 2 if count == 4 else 3
    rows = -(-count // columns)
    width, height = (2.2, 1.6) if many else (3.6, 2.5)
    made, axes = figure(width * columns, height * rows, rows, columns)
    top = max(float(np.abs(one["total"]).max()) for one in series.values()) * 1.25 or 1.0
    end = max(float(one["deals"][-1]) for one in series.values())
    step = POINTS // 80 if many else 1
    behind = [np.stack([one["deals"], one["total"]], axis=1)[::-step] for one in series.values()]
    for k, ax in enumerate(axes.ravel()):
        if k >= count:
            ax.set_visible(False)
            continue
        name = list(series)[k]
        ax.add_collection(LineCollection(behind, colors=FAINT, linewidths=0.4 if many else 0.8))
        _draw_own(ax, series[name], LINES[k % len(LINES)])
        ax.set_xlim(0, 1.02 * end)
        ax.set_ylim(-top, top)
        title = f"{in_picture(name)}  {series[name]['total'][-1]:+,.0f}"
        ax.set_title(title, fontsize=8 if many else 10, color=INK, loc="left")
        plain(ax)
        ax.tick_params(labelsize=7 if many else None)
        ax.yaxis.set_major_formatter("{x:,.0f}" if top > 2 else "{x:.4g}")
        ax.locator_params(nbins=3 if many else 5)
        ax.locator_params(axis="x", integer=True)
        if k % columns == 0:
            ax.set_ylabel(unit, color=INK)
        else:
            ax.set_yticklabels([])
        if k // columns == rows - 1:
            ax.set_xlabel(deals, color=INK)
    return save(made, path)


def _draw_own(ax: Axes, own: Mapping[str, NDArray[np.float64]], colour: str) -> None:
    """One agent's winnings, and the band around them."""
    band = np.isfinite(own["low"])
    ax.fill_between(own["deals"][band], own["low"][band], own["high"][band], color=colour, alpha=0.2, linewidth=0)
    ax.plot(np.append(0.0, own["deals"]), np.append(0.0, own["total"]), color=colour, linewidth=1.6)
    ax.axhline(0, color=INK, linewidth=0.6)


def labels_of_positions(seats: int) -> list[str]:
    """The names of seats by their distance from the button, which is 0."""
    names = [position.name for position in position_names(seats)]
    return names if seats == 2 else [names[-1], *names[:-1]]


def draw_actions(names: Sequence[str], actions: NDArray[np.int64], streets: int, path: Path) -> Path:
    """What each agent does: a column of bars a street, in it a group for each agent, a bar for each position.

    actions: (agents, seats, streets, 5) counts.
    """
    seats, many = actions.shape[1], len(names) > MANY
    labels = labels_of_positions(seats)
    group = 0.14 * (seats + 1) if many else 0.5 + 0.17 * seats
    made, axes = figure(2.9 * streets, 0.9 + group * len(names), 1, streets)
    spacing = seats + (1.0 if many else 2.0)
    places = (spacing * np.arange(len(names))[:, None] + np.arange(seats)).ravel()
    for street, ax in enumerate(axes[0]):
        counts = actions[:, :, street].reshape(-1, actions.shape[-1])
        parts = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        left = np.zeros(len(parts))
        for kind, action in enumerate(ACTIONS):
            ax.barh(places, parts[:, kind], left=left, color=OF_ACTIONS[kind], label=action, height=0.8)
            left += parts[:, kind]
        ax.set_yticks(places, labels * len(names) if street == 0 else [""] * len(places), fontsize=6 if many else 8)
        ax.set_xlim(0, 1)
        ax.set_xticks([0, 0.5, 1], ["0", "50", "100 %"], fontsize=8)
        ax.set_ylim(places[-1] + 1, -1)
        plain(ax)
        ax.spines[:].set_visible(False)
        ax.set_title(STREETS[street], fontsize=10, color=INK)
    for row, name in enumerate(names):
        middle = spacing * row + (seats - 1) / 2
        placed = {"xycoords": axes[0, 0].get_yaxis_transform(), "textcoords": "offset points"}
        size = 7.5 if many else 9
        axes[0, 0].annotate(in_picture(name), (0, middle), (-34, 0), ha="right", va="center", fontsize=size, **placed)
    handles, words = axes[0, 0].get_legend_handles_labels()
    made.legend(handles, words, loc="outside upper center", ncols=len(ACTIONS), frameon=False)
    return save(made, path)
