"""Pots: the uncalled bet (R26), main and side pots (R27), rake (R31), split pots and odd chips (R28, R32).

`build_side_pots` builds the pots once, main pot first, in `pot_level` (the contribution that makes a seat a contestant)
and `pot_chips`. Everything else asks of a seat only its total and what its hand is worth.
"""

from __future__ import annotations

from ..compiled.compiler import compiled, inline
from ..compiled.scalars import Ints
from .log import note
from .record import (
    HIGH_LOW,
    MAX_CHIPS,
    MAX_SEATS,
    NO_CAP,
    NOBODY,
    PUSH_POT,
    RETURN_UNCALLED,
    TAKE_RAKE,
    LogRecord,
    RulesRecord,
    TableRecord,
)
from .seats import next_seat


@inline
def return_uncalled(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R26: return to the largest contributor what nobody else has matched."""
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
def next_pot_level(t: TableRecord, r: RulesRecord, below: int) -> int:
    """The smallest contribution of a live seat above `below`: the top of the next pot; -1 if there is none."""
    level = -1
    for seat in range(r.seats):
        total = t.total[seat]
        lower = (t.in_hand[seat] != 0) & (total > below) & ((level < 0) | (total < level))
        level = total if lower else level
    return level


@inline
def chips_between(t: TableRecord, r: RulesRecord, below: int, top: int) -> int:
    """The chips between two levels of contribution, those of folded players included."""
    amount = 0
    for seat in range(r.seats):
        amount += max(min(t.total[seat], top) - below, 0)
    return amount


@inline
def build_side_pots(t: TableRecord, r: RulesRecord) -> None:
    """R27: main pot and side pots, one for each distinct contribution of the live seats. Dead money is in the main pot,
    or below it in a pot of level 0, if a live seat has put in nothing else (R20)."""
    t.pots = 0
    below = 0
    level = next_pot_level(t, r, -1)
    while level >= 0:
        t.pot_level[t.pots] = level
        t.pot_chips[t.pots] = chips_between(t, r, below, level)
        t.pots += 1
        below = level
        level = next_pot_level(t, r, below)
    t.pot_chips[t.pots - 1] += chips_between(t, r, below, MAX_CHIPS)
    t.pot_chips[0] += t.dead


@inline
def contests(t: TableRecord, seat: int, pot: int) -> int:
    """Whether a seat plays for this pot (R27)."""
    return (t.in_hand[seat] != 0) & (t.total[seat] >= t.pot_level[pot])


@inline
def winnable_chips(t: TableRecord, seat: int, call: int) -> int:
    """R20, R27: the chips in the middle that the seat can win if it calls: from each player at most what it puts in
    itself, and the dead money."""
    chips = t.dead + t.total[seat]
    for other in range(MAX_SEATS):
        if other != seat:
            chips += min(t.total[other], t.total[seat] + call)
    return chips


@inline
def take_rake(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R31: take the rake once, on the called total, rounded down to the smallest chip, up to the cap; no flop, no
    drop."""
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


@inline
def deduct_rake(t: TableRecord, r: RulesRecord) -> None:
    """R31: the rake comes out of the main pot first, out of a pot of dead money alone (R27) last; before that, what the
    rules name for each pot."""
    due = t.rake
    for pot in range(t.pots):
        part = min(due, min(t.pot_chips[pot], r.rake_of_pot[pot]))
        t.pot_chips[pot] -= part
        due -= part
    main = 1 if t.pots > 1 and t.pot_level[0] == 0 else 0
    for k in range(t.pots):
        pot = k + main if k + main < t.pots else 0
        part = min(due, t.pot_chips[pot])
        t.pot_chips[pot] -= part
        due -= part


@inline
def best_of_pot(t: TableRecord, r: RulesRecord, pot: int, values: Ints) -> tuple[int, int]:
    """The best value among the contestants of a pot, and how many have it; 0 if none has any."""
    best = winners = 0
    for seat in range(r.seats):
        value = values[seat] if contests(t, seat, pot) else -1
        winners = 1 if value > best else winners + (value == best)
        best = max(best, value)
    return best, winners


@inline
def split_with_odd_chips(t: TableRecord, r: RulesRecord, log: LogRecord, pot: int, values: Ints, units: int) -> None:
    """R28: split `units` smallest chips of a pot among the best hands. The odd chips go one by one to the winners from
    the left of the button."""
    best, winners = best_of_pot(t, r, pot, values)
    even = units // winners
    odd = units - even * winners
    seat = t.button
    while winners > 0:
        seat = next_seat(r, seat)
        if contests(t, seat, pot) and values[seat] == best:
            part = even * r.smallest_chip
            if odd > 0:
                part += r.smallest_chip
                odd -= 1
            t.stack[seat] += part
            winners -= 1
            note(log, PUSH_POT, seat, part, pot)


@compiled
def split_high_low(t: TableRecord, r: RulesRecord, log: LogRecord, pot: int, units: int) -> None:
    """R32: half to the best high hand, with the odd chip, then half to the best low. Without a low the high hand takes
    all."""
    low = units // 2 if best_of_pot(t, r, pot, t.low_value)[0] > 0 else 0
    split_with_odd_chips(t, r, log, pot, t.value, units - low)
    if low > 0:
        split_with_odd_chips(t, r, log, pot, t.low_value, low)


@inline
def split_pot(t: TableRecord, r: RulesRecord, log: LogRecord, pot: int) -> None:
    """R28, R32: push a pot to its winners."""
    units = t.pot_chips[pot] // r.smallest_chip
    if r.split == HIGH_LOW:
        split_high_low(t, r, log, pot, units)
    else:
        split_with_odd_chips(t, r, log, pot, t.value, units)
