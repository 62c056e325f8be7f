"""What a walk over a public game reads and writes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.intrinsics import LANES
from .cfr import Rows
from .hands import Ints
from .packing import Numbers, aligned_zeros
from .public_game import GameArrays

DECK = 52  # the place of the total of all hands, behind those of the cards


class Workspace(NamedTuple):
    """What a walk writes in passing, float32 or float64."""

    reach: Rows  # (levels, rows, width): the opponent's reach probabilities (cfreach)
    value: Rows  # (levels, rows, width): counterfactual values
    sums: Rows  # (53 * LANES,): totals by card (terminals.py)
    all_hands: Rows  # (width * LANES,): the hands that T is of; then those of the showdown
    shown_hands: Rows
    folds: Rows  # (width * LANES,): values at a fold; then at a call
    calls: Rows
    nowhere: NDArray[np.int16]  # (width,): `same` for hands that the other player does not have
    block: Rows  # (most numbers of an action node on a board, and one,): its regrets or cumulative strategy, unpacked
    block_bits: NDArray[np.int32]  # the same
    unit: Rows  # (2, LANES): the factors of rows that are taken as they are
    at: Ints  # (5, levels): where a walk is on each level


class Sums(NamedTuple):
    """What iterations add up. predicted: what predictive CFR+ matches; without numbers in other algorithms."""

    regrets: Numbers
    cumulative: Numbers
    predicted: Numbers


class Turn(NamedTuple):
    """One walk. hero: the player it is for. mode: TRAIN, BEST, VALUE or RESPOND. positive, negative, strategy: what
    regrets above 0, below 0 and the cumulative strategy are multiplied by (`Discounting.factors`); iteration: its
    number."""

    hero: Any
    mode: Any
    positive: Any
    negative: Any
    strategy: Any
    iteration: Any


class Walk(NamedTuple):
    """All that a walk reads and writes. played: the regrets or the cumulative strategy that is matched."""

    game: GameArrays
    work: Workspace
    sums: Sums
    played: Numbers
    turn: Turn


def new_workspace(game: GameArrays) -> Workspace:
    """Room for a walk."""
    kind, width = game.deal_probability.dtype, game.boards.hand.shape[2]
    levels, (reach_rows, value_rows) = game.boards.levels, game.segments.row_counts
    most = width * max(int(game.children.max()), 1)
    block = aligned_zeros(kind, most + 1)
    lanes = [aligned_zeros(kind, width * LANES) for _ in range(4)]
    return Workspace(
        aligned_zeros(kind, levels, int(reach_rows), width),
        aligned_zeros(kind, levels, int(value_rows), width),
        aligned_zeros(kind, (DECK + 1) * LANES),
        lanes[0],
        lanes[1],
        lanes[2],
        lanes[3],
        aligned_zeros(np.int16, width),
        block,
        block.view(np.int32),
        np.repeat(np.array([1, 0], kind), LANES).reshape(2, LANES),
        np.zeros((5, levels), np.int64),
    )
