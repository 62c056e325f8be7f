"""Which bet sizes a player is offered: each that is legal, and each raise once. What a size is in chips stands in
engine/bet_sizes.py.

They are worked out eight at a time, as a processor with wide registers does; `_offer_eight` says what that does.
"""

from __future__ import annotations

from typing import Any

from ..compiled.compiler import inline, kernel
from ..compiled.intrinsics import masked_sizes
from ..compiled.records import Records
from ..compiled.scalars import Ints
from ..engine.batch import NO_MOVE
from ..engine.bet_sizes import ALL_IN, LEAST, MILLION, OF_POT, multiplied_bet, size_total
from ..engine.betting import call_price
from ..engine.record import FIXED_LIMIT, NOBODY, RulesRecord, TableRecord
from .base import offer_passive

LANES = 8


def _offer_eight(sizes: Ints, first: int, game: tuple[Any, ...], fixed: bool, before: int, choices: Ints) -> int:
    level, pot, bet, chip, all_in, least, most, all_in_elsewhere, least_elsewhere = game
    for k in range(first, min(first + LANES, sizes.shape[1], choices.size - 2)):
        kind = LEAST if fixed and sizes[0, k] != ALL_IN else sizes[0, k]
        is_least = kind == LEAST
        target = size_total(kind, sizes[1, k], level, pot, bet, chip, all_in, least)
        is_new = target != before and target != all_in_elsewhere and (is_least or target != least_elsewhere)
        choices[2 + k] = target if least <= target <= most and (kind == ALL_IN or is_new) else NO_MOVE
        before = target
    return before


offer_eight = masked_sizes(MILLION, LEAST, OF_POT, ALL_IN, NO_MOVE, _offer_eight)
offer_eight.__doc__ = """Offer sizes from `first` on, eight at most, in choices[2 + first :]; returns the last total.

game: what sizes are parts of: level, pot after a call, bet; the smallest chip; the all-in; what is legal: least and
most; the all-in and the least raise again where they have a name of their own, else NO_MOVE. before: the street total
of the size before the first.
"""


@inline
def offer_sizes(t: TableRecord, r: RulesRecord, sizes: Ints, all_in_name: int, ascending: int, choices: Ints) -> None:
    """Each size that is legal, and each raise once: the all-in under its own name, others under the first that
    means them."""
    level, fixed = t.bet_to_match, r.structure == FIXED_LIMIT
    pot, bet = t.pot + call_price(t, t.actor), multiplied_bet(t, r)
    all_in = t.stack[t.actor] + t.bet[t.actor]
    least, most = t.raise_min, t.raise_max if t.raise_max > 0 else NO_MOVE
    # Ascending sizes that mean the same stand side by side, but for the least raise, which comes first.
    least_name = ascending and not fixed and sizes[0, 0] == LEAST
    elsewhere = all_in if all_in_name else NO_MOVE, least if least_name else NO_MOVE
    game = (level, pot, bet, r.smallest_chip, all_in, least, most, *elsewhere)
    before = NO_MOVE
    for first in range(0, sizes.shape[1], LANES):
        before = offer_eight(sizes, first, game, fixed, before, choices)
    if not ascending:
        withdraw_repeated(sizes.shape[1], choices)


@inline
def exceed_stack(t: TableRecord, r: RulesRecord, sizes: Ints) -> bool:
    """Whether one of the sizes is more than an all-in that is legal."""
    all_in = t.stack[t.actor] + t.bet[t.actor]
    if r.structure == FIXED_LIMIT or t.raise_max != all_in:
        return False
    level, pot, bet = t.bet_to_match, t.pot + call_price(t, t.actor), multiplied_bet(t, r)
    found = False
    for k in range(sizes.shape[1]):
        found |= size_total(sizes[0, k], sizes[1, k], level, pot, bet, r.smallest_chip, all_in, t.raise_min) > all_in
    return found


@inline
def withdraw_repeated(sizes: Ints, choices: Ints) -> None:
    """Sizes that do not ascend may mean the same raise without standing side by side."""
    for k in range(1, sizes):
        again = False
        for earlier in range(k):
            again |= choices[2 + earlier] == choices[2 + k]
        choices[2 + k] = NO_MOVE if again else choices[2 + k]


@kernel
def size_total_at(tables: Records, rules: Records, row: int, kind: int, value: int) -> int:
    """The street total in chips of a bet size for the seat to act at tables[row], legal or not."""
    t = tables[row]
    r = rules[t.stage]
    pot, all_in = t.pot + call_price(t, t.actor), t.stack[t.actor] + t.bet[t.actor]
    bet = multiplied_bet(t, r)
    return size_total(kind, value, t.bet_to_match, pot, bet, r.smallest_chip, all_in, t.raise_min)


@kernel
def exceed_stack_at(tables: Records, rules: Records, row: int, sizes: Ints) -> bool:
    """See `exceed_stack`, for the seat to act at tables[row]."""
    return exceed_stack(tables[row], rules[tables[row].stage], sizes)


@kernel
def choose_sizes(tables: Records, rules: Records, rows: Ints, sizes: Ints, choices: Ints) -> None:
    """Write the moves of fold, check or call, and the bet sizes, as `ActionEncoder.choose`.

    Args:
        tables: (N,) TABLE records.
        rules: The RULES records of the game.
        rows: (K,) int64.
        sizes: (3, sizes), their kinds, their values, and whether they ascend.
        choices: (K, 2 + sizes) int64.
    """
    all_in_name, ascending = (sizes[0] == ALL_IN).any(), sizes[2, 0] != 0
    for i in range(rows.size):
        t = tables[rows[i]]
        if t.actor == NOBODY:
            choices[i, :] = NO_MOVE
        else:
            offer_passive(t, t.actor, choices[i])
            offer_sizes(t, rules[t.stage], sizes, all_in_name, ascending, choices[i])
