"""Charts of 13 x 13: what a player does with each kind of hand, pairs on the diagonal, suited hands above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_CARDS
from ...cards.text import RANKS, SUITS
from ...utils.extras import explain_missing_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.text import Text

KINDS = len(RANKS)
PASSIVE = ("#4c78a8", "#6fae75")
"""Of a fold, and of a check or call."""
BETS = ("#f6b26b", "#e8793a", "#d6452f", "#a61c28", "#6a1020")
"""From the smallest bet to the largest."""
EMPTY, INK = "#f2f2f2", "#222222"
CELL_WIDTH = 7


class Chart:
    """What a player does with each kind of hand.

    moves: in words. shares: (13, 13, moves), how often each is made with the hands of a kind; NaN where there are none.
    weights: (13, 13), how much of the kind there is. Row and column 0 are aces, 12 deuces; suited hands are above the
    diagonal, `chart.kind(0, 1)` is "AKs".
    """

    def __init__(self, moves: Sequence[str], strategy: NDArray[np.float64], weights: NDArray[np.float64]) -> None:
        self.moves = list(moves)
        rows, columns = _places()
        self.weights = np.zeros((KINDS, KINDS))
        np.add.at(self.weights, (rows, columns), weights)
        sums = np.zeros((KINDS, KINDS, len(self.moves)))
        np.add.at(sums, (rows, columns), strategy * weights[:, None])
        there = self.weights[..., None]
        self.shares = np.divide(sums, there, out=np.full_like(sums, np.nan), where=there > 0)

    @staticmethod
    def kind(row: int, column: int) -> str:
        """The kind of hands of a cell: "AA", "AKs", "AKo"."""
        high, low = RANKS[KINDS - 1 - min(row, column)], RANKS[KINDS - 1 - max(row, column)]
        return high + low + ("" if row == column else "s" if row < column else "o")

    def colours(self) -> list[str]:
        """A colour for each move."""
        bets = [k for k, move in enumerate(self.moves) if _is_bet(move)]
        found = [PASSIVE[0] if move == "fold" else PASSIVE[1] for move in self.moves]
        for place, k in enumerate(bets):
            found[k] = BETS[round(place * (len(BETS) - 1) / max(len(bets) - 1, 1))]
        return found

    def text(self, move: str | None = None) -> str:
        """The chart as text: how many percent of each kind of hand make a move, by default any bet or raise; a call
        where there is none. Kinds that do not come there are dots."""
        percent = 100 * self._shares_of(move)
        lines = []
        for row in range(KINDS):
            cells = []
            for column in range(KINDS):
                share = percent[row, column]
                cells.append(f"{self.kind(row, column):3}" + ("   ." if np.isnan(share) else f"{share:4.0f}"))
            lines.append(" ".join(cells))
        return "\n".join(lines)

    def rich(self, move: str | None = None) -> Text:
        """`text` in colours: each cell has that of its likeliest move. For a terminal, by rich."""
        with explain_missing_extra("a chart in colours"):
            from rich.text import Text

        colours, chart = self.colours(), Text()
        for row, line in enumerate(self.text(move).splitlines()):
            for column in range(KINDS):
                cell = line[column * (CELL_WIDTH + 1) : column * (CELL_WIDTH + 1) + CELL_WIDTH]
                empty = self.weights[row, column] <= 0
                best = None if empty else colours[int(self.shares[row, column].argmax())]
                chart.append(cell, style="dim" if best is None else f"{INK} on {best}")
                chart.append(" ")
            chart.append("\n")
        for move_name, colour in zip(self.moves, colours, strict=True):
            chart.append("  ", style=f"on {colour}")
            chart.append(f" {move_name}   ")
        return chart

    def figure(self, title: str = "") -> Figure:
        """The chart drawn by Matplotlib: in each cell the moves side by side, as high as the kind of hand is common.
        A notebook shows it; `figure.savefig("chart.svg")` writes it."""
        with explain_missing_extra("a chart as a picture"):
            from matplotlib.figure import Figure
            from matplotlib.patches import Patch

        made = Figure(figsize=(7.5, 8), layout="constrained")
        axes = made.subplots()
        most = self.weights.max() or 1.0
        for row in range(KINDS):
            for column in range(KINDS):
                self._draw_cell(axes, row, column, most)
        axes.set(xlim=(0, KINDS), ylim=(KINDS, 0), xticks=[], yticks=[], aspect="equal", title=title)
        axes.spines[:].set_visible(False)
        patches = [Patch(color=colour, label=move) for move, colour in zip(self.moves, self.colours(), strict=True)]
        made.legend(handles=patches, loc="outside lower center", ncols=min(len(patches), 5), frameon=False)
        return made

    def _draw_cell(self, axes: Any, row: int, column: int, most: float) -> None:
        from matplotlib.patches import Rectangle

        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=EMPTY, edgecolor="white", linewidth=1))
        if self.weights[row, column] > 0:
            height = 0.96 * (0.35 + 0.65 * self.weights[row, column] / most)
            left = column + 0.02
            for share, colour in zip(self.shares[row, column], self.colours(), strict=True):
                axes.add_patch(Rectangle((left, row + 0.98 - height), 0.96 * share, height, facecolor=colour))
                left += 0.96 * share
        axes.text(column + 0.06, row + 0.3, self.kind(row, column), fontsize=7, color=INK)

    def _shares_of(self, move: str | None) -> NDArray[np.float64]:
        """(13, 13): how often a move is made."""
        if move is not None:
            if move not in self.moves:
                raise ValueError(f"chart: there is no move {move!r}; there is {', '.join(self.moves)}")
            return self.shares[..., self.moves.index(move)]
        chosen = [k for k, word in enumerate(self.moves) if _is_bet(word)] or [len(self.moves) - 1]
        found: NDArray[np.float64] = self.shares[..., chosen].sum(axis=-1)
        return found

    def __str__(self) -> str:
        return self.text()


def _is_bet(move: str) -> bool:
    return move not in ("fold", "check", "call")


def _places() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row and the column of each of the 1,326 hands."""
    ranks, suits = COMBO_CARDS // len(SUITS), COMBO_CARDS % len(SUITS)
    high, low = KINDS - 1 - ranks.max(axis=1), KINDS - 1 - ranks.min(axis=1)
    suited = suits[:, 0] == suits[:, 1]
    return np.where(suited, high, low), np.where(suited, low, high)
