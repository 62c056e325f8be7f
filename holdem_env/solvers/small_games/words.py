"""A strategy for a small game in words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cards.text import RANKS, cards_text
from ...engine.legality import move_text
from ...engine.record import FOLD
from ...game.rules import Rules
from .every_move import Betting
from .public_tree import PublicTree

MOST_LINES = 2_000
PLAYERS = ("button", "other")
SURE = 1e-9


def move_words(rules: Rules, betting: Betting, node: int) -> str:
    """The move that leads to a betting node: "fold", "check", "call", "bet 4" or "raise to 8"."""
    parent, move = int(betting.parent[node]), int(betting.move[node])
    first = int(betting.first_child[parent])
    faces_bet = int(betting.move[first]) == FOLD
    return move_text(move, call=faces_bet, opens=not (faces_bet or _has_blinds(rules, betting, parent)))


def _has_blinds(rules: Rules, betting: Betting, node: int) -> bool:
    return int(betting.street[node]) == 0 and rules.big_blind + rules.straddle > 0


def history_words(rules: Rules, betting: Betting, node: int) -> str:
    """The moves before a betting node, streets separated by a bar; "" at the root."""
    words: list[str] = []
    while node > 0:
        parent = int(betting.parent[node])
        new_street = betting.street[node] > betting.street[parent]
        words.append(move_words(rules, betting, node) + (" |" if new_street else ""))
        node = parent
    return ", ".join(reversed(words)).replace(" |, ", " | ")


def table_of(tree: PublicTree, strategy: NDArray[Any]) -> str:
    """A line for each decision and hand: who is to act, the moves before, the board, the hand, and how likely each move
    is. Hands of the same ranks that are played alike share a line. Raises ValueError for more than MOST_LINES."""
    if len(tree.places[0]) > MOST_LINES:
        raise ValueError(f"table: {len(tree.places[0]):,} decisions are too many to read, at most {MOST_LINES:,}")
    rows = [("to act", "moves", "board", "hand", "plays")]
    boards = [board for level in tree.hands.boards for board in level]
    for node, board in zip(*(part.tolist() for part in tree.places), strict=True):
        at = int(tree.nodes["betting"][node])
        before = history_words(tree.rules, tree.betting, at) or "first"
        lying = cards_text(boards[board].all_cards) or "-"
        who = PLAYERS[int(tree.nodes["player"][node])]
        moves = [
            move_words(tree.rules, tree.betting, int(tree.betting.first_child[at]) + k) for k in _children(tree, node)
        ]
        for hand, probabilities in _hands_at(tree, strategy, node, board):
            played = ", ".join(f"{move} {p:.3f}" for move, p in zip(moves, probabilities, strict=True))
            rows.append((who, before, lying, hand, played))
        if len(rows) > MOST_LINES:
            raise ValueError(f"table: more than {MOST_LINES:,} lines are too many to read")
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _children(tree: PublicTree, node: int) -> range:
    return range(int(tree.nodes["children"][node]))


def _hands_at(tree: PublicTree, strategy: NDArray[Any], node: int, board: int) -> list[tuple[str, list[float]]]:
    """The possible hands and how they are played; by ranks where all hands of these ranks are played alike."""
    plays = tree.strategy_at(strategy, node)[:, board - int(tree.nodes["board"][node])].T
    by_ranks: dict[str, list[int]] = {}
    for hand in np.flatnonzero(tree.arrays.free[board]).tolist():
        by_ranks.setdefault("".join(RANKS[card // 4] for card in tree.hands.cards[hand].tolist()), []).append(hand)
    lines: list[tuple[str, list[float]]] = []
    for ranks, hands in by_ranks.items():
        if np.ptp(plays[hands], axis=0).max() <= SURE:
            lines.append((ranks, plays[hands[0]].tolist()))
        else:
            lines += [(cards_text(tree.hands.cards[hand].tolist()), plays[hand].tolist()) for hand in hands]
    return lines
