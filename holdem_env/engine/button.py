"""Button and blinds from hand to hand: dead button, moving button, missed blinds, players who return (R5, R7, R10).

Before `place_button_and_blinds` the record holds the positions of the last hand, afterwards those of the next one, who
is held out of it (`held_out`: they have chips, but are not dealt in), and what returning players post (`posts`).
"""

from __future__ import annotations

from ..compiled.compiler import inline, noinline
from ..compiled.scalars import int64
from .log import note_cards
from .random_numbers import GOLDEN, hand_stream, mix, random_below
from .record import (
    AWAY,
    BY_POSTING,
    BY_SEED,
    DRAW_BUTTON,
    LOG_TYPE,
    MAX_OPERATIONS,
    NOBODY,
    NOT_THERE,
    OWES_BIG,
    OWES_SMALL,
    PRESENT,
    RULES_TYPE,
    TABLE_TYPE,
    WAITING,
    LogRecord,
    RulesRecord,
    TableRecord,
)
from .seats import has_hand, next_seat, seat_before, steps

BUTTON_SALT = 0x425554544F4E


@inline
def is_broke(t: TableRecord, seat: int) -> bool:
    """Whether a player sits there without chips."""
    return t.presence[seat] != NOT_THERE and t.stack[seat] == 0


@inline
def is_playing(t: TableRecord, r: RulesRecord, seat: int) -> bool:
    """Whether a seat is dealt in without further ado. In a tournament that includes absent players (R10)."""
    if t.stack[seat] == 0:
        return False
    return t.presence[seat] == PRESENT or (r.cash == 0 and t.presence[seat] == AWAY)


@inline
def is_waiting(t: TableRecord, seat: int) -> bool:
    """Whether a player with chips waits to come in, by posting or with the big blind (R10)."""
    return t.presence[seat] == WAITING and t.stack[seat] > 0


@inline
def next_player(t: TableRecord, r: RulesRecord, after: int, waiting_too: bool) -> int:
    """The first seat clockwise after `after` that is playing (or waiting, if these count); NOBODY if there is none."""
    seat = after
    for _ in range(r.seats):
        seat = next_seat(r, seat)
        if is_playing(t, r, seat) or (waiting_too and is_waiting(t, seat)):
            return seat
    return NOBODY


@inline
def previous_player(t: TableRecord, r: RulesRecord, before: int) -> int:
    """The first seat counterclockwise before `before` that is playing."""
    seat = before
    for _ in range(r.seats):
        seat = seat_before(r, seat)
        if is_playing(t, r, seat):
            return seat
    return before


@inline
def count_playing(t: TableRecord, r: RulesRecord) -> int:
    """How many seats are playing."""
    count = 0
    for seat in range(r.seats):
        count += is_playing(t, r, seat)
    return count


@inline
def draw_button(t: TableRecord, r: RulesRecord, log: LogRecord) -> int:
    """R5: the player who draws the high card has the button. Who ties draws again, from the cards that nobody has
    drawn; if these are too few, from the whole deck. Suits are equal. The cards drawn belong to the log."""
    stream = hand_stream(t.seed ^ BUTTON_SALT, t.table_id, t.hand)
    drawing = int64(0)
    players = 0
    for seat in range(r.seats):
        if is_playing(t, r, seat):
            drawing |= int64(1) << seat
            players += 1
    drawn = int64(0)
    left = int64(r.deck_size)
    while players > 1:
        if left < players:
            drawn = int64(0)
            left = int64(r.deck_size)
        left -= players
        best = int64(-1)
        highest = int64(0)
        for seat in range(r.seats):
            if drawing >> seat & 1:
                place = int64(0)
                fresh = False
                while not fresh:  # a card that nobody has drawn
                    stream = stream + GOLDEN
                    place = random_below(mix(stream), r.deck_size)
                    fresh = (drawn >> place & 1) == 0
                drawn |= int64(1) << place
                if log.count < MAX_OPERATIONS:  # after that many ties there is no room left in it
                    note_cards(log, DRAW_BUTTON, seat, r.deck, place, 1)
                rank = r.deck[place] // 4
                if rank > best:
                    best = rank
                    highest = int64(0)
                    players = 0
                if rank == best:
                    highest |= int64(1) << seat
                    players += 1
        drawing = highest
    seat = 0
    while seat < r.seats - 1 and not drawing >> seat & 1:
        seat += 1
    return seat


@inline
def first_button(t: TableRecord, r: RulesRecord, log: LogRecord) -> int:
    """R5: the button of a session's first hand: the given seat or the next player after it, a seat by the seed, or a
    draw."""
    if r.first_button >= 0:
        return int64(t.button) if is_playing(t, r, t.button) else next_player(t, r, t.button, False)
    if r.first_button == BY_SEED:
        stream = hand_stream(t.seed ^ BUTTON_SALT, t.table_id, t.hand)
        seat = random_below(mix(stream + GOLDEN), r.seats)
        return seat if is_playing(t, r, seat) else next_player(t, r, seat, False)
    return draw_button(t, r, log)


@inline
def mark_missed_blinds(t: TableRecord, r: RulesRecord, after: int, last: int, blind: int) -> None:
    """R10: every seat after `after` up to `last` whose player is away when the blind is due owes it. A player without
    chips is away, too, and returns by posting."""
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
def admit_returning(t: TableRecord, r: RulesRecord) -> None:
    """R10: a waiting player in the big blind comes in with it and owes nothing more. Others post what they owe, unless
    they sit between button and big blind. The rest are held out."""
    to_big_blind = steps(r, t.button, t.big_blind_seat)
    for seat in range(r.seats):
        t.posts[seat] = 0
        t.held_out[seat] = not is_playing(t, r, seat)
        if is_waiting(t, seat):
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
def count_dealt(t: TableRecord, r: RulesRecord) -> int:
    """How many players will be dealt in."""
    count = 0
    for seat in range(r.seats):
        count += has_hand(t, seat)
    return count


