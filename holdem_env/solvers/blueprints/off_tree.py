"""What a blueprint plays where its tree cannot say anything, in a hand of more moves than are remembered for example:
by the strength of its hand and the price of a call, never by checking or calling whatever comes."""

from __future__ import annotations

from ...compiled.compiler import compiled
from ...engine.batch import NO_MOVE
from ...engine.betting import call_price
from ...engine.pots import winnable_chips
from ...engine.record import CHECK_CALL, FOLD
from ...equities.strength import strength_and_spread
from .consulting import MOST_CHOICES

BY_RAISE = 0.6
"""An opponent who has raised n times holds the best of 1 + 0.6 n random hands."""
MOST_RAISES = 5
BETS, RAISES = 0.7, 0.75
"""From what chance to win on the seat bets, and raises."""
STRENGTH_MOVES = 3


@compiled
def play_strength(t, r, hole, chances):
    """What a hand plays by strength and price: chances (3,) of folding, checking or calling, and raising the pot."""
    chances[:] = 0.0
    call = call_price(t, t.actor)
    raises = 0
    for street in range(r.streets):
        raises += t.street_raises[1 - t.actor, street]
    share, _ = strength_and_spread(hole, r.hole_cards, t.board, t.board_count)
    share = share ** (1.0 + BY_RAISE * min(raises, MOST_RAISES))
    if call > 0 and share < call / (winnable_chips(t, t.actor, call) + call):
        chances[0] = 1.0
    elif t.raise_max > 0 and share > (RAISES if call > 0 else BETS):
        chances[2] = 1.0
    else:
        chances[1] = 1.0


@compiled
def list_strength_moves(t, r, moves):
    """The moves that `play_strength` chooses from. moves: (MOST_CHOICES,). Returns how many there are."""
    moves[:MOST_CHOICES] = NO_MOVE
    moves[0] = FOLD
    moves[1] = CHECK_CALL
    if t.raise_max == 0:
        return 2
    total = t.bet_to_match + t.pot + call_price(t, t.actor)
    total -= total % r.smallest_chip
    moves[2] = max(t.raise_min, min(total, t.raise_max))
    return STRENGTH_MOVES
