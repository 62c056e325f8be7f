"""Bet sizes: least raise, parts of the pot, multiples of the bet, all-in, and which of them a player is offered.

They are worked out eight at a time, as a processor with wide registers does; `_offer_eight` says what that does.
"""

from __future__ import annotations

from ..compiled.compiler import inline, kernel
from ..compiled.intrinsics import masked_sizes
from ..engine.batch import NO_MOVE
from ..engine.betting import call_price
from ..engine.record import FIXED_LIMIT, NOBODY
from .base import offer_passive

MILLION = 1_000_000
LEAST, OF_POT, TIMES_BET, ALL_IN = 0, 1, 2, 3  # in the order in which sizes ascend; a multiple may be any
LANES = 8


def _offer_eight(sizes, first, game, fixed, before, choices):
    level, pot, bet, chip, all_in, least, most, all_in_elsewhere, least_elsewhere = game
    for k in range(first, min(first + LANES, sizes.shape[1], choices.size - 2)):
        kind, value = sizes[0, k], sizes[1, k]
        is_least = kind == LEAST or fixed
        if kind == ALL_IN:
            target = all_in
        elif is_least:
            target = least
        else:
            target = level + millionths(value, pot) if kind == OF_POT else millionths(value, bet)
            target -= target % chip if chip > 1 else 0
        is_new = target != before and target != all_in_elsewhere and (is_least or target != least_elsewhere)
        choices[2 + k] = target if least <= target <= most and (kind == ALL_IN or is_new) else NO_MOVE
        before = target
    return before


@inline
def millionths(value, amount):
    """So many millionths of an amount, rounded down. Their product may be beyond 64 bits."""
    return amount // MILLION * value + amount % MILLION * value // MILLION


offer_eight = masked_sizes(MILLION, LEAST, OF_POT, ALL_IN, NO_MOVE, _offer_eight)
offer_eight.__doc__ = """Offer sizes from `first` on, eight at most, in choices[2 + first :]; returns the last total.

game: what sizes are parts of: level, pot after a call, bet; the smallest chip; the all-in; what is legal: least and
most; the all-in and the least raise again where they have a name of their own, else NO_MOVE. before: the street total
of the size before the first.
"""


@inline
def offer_sizes(t, r, sizes, all_in_name, ascending, choices):
    """Each size that is legal, and each raise once: the all-in under its own name, others under the first that
    means them."""
    level, fixed = t.bet_to_match, r.structure == FIXED_LIMIT
    pot, bet = t.pot + call_price(t, t.actor), max(level, r.min_bet[t.street])
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
    all_in_name, ascending = (sizes[0] == ALL_IN).any(), sizes[2, 0] != 0
    for i in range(rows.size):
        t = tables[rows[i]]
        if t.actor == NOBODY:
            choices[i, :] = NO_MOVE
        else:
            offer_passive(t, t.actor, choices[i])
            offer_sizes(t, rules[t.stage], sizes, all_in_name, ascending, choices[i])
