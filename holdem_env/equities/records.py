"""The records that equities are counted in. Each is a NumPy structured dtype, made from its annotated class."""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np

from ..compiled.records import Float64, Int64, dtype_of
from ..compiled.scalars import Floats, Ints
from ..engine.record import MAX_BOARD, MAX_SEATS
from .holdem import BOARD, COMBOS, DECK, HOLE, MAX_PLAYERS

RANK_BOARDS, SUIT_BOARDS = 6175, 1287  # multisets of five ranks, sets of five cards of one suit


class Matchup(Protocol):
    """MATCHUP, `m`: known hands, and what comes of them."""

    players: Int64
    # Of each player: sums over the hole cards; what the key starts with (start code and known board included); the
    # classes of the flush (0 without), by ranks alone, and of the hand; what came of it.
    code: Annotated[Ints, np.int64, MAX_PLAYERS]
    mask: Annotated[Ints, np.int64, MAX_PLAYERS]
    key: Annotated[Ints, np.int64, MAX_PLAYERS]
    flush: Annotated[Ints, np.int64, MAX_PLAYERS]
    plain: Annotated[Ints, np.int64, MAX_PLAYERS]
    best: Annotated[Ints, np.int64, MAX_PLAYERS]
    win: Annotated[Ints, np.int64, MAX_PLAYERS]  # boards won alone
    tie: Annotated[Ints, np.int64, MAX_PLAYERS]  # boards shared
    share: Annotated[Ints, np.int64, MAX_PLAYERS]  # POT times the shares of these
    # The missing board cards, listed by how many they are, 0 to 5: by rank, and of one suit.
    rank_key: Annotated[Ints, np.int64, (BOARD + 1, RANK_BOARDS)]
    rank_ways: Annotated[Ints, np.int64, (BOARD + 1, RANK_BOARDS)]  # in how many ways they can be dealt
    rank_count: Annotated[Ints, np.int64, BOARD + 1]  # how long the lists are
    suit_key: Annotated[Ints, np.int64, (BOARD + 1, SUIT_BOARDS)]
    suit_ranks: Annotated[Ints, np.int64, (BOARD + 1, SUIT_BOARDS)]  # as masks
    suit_count: Annotated[Ints, np.int64, BOARD + 1]


MATCHUP = dtype_of(Matchup)


class Deal(Protocol):
    """DEAL, `d`: ranges, and the hands dealt out of them."""

    players: Int64
    kind: Annotated[Ints, np.int64, MAX_PLAYERS]  # KNOWN: one hand; EVEN, WEIGHTED: of a range; ANY
    order: Annotated[Ints, np.int64, MAX_PLAYERS]  # who is dealt first in weighted samples: the smallest range
    # All ranges end to end, and where each begins: sums over the hands' cards, and their weights, and the
    # weights of the hands up to this one, as parts of their range's.
    first: Annotated[Ints, np.int64, MAX_PLAYERS + 1]
    range_code: Annotated[Ints, np.int64, MAX_PLAYERS * COMBOS]
    range_mask: Annotated[Ints, np.int64, MAX_PLAYERS * COMBOS]
    range_weight: Annotated[Floats, np.float64, MAX_PLAYERS * COMBOS]
    range_upto: Annotated[Floats, np.float64, MAX_PLAYERS * COMBOS]
    # The known board: sums (start code included), and how many cards are missing. The cards that may come.
    board_code: Int64
    board_mask: Int64
    missing: Int64
    deck: Annotated[Ints, np.int64, DECK]
    deck_count: Int64
    pair_code: Annotated[Ints, np.int64, COMBOS]  # pairs of them
    pair_mask: Annotated[Ints, np.int64, COMBOS]
    pair_count: Int64
    # Of each player: the hand dealt, and what came of all: samples won alone, shared, POT times the shares of
    # these and their squares.
    code: Annotated[Ints, np.int64, MAX_PLAYERS]
    mask: Annotated[Ints, np.int64, MAX_PLAYERS]
    value: Annotated[Ints, np.int64, MAX_PLAYERS]
    win: Annotated[Ints, np.int64, MAX_PLAYERS]
    tie: Annotated[Ints, np.int64, MAX_PLAYERS]
    share: Annotated[Ints, np.int64, MAX_PLAYERS]
    square: Annotated[Ints, np.int64, MAX_PLAYERS]


DEAL = dtype_of(Deal)


class RunOuts(Protocol):
    """RUN_OUTS, `o`: the live hands and the boards that can come."""

    board_known: Int64  # board cards that lie there
    missing: Int64  # board cards to come
    live: Int64  # hands that have not folded: first the hero's, if there is one, then by seat
    has_hero: Int64  # only one seat's chips are asked for
    stops_early: Int64  # ranking stops at the first hand that leaves nothing for the hero
    seat: Annotated[Ints, np.int64, MAX_SEATS]  # of each live hand
    pots: Annotated[Ints, np.int64, MAX_SEATS]  # how many pots it plays for: the main pot and those above it
    value: Annotated[Ints, np.int64, MAX_SEATS]  # of each live hand on the board laid out last
    unseen: Annotated[Ints, np.int64, DECK]  # the cards that can come, and how many they are
    unseen_count: Int64
    # The board laid out last: the place of each missing card among the unseen, and what the first k add up to.
    place: Annotated[Ints, np.int64, MAX_BOARD]
    laid_code: Annotated[Ints, np.int64, MAX_BOARD + 1]
    laid_mask: Annotated[Ints, np.int64, MAX_BOARD + 1]
    # The pots: who plays for each, and on how many boards which hands win it. Bit k of a set is live hand k.
    contestants: Annotated[Ints, np.int64, MAX_SEATS]
    boards_won: Annotated[Ints, np.int64, (MAX_SEATS, 1 << MAX_SEATS)]
    # Hold'em: sums over each live hand and the known board, for the evaluator; the cards themselves, for exact.py.
    code: Annotated[Ints, np.int64, MAX_SEATS]
    mask: Annotated[Ints, np.int64, MAX_SEATS]
    hole: Annotated[Ints, np.int64, (MAX_SEATS, HOLE)]
    folded: Annotated[Ints, np.int64, MAX_SEATS * HOLE]
    folded_count: Int64
    board: Annotated[Ints, np.int64, BOARD]


RUN_OUTS = dtype_of(RunOuts)


class Sums(Protocol):
    """SUMS, `s`: sums over weighted samples."""

    w: Float64
    ww: Float64
    w_win: Annotated[Floats, np.float64, MAX_PLAYERS]
    w_tie: Annotated[Floats, np.float64, MAX_PLAYERS]
    w_share: Annotated[Floats, np.float64, MAX_PLAYERS]
    ww_share: Annotated[Floats, np.float64, MAX_PLAYERS]
    ww_square: Annotated[Floats, np.float64, MAX_PLAYERS]


SUMS = dtype_of(Sums)
