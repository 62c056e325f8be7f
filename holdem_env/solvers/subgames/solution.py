"""`SubgameSolution`: what both players do with each of their hands in a solved subgame, and its value."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_CARDS, COMBO_OF, COMBOS, possible_combos
from ...cards.text import CARDS, card_name
from ...equities.questions import CardsLike, read_cards
from ..cfr.regret_matching import normalize
from ..trees import BettingTree
from .agent import SubgameAgent
from .boards import Level
from .charts import Chart
from .files import save_solution
from .paths import find_place, move_words
from .segments import DECISION
from .traversal import Subgame

Place: TypeAlias = int | str | Iterable[str]
"""A node, or the path to it in words."""
TINY = 1e-300


class SubgameSolution:
    """A solved subgame.

    tree: the betting tree; board: its cards at the root; ranges: (2, 1326), the weights of both players' hands.
    iterations: how many were run; seconds: how long that took.
    exploitability: in chips, what a best response inside the tree gains over the strategies, the mean of both players;
    exploitability_percent: the same in percent of the pot.
    values: (2,), the chips that each player takes out of the pot on average, less what it puts in from the root on;
    shares: (2,), the share of the pot that each gets if nobody bets any more.
    ev, equity: (2, 1326), the same for each hand. NaN for hands that are not in the range, or meet none of the other
    player's.
    """

    def __init__(
        self,
        tree: BettingTree,
        board: tuple[int, ...],
        ranges: NDArray[np.float64],
        game: Subgame,
        cumulative_strategy: NDArray[np.float32],
        results: dict[str, Any],
        with_isomorphism: bool = True,
    ) -> None:
        self.tree, self.board, self.ranges = tree, board, ranges
        self._game, self._cumulative_strategy = game, cumulative_strategy
        self.with_isomorphism = with_isomorphism
        self._spot: dict[str, Any] | None = None
        self.iterations: int = results["iterations"]
        self.seconds: float = results["seconds"]
        self.exploitability: float = results["exploitability"]
        self.ev: NDArray[np.float64] = results["ev"]
        self.equity: NDArray[np.float64] = results["equity"]
        self.values: NDArray[np.float64] = results["values"]
        self.shares: NDArray[np.float64] = results["shares"]

    @property
    def pot(self) -> int:
        """The chips in the middle at the root."""
        return int(self.tree.pot[0])

    @property
    def exploitability_percent(self) -> float:
        """The exploitability in percent of the pot."""
        return 100 * self.exploitability / self.pot

    def strategy(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """What the player to act at a place does with each hand: (1326, children), probabilities in the order of
        `moves(place)`; rows of zeros for hands that are not in the range.

        place: a node of the tree, or the path to it, such as "check, bet 75, call, 9s, check". dealt: the cards dealt
        since the root, where the path does not name them; as many as there are streets between.
        Raises ValueError for other cards, for a path that the tree does not have, and where nobody is to act.
        """
        node, cards = self._place(place, dealt)
        player, children = int(self.tree.player[node]), int(self.tree.children[node])
        depth, board, places = self._find(player, cards)
        count, width = int(self._game.levels[depth].count[player, board]), int(self._game.width[player, depth])
        first = int(self._game.offset[node]) + board * children * width
        rows = self._cumulative_strategy[first : first + children * width].reshape(children, width)[:, :count]
        answer = np.zeros((COMBOS, children))
        answer[places] = normalize(rows.T.astype(np.float64), axis=1)
        return answer

    def moves(self, place: Place = 0) -> list[str]:
        """The moves at a place in words, in the order of the columns of `strategy`: ["check", "bet 75", "bet 200"]."""
        return move_words(self.tree, place if isinstance(place, int) else find_place(self.tree, place)[0])

    def reach(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """(2, 1326): with which weight each hand of both players comes to a place: its weight in the range times the
        probability of the player's moves on the way. Arguments and errors as those of `strategy`."""
        node, cards = self._place(place, dealt, needs_decision=False)
        weights = np.where(possible_combos(np.array([*self.board, *cards], np.int64)), self.ranges, 0.0)
        while node:
            parent = int(self.tree.parent[node])
            known = int(self.tree.street[parent]) - int(self.tree.street[0])
            rows = self.strategy(parent, cards[:known])
            weights[self.tree.player[parent]] *= rows[:, node - int(self.tree.first_child[parent])]
            node = parent
        return weights

    def frequencies(self, place: Place = 0, dealt: CardsLike = ()) -> dict[str, float]:
        """How often the player to act makes each move, over all hands that come there; by the move's words. A hand
        counts with its weight alone, whatever hands it meets."""
        node, cards = self._place(place, dealt)
        weights = self.reach(node, cards)[self.tree.player[node]]
        shares = weights @ self.strategy(node, cards) / max(weights.sum(), TINY)
        return dict(zip(self.moves(node), shares.tolist(), strict=True))

    def chart(self, place: Place = 0, dealt: CardsLike = ()) -> Chart:
        """What the player to act does with each kind of hand, as a chart of 13 x 13. Arguments as `strategy`."""
        node, cards = self._place(place, dealt)
        weights = self.reach(node, cards)[self.tree.player[node]]
        return Chart(self.moves(node), self.strategy(node, cards), weights)

    def _place(self, place: Place, dealt: CardsLike, needs_decision: bool = True) -> tuple[int, list[int]]:
        """A node, and the cards dealt before it."""
        cards: list[int] = [*read_cards("dealt", dealt)]
        if isinstance(place, int | np.integer):
            node = int(place)
            if not 0 <= node < len(self.tree):
                raise ValueError(f"solution: there is no node {node}; the tree has 0 to {len(self.tree) - 1}")
        else:
            node, named = find_place(self.tree, place)
            cards = [*named, *cards]
        if needs_decision and self.tree.kind[node] != DECISION:
            raise ValueError(f"solution: nobody is to act at node {node}, {', '.join(self.tree.path(node))}")
        return node, self._checked_deal(node, cards)

    def _checked_deal(self, node: int, cards: list[int]) -> list[int]:
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

    def with_spot(self, pot: int, stacks: Any) -> SubgameSolution:
        """This solution, which now knows the spot that it is of, and so can be saved."""
        self._spot = {
            "pot": int(pot),
            "stacks": stacks if isinstance(stacks, int | str) else [*stacks],
        }
        return self

    def save(self, path: Path | str) -> None:
        """Write the solution to a file of data alone (.npz), atomically; `load_solution` reads it.

        Raises OSError, and ValueError for the solution of a tree that did not come from a spot (`solve_subgame`).
        """
        save_solution(self, path)

    def agent(self, seed: int = 0) -> SubgameAgent:
        """An agent that plays this solution at tables that come to its spot."""
        return SubgameAgent(self, seed)

    def describe(self, place: Place = 0, dealt: CardsLike = ()) -> str:
        """The solution in a few lines: how often moves are made at a place, what both players win, how good it is."""
        lines = [repr(self)]
        for player, name in enumerate(("button", "other")):
            value = f"EV {self.values[player]:.2f} chips, equity {100 * self.shares[player]:.1f} %"
            lines.append(f"player {player} ({name}): {value}")
        node, cards = self._place(place, dealt)
        where = ", ".join(self.tree.path(node)) or "first"
        moves = ", ".join(f"{move} {100 * share:.1f} %" for move, share in self.frequencies(node, cards).items())
        return "\n".join([*lines, f"player {self.tree.player[node]}, {where}: {moves}"])

    def __repr__(self) -> str:
        return (
            f"<SubgameSolution of {' '.join(card_name(card) for card in self.board)}, {len(self.tree):,} nodes: "
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
