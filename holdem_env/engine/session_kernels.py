"""What happens between two hands of a session: rebuys, finishing places, the schedule of phases and levels, the end
(R19, R39). button.py moves button and blinds.

A session is a table whose RULES records have `is_session`. They are its stages: record `level * phases + phase`. A
table plays by `rules[t.stage]`; hands that stand alone have one record, stage 0.
"""

from __future__ import annotations

from ..compiled.compiler import compiled, inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import int64
from .button import can_deal, is_broke, place_button_and_blinds
from .dealing import fresh_deck, shuffle
from .record import MAX_CHIPS, NOBODY, NOT_THERE, PRESENT, LogRecord, RulesRecord, TableRecord
from .seats import steps
from .showdown import clear_shown

SCHEDULE = -1  # R19: the phases follow each other as the session says


@inline
def begin_session(t: TableRecord, r: RulesRecord) -> None:
    """Give everybody the starting stack; the next hand is the session's first."""
    clear_shown(t)
    t.stage = 0
    if r.first_button >= 0:
        t.button = r.first_button
    t.session_over = 0
    t.session_hands = 0
    t.blind_level = 0
    t.blind_level_hands = 0
    t.phase = 0
    t.phase_hands = 0
    t.phase_orbits = 0
    t.phase_seat = NOBODY
    t.players_left = r.seats
    for seat in range(r.seats):
        t.stack[seat] = r.stacks[seat]
        t.presence[seat] = PRESENT
        t.owes[seat] = 0
        t.posts[seat] = 0
        t.comes_back[seat] = 0
        t.place[seat] = 0
        t.held_out[seat] = 0


@inline
def begin_numbered_session(t: TableRecord, r: RulesRecord, seed: int, table_id: int) -> None:
    """`begin_session` at the table of this number under a seed; the next hand is hand 0."""
    t.seed = seed
    t.table_id = table_id
    t.hand = -1
    begin_session(t, r)


@inline
def count_with_chips(t: TableRecord, r: RulesRecord) -> int:
    """How many players have chips."""
    count = 0
    for seat in range(r.seats):
        count += t.presence[seat] != NOT_THERE and t.stack[seat] > 0
    return count


@inline
def chips_at_table(t: TableRecord, r: RulesRecord) -> int:
    """All chips in stacks."""
    chips = 0
    for seat in range(r.seats):
        chips += t.stack[seat]
    return chips


@inline
def finishing_place(t: TableRecord, r: RulesRecord, seat: int, left: int) -> int:
    """R39: the place of a player who is out: behind all who are left, and behind those who went out in the same hand
    with a larger stack at its start. Equal stacks share a place."""
    place = left + 1
    for other in range(r.seats):
        out_too = t.was_dealt[other] and t.stack[other] == 0
        place += out_too and t.start_stack[other] > t.start_stack[seat]
    return place


@inline
def give_first_place(t: TableRecord, r: RulesRecord) -> None:
    """R39: the last player left has won."""
    if t.players_left == 1:
        for seat in range(r.seats):
            if t.presence[seat] != NOT_THERE:
                t.place[seat] = 1


@inline
def eliminate_broke(t: TableRecord, r: RulesRecord) -> None:
    """R39: in a tournament players without chips leave."""
    left = count_with_chips(t, r)
    for seat in range(r.seats):
        if is_broke(t, seat) and t.place[seat] == 0:
            t.place[seat] = finishing_place(t, r, seat, left)
            t.presence[seat] = NOT_THERE
    t.players_left = left
    give_first_place(t, r)


@inline
def rebuy_broke(t: TableRecord, r: RulesRecord) -> None:
    """R39: players without chips get a new stack, as long as the table can hold the chips."""
    for seat in range(r.seats):
        if is_broke(t, seat) and chips_at_table(t, r) <= MAX_CHIPS - r.rebuy:
            t.stack[seat] = r.rebuy
    t.players_left = count_with_chips(t, r)


@compiled
def close_hand(t: TableRecord, r: RulesRecord) -> None:
    """After a hand: who is out, and whether the session is over (R39)."""
    t.session_hands += 1
    t.phase_hands += 1
    t.blind_level_hands += 1
    if r.rebuy > 0:
        rebuy_broke(t, r)
    elif r.cash == 0:
        eliminate_broke(t, r)
    else:
        t.players_left = count_with_chips(t, r)
    if t.session_hands == r.num_hands or (r.cash == 0 and t.players_left < 2):
        t.session_over = 1


@inline
def count_orbit(t: TableRecord, r: RulesRecord, last_big: int) -> None:
    """R19: an orbit ends when the big blind reaches or passes the seat where the phase began."""
    if t.phase_hands == 0:
        t.phase_seat = t.big_blind_seat
    elif steps(r, last_big, t.phase_seat) <= steps(r, last_big, t.big_blind_seat):
        t.phase_orbits += 1


@inline
def next_phase(t: TableRecord, r: RulesRecord) -> int:
    """R19: the phase after the running one; after the last one the first."""
    return 0 if t.phase + 1 >= r.phases else t.phase + 1


