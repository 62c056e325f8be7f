"""What a best response with exact cards wins from a blueprint strategy, on sampled boards.

The responder plays inside the strategy's betting tree, but sees its cards and the board where the strategy sees
buckets. On each board that is drawn, all five cards, both hands' ranges are followed whole through the tree. From one
street on the responder takes the best move with each hand; before, it plays the strategy itself. What it wins is exact
for that board, and the mean over boards has an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_CARDS, possible_combos
from ...cards.evaluation import evaluate
from ...cards.text import CARDS
from ...solvers.blueprints.strategy import Strategy
from ...solvers.trees.walking import DECISION, FOLDED
from ..statistics.intervals import fixed_interval
from ..statistics.results import THOUSAND

Values = NDArray[np.float64]
BOARD = 5
SALT = 0x424F5244
RIVER = 3
PLAYED = -1
"""The last row of values, of the strategy itself; the rows before are of best responses, one for each first street."""


@dataclass(frozen=True)
class BoardResponse:
    """What a best response wins more than the strategy itself, in mbb/h: the mean of both seats with its 95 % interval
    over boards. from_street: before it, the responder plays the strategy."""

    from_street: int
    mean: float
    half_width: float
    boards: int

    @property
    def knows_the_future(self) -> bool:
        """Whether the responder decides before the board is complete, and knows which cards will come."""
        return self.from_street < RIVER

    def __str__(self) -> str:
        what = "at most, as it knows the cards to come" if self.knows_the_future else "at least, on the river alone"
        rate = f"{self.mean:+.0f} ± {self.half_width:.0f} mbb/h"
        return f"best response with exact cards, from street {self.from_street}: {rate} ({what}; {self.boards} boards)"


def best_responses_on_boards(
    strategy: Strategy,
    boards: int = 20,
    from_streets: Sequence[int] = (3, 0),
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[BoardResponse]:
    """What best responses inside the strategy's betting tree, with exact cards, win from a blueprint strategy: one for
    each street from which they deviate from it.

    From street 3 the responder deviates on the river alone, and knows nothing that it may not know. The mean is what
    such a response wins exactly, up to the boards drawn: a lower bound of what can be won inside the tree. From street
    0, 1 or 2 it deviates earlier, too, and knows all five cards of the board from there on. So the mean is biased
    upwards: from street 0 it is an upper bound of what can be won inside the tree, and usually a high one.

    Nothing is said of sizes that are not in the tree. boards: how many are drawn. seed: of the boards. progress: called
    with 1 after each board. A board takes some 0.2 ms for each node of the tree. Raises ValueError for fewer than 1
    boards and other streets than 0 to 3.
    """
    if boards < 1:
        raise ValueError(f"boards: {boards}; give 1 or more")
    if wrong := [street for street in from_streets if not 0 <= street <= RIVER]:
        raise ValueError(f"from_streets: {wrong[0]}; streets are 0 (before the flop) to {RIVER} (river)")
    generator = np.random.default_rng([SALT, seed])
    gains = np.zeros((boards, len(from_streets)))
    for number in range(boards):
        board = generator.choice(CARDS, BOARD, replace=False)
        gains[number] = np.mean([_Walk(strategy, board, player, from_streets).gains() for player in range(2)], axis=0)
        if progress:
            progress(1)
    found = [fixed_interval(each * THOUSAND / strategy.rules.big_blind) for each in gains.T]
    return [
        BoardResponse(street, each.mean, each.half_width, boards)
        for street, each in zip(from_streets, found, strict=True)
    ]


class Showdowns:
    """All hands on a board, weakest first, and what meets what: each in a few sums over the sorted hands.

    combos: (H,), the hands' numbers. The hands that one has beaten are those before it without its cards: the sum over
    all, less those with one of its cards, of which each card has a list of its own.
    """

    def __init__(self, board: NDArray[np.integer]) -> None:
        possible = np.flatnonzero(possible_combos(board))
        hands = COMBO_CARDS[possible]
        values = evaluate(np.concatenate([hands, np.broadcast_to(board, (len(hands), BOARD))], axis=1))
        order = np.argsort(values, kind="stable")
        self.combos, sorted_values = possible[order], values[order]
        self._first = np.searchsorted(sorted_values, sorted_values, "left")
        self._last = np.searchsorted(sorted_values, sorted_values, "right")
        cards = COMBO_CARDS[self.combos]
        rest = np.setdiff1d(np.arange(CARDS), board)
        self._lists = np.array([np.flatnonzero((cards == card).any(axis=1)) for card in rest])
        self._list_of = np.searchsorted(rest, cards)  # (H, 2)
        of_hand = self._lists[self._list_of]  # (H, 2, hands with the card)
        self._first_in = (of_hand < self._first[:, None, None]).sum(axis=2)
        self._last_in = (of_hand < self._last[:, None, None]).sum(axis=2)

    def met(self, reach: Values) -> tuple[Values, Values, Values]:
        """How much of the other's reach, (H,), each hand beats, ties with and meets at all."""
        before = np.concatenate([[0.0], np.cumsum(reach)])
        by_card = np.zeros((len(self._lists), self._lists.shape[1] + 1))
        np.cumsum(reach[self._lists], axis=1, out=by_card[:, 1:])
        beaten = before[self._first] - by_card[self._list_of, self._first_in].sum(axis=1)
        not_lost = before[self._last] - by_card[self._list_of, self._last_in].sum(axis=1) + reach
        all_met = before[-1] - by_card[self._list_of, -1].sum(axis=1) + reach
        return beaten, not_lost - beaten, all_met


