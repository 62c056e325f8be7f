"""A strategy in words: a line for each decision and hand."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..cards.text import RANKS, cards_text
from .public_game import PublicGame
from .reading import move_words
from .trees import BettingTree
from .trees.walking import DECISION

MAX_LINES = 2_000
PLAYERS = ("button", "other")
SURE = 1e-9


Decision: TypeAlias = tuple[str, str, str, str, list[tuple[str, float]]]


def decisions_of(game: PublicGame, strategy: NDArray[Any]) -> list[Decision]:
    """By decision and hand: who is to act, the moves before, the board, the hand, and each move with its probability.
    Hands of the same ranks that are played alike are one. Raises ValueError for more than MAX_LINES."""
    if (count := sum(len(game.boards_at(node)) for node in game.decisions)) > MAX_LINES:
        raise ValueError(f"table: {count:,} decisions are too many to read, at most {MAX_LINES:,}")
    found: list[Decision] = []
    for node in _in_order_of_play(game.tree):
        before = _moves_before(game.tree, node) or "first"
        who = PLAYERS[int(game.tree.player[node])]
        moves = move_words(game.tree, node)
        for board in game.boards_at(node):
            lying = cards_text(game.boards.lying(board)) or "-"
            for hand, probabilities in _hands_at(game, strategy, node, board):
                found.append((who, before, lying, hand, list(zip(moves, probabilities, strict=True))))
        if len(found) > MAX_LINES:
            raise ValueError(f"table: more than {MAX_LINES:,} lines are too many to read")
    return found


def _in_order_of_play(tree: BettingTree) -> list[int]:
    found, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if tree.kind[node] == DECISION:
            found.append(node)
            first = int(tree.first_child[node])
            waiting += reversed(range(first, first + int(tree.children[node])))
    return found


def table_of(game: PublicGame, strategy: NDArray[Any]) -> str:
    """`decisions_of` as text, a line for each."""
    rows = [("to act", "moves", "board", "hand", "plays")]
    for to_act, before, board, hand, plays in decisions_of(game, strategy):
        rows.append((to_act, before, board, hand, ", ".join(f"{move} {p:.3f}" for move, p in plays)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _hands_at(game: PublicGame, strategy: NDArray[Any], node: int, board: int) -> list[tuple[str, list[float]]]:
    """The possible hands and how they are played; by ranks where all hands of these ranks are played alike."""
    held = game.boards.hands(int(game.tree.player[node]), board)
    plays = game.rows(strategy, node)[board - game.boards_at(node)[0], :, : len(held)].T
    by_ranks: dict[str, list[int]] = {}
    for place in np.argsort(held).tolist():
        ranks = "".join(RANKS[card // 4] for card in game.hands.cards[held[place]].tolist())
        by_ranks.setdefault(ranks, []).append(place)
    lines: list[tuple[str, list[float]]] = []
    for ranks, places in by_ranks.items():
        if np.ptp(plays[places], axis=0).max() <= SURE:
            lines.append((ranks, plays[places[0]].tolist()))
        else:
            lines += [(cards_text(game.hands.cards[held[k]].tolist()), plays[k].tolist()) for k in places]
    return lines


def _moves_before(tree: BettingTree, node: int) -> str:
    """The moves before a node, streets separated by a bar; "" at the root."""
    words: list[str] = []
    path = tree.path(node)
    while node > 0:
        parent = int(tree.parent[node])
        words.append(path.pop() + (" |" if tree.street[node] > tree.street[parent] else ""))
        node = parent
    return ", ".join(reversed(words)).replace(" |, ", " | ")
