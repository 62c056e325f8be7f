"""The hand strength of the seat to act: from tables in Texas hold'em, by sampling in any game.

Both look only at the seat's own cards, the board and the betting. A hash of these seeds the samples, so the same view
always gives the same strength.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.cards.evaluator import card_mask
from holdem_env.compiled.compiler import compiled, inline, kernel
from holdem_env.compiled.records import Records, new_records
from holdem_env.engine.random_numbers import GOLDEN, draw_to, mix
from holdem_env.engine.ranking import seat_value
from holdem_env.engine.record import DECK, MAX_HOLE, MAX_SEATS, PAIR_RANKING, TABLE
from holdem_env.equities.run_outs import full_board, list_others
from holdem_env.equities.strength import strength_and_spread
from holdem_env.game.rules import Rules


@kernel
def measure_holdem(tables, rules, rows, shares, spreads):
    """Hold'em: the share of the pot against one random hand, and the spread of the shares on the river."""
    for k in range(rows.size):
        t = tables[rows[k]]
        hole = t.hole[t.actor]
        shares[k], spreads[k] = strength_and_spread(hole, rules[t.stage].hole_cards, t.board, t.board_count)


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
    seen = np.int64(0)
    for j in range(r.hole_cards):
        seen |= card_mask(t.hole[seat, j])
    for j in range(t.board_count):
        seen |= card_mask(t.board[j])
    return list_others(r, seen, unseen)


@inline
def can_compare(t, r):
    """Whether hands have a value on the current board."""
    return r.ranking == PAIR_RANKING or (t.board_count >= 3 and r.hole_cards + t.board_count >= 5)


@compiled
def deal_best(t, r, scratch, seat, unseen, place, count, candidates, stream):
    """Deal a seat the best of several random hands on the current board; returns the advanced random stream."""
    best = -1
    for _ in range(candidates):
        for i in range(r.hole_cards):
            stream = draw_to(unseen, place + i, count, stream)
        for i in range(r.hole_cards):
            scratch.hole[seat, i] = unseen[place + i]
        value = seat_value(scratch, r, seat) if candidates > 1 else 0
        if value > best:
            best = value
            for i in range(r.hole_cards):
                unseen[DECK + i] = unseen[place + i]
    for i in range(r.hole_cards):
        scratch.hole[seat, i] = unseen[DECK + i]
        for j in range(place, count):
            if unseen[j] == unseen[DECK + i]:
                unseen[place + i], unseen[j] = unseen[j], unseen[place + i]
    return stream


@compiled
def sampled_share(t, r, scratch, seat, candidates, samples, unseen):
    """The seat's mean share of the pot over sampled hands of the opponents and sampled boards."""
    count = list_unseen(t, r, seat, unseen)
    stream = view_hash(t, r, seat, candidates)
    board = full_board(r)
    is_comparable = can_compare(t, r)
    for i in range(r.hole_cards):
        scratch.hole[seat, i] = t.hole[seat, i]
    total = 0.0
    for _ in range(samples):
        place = 0
        scratch.board_count = t.board_count
        for i in range(t.board_count):
            scratch.board[i] = t.board[i]
        for other in range(r.seats):
            if candidates[other] > 0:
                hands = candidates[other] if is_comparable else 1
                stream = deal_best(t, r, scratch, other, unseen, place, count, hands, stream)
                place += r.hole_cards
        while scratch.board_count < board:
            stream = draw_to(unseen, place, count, stream)
            scratch.board[scratch.board_count] = unseen[place]
            scratch.board_count += 1
            place += 1
        mine = seat_value(scratch, r, seat)
        winners = 1
        for other in range(r.seats):
            if candidates[other] > 0 and winners > 0:
                theirs = seat_value(scratch, r, other)
                winners = 0 if theirs > mine else winners + (theirs == mine)
        total += 1.0 / winners if winners > 0 else 0.0
    return total / samples


@kernel
def sample_shares(tables, rules, rows, scratch, candidates, samples, unseen, shares):
    """The shares at many tables. scratch: one TABLE record; candidates: (K, seats); unseen: (DECK + MAX_HOLE,)."""
    for k in range(rows.size):
        t = tables[rows[k]]
        shares[k] = sampled_share(t, rules[t.stage], scratch[0], t.actor, candidates[k], samples, unseen)


def sampled_shares(
    tables: Records, rules: Rules, rows: NDArray[np.int64], candidates: NDArray[np.int64], samples: int
) -> NDArray[np.float64]:
    """The share of the pot, 0..1, that the seat to act at tables[rows] wins against opponents with strong hands.

    candidates: (K, seats), the number of random hands of which each opponent holds the best one on the current board: 1
        is any hand, 0 means that the seat is not in the hand. Before the flop most games cannot compare hands, and all
        opponents hold random hands.
    samples: the showdowns sampled for each row. If high and low hands split the pot (R32), this is the share of the
        high half.
    Returns (K,) float64. The standard error is at most 0.5 / sqrt(samples).
    """
    shares = np.empty(len(rows))
    scratch, unseen = new_records(TABLE, 1), np.empty(DECK + MAX_HOLE, np.int64)
    sample_shares(tables, rules.record, rows, scratch, candidates, samples, unseen, shares)
    return shares


def live_opponents(tables: Records, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(K, MAX_SEATS): the opponents of the seat to act that are still in the hand."""
    others: NDArray[np.bool_] = tables["in_hand"][rows] != 0
    others &= np.arange(MAX_SEATS) != tables["actor"][rows][:, None]
    return others
