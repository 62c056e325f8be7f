"""All-in value: the chips that each seat could expect when betting ended before the board was complete.

The cards that come when nobody can bet any more are luck; no decision has to do with them. The all-in value takes the
mean over all boards that could have come, and splits the pots on each as the engine does, odd chips included. Values
have the mean of the results and vary less: a match needs fewer hands, and so does a learner.

Two hands of hold'em are counted exactly, and so is any game with one or two board cards to come. With more cards to
come the boards are sampled.

In compiled functions `o` is a RUN_OUTS record, `w` a copy of the table `t` to lay boards and split pots in.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from ..cards.evaluator_tables import RANKS, SUITS
from ..compiled.compiler import compiled, inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Flags, Floats, Ints
from ..engine.pots import split_pot
from ..engine.random_numbers import hand_stream
from ..engine.ranking import seat_low
from ..engine.record import DECK, HIGH, MAX_SEATS, NOBODY, LogRecord, RulesRecord, TableRecord
from ..game.rules import Rules
from .holdem import BOARD, HOLE
from .records import Matchup, RunOuts
from .run_outs import (
    Workspace,
    board_when_betting_ended,
    count_live_hands,
    draw_board,
    lay_first,
    lay_last,
    lay_next,
    load_cards,
    load_live_hands,
    load_pots,
    load_unseen,
    new_workspace,
    note_winners,
    rank_live_hands,
)

MAX_COUNTED = 2
"""Up to this number of missing cards every board is counted, whatever the game."""
SAMPLES = 100
"""Random boards where not all are counted, unless the caller says how many."""
SALT = 0x414C4C494E
SUIT_PATTERNS = SUITS ** (2 * HOLE - 1)  # the first suit is number 0
BOARDS = comb(DECK - 2 * HOLE, BOARD)  # for two hands before the flop
NO_MEMORY = np.zeros((0, 3), np.int32)


def why_no_all_in_value(rules: Rules) -> str | None:
    """Why a game's hands have no all-in value; None if they have."""
    if rules.dealer_errors is not None:
        return "a dealer who errs reshuffles, so the boards to come are not equally likely"
    return None


def new_memory() -> NDArray[np.int32]:
    """Memory for the results of all matchups of two hands before the flop (22 MB, touched where it is written).
    Threads may share it."""
    return np.zeros((RANKS ** (2 * HOLE) * SUIT_PATTERNS, 3), np.int32)


@inline
def split_pots(w: TableRecord, r: RulesRecord, log: LogRecord) -> None:
    """Push all pots by the values of the hands that stand in the record."""
    for pot in range(w.pots):
        split_pot(w, r, log, pot)


@inline
def award_board(w: TableRecord, r: RulesRecord, log: LogRecord, o: RunOuts, code: int, mask: int) -> None:
    """Count who wins which pot on the board in the record. Pairs of high and low winners are too many to count; for
    them the pots are shared at once."""
    if r.split == HIGH:
        if rank_live_hands(o, w, r, code, mask):
            note_winners(o, w, 1)
        return
    rank_live_hands(o, w, r, code, mask)
    for p in range(o.live):
        w.value[o.seat[p]] = o.value[p]
        w.low_value[o.seat[p]] = seat_low(w, r, o.seat[p])
    split_pots(w, r, log)


@compiled
def count_boards(w: TableRecord, r: RulesRecord, log: LogRecord, o: RunOuts) -> int:
    """Settle every board that can come. Returns how many there are."""
    if o.missing == 0:
        award_board(w, r, log, o, 0, 0)
        return 1
    boards = 0
    first = lay_first(o, w)
    while first >= 0:
        for place in range(first, o.unseen_count):
            code, mask = lay_last(o, w, place)
            award_board(w, r, log, o, code, mask)
            boards += 1
        first = lay_next(o, w)
    return boards


@compiled
def sample_boards(w: TableRecord, r: RulesRecord, log: LogRecord, o: RunOuts, samples: int) -> int:
    """Settle `samples` random boards, the same for the same deal. Returns how many."""
    stream = hand_stream(w.seed ^ SALT, w.table_id, w.hand)
    for _ in range(samples):
        code, mask, stream = draw_board(o, w, stream)
        award_board(w, r, log, o, code, mask)
    return samples


