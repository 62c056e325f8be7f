"""The buckets of many hands at many tables, whatever their boards, as agents ask for them: tables are filled with the
boards that come."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_OF
from ...compiled.compiler import kernel
from ...compiled.scalars import Ints
from .abstraction import SIZES, CardAbstraction
from .dealing import FLOP, LAST, PREFLOP, TURN, hand_river
from .isomorphism import PREFLOP_CLASS, board_numbers, boards, combo_in

NONE = -1


def hand_buckets(
    cards: CardAbstraction, holes: NDArray[np.integer], board: NDArray[np.integer], dealt: NDArray[np.integer]
) -> NDArray[np.int16]:
    """(K, 4) int16: the buckets of hands on the streets so far; -1 on later streets.

    holes: (K, 2) cards. board: (K, 5) cards, of which the first dealt[k], 0, 3, 4 or 5, lie on the table.
    """
    found = np.full((len(holes), len(SIZES)), NONE, np.int16)
    hole_cards, board_cards = holes.astype(np.int64), board.astype(np.int64)
    found[:, PREFLOP] = PREFLOP_CLASS[COMBO_OF[hole_cards[:, 0], hole_cards[:, 1]]]
    for street in (FLOP, TURN):
        size = SIZES[street]
        on = np.flatnonzero(dealt >= size)
        if on.size:
            numbers = board_numbers(np.sort(board_cards[on, :size], axis=1))
            known = boards(size)
            rows = known.row[numbers].astype(np.int64)
            table = cards.filled_rows(street, rows)
            look_up(table, rows, known.renaming[numbers], hole_cards[on], on, street, found)
    rivers = np.flatnonzero(dealt >= SIZES[LAST])
    value_rivers(hole_cards, board_cards, rivers, cards.river_limits, found)
    return found


@kernel
def look_up(table: Ints, rows: Ints, renamings: Ints, holes: Ints, places: Ints, street: int, found: Ints) -> None:
    """Write the buckets of hands on canonical boards, `rows` of the table, into found[places, street]."""
    for i in range(rows.size):
        found[places[i], street] = table[rows[i], combo_in(renamings[i], holes[i, 0], holes[i, 1])]


@kernel
def value_rivers(holes: Ints, board: Ints, places: Ints, limits: Ints, found: Ints) -> None:
    """Write the buckets on the river into found[places, LAST]."""
    for place in places:
        found[place, LAST] = hand_river(limits, holes[place], board[place])