@inline
def choose_phase(t: TableRecord, r: RulesRecord) -> None:
    """R19: when a phase has had its hands or orbits, the next one begins."""
    over_by_hands = r.phase_hands > 0 and t.phase_hands >= r.phase_hands
    over_by_orbits = r.phase_orbits > 0 and t.phase_orbits >= r.phase_orbits
    if over_by_hands or over_by_orbits:
        t.phase = next_phase(t, r)
        t.phase_hands = 0
        t.phase_orbits = 0
        t.phase_seat = t.big_blind_seat


@inline
def next_phase_alone(t: TableRecord, rules: Records) -> None:
    """R19 where every hand stands alone, with fresh stacks and all seats taken: an orbit is as many hands as there are
    seats."""
    r = rules[t.phase]
    t.phase_hands += 1
    if t.phase_hands > (r.phase_hands if r.phase_hands > 0 else r.phase_orbits * r.seats):
        t.phase = next_phase(t, r)
        t.phase_hands = 1
    t.stage = t.phase


@inline
def choose_level(t: TableRecord, rules: Records) -> None:
    """R39: the level of blinds, by the hands played, by the players left, or by whichever comes first."""
    r = rules[t.stage]
    if r.levels < 2:
        return
    if r.blind_level_hands > 0 and t.blind_level_hands >= r.blind_level_hands and t.blind_level + 1 < r.levels:
        t.blind_level += 1
        t.blind_level_hands = 0
    level = 0  # by the players alone it may fall again
    for k in range(r.levels):
        if rules[k * r.phases].blind_level_hands > 0:
            level = int64(t.blind_level)
    for k in range(level + 1, r.levels):
        if t.players_left <= rules[k * r.phases].blind_level_players:
            level = k
    if level > t.blind_level:
        t.blind_level_hands = 0
    t.blind_level = level


@inline
def begin_phase(t: TableRecord, phase: int) -> None:
    """R19: the game of the next hand is named: its phase begins with that hand, unless it is due anyway."""
    if t.phase != phase:
        t.phase = phase
        t.phase_hands = 0
        t.phase_orbits = 0
        t.phase_seat = t.big_blind_seat


@compiled
def arrange_hand(t: TableRecord, rules: Records, log: LogRecord, named: int) -> bool:
    """Everything before the deal of a session's next hand: stage, positions, deck. Returns whether there is a hand.

    named: the phase of the hand, where somebody names its game; by SCHEDULE the schedule chooses."""
    r = rules[t.stage]
    if t.session_over != 0 or not can_deal(t, r):
        t.actor = NOBODY
        return False
    t.hand += 1
    t.players_left = count_with_chips(t, r)  # between the hands some may have come or gone
    last_big = t.big_blind_seat
    place_button_and_blinds(t, r, log)
    count_orbit(t, r, last_big)
    choose_phase(t, r)
    if named != SCHEDULE:
        begin_phase(t, named)
    choose_level(t, rules)
    t.stage = t.blind_level * r.phases + t.phase
    game = rules[t.stage]  # its deck may be another than the last hand's
    fresh_deck(t, game)
    shuffle(t, game, 0, game.deck_size)
    return True


@kernel
def begin_sessions(tables: Records, rules: Records, seed: int, first: int) -> None:
    """Seat everybody with the starting stacks, at tables of the ids from `first`, whose next hand is hand 0."""
    for i in range(tables.size):
        begin_numbered_session(tables[i], rules[0], seed, first + i)


@kernel
def arrange_hands(tables: Records, rules: Records, log: Records, named: int) -> int:
    """Arrange each table's next hand, for decks to be put in order before it starts. Returns how many have one. named:
    as for `arrange_hand`."""
    count = 0
    for i in range(tables.size):
        count += arrange_hand(tables[i], rules, log[0], named)
    return count


@kernel
def close_hands(tables: Records, rules: Records) -> bool:
    """See who is out and whether the sessions are over; returns whether the first one is, or has too few players (True
    without tables)."""
    for i in range(tables.size):
        close_hand(tables[i], rules[tables[i].stage])
    return tables.size == 0 or tables[0].session_over != 0 or not can_deal(tables[0], rules[0])


@kernel
def leave_table(tables: Records, rules: Records, seat: int) -> None:
    """A player leaves the first table between hands (R12); in a running tournament behind all who are left."""
    t, r = tables[0], rules[0]
    t.stack[seat] = 0
    t.presence[seat] = NOT_THERE
    t.owes[seat] = 0
    t.players_left = count_with_chips(t, r)
    if r.cash == 0 and t.session_hands > 0 and t.session_over == 0:
        t.place[seat] = t.players_left + 1
        give_first_place(t, r)
        if t.players_left < 2:
            t.session_over = 1


@kernel
def can_go_on(tables: Records, rules: Records) -> bool:
    """Whether the first table's session is not over, and has two players for its next hand."""
    return tables[0].session_over == 0 and can_deal(tables[0], rules[0])
