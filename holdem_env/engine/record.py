"""TABLE, the record of one hand as it is played, and LOG, the operations of one call (they become `Table.log`).

Both are NumPy structured dtypes, made from annotated classes; compiled functions take a record `t` (a table) and a
record `r` (its rules, see game/rules_record.py, whose limits and codes are here, too) and read and write their fields
in place. Amounts are integer chips. Seats, streets and cards are small integers; -1 means none.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol

import numpy as np

from ..compiled.columns import numba_record, register_columns
from ..compiled.records import Int8, Int16, Int32, Int64, dtype_of
from ..compiled.records import Records as Records
from ..compiled.records import column as column
from ..compiled.records import new_records as new_records
from ..compiled.scalars import Ints
from ..game.rules_record import *  # noqa: F403 - readers of one record read the other
from ..game.rules_record import DECK, MAX_BOARD, MAX_HOLE, MAX_SEATS, MAX_STREETS, RULES

# How many moves of a hand the record remembers, for encoders; of a longer hand it keeps the latest.
MAX_MOVES = 64
# Raises of a seat on a street are counted up to here.
MAX_RAISES = 100
MAX_OPERATIONS = 256
# How often cards can be reshuffled in a hand: for a misdeal, twice for the flop, for the river (R33-R38).
MAX_RESHUFFLES = 4
NOBODY = -1
NO_CARD = -1
NOT_ACTED = -1
# Moves: one integer. A positive move is the street total to raise (or bet) to.
FOLD, CHECK_CALL = -1, 0
# `presence` of a seat between hands, `owes` and `comes_back` (R10).
NOT_THERE, PRESENT, AWAY, WAITING = 0, 1, 2, 3
OWES_BIG, OWES_SMALL = 1, 2
BY_POSTING, WITH_THE_BIG_BLIND = 0, 1
# `follow_ups`: some players dealt in are absent, and are folded when it is their turn (R10); the dealer can err in this
# hand (R33-R38). One field for both, because every move asks for it.
SOME_ABSENT, DEALER_ERRS = 1, 2
# `shown`: what became of a seat's hole cards at the showdown.
HIDDEN, SHOWN, MUCKED = 0, 1, 2

# One player's chips: a cache line. What an encoder shows of them stands together, so that it can be read at once.
SEAT = np.dtype(
    [
        ("stack", np.int64),
        ("bet", np.int64),  # this street's
        ("total", np.int64),  # the whole hand's, without dead money
        ("street_bets", np.int64, MAX_STREETS),  # what was put in on each street
        ("bet_acted_on", np.int64),  # the bet to match when the seat last acted, R21-R23
    ],
    align=True,
)
MOVE = np.dtype([("move", np.int64), ("seat", np.int8), ("street", np.int8), ("padding", np.int8, 6)], align=True)
# Compiled functions read the columns of these as `t.stack[seat]`, `t.move[k]` (see columns.py).
COLUMNS = {name: ("seats", name) for name in SEAT.fields or ()}
COLUMNS |= {"move": ("made", "move"), "move_seat": ("made", "seat"), "move_street": ("made", "street")}


# What every decision reads stands first and in few cache lines of 64 bytes, one group below a line or two: a large
# batch is bound by memory.
class TableRecord(Protocol):
    """`t` in compiled functions."""

    # The betting.
    bet_to_match: Int64  # the street total to match
    last_full_bet: Int64  # the street total of the last full bet or raise
    raise_size: Int64  # the largest full bet or raise of the street
    raise_min: Int64  # what the actor may raise to; 0, 0: no raise is legal
    raise_max: Int64
    pot: Int64  # all chips in the middle, this street's bets included
    wagers: Int32  # full bets and raises by players on this street
    moves: Int32  # made in the whole hand; move k stands at k % MAX_MOVES
    actor: Int16
    street: Int16
    live: Int16  # how many have not folded
    with_chips: Int16  # how many of these have chips left
    # Who sits where, and how many cards are dealt, and pots there are.
    aggressor: Int16  # last to bet or raise in full on this street
    capped: Int16
    uncapped: Int16  # fixed limit: the round began heads-up and has no cap
    over: Int16
    button: Int16
    small_blind_seat: Int16
    big_blind_seat: Int16
    straddle_seat: Int16
    dealt: Int16  # how many were dealt in
    cursor: Int16
    board_count: Int16
    pots: Int16
    stage: Int16  # which of the RULES records is in force
    follow_ups: Int16  # bits: what may follow a move besides the next turn, SOME_ABSENT, DEALER_ERRS
    in_hand: Annotated[Ints, np.int8, MAX_SEATS]  # dealt in and not folded
    was_dealt: Annotated[Ints, np.int8, MAX_SEATS]
    shown: Annotated[Ints, np.int8, MAX_SEATS]
    board: Annotated[Ints, np.int8, MAX_BOARD]
    shown_age: Int8  # how many hands ago `last_shown` was written; 2 stands for more, too
    # The cards, and which deck this is: hand `hand` of table `table_id` under `seed` (see dealing.py).
    hole: Annotated[Ints, np.int8, (MAX_SEATS, MAX_HOLE)]
    seed: Int64
    table_id: Int64
    hand: Int64
    # A line for each seat.
    seats: Annotated[Any, SEAT, MAX_SEATS]
    # What happened, for encoders: raises by seat and street, 0 to MAX_RAISES, and the latest moves.
    street_raises: Annotated[Ints, np.int8, (MAX_SEATS, MAX_STREETS)]
    dead: Int64  # of the chips in the middle, those that are nobody's contribution
    rake: Int64
    errors_injected: Int16  # whether the dealer's errors are given (R33-R38); else they are drawn
    orders_injected: Int16  # how many orders of reshuffles are given; others are drawn
    errors: Int16  # bits: the dealer's errors still to happen in this hand
    blinds_placed: Int16  # whether a session has placed the next hand's button and blinds (R10)
    # What the beginning and the end of a hand need besides.
    deck: Annotated[Ints, np.int8, DECK]
    held_out: Annotated[Ints, np.int8, MAX_SEATS]  # has chips, but is not dealt in
    presence: Annotated[Ints, np.int8, MAX_SEATS]
    posted: Annotated[Ints, np.int8, MAX_SEATS]  # what the seat posted: bit k is operation k, one of the first POSTINGS
    low_value: Annotated[Ints, np.int16, MAX_SEATS]  # R32: what the hand's low is worth at the showdown; 0: no low
    deck_padding: Annotated[Ints, np.int8, 2]
    start_stack: Annotated[Ints, np.int64, MAX_SEATS]
    # The pots as they were last built, main pot first: the total that makes a contestant, the chips. And what the
    # hands are worth at the showdown.
    pot_level: Annotated[Ints, np.int64, MAX_SEATS]
    pot_chips: Annotated[Ints, np.int64, MAX_SEATS]
    value: Annotated[Ints, np.int32, MAX_SEATS]
    made: Annotated[Any, MOVE, MAX_MOVES]
    # For what happens between hands (session_kernels.py). In hands that stand alone it is all zero.
    blind_level: Int16
    phase: Int16
    phase_hands: Int32  # dealt in the running phase
    phase_orbits: Int16
    phase_seat: Int16  # the big blind of its first hand
    blind_level_hands: Int32  # hands dealt at the current blind level
    session_hands: Int32  # dealt in the session
    session_over: Int16
    small_blind_due: Int16  # where the small blind is due, even if the seat is empty
    players_left: Int16
    owes: Annotated[Ints, np.int8, MAX_SEATS]  # missed blinds: OWES_BIG, OWES_SMALL
    posts: Annotated[Ints, np.int8, MAX_SEATS]  # which of these are posted in the next hand
    comes_back: Annotated[Ints, np.int8, MAX_SEATS]  # BY_POSTING, or WITH_THE_BIG_BLIND
    place: Annotated[Ints, np.int8, MAX_SEATS]  # finishing place; 0: still in
    # The dealer's errors, written only in hands that can have them.
    exposed: Annotated[Ints, np.int8, DECK]  # by card: whether an error has shown it to everybody in this deal
    premature_cards: Int16  # board cards dealt too early, which go back into the stub (R36, R38)
    reshuffles: Int16  # how many there were in this hand
    premature_turn: Int16  # where in the deck the premature turn card lies (R37)
    reshuffle_order: Annotated[Ints, np.int8, (MAX_RESHUFFLES, DECK)]  # orders of the whole deck
    showing: Int8  # manual showing: 1 + the seat that chooses to show or to muck (R29, R30); 0: none
    # The cards that were tabled in the latest hand that came to a showdown: each 1 + card, 0 for none.
    last_shown: Annotated[Ints, np.int8, (MAX_SEATS, MAX_HOLE)]
    has_words: Int8  # 1 in views whose seed is a random word (seat_view.py)
    # 43 lines in all: with an odd number the same field of many tables does not fall into the same cache sets.
    padding: Annotated[Ints, np.int8, 50]
    # For how many moves of a betting round the next street's cards wait before they come too early, by the round's
    # street, and how many moves of the hand had been made when the running round began.
    premature_after: Annotated[Ints, np.int32, MAX_STREETS - 1]
    round_began: Int32
    exposed_deal: Int64  # bit k: the k-th hole card dealt is exposed (R33, R34)
    # The columns of `seats` and `made` (COLUMNS).
    stack: Ints
    bet: Ints
    total: Ints
    street_bets: Ints
    bet_acted_on: Ints
    move: Ints
    move_seat: Ints
    move_street: Ints


TABLE = dtype_of(TableRecord)

# The kinds of operations in a hand's log, in the order of their numbers. The first POSTINGS are what a seat can post
# before the deal, in the order in which it posts them (R8-R10).
POSTINGS = 7
OPERATIONS = (
    "post_ante",
    "post_small_blind",
    "post_big_blind",
    "post_big_blind_ante",
    "post_live",
    "post_dead",
    "post_straddle",
    "deal_hole",
    "burn",
    "deal_board",
    "fold",
    "check",
    "call",
    "bet",
    "raise",
    "return_uncalled",
    "show",
    "muck",
    "rake",
    "push_pot",
    # Of the dealer's errors (R33-R38). What it did wrong:
    "expose",
    "extra_card",
    "deal_early",
    "deal_too_many",
    # and the remedies:
    "misdeal",
    "replace_card",
    "take_back",
    "reshuffle",
    # The draw for the first button (R5), at the beginning of a session's log.
    "draw_button",
)
(
    POST_ANTE,
    POST_SMALL_BLIND,
    POST_BIG_BLIND,
    POST_BIG_BLIND_ANTE,
    POST_LIVE,
    POST_DEAD,
    POST_STRADDLE,
    DEAL_HOLE,
    BURN,
    DEAL_BOARD,
    DID_FOLD,
    DID_CHECK,
    DID_CALL,
    DID_BET,
    DID_RAISE,
    RETURN_UNCALLED,
    SHOW,
    MUCK,
    TAKE_RAKE,
    PUSH_POT,
    EXPOSE,
    DEAL_EXTRA,
    DEAL_EARLY,
    DEAL_TOO_MANY,
    MISDEAL,
    REPLACE_CARD,
    TAKE_BACK,
    RESHUFFLE,
    DRAW_BUTTON,
) = range(len(OPERATIONS))

LOG_OFF = -1


class LogRecord(Protocol):
    """`log` in compiled functions."""

    count: Int64  # operations taken down; LOG_OFF: nobody listens
    kind: Annotated[Ints, np.int8, MAX_OPERATIONS]
    seat: Annotated[Ints, np.int8, MAX_OPERATIONS]
    pot: Annotated[Ints, np.int8, MAX_OPERATIONS]
    amount: Annotated[Ints, np.int64, MAX_OPERATIONS]
    cards: Annotated[Ints, np.int8, (MAX_OPERATIONS, MAX_HOLE)]


LOG = dtype_of(LogRecord)

# As Numba knows them: the types of `t`, `r` and `log` in every function of the engine.
TABLE_TYPE, RULES_TYPE, LOG_TYPE = (numba_record(dtype) for dtype in (TABLE, RULES, LOG))
register_columns(TABLE, COLUMNS)


def new_log(listening: bool) -> Records:
    """One log: empty and listening, or switched off."""
    log = new_records(LOG, 1)
    log["count"] = 0 if listening else LOG_OFF
    return log