class _Walk:
    """One player's best response on one board."""

    def __init__(
        self, strategy: Strategy, board: NDArray[np.integer], player: int, from_streets: Sequence[int]
    ) -> None:
        self.strategy, self.tree, self.player = strategy, strategy.tree, player
        self.from_streets = np.array([*from_streets, RIVER + 1])  # the last row never deviates
        self.showdowns = Showdowns(board)
        seen = np.cumsum(strategy.rules.board_cards)
        self.buckets = [
            np.asarray(strategy.cards.buckets(street, board[:count].tolist()))[self.showdowns.combos]
            for street, count in enumerate(seen)
        ]

    def gains(self) -> Values:
        """What the best responses win more than the strategy, in chips a hand."""
        hands = len(self.showdowns.combos)
        values = self._value(0, np.ones(hands)).sum(axis=1)
        gains: Values = (values[:PLAYED] - values[PLAYED]) / self.showdowns.met(np.ones(hands))[2].sum()
        return gains

    def _value(self, node: int, reach: Values) -> Values:
        """(R, H): the value of each hand from a node on against the other's reach, (H,), row by row."""
        tree = self.tree
        if tree.kind[node] != DECISION:
            return self._end(node, reach)
        strategy = self._strategy(node)
        first = int(tree.first_child[node])
        if tree.player[node] != self.player:
            total = np.zeros((len(self.from_streets), len(reach)))
            for k in range(strategy.shape[1]):
                total += self._value(first + k, reach * strategy[:, k])
            return total
        children = np.array([self._value(first + k, reach) for k in range(strategy.shape[1])])
        values: Values = np.einsum("kvh,hk->vh", children, strategy)
        best = self.from_streets <= tree.street[node]
        values[best] = children[:, best].max(axis=0)
        return values

    def _end(self, node: int, reach: Values) -> Values:
        beaten, tied, met = self.showdowns.met(reach)
        won, lost, tie = self.tree.payoff[node, [self.player, 1 - self.player, 2], self.player].tolist()
        if self.tree.kind[node] == FOLDED:
            values = met * won
        else:
            values = beaten * won + tied * tie + (met - beaten - tied) * lost
        return np.tile(values, (len(self.from_streets), 1))

    def _strategy(self, node: int) -> Values:
        """(H, children): the probabilities of each hand's moves."""
        by_bucket = self.strategy.probabilities(int(self.tree.decision[node]))
        strategy: Values = np.take(by_bucket, self.buckets[self.tree.street[node]], axis=0)
        return strategy
