"""Off the tree: what a blueprint plays where it has no place in its tree for a hand.

First the hand enters the tree again at the beginning of its street, at the node with the nearest stack-to-pot ratio
(`enter_again`). Where that does not help, in a hand of more moves than are remembered for example, the seat plays by
the strength of its hand and the price of a call (`play_strength`), never by checking or calling whatever comes.
"""

from __future__ import annotations

import numpy as np

from ...compiled.compiler import compiled, inline
from ...compiled.scalars import Floats, Ints
from ...engine.batch import NO_MOVE
from ...engine.bet_sizes import nearest_raise, raise_of_pot
from ...engine.betting import call_price
from ...engine.pots import winnable_chips
from ...engine.record import CHECK_CALL, FOLD, MAX_MOVES, RulesRecord, TableRecord
from ...engine.replay import first_move
from ...equities.strength import strength_and_spread
from .strategy import StrategyArrays
from .translation import NO_CHILD

DEPTH_SPARE = 0.02
"""Added to stack-to-pot ratios before two are compared by their quotient."""
BY_RAISE = 0.6
"""An opponent who has raised n times holds the best of 1 + 0.6 n random hands."""
MAX_RAISES = 5
BETS, RAISES = 0.7, 0.75
"""From what probability to win on the seat bets, and raises."""


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
def strength_moves(t: TableRecord, r: RulesRecord, moves: Ints) -> int:
    """The moves that `play_strength` chooses from: fold, check or call, and a raise of the pot if one is legal. moves
    is written. Returns how many there are."""
    moves[:] = NO_MOVE
    moves[0] = FOLD
    moves[1] = CHECK_CALL
    if t.raise_max == 0:
        return 2
    total = raise_of_pot(t.bet_to_match, t.pot + call_price(t, t.actor), 1, 1, r.smallest_chip)
    moves[2] = nearest_raise(t.raise_min, t.raise_max, total, r.smallest_chip)
    return 3


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
