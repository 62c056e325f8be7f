"""Training on hold'em's deals, which are drawn, put into buckets and compared in the kernel itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...cards.evaluator import card_code, card_mask, start_code, value_of
from ...cards.text import CARDS
from ...compiled.compiler import inline, kernel
from ...compiled.records import Records
from ...compiled.scalars import Floats, Ints, int64
from ...engine.random_numbers import draw_to, hand_stream
from ...equities.holdem import BOARD, HOLE
from ..card_tables.dealing import DealTables, deal_buckets
from .mccfr import sweep

PLAYERS = 2
DEALT = PLAYERS * HOLE + BOARD
SEVEN = HOLE + BOARD
TIE = 2


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
    code, mask = start_code(SEVEN), int64(0)
    for k in range(BOARD):
        code += card_code(board[k])
        mask += card_mask(board[k])
    first, second = hand_value(hole[0], code, mask), hand_value(hole[1], code, mask)
    return TIE if first == second else int64(second > first)


@kernel
def train_holdem(
    nodes: Records,
    payoffs: Floats,
    cumulative: Floats,
    visits: Records,
    tables: DealTables,
    first: int,
    count: int,
    seed: Any,
    unit_deals: Any,
    totals: Floats,
) -> None:
    """Train with hold'em's deals. tables: DealTables. The other arguments are those of `train_listed`.

    A deal depends on the seed and its number alone, not on how the work is divided.
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
            stream, visited, value = sweep(
                nodes, payoffs, cumulative, visits, buckets, outcome, traverser, weight, stream
            )
            totals[0] += visited
            if traverser == 0:
                totals[1] += value
