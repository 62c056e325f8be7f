"""The end of a hand: who shows and who may muck (R29), and paying the winners (R30).

`end_hand` shows and pays. In manual showing it stops where a player has a choice: `t.showing` then names the seat, and
`choose_to_show` goes on. pots.py builds the pots and splits them.
"""

from __future__ import annotations

from ..compiled.compiler import compiled, inline, noinline
from ..compiled.scalars import Ints
from .log import note, note_cards
from .pots import contests, deduct_rake, split_pot, take_rake
from .ranking import seat_low, seat_value
from .record import (
    AWAY,
    HIDDEN,
    HIGH_LOW,
    LOG_TYPE,
    MAX_HOLE,
    MAX_SEATS,
    MUCK,
    MUCKED,
    NOBODY,
    PUSH_POT,
    RULES_TYPE,
    SHOW,
    SHOWN,
    TABLE_TYPE,
    LogRecord,
    RulesRecord,
    TableRecord,
)
from .seats import next_seat


@inline
def show(t: TableRecord, r: RulesRecord, log: LogRecord, seat: int) -> None:
    """Turn a seat's cards face up."""
    t.shown[seat] = SHOWN
    note_cards(log, SHOW, seat, t.hole[seat], 0, r.hole_cards)


@inline
def muck(t: TableRecord, log: LogRecord, seat: int) -> None:
    """Give a seat's cards back face down."""
    t.shown[seat] = MUCKED
    note(log, MUCK, seat, 0, -1)


@inline
def is_beaten(t: TableRecord, r: RulesRecord, seat: int, pot: int, values: Ints) -> bool:
    """Whether a better hand among the contestants of this pot has been shown."""
    for other in range(r.seats):
        if t.shown[other] == SHOWN and contests(t, other, pot) and values[other] > values[seat]:
            return True
    return False


@inline
def may_muck(t: TableRecord, r: RulesRecord, seat: int) -> bool:
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
def must_show(t: TableRecord, r: RulesRecord, seat: int) -> bool:
    """R29: whether a seat has no choice: in manual showing who is all-in, otherwise who is not beaten, too."""
    if r.manual_showing != 0:
        return r.muck == 0 or t.stack[seat] == 0
    return not may_muck(t, r, seat)


@inline
def first_to_show(t: TableRecord, r: RulesRecord, pot: int) -> int:
    """R29: the last to bet or raise on the river, if this is the last pot that it contests; else the first seat left of
    the button."""
    if t.street == r.streets - 1 and t.aggressor != NOBODY:
        if contests(t, t.aggressor, pot) and (pot + 1 == t.pots or not contests(t, t.aggressor, pot + 1)):
            return t.aggressor
    return next_seat(r, t.button)


@inline
def show_hands(t: TableRecord, r: RulesRecord, log: LogRecord, everybody: bool, nobody_yet: bool) -> None:
    """R29: the contestants of the last side pot show first, those of the main pot last. Those who have shown or mucked
    are passed over. In manual showing it stops at a seat that has the choice, and names it in `t.showing`."""
    for pot in range(t.pots - 1, -1, -1):
        seat = first_to_show(t, r, pot)
        for _ in range(r.seats):
            if contests(t, seat, pot) and t.shown[seat] == HIDDEN:
                if nobody_yet or everybody or must_show(t, r, seat):
                    show(t, r, log, seat)
                    nobody_yet = False
                elif r.manual_showing != 0:
                    t.showing = 1 + seat
                    return
                else:
                    muck(t, log, seat)
            seat = next_seat(r, seat)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def show_all_in(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R25: betting is over before the end; turn up all live hands, in the order of R29. The pots are built."""
    show_hands(t, r, log, True, True)


@noinline(TABLE_TYPE, RULES_TYPE)
def rank_hands(t: TableRecord, r: RulesRecord) -> None:
    """Rank the live hands: high, and low if the game is split (R32)."""
    for seat in range(r.seats):
        if t.in_hand[seat]:
            t.value[seat] = seat_value(t, r, seat)
            if r.split == HIGH_LOW:
                t.low_value[seat] = seat_low(t, r, seat)


@inline
def remember_shown(t: TableRecord, r: RulesRecord) -> None:
    """Keep the cards that were tabled: the next deal takes the hands away."""
    t.shown_age = 0
    for seat in range(r.seats):
        for k in range(MAX_HOLE):
            tabled = t.shown[seat] == SHOWN and k < r.hole_cards
            t.last_shown[seat, k] = 1 + t.hole[seat, k] if tabled else 0


@inline
def clear_shown(t: TableRecord) -> None:
    """No cards have been tabled at this table yet."""
    for seat in range(MAX_SEATS):
        for k in range(MAX_HOLE):
            t.last_shown[seat, k] = 0


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def award_showdown(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """Take the rake, pay the pots, side pots before the main pot (R27). The pots are built and the hands shown."""
    remember_shown(t, r)
    take_rake(t, r, log)
    if t.rake > 0:
        deduct_rake(t, r)
    for pot in range(t.pots - 1, -1, -1):
        split_pot(t, r, log, pot)
    t.pot = 0


@inline
def award_uncontested(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R30: the last player left wins everything."""
    take_rake(t, r, log)
    for seat in range(r.seats):
        if t.in_hand[seat]:
            t.stack[seat] += t.pot
            note(log, PUSH_POT, seat, t.pot, 0)
    t.pot = 0


@compiled
def ask_winner(t: TableRecord, r: RulesRecord) -> None:
    """Manual showing: the last player left may show, unless it has chosen already or is absent (R10, R30)."""
    for seat in range(r.seats):
        if t.in_hand[seat] and t.shown[seat] == HIDDEN and t.presence[seat] != AWAY:
            t.showing = 1 + seat
    if t.showing == 0:
        remember_shown(t, r)


@inline
def end_hand(t: TableRecord, r: RulesRecord, log: LogRecord, nobody_yet: bool) -> None:
    """Show and pay; of a showdown the pots are built and the hands ranked. nobody_yet: whether nobody has shown."""
    if t.live == 1:
        if r.manual_showing != 0:
            ask_winner(t, r)
        if t.showing == 0:
            award_uncontested(t, r, log)
    else:
        show_hands(t, r, log, False, nobody_yet)
        if t.showing == 0:
            award_showdown(t, r, log)
    t.over = 1 if t.showing == 0 else 0


@compiled
def choose_to_show(t: TableRecord, r: RulesRecord, log: LogRecord, shows: bool) -> None:
    """Manual showing: the seat that has the choice shows, or gives its cards back face down. Then the hand goes on to
    the next choice, or ends."""
    seat = t.showing - 1
    t.showing = 0
    if shows:
        show(t, r, log, seat)
    else:
        muck(t, log, seat)
        t.value[seat] = t.low_value[seat] = 0  # R29: it gives up every pot that it contests
    end_hand(t, r, log, False)
