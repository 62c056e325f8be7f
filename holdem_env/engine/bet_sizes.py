"""Bet sizes: from a text such as "75%", "2.5x" or "all-in" to the street total in whole chips.

Everything that bets a part of the pot rounds here, in `raise_of_pot`: action encoders, betting trees, blueprints,
scripted agents. What is legal says `raise_range` of betting.py; `nearest_raise` keeps a total within it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..compiled.compiler import inline
from .record import RulesRecord, TableRecord

MILLION = 1_000_000
LEAST, OF_POT, TIMES_BET, ALL_IN = 0, 1, 2, 3  # in the order in which sizes ascend; a multiple may be any
# The largest size, in pots or bets: with all the chips at a table the arithmetic is still exact.
MAX_TIMES = 1_000
ALL_IN_WORDS = ("all-in", "all in", "allin", "a")


class Size(NamedTuple):
    """One bet size."""

    kind: int
    """LEAST, OF_POT, TIMES_BET or ALL_IN."""
    value: int = 0
    """For OF_POT and TIMES_BET, the factor in millionths."""


NAMED = {"min": Size(LEAST), "pot": Size(OF_POT, MILLION), **dict.fromkeys(ALL_IN_WORDS, Size(ALL_IN))}


def parse_size(text: str) -> Size:
    """Parse one bet size: "min"; "75%" or "pot", of the pot after calling; "2.5x", times the bet to match; "all-in".

    Raises ValueError for other text (the message gives examples), and for more than a thousand pots or bets.
    """
    word = " ".join(text.lower().split())
    if word in NAMED:
        return NAMED[word]
    number = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(%|x)", word)
    if not number or not float(number[1]):
        raise ValueError(
            f"bet size {text!r}: give 'min', a share of the pot like '75%', a multiple like '2.5x', or 'all-in'"
        )
    value = float(number[1]) * (MILLION // 100 if number[2] == "%" else MILLION)
    if value > MAX_TIMES * MILLION:
        raise ValueError(f"bet size {text!r}: {MAX_TIMES:,} times the pot or the bet is the maximum")
    return Size(OF_POT if number[2] == "%" else TIMES_BET, round(value))


def is_size(text: str) -> bool:
    """Whether a text is one bet size."""
    try:
        parse_size(text)
    except ValueError:
        return False
    return True


@inline
def part_of(amount: int, numerator: int, denominator: int) -> int:
    """amount * numerator // denominator, also where the product does not fit into 64 bits."""
    return amount // denominator * numerator + amount % denominator * numerator // denominator


@inline
def raise_of_pot(level: int, pot: int, numerator: int, denominator: int, chip: int) -> int:
    """The street total that adds numerator / denominator of the pot to a call, rounded down to whole chips.

    level: the street total to match. pot: after the call. chip: the smallest chip."""
    total = level + part_of(pot, numerator, denominator)
    return total - total % chip if chip > 1 else total


@inline
def size_total(kind: int, value: int, level: int, pot: int, bet: int, chip: int, all_in: int, least: int) -> int:
    """The street total in chips of a bet size, legal or not.

    level, pot, chip: see `raise_of_pot`. bet: what TIMES_BET multiplies, the bet to match or the minimum bet. all_in,
    least: the street totals of all-in and of the least raise."""
    if kind == ALL_IN:
        return all_in
    if kind == LEAST:
        return least
    if kind == OF_POT:
        return raise_of_pot(level, pot, value, MILLION, chip)
    return raise_of_pot(0, bet, value, MILLION, chip)


@inline
def nearest_raise(least: int, most: int, total: int, chip: int) -> int:
    """The legal raise nearest to a street total, where raises to `least` up to `most` are legal."""
    return most if total >= most else max(least, total - total % chip)


@inline
def multiplied_bet(t: TableRecord, r: RulesRecord) -> int:
    """What a size such as "2.5x" multiplies: the bet to match, or the minimum bet."""
    return max(t.bet_to_match, r.min_bet[t.street])
