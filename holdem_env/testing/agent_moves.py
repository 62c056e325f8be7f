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

TIMES = 200  # that agents are asked again whose random numbers cannot be repeated
MAX_COMPARED = 20  # positions per game that are compared so
AGAIN = 10  # times that an agent gives the same moves before it counts as one that repeats them
DEVIATIONS = 5.5  # how many standard deviations such comparisons may be off
SUSPICIOUS = 3.0  # beyond this number of deviations the count is repeated with more questions
MORE_TIMES = 5 * TIMES

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
    elif not subject.gives_probabilities:  # of those the probabilities are checked, and how often each move is played
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
    first = subject.moves(rules, tables, rows)

    def repeats() -> bool:
        return all(np.array_equal(first, subject.moves(rules, tables, rows)) for _ in range(AGAIN))

    def differs(one: Records, two: Records) -> int | None:
        other = subject.moves(rules, two, rows)
        at = next(iter(np.flatnonzero(first != other).tolist()), None)
        return often(one, two) if at is not None and not repeats() else at

    def often(one: Records, two: Records) -> int | None:
        def counted(times: int) -> list[list[Counter[int]]]:
            return [_counts(subject, rules, each, rows[:MAX_COMPARED], times) for each in (one, two)]

        first, second = counted(TIMES)
        at = most_different(first, second)
        if at is None and most_different(first, second, deviations=SUSPICIOUS) is not None:
            first, second = counted(MORE_TIMES)
            at = most_different(first, second)
        return at

    return differs if np.array_equal(first, subject.moves(rules, tables, rows)) else often


def _counts(subject: Subject, rules: Rules, tables: Records, rows: Moves, times: int) -> list[Counter[int]]:
    """How often the agent plays each move at each of the positions, asked many times."""
    played = [subject.moves(rules, tables, rows).tolist() for _ in range(times)]
    return [Counter(moves) for moves in zip(*played, strict=True)]


def most_different(
    one: Sequence[Counter[int]], two: Sequence[Counter[int]], *, deviations: float = DEVIATIONS
) -> int | None:
    """Which of the pairs of counts differs most, if by more than `deviations` standard deviations; else None.

    Pearson's chi-square test of homogeneity of each pair, as a normal deviate (Wilson and Hilferty). Not of all pairs
    together: an agent may draw one number for all positions of a question.
    """
    deviates = [_deviate(first, second) for first, second in zip(one, two, strict=True)]
    at = int(np.argmax(deviates))
    return at if deviates[at] > deviations else None


def _deviate(one: Counter[int], two: Counter[int]) -> float:
    """How much two counts differ, in standard deviations of what chance does."""
    moves = sorted({*one, *two})
    freedom = len(moves) - 1
    if not freedom:
        return 0.0
    table = np.array([[one[move], two[move]] for move in moves], float)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    squares = float(((table - expected) ** 2 / expected).sum())
    spread = 2 / (9 * freedom)
    return float(((squares / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


__all__ = ["MEANINGS", "check_honest", "check_legal", "check_moves", "most_different"]
