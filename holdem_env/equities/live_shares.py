"""The share of the pot that each live seat could expect if all went to the showdown now, all hole cards known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import compiled, inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints
from ..engine.record import MAX_BOARD, NOBODY, RulesRecord, TableRecord
from ..game.rules import Rules
from .all_in_value import count_boards
from .exact import POT
from .run_outs import (
    Workspace,
    count_live_hands,
    full_board,
    load_cards,
    load_live_hands,
    load_pots,
    load_unseen,
    new_workspace,
)

MAX_MISSING = 3
"""Board cards that are dealt out one by one in games other than hold'em."""


def why_no_shares(rules: Rules) -> str | None:
    """Why shares cannot be counted in a game; None if they can."""
    if rules.split != "high":
        return "in high-low there are two pots to share"
    if not rules.has_holdem_showdowns and sum(rules.board_cards) > MAX_MISSING:
        return f"beside hold'em only games of up to {MAX_MISSING} board cards are counted"
    return None


@inline
def share_of_holdem(t: TableRecord, r: RulesRecord, workspace: Workspace, shares: Floats) -> None:
    """Hold'em's hands, all boards counted."""
    o, m = workspace.run_outs[0], workspace.matchups[0]
    load_cards(o, t, r)
    boards = np.float64(count_live_hands(o, m))
    for p in range(o.live):
        shares[o.seat[p]] = (m.win[p] + m.share[p] / POT) / boards


@compiled
def share_of_others(t: TableRecord, r: RulesRecord, workspace: Workspace, shares: Floats) -> None:
    """All boards of any game, one by one."""
    o, w = workspace.run_outs[0], workspace.tables[0]
    workspace.tables[0] = t
    w.board_count = full_board(r)
    w.pots, w.pot_level[0] = 1, 0  # one, that every live hand plays for
    load_pots(o, w)
    load_unseen(o, w, r)
    boards = count_boards(w, r, workspace.logs[0], o)
    for winners in range(1, 1 << o.live):
        count = 0
        for p in range(o.live):
            count += (winners >> p) & 1
        for p in range(o.live):
            shares[o.seat[p]] += ((winners >> p) & 1) * o.boards_won[0, winners] / np.float64(count * boards)


@kernel
def share_now(tables: Records, rules: Records, board_known: Ints, workspace: Workspace, shares: Floats) -> None:
    """Fill shares (N, seats) for tables on whose boards board_known[i] cards are there; 0 for folded seats."""
    for i in range(tables.size):
        r = rules[tables[i].stage]
        shares[i, :] = 0.0
        load_live_hands(workspace.run_outs[0], tables[i], r, board_known[i], NOBODY)
        if r.holdem_showdowns:
            share_of_holdem(tables[i], r, workspace, shares[i])
        else:
            share_of_others(tables[i], r, workspace, shares[i])


class LiveShares:
    """The shares of live seats, counted exactly, each table and rotation of a deal once. For one thread at a time."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._workspace = new_workspace()

    def __call__(self, tables: Records, board_known: NDArray[np.int64]) -> NDArray[np.float64]:
        """(N, seats) float64, summing to 1 over the live seats, when board_known[i] board cards are there."""
        cards = np.where(np.arange(MAX_BOARD) < board_known[:, None], tables["board"], -1)
        hole = tables["hole"].reshape(len(tables), -1)
        keys = np.concatenate([cards, tables["in_hand"], tables["was_dealt"], hole], axis=1, dtype=np.int8)
        _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        shares = np.empty((len(first), self.rules.seats))
        some = np.take(tables, first)
        share_now(some, self.rules.record, board_known[first].astype(np.int64), self._workspace, shares)
        return shares[which.reshape(-1)]