@inline
def share_by_winners(w: TableRecord, r: RulesRecord, log: LogRecord, o: RunOuts) -> None:
    """Push each pot to each set of winners as often as it was counted, and leave the sums in the stacks. With a hero
    only its own sum is right: it is hand 0, so the odd sets are enough."""
    won = np.zeros(MAX_SEATS, np.int64)
    for pot in range(w.pots):
        for winners in range(1, 1 << o.live, 1 + o.has_hero):
            if o.boards_won[pot, winners] == 0:
                continue
            for p in range(o.live):
                w.value[o.seat[p]] = 1 + ((winners >> p) & 1)
            w.stack[:] = 0
            split_pot(w, r, log, pot)
            for p in range(o.live):
                won[o.seat[p]] += w.stack[o.seat[p]] * o.boards_won[pot, winners]
    for seat in range(r.seats):
        w.stack[seat] = won[seat]


@inline
def matchup_key(hole: Ints) -> int:
    """A number for two hands before the flop that is the same for (nearly) all renamings of the suits: the ranks, and
    the suits numbered as they appear, in each hand the higher card first."""
    names = np.full(SUITS, -1, np.int64)
    key = suits = named = 0
    for p in range(2):
        high, low = max(hole[p, 0], hole[p, 1]), min(hole[p, 0], hole[p, 1])
        for card in (high, low):
            if names[card % SUITS] < 0:
                names[card % SUITS] = named
                named += 1
            key = key * RANKS + card // SUITS
            suits = suits * SUITS + names[card % SUITS]
    return key * SUIT_PATTERNS + suits


@inline
def count_two(w: TableRecord, o: RunOuts, m: Matchup, remembered: Ints) -> int:
    """Hold'em: settle all boards for two hands, by how often the first wins, the second wins, and they tie. Returns how
    many boards there are.

    Matchups before the flop are remembered: they come again and again, in the rotations of a deal at once. Where the
    sum is not that of all boards nothing is there yet, or another thread is writing it.
    """
    first = second = ties = 0
    from_memory = remembered.size > 0 and o.board_known == 0 and o.folded_count == 0
    key = matchup_key(o.hole) if from_memory else 0
    if from_memory:
        first, second, ties = remembered[key, 0], remembered[key, 1], remembered[key, 2]
    if first + second + ties != BOARDS:
        count_live_hands(o, m)
        first, second, ties = m.win[0], m.win[1], m.tie[0]
        if from_memory:
            remembered[key, 0], remembered[key, 1], remembered[key, 2] = first, second, ties
    for one, two, boards in ((2, 1, first), (1, 2, second), (1, 1, ties)):
        o.value[0], o.value[1] = one, two
        note_winners(o, w, boards)
    return first + second + ties


@inline
def counts_matchup(w: TableRecord, r: RulesRecord, missing: int, remembered: Ints) -> bool:
    """Whether exact.py counts the boards: for two hands of hold'em, if they are few or will be remembered."""
    two = r.holdem_showdowns != 0 and r.split == HIGH and w.live == 2
    return two and (missing <= MAX_COUNTED or remembered.size > 0)


@compiled
def value_of_hand(
    t: TableRecord,
    r: RulesRecord,
    board_known: int,
    hero: int,
    workspace: Workspace,
    remembered: Ints,
    samples: int,
    values: Floats,
) -> bool:
    """Write the net chips that each seat of a finished hand could expect when `board_known` board cards were there;
    with a `hero` that is not NOBODY only that live seat's are right. Returns whether boards were sampled."""
    o, w, log = workspace.run_outs[0], workspace.tables[0], workspace.logs[0]
    workspace.tables[0] = t
    w.stack[:] = 0
    split_pots(w, r, log)  # as the cards fell
    for seat in range(r.seats):
        values[seat] = t.stack[seat] - w.stack[seat] - t.start_stack[seat]  # net of what comes out of the pots
    w.stack[:] = 0
    missing = w.board_count - board_known
    sampled = False
    load_live_hands(o, w, r, board_known, hero)
    load_pots(o, w)
    if counts_matchup(w, r, missing, remembered):
        load_cards(o, w, r)
        boards = count_two(w, o, workspace.matchups[0], remembered)
    else:
        load_unseen(o, w, r)
        sampled = missing > MAX_COUNTED
        # Two hands are compared as fast without stopping; on random boards the branch is mispredicted too often.
        o.stops_early = o.has_hero and o.live > 2 and r.split == HIGH and not sampled
        boards = sample_boards(w, r, log, o, samples) if sampled else count_boards(w, r, log, o)
    if r.split == HIGH:
        share_by_winners(w, r, log, o)
    for seat in range(r.seats):
        values[seat] += w.stack[seat] / np.float64(boards)
    return sampled


