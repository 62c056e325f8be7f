"""Where PokerKit rules otherwise than we do, as predicates: when it may, and what it must answer then.

docs/rulings.md tells the same in words, with an example hand for each. Everything here is computed from the moves and
from our table; of PokerKit only its answer is looked at.
"""

from __future__ import annotations

from typing import NamedTuple

from differential.hand_notes import Street, live_seats, paid_pots, payoffs_before
from differential.pokerkit_table import VERSION

NO_RAISE = (None, None)


class Question(NamedTuple):
    """A decision: what our table says of it, and what PokerKit says."""

    street: Street
    seat: int
    bet: int
    """What the seat has bet on this street."""
    all_in: int
    """The street total that takes its whole stack."""
    call: int
    raises: tuple[int | None, int | None]
    pokerkit_call: int
    pokerkit_raises: tuple[int | None, int | None]

    @property
    def least(self):
        """The least total of a raise (R16, R22)."""
        return self.street.least(self.all_in)


def short_big_blind(q):
    """R9. Nobody could post the big blind in full: PokerKit has the largest bet called and raised, we the full blind.

    Once somebody has raised, the price is the same; but to PokerKit that raise was larger, and the next must be, too.
    """
    street = q.street
    level, full = street.level - street.unposted, street.full
    if street.wagers:
        level, full = street.level, max(full, street.wagers[0].added + street.unposted)
    return (
        street.unposted > 0
        and q.call == min(street.level, q.all_in) - q.bet
        and (street.fixed or q.raises[0] in (None, q.least))
        and q.pokerkit_call == max(0, min(level, q.all_in) - q.bet)
        and q.pokerkit_raises[0] in (None, min(level + full, q.all_in))
    )


def short_all_in_in_fixed_limit(q):
    """R24. PokerKit adds a full bet to a short all-in, counts it towards the cap, and reopens by the full-bet rule."""
    completed = min(q.street.full_level + q.street.full, q.all_in)
    return (
        q.street.fixed
        and any(wager.is_short for wager in q.street.wagers)
        and q.pokerkit_call == q.call
        and q.raises in (NO_RAISE, (completed, completed))
        and q.pokerkit_raises in (NO_RAISE, (q.least, q.least))
    )


def faces_short_all_ins(q):
    """In no-limit and pot-limit, whether the seat has acted and the latest wagers were short; the price is the same."""
    return not q.street.fixed and q.seat in q.street.acted and q.street.shorts > 0 and q.pokerkit_call == q.call


def short_opening_all_in(q):
    """R21. While all wagers of a street are short, PokerKit measures them by one another, not by the minimum bet.

    So the first of them reopens the betting for who has acted, and several together may fail to (R23).
    """
    if not faces_short_all_ins(q) or q.street.shorts < len(q.street.wagers):
        return False
    may, may_not = q.pokerkit_raises, q.raises
    if q.street.has_risen_for(q.seat):
        may, may_not = may_not, may
    return may[0] == q.least and may_not == NO_RAISE


def several_short_all_ins(q):
    """R23. When short all-ins amount to a raise, PokerKit counts from zero for everybody: the next one closes it."""
    return (
        faces_short_all_ins(q)
        and 2 < q.street.shorts < len(q.street.wagers)
        and q.street.has_risen_for(q.seat)
        and q.raises[0] == q.least
        and q.pokerkit_raises == NO_RAISE
    )


def short_all_ins_of_others(q):
    """R23. Before 0.7.7, when short all-ins amount to a raise, PokerKit lets everybody raise, whatever they face."""
    return (
        VERSION < (0, 7, 7)
        and faces_short_all_ins(q)
        and 1 < q.street.shorts < len(q.street.wagers)
        and not q.street.has_risen_for(q.seat)
        and q.raises == NO_RAISE
        and q.pokerkit_raises[0] == q.least
    )


AT_A_DECISION = (
    short_big_blind,
    short_all_in_in_fixed_limit,
    short_opening_all_in,
    several_short_all_ins,
    short_all_ins_of_others,
)


def asked_in_vain(table, pokerkit):
    """R25. PokerKit asks the only live player with chips, who can only check; we do not."""
    seat = pokerkit.actor
    if seat is None or pokerkit.call != 0 or pokerkit.raises != NO_RAISE:
        return False
    others = [other for other in range(table.rules.seats) if other != seat and not pokerkit.is_folded(other)]
    return not any(pokerkit.stacks[other] for other in others)


def payoffs_by_pokerkit(table):
    """R28, R32. What PokerKit pays: the odd chips of a pot, or of half of it, all to its first winner.

    Hands that win nothing are out before it splits, and pots whose contestants are the same then are one. Hi-lo: when
    anybody at all has a low, each pot has a low half; where none of its contestants has one, they all share it.
    """
    chip = table.rules.smallest_chip
    highs, lows = (table.records[name][0].tolist() for name in ("value", "low_value"))
    pots = merged_pots(table)
    halves = (highs, lows) if any(lows[seat] for contestants, _ in pots for seat in contestants) else (highs,)
    payoffs = payoffs_before(table)
    for contestants, amount in pots:
        low = amount // chip // 2 * chip if len(halves) > 1 else 0
        for values, part in zip(halves, (amount - low, low), strict=False):
            best = max(values[seat] for seat in contestants)
            pay_evenly(table, payoffs, [seat for seat in contestants if values[seat] == best], part)
    return payoffs


def merged_pots(table):
    """The pots without the hands that win nothing: contestants and chips."""
    totals = table.records["seats"]["total"][0].tolist()
    pots = paid_pots(table)
    winners = {seat for pot in pots for seat in pot.shares}
    merged: list[tuple[set[int], int]] = []
    for pot in pots:
        contestants = {seat for seat in winners if totals[seat] >= pot.level}
        amount = sum(pot.shares.values())
        if merged and merged[-1][0] == contestants:
            amount += merged.pop()[1]
        merged.append((contestants, amount))
    return merged


def pay_evenly(table, payoffs, seats, amount):
    """The same to each, and what is left over to the first of them from the left of the button."""
    chip = table.rules.smallest_chip
    part = amount // chip // len(seats) * chip
    for seat in seats:
        payoffs[seat] += part
    first = min(seats, key=lambda seat: (seat - table.button - 1) % table.rules.seats)
    payoffs[first] += amount - part * len(seats)


def low_of_another_pot(table):
    """R32. Whether a pot has nobody with a low among its contestants while another one has."""
    lows = table.records["low_value"][0].tolist()
    have = [any(lows[seat] for seat in contestants) for contestants, _ in merged_pots(table)]
    return table.rules.split == "high_low" and any(have) and not all(have)


def somebody_was_all_in(table):
    """R29. Whether a live player had no chips left at the showdown: then PokerKit has all hands shown."""
    before, stacks = payoffs_before(table), table.starting_stacks
    return any(stacks[seat] + before[seat] == 0 for seat in live_seats(table))
