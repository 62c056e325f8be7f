"""Monte Carlo counterfactual regret minimization by external sampling (Lanctot, Waugh, Zinkevich and Bowling 2009),
with linear weights (linear CFR: Brown and Sandholm 2019).

One deal is sampled for a sweep of the tree. At its own decisions the traverser tries every child; at the opponent's,
one child is sampled from the opponent's current strategy, which is regret matching. Then, from the ends up, every
decision of the traverser updates its regrets by how much each child was better than its strategy. The average strategy
of all sweeps converges to an equilibrium; it is added up at the opponent's decisions, where each is met as often as its
own player reaches it. The n-th deal counts n times (linear CFR), so that the first, poor ones are soon forgotten.

A sweep is no recursion: it lists the nodes it visits, parents before children, and goes through the list again from its
end. While it works on one node, the memory of the others is being fetched.

`cumulative` holds the regrets of a decision's bucket and, beside them, its cumulative strategy: of n children, 2n
float32 at 2 * (offset + bucket * n). Threads share it without locks: an update that gets lost now and then does no
harm.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cards.evaluator import card_code, card_mask, start_code, value_of
from ...cards.text import CARDS
from ...compiled.compiler import compiled, inline, kernel
from ...compiled.intrinsics import prefetch
from ...compiled.scalars import Floats, Ints, int64
from ...engine.random_numbers import GOLDEN, draw_to, hand_stream, mix, random_below
from ...equities.holdem import BOARD, HOLE
from ..card_tables.dealing import DealTables, deal_buckets
from ..trees.betting_tree import BettingTree
from ..trees.walking import DECISION

MCCFR_NODE = np.dtype(
    [
        ("place", np.int64),  # decisions: where their regrets begin; ends: their row in the payoffs
        ("first_child", np.int32),
        ("children", np.int8),  # 0 at ends
        ("player", np.int8),
        ("street", np.int8),
        ("padding", np.int8),
    ],
    align=True,
)
VISIT = np.dtype(
    [("place", np.int64), ("node", np.int32), ("first", np.int32), ("probability", np.float32), ("value", np.float32)]
)
"""A place in the list of nodes that a sweep visits."""
UNIT = 2.0**-53
S11 = np.uint64(11)
PLAYERS = 2
DEALT = PLAYERS * HOLE + BOARD
TIE = 2


class Work(NamedTuple):
    """What a sweep reads and writes.

    nodes: (N,) MCCFR_NODE. payoffs: (2, ends, 3) float32, in `unit` chips. cumulative: see above. visits: (N,) VISIT.
    """

    nodes: NDArray[np.void]
    payoffs: NDArray[np.float32]
    cumulative: NDArray[np.float32]
    visits: NDArray[np.void]


def new_work(tree: BettingTree, rows: NDArray[np.int64], unit: float) -> Work:
    """The work on a tree that nothing is known of. rows: its `decision_rows`. unit: chips that count as 1."""
    nodes = np.zeros(len(tree), MCCFR_NODE)
    decides = tree.kind == DECISION
    ends = np.flatnonzero(~decides)
    nodes["first_child"], nodes["children"] = tree.first_child, np.where(decides, tree.children, 0)
    nodes["player"], nodes["street"] = tree.player, tree.street
    nodes["place"][decides] = 2 * rows[0]
    nodes["place"][ends] = np.arange(ends.size)
    payoffs = np.ascontiguousarray(tree.payoff[ends].transpose(2, 0, 1) / unit, np.float32)
    return Work(nodes, payoffs, np.zeros(2 * int(rows[1] @ rows[2]), np.float32), np.zeros(len(tree), VISIT))


@inline
def action_probability(weight: Any, scale: Any, uniform: Any, zero: Any) -> Any:
    """The probability of an action by its weight (a regret, or what is in the cumulative strategy) and the terms of
    its information set. zero: of the weights' type."""
    return max(weight, zero) * scale + uniform


@inline
def positive_sum(weights: Floats, first: int, actions: int) -> Any:
    """The sum of the positive weights of one information set, which begin at `first`."""
    zero = weights.dtype.type(0)
    total = zero
    for a in range(actions):
        total += max(weights[first + a], zero)
    return total


@inline
def matching_terms(total: Any, actions: Any, unit: Any) -> tuple[Any, Any]:
    """(scale, uniform) of one information set whose positive weights have this sum, so that its probabilities add up to
    `unit`. actions: how many there are. All are of one floating type."""
    zero = unit - unit
    return (unit / total, zero) if total > zero else (zero, unit / actions)


@inline
def list_visit(work: Work, buckets: Ints, count: int, node: int, probability: Any) -> None:
    """Put a node at the end of the list of visits and fetch what it will need."""
    visit, here = work.visits[count], work.nodes[node]
    place = here.place
    if here.children:
        place += 2 * here.children * buckets[here.player, here.street]
        prefetch(work.cumulative, place, 0)
    visit.node, visit.probability, visit.place = node, probability, place


@inline
def sample_child(cumulative: Floats, place: int, children: int, total: Any, x: Any) -> int:
    """A child sampled by regret matching (Hart and Mas-Colell 2000): in proportion to the positive regrets, or
    evenly where there are none."""
    if total <= 0:
        return random_below(x, children)
    left = np.float32((x >> S11) * UNIT) * total  # of a number in [0, 1)
    last = 0
    for k in range(children):
        regret = cumulative[place + k]
        if regret > 0:
            last = k
            left -= regret
            if left < 0:
                return k
    return last


