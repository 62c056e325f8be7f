"""The check of an agent's memory: what it saw in one rotation of a deal changes nothing in another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..agents.protocol import Agent
from ..compiled.records import Records
from ..engine import batch, record
from ..engine.seat_view import new_views, view_rows
from ..game.rules import Rules
from .agent_moves import most_different
from .asked_agents import Moves, Subject, asked, hand_over, in_parts, reset, resets
from .random_states import taken_state
from .sampled_tables import ConformanceError, random_moves, where

DEALS = 24  # in the check of one game
REPEATS = 40  # for agents whose random numbers cannot be repeated


@dataclass(frozen=True)
class Rotation:
    """The decisions of one seat in some deals, as the arena asks for them: views, and which rows of them; at the end
    the finished hands."""

    rules: Rules
    seat: int
    asked: list[tuple[Records, Moves]]
    finished: Records


def check_memory(subject: Subject, rules: Rules, tables: Records, rows: Moves, seed: int) -> None:
    """Check that the agent plays a deal from one seat as it does if it has played the same deal from another seat
    before: with `reset` in between, and as another clone."""
    before, after = _two_rotations(rules, seed)
    if not before.asked or not after.asked:
        return
    first = _played_once(subject, after)
    if _played_once(subject, after) == first:
        unchanged = _played_once(subject, after, before) if resets(subject.agent) else first
        other_clone = _played_once(subject, after)
        if not resets(subject.agent):
            _played_once(subject, before)
            other_clone = _played_once(subject, after)
        _refuse(subject, after, _first_difference(first, unchanged), _first_difference(first, other_clone))
        return
    alone = _counted(subject, after, None)
    apart = _counted(subject, after, before) if resets(subject.agent) else alone
    _counted(subject, before, None)
    _refuse(subject, after, most_different(alone, apart), most_different(alone, _counted(subject, after, None)))


def _refuse(subject: Subject, rotation: Rotation, same_agent: int | None, other_clone: int | None) -> None:
    """Raise ConformanceError if there is a decision that memory has changed."""
    if same_agent is None and other_clone is None:
        return
    number = other_clone if other_clone is not None else same_agent
    each = [
        deals[here] for together in _together(subject.agent, rotation) for _, deals, here in _of(rotation, together)
    ]
    row = int(np.concatenate(each)[number])
    if other_clone is not None:
        how = (
            "although a clone was asked that shares no memory with the one that played then: it keeps what it saw "
            "where all its clones find it, such as a variable of its module or class. Keep it in attributes of self, "
            "and forget it in `reset`."
        )
    else:
        how = "although it was reset in between: let `reset` forget everything that it saw."
    raise ConformanceError(
        f"{where(rotation.rules, row, rotation.seat)}: {subject.name} plays differently after it has played the same "
        f"deal from another seat, {how}"
    )


def _played_once(subject: Subject, rotation: Rotation, before: Rotation | None = None) -> list[int]:
    """The moves of a new clone in one rotation, in order. before: a rotation that it has played already when it is
    reset, with the same random numbers again."""
    agent = subject.clone()
    try:
        put_back = taken_state(agent)
        if before is not None:
            reset(agent)
            _moves_of(agent, before)
            put_back()
        reset(agent)
        return _moves_of(agent, rotation)
    finally:
        subject.close(agent)


def _counted(subject: Subject, rotation: Rotation, before: Rotation | None) -> list[Counter[int]]:
    """How often each move was played at each decision of a rotation, in many repetitions."""
    played = [_played_once(subject, rotation, before) for _ in range(REPEATS)]
    return [Counter(moves) for moves in zip(*played, strict=True)]


def _first_difference(one: list[int], two: list[int]) -> int | None:
    return next((k for k, (first, second) in enumerate(zip(one, two, strict=True)) if first != second), None)


def _moves_of(agent: Agent, rotation: Rotation) -> list[int]:
    """What the agent plays in a rotation. One that plays at few tables plays that many hands to their end at once."""
    moves: list[int] = []
    for together in _together(agent, rotation):
        for views, _, here in _of(rotation, together):
            moves += asked(agent, rotation.rules, views, here).tolist()
        over = _seen(rotation.finished, rotation.rules, together, rotation.seat)
        over["actor"] = rotation.seat
        hand_over(agent, rotation.rules, over)
    return moves


def _together(agent: Agent, rotation: Rotation) -> list[Moves]:
    """The deals that an agent plays at once, one part after the other."""
    deals = np.arange(len(rotation.finished))
    return in_parts(deals, agent.facts.tables_at_once or len(deals))


def _of(rotation: Rotation, together: Moves) -> Iterator[tuple[Records, Moves, Moves]]:
    """The questions about some of the deals: views, the deal of each, and the places of those deals."""
    for views, deals in rotation.asked:
        here = np.flatnonzero(np.isin(deals, together))
        if here.size:
            yield views, deals, here


def _two_rotations(rules: Rules, seed: int) -> tuple[Rotation, Rotation]:
    """Some deals played out by random moves, as seat 0 saw them and as seat 1 saw them."""
    generator = np.random.default_rng([seed, 4])
    tables, log = record.new_records(record.TABLE, DEALS), record.new_log(listening=False)
    batch.number_tables(tables, seed + 1, 0, 0)
    tables["button"] = generator.integers(rules.seats, size=DEALS)
    rows = np.arange(DEALS)
    tables["phase"] = rows % max(int(rules.record["phases"][0]), 1)
    batch.deal_hands(tables, rules.record, log, rows)
    questions: tuple[list[tuple[Records, Moves]], list[tuple[Records, Moves]]] = ([], [])
    while (waiting := np.flatnonzero(tables["actor"] != record.NOBODY)).size:
        for seat, asked_for in enumerate(questions):
            if (theirs := waiting[tables["actor"][waiting] == seat]).size:
                views = _seen(tables, rules, theirs, seat)
                views["seed"] = generator.integers(2**62, size=len(theirs))
                views["table_id"] = theirs * len(questions) + seat
                asked_for.append((views, theirs))
        batch.play_moves(tables, rules.record, log, waiting, random_moves(tables, rules, waiting, generator))
    zero, one = (Rotation(rules, seat, asked_for, tables) for seat, asked_for in enumerate(questions))
    return zero, one


def _seen(tables: Records, rules: Rules, rows: NDArray[np.int64], seat: int) -> Records:
    views = new_views(len(rows))
    view_rows(tables, rules.record, rows, views, np.full(len(rows), seat, np.int64))
    return views
