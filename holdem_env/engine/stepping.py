"""A step of many tables: an action at each, and on to the next decision, through the ends of hands and sessions.

It goes in rounds, so that one table need not wait for the other's memory: first every table's move, then what follows
where a betting round has ended, then the next hand where one is over.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled.compiler import compiled, inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Ints
from .button import can_deal
from .dealing import fresh_deck, shuffle
from .hand import advance, must_advance, play_move, start_hand
from .invariants import watched
from .prefetching import prefetch_ending, prefetch_move, prefetch_table
from .record import NOBODY, LogRecord, RulesRecord, TableRecord
from .seats import next_seat
from .session_kernels import SCHEDULE, arrange_hand, begin_session, close_hand, next_phase_alone

# How many tables ahead of the one that is played the next is fetched from memory.
AHEAD = 3
# After this many hands of a session in which nobody is asked, nobody ever will be.
MAX_HANDS = 10_000
Results = tuple[Any, ...]
"""Rewards (N, seats), done (N,), session_over (N,), places (N, seats): arrays that a step fills."""


@inline
def deal_next_hand(t: TableRecord, rules: Records, log: LogRecord) -> None:
    """The next hand of a table at which every hand stands alone: fresh stacks, the button one seat on, the deck that
    the seed gives it."""
    t.hand += 1
    if rules[0].phases > 1:
        next_phase_alone(t, rules)
    r = rules[t.stage]
    t.button = next_seat(r, t.button)
    for seat in range(r.seats):
        t.stack[seat] = r.stacks[seat]
    fresh_deck(t, r)
    shuffle(t, r, 0, r.cards_needed)
    start_hand(t, r, log, 0, 0)


@inline
def add_payoffs(t: TableRecord, r: RulesRecord, reward: Ints) -> None:
    """Add what each seat won or lost in the hand."""
    for seat in range(r.seats):
        reward[seat] += t.stack[seat] - t.start_stack[seat]


@compiled
def deal_until_decision(t: TableRecord, rules: Records, log: LogRecord, reward: Ints) -> None:
    """Deal hands until somebody is to act; those without a decision are paid at once.

    Stacks are fresh every hand, so when no button of a whole round brings a decision, none ever will: then it gives up.
    """
    deal_next_hand(t, rules, log)
    for _ in range(rules[0].seats):
        if t.actor != NOBODY:
            return
        add_payoffs(t, rules[0], reward)
        deal_next_hand(t, rules, log)


@compiled
def next_session_decision(t: TableRecord, rules: Records, log: LogRecord, reward: Ints, places: Ints) -> bool:
    """A session's hand is over and paid: go on, with a new session if this one is over, until somebody is to act.

    Returns whether a session ended on the way; its finishing places are in `places`. Gives up where nobody is asked in
    MAX_HANDS hands.
    """
    ended = False
    for _ in range(MAX_HANDS):
        close_hand(t, rules[t.stage])
        if t.session_over == 0 and not can_deal(t, rules[t.stage]):
            t.session_over = 1
        if t.session_over != 0:
            ended = True
            for seat in range(rules[0].seats):
                places[seat] = t.place[seat]
            begin_session(t, rules[0])
        arrange_hand(t, rules, log, SCHEDULE)
        start_hand(t, rules[t.stage], log, 0, 0)
        if t.actor != NOBODY:
            return ended
        add_payoffs(t, rules[t.stage], reward)
    return ended


@inline
def next_decision(t: TableRecord, rules: Records, log: LogRecord, reward: Ints, places: Ints) -> bool:
    """A hand is over and paid: go on until somebody is to act. Returns whether a session ended on the way."""
    if rules[0].is_session != 0:
        return next_session_decision(t, rules, log, reward, places)
    deal_until_decision(t, rules, log, reward)
    return False


@watched
@kernel
def deal_tables(tables: Records, rules: Records, log: Records, results: Results, first: int, last: int) -> None:
    """Begin at each table: a hand, or a session, and further ones until somebody is to act."""
    rewards, _, _, places = results
    rewards[first:last] = 0
    for i in range(first, last):
        t = tables[i]
        if rules[0].is_session == 0:
            deal_until_decision(t, rules, log[0], rewards[i])
            continue
        begin_session(t, rules[0])
        arrange_hand(t, rules, log[0], SCHEDULE)
        start_hand(t, rules[t.stage], log[0], 0, 0)
        if t.actor == NOBODY:
            add_payoffs(t, rules[t.stage], rewards[i])
            next_session_decision(t, rules, log[0], rewards[i], places[i])


@inline
def play_moves_at(
    tables: Records, rules: Records, log: Records, choices: Ints, actions: Ints, waiting: Ints, first: int, last: int
) -> int:
    """Play offered actions. Writes where there is more to do to `waiting`, and returns how many these are."""
    count = 0
    for i in range(first, last):
        prefetch_table(tables, i + AHEAD, rules[0].seats)
        prefetch_move(tables, min(i + 1, last - 1))
        t = tables[i]
        play_move(t, rules[t.stage], log[0], choices[i, actions[i]])
        waiting[count] = i
        count += must_advance(t)
    return count


@inline
def advance_at(tables: Records, rules: Records, log: Records, waiting: Ints, count: int) -> int:
    """What follows from the moves at tables waiting[:count]. Writes where the hand is over to `waiting`, and returns
    how many these are."""
    for k in range(min(AHEAD, count)):
        prefetch_ending(tables, waiting[k])
    over = 0
    for k in range(count):
        prefetch_ending(tables, waiting[min(k + AHEAD, count - 1)])
        i = waiting[k]
        t = tables[i]
        advance(t, rules[t.stage], log[0])
        waiting[over] = i
        over += t.actor == NOBODY
    return over


@inline
def step_at(
    tables: Records, rules: Records, log: Records, choices: Ints, actions: Ints, results: Results, first: int, last: int
) -> None:
    """Play offered actions; tables whose hand is over pay it and go on: the next hand, or session.

    results: (rewards, done, session_over, places), as `Tables` shows them.
    """
    rewards, done, session_over, places = results
    rewards[first:last] = 0
    done[first:last] = False
    session_over[first:last] = False
    waiting = np.empty(last - first, np.int64)
    count = play_moves_at(tables, rules, log, choices, actions, waiting, first, last)
    over = advance_at(tables, rules, log, waiting, count)
    for k in range(over):
        i = waiting[k]
        t = tables[i]
        done[i] = True
        add_payoffs(t, rules[t.stage], rewards[i])
        session_over[i] = next_decision(t, rules, log[0], rewards[i], places[i])


@watched
@kernel
def step_tables(
    tables: Records, rules: Records, log: Records, choices: Ints, actions: Ints, results: Results, first: int, last: int
) -> None:
    """`step_at` for Python."""
    step_at(tables, rules, log, choices, actions, results, first, last)
