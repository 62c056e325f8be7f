"""The checks of an agent's `probabilities`: they are distributions, honest, and what `act` plays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..compiled.records import Records
from ..engine.batch import NO_MOVE
from ..game.rules import Rules
from .agent_moves import check_legal
from .asked_agents import Moves, Subject
from .hidden_fields import DRAWS, HIDDEN, in_words, varied
from .sampled_tables import ConformanceError, where

COPIES = 1_000  # copies of a position in which moves are counted
MAX_COUNTED = 5  # positions per game in which moves are counted
DEVIATIONS = 5.0  # how many standard deviations a count may be off
ROUNDING = 1e-6


def check_probabilities(subject: Subject, rules: Rules, tables: Records, rows: Moves, seed: int) -> None:
    """Check that the probabilities belong to legal moves and sum to 1, that they depend on nothing that the seat cannot
    see, and that the agent plays by them."""
    moves = subject.moves(rules, tables, rows)
    options, probabilities = subject.probabilities(rules, tables, rows)
    _check_distributions(subject, rules, tables, rows, options, probabilities)
    played = ((options == moves[:, None]) & (probabilities > 0)).any(axis=1)
    for k in np.flatnonzero(~played)[:1].tolist():
        raise ConformanceError(
            f"{where(rules, int(rows[k]), tables['actor'][rows[k]])}: {subject.name} plays {moves[k]}, to which its "
            "probabilities give 0: let `act` draw from `probabilities`, as KnownStrategy does."
        )
    _check_honest(subject, rules, tables, rows, options, probabilities, seed)
    _check_frequencies(subject, rules, tables, rows, options, probabilities)


def _check_honest(
    subject: Subject,
    rules: Rules,
    tables: Records,
    rows: Moves,
    options: Moves,
    probabilities: NDArray[np.float64],
    seed: int,
) -> None:
    def first_change(fields: tuple[str, ...]) -> int | None:
        again = subject.probabilities(rules, varied(tables, rules, fields, seed), rows)
        same = _by_move(options, probabilities, options) == _by_move(*again, options)
        return next(iter(np.flatnonzero(~same.all(axis=1)).tolist()), None)

    at = first_change((*HIDDEN, *DRAWS))
    if at is None:
        return
    fields = [name for name in (*HIDDEN, *DRAWS) if first_change((name,)) is not None]
    raise ConformanceError(
        f"{where(rules, int(rows[at]), tables['actor'][rows[at]])}: the probabilities of {subject.name} change with "
        f"what its seat cannot know: {in_words(fields) or 'several hidden fields together'}. Draw samples from a hash "
        "of what the seat sees."
    )


def _check_distributions(
    subject: Subject,
    rules: Rules,
    tables: Records,
    rows: Moves,
    options: Moves,
    probabilities: NDArray[np.float64],
) -> None:
    sums = np.where(options != NO_MOVE, probabilities, 0).sum(axis=1)
    wrong = ~((probabilities >= 0) & ((options != NO_MOVE) | (probabilities == 0))).all(axis=1) | ~(
        np.abs(sums - 1) < ROUNDING
    )
    for column in range(1, options.shape[1]):
        earlier = options[:, :column]
        wrong |= ((earlier == options[:, column : column + 1]) & (earlier != NO_MOVE)).any(axis=1)
    for k in np.flatnonzero(wrong)[:1].tolist():
        raise ConformanceError(
            f"{where(rules, int(rows[k]), tables['actor'][rows[k]])}: {subject.name} gives the moves "
            f"{options[k].tolist()} the probabilities {probabilities[k].tolist()}: they must be 0 or more, 0 for "
            "NO_MOVE (-2), and sum to 1, and each move may be named only once."
        )
    for column in range(options.shape[1]):
        named = np.flatnonzero(options[:, column] != NO_MOVE)
        check_legal(subject.name, rules, tables, rows[named], np.ascontiguousarray(options[named, column]))


def _by_move(moves: Moves, probabilities: NDArray[np.float64], asked: Moves) -> NDArray[np.float64]:
    """The probability of each move in `asked`, (K, A): 0 if it is not among the moves."""
    found = (moves[:, None, :] == asked[:, :, None]) & (asked[:, :, None] != NO_MOVE)
    probability: NDArray[np.float64] = np.where(found, probabilities[:, None, :], 0).sum(axis=2)
    return probability


def _check_frequencies(
    subject: Subject,
    rules: Rules,
    tables: Records,
    rows: Moves,
    options: Moves,
    probabilities: NDArray[np.float64],
) -> None:
    """Check, in the positions with the most mixed strategies, that `act` plays each move with its probability."""
    for k in np.argsort(probabilities.max(axis=1), kind="stable")[:MAX_COUNTED].tolist():
        copies = np.repeat(tables[rows[k] : rows[k] + 1], COPIES)
        copies["table_id"], copies["seed"] = np.arange(COPIES), np.random.default_rng(k).integers(2**62, size=COPIES)
        moves = subject.moves(rules, copies, np.arange(COPIES))
        for move, probability in zip(options[k].tolist(), probabilities[k].tolist(), strict=True):
            frequency = float((moves == move).mean())
            if (
                move != NO_MOVE
                and abs(frequency - probability)
                > DEVIATIONS * (probability * (1 - probability) / COPIES) ** 0.5 + ROUNDING
            ):
                raise ConformanceError(
                    f"{where(rules, int(rows[k]), tables['actor'][rows[k]])}: by its probabilities {subject.name} "
                    f"plays {move} with {probability:.3f}; `act` played it in {frequency:.3f} of {COPIES:,} such "
                    "positions. "
                    "Let `act` draw from `probabilities`, as KnownStrategy does."
                )
