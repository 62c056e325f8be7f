"""A best response by matrices of all pairs of hands, which shares only tree and strategies with the solver."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env import evaluate
from holdem_env.cards.combos import COMBO_CARDS

DECISION, FOLDED, SHOWDOWN = 0, 1, 2


def live_hands(solution: Any, player: int) -> NDArray[np.int64]:
    return np.flatnonzero(solution.ranges[player] > 0)


class PlainResponse:
    """What a player's hands win against the other player's strategy: by its best response, or by its own strategy."""

    def __init__(self, solution: Any, hero: int, best: bool, strategies: dict[Any, Any] | None = None) -> None:
        self.solution, self.tree, self.hero, self.best = solution, solution.tree, hero, best
        self.own, self.other = live_hands(solution, hero), live_hands(solution, 1 - hero)
        one, two = COMBO_CARDS[self.own], COMBO_CARDS[self.other]
        self.disjoint = ~(one[:, None, :, None] == two[None, :, None, :]).any(axis=(2, 3))
        self.strategies = {} if strategies is None else strategies
        self.run_outs: dict[frozenset[int], NDArray[np.float64]] = {}

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
            win, loss, tie = self.run_out(dealt)
            payoff = self.tree.payoff[node].astype(float)
            pays = win * payoff[self.hero, self.hero] + loss * payoff[1 - self.hero, self.hero]
            return (reach * (pays + tie * payoff[2, self.hero])).sum(axis=1)
        first = int(self.tree.first_child[node])
        children = range(first, first + int(self.tree.children[node]))
        rows = self.strategy(node, dealt)
        if self.tree.player[node] != self.hero:
            return sum(self.after(child, reach * rows[:, k], dealt) for k, child in enumerate(children))
        values = np.stack([self.after(child, reach, dealt) for child in children], axis=1)
        return values.max(axis=1) if self.best else (values * rows).sum(axis=1)

    def strategy(self, node: int, dealt: tuple[int, ...]) -> NDArray[np.float64]:
        """(hands of the player to act, children)."""
        if (node, dealt) not in self.strategies:
            hands = self.own if self.tree.player[node] == self.hero else self.other
            self.strategies[node, dealt] = self.solution.strategy(node, dealt)[hands]
        return self.strategies[node, dealt]

    def after(self, child: int, reach: NDArray[np.float64], dealt: tuple[int, ...]) -> NDArray[np.float64]:
        if not self.tree.street_start[child]:
            return self.value(child, reach, dealt)
        board = (*self.solution.board, *dealt)
        total = np.zeros(len(self.own))
        for card in range(52):
            if card not in board:
                free = ~((COMBO_CARDS[self.own] == card).any(1)[:, None] | (COMBO_CARDS[self.other] == card).any(1))
                total += self.value(child, reach * free, (*dealt, card)) / (52 - 4 - len(board))
        return total

    def run_out(self, dealt: tuple[int, ...]) -> NDArray[np.float64]:
        """(3, own, other): how likely a hand wins, loses and ties against another when the board is run out."""
        if frozenset(dealt) not in self.run_outs:
            known = [*self.solution.board, *dealt]
            deck = [card for card in range(52) if card not in known]
            boards = np.array([[*known, *cards] for cards in combinations(deck, 5 - len(known))])
            one, two = (self.strengths(hands, boards) for hands in (self.own, self.other))
            found = np.zeros((3, len(self.own), len(self.other)))
            for own, other in zip(one, two, strict=True):
                sign = np.sign(own[:, None] - other[None, :])
                possible = self.disjoint & (own[:, None] > 0) & (other[None, :] > 0)
                found += np.stack([sign > 0, sign < 0, sign == 0]) & possible
            self.run_outs[frozenset(dealt)] = found / np.maximum(found.sum(axis=0), 1)
        return self.run_outs[frozenset(dealt)]

    @staticmethod
    def strengths(hands: NDArray[np.int64], boards: NDArray[np.int64]) -> NDArray[np.int64]:
        """(boards, hands): 0 for hands with a card of the board, which nobody holds."""
        cards = np.broadcast_to(COMBO_CARDS[hands], (len(boards), len(hands), 2))
        whole = np.concatenate([cards, np.broadcast_to(boards[:, None], (len(boards), len(hands), 5))], axis=2)
        free = ~(cards[..., None] == boards[:, None, None]).any(axis=(2, 3))
        values = np.zeros(free.shape, np.int64)
        values[free] = evaluate(whole[free].astype(np.int64))
        return values


def plain_gains(solution: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What players 0 and 1 win by best responses, and by their strategies, in chips, less what they have put in."""
    strategies: dict[Any, Any] = {}
    best, played = (
        np.array([PlainResponse(solution, player, which, strategies).gain() for player in (0, 1)])
        for which in (True, False)
    )
    return best, played


def plain_exploitability(solution: Any) -> float:
    """In chips: the mean of what best responses gain."""
    best, played = plain_gains(solution)
    return float((best - played).mean())
