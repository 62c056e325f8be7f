"""One hand from the posting to the pots: `start_hand`, then `apply_move` until nobody is to act."""

from __future__ import annotations

from ..compiled import types
from ..compiled.compiler import inline, noinline
from .betting import ask_next, make_move, open_street
from .dealing import deal_board, deal_hole_cards
from .irregularities import begin_errors, deal_board_after_errors, deal_hole_cards_with_errors, deal_too_early
from .log import note
from .posting import dealt_after, post_all
from .pots import return_uncalled
from .record import AFTER_BLINDS, AWAY, DID_FOLD, FOLD, HIDDEN, LOG_TYPE, MAX_STREETS, NOBODY, RULES_TYPE, TABLE_TYPE
from .showdown import lay_out_pots, settle_showdown, settle_uncontested, show_all_in


@inline
def seat_players(t, r):
    """Everybody with chips is dealt in, but for those whom the session holds out."""
    t.dealt = 0
    t.absent = 0
    for seat in range(r.seats):
        t.start_stack[seat] = t.stack[seat]
        dealt = 1 if t.stack[seat] > 0 and not t.held_out[seat] else 0
        t.absent += dealt * (t.presence[seat] == AWAY)
        t.was_dealt[seat] = dealt
        t.in_hand[seat] = dealt
        t.dealt += dealt
        t.bet[seat] = 0
        t.total[seat] = 0
        t.shown[seat] = HIDDEN
        for street in range(MAX_STREETS):
            t.street_bets[seat, street] = 0
            t.street_raises[seat, street] = 0
    t.live = t.dealt
    t.with_chips = t.dealt


@inline
def place_blinds(t, r):
    """R6, R7: the blinds sit left of the button; heads-up the button has the small one. Of a session's hands they are
    placed already (R10)."""
    t.straddle_seat = NOBODY
    if t.arranged != 0:
        return
    t.small_blind_seat = t.button if t.dealt == 2 else dealt_after(t, r, t.button)
    t.big_blind_seat = dealt_after(t, r, t.small_blind_seat)


@inline
def clear_middle(t):
    """An empty middle: no board, no pot, no moves."""
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
def deal_hands_in(t, r, log):
    """R4; R33-R35 if the dealer errs."""
    if r.dealer_errors == 0:
        deal_hole_cards(t, r, log)
    else:
        deal_hole_cards_with_errors(t, r, log)


@inline
def deal_street(t, r, log):
    """R4: the board cards of the street; R36-R38 if the dealer errs, or has erred."""
    if r.dealer_errors == 0:
        deal_board(t, r, log)
    else:
        deal_board_after_errors(t, r, log)


@inline
def seat_before_first(t, r):
    """R15: before the flop the seat left of the last blind or straddle begins, later the first left of the button."""
    before = t.button
    if r.first_to_act[t.street] == AFTER_BLINDS:
        before = t.big_blind_seat if t.straddle_seat == NOBODY else t.straddle_seat
    return before


@inline
def begin_betting(t, r, log):
    """R15: ask the first who has a decision, if anybody has."""
    ask_next(t, r, seat_before_first(t, r))
    if r.dealer_errors != 0:
        deal_too_early(t, r, log)


@inline
def run_out(t, r, log):
    """R25: betting is over; show the hands if the rules say so, and deal the rest of the board."""
    if r.face_up_all_in != 0 and t.street < r.streets - 1:
        show_all_in(t, r, log)
    while t.street < r.streets - 1:
        t.street += 1
        t.aggressor = NOBODY
        deal_street(t, r, log)


@inline
def fold_unasked(t, r, log):
    """R10: absent players whom nobody asks any more, as they are all-in with a blind, are folded before the showdown,
    too: all but one, if nobody else is left."""
    seat = t.button
    for _ in range(r.seats):
        seat = 0 if seat + 1 >= r.seats else seat + 1
        if t.live > 1 and t.in_hand[seat] and t.presence[seat] == AWAY:
            t.in_hand[seat] = 0
            t.live -= 1
            note(log, DID_FOLD, seat, 0, -1)


@inline
def finish_hand(t, r, log):
    """Nobody can bet any more: return what was not called, decide, pay."""
    return_uncalled(t, r, log)
    if t.absent > 0:
        fold_unasked(t, r, log)
    for seat in range(r.seats):
        t.bet[seat] = 0
    if t.live == 1:
        settle_uncontested(t, r, log)
    else:
        lay_out_pots(t, r)
        run_out(t, r, log)
        settle_showdown(t, r, log)
    t.actor = NOBODY
    t.over = 1


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def finish_street(t, r, log):
    """A betting round has ended: on to the next one, or to the end of the hand."""
    if t.live == 1 or t.with_chips < 2 or t.street == r.streets - 1:
        finish_hand(t, r, log)
        return
    t.street += 1
    open_street(t, r)
    deal_street(t, r, log)
    begin_betting(t, r, log)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE, types.int64)
def play_move(t, r, log, move):
    """Play a legal move of the seat to act, and ask the next one of this betting round. `go_on` must follow."""
    seat = t.actor
    make_move(t, r, log, move)
    ask_next(t, r, seat)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def fold_absent(t, r, log):
    """R10: who was dealt in but is not there is folded, even if checking is free."""
    while t.actor != NOBODY and t.presence[t.actor] == AWAY:
        play_move(t, r, log, FOLD)
        if t.actor == NOBODY:
            finish_street(t, r, log)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE, types.int64, types.int64)
def start_hand(t, r, log, street, dead):
    """Begin a hand with the stacks, the button and the deck that stand in the record; two stacks at least are not
    empty.

    It begins with the posting on street 0, or without on a later street; `dead` chips lie in the middle already.
    """
    clear_middle(t)
    seat_players(t, r)
    place_blinds(t, r)
    t.pot = dead
    t.dead = dead
    if r.dealer_errors != 0:
        begin_errors(t, r, street)
    open_street(t, r)
    if street == 0:
        post_all(t, r, log)
    deal_hands_in(t, r, log)
    deal_street(t, r, log)  # a game may begin with open cards
    while t.street < street:
        t.street += 1
        deal_street(t, r, log)
        open_street(t, r)
    begin_betting(t, r, log)
    if t.actor == NOBODY:
        finish_street(t, r, log)
    if t.absent > 0:
        fold_absent(t, r, log)


@inline
def must_go_on(t):
    """Whether there is something for `go_on` to do."""
    return t.actor == NOBODY or t.absent > 0


@inline
def go_on(t, r, log):
    """What follows from a move, until somebody is to act or the hand is over."""
    if t.actor == NOBODY:
        finish_street(t, r, log)
    if t.absent > 0:
        fold_absent(t, r, log)


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE, types.int64)
def apply_move(t, r, log, move):
    """Play a legal move of the seat to act, and everything that follows from it until somebody is to act or the
    hand is over."""
    play_move(t, r, log, move)
    go_on(t, r, log)