@inline
def had_cards_to_come(t: TableRecord, r: RulesRecord) -> bool:
    """Whether a finished hand went to the showdown with board cards that came after all betting."""
    return t.live > 1 and board_when_betting_ended(t, r) < t.board_count


@kernel
def value_hands(
    tables: Records,
    rules: Records,
    workspace: Workspace,
    remembered: Ints,
    samples: int,
    values: Floats,
    sampled: Flags,
) -> None:
    """`value_of_hand` of all tables, (N, seats); the result where no card came after the betting, or no showdown."""
    for i in range(tables.size):
        t = tables[i]
        r = rules[t.stage]
        if had_cards_to_come(t, r):
            board_known = board_when_betting_ended(t, r)
            sampled[i] = value_of_hand(t, r, board_known, NOBODY, workspace, remembered, samples, values[i])
        else:
            for seat in range(r.seats):
                values[i, seat] = t.stack[seat] - t.start_stack[seat]


@kernel
def value_seats(
    tables: Records,
    rules: Records,
    rows: Ints,
    seats: Ints,
    workspace: Workspace,
    remembered: Ints,
    samples: int,
    out: Floats,
) -> None:
    """`value_of_hand` of tables[rows] for seats[rows] alone, into out[rows]."""
    values = np.empty(MAX_SEATS)
    for k in range(rows.size):
        t = tables[rows[k]]
        r, seat = rules[t.stage], seats[rows[k]]
        out[rows[k]] = t.stack[seat] - t.start_stack[seat]
        if t.in_hand[seat] and had_cards_to_come(t, r):
            value_of_hand(t, r, board_when_betting_ended(t, r), seat, workspace, remembered, samples, values)
            out[rows[k]] = values[seat]


@kernel
def value_wanted(
    tables: Records,
    rules: Records,
    is_wanted: Flags,
    workspace: Workspace,
    remembered: Ints,
    samples: int,
    values: Floats,
) -> None:
    """`value_of_hand` of each finished hand with cards to come and a live wanted seat, for its wanted live seats."""
    found = np.empty(MAX_SEATS)
    for i in range(tables.size):
        t = tables[i]
        r = rules[t.stage]
        live, hero = 0, NOBODY
        for seat in range(r.seats):
            if is_wanted[i, seat] and t.in_hand[seat]:
                live, hero = live + 1, seat
        if t.actor != NOBODY or live == 0 or not had_cards_to_come(t, r):
            continue
        one = hero if live == 1 else NOBODY
        value_of_hand(t, r, board_when_betting_ended(t, r), one, workspace, remembered, samples, found)
        for seat in range(r.seats):
            if is_wanted[i, seat] and t.in_hand[seat]:
                values[i, seat] = found[seat]


def all_in_values_of_seats(
    tables: Records,
    rules: Rules,
    is_wanted: NDArray[np.bool_],
    values: NDArray[np.float64],
    workspace: Workspace,
) -> None:
    """Replace the results in `values`, (N, seats) net chips, by the all-in values of the seats that are wanted,
    (N, seats) bool, and live. Hands that are not over, or had no cards to come, keep theirs."""
    value_wanted(tables, rules.record, is_wanted, workspace, NO_MEMORY, SAMPLES, values)


def all_in_values(
    finished: Records,
    rules: Rules,
    rows: NDArray[np.int64],
    seats: NDArray[np.int64],
    out: NDArray[np.float64],
    workspace: Workspace | None = None,
) -> None:
    """Write the all-in values of seats[rows] in the finished hands at finished[rows] to out[rows], in chips.

    Exact with one or two cards to come, the mean of 100 random boards with more: unbiased either way. workspace: one to
    use again and again; by default a new one.
    """
    value_seats(finished, rules.record, rows, seats, workspace or new_workspace(), NO_MEMORY, SAMPLES, out)


def all_in_values_of_tables(
    finished: Records, rules: Rules, samples: int, remembered: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The all-in values of all seats in finished hands, (N, seats) net chips, and for each hand whether its boards were
    sampled, `samples` of them. remembered: from `new_memory`; with it two hands of hold'em are counted before the flop,
    too."""
    values = np.zeros((len(finished), rules.seats))
    sampled = np.zeros(len(finished), np.bool_)
    # A new workspace each time: several threads may be here at once.
    value_hands(finished, rules.record, new_workspace(), remembered, samples, values, sampled)
    return values, sampled
