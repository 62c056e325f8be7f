"""Where button and blinds go from hand to hand, who misses a blind and who comes back (R5, R10).

Before `place_button_and_blinds` the record says where they were in the last hand; afterwards where they are in the next
one, who is held out of it, and what those who return post. Seats in `held_out` have chips but are not dealt in.
"""

from __future__ import annotations

import numpy as np

from ..compiled.compiler import inline
from .random_numbers import GOLDEN, hand_stream, mix, random_below
from .record import AWAY, BY_POSTING, BY_SEED, NOBODY, NOT_THERE, OWES_BIG, OWES_SMALL, PRESENT, WAITING
from .seats import has_hand, next_seat, seat_before, steps

BUTTON_SALT = 0x425554544F4E


@inline
def is_broke(t, seat):
    """Whether somebody sits there who has no chips."""
    return t.presence[seat] != NOT_THERE and t.stack[seat] == 0


@inline
def plays(t, r, seat):
    """Whether a seat is dealt in as a matter of course: in a tournament absent players, too."""
    if t.stack[seat] == 0:
        return False
    return t.presence[seat] == PRESENT or (r.cash == 0 and t.presence[seat] == AWAY)


@inline
def waits(t, seat):
    """Whether a seat would come in with the big blind, or by posting."""
    return t.presence[seat] == WAITING and t.stack[seat] > 0


@inline
def next_player(t, r, after, waiting_too):
    """The first seat clockwise after `after` that plays (or waits, if these count); NOBODY if there is none."""
    seat = after
    for _ in range(r.seats):
        seat = next_seat(r, seat)
        if plays(t, r, seat) or (waiting_too and waits(t, seat)):
            return seat
    return NOBODY


@inline
def last_player(t, r, before):
    """The first seat counterclockwise before `before` that plays."""
    seat = before
    for _ in range(r.seats):
        seat = seat_before(r, seat)
        if plays(t, r, seat):
            return seat
    return before


@inline
def count_players(t, r):
    """How many seats are dealt in as a matter of course."""
    count = 0
    for seat in range(r.seats):
        count += plays(t, r, seat)
    return count


@inline
def draw_button(t, r):
    """R5: the seat of the high card of a one-card draw among the players; the tied draw again. Suits are equal."""
    stream = hand_stream(t.seed ^ BUTTON_SALT, t.table_id, t.hand)
    drawing = np.int64(0)
    for seat in range(r.seats):
        if plays(t, r, seat):
            drawing |= np.int64(1) << seat
    while drawing & (drawing - 1):
        drawn = np.int64(0)
        best = np.int64(-1)
        highest = np.int64(0)
        for seat in range(r.seats):
            if drawing >> seat & 1:
                place = np.int64(0)
                fresh = False
                while not fresh:  # a card that nobody has drawn yet in this round
                    stream = stream + GOLDEN
                    place = random_below(mix(stream), r.deck_size)
                    fresh = (drawn >> place & 1) == 0
                drawn |= np.int64(1) << place
                rank = r.deck[place] // 4
                if rank > best:
                    best = rank
                    highest = np.int64(0)
                if rank == best:
                    highest |= np.int64(1) << seat
        drawing = highest
    seat = 0
    while seat < r.seats - 1 and not drawing >> seat & 1:
        seat += 1
    return seat


@inline
def first_button(t, r):
    """R5: the button of a session's first hand: where it stands, or the next player after it; by seed; or drawn for."""
    if r.first_button >= 0:
        return np.int64(t.button) if plays(t, r, t.button) else next_player(t, r, t.button, False)
    if r.first_button == BY_SEED:
        stream = hand_stream(t.seed ^ BUTTON_SALT, t.table_id, t.hand)
        seat = random_below(mix(stream + GOLDEN), r.seats)
        return seat if plays(t, r, seat) else next_player(t, r, seat, False)
    return draw_button(t, r)


@inline
def mark_missed(t, r, after, last, blind):
    """R10: whoever sits in the seats after `after` up to `last` and is not there when the blind is due owes it. Who
    has no chips is not there either, and comes back as others do, by posting."""
    seat = after
    for _ in range(steps(r, after, last)):
        seat = next_seat(r, seat)
        broke = is_broke(t, seat)
        if broke or t.presence[seat] == AWAY:
            t.owes[seat] |= blind
        if broke and t.presence[seat] == PRESENT:
            t.presence[seat] = WAITING
            t.comes_back[seat] = BY_POSTING


