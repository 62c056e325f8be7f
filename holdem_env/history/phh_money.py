"""PHH's money as integer chips, and its forced bets as the antes, blinds and straddle of Rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NamedTuple, Self

Number = int | Decimal

# Our user-defined field: the fields of Rules that PHH does not have, if they differ from the defaults.
RULES_FIELD = "_holdem_env"
MAX_INT64 = 2**63 - 1
MAX_PLACES = 18
FORCED_BETS = (
    "supported are: the same ante for everybody, a larger ante for the big blind (second value), a small blind "
    "(first), a big blind (second) and one straddle above it (third)"
)


PER_PLAYER = ("antes", "blinds_or_straddles", "starting_stacks")


class Money(NamedTuple):
    """Converts amounts to chips. One chip is the largest power of ten (at most 1) of which every amount played is a
    multiple; places: its decimal places."""

    places: int = 0

    @classmethod
    def of(
        cls, fields: dict[str, Any], names: Iterable[str], amounts: Iterable[str], others: Iterable[object] = ()
    ) -> Self:
        """The conversion for the fields `names`, the amounts in actions, and others. Raises ValueError for an invalid
        amount."""
        places = max((_places(_checked(value, RULES_FIELD)) for value in others), default=0)
        for name in names:
            values = fields[name] if isinstance(fields[name], list) else (fields[name],)
            for value in values:
                if type(value) is not int:
                    places = max(places, _places(_checked(value, name)))
        for text in amounts:
            amount = _of_a_size(Decimal(text), "actions")
            if "." in text:
                places = max(places, _places(amount))
        return cls(places)

    @property
    def unit(self) -> Decimal:
        return Decimal(1).scaleb(-self.places)

    def chips(self, value: object, name: str) -> int:
        """An amount that is played, in chips."""
        number = _checked(value, name)
        return number * 10**self.places if isinstance(number, int) else int(number.scaleb(self.places))

    def chips_of(self, fields: dict[str, Any], name: str) -> tuple[int, ...]:
        """The amounts of an array, in chips."""
        return tuple(self.chips(value, name) for value in fields[name])

    def chips_of_text(self, amount: str) -> int:
        """An amount written in digits, in chips."""
        whole, _, part = amount.partition(".")
        return int(whole + part[: self.places].ljust(self.places, "0"))

    def exact(self, value: object, name: str) -> Fraction:
        """A result in chips, which may include a fraction of a chip."""
        return Fraction(_checked(value, name)) * Fraction(10**self.places)


def _checked(value: object, name: str) -> Number:
    if isinstance(value, Decimal) and not value.is_finite():
        raise ValueError(f"{name}: {value} (unknown) cannot be played; give every amount")
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError(f"{name}: {value!r} is not a number")
    if value < 0:
        raise ValueError(f"{name}: {value} is below zero" + (f"; {FORCED_BETS}" if "blinds" in name else ""))
    return _of_a_size(value, name)


def _of_a_size(value: Number, name: str) -> Number:
    """The amount. Raises ValueError for one that no count of chips can hold: 1e99999999 would fill the memory."""
    if isinstance(value, Decimal) and value and not -MAX_PLACES <= value.adjusted() <= MAX_PLACES:
        raise ValueError(f"{name}: {value:.3e} is not an amount; amounts are below 2**63, to {MAX_PLACES} places")
    if value > MAX_INT64:
        raise ValueError(f"{name}: {value} is too large; amounts are below 2**63")
    return value


def _places(number: Number) -> int:
    if isinstance(number, int):
        return 0
    try:
        exponent = number.normalize().as_tuple().exponent
    except InvalidOperation:
        raise ValueError(f"{number} has too many digits") from None
    return max(0, -int(exponent))


class Forced(NamedTuple):
    """Forced bets in chips, as Rules names them (R6, R8)."""

    small_blind: int
    big_blind: int
    ante: int = 0
    big_blind_ante: int = 0
    straddle: int = 0


def forced_bets(antes: Sequence[int], blinds: Sequence[int]) -> Forced:
    """The forced bets of a record. Both arrays begin with the small blind, even heads-up, where it is player 2.

    Raises ValueError, listing what is supported, for a pattern that Rules cannot express.
    """
    count = len(blinds)
    ante = antes[0]
    uniform = all(other == ante for other in antes[2:])
    if not uniform or antes[1] < ante:
        raise ValueError(f"antes = {list(antes)}: {FORCED_BETS}")
    small, big, *others = blinds
    straddle = others[0] if others else 0
    if small > big or any(others[1:]) or (straddle and straddle <= big):
        raise ValueError(f"blinds_or_straddles = {list(blinds)}: {FORCED_BETS}")
    return Forced(small, big, ante, antes[1] - ante, straddle if count > 2 else 0)
