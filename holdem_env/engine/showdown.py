"""The end of a hand: who shows and who may muck (R29), and paying the winners (R30).

pots.py builds the pots and splits them.
"""

from __future__ import annotations

from ..compiled.compiler import compiled, inline
from .log import note, note_cards
from .pots import contests, deduct_rake, share_pot, take_rake
from .ranking import seat_low, seat_value
from .record import HIDDEN, HIGH_LOW, MUCK, MUCKED, NOBODY, PUSH_POT, SHOW, SHOWN
from .seats import next_seat


@inline
def show(t, r, log, seat):
    """Turn a seat's cards face up."""
    t.shown[seat] = SHOWN
    note_cards(log, SHOW, seat, t.hole[seat], 0, r.hole_cards)


@inline
def is_beaten(t, r, seat, pot, values):
    """Whether a better hand among the contestants of this pot has been shown."""
    for other in range(r.seats):
        if t.shown[other] == SHOWN and contests(t, other, pot) and values[other] > values[seat]:
            return True
    return False


@inline
def may_muck(t, r, seat):
    """R29: a hand that is not all-in and is beaten in every pot it contests, by hands already shown; in hi-lo both
    ways."""
    if r.muck == 0 or t.stack[seat] == 0:
        return False
    for pot in range(t.pots):
        if contests(t, seat, pot):
            if not is_beaten(t, r, seat, pot, t.value):
                return False
            # A hand without a low wins nothing of the low half anyway.
            if r.split == HIGH_LOW and t.low_value[seat] > 0 and not is_beaten(t, r, seat, pot, t.low_value):
                return False
    return True


@inline
def first_to_show(t, r, pot):
    """R29: the last to bet or raise on the river, if that seat contests the pot and has not shown; else the first seat
    left of the button."""
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
                if nobody_yet or everybody or not may_muck(t, r, seat):
                    show(t, r, log, seat)
                    nobody_yet = False
                else:
                    t.shown[seat] = MUCKED
                    note(log, MUCK, seat, 0, -1)
            seat = next_seat(r, seat)


@compiled
def show_all_in(t, r, log):
    """R25: betting is over before the end; turn up all live hands, in the order of R29. The pots are built."""
    show_hands(t, r, log, True)


@inline
def rank_hands(t, r):
    """Rank the live hands: high, and low if the game is split (R32)."""
    for seat in range(r.seats):
        if t.in_hand[seat]:
            t.value[seat] = seat_value(t, r, seat)
            if r.split == HIGH_LOW:
                t.low_value[seat] = seat_low(t, r, seat)


@compiled
def settle_showdown(t, r, log):
    """Show hands, take the rake, pay the pots, side pots before the main pot (R27). The pots are built."""
    rank_hands(t, r)
    show_hands(t, r, log, False)
    take_rake(t, r, log)
    deduct_rake(t)
    for pot in range(t.pots - 1, -1, -1):
        share_pot(t, r, log, pot)
    t.pot = 0


@inline
def settle_uncontested(t, r, log):
    """R30: the last player left wins everything without showing."""
    take_rake(t, r, log)
    for seat in range(r.seats):
        if t.in_hand[seat]:
            t.stack[seat] += t.pot
            note(log, PUSH_POT, seat, t.pot, 0)
    t.pot = 0
