"""All-in expected value: what a hand whose betting ended before the board was complete was worth at that moment.

The cards that came after nobody could bet any more are luck that no player had a hand in. In their place stands the
mean over all of them: the chips that each seat can expect when every hole card of the deal, folded ones too, is out of
the deck. (Folded hands must be: that somebody folded says which cards they were likely to be.) Given these cards and
the board the rest of the deck is as the shuffle left it, so the mean of the values is the mean of the chips.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...compiled.compiler import compiled, inline, kernel
from ...compiled.records import Records
from ...engine import record
from ...engine.pots import share_pot
from ...engine.random_numbers import GOLDEN, hand_stream, mix, random_below
from ...engine.ranking import seat_low, seat_value
from ...engine.record import DECK, HIGH, HIGH_LOW, MAX_MOVES, MAX_SEATS, STANDARD_RANKING
from ...equities.exact import BOARD, HOLE, MATCHUP, count_matchup, take_hands
from ...game.rules import Rules

SAMPLES = 400
"""Boards drawn where they are too many to be counted: three or more hands before the flop."""
SALT = 0x414C4C494E
RANKS, SUITS = 13, 4
SUIT_PATTERNS = SUITS ** (2 * HOLE - 1)  # the first suit is number 0
BOARDS = comb(DECK - 2 * HOLE, BOARD)  # for two hands before the flop
COUNTED = 2  # so many missing cards are counted out whatever the game


@inline
def share_all(w, r, log):
    """Push all pots by the values that stand in the record."""
    for pot in range(w.pots):
        share_pot(w, r, log, pot)


@inline
def share_board(w, r, log):
    """Push all pots by the hands and the board that stand in the record."""
    for seat in range(r.seats):
        if w.in_hand[seat]:
            w.value[seat] = seat_value(w, r, seat)
            if r.split == HIGH_LOW:
                w.low_value[seat] = seat_low(w, r, seat)
    share_all(w, r, log)


@inline
def known_cards(t, r):
    """How many board cards there were when betting ended: those of the street of the last move."""
    street = 0 if t.moves == 0 else t.move_street[(t.moves - 1) % MAX_MOVES]
    count = 0
    for k in range(street + 1):
        count += r.board_cards[k]
    return count


@inline
def list_unseen(t, r, known, unseen):
    """The cards that can come: neither dealt to anybody nor on the known board. Returns how many."""
    count = 0
    for i in range(r.deck_size):
        card = r.deck[i]
        free = True
        for seat in range(r.seats):
            for k in range(r.hole_cards):
                free &= not (t.was_dealt[seat] and t.hole[seat, k] == card)
        for k in range(known):
            free &= t.board[k] != card
        if free:
            unseen[count] = card
            count += 1
    return count


@compiled
def count_boards(w, r, log, known, unseen, count):
    """Share the pots on every board, one or two cards missing. Returns how many boards there are."""
    boards = 0
    for i in range(count):
        w.board[known] = unseen[i]
        if known + 1 == w.board_count:
            share_board(w, r, log)
            boards += 1
        else:
            for j in range(i + 1, count):
                w.board[known + 1] = unseen[j]
                share_board(w, r, log)
                boards += 1
    return boards


@compiled
def sample_boards(w, r, log, known, unseen, count, samples):
    """Share the pots on so many random boards; the same deal has the same boards. Returns how many."""
    stream = hand_stream(w.seed ^ SALT, w.table_id, w.hand)
    for _ in range(samples):
        for k in range(known, w.board_count):
            stream = stream + GOLDEN
            place = k - known
            j = place + random_below(mix(stream), count - place)
            card = unseen[j]
            unseen[j] = unseen[place]
            unseen[place] = card
            w.board[k] = card
        share_board(w, r, log)
    return samples


@inline
def matchup_key(pair):
    """A number for two hands before the flop that is the same for (nearly) all renamings of the suits: the ranks, and
    the suits numbered as they appear, in each hand the higher card first."""
    names = np.full(SUITS, -1, np.int64)
    key = suits = named = 0
    for p in range(2):
        high, low = max(pair[p, 0], pair[p, 1]), min(pair[p, 0], pair[p, 1])
        for card in (high, low):
            if names[card % SUITS] < 0:
                names[card % SUITS] = named
                named += 1
            key = key * RANKS + card // SUITS
            suits = suits * SUITS + names[card % SUITS]
    return key * SUIT_PATTERNS + suits


@compiled
def count_results(m, pair, board, dead, known, results):
    """How often the first of two hands wins, the second wins, and they tie, into `results`. Matchups before the flop
    are remembered in `known`: they come again and again, in the rotations of a deal at once. Where the sum is not
    that of all boards nothing is there yet, or another thread is writing it."""
    before_flop = len(board) == 0 and len(dead) == 0
    key = matchup_key(pair) if before_flop else 0
    if before_flop:
        results[:] = known[key]
        if results.sum() == BOARDS:
            return
    take_hands(m, pair)
    count_matchup(m, board, dead)
    results[0], results[1], results[2] = m.win[0], m.win[1], m.tie[0]
    if before_flop:
        known[key] = results


@compiled
def count_two(w, r, log, m, remembered, known, values):
    """Two hands of hold'em: how often each of the three results comes, times what each pays. Fills `values` with the
    expected chips out of the pots."""
    pair, players = np.empty((2, HOLE), np.int64), np.empty(2, np.int64)
    dead, board = np.empty(MAX_SEATS * HOLE, np.int64), np.empty(known, np.int64)
    live = gone = 0
    for seat in range(r.seats):
        if w.in_hand[seat]:
            players[live] = seat
            for k in range(HOLE):
                pair[live, k] = w.hole[seat, k]
            live += 1
        elif w.was_dealt[seat]:
            for k in range(HOLE):
                dead[gone] = w.hole[seat, k]
                gone += 1
    for k in range(known):
        board[k] = w.board[k]
    results = np.empty(3, np.int64)
    count_results(m, pair, board, dead[:gone], remembered, results)
    total = np.float64(results.sum())
    for seat in range(r.seats):
        values[seat] = 0.0
    for result in range(3):
        w.value[players[0]] = 1 + (result == 0)
        w.value[players[1]] = 1 + (result == 1)
        w.stack[:] = 0
        share_all(w, r, log)
        for seat in range(r.seats):
            values[seat] += w.stack[seat] * (results[result] / total)


@inline
def is_two_of_holdem(w, r):
    """Whether `count_two` applies: two live hands of hold'em with the usual deck and ranking."""
    plain = r.ranking == STANDARD_RANKING and r.split == HIGH and r.hole_cards_used < 0
    return plain and r.hole_cards == HOLE and r.deck_size == DECK and w.board_count == BOARD and w.live == 2


