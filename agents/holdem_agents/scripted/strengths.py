"""The hand strength of the seat to act: from tables in Texas hold'em, by sampling in any game.

Both look only at the seat's own cards, the board and the betting. A hash of these seeds the samples, so the same view
always gives the same strength.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.cards.evaluator import card_code, card_mask, start_code, value_of
from holdem_env.compiled.compiler import compiled, inline, kernel
from holdem_env.compiled.records import Records, new_records
from holdem_env.compiled.scalars import int64
from holdem_env.engine.random_numbers import GOLDEN, draw_to, mix
from holdem_env.engine.ranking import adds_up, seat_value
from holdem_env.engine.record import DECK, MAX_HOLE, MAX_SEATS, PAIR_RANKING, TABLE
from holdem_env.equities.run_outs import full_board, list_others
from holdem_env.equities.strength import strength_and_spread
from holdem_env.game.rules import Rules


@kernel
def measure_holdem(tables, rules, rows, equities, spreads):
    """Hold'em: equity against one random hand, and the spread of the equities on the river."""
    for k in range(rows.size):
        t = tables[rows[k]]
        hole = t.hole[t.actor]
        equities[k], spreads[k] = strength_and_spread(hole, rules[t.stage].hole_cards, t.board, t.board_count)


@inline
def view_hash(t, r, seat, candidates):
    """A hash of what the seat sees, independent of the order of the cards."""
    number = np.uint64(t.board_count)
    for i in range(r.hole_cards):
        number += mix(np.uint64(t.hole[seat, i] + 1) * GOLDEN)
    for i in range(t.board_count):
        number += mix(np.uint64(t.board[i] + 64) * GOLDEN)
    for other in range(r.seats):
        number = mix(number + np.uint64(candidates[other]))
    return number


@inline
def list_unseen(t, r, seat, unseen):
    """Write the cards of the deck that the seat does not see; returns how many they are."""
    seen = int64(0)
    for j in range(r.hole_cards):
        seen |= card_mask(t.hole[seat, j])
    for j in range(t.board_count):
        seen |= card_mask(t.board[j])
    return list_others(r, seen, unseen)


@inline
def can_compare(t, r):
    """Whether hands have a value on the current board."""
    return r.ranking == PAIR_RANKING or (t.board_count >= 3 and r.hole_cards + t.board_count >= 5)


@inline
def add_up(cards, count):
    """The sums of the first cards of an array for the evaluator: code and mask."""
    code = mask = int64(0)
    for i in range(count):
        code += card_code(cards[i])
        mask += card_mask(cards[i])
    return code, mask


@inline
def hand_value(t, r, sums, seat, code, mask):
    """The seat's `seat_value`. sums: (2, MAX_SEATS), codes and masks of hole cards. code, mask: those of the board.
    Where a hand's value follows from sums, the cards in `t` are not looked at."""
    if adds_up(r):
        return value_of(sums[0, seat] + code, sums[1, seat] + mask)
    return seat_value(t, r, seat)


@compiled
def deal_best(t, r, scratch, seat, unseen, place, count, candidates, stream, sums, code, mask):
    """Deal a seat the best of several random hands on the current board; returns the advanced random stream."""
    best = -1
    for _ in range(candidates):
        for i in range(r.hole_cards):
            stream = draw_to(unseen, place + i, count, stream)
        for i in range(r.hole_cards):
            scratch.hole[seat, i] = unseen[place + i]
        sums[0, seat], sums[1, seat] = add_up(scratch.hole[seat], r.hole_cards)
        if candidates == 1:
            return stream
        value = hand_value(scratch, r, sums, seat, code, mask)
        if value > best:
            best = value
            for i in range(r.hole_cards):
                unseen[DECK + i] = unseen[place + i]
    for i in range(r.hole_cards):
        scratch.hole[seat, i] = unseen[DECK + i]
        j = place + i
        while unseen[j] != unseen[DECK + i]:
            j += 1
        unseen[place + i], unseen[j] = unseen[j], unseen[place + i]
    sums[0, seat], sums[1, seat] = add_up(scratch.hole[seat], r.hole_cards)
    return stream


@compiled
def sampled_equity(t, r, scratch, seat, candidates, samples, unseen, sums):
    """The seat's mean share of the pot over sampled hands of the opponents and sampled boards."""
    count = list_unseen(t, r, seat, unseen)
    stream = view_hash(t, r, seat, candidates)
    board = full_board(r)
    is_comparable = can_compare(t, r)
    for i in range(r.hole_cards):
        scratch.hole[seat, i] = t.hole[seat, i]
    sums[0, seat], sums[1, seat] = add_up(t.hole[seat], r.hole_cards)
    for i in range(t.board_count):
        scratch.board[i] = t.board[i]
    known_code, known_mask = add_up(t.board, t.board_count)
    now_code = known_code + start_code(r.hole_cards + t.board_count)
    total = 0.0
    for _ in range(samples):
        place = 0
        scratch.board_count = t.board_count
        for other in range(r.seats):
            if candidates[other] > 0:
                hands = candidates[other] if is_comparable else 1
                stream = deal_best(
                    t, r, scratch, other, unseen, place, count, hands, stream, sums, now_code, known_mask
                )
                place += r.hole_cards
        code, mask = known_code + start_code(r.hole_cards + board), known_mask
        for i in range(t.board_count, board):
            stream = draw_to(unseen, place, count, stream)
            scratch.board[i] = unseen[place]
            code += card_code(unseen[place])
            mask += card_mask(unseen[place])
            place += 1
        scratch.board_count = board
        mine = hand_value(scratch, r, sums, seat, code, mask)
        winners = 1
        for other in range(r.seats):
            if candidates[other] > 0 and winners > 0:
                theirs = hand_value(scratch, r, sums, other, code, mask)
                winners = 0 if theirs > mine else winners + (theirs == mine)
        total += 1.0 / winners if winners > 0 else 0.0
    return total / samples


@kernel
def sample_equities(tables, rules, rows, scratch, candidates, samples, unseen, sums, equities):
    """The equities at many tables. scratch: one TABLE record; candidates: (K, seats); unseen: (DECK + MAX_HOLE,)."""
    for k in range(rows.size):
        t = tables[rows[k]]
        equities[k] = sampled_equity(t, rules[t.stage], scratch[0], t.actor, candidates[k], samples, unseen, sums)


def sampled_equities(
    tables: Records, rules: Rules, rows: NDArray[np.int64], candidates: NDArray[np.int64], samples: int
) -> NDArray[np.float64]:
    """The equity, 0..1, of the seat to act at tables[rows] against opponents with strong hands.

    candidates: (K, seats), the number of random hands of which each opponent holds the best one on the current board: 1
        is any hand, 0 means that the seat is not in the hand. Before the flop most games cannot compare hands, and all
        opponents hold random hands.
    samples: the showdowns sampled for each row. If high and low hands split the pot (R32), this is the equity in the
        high half.
    Returns (K,) float64. The standard error is at most 0.5 / sqrt(samples).
    """
    equities = np.empty(len(rows))
    scratch, unseen = new_records(TABLE, 1), np.empty(DECK + MAX_HOLE, np.int64)
    sums = np.zeros((2, MAX_SEATS), np.int64)
    sample_equities(tables, rules.record, rows, scratch, candidates, samples, unseen, sums, equities)
    return equities


def live_opponents(tables: Records, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(K, MAX_SEATS): the opponents of the seat to act that are still in the hand."""
    others: NDArray[np.bool_] = tables["in_hand"][rows] != 0
    others &= np.arange(MAX_SEATS) != tables["actor"][rows][:, None]
    return others
