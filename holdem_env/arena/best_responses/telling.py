"""Asking agents for their probabilities, and checking what they tell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...engine import batch
from ...engine.record import Records
from ...legality import IllegalMove, why_illegal
from ...players import Agent, StrategyUnknown
from ...rules import Rules

SUM = 1e-6  # how far from 1 the sum of probabilities may be


def check_tells(agent: Agent, what: str) -> None:
    """Raises StrategyUnknown for an agent that tells no probabilities, saying what needs them."""
    if not agent.tells_probabilities:
        raise StrategyUnknown(
            f"{what}: agent {agent.name!r} does not tell the probabilities of its moves (its class has no method "
            "`probabilities`); only agents that tell them can be measured so"
        )


def told(
    agent: Agent, tables: Records, rules: Rules, rows: NDArray[np.int64], most: int = 16_384
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The agent's moves and their probabilities at tables[rows], checked; see `Agent.probabilities`.

    most: so many rows are asked at once. Raises ValueError for shapes that do not fit, numbers that are no
    probabilities, a move named twice; IllegalMove for a move that may not be made.
    """
    parts = [_told_once(agent, tables, rules, rows[at : at + most]) for at in range(0, len(rows), most)]
    width = max(moves.shape[1] for moves, _ in parts)
    moves = np.full((len(rows), width), batch.NO_MOVE, np.int64)
    chances = np.zeros((len(rows), width))
    at = 0
    for some, likely in parts:
        moves[at : at + len(some), : some.shape[1]] = some
        chances[at : at + len(some), : some.shape[1]] = likely
        at += len(some)
    return moves, chances


def _told_once(
    agent: Agent, tables: Records, rules: Rules, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    told_moves, told_chances = (np.asarray(each) for each in agent.probabilities(tables, rules, rows))
    who = f"agent {agent.name!r}: probabilities"
    shape = told_moves.shape
    if len(shape) != 2 or shape != told_chances.shape or shape[0] != len(rows) or told_moves.dtype.kind not in "iu":
        raise ValueError(
            f"{who} must give integer moves and their probabilities, both ({len(rows)}, A); it gave "
            f"{told_moves.dtype} {shape} and {told_chances.dtype} {told_chances.shape}"
        )
    moves: NDArray[np.int64] = np.ascontiguousarray(told_moves, np.int64)
    chances: NDArray[np.float64] = np.ascontiguousarray(told_chances, np.float64)
    off = ~(np.abs(chances.sum(axis=1) - 1) <= SUM) | ~(chances >= 0).all(axis=1)  # catches NaN, too
    off |= (chances * (moves == batch.NO_MOVE)).any(axis=1)
    if off.any():
        row = int(off.argmax())
        raise ValueError(f"{who} are no distribution at table {rows[row]}: {_in_words(moves[row], chances[row])}")
    _check_moves(who, tables, rules, rows, moves, chances)
    return moves, chances


def _check_moves(
    who: str,
    tables: Records,
    rules: Rules,
    rows: NDArray[np.int64],
    moves: NDArray[np.int64],
    chances: NDArray[np.float64],
) -> None:
    ordered = np.sort(moves, axis=1)
    twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != batch.NO_MOVE)).any(axis=1)
    if twice.any():
        row = int(twice.argmax())
        raise ValueError(f"{who} name a move twice at table {rows[row]}: {_in_words(moves[row], chances[row])}")
    given = moves != batch.NO_MOVE
    asked, all_moves = np.repeat(rows, given.sum(axis=1)), moves[given]
    bad = batch.first_illegal(tables, rules.record, asked, all_moves)
    if bad >= 0:
        why = why_illegal(tables[asked[bad]], rules.record[tables[asked[bad]]["stage"]], int(all_moves[bad]))
        raise IllegalMove(f"{who}, table {asked[bad]}: {why}")


def _in_words(moves: NDArray[np.int64], chances: NDArray[np.float64]) -> str:
    pairs = zip(moves.tolist(), chances.tolist(), strict=True)
    return ", ".join(f"{move}: {chance:.4g}" for move, chance in pairs)
