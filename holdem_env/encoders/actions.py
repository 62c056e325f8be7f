"""Actions that are a few: `limit` (fold, call, raise), `pot_fractions` (bet sizes, with a text form), and `fcpa`.

None of them offers a fold where checking is free (R14 leaves that to the encoder).
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ..engine.batch import NO_MOVE
from ..engine.compiling import inline, kernel
from ..engine.record import FIXED_LIMIT, NOBODY
from ..rules import Rules
from .base import ActionEncoder, choose_kinds, offer_passive

MILLION = 1_000_000
LEAST, OF_POT, TIMES_BET, ALL_IN = 0, 1, 2, 3  # in the order in which sizes ascend; a multiple may be any
DEFAULT_SIZES = "min, 50%, 100%, 200%, all-in"


@inline
def millionths(value, amount):
    """A part of an amount, rounded down. Neither is negative, and unsigned division is faster."""
    return np.int64(np.uint64(value * amount) // np.uint64(MILLION))


@inline
def size_target(kind, value, all_in, least, level, pot, bet, chip):
    """The street total that a bet size stands for, rounded down to the smallest chip. least: what it may raise to;
    pot: after a call; bet: what a multiple is of."""
    if kind == ALL_IN:
        return all_in
    if kind == LEAST:
        return least
    target = level + millionths(value, pot) if kind == OF_POT else millionths(value, bet)
    return target - target % chip if chip > 1 else target


@inline
def offer_sizes(t, r, kinds, values, all_in_name, ascending, choices):
    """Each size that is legal, and each raise once: the all-in under its own name, others under the first that
    means them. Written without branches: what is offered is as good as random to the processor."""
    # Read first, then written: for all that a compiler knows the two might be the same memory.
    level, chip, fixed = t.level, r.smallest_chip, r.structure == FIXED_LIMIT
    pot, bet = t.pot + level - t.bet[t.actor], max(level, r.min_bet[t.street])
    all_in = t.stack[t.actor] + t.bet[t.actor]
    named_elsewhere = all_in if all_in_name else NO_MOVE
    least, most = t.raise_min, t.raise_max if t.raise_max > 0 else NO_MOVE
    latest = np.int64(NO_MOVE)
    for k in range(kinds.size):
        kind = LEAST if fixed and kinds[k] != ALL_IN else kinds[k]
        target = size_target(kind, values[k], all_in, least, level, pot, bet, chip)
        offered = (least <= target) & (target <= most) & (target != latest)
        offered &= (kind == ALL_IN) | (target != named_elsewhere)
        latest = target if offered else latest
        choices[2 + k] = target if offered else NO_MOVE
    if not ascending:
        withdraw_repeated(kinds.size, choices)


@inline
def withdraw_repeated(sizes, choices):
    """Sizes that do not ascend may mean the same raise without standing side by side."""
    for k in range(1, sizes):
        again = False
        for earlier in range(k):
            again |= choices[2 + earlier] == choices[2 + k]
        choices[2 + k] = NO_MOVE if again else choices[2 + k]


@kernel
def choose_sizes(tables, rules, rows, sizes, choices):
    """Fold, check or call, and the bet sizes. sizes: (3, sizes), their kinds, their values, whether they ascend."""
    kinds, values, ascending = sizes[0], sizes[1], sizes[2, 0] != 0
    all_in_name = (kinds == ALL_IN).any()
    for i in range(rows.size):
        t = tables[rows[i]]
        if t.actor == NOBODY:
            choices[i, :] = NO_MOVE
        else:
            offer_passive(t, t.actor, choices[i])
            offer_sizes(t, rules[t.stage], kinds, values, all_in_name, ascending, choices[i])


class Limit(ActionEncoder):
    """0 fold, 1 check or call, 2 the least legal raise (fixed limit's only one)."""

    name = "limit"
    kernel = staticmethod(choose_kinds)

    def meanings(self, rules: Rules) -> list[str]:
        return ["fold", "check or call", "raise"]


class Size(NamedTuple):
    """One bet size."""

    kind: int
    """LEAST, OF_POT, TIMES_BET or ALL_IN."""
    value: int = 0
    """Of OF_POT and TIMES_BET: the factor in millionths."""


def parse_size(text: str) -> Size:
    """One bet size from text: "min", "75%" or "pot" (of the pot after calling), "2.5x" (the bet to call), "all-in".

    Raises ValueError for anything else, saying what sizes look like.
    """
    word = text.strip().lower()
    fixed = {"min": Size(LEAST), "pot": Size(OF_POT, MILLION), "all-in": Size(ALL_IN), "allin": Size(ALL_IN)}
    if word in fixed:
        return fixed[word]
    number = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(%|x)", word)
    if not number or not float(number[1]):
        raise ValueError(
            f"bet size {text!r}: give 'min', a part of the pot like '75%', a multiple like '2.5x', or 'all-in'"
        )
    value = float(number[1]) * (MILLION // 100 if number[2] == "%" else MILLION)
    return Size(OF_POT if number[2] == "%" else TIMES_BET, round(value))


def is_size(text: str) -> bool:
    """Whether a text is one bet size."""
    try:
        parse_size(text)
    except ValueError:
        return False
    return True


class PotFractions(ActionEncoder):
    """0 fold, 1 check or call, then one action for each size of a text such as "min, 50%, 100%, 2.5x, all-in".

    A percentage is of the pot after calling; "2.5x" raises to 2.5 times the bet (of the least bet where there is
    none). A size that would be illegal is masked, and so is one that means the same raise as an earlier one. In
    fixed limit the first size is the raise.
    """

    name = "pot_fractions"
    kernel = staticmethod(choose_sizes)

    def __init__(self, sizes: str = DEFAULT_SIZES) -> None:
        self.sizes = [word.strip() for word in sizes.split(",")]
        parsed = [parse_size(word) for word in self.sizes]
        if len(set(parsed)) < len(parsed):
            raise ValueError(f"bet sizes {sizes!r}: one of them is given twice")
        ascending = parsed == sorted(parsed) and all(size.kind != TIMES_BET for size in parsed)
        self.parameters = np.array([(*size, ascending) for size in parsed], np.int64).T.copy()

    def meanings(self, rules: Rules) -> list[str]:
        return ["fold", "check or call", *(f"raise {size}" if size != "all-in" else size for size in self.sizes)]


class FCPA(PotFractions):
    """0 fold, 1 check or call, 2 a raise of the pot, 3 all-in: OpenSpiel's betting abstraction of that name.

    Each is there where the raise is legal; a pot that takes the whole stack is offered as the all-in only.
    """

    name = "fcpa"

    def __init__(self) -> None:
        super().__init__("pot, all-in")

    def meanings(self, rules: Rules) -> list[str]:
        return ["fold", "check or call", "raise pot", "all-in"]
