"""A decision of a blueprint, from top to bottom:

1. the hand's history gives its places in the tree (places.py);
2. each place has the strategy's probabilities (strategy.py), which are mixed by how likely the places are;
3. each child of the tree becomes a real move, and each real wager a child (translation.py).

Two branches lead elsewhere: off the tree, where it has no place for the hand, and re-solving (resolving.py), which the
agent does afterwards for the hands that it is to solve. Off the tree the hand enters the tree again at the beginning of
its street, at the node with the nearest stack-to-pot ratio (`enter_again`). Where that does not help, in a hand of more
moves than are remembered for example, the seat plays by the strength of its hand and the price of a call
(`play_strength`), never by checking or calling whatever comes.

What the seat plays on average is what a player plays who chooses one reading of the opponent's wagers in a hand and
stays with it; nothing is drawn, and probabilities need not know what was.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiled.compiler import compiled, inline, kernel
from ...compiled.records import Records
from ...compiled.scalars import Flags, Floats, Ints, int64
from ...engine.batch import NO_MOVE
from ...engine.bet_sizes import nearest_raise, raise_of_pot
from ...engine.betting import call_price
from ...engine.pots import winnable_chips
from ...engine.record import CHECK_CALL, FOLD, MAX_MOVES, RulesRecord, TableRecord
from ...engine.replay import first_move
from ...equities.strength import strength_and_spread
from .places import LOST, ROUND_OVER, Places, Query, follow_history, turn_at
from .strategy import StrategyArrays, probability_of
from .translation import NO_CHILD, real_move

ROOT = 0
MAX_OFFERED = 32  # the most moves that a seat mixes
STILL_ALL_IN = 1.25  # up to stacks this many times the tree's, all-in means all-in; at deeper ones, its part of the pot
LEAST_REACH = 1e-12
DEPTH_SPARE = 0.02  # added to stack-to-pot ratios before two are compared by their quotient
BY_RAISE = 0.6  # an opponent who has raised n times holds the best of 1 + 0.6 n random hands
MAX_RAISES = 5
BETS, RAISES = 0.7, 0.75  # from what probability to win on the seat bets, and raises


@kernel
def decide_rows(
    strategy: StrategyArrays,
    tables: Records,
    rules: Records,
    rows: Ints,
    which: Ints,
    buckets: Ints,
    possible: Flags,
    hands: Ints,
    places: Places,
    moves: Ints,
    probabilities: Floats,
) -> None:
    """What the seats to act at tables[rows] play with each of H hands.

    which: (K,), the place of each table's buckets in `buckets` (B, streets, H). possible: (K, H). hands: (H, 2) cards,
    or (K, 2), each seat's only one. moves (K, MAX_OFFERED) and probabilities (K, H, MAX_OFFERED) are written."""
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        query = Query(strategy, buckets[which[k]], places, is_no_deeper(strategy, t, r))
        count = decide(query, t, r, moves[k], probabilities[k])
        if count == 0:
            strength_moves(t, r, moves[k])
            probabilities[k, :, :] = 0.0
        for hand in range(possible.shape[1]):
            if not possible[k, hand]:
                probabilities[k, hand, :] = 0.0
            elif count == 0:
                play_strength(t, r, hands[k if possible.shape[1] == 1 else hand], probabilities[k, hand])


@compiled
def decide(query: Query, t: TableRecord, r: RulesRecord, moves: Ints, probabilities: Floats) -> int:
    """What the strategy plays at a table. moves, probabilities: as `mix_places` writes them. Returns how many moves
    there are; 0 if the tree cannot say."""
    count = 0
    if t.moves <= MAX_MOVES:
        count = mix_places(query, t, r, follow_history(query, t, r, 0, ROOT, t.actor, t.moves), moves, probabilities)
    if count == 0 and street_is_remembered(t):
        node = enter_again(query.strategy, t)
        if node != NO_CHILD:
            now = follow_history(query, t, r, t.street, node, t.actor, t.moves)
            count = mix_places(query, t, r, now, moves, probabilities)
    return count


