"""Amounts of chips for the seat to act: the cost of a call, what it can win, raises by a fraction of the pot."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.compiled.records import Records
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.legality import call_prices
from holdem_env.game.rules import Rules

Rows = NDArray[np.int64]


def call_chips(tables: Records, rows: Rows) -> NDArray[np.int64]:
    """(K,): the chips that a call puts in: 0 if checking is free, at most the stack."""
    return call_prices(tables, rows, tables["actor"][rows])


def winnable(tables: Records, rows: Rows) -> NDArray[np.int64]:
    """(K,): chips in the middle that the seat can win if it calls: of each player no more than it puts in itself."""
    seats = tables["actor"][rows]
    total = tables["seats"]["total"][rows]
    own = total[np.arange(len(rows)), seats]
    most = (own + call_chips(tables, rows))[:, None]
    others = np.arange(total.shape[1]) != seats[:, None]
    chips: NDArray[np.int64] = tables["dead"][rows] + own + (np.minimum(total, most) * others).sum(axis=1)
    return chips


def pot_raise(tables: Records, rules: Rules, rows: Rows, part: float) -> NDArray[np.int64]:
    """(K,): the legal raise nearest to calling and then betting this part of the pot; NO_MOVE if no raise is legal.

    A raise that would leave less than a third of the seat's chips behind is all-in instead.
    """
    seats = tables["actor"][rows]
    least, most = tables["raise_min"][rows], tables["raise_max"][rows]
    target = tables["level"][rows] + (part * (tables["pot"][rows] + call_chips(tables, rows))).astype(np.int64)
    all_in = tables["seats"]["stack"][rows, seats] + tables["seats"]["bet"][rows, seats]
    target = np.where(3 * target > 2 * all_in, all_in, target - target % rules.smallest_chip)
    raises: NDArray[np.int64] = np.where(most > 0, np.clip(target, least, most), NO_MOVE)
    return raises
