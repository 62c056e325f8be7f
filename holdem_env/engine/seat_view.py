"""What a seat may see of a table: copies of records in which everything that is hidden from it is blank.

A copy is made by whitelist. PUBLIC names the fields that are copied, PARTLY those of which the seat sees a part, and
BLANKED those that nobody at the table may see. A new field of TABLE goes into one of the three; a field
that stands in none of them stays blank.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records, as_records
from ..compiled.scalars import Ints
from .decision_words import decision_word, opaque_table
from .prefetching import prefetch_table
from .record import (
    MAX_BOARD,
    MAX_HOLE,
    MAX_MOVES,
    MAX_SEATS,
    MAX_STREETS,
    NO_CARD,
    SHOWN,
    TABLE,
    RulesRecord,
    TableRecord,
    new_records,
)

Rows = NDArray[np.int64]

PUBLIC = (
    *("bet_to_match", "last_full_bet", "raise_size", "raise_min", "raise_max", "pot", "wagers", "moves"),
    *("actor", "street", "live", "with_chips", "aggressor", "capped", "uncapped", "over"),
    *("button", "small_blind_seat", "big_blind_seat", "straddle_seat", "dealt"),
    *("board_count", "pots", "stage", "in_hand", "was_dealt", "shown", "seats", "street_raises", "dead", "rake"),
    *("blinds_placed", "held_out", "presence", "posted", "start_stack", "pot_level", "pot_chips"),
    # Between hands.
    *("blind_level", "phase", "phase_hands", "phase_orbits", "phase_seat", "blind_level_hands"),
    *("session_hands", "session_over", "small_blind_due", "players_left", "owes", "posts", "comes_back", "place"),
    # How many cards are out, and the dealer's errors that everybody has seen.
    *("cursor", "exposed", "premature_cards", "reshuffles", "premature_turn", "round_began"),
    # Who chooses to show, and what was tabled in the latest showdown.
    *("showing", "shown_age", "last_shown"),
)
"""Everybody sees these fields."""
PARTLY = ("hole", "board", "made")
"""Hole cards: the seat's own, and those of others that were shown. The board as far as it is dealt, and the moves of
this hand: what the record still has of earlier ones is blank."""
BLANKED = (
    *("seed", "table_id", "hand", "has_words", "deck", "reshuffle_order", "exposed_deal"),
    *("errors_injected", "orders_injected", "errors", "premature_after", "follow_ups"),
    *("value", "low_value"),
    *("deck_padding", "padding"),
)
"""No seat sees these: the deck and what it was made of, the errors to come, and what hidden hands are worth."""
WORDS = ("seed", "table_id", "has_words")
"""Of the blanked fields, those that hold words in views for agents."""
CARDS = ("hole", "board", "deck", "reshuffle_order")
"""Blank cards are unknown cards (NO_CARD); all other blanks are 0."""
NO_WORDS = -1
AHEAD = 4  # how many rows before a table is needed it is fetched
BY_SEAT = ("seats", "start_stack", "pot_level", "pot_chips")
"""Public fields of which only the places of the table's seats are copied; there are as many pots at most."""


def _spans() -> NDArray[np.int64]:
    """The bytes of the public fields without those of BY_SEAT, (S, 2): the first, and the one behind the last. Fields
    side by side are one span."""
    fields: Mapping[str, Any] = TABLE.fields or {}
    names = [name for name in PUBLIC if name not in BY_SEAT]
    places = sorted((int(fields[name][1]), int(fields[name][1]) + fields[name][0].itemsize) for name in names)
    joined: list[list[int]] = []
    for first, end in places:
        if joined and joined[-1][1] == first:
            joined[-1][1] = end
        else:
            joined.append([first, end])
    return np.array(joined, np.int64)


SPANS = _spans()


def _blank_views(count: int) -> Records:
    views = new_records(TABLE, count)
    for name in CARDS:
        views[name] = NO_CARD
    return views


BLANK = _blank_views(1).tobytes()


def new_views(count: int) -> Records:
    """`count` blank TABLE records, to be filled by `view_rows`."""
    if count == 1:  # at every move of a single table; copying bytes takes a tenth of the time
        return as_records(np.frombuffer(bytearray(BLANK), np.uint8), TABLE)
    return _blank_views(count)