@inline
def is_no_deeper(strategy: StrategyArrays, t: TableRecord, r: RulesRecord) -> bool:
    """Whether all-in at a table still is what all-in is in the tree."""
    return min(t.start_stack[0], t.start_stack[1]) <= STILL_ALL_IN * strategy.depth * r.big_blind


@compiled
def mix_places(query: Query, t: TableRecord, r: RulesRecord, now: int, moves: Ints, probabilities: Floats) -> int:
    """What the strategy plays at its places, mixed by how likely they are. moves: (MAX_OFFERED,), probabilities:
    (H, MAX_OFFERED), both written. Returns how many moves there are; 0 if no place can say anything.

    The tree may be at its end at some places while the hand goes on: a bet was taken for all-in, or a raise for a call.
    Those are dropped while there are others."""
    strategy, buckets, places, all_in_stays = query
    hands = places.reach.shape[2]
    player, call = int64(t.actor) ^ t.button, call_price(t, t.actor)
    legal, wager = (t.raise_min, t.raise_max, call), (t.bet_to_match, t.pot + call, r.smallest_chip)
    total = 0.0
    for place in range(places.used[now]):
        is_usable = turn_at(strategy, places.node[now, place], t.street, player) != LOST
        places.reading[now, place] = places.reading[now, place] if is_usable else 0.0
        total += places.reading[now, place]
        places.reach[now, place, :] *= 1.0 if is_usable else 0.0
    if total <= 0.0:
        return 0
    normalize(places, now, total)
    moves[:] = NO_MOVE
    probabilities[:, :] = 0.0
    count = 0
    for place in range(places.used[now]):
        node = places.node[now, place]
        if places.reading[now, place] == 0.0:
            continue
        if turn_at(strategy, node, t.street, player) == ROUND_OVER:
            at, count = index_of_move(moves, count, CHECK_CALL)
            for hand in range(hands):
                probabilities[hand, at] += places.reach[now, place, hand]
            continue
        first = strategy.sizes.first_child[node]
        for child in range(first, first + strategy.sizes.children[node]):
            move = real_move(strategy.sizes, child, legal, wager, all_in_stays)
            at, count = index_of_move(moves, count, move)
            for hand in range(hands):
                played = probability_of(strategy, node, child, buckets[t.street, hand])
                probabilities[hand, at] += places.reach[now, place, hand] * played
    return count


@inline
def index_of_move(moves: Ints, count: int, move: int) -> tuple[int, int]:
    """The index of a move among those found so far, and how many there are then. Behind a full list comes the last."""
    for k in range(count):
        if moves[k] == move:
            return k, count
    if count == MAX_OFFERED:
        return count - 1, count
    moves[count] = move
    return count, count + 1


@inline
def normalize(places: Places, now: int, total: Any) -> None:
    """Make the reach probabilities of each hand sum to 1. A hand that would not have come here has those of the
    readings, which sum to `total`."""
    for hand in range(places.reach.shape[2]):
        reached = 0.0
        for place in range(places.used[now]):
            reached += places.reach[now, place, hand]
        for place in range(places.used[now]):
            if reached > LEAST_REACH:
                places.reach[now, place, hand] /= reached
            else:
                places.reach[now, place, hand] = places.reading[now, place] / total


@kernel
def drop_unplayed(moves: Ints, probabilities: Floats) -> int:
    """Take out moves that no hand plays: NO_MOVE in their place, behind the others. Returns how many are left at most.

    moves: (K, A). probabilities: (K, H, A)."""
    most = 0
    for k in range(moves.shape[0]):
        count = 0
        for a in range(moves.shape[1]):
            total = 0.0
            if moves[k, a] != NO_MOVE:
                for hand in range(probabilities.shape[1]):
                    total += probabilities[k, hand, a]
            move, moves[k, a] = moves[k, a], NO_MOVE
            if total > 0.0:
                moves[k, count] = move
                for hand in range(probabilities.shape[1]):
                    played = probabilities[k, hand, a]
                    probabilities[k, hand, a] = 0.0
                    probabilities[k, hand, count] = played
                count += 1
        most = max(most, count)
    return most


