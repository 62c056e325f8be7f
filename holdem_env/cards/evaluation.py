"""The public hand evaluator: checks the cards, then finds the best five with the compiled `cards.evaluator`.

>>> evaluate("AsKsQsJsTs") == evaluate("2c3d AhKhQhJhTh") == 7462
True
>>> CATEGORY_NAMES[category(evaluate("As Ac Kd Kh 2s"))]
'two pair'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from .evaluator import BEST_VALUE, CATEGORY_FIRST, CATEGORY_NAMES, WORST_VALUE, evaluate_batch, first_fault
from .text import CARDS, UNKNOWN, card_name, parse_cards

__all__ = ["BEST_VALUE", "CATEGORY_NAMES", "WORST_VALUE", "category", "evaluate"]

MIN_CARDS, MAX_CARDS = 5, 7
Integers: TypeAlias = NDArray[np.integer[Any]]


@overload
def evaluate(cards: str | Sequence[int]) -> int: ...
@overload
def evaluate(cards: Integers | Sequence[Sequence[int]]) -> NDArray[np.int64]: ...
def evaluate(cards: str | Sequence[int] | Integers | Sequence[Sequence[int]]) -> int | NDArray[np.int64]:
    """Return the value of hands of five to seven cards (R1-R3), from 1 (7-5-4-3-2) to 7462 (royal).

    The value is the class of the best five cards. Higher values are better hands, and hands that tie have equal values.
    The order of the cards does not matter.

    Args:
        cards: (N, 5..7) ints 0..51 of any integer dtype. Alternatively one hand as text ("AsKsQsJsTs2c3d") or as 5 to 7
            ints in a sequence or array. A card is `4 * rank + suit`; ranks are 0 = deuce … 12 = ace, suits
            c d h s = 0 1 2 3. C-contiguous int8 is fastest.

    Returns:
        (N,) int64, or an int for one hand.

    Raises:
        TypeError: If the cards are not integers.
        ValueError: If the number of cards is wrong, a card is invalid, or a hand has a card twice. The message names
            row and card, counted from 0.

    >>> evaluate([[51, 47, 43, 39, 35], [51, 0, 5, 10, 15]]).tolist()
    [7462, 5854]
    """
    if isinstance(cards, str):
        return int(_evaluate_rows(_as_integers([parse_cards(cards)]), one_hand=True)[0])
    numbers = _as_integers(cards)
    if numbers.ndim == 1:
        return int(_evaluate_rows(numbers[np.newaxis], one_hand=True)[0])
    return _evaluate_rows(numbers, one_hand=False)


@overload
def category(value: int) -> int: ...
@overload
def category(value: NDArray[np.int64]) -> NDArray[np.int64]: ...
def category(value: int | NDArray[np.int64]) -> int | NDArray[np.int64]:
    """The category of a hand (R2): 0 high card … 8 straight flush, an index into CATEGORY_NAMES.

    value: the result of `evaluate`: an int -> int, or an array -> int64 array of the same shape.
    Raises TypeError if it is not an integer, ValueError for a value that no hand has.
    """
    values = np.asarray(value)
    if not np.issubdtype(values.dtype, np.integer):
        raise TypeError(f"a hand's value is an int, as `evaluate` returns it, not {values.dtype}")
    wrong = (values < WORST_VALUE) | (values > BEST_VALUE)
    if wrong.any():
        raise ValueError(f"no hand has the value {values[wrong].flat[0]}: values are {WORST_VALUE} to {BEST_VALUE}")
    found = np.searchsorted(CATEGORY_FIRST, values, side="right") - 1
    return found.astype(np.int64) if values.ndim else int(found)


def _as_integers(cards: object) -> Integers:
    """The cards as an integer array of any shape and integer dtype. Raises TypeError for other types."""
    try:
        numbers = np.asarray(cards)
    except ValueError:  # ragged
        raise ValueError("the hands have different numbers of cards: all rows of a call must be equally long") from None
    if numbers.size == 0 and not isinstance(cards, np.ndarray):
        numbers = numbers.astype(np.int64)  # NumPy makes an empty list float64
    if not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(
            f"cards are ints 0..{CARDS - 1} in an integer array, or one hand as text such as 'AsKsQsJsTs', "
            f"not {type(cards).__name__} of {numbers.dtype}"
        )
    return numbers


def _evaluate_rows(numbers: Integers, one_hand: bool) -> NDArray[np.int64]:
    _check_shape(numbers, one_hand)
    # Two dtypes are compiled; all others convert to int64. A uint64 too large becomes negative, which is no valid card.
    hands: Integers = np.ascontiguousarray(numbers, dtype=np.int8 if numbers.dtype == np.int8 else np.int64)
    row = int(first_fault(hands))
    if row >= 0:
        _explain(numbers[row], None if one_hand else row)
    values = np.empty(len(hands), np.int64)
    evaluate_batch(hands, values)
    return values


def _check_shape(numbers: Integers, one_hand: bool) -> None:
    if numbers.ndim != 2:
        right = f"(hands, {MIN_CARDS}..{MAX_CARDS}), or ({MIN_CARDS}..{MAX_CARDS},) for one hand"
        raise ValueError(f"cards have the shape {right}, not {numbers.shape}")
    if not MIN_CARDS <= numbers.shape[1] <= MAX_CARDS:
        hand = "the hand has" if one_hand else f"the hands (shape {numbers.shape}) have"
        raise ValueError(f"{hand} {numbers.shape[1]} cards: {MIN_CARDS} to {MAX_CARDS} are right")


def _explain(hand: Integers, row: int | None) -> NoReturn:
    """Raise the ValueError that says what is wrong with a hand."""
    where = "" if row is None else f"row {row}, "
    positions: dict[int, int] = {}
    for position, card in enumerate(hand.tolist()):
        if card == UNKNOWN:
            raise ValueError(f"{where}card {position} is -1 ('??', unknown): all cards of a hand must be known")
        if not 0 <= card < CARDS:
            raise ValueError(f"{where}card {position} is {card}: cards are 0 (2c) to {CARDS - 1} (As)")
        if card in positions:
            raise ValueError(
                f"{where}cards {positions[card]} and {position} are both {card} ({card_name(card)}): a hand has each "
                "card at most once"
            )
        positions[card] = position
    raise AssertionError(f"nothing is wrong with the hand {hand}")  # pragma: no cover
