"""What a strategy does at a table: the branches that a hand has come to, mixed.

What the seat plays on average is what a player plays who chooses one reading of the opponent's wagers in a hand and
stays with it; nothing is drawn, and probabilities need not know what was.

The tree may be at its end while the hand goes on: a bet was taken for all-in, or a raise for a call. Such branches are
dropped while there are others. If there are none, the hand enters the tree again at the beginning of its street, at
the node whose stacks are in the nearest proportion to the pot (`enter_again`); where that does not help, the seat plays
by its strength and the price (off_tree.py).
"""

from __future__ import annotations

import numpy as np

from ...compiled.compiler import compiled, inline
from ...encoders.replay import first_move
from ...engine.batch import NO_MOVE
from ...engine.betting import call_price
from ...engine.record import CHECK_CALL, MAX_MOVES
from .branches import CLOSED, LOST, chance, state_of
from .following import follow
from .translation import NO_CHILD, real_move

MOST_CHOICES = 32
"""The most moves that a seat mixes."""
STILL_ALL_IN = 1.25
"""All-in means all-in up to stacks so many times as deep as the tree's; at deeper ones it means its part of the pot."""
LEAST_WEIGHT = 1e-12
DEPTH_SPARE = 0.02
"""Added to stacks in pots before two are compared by their ratio."""


@inline
def choice_for(moves, count, move):
    """The place of a move among those found so far, and how many there are then. Behind a full list comes the last."""
    for k in range(count):
        if moves[k] == move:
            return k, count
    if count == MOST_CHOICES:
        return count - 1, count
    moves[count] = move
    return count, count + 1


@compiled
def mix(book, t, r, work, now, buckets, keep_all_in, moves, chances):
    """What the branches play, mixed. moves: (MOST_CHOICES,), chances: (H, MOST_CHOICES), both written. Returns how many
    moves there are; 0 if no branch can say anything."""
    hands, branches = work.weight.shape[2], work.branches[now]
    me, call = np.int64(t.actor) ^ t.button, call_price(t, t.actor)
    limits = t.raise_min, t.raise_max, call
    total = 0.0
    for b in range(branches):
        usable = state_of(book, work.nodes[now, b], t.street, me) != LOST
        work.prior[now, b] = work.prior[now, b] if usable else 0.0
        total += work.prior[now, b]
        work.weight[now, b, :] *= 1.0 if usable else 0.0
    if total <= 0.0:
        return 0
    normalise(work, now, total)
    moves[:] = NO_MOVE
    chances[:, :] = 0.0
    count = 0
    for b in range(branches):
        node = work.nodes[now, b]
        if work.prior[now, b] == 0.0:
            continue
        if state_of(book, node, t.street, me) == CLOSED:
            at, count = choice_for(moves, count, CHECK_CALL)
            for hand in range(hands):
                chances[hand, at] += work.weight[now, b, hand]
            continue
        first = book.sizes.first_child[node]
        for child in range(first, first + book.sizes.children[node]):
            means = real_move(book.sizes, child, limits, t.bet_to_match, t.pot + call, r.smallest_chip, keep_all_in)
            at, count = choice_for(moves, count, means)
            for hand in range(hands):
                played = chance(book, node, child, buckets[t.street, hand])
                chances[hand, at] += work.weight[now, b, hand] * played
    return count


@inline
def normalise(work, now, total):
    """Make the weights of each hand sum to 1. A hand that would not have come here has the branches' priors."""
    for hand in range(work.weight.shape[2]):
        whole = 0.0
        for b in range(work.branches[now]):
            whole += work.weight[now, b, hand]
        for b in range(work.branches[now]):
            if whole > LEAST_WEIGHT:
                work.weight[now, b, hand] /= whole
            else:
                work.weight[now, b, hand] = work.prior[now, b] / total


@inline
def enter_again(book, t):
    """The node at which the running street begins with stacks in the nearest proportion to the pot; NO_CHILD if there
    is none."""
    street, pot = t.street, t.pot
    behind = t.stack[0] + t.street_bets[0, street]
    for seat in range(2):
        pot -= t.street_bets[seat, street]
        behind = min(behind, t.stack[seat] + t.street_bets[seat, street])
    depth = behind / pot + DEPTH_SPARE
    best, best_ratio = NO_CHILD, np.inf
    low, high = book.entry_first[street], book.entry_first[street + 1]
    end = high
    while low < high:
        middle = (low + high) // 2
        if book.entry_depth[middle] + DEPTH_SPARE < depth:
            low = middle + 1
        else:
            high = middle
    for at in range(max(low - 1, book.entry_first[street]), min(low + 1, end)):
        here = book.entry_depth[at] + DEPTH_SPARE
        ratio = max(here / depth, depth / here)
        if ratio < best_ratio:
            best, best_ratio = book.entry_node[at], ratio
    return best


@inline
def is_no_deeper(book, t, r):
    """Whether all-in at a table still is what all-in is in the tree."""
    return min(t.start_stack[0], t.start_stack[1]) <= STILL_ALL_IN * book.depth * r.big_blind


@compiled
def consult(book, t, r, work, buckets, moves, chances):
    """What the strategy plays at a table, for H hands of the seat to act. buckets: (streets, H), -1 for hands that
    cannot be. moves, chances: as `mix` writes them. Returns how many moves there are; 0 if the tree cannot say."""
    keep_all_in = is_no_deeper(book, t, r)
    count = 0
    if t.moves <= MAX_MOVES:
        now = follow(book, t, r, work, buckets, 0, 0, keep_all_in, t.actor, t.moves)
        count = mix(book, t, r, work, now, buckets, keep_all_in, moves, chances)
    street_is_known = t.moves <= MAX_MOVES or t.move_street[first_move(t) % MAX_MOVES] < t.street
    if count == 0 and t.street > 0 and street_is_known:
        node = enter_again(book, t)
        if node != NO_CHILD:
            now = follow(book, t, r, work, buckets, t.street, node, keep_all_in, t.actor, t.moves)
            count = mix(book, t, r, work, now, buckets, keep_all_in, moves, chances)
    return count
