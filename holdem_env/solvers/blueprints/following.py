"""Following a real hand through a strategy's tree, and what the strategy does then.

A hand may be at several nodes at once: an opponent's wager between two sizes stands for both (translation.py). A branch
is a node with the probability that it is the one, and that depends on the seat's own hole cards: had the seat chosen
one reading when the opponent bet and kept to it, its later moves would tell which. So each branch has a weight for each
hand, multiplied by the probability of every move of its own. What the seat then plays on average is what a player plays
who chooses once in a hand and stays with it; nothing is drawn, and probabilities need not know what was.

The tree may be at its end while the hand goes on: a bet was taken for all-in, or a raise for a call. Such branches are
dropped while there are others. If there are none, the hand enters the tree again at the beginning of its street, at
the node whose stacks are in the nearest proportion to the pot (`enter_again`); where that does not help, the seat plays
by its strength and the price (off_tree.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import compiled, inline
from ...encoders.replay import (
    LEVEL,
    POT,
    STATE,
    STREET,
    begin_replay,
    call_of,
    come_to,
    first_move,
    open_street,
    replay_move,
)
from ...engine.batch import NO_MOVE
from ...engine.betting import call_price
from ...engine.record import CHECK_CALL, FIXED_LIMIT, FOLD, MAX_MOVES, MAX_SEATS, POT_LIMIT
from ..trees.walking import DECISION
from .translation import NO_CHILD, Sizes, call_child, real_move, translate

MOST_BRANCHES = 8
MOST_CHOICES = 32
"""The most moves that a seat mixes."""
STILL_ALL_IN = 1.25
"""All-in means all-in up to stacks so many times as deep as the tree's; at deeper ones it means its part of the pot."""
LEAST_WEIGHT = 1e-12
DEPTH_SPARE = 0.02
"""Added to stacks in pots before two are compared by their ratio."""

# What a branch is to whoever is to act: its node decides; there the round is over, as a small wager was taken for a
# check or a call; or the tree has nothing to say.
DECIDES, CLOSED, LOST = 0, 1, 2
# What is known before a move, beside what a replay knows: the size of the last full raise; what may be raised to; what
# a call costs; the pot after it.
FULL, LEAST, MOST, CALL, CALLED = range(5)


class Book(NamedTuple):
    """A strategy as kernels read it. N nodes, D decisions, E places to enter the tree again."""

    sizes: Sizes
    kind: NDArray[np.int8]
    """(N,)."""
    street: NDArray[np.int8]
    """(N,)."""
    player: NDArray[np.int8]
    """(N,)."""
    decision: NDArray[np.int32]
    """(N,)."""
    is_settled: NDArray[np.bool_]
    """(N,): whether this is a showdown with nobody all-in."""
    offset: NDArray[np.int64]
    """(D,): where the levels of a decision begin."""
    level: NDArray[np.uint8]
    """Of bucket b and child k at offset + b * children + k; divided by their sum, probabilities."""
    entry_depth: NDArray[np.float64]
    """(E,): what the shorter stack has behind at the beginning of a street, in pots; ascending within each street."""
    entry_node: NDArray[np.int32]
    """(E,): where these streets begin."""
    entry_first: NDArray[np.int64]
    """(streets + 1,): where each street's entries begin."""
    depth: float
    """The shorter stack of the tree in big blinds."""


class Work(NamedTuple):
    """Memory to work in, for H hands. There are two sets of branches: one is made from the other."""

    nodes: NDArray[np.int32]
    """(2, MOST_BRANCHES)."""
    prior: NDArray[np.float64]
    """(2, MOST_BRANCHES): how likely each is by translation alone."""
    weight: NDArray[np.float64]
    """(2, MOST_BRANCHES, H): and by the seat's own moves, with each hand."""
    branches: NDArray[np.int64]
    """(2,): how many there are."""
    replay: NDArray[np.int64]
    bet: NDArray[np.int64]
    put: NDArray[np.int64]
    known: NDArray[np.int64]
    """FULL, LEAST, MOST, CALL and CALLED."""