@inline
def add_to_cumulative_strategy(cumulative: Floats, place: int, children: int, total: Any, weight: Any) -> None:
    """Add the current strategy, times the weight of the deal, to the cumulative strategy."""
    scale, uniform = matching_terms(total, np.float32(children), weight)
    for k in range(children):
        cumulative[place + children + k] += action_probability(cumulative[place + k], scale, uniform, np.float32(0))


@compiled
def sweep(work: Work, buckets: Ints, outcome: int, traverser: int, weight: Any, stream: Any) -> tuple[Any, int, Any]:
    """One sweep for one player. buckets: (2, streets), of both hands. outcome: 0, 1 the winner at a showdown, 2 a tie.

    Returns the random stream as it then is, how many nodes were visited, and the traverser's value.
    """
    nodes, payoffs, cumulative, visits = work
    count = 1
    list_visit(work, buckets, 0, 0, np.float32(1))
    i = 0
    while i < count:
        visit = visits[i]
        here = nodes[visit.node]
        children, place = int64(here.children), visit.place
        if children == 0:
            visit.value = payoffs[traverser, place, outcome]
            i += 1
            continue
        total = positive_sum(cumulative, place, children)
        visit.first = count
        if here.player == traverser:
            scale, uniform = matching_terms(total, np.float32(children), np.float32(1))
            for k in range(children):
                probability = action_probability(cumulative[place + k], scale, uniform, np.float32(0))
                list_visit(work, buckets, count, here.first_child + k, probability)
                count += 1
        else:
            stream += GOLDEN
            k = sample_child(cumulative, place, children, total, mix(stream))
            list_visit(work, buckets, count, here.first_child + k, np.float32(1))
            count += 1
            add_to_cumulative_strategy(cumulative, place, children, total, weight)
        i += 1
    update_regrets(work, count, traverser, weight)
    return stream, count, visits[0].value


@inline
def update_regrets(work: Work, count: int, traverser: int, weight: Any) -> None:
    """Go through the visits from the last to the first: values of decisions, and the traverser's regrets, the
    sampled counterfactual regrets of external sampling: R(I, a) += weight * (v(I, a) - v(I))."""
    nodes, _, cumulative, visits = work
    for i in range(count - 1, -1, -1):
        visit = visits[i]
        here = nodes[visit.node]
        children, first, place = int64(here.children), visit.first, visit.place
        if children == 0:
            continue
        if here.player != traverser:
            visit.value = visits[first].value
            continue
        value = np.float32(0)
        for k in range(children):
            value += visits[first + k].probability * visits[first + k].value
        visit.value = value
        for k in range(children):
            cumulative[place + k] += weight * (visits[first + k].value - value)


@inline
def draw_deal(deck: Ints, hole: Ints, board: Ints, stream: Any) -> Any:
    """Two hands and a board from a deck in any order."""
    for place in range(DEALT):
        stream = draw_to(deck, place, CARDS, stream)
    for player in range(PLAYERS):
        for k in range(HOLE):
            hole[player, k] = deck[HOLE * player + k]
    for k in range(BOARD):
        board[k] = deck[PLAYERS * HOLE + k]
    return stream


@inline
def hand_value(hole: Ints, code: int, mask: int) -> int:
    """The class of two hole cards and a board whose sums are given."""
    for k in range(HOLE):
        code += card_code(hole[k])
        mask += card_mask(hole[k])
    return value_of(code, mask)


@inline
def winner(hole: Ints, board: Ints) -> int:
    """0 or 1, whose hand is better; TIE."""
    code, mask = start_code(HOLE + BOARD), int64(0)
    for k in range(BOARD):
        code += card_code(board[k])
        mask += card_mask(board[k])
    first, second = hand_value(hole[0], code, mask), hand_value(hole[1], code, mask)
    return TIE if first == second else int64(second > first)


@kernel
def train_holdem(
    work: Work, tables: DealTables, first: int, count: int, seed: Any, unit_deals: Any, totals: Floats
) -> None:
    """Train with hold'em's deals, which are drawn, put into buckets and compared here.

    tables: DealTables. first, count: which deals to draw, by their numbers: a deal depends on the seed and its number
    alone, not on how the work is divided. unit_deals: the deal whose weight is 1. totals: (2,) float64, to which
    visited nodes and player 0's value are added.
    """
    deck = np.empty(CARDS, np.int64)
    hole, board = np.empty((PLAYERS, HOLE), np.int64), np.empty(BOARD, np.int64)
    buckets = np.empty((PLAYERS, 4), np.int64)
    for number in range(first, first + count):
        for card in range(CARDS):
            deck[card] = card
        stream = draw_deal(deck, hole, board, hand_stream(seed, 0, number))
        deal_buckets(tables, hole, board, buckets)
        outcome = winner(hole, board)
        weight = np.float32((number + 1) / unit_deals)
        for traverser in range(PLAYERS):
            stream, visited, value = sweep(work, buckets, outcome, traverser, weight, stream)
            totals[0] += visited
            if traverser == 0:
                totals[1] += value
