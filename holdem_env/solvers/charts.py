"""Charts of 13 x 13: what a player does with each kind of hand, pairs on the diagonal, suited hands above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..render.hand_chart import CELLS, IN_CELL, KINDS, Layout, chart_svg, hand_name
from ..utils.extras import explain_missing_extra

if TYPE_CHECKING:
    from rich.text import Text

BETS = 5  # colours of bets, from the smallest to the largest
IN_TERMINAL = {"fold": "#4c78a8", "passive": "#6fae75", "bet-1": "#f6b26b", "bet-2": "#e8793a", "bet-3": "#d6452f"}
IN_TERMINAL |= {"bet-4": "#a61c28", "bet-5": "#6a1020"}
"""Stronger than the theme's, for terminals of sixteen colours."""
INK = "#1b1f24"
CELL_WIDTH = 7
NARROW_CELL_WIDTH = 4  # of a chart whose hands stand at its edges
LEAST_HEIGHT = 0.35  # of a kind of hand that hardly comes there


def move_colours(moves: Sequence[str]) -> list[str]:
    """A colour of the theme for each move, given in words."""
    bets = [k for k, move in enumerate(moves) if _is_bet(move)]
    found = ["fold" if move == "fold" else "passive" for move in moves]
    for place, k in enumerate(bets):
        found[k] = f"bet-{1 + round(place * (BETS - 1) / max(len(bets) - 1, 1))}"
    return found


def few_moves(moves: Sequence[str], shares: NDArray[np.float64]) -> tuple[list[str], NDArray[np.float64], list[str]]:
    """Moves, their shares, and a colour for each; where there are more bets than colours, those in the middle are one.
    moves: in words, bets last. shares: (..., moves)."""
    words, bets = list(moves), [k for k, move in enumerate(moves) if _is_bet(move)]
    if len(bets) > BETS:
        first, last = bets[BETS // 2], bets[-(BETS // 2)]
        merged = shares[..., first:last].sum(axis=-1, keepdims=True)
        shares = np.concatenate([shares[..., :first], merged, shares[..., last:]], axis=-1)
        words[first:last] = [f"{words[first]} to {words[last - 1].split()[-1]}"]
    return words, shares, move_colours(words)


class Chart:
    """What a player does with each kind of hand.

    moves: in words. shares: (13, 13, moves), how often each is made with the hands of a kind; NaN where there are none.
    weights: (13, 13), how much of the kind there is. Row and column 0 are aces, 12 deuces; suited hands are above the
    diagonal, `chart.kind(0, 1)` is "AKs". A notebook shows it as a picture.
    """

    kind = staticmethod(hand_name)

    def __init__(self, moves: Sequence[str], strategy: NDArray[np.float64], weights: NDArray[np.float64]) -> None:
        self.moves = list(moves)
        self.weights = np.zeros((KINDS, KINDS))
        np.add.at(self.weights, CELLS, weights)
        sums = np.zeros((KINDS, KINDS, len(self.moves)))
        np.add.at(sums, CELLS, strategy * weights[:, None])
        there = self.weights[..., None]
        self.shares = np.divide(sums, there, out=np.full_like(sums, np.nan), where=there > 0)

    def colours(self) -> list[str]:
        """A colour of the theme for each move."""
        return move_colours(self.moves)

    def text(self, move: str | None = None, is_narrow: bool = False) -> str:
        """The chart as text: how many percent of each kind of hand make a move, by default any bet or raise; a call
        where there is none. Kinds that do not come there are dots.

        is_narrow: the hands are named at the edges, so that it fits into 80 columns.
        """
        percent = 100 * self._shares_of(move)
        cells = [["   ." if np.isnan(share) else f"{share:4.0f}" for share in row] for row in percent]
        for row, column in np.ndindex(KINDS, KINDS) if not is_narrow else ():
            cells[row][column] = f"{self.kind(row, column):3}{cells[row][column]}"
        if not is_narrow:
            return "\n".join(map(" ".join, cells))
        ranks = [self.kind(row, row)[0] for row in range(KINDS)]
        head = "  " + " ".join(f"{rank:>{NARROW_CELL_WIDTH}}" for rank in ranks)
        return "\n".join([head, *(f"{rank} " + " ".join(line) for rank, line in zip(ranks, cells, strict=True))])

    def caption(self) -> str:
        """What the numbers of `text` say."""
        does = "bets or raises" if any(map(_is_bet, self.moves)) else self.moves[-1] + "s"
        return f"Percent of each hand that {does}"

    def rich(self, move: str | None = None, is_narrow: bool = False) -> Text:
        """`text` in colours, for a terminal: each cell is split among the moves."""
        with explain_missing_extra("a chart in colours"):
            from rich.text import Text

        colours, chart = [IN_TERMINAL[name] for name in self.colours()], Text()
        lines, width, edge = self.text(move, is_narrow).splitlines(), CELL_WIDTH, 0
        if is_narrow:
            width, edge = NARROW_CELL_WIDTH, 2
            chart.append(lines.pop(0) + "\n")
        for row, line in enumerate(lines):
            chart.append(line[:edge])
            for column in range(KINDS):
                start = edge + column * (width + 1)
                cell = line[start : start + width]
                for letter, part in zip(cell, self._parts(row, column, width), strict=True):
                    chart.append(letter, style="dim" if part is None else f"{INK} on {colours[part]}")
                chart.append(" ")
            chart.append("\n")
        for move_name, colour in zip(self.moves, colours, strict=True):
            chart.append("  ", style=f"on {colour}")
            chart.append(f" {move_name}   ")
        return chart

    def _parts(self, row: int, column: int, width: int) -> list[int | None]:
        """Which move each of the letters of a cell stands for; None where no such hand comes there."""
        if self.weights[row, column] <= 0:
            return [None] * width
        upto = np.cumsum(self.shares[row, column])
        middles = (np.arange(width) + 0.5) / width * upto[-1]
        return [int(place) for place in np.searchsorted(upto, middles)]

    def svg(self, title: str = "", theme: str = "auto", layout: Layout = "wide") -> str:
        """The chart as a picture, SVG text: cells are split among the moves, as high as the kind of hand is common. Of
        more than five bets those in the middle are one. theme, layout: as of `render.hand_chart.chart_svg`."""
        words, shares, colours = few_moves(self.moves, np.nan_to_num(self.shares))
        part = self.weights / IN_CELL
        most = part.max() or 1.0
        fills = np.where(self.weights > 0, LEAST_HEIGHT + (1 - LEAST_HEIGHT) * part / most, 0.0)
        shares = shares / np.maximum(shares.sum(axis=-1, keepdims=True), 1.0)
        return chart_svg(shares, title, "", words, theme, layout, colours, fills)

    def _repr_html_(self) -> str:
        return self.svg()

    def _shares_of(self, move: str | None) -> NDArray[np.float64]:
        if move is not None:
            if move not in self.moves:
                raise ValueError(f"chart: there is no move {move!r}; there is {', '.join(self.moves)}")
            return self.shares[..., self.moves.index(move)]
        chosen = [k for k, word in enumerate(self.moves) if _is_bet(word)] or [len(self.moves) - 1]
        return np.asarray(self.shares[..., chosen].sum(axis=-1))

    def __str__(self) -> str:
        return self.text()


def _is_bet(move: str) -> bool:
    return move.split()[0] not in ("fold", "check", "call")
