"""One hand from start to finish: `start_hand`, then `apply_move` until nobody is to act.

`start_hand` posts (posting.py) and deals (dealing.py, irregularities.py). A move (betting.py) may end the street, then
`finish_street` deals the next one, or the hand, then `finish_hand` builds the pots (pots.py) and pays them
(showdown.py).
"""

from __future__ import annotations

from ..compiled import types
from ..compiled.compiler import inline, noinline
from .betting import ask_next_to_act, make_move, start_betting_round
from .dealing import burn_and_deal_board, deal_hole_cards
from .irregularities import (
    begin_errors,
    begin_round,
    deal_board_after_errors,
    deal_hole_cards_with_errors,
    deal_too_early,
)
from .log import note
from .posting import post_all
from .pots import build_side_pots, return_uncalled
from .record import (
    AFTER_BLINDS,
    AWAY,
    DEALER_ERRS,
    DID_FOLD,
    FOLD,
    HIDDEN,
    LOG_TYPE,
    MAX_STREETS,
    NOBODY,
    RULES_TYPE,
    SOME_ABSENT,
    TABLE_TYPE,
    LogRecord,
    RulesRecord,
    TableRecord,
)
from .seats import has_hand, next_dealt, next_seat
from .showdown import end_hand, rank_hands, show_all_in


@inline
def deal_in_players(t: TableRecord, r: RulesRecord) -> None:
    """Every player with chips is dealt in, except those the session holds out."""
    t.dealt = 0
    t.follow_ups &= DEALER_ERRS  # of the hand before, for begin_errors
    for seat in range(r.seats):
        t.start_stack[seat] = t.stack[seat]
        dealt = 1 if has_hand(t, seat) else 0
        t.follow_ups |= SOME_ABSENT * dealt * (t.presence[seat] == AWAY)
        t.was_dealt[seat] = dealt
        t.in_hand[seat] = dealt
        t.dealt += dealt
        t.posted[seat] = 0
        t.bet[seat] = 0
        t.total[seat] = 0
        t.shown[seat] = HIDDEN
        for street in range(MAX_STREETS):
            t.street_bets[seat, street] = 0
            t.street_raises[seat, street] = 0
    t.live = t.dealt
    t.with_chips = t.dealt


@inline
def place_blinds(t: TableRecord, r: RulesRecord) -> None:
    """R6, R7: the blinds are left of the button; heads-up the button has the small blind. In a session button.py has
    placed them already (R10)."""
    t.straddle_seat = NOBODY
    if t.blinds_placed != 0:
        return
    t.small_blind_seat = t.button if t.dealt == 2 else next_dealt(t, r, t.button)
    t.big_blind_seat = next_dealt(t, r, t.small_blind_seat)


@inline
def clear_table(t: TableRecord) -> None:
    """An empty table: no board, no pot, no moves. The cards that were tabled are those of an earlier hand."""
    t.shown_age = min(t.shown_age + 1, 2)
    t.street = 0
    t.actor = NOBODY
    t.over = 0
    t.pot = 0
    t.dead = 0
    t.rake = 0
    t.cursor = 0
    t.board_count = 0
    t.moves = 0


