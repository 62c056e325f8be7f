"""How the result that a file states differs from what the moves and the rules give."""

from __future__ import annotations

from fractions import Fraction

from ..table.table import Table
from .hand_record import CUT_SHORT, Amount, HandRecord

ODD_CHIPS = "odd chips of the site"


def difference(hand: HandRecord, table: Table) -> str | None:
    """The kind of difference between a hand's stated result and that of its replay, in words; None without one.

    table: the hand replayed. ODD_CHIPS: the source has split a pot another way than R28 does.
    """
    stated = hand.payoffs_of(table)
    if stated is None:
        return None
    if not table.is_over:
        return CUT_SHORT
    if _agree(table.payoffs, stated):
        return None
    if _has_odd_chips_of_site(table, stated):
        return ODD_CHIPS
    if not any(hand.stated.get("winnings", [1])):
        return "nobody wins"
    paid, due = sum(stated), sum(table.payoffs)
    return "others win the pot" if paid == due else f"{'less' if paid < due else 'more'} than the pot is won"


def contradiction(hand: HandRecord, table: Table) -> str:
    """Both results, in words."""
    return f"the file states {list(map(str, hand.payoffs_of(table) or ()))}, the rules give {table.payoffs}"


def _agree(ours: list[int], stated: list[Amount]) -> bool:
    """Whether results are equal, up to one chip where the source splits chips."""
    pairs = zip(ours, stated, strict=True)
    return all(own == chips or (isinstance(chips, Fraction) and abs(own - chips) < 1) for own, chips in pairs)


def _has_odd_chips_of_site(table: Table, stated: list[Amount]) -> bool:
    """Whether a source has split a pot another way than R28 does: the sums agree, and each result that differs, by less
    than a big blind, is that of a player who has shared a pot."""
    winners: dict[int | None, set[int | None]] = {}  # of each pot
    for deed in table.log:
        if deed.kind == "push_pot":
            winners.setdefault(deed.pot, set()).add(deed.seat)
    shared = {seat for seats in winners.values() if len(seats) > 1 for seat in seats}
    least: int = table.game.big_blind or table.game.street_bets[0]
    away = {
        seat: own - chips for seat, (own, chips) in enumerate(zip(table.payoffs, stated, strict=True)) if own != chips
    }
    return shared.issuperset(away) and not sum(away.values()) and all(-least < chips < least for chips in away.values())