def new_work(hands: int) -> Work:
    """Memory to work in, for so many hands at a time."""
    return Work(
        np.zeros((2, MOST_BRANCHES), np.int32),
        np.zeros((2, MOST_BRANCHES)),
        np.zeros((2, MOST_BRANCHES, hands)),
        np.zeros(2, np.int64),
        np.zeros(STATE, np.int64),
        np.zeros(MAX_SEATS, np.int64),
        np.zeros(MAX_SEATS, np.int64),
        np.zeros(CALLED + 1, np.int64),
    )


@inline
def chance(book, node, child, bucket):
    """The probability of a child for a bucket; for a hand that cannot be (-1), that of any child."""
    children = book.sizes.children[node]
    if bucket < 0:
        return 1.0 / children
    first = book.offset[book.decision[node]] + np.int64(bucket) * children
    total = 0
    for k in range(children):
        total += book.level[first + k]
    return book.level[first + child - book.sizes.first_child[node]] / total


@inline
def place_for(work, into, node, prior):
    """The place of a node among the branches that are made. If all are taken, it is that of the least likely branch if
    that is less likely than this one, else NO_CHILD."""
    count = work.branches[into]
    for b in range(count):
        if work.nodes[into, b] == node:
            return b
    at = count
    if count < MOST_BRANCHES:
        work.branches[into] = count + 1
    else:
        at = 0
        for b in range(1, count):
            if work.prior[into, b] < work.prior[into, at]:
                at = b
        if work.prior[into, at] >= prior:
            return NO_CHILD
    work.nodes[into, at] = node
    work.prior[into, at] = 0.0
    work.weight[into, at, :] = 0.0
    return at


@inline
def pass_on(work, now, branch, node, share):
    """Pass a share of a branch on to a node, whatever the hand."""
    prior = work.prior[now, branch] * share
    at = place_for(work, 1 - now, node, prior)
    if at != NO_CHILD:
        work.prior[1 - now, at] += prior
        for hand in range(work.weight.shape[2]):
            work.weight[1 - now, at, hand] += work.weight[now, branch, hand] * share


@inline
def pass_on_played(book, work, buckets, now, branch, child, share):
    """Pass a share of a branch on to the child that its player chose, by how often each hand does."""
    node, prior = work.nodes[now, branch], work.prior[now, branch] * share
    at = place_for(work, 1 - now, child, prior)
    if at != NO_CHILD:
        street = book.street[node]
        work.prior[1 - now, at] += prior
        for hand in range(work.weight.shape[2]):
            played = chance(book, node, child, buckets[street, hand])
            work.weight[1 - now, at, hand] += work.weight[now, branch, hand] * played * share


@inline
def state_of(book, node, street, player):
    """What a branch is to a player who is to act on a street."""
    if book.kind[node] == DECISION:
        if book.street[node] == street:
            return DECIDES if book.player[node] == player else LOST
        return CLOSED if book.street[node] > street else LOST
    return CLOSED if book.is_settled[node] and book.street[node] == street else LOST


@inline
def look_ahead(t, r, seat, work):
    """Write down what the player of the next move may do."""
    known = work.known
    level = work.replay[LEVEL]
    call = call_of(t, seat, work.replay, work.bet, work.put)
    known[CALL], known[CALLED] = call, work.replay[POT] + call
    known[LEAST] = known[MOST] = 0
    all_in = t.start_stack[seat] - work.put[seat] + work.bet[seat]
    if all_in > level:
        least = min(level + known[FULL], all_in)
        most = least if r.structure == FIXED_LIMIT else all_in
        if r.structure == POT_LIMIT:
            cap = level + known[CALLED]
            most = min(max(cap - cap % r.smallest_chip, least), all_in)
        known[LEAST], known[MOST] = least, most


@inline
def read_branch(book, t, r, work, buckets, now, branch, seat, move, hero):
    """Pass a branch on by a move that its player has made, read as the tree can. Of the hero's moves count how often
    each hand makes them, as they are read."""
    node, street = work.nodes[now, branch], work.replay[STREET]
    if state_of(book, node, street, seat ^ t.button) != DECIDES or move == FOLD:
        pass_on(work, now, branch, node, 1.0)
        return
    lower, upper, share = call_child(book.sizes, node), NO_CHILD, 1.0
    if move != CHECK_CALL:
        lower, upper, share = translate(
            *(book.sizes, node, move, work.replay[LEVEL], work.known[CALLED]),
            *(is_all_in(t, work, seat, move), r.smallest_chip),
        )
    for child, part in ((lower, share), (upper, 1.0 - share)):
        if child == NO_CHILD:
            continue
        if seat == hero:
            pass_on_played(book, work, buckets, now, branch, child, part)
        else:
            pass_on(work, now, branch, child, part)


