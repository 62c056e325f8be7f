"""The `planes` observation: layers of 4 × 13 numbers, for convolutional models.

Cards stand in layers of suits (rows) by ranks (columns). The betting has a layer for each street and player, in which
the rows are the player's moves on the street in turn and the 13 columns the kinds of moves, from a fold to an all-in. A
layer of the same columns shows what the observer may do now. Three layers hold what is not a move: the players' chips,
who is who, and the price. Where the dealer can err, a last layer shows the cards that it exposed (R33-R38).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints, float32, int64
from ..engine.betting import call_price
from ..engine.record import DECK, MAX_SEATS, MAX_STREETS, RulesRecord, TableRecord
from ..engine.replay import (
    CALLED,
    CHECKED,
    FOLDED,
    begin_replay,
    come_to_move,
    first_move,
    first_street,
    replay_move,
)
from ..engine.seats import distance
from ..game.rules import Rules
from .base import (
    HALF_AMOUNT,
    Layout,
    Legend,
    ObservationEncoder,
    Shape,
    big_blind,
    phases,
    raise_fraction,
    ranges,
    squash,
)

SUITS, RANKS = 4, 13
PLANE = SUITS * RANKS
TURNS = 4  # rows of a betting layer: a player's further moves stand in the last
BOUNDS = (0.3, 0.45, 0.6, 0.85, 1.15, 1.6, 2.5, 5.0)  # of the raise as a part of the pot after the call
FOLD_AT, CHECK_AT, CALL_AT, RAISE_AT, ALL_IN_AT = 0, 1, 2, 3, 12
CHIPS_ROWS = ["stack", "bet on the street", "total in the pot", "hand is live"]
ROLE_ROWS = ["has the button", "is all-in", "made the last wager on the street", "is to act"]

PRICE_COLUMNS = [
    "pot",
    "live players / seats",
    "to call (0 unless to act, as all that follow)",
    "to call / pot after the call",
    "stack / (stack + pot after the call)",
    "right to raise",
    "least raise to",
    "greatest raise to",
]


def move_columns() -> list[str]:
    """What the columns of a betting layer stand for."""
    edges = [f"{bound:.0%}" for bound in BOUNDS]
    between = [f"raise by {low} to {high} of the pot" for low, high in pairwise(edges)]
    raises = [f"raise by less than {edges[0]} of the pot", *between, f"raise by {edges[-1]} of the pot or more"]
    return ["fold", "check", "call", *raises, "whole stack (beside the call or raise)"]


@inline
def size_class(fraction: float) -> int:
    """The column of a raise."""
    column = RAISE_AT
    for bound in BOUNDS:
        if fraction >= bound:
            column += 1
    return column


@inline
def write_card(out: Floats, plane: int, card: int) -> None:
    """One card in a layer."""
    number = int64(card)
    out[plane * PLANE + (number & 3) * RANKS + (number >> 2)] = 1.0


@inline
def find_board_planes(rules: Records, planes: Ints) -> tuple[int, int]:
    """Write the layer of each street's board cards: the same in all phases, so a layer for each street that has cards
    in any phase (R19). Returns the layer of the whole board, and how many streets there are at most."""
    plane = 1
    streets = int64(0)
    for street in range(MAX_STREETS):
        has_cards = False
        for k in range(rules.size):
            streets = max(streets, rules[k].streets)
            has_cards |= street < rules[k].streets and rules[k].board_cards[street] > 0
        planes[street] = plane
        plane += has_cards
    return plane, streets


@inline
def write_card_planes(t: TableRecord, r: RulesRecord, seat: int, out: Floats, board_planes: Ints, whole: int) -> int:
    """Own cards, the board by street, the whole board, all known cards. Returns the next layer."""
    known = whole + 1
    if t.was_dealt[seat]:
        for k in range(r.hole_cards):
            write_card(out, 0, t.hole[seat, k])
            write_card(out, known, t.hole[seat, k])
    at = 0
    for street in range(r.streets):
        for _ in range(r.board_cards[street]):
            if at < t.board_count:
                write_card(out, board_planes[street], t.board[at])
                write_card(out, whole, t.board[at])
                write_card(out, known, t.board[at])
            at += 1
    return known + 1


@inline
def write_betting(
    past: TableRecord, t: TableRecord, r: RulesRecord, observer: int, out: Floats, plane: int, streets: int, turns: Ints
) -> int:
    """The moves of the hand, on up to `streets` streets. past: a record to replay them in. Returns the next layer."""
    turns[:, :] = 0
    begin_replay(past, t, r, first_street(t))
    for k in range(first_move(t), t.moves):
        seat = come_to_move(past, t, r, k)
        street = int64(past.street)
        call, level, pot = call_price(past, seat), past.bet_to_match, past.pot
        kind = replay_move(past, t, r, k)
        row = (plane + street * r.seats + distance(r, observer, seat)) * PLANE + RANKS * min(
            turns[seat, street], TURNS - 1
        )
        turns[seat, street] += 1
        if kind == FOLDED:
            out[row + FOLD_AT] = 1.0
        elif kind == CHECKED:
            out[row + CHECK_AT] = 1.0
        elif kind == CALLED:
            out[row + CALL_AT] = 1.0
        else:
            out[row + size_class(raise_fraction(past.bet[seat], level, pot, call))] = 1.0
        if past.pot > pot and past.stack[seat] == 0:
            out[row + ALL_IN_AT] = 1.0
    return plane + streets * r.seats


@inline
def write_legal(t: TableRecord, r: RulesRecord, observer: int, out: Floats, plane: int) -> int:
    """What the observer may do now, in all four rows. Returns the next layer."""
    if t.actor == observer:
        call = call_price(t, observer)
        first, last = ALL_IN_AT, RAISE_AT
        if t.raise_max > 0:
            first = size_class(raise_fraction(t.raise_min, t.bet_to_match, t.pot, call))
            last = size_class(raise_fraction(t.raise_max, t.bet_to_match, t.pot, call))
        all_in = call == t.stack[observer] or t.raise_max == t.stack[observer] + t.bet[observer]
        for row in range(SUITS):
            at = plane * PLANE + row * RANKS
            out[at + FOLD_AT] = 1.0
            out[at + (CALL_AT if call > 0 else CHECK_AT)] = 1.0
            for column in range(first, last + 1):
                out[at + column] = 1.0
            if all_in:
                out[at + ALL_IN_AT] = 1.0
    return plane + 1


@inline
def write_players(t: TableRecord, r: RulesRecord, observer: int, half: float, out: Floats, plane: int) -> int:
    """Two layers, a column for each player: its chips, and who it is. Returns the next layer."""
    for seat in range(r.seats):
        at = plane * PLANE + distance(r, observer, seat)
        out[at] = squash(t.stack[seat], half)
        out[at + RANKS] = squash(t.bet[seat], half)
        out[at + 2 * RANKS] = squash(t.total[seat], half)
        out[at + 3 * RANKS] = t.in_hand[seat]
        at += PLANE
        out[at] = 1.0 if seat == t.button else 0.0
        out[at + RANKS] = 1.0 if t.in_hand[seat] and t.stack[seat] == 0 else 0.0
        out[at + 2 * RANKS] = 1.0 if seat == t.aggressor else 0.0
        out[at + 3 * RANKS] = 1.0 if seat == t.actor else 0.0
    return plane + 2


@inline
def write_price(t: TableRecord, r: RulesRecord, observer: int, half: float, out: Floats, at: int) -> None:
    """PRICE_COLUMNS, in one row."""
    out[at] = squash(t.pot, half)
    out[at + 1] = t.live / r.seats
    if t.actor == observer:
        call = call_price(t, observer)
        out[at + 2] = squash(call, half)
        out[at + 3] = call / max(t.pot + call, 1)
        out[at + 4] = t.stack[observer] / (t.stack[observer] + t.pot + call)
        out[at + 5] = 1.0 if t.raise_max > 0 else 0.0
        out[at + 6] = squash(t.raise_min, half)
        out[at + 7] = squash(t.raise_max, half)


@inline
def write_exposed_cards(t: TableRecord, out: Floats, plane: int) -> None:
    """One layer: the cards that a dealer's error showed to everybody, wherever they lie now."""
    for card in range(DECK):
        if t.exposed[card]:
            write_card(out, plane, card)


