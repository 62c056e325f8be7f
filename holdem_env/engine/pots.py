"""Pots: what goes back uncalled (R26), the layers of main and side pots (R27), rake (R31)."""

from __future__ import annotations

from ..compiled.compiler import inline
from .log import note
from .record import MAX_SEATS, NO_CAP, NOBODY, RETURN_UNCALLED, TAKE_RAKE


@inline
def return_uncalled(t, r, log):
    """R26: what the largest contributor put in beyond anybody else goes back."""
    first, largest, second = NOBODY, 0, 0
    for seat in range(r.seats):
        total = t.total[seat]
        more = total > largest
        first = seat if more else first
        second = largest if more else max(second, total)
        largest = total if more else largest
    if first == NOBODY or not t.in_hand[first] or largest == second:
        return
    excess = largest - second
    t.total[first] -= excess
    t.bet[first] -= min(t.bet[first], excess)
    t.stack[first] += excess
    t.pot -= excess
    note(log, RETURN_UNCALLED, first, excess, -1)


@inline
def level_above(t, r, below):
    """The least total of a live seat above `below`: the top of the next pot. 0: there is none."""
    level = 0
    for seat in range(r.seats):
        total = t.total[seat]
        lower = (t.in_hand[seat] != 0) & (total > below) & ((level == 0) | (total < level))
        level = total if lower else level
    return level


@inline
def layer_amount(t, r, below, top):
    """The chips between two levels of contribution, folded ones included."""
    amount = 0
    for seat in range(r.seats):
        amount += max(min(t.total[seat], top) - below, 0)
    return amount


@inline
def winnable_chips(t, seat, call):
    """R20, R27: the chips in the middle that the seat can win if it calls: of each player no more than it puts in
    itself, and the dead money."""
    chips = t.dead + t.total[seat]
    for other in range(MAX_SEATS):
        if other != seat:
            chips += min(t.total[other], t.total[seat] + call)
    return chips


@inline
def take_rake(t, r, log):
    """R31: once on the called total, rounded down to the smallest chip, capped; no flop, no drop."""
    if r.rake_ppm == 0 or (r.no_flop_no_drop != 0 and t.board_count == 0):
        return
    rake = t.pot * r.rake_ppm // 1_000_000
    if r.rake_cap != NO_CAP:
        rake = min(rake, r.rake_cap)
    rake -= rake % r.smallest_chip
    if rake > 0:
        t.rake = rake
        t.pot -= rake
        note(log, TAKE_RAKE, NOBODY, rake, -1)
