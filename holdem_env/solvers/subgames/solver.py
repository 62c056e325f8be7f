"""`SubgameSolver`: a betting tree on a board while it is solved, by walks of one thread or of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np

from ...cards.combos import COMBOS
from ..cfr import BEST, SUBGAME_DCFR, TRAIN, VALUE
from .game import PLAYERS, RUN_OUT, Subgame, build_levels, make_subgame, opponent_weights, weights_of_hands
from .packing import ONE, STEPS, WHOLE, Numbers, aligned_zeros, new_numbers
from .walk import BOARDS, DOWN, NO_VALUES, SEGMENT, UP, Workspace, new_workspace, run, walk

PARTS = 4
"""Parts of the boards for each thread: who is done first takes the next."""
NOTHING = 1e-6
"""A hand that meets less than this part of what others meet meets none: that is what float32 leaves of zero."""


class SubgameSolver:
    """A subgame while it is solved.

    regrets, cumulative_strategy: Numbers; those of an action node begin at `game.offset`, and stand on each board as
    rows of hands, one for each action. weights: (2, width) float32, of the hands on the first board. bits: 32 or 16, of
    each number. threads: the boards of the first deal are shared out among them.
    """

    def __init__(
        self, tree: Any, board: Any, ranges: Any, with_isomorphism: bool = True, bits: int = 32, threads: int = 1
    ) -> None:
        self.tree, self.board = tree, np.asarray(board, np.int64)
        self.ranges = np.asarray(ranges, np.float64)
        self.levels = build_levels(self.board, self.ranges, with_isomorphism)
        self.game = make_subgame(tree, self.levels)
        self.workspace = new_workspace(self.game)
        self.regrets, self.cumulative_strategy = (new_numbers(self.game, bits) for _ in range(2))
        self.threads, self.bits = threads if len(self.levels) > 1 else 1, bits
        self.weights = weights_of_hands(self.levels[0], self.ranges)
        self.iterations = 0

    def iterate(self, count: int) -> None:
        """Run iterations."""
        self._run(TRAIN, self.factors(count))
        self.iterations += count

    def factors(self, count: int) -> Any:
        """(count, 4) float32: the discounts of the next iterations, and their numbers."""
        numbers = np.arange(self.iterations, self.iterations + count) + 1
        return np.column_stack((SUBGAME_DCFR.factors(self.iterations + 1, count), numbers)).astype(np.float32)

    def values(self, mode: int) -> Any:
        """(2, width) float32: counterfactual values of the hands on the first board. mode: VALUE for both players'
        average strategies, BEST for each player's best response to the other's."""
        return self._run(mode, np.ones((1, 4), np.float32))

    def _run(self, mode: int, factors: Any) -> Any:
        values = np.zeros_like(self.weights)
        if self.threads > 1:
            self._run_in_threads(mode, factors, values)
        else:
            run(self.game, self.workspace, self.weights, self.regrets, self.cumulative_strategy, mode, factors, values)
        return values

    def _run_in_threads(self, mode: int, factors: Any, values: Any) -> None:
        """As `run`."""
        boards = np.arange(len(self.levels[1].boards))
        parts = [boards[k :: PARTS * self.threads] for k in range(PARTS * self.threads)]
        numbers = self.weights, self.regrets, self.cumulative_strategy, mode

        def walk_boards(work: Workspace, waiting: Iterator[Any], kept: Any, hero: int) -> None:
            for some in waiting:
                walk(self.game, work, *numbers, kept, values, BOARDS, hero, some, self._found)

        with ThreadPoolExecutor(self.threads) as pool:
            for k, hero in ((k, hero) for k in range(len(factors)) for hero in range(PLAYERS)):
                kept, waiting = factors[k : k + 1], iter(parts)
                walk(self.game, self.workspace, *numbers, kept, values, DOWN, hero, boards, self._found)
                workspaces = [self.workspace, *self._further_workspaces]
                for each in [pool.submit(walk_boards, work, waiting, kept, hero) for work in workspaces]:
                    each.result()
                walk(self.game, self.workspace, *numbers, kept, values, UP, hero, boards, self._found)

    @cached_property
    def _further_workspaces(self) -> list[Workspace]:
        """One for each further thread, which shares what was written before the deal."""
        found = [new_workspace(self.game) for _ in range(self.threads - 1)]
        return [each._replace(reach=(self.workspace.reach[0], *each.reach[1:])) for each in found]

    @cached_property
    def _found(self) -> Any:
        """(boards, chance nodes, width) float32: the values of the roots behind the first deal."""
        segments, level = self.game.segments, self.levels[1]
        chance_nodes = int(segments.first_chance_node[1] - segments.first_chance_node[0])
        return aligned_zeros((len(level.boards), chance_nodes, level.combo.shape[2]), np.float32)

    def exploitability(self) -> float:
        """In chips: what best responses gain over the average strategies, the mean of both players."""
        best = self.mean(self.values(BEST))
        played = 0.0 if self._is_zero_sum else self.mean(self.values(VALUE))
        return float((best - played).mean())

    @cached_property
    def _is_zero_sum(self) -> bool:
        """Whether what one player wins the other loses: there is no rake."""
        return not np.asarray(self.tree.payoff).sum(axis=-1).any()

    def mean(self, values: Any) -> Any:
        """(2,): the values of all hands together, in chips."""
        return (values.astype(np.float64) * self.weights).sum(axis=1) / self.pair_weight

    def state(self) -> dict[str, Any]:
        """What it needs to go on besides the number of iterations, by name: the arrays themselves."""
        both = {"regrets": self.regrets, "cumulative": self.cumulative_strategy}
        return {
            key: array for name, one in both.items() for key, array in ((name, one.values), (f"{name}_unit", one.unit))
        }

    @property
    def locked(self) -> list[int]:
        """The nodes whose strategies are held fixed."""
        return [int(node) for node in np.flatnonzero(self.game.is_locked)]

    def lock(self, locked: Mapping[int, Any]) -> None:
        """Hold strategies fixed: by node, (1326, children) probabilities."""
        for node, strategy in locked.items():
            self.set_strategy(node, strategy)
            self.game.is_locked[node] = True

    def set_strategy(self, node: int, strategy: Any) -> None:
        """Take (1326, children) probabilities for what is played at a node, whatever cards were dealt since the
        root, or (boards, 1326, children), by the boards of the node's street."""
        depth = int(self.tree.street[node]) - int(self.tree.street[0])
        level, player = self.levels[depth], int(self.tree.player[node])
        width = int(self.game.width[player, depth])
        first = int(self.game.offset[node])
        strategies = np.broadcast_to(strategy, (len(level.boards), *strategy.shape[-2:]))
        rows = np.zeros((len(level.boards), strategy.shape[-1], width), np.float32)
        for board in range(len(level.boards)):
            n = level.count[player, board]
            rows[board, :, :n] = strategies[board, level.combo[player, board, :n]].T
        blocks = slice(int(self.game.first_block[node]), int(self.game.first_block[node]) + len(rows))
        for values, unit in (self.regrets, self.cumulative_strategy):
            is_whole = values.itemsize == WHOLE
            values[first : first + rows.size] = (rows if is_whole else np.rint(rows * STEPS)).ravel()
            unit[blocks] = ONE if is_whole else 1 / STEPS

    @cached_property
    def opponent_weights(self) -> Any:
        """(2, width): the weight of the other player's hands that share no card with each hand."""
        level, found = self.levels[0], np.zeros(self.weights.shape)
        held = [(level.combo[p, 0, :n], slice(n)) for p, n in enumerate(level.count[:, 0])]
        weights = np.zeros((PLAYERS, COMBOS))
        for p, (combos, places) in enumerate(held):
            weights[p, combos] = self.weights[p, places]
        for p, (combos, places) in enumerate(held):
            found[p, places] = opponent_weights(weights)[p, combos]
        return found

    @cached_property
    def pair_weight(self) -> float:
        """The weight of all pairs of hands that may meet."""
        return float((self.weights[0] * self.opponent_weights[0]).sum())

    def results(self) -> dict[str, Any]:
        """What a SubgameSolution says about the average strategies."""
        played, best = self.values(VALUE), self.values(BEST)
        bets = self.tree.put_in[0][:, None]
        values, equities = self.mean(played), self.equities()
        return {
            "iterations": self.iterations,
            "locked": self.locked,
            "exploitability": float((self.mean(best) - values).mean()),
            "ev": self.by_combo(played) + bets,
            "values": values + bets[:, 0],
            "equity": self.by_combo(equities),
            "shares": self.mean(equities),
        }

    def equities(self) -> Any:
        """(2, width): the share of the pot that each hand gets without any bet, as counterfactual values."""
        game = make_subgame(RUN_OUT, self.levels)
        values, none = np.zeros_like(self.weights), new_numbers(game, 32)
        run(game, new_workspace(game), self.weights, none, none, VALUE, np.ones((1, 4), np.float32), values)
        return values

    def by_combo(self, values: Any) -> Any:
        """(2, 1326): counterfactual values per hand that each hand meets, NaN where there is none."""
        found = np.full((PLAYERS, COMBOS), np.nan)
        for p in range(PLAYERS):
            n = self.levels[0].count[p, 0]
            own, met = values[p, :n].astype(np.float64), self.opponent_weights[p, :n]
            found[p, self.levels[0].combo[p, 0, :n]] = per_hand(own, met)
        return found


def per_hand(values: Any, met: Any) -> Any:
    """Counterfactual values by the weight of hands that each hand meets; NaN where that is nothing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(met > NOTHING * met.max(), values / met, np.nan)


def values_at(game: Subgame, numbers: Numbers, node: int, board: int, reach: Any) -> Any:
    """(2, width) float32: counterfactual values at an action node of both players' average strategies.

    numbers: their cumulative strategies. board: its number on the node's street. reach: (2, width) float32, both
    players' reach probabilities where the street begins.
    """
    segments, level = game.segments, int(game.depth[node])
    places = np.flatnonzero(segments.action_nodes == node)
    segment = int(np.searchsorted(segments.first_action_node, places[0], "right")) - 1
    work, found = new_workspace(game), np.zeros((PLAYERS, reach.shape[1]), np.float32)
    where, discounts = np.array([level, segment, board]), np.ones((1, 4), np.float32)
    for hero in range(PLAYERS):
        work.reach[level][0] = reach[1 - hero]
        walk(game, work, found, numbers, numbers, VALUE, discounts, found, SEGMENT, hero, where, NO_VALUES)
        found[hero] = work.value[level][segments.value_row[node]]
    return found
