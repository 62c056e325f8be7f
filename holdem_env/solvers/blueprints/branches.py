"""Where a real hand may be in a strategy's tree: branches, and how they are passed on from node to node.

A hand may be at several nodes at once: an opponent's wager between two sizes stands for both (translation.py). A branch
is a node with the probability that it is the one, and that depends on the seat's own hole cards: had the seat chosen
one reading when the opponent bet and kept to it, its later moves would tell which. So each branch has a weight for each
hand, multiplied by the probability of every move of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import inline
from ...encoders.replay import STATE
from ...engine.record import MAX_SEATS
from ..trees.walking import DECISION
from .translation import NO_CHILD, Sizes, call_child

MOST_BRANCHES = 8


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