@kernel
def observe_planes(tables: Records, rules: Records, rows: Ints, seats: Ints, out: Floats) -> None:
    """The observations of a batch."""
    past = tables[:1].copy()
    turns = np.zeros((MAX_SEATS, MAX_STREETS), np.int64)
    board_planes = np.zeros(MAX_STREETS, np.int64)
    whole, streets = find_board_planes(rules, board_planes)
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        half = float32(HALF_AMOUNT * big_blind(r))
        out[k, :] = 0.0
        plane = write_card_planes(t, r, seats[k], out[k], board_planes, whole)
        plane = write_betting(past[0], t, r, seats[k], out[k], plane, streets, turns)
        plane = write_legal(t, r, seats[k], out[k], plane)
        plane = write_players(t, r, seats[k], half, out[k], plane)
        write_price(t, r, seats[k], half, out[k], plane * PLANE + RANKS * t.street)
        plane += 1
        if r.phases > 1:
            out[k, (plane + t.phase) * PLANE : (plane + t.phase + 1) * PLANE] = 1.0
            plane += r.phases
        if r.dealer_errors != 0:
            write_exposed_cards(t, out[k], plane)


class Planes(ObservationEncoder):
    """Layers of suits by ranks, and of the betting by player and street; the layout names the layers, the legend their
    rows and columns."""

    name = "planes"
    kernel = staticmethod(observe_planes)

    def layout(self, rules: Rules) -> Layout:
        streets = _streets(rules)
        boards = {k for stage in rules.stages for k, cards in enumerate(stage.board_cards) if cards}
        names = ["own cards", *(f"board cards of street {street}" for street in sorted(boards))]
        names += ["board cards", "own cards and board cards"]
        for street in streets:
            names += [f"moves of {_who(k)} on street {street}" for k in range(rules.seats)]
        names += ["legal moves (zeros unless to act), the same in each row"]
        names += ["players' chips", "players' part", "price, in the row of the street"]
        names += [f"phase {name}, all ones while it is on" for name in phases(rules)]
        names += [] if rules.dealer_errors is None else ["cards exposed by a dealer's error"]
        return ranges([(name, 1) for name in names])

    def legend(self, rules: Rules) -> Legend:
        rows = [f"move {turn + 1} on the street" for turn in range(TURNS - 1)]
        return {
            "Rows of cards": ["clubs", "diamonds", "hearts", "spades"],
            "Columns of cards": ["deuce", *map(str, range(3, 11)), "jack", "queen", "king", "ace"],
            "Rows of moves": [*rows, f"move {TURNS} and all that follow"],
            "Columns of moves and legal moves": move_columns(),
            "Rows of players' chips": CHIPS_ROWS,
            "Rows of players' part": ROLE_ROWS,
            "Columns of players' chips and part": [_who(k) for k in range(rules.seats)],
            "Rows of the price": [f"on street {street}" for street in _streets(rules)],
            "Columns of the price": PRICE_COLUMNS,
        }

    def shape(self, rules: Rules) -> Shape:
        return (len(self.layout(rules)), SUITS, RANKS)


def _streets(rules: Rules) -> range:
    """The streets of a hand; in mixed hold'em of the longest."""
    return range(max(rules.phase_values("streets")))


def _who(k: int) -> str:
    return f"opponent {k}" if k else "the observer"