def view_rows(
    tables: Records, rules: Records, rows: Rows, out: Records, seats: Rows | None = None, rotation: int | None = None
) -> None:
    """Write out[k] = tables[rows[k]] as seats[k] may see it.

    tables: (N,) TABLE records, C-contiguous. rules: the game's RULES records. rows, seats: (K,) int64; a seat is 0..9,
    or NOBODY (-1) for somebody who watches. By default it is the seat to act.
    out: (K,) or more TABLE records from `new_views`. They may be used again and again for one viewer: what can be seen
    is written again each time. What cannot be seen is never written, so other writers would spoil them.
    rotation: which rotation of a deal is played at these tables, for views with words, as agents get them; without it
    `seed` and `table_id` are blank. A view of a view has its words.
    """
    actors = tables["actor"][rows].astype(np.int64) if seats is None else seats
    size = TABLE.itemsize
    seen, shown = (np.asarray(part).view(np.uint8).reshape(len(part), size) for part in (tables, out))
    fill_views(tables, rules, rows, actors, NO_WORDS if rotation is None else rotation, SPANS, seen, out, shown)


@inline
def view_seats(t: TableRecord, r: RulesRecord, view: TableRecord) -> None:
    """The chips of everybody at the table."""
    for seat in range(r.seats):
        view.stack[seat] = t.stack[seat]
        view.bet[seat] = t.bet[seat]
        view.total[seat] = t.total[seat]
        view.bet_acted_on[seat] = t.bet_acted_on[seat]
        view.start_stack[seat] = t.start_stack[seat]
        view.pot_level[seat] = t.pot_level[seat]
        view.pot_chips[seat] = t.pot_chips[seat]
        for street in range(MAX_STREETS):
            view.street_bets[seat, street] = t.street_bets[seat, street]


@inline
def view_hole_cards(t: TableRecord, r: RulesRecord, viewer: int, view: TableRecord) -> None:
    """The hole cards that the viewer sees: its own, and those shown. A hole card that the dealer exposes does not stay
    in a hand (R33, R34); `exposed` has it."""
    for seat in range(MAX_SEATS):
        may_see = t.was_dealt[seat] and (seat == viewer or t.shown[seat] == SHOWN)
        for k in range(MAX_HOLE):
            view.hole[seat, k] = t.hole[seat, k] if may_see and k < r.hole_cards else NO_CARD


@inline
def view_board_and_moves(t: TableRecord, before: int, view: TableRecord) -> None:
    """The board and the moves of this hand. before: how many moves the view had."""
    for k in range(MAX_BOARD):
        view.board[k] = t.board[k] if k < t.board_count else NO_CARD
    made = min(t.moves, MAX_MOVES)
    for k in range(made):
        view.move[k] = t.move[k]
        view.move_seat[k] = t.move_seat[k]
        view.move_street[k] = t.move_street[k]
    for k in range(made, min(before, MAX_MOVES)):
        view.move[k] = 0
        view.move_seat[k] = 0
        view.move_street[k] = 0


@inline
def view_words(t: TableRecord, viewer: int, rotation: int, view: TableRecord) -> None:
    """The random word for the decision, and the opaque number of the table."""
    view.has_words = t.has_words or rotation != NO_WORDS
    view.seed = view.table_id = 0
    if t.has_words:
        view.seed, view.table_id = t.seed, t.table_id
    elif rotation != NO_WORDS:
        view.seed, view.table_id = decision_word(t, viewer), opaque_table(t, viewer, rotation)


@kernel
def fill_views(
    tables: Records,
    rules: Records,
    rows: Ints,
    seats: Ints,
    rotation: int,
    spans: Ints,
    table_bytes: Ints,
    out: Records,
    out_bytes: Ints,
) -> None:
    """`view_rows`. table_bytes, out_bytes: `tables` and `out` as bytes, (N, itemsize) uint8."""
    seats_at_table = rules[0].seats
    for k in range(rows.size):
        row = rows[k]
        prefetch_table(tables, rows[min(k + AHEAD, rows.size - 1)], seats_at_table)
        t, view = tables[row], out[k]
        before = view.moves
        for span in range(spans.shape[0]):
            for at in range(spans[span, 0], spans[span, 1]):
                out_bytes[k, at] = table_bytes[row, at]
        r = rules[t.stage]
        view_seats(t, r, view)
        view_hole_cards(t, r, seats[k], view)
        view_board_and_moves(t, before, view)
        view_words(t, seats[k], rotation, view)
