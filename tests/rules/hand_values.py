"""The engine's values of hands in other games, for tests to call: its own functions only compiled ones may call."""

from __future__ import annotations

from holdem_env.compiled import kernel
from holdem_env.engine import other_rankings


@kernel
def low_value(hole, hole_count, used, board, board_count):
    return other_rankings.low_value(hole, hole_count, used, board, board_count)


@kernel
def pair_value(hole, hole_count, board, board_count):
    return other_rankings.pair_value(hole, hole_count, board, board_count)


@kernel
def value_of_exactly(hole, hole_count, used, board, board_count, ranking):
    return other_rankings.value_of_exactly(hole, hole_count, used, board, board_count, ranking)


@kernel
def value_of_short_deck(hole, hole_count, board, board_count):
    return other_rankings.value_of_short_deck(hole, hole_count, board, board_count)
