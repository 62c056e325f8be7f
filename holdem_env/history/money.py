"""Chips as a file writes them: in its money, with the sign of its currency."""

from __future__ import annotations

from decimal import Decimal

CENTS = 2


def money_text(chips: int, unit: Decimal, sign: str = "", grouped: bool = True) -> str:
    """An amount as text: "$1.50", "-€3", "1,250". A whole amount has no zeros behind it. grouped: with separators of
    thousands.

    >>> money_text(150, Decimal("0.01"), "$"), money_text(-1250, Decimal(1))
    ('$1.50', '-1,250')
    """
    value = abs(chips) * unit
    if value == value.to_integral_value():
        digits = f"{int(value):,}"
    else:
        digits = f"{value:,.2f}" if value == round(value, CENTS) else f"{value.normalize():,f}"
    return ("-" if chips < 0 else "") + sign + (digits if grouped else digits.replace(",", ""))
