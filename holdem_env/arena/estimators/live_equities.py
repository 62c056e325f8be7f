"""The share of the pot that each live seat can expect if all went to the showdown now, its opponents' cards known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import compiled, inline, kernel
from ...compiled.records import Records, new_records
from ...engine.ranking import seat_value
from ...engine.record import DECK, HIGH, MAX_BOARD, MAX_SEATS, STANDARD_RANKING, TABLE
from ...equities.exact import BOARD, HOLE, MATCHUP, POT, count_matchup, take_hands
from ...game.rules import Rules

MOST_MISSING = 3
"""Board cards that are dealt out one by one in games other than hold'em."""


@inline
def is_holdem(r):
    """Whether the fast count of hold'em applies."""
    plain = r.ranking == STANDARD_RANKING and r.hole_cards_used < 0
    return plain and r.hole_cards == HOLE and r.deck_size == DECK


@compiled
def share_of_holdem(t, r, known, m, shares):
    """All boards counted; folded hands are out of the deck."""
    hole, seats = np.empty((MAX_SEATS, HOLE), np.int64), np.empty(MAX_SEATS, np.int64)
    dead, board = np.empty(MAX_SEATS * HOLE, np.int64), np.empty(known, np.int64)
    live = gone = 0
    for seat in range(r.seats):
        for k in range(HOLE):
            if t.in_hand[seat]:
                hole[live, k] = t.hole[seat, k]
            elif t.was_dealt[seat]:
                dead[gone] = t.hole[seat, k]
                gone += 1
        if t.in_hand[seat]:
            seats[live] = seat
            live += 1
    for k in range(known):
        board[k] = t.board[k]
    take_hands(m, hole[:live])
    total = np.float64(count_matchup(m, board, dead[:gone]))
    for p in range(live):
        shares[seats[p]] = (m.win[p] + m.share[p] / POT) / total


@inline
def share_board(w, r, shares):
    """Add one to be shared by the best hands on the board that stands in the record."""
    best = winners = 0
    for seat in range(r.seats):
        if w.in_hand[seat]:
            w.value[seat] = seat_value(w, r, seat)
            if w.value[seat] > best:
                best, winners = w.value[seat], 0
            winners += w.value[seat] == best
    for seat in range(r.seats):
        if w.in_hand[seat] and w.value[seat] == best:
            shares[seat] += 1.0 / winners


@compiled
def share_of_others(w, r, known, unseen, shares):
    """All boards of any game, one by one. w: a copy of the table to work in."""
    count = 0
    for i in range(r.deck_size):
        free = True
        for seat in range(r.seats):
            for k in range(r.hole_cards):
                free &= not (w.was_dealt[seat] and w.hole[seat, k] == r.deck[i])
        for k in range(known):
            free &= w.board[k] != r.deck[i]
        if free:
            unseen[count] = r.deck[i]
            count += 1
    missing = -known
    for street in range(r.streets):
        missing += r.board_cards[street]
    w.board_count = known + missing
    at = np.arange(MAX_BOARD)
    boards = 0
    while True:
        for k in range(missing):
            w.board[known + k] = unseen[at[k]]
        share_board(w, r, shares)
        boards += 1
        k = missing - 1
        while k >= 0 and at[k] == count - missing + k:
            k -= 1
        if k < 0:
            break
        at[k] += 1
        for later in range(k + 1, missing):
            at[later] = at[later - 1] + 1
    for seat in range(r.seats):
        shares[seat] /= boards


@kernel
def share_now(tables, rules, known, work, room, shares):
    """Fill shares (N, seats) for tables on whose boards so many cards, known[i], are there; 0 for who is out."""
    unseen = np.empty(DECK, np.int64)
    for i in range(tables.size):
        r = rules[tables[i].stage]
        shares[i, :] = 0.0
        if is_holdem(r):
            share_of_holdem(tables[i], r, known[i], room[0], shares[i])
        else:
            work[0] = tables[i]
            share_of_others(work[0], r, known[i], unseen, shares[i])


def why_not(rules: Rules) -> str | None:
    """Why shares cannot be counted in a game; None if they can."""
    holdem = rules.ranking == "standard" and rules.hole_cards_used is None
    holdem &= rules.hole_cards == HOLE and len(rules.deck) == DECK and sum(rules.board_cards) == BOARD
    if rules.record["split"][0] != HIGH:
        return "in high-low there are two pots to share"
    if not holdem and sum(rules.board_cards) > MOST_MISSING:
        return f"beside hold'em only games of up to {MOST_MISSING} board cards are counted"
    return None


class LiveShares:
    """The shares of live seats, counted exactly, each table and rotation of a deal once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._room, self._work = new_records(MATCHUP, 1), new_records(TABLE, 1)

    def __call__(self, tables: Records, known: NDArray[np.int64]) -> NDArray[np.float64]:
        """(N, seats) float64, summing to 1 over the seats that have not folded, on the first known[i] board cards."""
        cards = np.where(np.arange(MAX_BOARD) < known[:, None], tables["board"], -1)
        hole = tables["hole"].reshape(len(tables), -1)
        keys = np.concatenate([cards, tables["in_hand"], tables["was_dealt"], hole], axis=1, dtype=np.int8)
        _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        shares = np.empty((len(first), self.rules.seats))
        some = np.take(tables, first)
        share_now(some, self.rules.record, known[first].astype(np.int64), self._work, self._room, shares)
        return shares[which.reshape(-1)]
