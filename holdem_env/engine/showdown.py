"""The end of a hand: who shows, who wins what (R27-R30, R32).

The pots are laid out once, main pot first, in `pot_level` (the contribution that makes a seat a contestant) and
`pot_chips`. Everything else asks of a seat only its total and its hand value.
"""

from __future__ import annotations

from ..compiled.compiler import compiled, inline
from .log import note, note_cards
from .pots import layer_amount, level_above, take_rake
from .ranking import seat_low, seat_value
from .record import HIDDEN, HIGH_LOW, MAX_CHIPS, MUCK, MUCKED, NOBODY, PUSH_POT, SHOW, SHOWN
from .seats import next_seat


@inline
def lay_out_pots(t, r):
    """R27: one pot for each distinct level of the live seats; dead money in the main pot."""
    t.pots = 0
    below = 0
    level = level_above(t, r, below)
    while level > 0:
        t.pot_level[t.pots] = level
        t.pot_chips[t.pots] = layer_amount(t, r, below, level)
        t.pots += 1
        below = level
        level = level_above(t, r, below)
    if t.pots == 0:  # nobody live put in anything but dead money
        t.pot_level[0] = 0
        t.pot_chips[0] = 0
        t.pots = 1
    t.pot_chips[t.pots - 1] += layer_amount(t, r, below, MAX_CHIPS)
    t.pot_chips[0] += t.dead


@inline
def contests(t, seat, pot):
    """Whether the seat plays for this pot."""
    return (t.in_hand[seat] != 0) & (t.total[seat] >= t.pot_level[pot])


@inline
def deduct_rake(t):
    """R31: from the main pot first."""
    due = t.rake
    for pot in range(t.pots):
        part = min(due, t.pot_chips[pot])
        t.pot_chips[pot] -= part
        due -= part


@inline
def show(t, r, log, seat):
    """Turn a seat's cards face up."""
    t.shown[seat] = SHOWN
    note_cards(log, SHOW, seat, t.hole[seat], 0, r.hole_cards)


@inline
def beaten(t, r, seat, pot, values):
    """Whether a hand already shown is better, among those that play for this pot."""
    for other in range(r.seats):
        if t.shown[other] == SHOWN and contests(t, other, pot) and values[other] > values[seat]:
            return True
    return False


@inline
def need_not_show(t, r, seat):
    """R29: beaten by hands already shown in every pot it contests, and not all-in; hi-lo: beaten both ways."""
    if r.muck == 0 or t.stack[seat] == 0:
        return False
    for pot in range(t.pots):
        if contests(t, seat, pot):
            if not beaten(t, r, seat, pot, t.value):
                return False
            # Who has no low wins nothing of the low half, be there one or not.
            if r.split == HIGH_LOW and t.low_value[seat] > 0 and not beaten(t, r, seat, pot, t.low_value):
                return False
    return True


@inline
def first_to_show(t, r, pot):
    """R29: the last to bet or raise on the river, if it is among those whose turn it is; else the first left of
    the button."""
    if t.street == r.streets - 1 and t.aggressor != NOBODY:
        if contests(t, t.aggressor, pot) and t.shown[t.aggressor] == HIDDEN:
            return t.aggressor
    return next_seat(r, t.button)


@inline
def show_hands(t, r, log, everybody):
    """R29: the contestants of the last side pot show first, those of the main pot last."""
    nobody_yet = True
    for pot in range(t.pots - 1, -1, -1):
        seat = first_to_show(t, r, pot)
        for _ in range(r.seats):
            if contests(t, seat, pot) and t.shown[seat] == HIDDEN:
                if nobody_yet or everybody or not need_not_show(t, r, seat):
                    show(t, r, log, seat)
                    nobody_yet = False
                else:
                    t.shown[seat] = MUCKED
                    note(log, MUCK, seat, 0, -1)
            seat = next_seat(r, seat)


@compiled
def show_all_in(t, r, log):
    """R25: betting is over before the end; all live hands are turned up, in the order of R29. The pots are laid out."""
    show_hands(t, r, log, True)


@inline
def best_value(t, r, pot, values):
    """The best value among those that play for this pot, and how many have it; 0 if nobody has any."""
    best = winners = 0
    for seat in range(r.seats):
        value = values[seat] if contests(t, seat, pot) else -1
        winners = 1 if value > best else winners + (value == best)
        best = max(best, value)
    return best, winners


@inline
def share_units(t, r, log, pot, values, units):
    """R28: the best hands share so many smallest chips of a pot; odd ones go one by one from the left of the button."""
    best, winners = best_value(t, r, pot, values)
    share = units // winners
    odd = units - share * winners
    seat = t.button
    while winners > 0:
        seat = next_seat(r, seat)
        if contests(t, seat, pot) and values[seat] == best:
            part = share * r.smallest_chip
            if odd > 0:
                part += r.smallest_chip
                odd -= 1
            t.stack[seat] += part
            winners -= 1
            note(log, PUSH_POT, seat, part, pot)


@compiled
def share_high_low(t, r, log, pot, units):
    """R32: half to the best high, with the odd chip, then half to the best low; without a low the high takes all."""
    low = units // 2 if best_value(t, r, pot, t.low_value)[0] > 0 else 0
    share_units(t, r, log, pot, t.value, units - low)
    if low > 0:
        share_units(t, r, log, pot, t.low_value, low)


@inline
def share_pot(t, r, log, pot):
    """R28, R32: push a pot to its winners."""
    units = t.pot_chips[pot] // r.smallest_chip
    if r.split == HIGH_LOW:
        share_high_low(t, r, log, pot, units)
    else:
        share_units(t, r, log, pot, t.value, units)


@compiled
def settle_showdown(t, r, log):
    """Show, rake and push the pots, side pots before the main pot. They are laid out."""
    for seat in range(r.seats):
        if t.in_hand[seat]:
            t.value[seat] = seat_value(t, r, seat)
            if r.split == HIGH_LOW:
                t.low_value[seat] = seat_low(t, r, seat)
    show_hands(t, r, log, False)
    take_rake(t, r, log)
    deduct_rake(t)
    for pot in range(t.pots - 1, -1, -1):
        share_pot(t, r, log, pot)
    t.pot = 0


@inline
def settle_uncontested(t, r, log):
    """R30: the last one in wins everything without showing."""
    take_rake(t, r, log)
    for seat in range(r.seats):
        if t.in_hand[seat]:
            t.stack[seat] += t.pot
            note(log, PUSH_POT, seat, t.pot, 0)
    t.pot = 0