@inline
def is_all_in(t, work, seat, move):
    """Whether a wager takes all chips of its player or of the other one."""
    for player in range(2):
        if move >= t.start_stack[player] - work.put[player] + work.bet[player]:
            return True
    return False


@inline
def play_branch(book, t, r, work, buckets, now, branch, seat, move, keep_all_in):
    """Pass a branch on by a move of the seat's own: to the children that mean it."""
    node, known = work.nodes[now, branch], work.known
    state = state_of(book, node, work.replay[STREET], seat ^ t.button)
    if state == CLOSED and move == CHECK_CALL:
        pass_on(work, now, branch, node, 1.0)
    if state == DECIDES:
        first = book.sizes.first_child[node]
        limits = known[LEAST], known[MOST], known[CALL]
        for child in range(first, first + book.sizes.children[node]):
            means = real_move(
                book.sizes, child, limits, work.replay[LEVEL], known[CALLED], r.smallest_chip, keep_all_in
            )
            if means == move:
                pass_on_played(book, work, buckets, now, branch, child, 1.0)


@inline
def begin_at(work, node):
    """One branch."""
    work.branches[0] = 1
    work.nodes[0, 0] = node
    work.prior[0, 0] = 1.0
    work.weight[0, 0, :] = 1.0


@inline
def catch_up(book, work, now, street):
    """Where the real street is later than a branch's, its round is checked or called to its end."""
    for b in range(work.branches[now]):
        node = work.nodes[now, b]
        while book.kind[node] == DECISION and book.street[node] < street:
            node = call_child(book.sizes, node)
        work.nodes[now, b] = node


@inline
def open_at(t, r, street, work):
    """The chips as they were when the running street began."""
    open_street(t, r, street, work.replay, work.bet)
    work.replay[POT] = t.pot
    for seat in range(r.seats):
        now_in = t.start_stack[seat] - t.stack[seat]
        work.replay[POT] -= t.street_bets[seat, street]
        work.put[seat] = now_in - t.street_bets[seat, street]


@compiled
def follow(book, t, r, work, buckets, street, node, keep_all_in, hero, end):
    """Follow the moves of a hand from the beginning of a street on, where it was at a node, up to its move number
    `end`. Returns which set of branches is the result.

    street: 0, or the running one. hero: the seat whose hands are weighted. buckets: (streets, H)."""
    begin_at(work, node)
    begin_replay(t, r, work.replay, work.bet, work.put)
    if street > 0:
        open_at(t, r, street, work)
    work.known[FULL] = r.min_bet[street]
    now = 0
    for k in range(first_move(t), end):
        place = k % MAX_MOVES
        if t.move_street[place] < street:
            continue
        seat, move = np.int64(t.move_seat[place]), t.move[place]
        if t.move_street[place] != work.replay[STREET]:
            work.known[FULL] = r.min_bet[t.move_street[place]]
        come_to(t, r, k, work.replay, work.bet)
        catch_up(book, work, now, work.replay[STREET])
        look_ahead(t, r, seat, work)
        work.branches[1 - now] = 0
        if seat == hero:
            for b in range(work.branches[now]):
                play_branch(book, t, r, work, buckets, now, b, seat, move, keep_all_in)
        if work.branches[1 - now] == 0:  # an opponent's move, or one that this strategy does not make
            for b in range(work.branches[now]):
                read_branch(book, t, r, work, buckets, now, b, seat, move, hero)
        now = 1 - now
        before = work.replay[LEVEL]
        replay_move(t, k, work.replay, work.bet, work.put)
        work.known[FULL] = (
            max(work.known[FULL], work.replay[LEVEL] - before) if r.structure != FIXED_LIMIT else work.known[FULL]
        )
    catch_up(book, work, now, t.street if end == t.moves else t.move_street[end % MAX_MOVES])
    return now


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
