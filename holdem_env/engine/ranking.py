"""What a seat's hand is worth at the showdown, by the ranking of the game (R1-R3, R32)."""

from __future__ import annotations

from ..cards.evaluator import evaluate_hole_and_board
from ..compiled.compiler import inline
from .other_rankings import low_value, pair_value, value_of_exactly, value_of_short_deck
from .record import PAIR_RANKING, STANDARD_RANKING, RulesRecord, TableRecord


@inline
def adds_up(r: RulesRecord) -> bool:
    """Whether a hand's value follows from the sums of the evaluator over its cards (evaluator.py), as in hold'em."""
    return r.ranking == STANDARD_RANKING and r.hole_cards_used < 0


@inline
def seat_value(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """The value of the seat's hole cards and the board, by default that of the best five (R1-R3); bigger is better."""
    if adds_up(r):
        return evaluate_hole_and_board(t.hole[seat], r.hole_cards, t.board, t.board_count)
    if r.ranking == PAIR_RANKING:
        return pair_value(t.hole[seat], r.hole_cards, t.board, t.board_count)
    if r.hole_cards_used < 0:
        return value_of_short_deck(t.hole[seat], r.hole_cards, t.board, t.board_count)
    return value_of_exactly(t.hole[seat], r.hole_cards, r.hole_cards_used, t.board, t.board_count, r.ranking)


@inline
def seat_low(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """R32: the value of the seat's best low, eight or better; 0 if it has none."""
    return low_value(t.hole[seat], r.hole_cards, r.hole_cards_used, t.board, t.board_count)
