"""The compiled part of the AEC environment: one call plays a move, or deals a hand, and looks at the table.

The encoders' kernels are called by address, so these are compiled once for all encoders.
"""

from __future__ import annotations

import numpy as np

from ..compiled.compiler import inline, kernel
from ..encoders.one_pass import call
from ..engine.batch import look_at
from ..engine.button import can_deal
from ..engine.hand import apply_move, start_hand
from ..engine.invariants import watched_until_closed
from ..engine.record import NOBODY, new_log
from ..engine.session_kernels import SCHEDULE, arrange_hand, begin_numbered_session, close_hand

NO_SEED = -1
OVER = NOBODY - 1
"""Instead of the seat to act: the hand is over, and with it the episode. NOBODY: the next hand is to be dealt."""
PAYOFFS, REBUYS, STACKS, PLACES = range(4)  # the rows of `ended`
NO_LOG = new_log(listening=False)


@inline
def end_hand(tables, rules, ended):
    """Close the first table's hand. A second table becomes a copy of the first as it was when the chips were pushed.
    Returns whether the session is over, or has too few players.

    ended: (4, seats) int64, written: chips won, chips of rebuys, stacks, finishing places.
    """
    t = tables[0]
    if tables.size > 1:
        tables[1] = t
    for seat in range(ended.shape[1]):
        ended[PAYOFFS, seat] = t.stack[seat] - t.start_stack[seat]
        ended[REBUYS, seat] = t.stack[seat]
    close_hand(t, rules[t.stage])
    for seat in range(ended.shape[1]):
        ended[REBUYS, seat] = t.stack[seat] - ended[REBUYS, seat]
        ended[STACKS, seat] = t.stack[seat]
        ended[PLACES, seat] = t.place[seat]
    return t.session_over != 0 or not can_deal(t, rules[0])


@inline
def look(observe, choose, tables, rules, choices, mask, seen, ended, parameters):
    """What is offered to the seat to act, and what it sees. If the hand is over, it is closed; if the episode is over,
    every seat sees the end. An encoder with address 0 is left out. Returns the seat to act, NOBODY or OVER.

    seen: (seats, size) float32; the rows of the seats that look are written.
    """
    actor = np.int64(tables[0].actor)
    if actor == NOBODY and not end_hand(tables, rules, ended):
        return NOBODY
    first, last = (actor, actor + 1) if actor != NOBODY else (0, seen.shape[0])
    rows, seats = np.zeros(last - first, np.int64), np.arange(first, last)
    if choose != 0 and actor != NOBODY:
        call(choose, tables, rules, rows, parameters, choices)
        look_at(tables, choices, mask, seats, 0, 1)
    if observe != 0:
        call(observe, tables, rules, rows, seats, seen[first:last])
    return actor if actor != NOBODY else OVER


@watched_until_closed
@kernel
def play_and_look(observe, choose, tables, rules, choices, mask, seen, ended, parameters, move):
    """Play a legal move at the first table, then look at it. Returns what `look` returns."""
    apply_move(tables[0], rules[tables[0].stage], NO_LOG[0], move)
    return look(observe, choose, tables, rules, choices, mask, seen, ended, parameters)


@watched_until_closed
@kernel
def deal_and_look(observe, choose, tables, rules, choices, mask, seen, ended, parameters, seed, is_arranged):
    """Deal the next hand of the first table, then look at it. Returns what `look` returns.

    seed: of a session that begins with this hand, or NO_SEED. is_arranged: whether the hand's positions and deck stand
    in the record.
    """
    t = tables[0]
    if seed != NO_SEED:
        begin_numbered_session(t, rules[0], seed, 0)
    if is_arranged or arrange_hand(t, rules, NO_LOG[0], SCHEDULE):
        start_hand(t, rules[t.stage], NO_LOG[0], 0, 0)
    return look(observe, choose, tables, rules, choices, mask, seen, ended, parameters)
