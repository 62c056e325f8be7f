"""Amounts of chips for the seat to act: the cost of a call, what it can win, raises by a fraction of the pot."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.compiled.compiler import inline, kernel
from holdem_env.compiled.records import Records
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.bet_sizes import MILLION, nearest_raise, raise_of_pot
from holdem_env.engine.betting import call_price
from holdem_env.engine.pots import winnable_chips
from holdem_env.engine.record import MAX_SEATS
from holdem_env.game.rules import Rules

Rows = NDArray[np.int64]


@inline
def legal_raise(t, r, target):
    """The legal raise nearest to a street total; all-in if that leaves less than a third; NO_MOVE if none is legal."""
    if t.raise_max == 0:
        return NO_MOVE
    all_in = t.stack[t.actor] + t.bet[t.actor]
    if 3 * target > 2 * all_in:
        target = all_in
    return nearest_raise(t.raise_min, t.raise_max, target, r.smallest_chip)


@inline
def legal_raise_of_pot(t, r, part):
    """The legal raise nearest to a call and then so large a part of the pot."""
    pot = t.pot + call_price(t, t.actor)
    return legal_raise(t, r, raise_of_pot(t.bet_to_match, pot, round(part * MILLION), MILLION, 1))


@inline
def chips_at_stake(t):
    """What the seat to act can lose by a call: no more than an opponent in the hand can match (R9, R26)."""
    most = 0
    for other in range(MAX_SEATS):
        if other != t.actor and t.in_hand[other] != 0:
            most = max(most, t.bet[other] + t.stack[other])
    return max(min(call_price(t, t.actor), most - t.bet[t.actor]), 0)


@kernel
def price_calls(tables, rows, calls, winnable):
    """What a call can lose at each table, and what it can win."""
    for k in range(rows.size):
        t = tables[rows[k]]
        calls[k] = chips_at_stake(t)
        winnable[k] = winnable_chips(t, t.actor, calls[k])


@kernel
def price_raises(tables, rules, rows, part, raises):
    """`legal_raise_of_pot` at each table."""
    for k in range(rows.size):
        t = tables[rows[k]]
        raises[k] = legal_raise_of_pot(t, rules[t.stage], part)


def call_and_winnable(tables: Records, rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(K,), (K,): what a call puts at stake, 0 if checking is free; and the chips in the middle that the seat can
    win by it."""
    calls, winnable = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    price_calls(tables, rows, calls, winnable)
    return calls, winnable


def pot_raise(tables: Records, rules: Rules, rows: Rows, part: float) -> NDArray[np.int64]:
    """(K,): the legal raise nearest to a call and then so large a part of the pot; NO_MOVE where none is legal. With
    less than a third of its chips left behind, it is all-in."""
    raises = np.empty(len(rows), np.int64)
    price_raises(tables, rules.record, rows, part, raises)
    return raises
