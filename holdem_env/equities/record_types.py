"""The records that equities are counted in, as annotations; their dtypes stand in the modules named.

A test holds these lists to the dtypes.
"""

from __future__ import annotations

from typing import Protocol

from ..compiled.scalars import Floats, Ints


class Matchup(Protocol):
    """MATCHUP of exact.py, `m`: known hands, and what comes of them."""

    players: int
    code: Ints
    mask: Ints
    key: Ints
    flush: Ints
    plain: Ints
    best: Ints
    win: Ints
    tie: Ints
    share: Ints
    rank_key: Ints
    rank_ways: Ints
    rank_count: Ints
    suit_key: Ints
    suit_ranks: Ints
    suit_count: Ints


class Deal(Protocol):
    """DEAL of sampling.py, `d`: ranges, and the hands dealt out of them."""

    players: int
    kind: Ints
    order: Ints
    first: Ints
    range_code: Ints
    range_mask: Ints
    range_weight: Floats
    range_upto: Floats
    board_code: int
    board_mask: int
    missing: int
    deck: Ints
    deck_count: int
    pair_code: Ints
    pair_mask: Ints
    pair_count: int
    code: Ints
    mask: Ints
    value: Ints
    win: Ints
    tie: Ints
    share: Ints
    square: Ints


class RunOuts(Protocol):
    """RUN_OUTS of run_outs.py, `o`: the live hands and the boards that can come."""

    board_known: int
    missing: int
    live: int
    has_hero: int
    stops_early: int
    seat: Ints
    pots: Ints
    value: Ints
    unseen: Ints
    unseen_count: int
    place: Ints
    laid_code: Ints
    laid_mask: Ints
    contestants: Ints
    boards_won: Ints
    code: Ints
    mask: Ints
    hole: Ints
    folded: Ints
    folded_count: int
    board: Ints


class Sums(Protocol):
    """SUMS of weighted_sampling.py, `s`: sums over weighted samples."""

    w: float
    ww: float
    w_win: Floats
    w_tie: Floats
    w_share: Floats
    ww_share: Floats
    ww_square: Floats
