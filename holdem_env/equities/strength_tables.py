"""The 169 starting hands against one random hand: `python -m holdem_env.equities.strength_tables` writes strength.npz.

For each class of hands the share of the pot is counted on all 2,118,760 boards, against all 990 hands on each: exact.
It takes a minute. Kept are its mean, the equity, and its standard deviation over the boards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cards.evaluator import card_code, card_mask
from ..cards.evaluator_tables import RANKS, SUITS
from ..compiled.compiler import kernel
from ..compiled.scalars import Floats, Ints
from ..utils.atomic import whole_file
from .against_random import ALL_UNSEEN, count_halves, seen_field
from .holdem import DECK, HOLE, RIVER

TABLE_PATH = Path(__file__).with_name("strength.npz")


@kernel
def sum_over_boards(hole: Ints, rest: Ints, code: Ints, mask: Ints, unseen: Ints, sums: Floats) -> None:
    """Add to `sums` (2,) float64 the river shares of two cards, and their squares, over all boards of the 50 others.

    hole: (2,) cards; rest: (50,) the other cards; code, mask, unseen: (6,) int64 to work in.
    """
    hole_code = card_code(hole[0]) + card_code(hole[1])
    hole_mask = card_mask(hole[0]) + card_mask(hole[1])
    unseen[0] = ALL_UNSEEN - seen_field(hole[0]) - seen_field(hole[1])
    code[0] = mask[0] = 0
    hands = (DECK - HOLE - RIVER) * (DECK - HOLE - RIVER - 1.0)
    at = np.zeros(RIVER + 1, np.int64)
    depth = 1
    while depth > 0:  # at[depth]: the place in `rest` to try next for card `depth` of the board
        if at[depth] > len(rest) - 1 - (RIVER - depth):
            depth -= 1
            continue
        card = rest[at[depth]]
        at[depth] += 1
        code[depth] = code[depth - 1] + card_code(card)
        mask[depth] = mask[depth - 1] + card_mask(card)
        unseen[depth] = unseen[depth - 1] - seen_field(card)
        if depth < RIVER:
            at[depth + 1] = at[depth]
            depth += 1
            continue
        share = count_halves(hole_code, hole_mask, code[depth], mask[depth], unseen[depth], RIVER) / hands
        sums[0] += share
        sums[1] += share * share


def build_preflop() -> NDArray[np.float32]:
    """(2, 13, 13): mean and spread of the river share; [high, low] for suited hands, [low, high] for others."""
    table = np.zeros((2, RANKS, RANKS))
    boards = 50 * 49 * 48 * 47 * 46 / 120
    for row in range(RANKS):
        for column in range(RANKS):
            second_suit = 0 if row > column else 1
            hole = np.array([SUITS * row, SUITS * column + second_suit])
            rest = np.setdiff1d(np.arange(DECK), hole)
            sums = np.zeros(2)
            code, mask, unseen = np.zeros((3, RIVER + 1), np.int64)
            sum_over_boards(hole, rest, code, mask, unseen, sums)
            mean = sums[0] / boards
            table[:, row, column] = mean, np.sqrt(sums[1] / boards - mean**2)
    return table.astype(np.float32)


def load_preflop(path: Path = TABLE_PATH) -> NDArray[Any]:
    """The shipped table. Raises FileNotFoundError that says how to build it."""
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing, which belongs to the package: "
            "`python -m holdem_env.equities.strength_tables` builds it"
        )
    with np.load(path, allow_pickle=False) as file:
        return np.asarray(file["preflop"])


def save_preflop(table: NDArray[np.float32], path: Path = TABLE_PATH) -> None:
    """Write the file; the same table gives the same bytes."""
    with whole_file(path) as file:
        np.savez(file, allow_pickle=False, preflop=table)


if __name__ == "__main__":
    save_preflop(build_preflop())
