"""Ranges of starting hands, in the text form that players use: "77+, AQs+, KJo".

>>> len(Range("77+")), len(Range("AKs")), len(Range("AKo")), len(Range("22-55, A2s-A5s"))
(48, 4, 12, 40)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from ..utils.hooks import hook
from .combos import COMBOS, combo_cards, combo_number
from .text import RANKS, SUITS, cards_text, parse_cards

__all__ = ["Range"]

WHAT_IS_RIGHT = (
    "a range is made of pairs ('77', '77+', '22-55'), suited, offsuit or any hands ('AQs', 'AQs+', 'A2s-A5s', 'KJo', "
    "'KJ'), single hands ('AsKd') and 'random' or '*'; each may have a weight ('AKs:0.5')"
)

_RANK = r"(?:10|[2-9TJQKA])"
_HAND = re.compile(rf"({_RANK})({_RANK})([so]?)", re.IGNORECASE)
_TWO_CARDS = re.compile(rf"{_RANK}[cdhs]{_RANK}[cdhs]", re.IGNORECASE)
_ONE_CARD = re.compile(rf"{_RANK}[cdhs]", re.IGNORECASE)
_ANY = {"random", "*"}


@dataclass(frozen=True, eq=False)
class Range:
    """The hands that a player may hold, with weights. A Range is made from text and never changes.

    "77+" is that pair and all higher pairs. "AQs+" keeps the ace, and the other card rises to the king. "22-55" and
    "A2s-A5s" are all hands in between; "54s-JTs" are all hands in between with the same gap. "s" means suited, "o"
    offsuit, and neither means both. "AsKd" is one hand; "random" or `*` is every hand. ":0.5" gives the piece before it
    the weight 0.5; the default is 1. Commas or spaces separate pieces, and case does not matter. A hand that is in two
    pieces counts once.

    A range is a collection of its hands: `len`, `in` and `for hand, weight in range`, where a hand is text such as
    "AsKd". `in` also takes "AKs" or a range, all of which must be in it. `|` has the hands of both ranges, `&` those
    that are in both, `-` those of the first that are not in the second. A hand that is in both has the larger weight in
    `|` and the smaller one in `&`; `-` ignores weights. The result may be empty. Ranges are equal if they have the same
    hands and weights.

    Args:
        text: Pieces such as "77+, AQs+, KJo:0.5".

    Raises:
        TypeError: If `text` is not a string.
        ValueError: If a piece is invalid. The message names the piece and says what would be right.

    >>> Range("AKs, QQ:0.25").weights.sum()
    np.float64(5.5)
    >>> [hand for hand, weight in Range("AKs") - Range("AcKc, AdKd")]
    ['AhKh', 'AsKs']
    >>> "KdAd" in Range("AKs"), "AK" in Range("AKs")
    (True, False)
    >>> Range("QQ+, AKs") & Range("KK, AK") == Range("KK, AKs")
    True
    """

    text: str
    cards: NDArray[np.int64]
    """(hands, 2) cards of each hand, the higher number first, in a fixed order."""
    weights: NDArray[np.float64]
    """(hands,) weights, above 0 and at most 1."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a range is text such as '77+, AQs+', not {type(text).__name__} {text!r}")
        self._set(text, {combo: weight for combo, (weight, _) in _read(text).items()})

    def _set(self, text: str, hands: Mapping[int, float]) -> None:
        object.__setattr__(self, "text", text)
        combos = sorted(hands)
        object.__setattr__(self, "cards", np.array([combo_cards(combo) for combo in combos], np.int64).reshape(-1, 2))
        object.__setattr__(self, "weights", np.array([hands[combo] for combo in combos], np.float64))
        self.cards.flags.writeable = self.weights.flags.writeable = False

    @classmethod
    def _of(cls, hands: Mapping[int, float]) -> Range:
        made = cls.__new__(cls)
        made._set(_written(hands), hands)
        return made

    @property
    def _hands(self) -> dict[int, float]:
        """The weight of each combo."""
        combos = (combo_number(*pair) for pair in self.cards.tolist())
        return dict(zip(combos, self.weights.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Each hand, the higher card first, with its weight."""
        return zip((cards_text(pair) for pair in self.cards.tolist()), self.weights.tolist(), strict=True)

    def __contains__(self, hand: object) -> bool:
        """Whether a hand is in it, or all hands of a text or of another range. Raises as the class."""
        given = hand if isinstance(hand, Range) else Range(hand)  # type: ignore[arg-type] # which says what is wrong
        return given._hands.keys() <= self._hands.keys()

    def __or__(self, other: object) -> Range:
        if not isinstance(other, Range):
            return NotImplemented
        one, two = self._hands, other._hands
        return Range._of({combo: max(one.get(combo, 0.0), two.get(combo, 0.0)) for combo in one | two})

    def __and__(self, other: object) -> Range:
        if not isinstance(other, Range):
            return NotImplemented
        two = other._hands
        return Range._of({combo: min(weight, two[combo]) for combo, weight in self._hands.items() if combo in two})

    def __sub__(self, other: object) -> Range:
        if not isinstance(other, Range):
            return NotImplemented
        two = other._hands
        return Range._of({combo: weight for combo, weight in self._hands.items() if combo not in two})

    def __repr__(self) -> str:
        return f"Range({self.text!r})"

    def svg(self, theme: str = "auto") -> str:
        """Return the range as a 13 by 13 chart of the 169 kinds of hands: SVG text. Suited hands stand above the pairs.

        Args:
            theme: "light", "dark", or "auto", which follows the reader's settings.

        Raises:
            ValueError: If the theme is unknown.
        """
        picture: str = hook("range_svg")(self, theme)
        return picture

    def _repr_html_(self) -> str:
        return self.svg()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return np.array_equal(self.cards, other.cards) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash((self.cards.tobytes(), self.weights.tobytes()))


def _written(hands: Mapping[int, float]) -> str:
    """Hands as the text of a range, by kinds where all hands of a kind have one weight. "" if there are none."""
    pieces, left = [], dict(hands)
    for high, low in combinations_with_replacement(range(len(RANKS) - 1, -1, -1), 2):
        for mark in ("",) if high == low else ("", "s", "o"):
            kind = list(_suits(high, low, mark))
            weights = {left.get(combo) for combo in kind}
            if len(weights) == 1 and None not in weights:
                pieces.append(_piece(RANKS[high] + RANKS[low] + mark, left[kind[0]]))
                for combo in kind:
                    del left[combo]
    pieces += [_piece(cards_text(combo_cards(combo)), weight) for combo, weight in sorted(left.items())]
    return ", ".join(pieces)


def _piece(hand: str, weight: float) -> str:
    return hand if weight == 1 else f"{hand}:{weight!r}"


def _read(text: str) -> dict[int, tuple[float, str]]:
    """Parse a range: combo -> (weight, the piece that contains it)."""
    found: dict[int, tuple[float, str]] = {}
    for number, piece in enumerate(_pieces(text), start=1):
        try:
            body, weight = _weigh(piece)
            combos = list(_combos(body))
        except ValueError as error:
            raise ValueError(f"{piece!r} (piece {number} of the range {text!r}) {error}") from None
        for combo in combos:
            known, other = found.setdefault(combo, (weight, piece))
            if known != weight:
                hand = cards_text(combo_cards(combo))
                raise ValueError(
                    f"{hand} has the weight {known:g} by {other!r} and {weight:g} by {piece!r} in the range {text!r}: "
                    "give each hand one weight"
                )
    return found


def _pieces(text: str) -> list[str]:
    """The pieces between commas and spaces. Signs may have spaces around them."""
    pieces: list[str] = []
    parts = re.sub(r"\s*([-:])\s*|\s+(?=\+)", r"\1", text).split(",")
    for part in parts:
        if not part.strip():
            where = "is empty" if len(parts) == 1 else "has nothing between two commas, or at an end"
            raise ValueError(f"the range {text!r} {where}: {WHAT_IS_RIGHT}")
        pieces += part.split()
    return pieces


def _weigh(piece: str) -> tuple[str, float]:
    """Split a piece into its hands and its weight."""
    body, colon, number = piece.partition(":")
    if not colon:
        return body, 1.0
    try:
        weight = float(number) if number.isascii() else math.nan
    except ValueError:
        weight = math.nan
    if not 0 < weight <= 1:
        raise ValueError(f"has the weight {number!r}: weights are above 0 and at most 1, as in 'AKs:0.5'")
    return body, weight


def _combos(body: str) -> Iterator[int]:
    """The combos of one piece. Raises ValueError for an invalid piece."""
    if body.lower() in _ANY:
        yield from range(COMBOS)
    elif _TWO_CARDS.fullmatch(body):
        one, two = parse_cards(body)
        if one == two:
            raise ValueError("has the same card twice")
        yield combo_number(one, two)
    else:
        for high, low, mark in _hands(body):
            yield from _suits(high, low, mark)


def _hands(body: str) -> Iterator[tuple[int, int, str]]:
    """(high, low, mark) for each kind of hand in a piece: the ranks, and "s", "o" or ""."""
    first, dash, last = body.partition("-")
    if dash:
        yield from _between(_hand(first), _hand(last))
        return
    high, low, mark = _hand(body.removesuffix("+"))
    if not body.endswith("+"):
        yield high, low, mark
    elif high == low:
        yield from ((rank, rank, mark) for rank in range(high, len(RANKS)))
    else:
        yield from ((high, rank, mark) for rank in range(low, high))


def _between(one: tuple[int, int, str], two: tuple[int, int, str]) -> Iterator[tuple[int, int, str]]:
    """All kinds of hand from one to the other, including both."""
    (high, low, mark), (other_high, other_low, other_mark) = sorted((one, two))
    if mark != other_mark or (high == low) != (other_high == other_low):
        raise ValueError("has ends of different kinds: write 'A2s-A5s', 'A2o-A5o' or 'A2-A5'")
    if high - low == other_high - other_low:
        yield from ((high + step, low + step, mark) for step in range(other_high - high + 1))
    elif high == other_high:
        yield from ((high, rank, mark) for rank in range(low, other_low + 1))
    else:
        raise ValueError(
            "has ends that do not fit: both must have the same high card ('A2s-A5s') or the same gap ('54s-JTs', "
            "'22-55')"
        )


def _hand(text: str) -> tuple[int, int, str]:
    """One kind of hand: "77", "AKs", "AKo" or "AK"."""
    match = _HAND.fullmatch(text)
    if match is None:
        raise ValueError(_what_is_wrong(text))
    high, low = (RANKS.index("T" if rank == "10" else rank.upper()) for rank in match.group(1, 2))
    mark = match[3].lower()
    if high == low and mark:
        raise ValueError(f"marks a pair as {'suited' if mark == 's' else 'offsuit'}: write {RANKS[high] * 2!r}")
    if high < low:
        raise ValueError(f"has the lower card first: write {RANKS[low] + RANKS[high] + mark!r}")
    return high, low, mark


def _what_is_wrong(text: str) -> str:
    """The most likely reason why a text is not a kind of hand."""
    if _ONE_CARD.fullmatch(text):
        return "is one card: a hand has two, as in 'AsKd'"
    match = re.match(rf"{_RANK}{_RANK}(.+)", text, re.IGNORECASE)
    if match:
        return (
            f"has {match[1]!r} after its ranks: 's' is suited, 'o' is offsuit, nothing is both, '+' adds higher hands"
        )
    for sign in text.replace("10", "T"):
        if sign.upper() not in RANKS and sign.lower() not in SUITS + "o+":
            return f"has {sign!r}, which is not a rank (2-9, T, J, Q, K, A): {WHAT_IS_RIGHT}"
    return f"is not a hand: {WHAT_IS_RIGHT}"


def _suits(high: int, low: int, mark: str) -> Iterator[int]:
    """The combos of one kind of hand."""
    count = len(SUITS)
    if high == low:
        pairs = list(combinations(range(count), 2))
    else:
        pairs = [(a, b) for a, b in product(range(count), repeat=2) if not mark or (a == b) == (mark == "s")]
    for one, two in pairs:
        yield combo_number(count * high + one, count * low + two)
