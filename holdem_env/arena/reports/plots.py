"""The pictures of a report, drawn with Matplotlib: crosstable, cumulative winnings, what agents do."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...game.position_names import position_names
from ...render.table_text import STREETS
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
    """The crosstable as a heat map: blue wins, red loses; pale cells are those whose interval holds 0."""
    names = found.names
    rates = np.full((len(names), len(names)), np.nan)
    for i, one in enumerate(names):
        for j, two in enumerate(names):
            if (one, two) in found.cross:
                rates[i, j] = found.cross[one, two].bb100[0]
    most = float(np.nanmax(np.abs(rates))) or 1.0
    made, axes = figure(2.2 + 1.15 * len(names), 1.6 + 0.62 * len(names))
    ax = axes[0, 0]
    image = ax.imshow(rates, cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
    for (one, two), estimate in found.cross.items():
        mean, half = estimate.bb100
        i, j = names.index(one), names.index(two)
        dark = abs(mean) > 0.6 * most
        text = f"{mean:+.0f}\n± {half:.0f}"
        ax.text(j, i, text, ha="center", va="center", fontsize=8.5, color="white" if dark else INK)
    labels = [in_picture(name) for name in names]
    ax.set_xticks(range(len(names)), labels, rotation=25, ha="left", rotation_mode="anchor")
    ax.set_yticks(range(len(names)), labels)
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0, colors=INK)
    ax.spines[:].set_visible(False)
    bar = made.colorbar(image, ax=ax, shrink=0.85)
    bar.set_label("bb/100 of the row's agent", color=INK)
    bar.outline.set_visible(False)
    return save(made, path)


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
    columns = len(series) if len(series) < 4 else 2 if len(series) == 4 else 3
    rows = -(-len(series) // columns)
    made, axes = figure(3.6 * columns, 2.5 * rows, rows, columns)
    top = max(float(np.abs(one["total"]).max()) for one in series.values()) * 1.25 or 1.0
    for k, ax in enumerate(axes.ravel()):
        if k >= len(series):
            ax.set_visible(False)
            continue
        name = list(series)[k]
        for other in series.values():
            ax.plot(other["deals"], other["total"], color=FAINT, linewidth=0.8)
        own, colour = series[name], LINES[k % len(LINES)]
        band = np.isfinite(own["low"])
        ax.fill_between(own["deals"][band], own["low"][band], own["high"][band], color=colour, alpha=0.2, linewidth=0)
        ax.plot(own["deals"], own["total"], color=colour, linewidth=1.6)
        ax.axhline(0, color=INK, linewidth=0.6)
        ax.set_ylim(-top, top)
        ax.set_title(f"{in_picture(name)}  {own['total'][-1]:+,.0f}", fontsize=10, color=INK, loc="left")
        plain(ax)
        ax.yaxis.set_major_formatter("{x:,.0f}")
        ax.locator_params(nbins=5)
        if k % columns == 0:
            ax.set_ylabel(unit, color=INK)
        else:
            ax.set_yticklabels([])
        if k // columns == rows - 1:
            ax.set_xlabel(deals, color=INK)
    return save(made, path)


def labels_of_positions(seats: int) -> list[str]:
    """The names of seats by their distance from the button, which is 0."""
    names = [position.name for position in position_names(seats)]
    return names if seats == 2 else [names[-1], *names[:-1]]


def draw_actions(names: Sequence[str], actions: NDArray[np.int64], streets: int, path: Path) -> Path:
    """What each agent does: a row of pictures an agent, one a street, in them a bar for each position.

    actions: (agents, seats, streets, 5) counts.
    """
    seats = actions.shape[1]
    labels = labels_of_positions(seats)
    made, axes = figure(2.9 * streets, 0.75 + (0.75 + 0.17 * seats) * len(names), len(names), streets)
    for row, name in enumerate(names):
        for street in range(streets):
            ax = axes[row, street]
            counts = actions[row, :, street]
            parts = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
            left = np.zeros(seats)
            for kind, action in enumerate(ACTIONS):
                ax.barh(range(seats), parts[:, kind], left=left, color=OF_ACTIONS[kind], label=action, height=0.8)
                left += parts[:, kind]
            ax.set_yticks(range(seats), labels if street == 0 else [""] * seats, fontsize=8)
            ax.set_xlim(0, 1)
            ax.set_xticks([0, 0.5, 1], ["0", "50", "100 %"] if row == len(names) - 1 else [""] * 3, fontsize=8)
            ax.invert_yaxis()
            plain(ax)
            ax.spines[:].set_visible(False)
            if row == 0:
                ax.set_title(STREETS[street], fontsize=10, color=INK)
            if street == 0:
                ax.set_ylabel(in_picture(name), color=INK, fontsize=9, rotation=0, ha="right", va="center")
    handles, words = axes[0, 0].get_legend_handles_labels()
    made.legend(handles, words, loc="outside lower center", ncols=len(ACTIONS), frameon=False)
    return save(made, path)
