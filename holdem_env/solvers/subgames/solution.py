"""`Solution`: what both players do with each of their hands in a solved subgame, and what that is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_CARDS, COMBO_OF, COMBOS
from ...cards.text import CARDS, card_name
from ..trees import BettingTree
from .boards import Level
from .segments import DECISION
from .walking import Subgame


class Solution:
    """A solved subgame.

    tree: the betting tree; board: its cards at the root; ranges: (2, 1326), the weights of both players' hands.
    iterations: how many were run; seconds: how long that took.
    exploitability: in chips, what a best response inside the tree gains over the strategies, the mean of both players;
    exploitability_percent: the same in percent of the pot.
    values: (2,), the chips that each player takes out of the pot on average, less what it puts in from the root on.
    ev: (2, 1326), the same for each hand; equity: (2, 1326), the share of the pot that each hand gets if nobody bets
    any more. NaN for hands that are not in the range, or meet none of the other player's.
    """

    def __init__(
        self,
        tree: BettingTree,
        board: tuple[int, ...],
        ranges: NDArray[np.float64],
        game: Subgame,
        averages: NDArray[np.float32],
        facts: dict[str, Any],
    ) -> None:
        self.tree, self.board, self.ranges = tree, board, ranges
        self._game, self._averages = game, averages
        self.iterations: int = facts["iterations"]
        self.seconds: float = facts["seconds"]
        self.exploitability: float = facts["exploitability"]
        self.ev: NDArray[np.float64] = facts["ev"]
        self.equity: NDArray[np.float64] = facts["equity"]
        self.values: NDArray[np.float64] = facts["values"]

    @property
    def pot(self) -> int:
        """The chips in the middle at the root."""
        return int(self.tree.pot[0])

    @property
    def exploitability_percent(self) -> float:
        """The exploitability in percent of the pot."""
        return 100 * self.exploitability / self.pot

    def strategy(self, node: int = 0, dealt: Sequence[int] = ()) -> NDArray[np.float64]:
        """What the player to act at a node does with each hand: (1326, children), probabilities in the order of
        `tree.moves(node)`; rows of zeros for hands that are not in the range.

        dealt: the cards dealt since the root, as many as there are streets between. Raises ValueError for other cards,
        and for a node at which nobody is to act.
        """
        if self.tree.kind[node] != DECISION:
            raise ValueError(f"solution: nobody is to act at node {node}")
        player, children = int(self.tree.player[node]), int(self.tree.children[node])
        depth, board, places = self._find(player, self._checked_deal(node, dealt))
        count, width = int(self._game.levels[depth].count[player, board]), int(self._game.width[player, depth])
        first = int(self._game.offset[node]) + board * children * width
        numbers = self._averages[first : first + children * width].reshape(children, width)[:, :count]
        rows = np.maximum(numbers.T.astype(np.float64), 0)
        total = rows.sum(axis=1, keepdims=True)
        answer = np.zeros((COMBOS, children))
        answer[places] = np.divide(rows, total, out=np.full_like(rows, 1 / children), where=total > 0)
        return answer

    def _checked_deal(self, node: int, dealt: Sequence[int]) -> list[int]:
        cards = [int(card) for card in dealt]
        needed = int(self.tree.street[node]) - int(self.tree.street[0])
        if len(cards) != needed:
            raise ValueError(f"solution: node {node} comes after {needed} dealt cards, not {len(cards)}")
        taken = set(self.board)
        for card in cards:
            if card in taken or not 0 <= card < CARDS:
                there = "is on the board" if card in taken else "is no card"
                raise ValueError(f"solution: {card_name(card) if card in taken else card} {there}")
            taken.add(card)
        return cards

    def _find(self, player: int, dealt: list[int]) -> tuple[int, int, NDArray[np.int64]]:
        """The level of the board with these cards, its number (or that of the one that stands for it), and the combos
        that the hands in its list stand for."""
        levels = self._game.levels
        renaming, board = np.arange(CARDS), 0
        for depth, card in enumerate(dealt):
            board, further = _child(levels[depth], levels[depth + 1], board, int(np.argsort(renaming)[card]))
            renaming = renaming[further]
        level = levels[len(dealt)]
        combos = level.combo[player, board, : level.count[player, board]].astype(np.int64)
        high, low = _cards_of(combos)
        return len(dealt), board, COMBO_OF[renaming[high], renaming[low]]

    def __repr__(self) -> str:
        return (
            f"<Solution of {' '.join(card_name(card) for card in self.board)}, {len(self.tree):,} nodes: "
            f"{self.exploitability_percent:.2f} % of the pot after {self.iterations:,} iterations>"
        )


def _cards_of(combos: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return COMBO_CARDS[combos, 0], COMBO_CARDS[combos, 1]


def _child(level: Level, below: Level, board: int, card: int) -> tuple[int, NDArray[np.int64]]:
    """The board that follows a board with this card, and the renaming that leads from it to the card."""
    for child in range(level.first_child[board], level.first_child[board + 1]):
        for image in range(below.first_image[child], below.first_image[child + 1]):
            renaming = below.renaming[image].astype(np.int64)
            if renaming[below.boards[child, -1]] == card:
                return child, renaming
    raise ValueError(f"solution: {card_name(card)} is not dealt there")