@inline
def come_back(t, r):
    """R10: whom the big blind has reached comes in with it and owes nothing more; others post what they owe, unless
    they sit between button and big blind. Who only waits is held out."""
    to_big_blind = steps(r, t.button, t.big_blind_seat)
    for seat in range(r.seats):
        t.posts[seat] = 0
        t.held_out[seat] = not plays(t, r, seat)
        if waits(t, seat):
            between = seat != t.button and steps(r, t.button, seat) < to_big_blind
            if seat == t.big_blind_seat:
                t.presence[seat] = PRESENT
            elif t.comes_back[seat] == BY_POSTING and not between:
                t.presence[seat] = PRESENT
                t.posts[seat] = t.owes[seat]
            if t.presence[seat] == PRESENT:
                t.owes[seat] = 0
                t.held_out[seat] = 0


@inline
def count_dealt(t, r):
    """How many will be dealt in."""
    count = 0
    for seat in range(r.seats):
        count += has_hand(t, seat)
    return count


@inline
def place_heads_up(t, r):
    """R7, R10: of two players the one due has the big blind, the other button and small blind."""
    other = t.big_blind_seat
    for seat in range(r.seats):
        if seat != t.big_blind_seat and has_hand(t, seat):
            other = seat
    t.button = other
    t.small_blind_seat = other
    t.small_blind_place = other


@inline
def place_first_hand(t, r):
    """Button and blinds of a session's first hand."""
    t.button = first_button(t, r)
    t.small_blind_seat = next_player(t, r, t.button, False)
    t.big_blind_seat = next_player(t, r, t.small_blind_seat, False)
    if t.big_blind_seat == t.button:  # there are only two
        t.big_blind_seat = t.small_blind_seat
    t.small_blind_place = t.small_blind_seat
    come_back(t, r)


@inline
def move_dead_button(t, r):
    """R10: the big blind to the next player, the small blind where the big one was, the button where the small one
    was due, even if nobody is there."""
    last_big, last_small = t.big_blind_seat, t.small_blind_place
    t.big_blind_seat = next_player(t, r, last_big, True)
    t.button = last_small
    t.small_blind_place = last_big
    t.small_blind_seat = last_big if plays(t, r, last_big) else NOBODY
    if steps(r, last_big, last_small) <= steps(r, last_big, t.big_blind_seat):
        # Two have become more, and the big blind is at the old button or beyond it: then the player right of the small
        # blind has the button.
        t.button = last_player(t, r, last_big)


@inline
def move_moving_button(t, r):
    """R10, the option: the button to the next player, the blinds to those after it."""
    t.button = next_player(t, r, t.button, False)
    t.small_blind_seat = next_player(t, r, t.button, False)
    t.big_blind_seat = next_player(t, r, t.small_blind_seat, True)
    t.small_blind_place = t.small_blind_seat


@inline
def place_button_and_blinds(t, r):
    """The positions of the next hand, for which there are two players."""
    t.arranged = 1
    admit_all(t, r)
    if t.session_hands == 0:
        place_first_hand(t, r)
    else:
        last_big, last_small = t.big_blind_seat, t.small_blind_place
        due = next_player(t, r, last_big, True)
        moves = r.moving_button != 0 and count_players(t, r) > 2
        if moves:
            last_button = t.button
            move_moving_button(t, r)
            if t.big_blind_seat == last_big:  # two have become more; nobody posts the big blind twice running
                moves = False
                t.button = last_button
                t.small_blind_place = last_small
        if not moves:
            move_dead_button(t, r)
        if r.cash != 0:
            mark_missed(t, r, last_big, t.big_blind_seat, OWES_BIG)
            mark_missed(t, r, last_small, t.small_blind_place, OWES_SMALL)
        come_back(t, r)
        if count_dealt(t, r) == 2:
            t.big_blind_seat = due
            place_heads_up(t, r)
            return
    if count_dealt(t, r) == 2:
        place_heads_up(t, r)


@inline
def can_deal(t, r):
    """Whether there are two players, those counted who wait to come in."""
    players = count_players(t, r)
    for seat in range(r.seats):
        players += waits(t, seat)
    return players >= 2


@inline
def admit_all(t, r):
    """Where fewer than two play, whoever waits is dealt in and owes nothing: without them there is no game."""
    if count_players(t, r) < 2:
        for seat in range(r.seats):
            if waits(t, seat):
                t.presence[seat] = PRESENT
                t.owes[seat] = 0