@inline
def deal_all_hole_cards(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R4: deal the hole cards, with the dealer's errors if there can be any (R33-R35)."""
    if t.follow_ups & DEALER_ERRS == 0:
        deal_hole_cards(t, r, log, False)
    else:
        deal_hole_cards_with_errors(t, r, log)


@inline
def deal_street(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R4: deal the board cards of the street, with the dealer's errors if there can be any (R36-R38)."""
    if t.follow_ups & DEALER_ERRS == 0:
        burn_and_deal_board(t, r, log)
    else:
        deal_board_after_errors(t, r, log)


@inline
def seat_before_first_to_act(t: TableRecord, r: RulesRecord) -> int:
    """R15: the seat after which the betting begins: before the flop the last blind or straddle, later the button."""
    before = t.button
    if r.first_to_act[t.street] == AFTER_BLINDS:
        before = t.big_blind_seat if t.straddle_seat == NOBODY else t.straddle_seat
    return before


@inline
def ask_first_to_act(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R15: ask the first seat that has a decision, if there is one."""
    ask_next_to_act(t, r, seat_before_first_to_act(t, r))
    if t.follow_ups & DEALER_ERRS:
        begin_round(t, r)
        deal_too_early(t, r, log)


@inline
def run_out_board(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R25: betting is over; show the hands if the rules say so, and deal the rest of the board."""
    if r.face_up_all_in != 0 and t.street < r.streets - 1:
        show_all_in(t, r, log)
    while t.street < r.streets - 1:
        t.street += 1
        t.aggressor = NOBODY
        deal_street(t, r, log)


@inline
def fold_absent_all_in(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R10: absent players who are all-in with a blind are never asked; fold them before the next board card, all but
    one if nobody else is left."""
    seat = t.button
    for _ in range(r.seats):
        seat = next_seat(r, seat)
        if t.live > 1 and t.in_hand[seat] and t.presence[seat] == AWAY:
            t.in_hand[seat] = 0
            t.live -= 1
            note(log, DID_FOLD, seat, 0, -1)


@inline
def finish_hand(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """No more betting is possible: return the uncalled bet (R26), run out the board (R25), show and pay."""
    return_uncalled(t, r, log)
    if t.follow_ups & SOME_ABSENT:
        fold_absent_all_in(t, r, log)
    for seat in range(r.seats):
        t.bet[seat] = 0
    t.actor = NOBODY
    if t.live > 1:
        build_side_pots(t, r)
        run_out_board(t, r, log)
        rank_hands(t, r)
    end_hand(t, r, log, True)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def finish_street(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """A betting round has ended: begin the next one, or finish the hand."""
    if t.live == 1 or t.with_chips < 2 or t.street == r.streets - 1:
        finish_hand(t, r, log)
        return
    if t.follow_ups & SOME_ABSENT:
        fold_absent_all_in(t, r, log)
    t.street += 1
    start_betting_round(t, r)
    deal_street(t, r, log)
    ask_first_to_act(t, r, log)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE, types.int64)
def play_move(t: TableRecord, r: RulesRecord, log: LogRecord, move: int) -> None:
    """Play a legal move of the seat to act, and ask the next seat of this betting round. Call `advance` afterwards."""
    seat = t.actor
    make_move(t, r, log, move)
    ask_next_to_act(t, r, seat)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def fold_absent(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R10: fold players who were dealt in but are absent when it is their turn, even if checking is free."""
    while t.actor != NOBODY and t.presence[t.actor] == AWAY:
        play_move(t, r, log, FOLD)
        if t.actor == NOBODY:
            finish_street(t, r, log)
        if t.follow_ups & DEALER_ERRS:
            deal_too_early(t, r, log)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def follow_up(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """After a move in a hand with `follow_ups`: the dealer may err in mid-round (R36-R38), absent players fold (R10).

    Where a round has just begun, the cards that come too early at its beginning lie there already.
    """
    if t.follow_ups & DEALER_ERRS:
        deal_too_early(t, r, log)
    if t.follow_ups & SOME_ABSENT:
        fold_absent(t, r, log)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE, types.int64, types.int64)
def start_hand(t: TableRecord, r: RulesRecord, log: LogRecord, street: int, dead: int) -> None:
    """Begin a hand with the stacks, the button and the deck in the record. At least two stacks are not empty.

    On street 0 it begins with the posting. On a later street nothing is posted; `dead` chips are in the middle already.
    """
    clear_table(t)
    deal_in_players(t, r)
    place_blinds(t, r)
    t.pot = dead
    t.dead = dead
    if r.dealer_errors != 0 or t.errors_injected != 0 or t.follow_ups & DEALER_ERRS:
        begin_errors(t, r, street)
    start_betting_round(t, r)
    if street == 0:
        post_all(t, r, log)
    deal_all_hole_cards(t, r, log)
    deal_street(t, r, log)  # some games begin with open board cards
    while t.street < street:
        t.street += 1
        deal_street(t, r, log)
        start_betting_round(t, r)
    ask_first_to_act(t, r, log)
    if t.actor == NOBODY:
        finish_street(t, r, log)
    if t.follow_ups & SOME_ABSENT:
        fold_absent(t, r, log)


@inline
def must_advance(t: TableRecord) -> bool:
    """Whether `advance` has anything to do."""
    return t.actor == NOBODY or t.follow_ups != 0


@inline
def advance(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """Play on after a move, until somebody is to act or the hand is over."""
    if t.actor == NOBODY:
        finish_street(t, r, log)
    if t.follow_ups != 0:
        follow_up(t, r, log)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE, types.int64)
def apply_move(t: TableRecord, r: RulesRecord, log: LogRecord, move: int) -> None:
    """Play a legal move of the seat to act, and play on until somebody is to act or the hand is over."""
    play_move(t, r, log, move)
    advance(t, r, log)
