"""The checks of an agent's moves: they are legal, and depend on nothing that its seat cannot see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from ..compiled.records import Records
from ..engine import batch
from ..engine.legality import why_illegal
from ..game.rules import Rules
from .asked_agents import Moves, Subject
from .hidden_fields import DRAWS, HIDDEN, MEANINGS, blanked, in_words, varied
from .sampled_tables import ConformanceError, where

COPIES = 200  # of a position, for agents whose random numbers cannot be repeated
MOST_COMPARED = 20  # positions per game that are compared so
DEVIATIONS = 6.0  # how many standard deviations such comparisons may be off

Differ = Callable[[Records, Records], "int | None"]
"""Says at which of the rows asked about an agent plays differently, the first of them; None if nowhere."""


def check_legal(name: str, rules: Rules, tables: Records, rows: Moves, moves: Moves) -> None:
    """Check that moves are legal. Raises ConformanceError."""
    bad = batch.first_illegal(tables, rules.record, rows, moves)
    if bad >= 0:
        row = int(rows[bad])
        why = why_illegal(tables, rules.record, row, int(moves[bad]))
        raise ConformanceError(
            f"{where(rules, row, tables['actor'][row])}: {name} makes an illegal move: {why} "
            "Take moves from an action encoder, or keep raises within t.raise_min..t.raise_max."
        )


def check_moves(subject: Subject, rules: Rules, tables: Records, rows: Moves, seed: int) -> None:
    """Check that the agent gives legal moves for many tables and for one, and writes nothing."""
    check_legal(subject.name, rules, tables, rows, subject.moves(rules, tables, rows))
    check_legal(subject.name, rules, tables, rows[:1], subject.moves(rules, tables, rows[:1]))


def check_honest(subject: Subject, rules: Rules, tables: Records, rows: Moves, seed: int) -> None:
    """Check that the moves depend on nothing that the seat cannot see; names the fields on which they do."""
    differ = _differ(subject, rules, tables, rows)

    def depends_on(fields: Sequence[str]) -> int | None:
        return differ(tables, varied(tables, rules, fields, seed))

    at, fields = depends_on(HIDDEN), HIDDEN
    if at is not None:
        found = {name: place for name in HIDDEN if (place := depends_on([name])) is not None}
        at, fields = next(iter(found.values()), at), tuple(found)
    elif not subject.tells_probabilities:  # of those the probabilities are checked, and how often each move is played
        found = {name: place for name in DRAWS if (place := depends_on([name])) is not None}
        if found and "seed" not in found:
            at, fields = next(iter(found.values())), tuple(found)
    if at is not None:
        what = in_words(fields) if fields else "several hidden fields together"
        looks = "hidden cards" if not fields or set(fields) - set(DRAWS) else "them"
        raise ConformanceError(
            f"{where(rules, int(rows[at]), tables['actor'][rows[at]])}: {subject.name} plays differently when only "
            f"{what} {'changes' if len(fields) == 1 else 'change'}: it looks at {looks}. Let it see the table through "
            "an encoder, or write a TableAgent."
        )
    _check_on_views(subject, rules, tables, rows, differ)


def _check_on_views(subject: Subject, rules: Rules, tables: Records, rows: Moves, differ: Differ) -> None:
    """Check that the agent plays the same where all that is hidden is blank."""
    blank = tables.copy()
    blank[rows] = blanked(tables, rules, rows)
    at = differ(tables, blank)
    if at is not None:
        raise ConformanceError(
            f"{where(rules, int(rows[at]), tables['actor'][rows[at]])}: {subject.name} plays differently when all that "
            "its seat cannot see is blank: it looks at hidden fields. Let it see the table through an encoder, or "
            "write a TableAgent."
        )


def _differ(subject: Subject, rules: Rules, tables: Records, rows: Moves) -> Differ:
    """How to compare what the agent plays: move by move if it plays the same again when it draws the same random
    numbers, otherwise by how often it plays each move."""
    first, again = (subject.moves(rules, tables, rows) for _ in range(2))
    if np.array_equal(first, again):

        def differs(one: Records, two: Records) -> int | None:
            other = subject.moves(rules, two, rows)
            return next(iter(np.flatnonzero(first != other).tolist()), None)

        return differs

    def often(one: Records, two: Records) -> int | None:
        counts = [_counts(subject, rules, each, rows[:MOST_COMPARED]) for each in (one, two)]
        return most_different(*counts)

    return often


def _counts(subject: Subject, rules: Rules, tables: Records, rows: Moves) -> list[Counter[int]]:
    """How often the agent plays each move in copies of each of the positions."""
    copies = np.repeat(tables[rows], COPIES)
    moves = subject.moves(rules, copies, np.arange(len(copies))).reshape(len(rows), COPIES)
    return [Counter(each.tolist()) for each in moves]


def most_different(one: Sequence[Counter[int]], two: Sequence[Counter[int]]) -> int | None:
    """Which of the pairs of counts differs most, if all together differ by more than chance explains; else None.

    Pearson's chi-square test of homogeneity, its sum over the pairs as a normal deviate (Wilson and Hilferty).
    """
    squares: list[float] = []
    freedom = 0
    for first, second in zip(one, two, strict=True):
        moves = sorted({*first, *second})
        table = np.array([[first[move], second[move]] for move in moves], float)
        expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
        squares.append(float(((table - expected) ** 2 / expected).sum()))
        freedom += len(moves) - 1
    if not freedom:
        return None
    spread = 2 / (9 * freedom)
    deviate = ((sum(squares) / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5
    return int(np.argmax(squares)) if deviate > DEVIATIONS else None


__all__ = ["MEANINGS", "check_honest", "check_legal", "check_moves", "most_different"]
