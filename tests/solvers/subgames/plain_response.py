"""A best response by matrices of all pairs of hands, which shares only tree and strategies with the solver."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env import evaluate
from holdem_env.cards.combos import COMBO_CARDS

DECISION, FOLDED, SHOWDOWN = 0, 1, 2


def live_hands(solution: Any, player: int) -> NDArray[np.int64]:
    return np.flatnonzero(solution.ranges[player] > 0)


class PlainResponse:
    """What a player's hands are worth against the other player's strategy: its best response, or its own strategy."""

    def __init__(self, solution: Any, hero: int, best: bool) -> None:
        self.solution, self.tree, self.hero, self.best = solution, solution.tree, hero, best
        self.own, self.other = live_hands(solution, hero), live_hands(solution, 1 - hero)
        one, two = COMBO_CARDS[self.own], COMBO_CARDS[self.other]
        self.disjoint = ~(one[:, None, :, None] == two[None, :, None, :]).any(axis=(2, 3))

    def gain(self) -> float:
        """Chips on average, dealt with the weights of both ranges."""
        weights = self.solution.ranges
        reach = self.disjoint * weights[1 - self.hero][self.other]
        values = self.value(0, reach, ())
        own = weights[self.hero][self.own]
        return float(own @ values / (own @ reach.sum(axis=1)))

    def value(self, node: int, reach: NDArray[np.float64], dealt: tuple[int, ...]) -> NDArray[np.float64]:
        """By own hand: the chips won, times the weight of the hands met. reach: (own, other)."""
        if self.tree.kind[node] == FOLDED:
            return reach.sum(axis=1) * float(self.tree.payoff[node, 0, self.hero])
        if self.tree.kind[node] == SHOWDOWN:
            return self.showdown(node, reach, dealt)
        first = int(self.tree.first_child[node])
        children = range(first, first + int(self.tree.children[node]))
        rows = self.solution.strategy(node, dealt)
        if self.tree.player[node] != self.hero:
            shares = rows[self.other]
            return sum(self.after(child, reach * shares[:, k], dealt) for k, child in enumerate(children))
        values = np.stack([self.after(child, reach, dealt) for child in children], axis=1)
        return values.max(axis=1) if self.best else (values * rows[self.own]).sum(axis=1)

    def after(self, child: int, reach: NDArray[np.float64], dealt: tuple[int, ...]) -> NDArray[np.float64]:
        if not self.tree.street_start[child]:
            return self.value(child, reach, dealt)
        return self.over_deals(lambda cards, left: self.value(child, left, cards), reach, dealt)

    def over_deals(self, value: Any, reach: NDArray[np.float64], dealt: tuple[int, ...]) -> NDArray[np.float64]:
        board = (*self.solution.board, *dealt)
        total = np.zeros(len(self.own))
        for card in range(52):
            if card not in board:
                free = ~((COMBO_CARDS[self.own] == card).any(1)[:, None] | (COMBO_CARDS[self.other] == card).any(1))
                total += value((*dealt, card), reach * free) / (52 - 4 - len(board))
        return total

    def showdown(self, node: int, reach: NDArray[np.float64], dealt: tuple[int, ...]) -> NDArray[np.float64]:
        board = [*self.solution.board, *dealt]
        if len(board) < 5:
            return self.over_deals(lambda cards, left: self.showdown(node, left, cards), reach, dealt)
        one, two = (self.strengths(hands, board) for hands in (self.own, self.other))
        win, loss, tie = (float(self.tree.payoff[node, case, self.hero]) for case in (self.hero, 1 - self.hero, 2))
        sign = np.sign(one[:, None] - two[None, :])
        return (reach * np.select([sign > 0, sign < 0], [win, loss], tie)).sum(axis=1)

    @staticmethod
    def strengths(hands: NDArray[np.int64], board: list[int]) -> NDArray[np.int64]:
        """0 for hands with a card of the board, which nobody holds."""
        cards = COMBO_CARDS[hands]
        free = ~np.isin(cards, board).any(axis=1)
        values = np.zeros(len(hands), np.int64)
        values[free] = [evaluate([*hand, *board]) for hand in cards[free].tolist()]
        return values


def plain_exploitability(solution: Any) -> float:
    """In chips: the mean of what best responses gain."""
    gains = [PlainResponse(solution, p, True).gain() - PlainResponse(solution, p, False).gain() for p in (0, 1)]
    return sum(gains) / 2
