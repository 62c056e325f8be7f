"""Encoders for any amount: `all_sizes` (one discrete action per amount) and `continuous` (numbers).

None of them folds if checking is free (R14 leaves that to the encoder).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints, int64
from ..engine.batch import NO_MOVE
from ..engine.bet_sizes import nearest_raise
from ..engine.legality import move_text
from ..engine.record import CHECK_CALL, FOLD, NOBODY, RulesRecord, TableRecord
from ..game.rules import Rules
from .base import ActionEncoder, BoxActionEncoder, Rows, Shape, offer_passive

MAX_ACTIONS = 65_536
THIRD = 1 / 3


@kernel
def choose_all_sizes(tables: Records, rules: Records, rows: Ints, parameters: Ints, choices: Ints) -> None:
    """Fold, check or call, and a raise to each multiple of the smallest chip. `parameters` is unused."""
    chip = rules[0].smallest_chip
    for i in range(rows.size):
        t = tables[rows[i]]
        choices[i, :] = NO_MOVE
        if t.actor == NOBODY:
            continue
        offer_passive(t, t.actor, choices[i])
        if t.raise_max > 0:
            for units in range(t.raise_min // chip, min(t.raise_max // chip, choices.shape[1] - 2) + 1):
                choices[i, 1 + units] = units * chip


class AllSizes(ActionEncoder):
    """0 fold, 1 check or call, 1 + k raise to k times the smallest chip: every legal amount, for small stacks.

    Args:
        largest: The largest amount in chips that has an action, by default the largest starting stack. A stack that
            grows beyond it in a session cannot bet more; to allow that, give the sum of all stacks.

    Raises:
        ValueError: If the rules make more than 65,536 actions.
    """

    name = "all_sizes"
    kernel = staticmethod(choose_all_sizes)

    def __init__(self, largest: int | None = None) -> None:
        self.largest = largest

    def size(self, rules: Rules) -> int:
        chips = max(rules.starting_stacks) if self.largest is None else self.largest
        size = 2 + chips // rules.smallest_chip
        if size > MAX_ACTIONS:
            raise ValueError(
                f"all_sizes: raises to {chips:,} in chips of {rules.smallest_chip} are {size:,} actions; "
                f"{MAX_ACTIONS:,} is the maximum; use smaller stacks, larger chips, 'pot_fractions' or 'continuous'"
            )
        return size

    def meanings(self, rules: Rules) -> list[str]:
        amounts = range(1, self.size(rules) - 1)
        return ["fold", "check or call", *(move_text(units * rules.smallest_chip) for units in amounts)]


@inline
def passive_move(t: TableRecord, what: float) -> int:
    """The move for a number below the raises: a fold in the lowest third of -1..1 if there is something to call,
    otherwise a check or call."""
    return FOLD if what < -THIRD and t.bet_to_match > t.bet[t.actor] else CHECK_CALL


@inline
def raise_between(t: TableRecord, r: RulesRecord, size: float) -> int:
    """The raise for a size in 0..1: 0 is the minimum, 1 the maximum; in between the size is linear in the logarithm."""
    target = int64(t.raise_min * (t.raise_max / t.raise_min) ** size)
    return t.raise_max if size >= 1.0 else nearest_raise(t.raise_min, t.raise_max, target, r.smallest_chip)


@kernel
def decode_numbers(tables: Records, rules: Records, rows: Ints, actions: Floats, moves: Ints) -> None:
    """Decode continuous actions to moves."""
    single = actions.shape[1] == 1
    for k in range(rows.size):
        t = tables[rows[k]]
        what = np.float64(actions[k, 0])
        if what < THIRD or t.raise_max == 0:
            moves[k] = passive_move(t, what)
        else:
            size = (what - THIRD) / (1.0 - THIRD) if single else 0.5 * (np.float64(actions[k, 1]) + 1.0)
            moves[k] = raise_between(t, rules[t.stage], size)


class Continuous(BoxActionEncoder):
    """One number in -1..1: the lowest third folds, the middle third checks or calls, the highest third raises.

    In the highest third, the raise grows from the minimum at 1/3 to the maximum at 1. Its logarithm is linear in the
    number, and the amount is rounded down to the smallest chip. A fold becomes a check if checking is free; a raise
    becomes a check or call if no raise is legal. Numbers outside -1..1 are clipped.
    """

    name = "continuous"
    numbers = 1

    def shape(self, rules: Rules) -> Shape:
        return (self.numbers,)

    def decode(
        self, tables: Records, rules: Records, rows: Rows, actions: NDArray[np.float32], moves: NDArray[np.int64]
    ) -> None:
        decode_numbers(tables, rules, rows, actions, moves)


class ContinuousPair(Continuous):
    """Two numbers in -1..1: the first means fold, check or call, or raise, as in `continuous`; the second is the size.

    A size of -1 is the minimum raise, 1 the maximum; in between it is linear in the logarithm. So a learner can learn
    the kind of move and the amount separately.
    """

    name = "continuous_pair"
    numbers = 2