@kernel
def reach_probabilities(
    strategy: StrategyArrays,
    tables: Records,
    rules: Records,
    row: int,
    end: int,
    buckets: Ints,
    places: Places,
    reach: Floats,
) -> None:
    """How likely each seat comes to the first `end` moves of the hand at tables[row] with each of its hands, by the
    strategy: reach (2, H), by seat, is written. buckets: (streets, H)."""
    t = tables[row]
    r = rules[t.stage]
    for seat in range(2):
        query = Query(strategy, buckets, places, is_no_deeper(strategy, t, r))
        now = follow_history(query, t, r, 0, ROOT, seat, end)
        reach[seat, :] = 0.0
        for place in range(places.used[now]):
            for hand in range(reach.shape[1]):
                reach[seat, hand] += places.reach[now, place, hand]


# Off the tree


@inline
def street_is_remembered(t: TableRecord) -> bool:
    """Whether the record remembers all moves of the running street, and this is not the first, where there is no other
    beginning than the root."""
    return t.street > 0 and (t.moves <= MAX_MOVES or t.move_street[first_move(t) % MAX_MOVES] < t.street)


@inline
def enter_again(strategy: StrategyArrays, t: TableRecord) -> int:
    """The node at which the running street begins with the nearest stack-to-pot ratio; NO_CHILD if there is none."""
    street, pot = t.street, t.pot
    behind = t.stack[0] + t.street_bets[0, street]
    for seat in range(2):
        pot -= t.street_bets[seat, street]
        behind = min(behind, t.stack[seat] + t.street_bets[seat, street])
    depth = behind / pot + DEPTH_SPARE
    best, best_ratio = NO_CHILD, np.inf
    low, high = strategy.entry_first[street], strategy.entry_first[street + 1]
    end = high
    while low < high:
        middle = (low + high) // 2
        if strategy.entry_depth[middle] + DEPTH_SPARE < depth:
            low = middle + 1
        else:
            high = middle
    for at in range(max(low - 1, strategy.entry_first[street]), min(low + 1, end)):
        here = strategy.entry_depth[at] + DEPTH_SPARE
        ratio = max(here / depth, depth / here)
        if ratio < best_ratio:
            best, best_ratio = strategy.entry_node[at], ratio
    return best


@compiled
def strength_moves(t: TableRecord, r: RulesRecord, moves: Ints) -> None:
    """Write the moves that `play_strength` chooses from: fold, check or call, and a raise of the pot if it is legal."""
    moves[:] = NO_MOVE
    moves[0] = FOLD
    moves[1] = CHECK_CALL
    if t.raise_max > 0:
        total = raise_of_pot(t.bet_to_match, t.pot + call_price(t, t.actor), 1, 1, r.smallest_chip)
        moves[2] = nearest_raise(t.raise_min, t.raise_max, total, r.smallest_chip)


@compiled
def play_strength(t: TableRecord, r: RulesRecord, hole: Ints, probabilities: Floats) -> None:
    """Write 1.0 for the one of `strength_moves` that a hand plays by its strength and the price. probabilities: (3 or
    more,), zeros before."""
    call = call_price(t, t.actor)
    raises = 0
    for street in range(r.streets):
        raises += t.street_raises[1 - t.actor, street]
    share, _ = strength_and_spread(hole, r.hole_cards, t.board, t.board_count)
    share = share ** (1.0 + BY_RAISE * min(raises, MAX_RAISES))
    if call > 0 and share < call / (winnable_chips(t, t.actor, call) + call):
        probabilities[0] = 1.0
    elif t.raise_max > 0 and share > (RAISES if call > 0 else BETS):
        probabilities[2] = 1.0
    else:
        probabilities[1] = 1.0
