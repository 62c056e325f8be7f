"""What a seat's cards are worth at the showdown, by the game's own ranking."""

from __future__ import annotations

from .compiling import inline
from .evaluator import evaluate_hole_and_board


@inline
def seat_value(t, r, seat):
    """The value of the best five of the seat's hole cards and the board (R1-R3); bigger is better."""
    return evaluate_hole_and_board(t.hole[seat], r.hole_cards, t.board, t.board_count)
