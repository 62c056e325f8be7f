"""`equity`: what hands and ranges are worth against each other, exact where that takes about a second, else sampled.

>>> print(equity(["AsAh", "KdKc"]))
81.26 %, 18.74 % (exact, 1,712,304 showdowns)
>>> equity(["AsKs", "QQ, JJ"], board="Ts 9s 2d").exact
True

Given hands are always counted exactly: exact.py says how 1.7 million boards take a fifth of a millisecond.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ..cards.text import CARDS, card_name
from ..compiled.records import new_records
from .exact import exact_batch
from .holdem import BOARD_SIZES, HOLE
from .methods import Equity, check_possible, count_exactly, sample
from .questions import (
    CardsLike,
    Holding,
    check_enough,
    check_players,
    read_board,
    read_cards,
    read_question,
)
from .records import DEAL, MATCHUP
from .sampling import sample_batch

__all__ = ["Equity", "equity", "equity_batch"]


def equity(
    hands: Sequence[Holding],
    board: CardsLike = "",
    samples: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    dead: CardsLike = "",
) -> Equity:
    """Return the expected shares of the pot of 2 to 10 hands or ranges at the showdown of hold'em.

    Ranges are dealt together: every way to give each player one hand without a card twice counts with the product of
    the hands' weights.

    Given hands are always exact, and two ranges from the flop on. Other ranges are exact up to 5,000 different matchups
    of two players before the flop, or a million from the flop on; with more players, fewer. Matchups that differ by a
    renaming of suits count once.

    Args:
        hands: For each player two cards ("AsKd", or ints) or a range ("77+, AQs+, KJo", "random"; see `Range`).
        board: 0, 3, 4 or 5 cards, text or ints.
        samples: None counts exactly where that takes about a second at most, and samples a million showdowns otherwise;
            a number samples that many.
        seed: The same seed gives the same samples.
        dead: Cards that are out of play, text or ints.

    Raises:
        ValueError: If a card comes twice, a number of cards or players is wrong, a range has a typo, or the ranges
            cannot be dealt together. The message names what is wrong.
        TypeError: If an argument has the wrong type.

    >>> print(equity(["77+, AQs+, KJo", "AsAh"]))
    17.90 %, 82.10 % (exact, 101,025,936 showdowns)
    """
    question = read_question(hands, board, dead)
    number = None if samples is None else _number_of_samples(samples)
    start = _as_seed(seed)
    if number is None and (found := count_exactly(question)) is not None:
        return found
    check_possible(question)
    return sample(question, number, start)


def equity_batch(
    hands: NDArray[np.integer[Any]] | Sequence[Any],
    board: NDArray[np.integer[Any]] | Sequence[Any] | str | None = None,
    samples: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    dead: CardsLike = "",
) -> NDArray[np.float64]:
    """Return the expected shares of the pot in many matchups of given hands, compiled.

    On one core a matchup of two takes 0.2 ms before the flop, 1 µs on the flop and 0.15 µs on the turn when counted. A
    sample takes some 20 ns, so counting is nearly always better.

    Args:
        hands: (N, players, 2) ints 0..51.
        board: (N, k) ints with k 0, 3, 4 or 5, or one board for all, (k,) or as text.
        samples: None counts all boards, a number samples that many for each row.
        seed: The same seed gives the same samples.
        dead: Cards that are out of play in all matchups.

    Returns:
        (N, players) float64.

    Raises:
        TypeError: If the cards are not ints.
        ValueError: If a shape is wrong, a number is not a card, or a card comes twice. The message names the row,
            counted from 0.

    >>> equity_batch([[[51, 50], [45, 44]], [[51, 50], [0, 21]]], board="2h 7s Jd").round(3).tolist()
    [[0.916, 0.084], [0.255, 0.745]]
    """
    hole = _integers("hands", hands)
    if hole.ndim != 3 or hole.shape[2] != HOLE:
        raise ValueError(f"hands have the shape (N, players, {HOLE}), not {hole.shape}")
    check_players(hole.shape[1])
    boards = _boards(board, len(hole))
    gone = np.array(read_cards("dead", dead), np.int64)
    check_enough(hole.shape[1], boards.shape[1], len(gone))
    _check_rows(hole, boards, gone)
    if samples is None:
        result = np.empty((3, *hole.shape[:2]))
        exact_batch(hole, boards, gone, new_records(MATCHUP, 1), result)
        return np.ascontiguousarray(result[0])
    shares = np.empty(hole.shape[:2])
    sample_batch(hole, boards, gone, new_records(DEAL, 1), _as_seed(seed), _number_of_samples(samples), shares)
    return shares


def _number_of_samples(samples: SupportsIndex) -> int:
    number = _as_int("samples", samples)
    if number < 2:
        raise ValueError(f"samples is None, to count exactly where that is quick, or at least 2, not {number}")
    return number


def _as_seed(seed: SupportsIndex) -> np.uint64:
    return np.uint64(_as_int("seed", seed) % 2**64)


def _as_int(name: str, value: SupportsIndex) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is an int, not {type(value).__name__} {value!r}") from None


def _integers(name: str, cards: object) -> NDArray[np.int64]:
    """Cards as C-contiguous int64, of whatever shape."""
    try:
        numbers = np.asarray(cards)
    except ValueError:  # ragged
        raise ValueError(f"the rows of {name} are not equally long") from None
    if numbers.size == 0:
        numbers = numbers.astype(np.int64)  # an empty list has no integers to see
    if not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"{name} are ints 0..{CARDS - 1} in an integer array, not {numbers.dtype}")
    return np.ascontiguousarray(numbers, np.int64)


def _boards(board: object, rows: int) -> NDArray[np.int64]:
    """A board for each row, (rows, k)."""
    if board is None or isinstance(board, str):
        board = read_board(board or "")
    boards = _integers("boards", board)
    if boards.ndim == 1:
        boards = np.ascontiguousarray(np.broadcast_to(boards, (rows, len(boards))))
    if boards.ndim != 2 or len(boards) != rows or boards.shape[1] not in BOARD_SIZES:
        raise ValueError(f"boards have the shape ({rows}, k) or (k,), k = 0, 3, 4 or 5, not {boards.shape}")
    return boards


def _check_rows(hole: NDArray[np.int64], boards: NDArray[np.int64], dead: NDArray[np.int64]) -> None:
    """Raise ValueError, naming row and card, unless every row has different cards, dead ones included."""
    rows, players, _ = hole.shape
    everywhere = np.broadcast_to(dead, (rows, len(dead)))
    cards = np.concatenate([hole.reshape(rows, HOLE * players), boards, everywhere], axis=1)
    outside = (cards < 0) | (cards >= CARDS)
    if outside.any():
        row, place = np.argwhere(outside)[0]
        raise ValueError(f"row {row} has {cards[row, place]}, which is no card: cards are 0 (2c) to {CARDS - 1} (As)")
    cards.sort(axis=1)
    twice = cards[:, 1:] == cards[:, :-1]
    if twice.any():
        row, place = np.argwhere(twice)[0]
        raise ValueError(f"row {row} has {card_name(cards[row, place])} twice among its hands, board and dead cards")