@inline
def place_heads_up(t: TableRecord, r: RulesRecord) -> None:
    """R7, R10: of two players, the one who is due has the big blind, the other has button and small blind."""
    other = t.big_blind_seat
    for seat in range(r.seats):
        if seat != t.big_blind_seat and has_hand(t, seat):
            other = seat
    t.button = other
    t.small_blind_seat = other
    t.small_blind_due = other


@inline
def place_first_hand(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R5, R6: button and blinds of a session's first hand."""
    t.button = first_button(t, r, log)
    t.small_blind_seat = next_player(t, r, t.button, False)
    t.big_blind_seat = next_player(t, r, t.small_blind_seat, False)
    if t.big_blind_seat == t.button:  # there are only two
        t.big_blind_seat = t.small_blind_seat
    t.small_blind_due = t.small_blind_seat
    admit_returning(t, r)


@inline
def move_dead_button(t: TableRecord, r: RulesRecord) -> None:
    """R10, the dead button: the big blind moves to the next player, the small blind to the last big blind, the button
    to the last small blind, even if nobody sits there."""
    last_big, last_small = t.big_blind_seat, t.small_blind_due
    t.big_blind_seat = next_player(t, r, last_big, True)
    t.button = last_small
    t.small_blind_due = last_big
    t.small_blind_seat = last_big if is_playing(t, r, last_big) else NOBODY
    if steps(r, last_big, last_small) <= steps(r, last_big, t.big_blind_seat):
        # The last hand was heads-up, and the big blind is now at the old button or beyond it: the player right of the
        # small blind has the button.
        t.button = previous_player(t, r, last_big)


@inline
def move_moving_button(t: TableRecord, r: RulesRecord) -> None:
    """R10, the moving button: it goes to the next player, and the blinds to the players after."""
    t.button = next_player(t, r, t.button, False)
    t.small_blind_seat = next_player(t, r, t.button, False)
    t.big_blind_seat = next_player(t, r, t.small_blind_seat, True)
    t.small_blind_due = t.small_blind_seat


@inline
def is_late_entry(t: TableRecord, r: RulesRecord, seat: int) -> bool:
    """R10: whether a seat of a tournament plays, but had no cards in the last hand."""
    return r.cash == 0 and t.session_hands > 0 and is_playing(t, r, seat) and not t.was_dealt[seat]


@inline
def admit_late_entries(t: TableRecord, r: RulesRecord) -> None:
    """R10: late entries that have waited count as players when the button moves."""
    for seat in range(r.seats):
        if r.cash == 0 and is_waiting(t, seat):
            t.presence[seat] = PRESENT


@inline
def hold_out_late_entries(t: TableRecord, r: RulesRecord) -> None:
    """R10: a late entry between the button and the small blind waits until the button has passed it, unless there is no
    game without it."""
    others = 0
    for seat in range(r.seats):
        others += is_playing(t, r, seat) and not is_late_entry(t, r, seat)
    to_small_blind = steps(r, t.button, t.small_blind_due)
    for seat in range(r.seats):
        if others >= 2 and seat != t.button and steps(r, t.button, seat) < to_small_blind:
            if is_late_entry(t, r, seat):
                t.held_out[seat] = 1
                if t.presence[seat] == PRESENT:
                    t.presence[seat] = WAITING


@noinline(TABLE_TYPE, RULES_TYPE, LOG_TYPE)
def place_button_and_blinds(t: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """R10: the positions of the next hand, for which there are two players."""
    t.blinds_placed = 1
    admit_waiting(t, r)
    admit_late_entries(t, r)
    if t.session_hands == 0:
        place_first_hand(t, r, log)
    else:
        last_big, last_small = t.big_blind_seat, t.small_blind_due
        due = next_player(t, r, last_big, True)
        moves = r.moving_button != 0 and count_playing(t, r) > 2
        if moves:
            last_button = t.button
            move_moving_button(t, r)
            if t.big_blind_seat == last_big:  # after heads-up; nobody posts the big blind twice running
                moves = False
                t.button = last_button
                t.small_blind_due = last_small
        if not moves:
            move_dead_button(t, r)
        if r.cash != 0:
            mark_missed_blinds(t, r, last_big, t.big_blind_seat, OWES_BIG)
            mark_missed_blinds(t, r, last_small, t.small_blind_due, OWES_SMALL)
        admit_returning(t, r)
        hold_out_late_entries(t, r)
        if count_dealt(t, r) == 2:
            t.big_blind_seat = due
            place_heads_up(t, r)
            return
    if count_dealt(t, r) == 2:
        place_heads_up(t, r)


@inline
def can_deal(t: TableRecord, r: RulesRecord) -> bool:
    """Whether there are two players for a hand, waiting ones included."""
    players = count_playing(t, r)
    for seat in range(r.seats):
        players += is_waiting(t, seat)
    return players >= 2


@inline
def admit_waiting(t: TableRecord, r: RulesRecord) -> None:
    """R10: if fewer than two are playing, everybody who waits is dealt in and owes nothing, as there is no game
    otherwise."""
    if count_playing(t, r) < 2:
        for seat in range(r.seats):
            if is_waiting(t, seat):
                t.presence[seat] = PRESENT
                t.owes[seat] = 0