@compiled
def value_of_hand(t, r, log, w, m, remembered, unseen, samples, values):
    """Net chips that each seat could expect when betting ended. w: a copy of the finished table to work in. Returns
    whether boards were sampled."""
    known = known_cards(t, r)
    w.stack[:] = 0
    share_board(w, r, log)
    behind = np.empty(MAX_SEATS, np.int64)  # net of what came out of the pots
    for seat in range(r.seats):
        behind[seat] = t.stack[seat] - w.stack[seat] - t.start_stack[seat]
    w.stack[:] = 0
    sampled = False
    if is_two_of_holdem(w, r):
        count_two(w, r, log, m, remembered, known, values)
    else:
        count = list_unseen(t, r, known, unseen)
        if w.board_count - known <= COUNTED:
            boards = count_boards(w, r, log, known, unseen, count)
        else:
            boards = sample_boards(w, r, log, known, unseen, count, samples)
            sampled = True
        for seat in range(r.seats):
            values[seat] = w.stack[seat] / np.float64(boards)
    for seat in range(r.seats):
        values[seat] += behind[seat]
    return sampled


@kernel
def value_hands(tables, rules, log, work, room, remembered, samples, values, sampled):
    """`value_of_hand` for all tables whose betting ended before the board was complete; the others are worth what was
    won."""
    unseen = np.empty(DECK, np.int64)
    for i in range(tables.size):
        t = tables[i]
        r = rules[t.stage]
        for seat in range(r.seats):
            values[i, seat] = t.stack[seat] - t.start_stack[seat]
        if t.live > 1 and known_cards(t, r) < t.board_count:
            work[0] = t
            sampled[i] = value_of_hand(t, r, log[0], work[0], room[0], remembered, unseen, samples, values[i])


class AllInValue:
    """The all-in expected value as a column of a match: net chips by seat, those of the result itself wherever betting
    went on to the last street or somebody won uncontested.

    Counted exactly where two are left in hold'em and where one or two board cards are missing; otherwise the mean of
    `samples` boards, whose error is a part of the spread of the values and so of every interval made of them.
    """

    name = "all_in"

    def __init__(self, samples: int = SAMPLES) -> None:
        if samples < 1:
            raise ValueError(f"samples: {samples}; give 1 or more")
        self.samples = samples
        self._remembered = np.zeros((RANKS ** (2 * HOLE) * SUIT_PATTERNS, 3), np.int32)

    def why_not(self, rules: Rules) -> str | None:
        """Why this column cannot be had in a game; None if it can."""
        if rules.dealer_errors is not None:
            return "all-in expected value: a dealer who errs reshuffles, so the boards to come are not equally likely"
        return None

    def values(
        self, tables: Records, rules: Rules, seating: NDArray[np.int64], agents: list[Agent]
    ) -> NDArray[np.float64]:
        """Net chips, (N, seats) float64, of tables whose hands are over."""
        return self.with_method(tables, rules)[0]

    def with_method(self, tables: Records, rules: Rules) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The values, and for each table whether its boards were sampled."""
        values = np.zeros((len(tables), rules.seats))
        sampled = np.zeros(len(tables), np.bool_)
        log, work = record.new_log(listening=False), record.new_records(record.TABLE, 1)
        room = record.new_records(MATCHUP, 1)  # a new one each time: threads must not work in the same
        value_hands(tables, rules.record, log, work, room, self._remembered, self.samples, values, sampled)
        return values, sampled
