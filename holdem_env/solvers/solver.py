"""`Solver`: a public game while it is solved, by iterations of counterfactual regret minimization; best responses and
exploitability, of its strategies or of any that are given. An iteration (Zinkevich et al. 2007) walks the game for one
player after the other (walk.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .boards import PLAYERS
from .cfr import BEST, RESPOND, SUBGAME_DCFR, TRAIN, VALUE, Discounting
from .packing import ONE, STEPS, WHOLE, Numbers, aligned_zeros, new_numbers
from .public_game import GameArrays, PublicGame
from .walk import ALL, BOARDS, DOWN, SEGMENT, UP, Part, run
from .workspace import Sums, Workspace, new_workspace

PARTS = 4  # parts of the boards for each thread: who is done first takes the next
NOTHING = 1e-6  # a hand that meets less than this part of what others meet meets none: float32's zero
FACTORS = 4
NO_BOARDS = np.zeros(0, np.int64)


class PlayedGame:
    """A public game with a strategy for both players: what it wins, and what best responses win from it.

    sums: its cumulative strategy counts. arrays: of another tree with the game's hands and boards; by default the
    game's own. threads: the boards of the first deal are shared out among them; the numbers do not depend on it.
    """

    def __init__(self, game: PublicGame, sums: Sums, threads: int = 1, arrays: GameArrays | None = None) -> None:
        self.game, self.arrays, self.sums = game, arrays or game.arrays, sums
        self.use_threads(threads)
        self.workspace, self._workspaces = new_workspace(self.arrays), list[Workspace]()

    def use_threads(self, threads: int) -> None:
        """Share out the boards of the first deal among this many threads from now on."""
        self.threads = threads if self.game.boards.levels > 1 else 1

    @property
    def cumulative_strategy(self) -> Numbers:
        """What the average strategy is made of."""
        return self.sums.cumulative

    def values(self, mode: int) -> NDArray[Any]:
        """(2, width): counterfactual values of the hands on the first board. mode: VALUE for both players' average
        strategies, BEST for each player's best response to the other's."""
        return self._run(mode, np.ones((1, FACTORS), self.game.kind))

    def _run(self, mode: int, factors: Any, weights: Any = None) -> NDArray[Any]:
        held = self.game.weights if weights is None else weights
        values = np.zeros_like(held)
        if self.threads > 1:
            self._run_in_threads(mode, factors, held, values)
        else:
            whole = Part(ALL, mode, held, 0, NO_BOARDS, _no_values(held))
            run(self.arrays, self.workspace, self.sums, factors, whole, values)
        return values

    def _run_in_threads(self, mode: int, factors: Any, weights: Any, values: Any) -> None:
        """As `_run`: one goes down to the first deal, each walks some boards, one goes up again."""
        first, end = self.game.boards.first[1:3].tolist()
        boards = np.arange(end - first)
        # Copies: slices with steps are of another type, for which Numba would compile the walk once more.
        parts = [boards[k :: PARTS * self.threads].copy() for k in range(PARTS * self.threads)]
        whole = Part(DOWN, mode, weights, 0, boards, self._found)

        def walk_boards(work: Workspace, waiting: Iterator[Any], kept: Any, hero: int) -> None:
            if work is not self.workspace:
                work.reach[0] = self.workspace.reach[0]
            for some in waiting:
                part = whole._replace(part=BOARDS, hero=hero, where=some)
                run(self.arrays, work, self.sums, kept, part, values)

        self._workspaces += [new_workspace(self.arrays) for _ in range(len(self._workspaces), self.threads - 1)]
        with ThreadPoolExecutor(self.threads) as pool:
            for k, hero in ((k, hero) for k in range(len(factors)) for hero in range(PLAYERS)):
                kept, waiting = factors[k : k + 1], iter(parts)
                run(self.arrays, self.workspace, self.sums, kept, whole._replace(hero=hero), values)
                workspaces = [self.workspace, *self._workspaces[: self.threads - 1]]
                for each in [pool.submit(walk_boards, work, waiting, kept, hero) for work in workspaces]:
                    each.result()
                run(self.arrays, self.workspace, self.sums, kept, whole._replace(part=UP, hero=hero), values)

    @cached_property
    def _found(self) -> Any:
        """(boards, chance nodes, width): the values of the roots behind the first deal."""
        first, end = self.game.boards.first[1:3].tolist()
        chance_nodes = int(np.diff(self.arrays.segments.first_chance_node[:2])[0])
        return aligned_zeros(self.game.kind, end - first, chance_nodes, self.game.weights.shape[1])

    def mean(self, values: Any) -> NDArray[np.float64]:
        """(2,): the values of all hands together, in chips."""
        return np.asarray((values.astype(np.float64) * self.game.weights).sum(axis=1) / self.game.pair_weight)

    def winnings(self) -> NDArray[np.float64]:
        """(2,): what players 0 and 1 win a hand in chips by the average strategies."""
        return self.mean(self.values(VALUE))

    def best_responses(self) -> NDArray[np.float64]:
        """(2,): what a best response wins a hand in chips, as player 0 and as player 1, against them."""
        return self.mean(self.values(BEST))

    def best_response(self) -> NDArray[Any]:
        """(entries,): the best response of each player to the other's average strategy, as `PublicGame` lays it out."""
        written = Numbers(np.zeros(self.game.entries, self.game.kind), np.ones(0, np.float32))
        PlayedGame(self.game, self.sums._replace(regrets=written)).values(RESPOND)
        return written.values

    def exploitability(self) -> float:
        """In chips a hand: what best responses gain over the average strategies, the mean of both players, that is
        NashConv / 2."""
        played = 0.0 if self.game.is_zero_sum else self.winnings()
        return float((self.best_responses() - played).mean())

    def equities(self) -> NDArray[Any]:
        """(2, width): the share of the pot that each hand gets without any bet, as counterfactual values."""
        arrays = self.game.run_out()
        nothing = new_numbers(arrays, 8 * np.dtype(self.game.kind).itemsize)
        return PlayedGame(self.game, Sums(nothing, nothing, nothing), arrays=arrays).values(VALUE)

    def by_hand(self, values: Any) -> NDArray[np.float64]:
        """(2, H): counterfactual values per hand that each hand meets, NaN where there is none."""
        found = np.full((PLAYERS, len(self.game.hands)), np.nan)
        for p in range(PLAYERS):
            held = self.game.boards.hands(p, 0)
            own, met = values[p, : len(held)].astype(np.float64), self.game.met[p, : len(held)]
            found[p, held] = per_hand(own, met)
        return found


class Solver(PlayedGame):
    """A public game while it is solved.

    bits: of each regret, 64, 32 or 16; by default those of the game's `kind`. threads: see `PlayedGame`. discounting:
    the algorithm.
    """

    def __init__(
        self, game: PublicGame, bits: int | None = None, threads: int = 1, discounting: Discounting = SUBGAME_DCFR
    ) -> None:
        own = 8 * np.dtype(game.kind).itemsize
        self.bits, self.discounting = bits or own, discounting
        if self.bits not in (16, 32, 64) or (self.bits == 16 and discounting.predictive):
            raise ValueError(f"`bits` must be 16, 32 or 64, and at least 32 with pcfr+, got {self.bits}")
        if self.bits not in (own, 16 if own == 32 else own):  # a walk has one type of numbers
            raise ValueError(f"`bits` must fit a game of {own} bits, got {self.bits}")
        regrets, cumulative = (new_numbers(game.arrays, self.bits) for _ in range(2))
        predicted = new_numbers(game.arrays, self.bits) if discounting.predictive else _none(regrets)
        super().__init__(game, Sums(regrets, cumulative, predicted), threads)
        self.iterations, self._is_done = 0, False

    def iterate(self, count: int) -> None:
        """Run iterations. Raises ValueError once the regrets are forgotten."""
        if self._is_done:
            raise ValueError("iterate: the regrets of this solver are gone, it cannot go on")
        self._run(TRAIN, self.factors(count))
        self.iterations += count

    def copy(self) -> Solver:
        """Return another solver of the same game that goes on from here."""
        other = Solver(self.game, self.bits, self.threads, self.discounting)
        for there, here in zip(other.state().values(), self.state().values(), strict=True):
            there[:] = here
        other.iterations = self.iterations
        return other

    def forget_regrets(self) -> None:
        """Keep the strategy alone, which cannot be improved any more."""
        self._is_done = True
        self.sums = self.sums._replace(regrets=_none(self.sums.regrets), predicted=_none(self.sums.predicted))

    def factors(self, count: int) -> NDArray[Any]:
        """(count, 4): the discounts of the next iterations, and their numbers."""
        return self.discounting.factors(self.iterations, count).astype(self.game.kind)

    # Strategies that are given

    @property
    def locked(self) -> list[int]:
        """The nodes whose strategies are held fixed."""
        return [int(node) for node in np.flatnonzero(self.arrays.is_locked)]

    def lock(self, locked: Mapping[int, Any]) -> None:
        """Hold strategies fixed: by node, (H, children) probabilities."""
        for node, strategy in locked.items():
            self.set_strategy(node, strategy)
            self.arrays.is_locked[node] = True

    def set_strategy(self, node: int, strategy: Any) -> None:
        """Take (H, children) probabilities for what is played at a node, whatever cards were dealt since the root, or
        (boards, H, children), by the boards of the node's level."""
        game, player = self.game, int(self.game.tree.player[node])
        boards = game.boards_at(node)
        strategies = np.broadcast_to(strategy, (len(boards), *strategy.shape[-2:]))
        rows = np.zeros_like(game.rows(self.sums.regrets.values, node), game.kind)
        for place, board in enumerate(boards):
            held = game.boards.hands(player, board)
            rows[place, :, : len(held)] = strategies[place, held].T
        blocks = slice(*self.arrays.first_block[node : node + 2].tolist())
        for values, unit in (numbers for numbers in self.sums if numbers.values.size):
            is_whole = values.itemsize >= WHOLE
            game.rows(values, node)[:] = rows if is_whole else np.rint(rows * STEPS)
            unit[blocks] = ONE if is_whole else 1 / STEPS

    def state(self) -> dict[str, Any]:
        """What it needs to continue, next to the number of iterations, by name: the arrays themselves."""
        found: dict[str, Any] = {}
        for name, numbers in self.sums._asdict().items():
            if numbers.values.size:
                found |= {name: numbers.values, f"{name}_unit": numbers.unit}
        return found


def _none(numbers: Numbers) -> Numbers:
    return Numbers(np.zeros(0, numbers.values.dtype), np.zeros(0, np.float32))  # no view, which would keep all


def _no_values(weights: NDArray[Any]) -> NDArray[Any]:
    return np.zeros((0, 0, 0), weights.dtype)


def per_hand(values: Any, met: Any) -> NDArray[np.float64]:
    """Counterfactual values by the weight of hands that each hand meets; NaN where that is nothing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(met > NOTHING * met.max(), values / met, np.nan)


def numbers_of(game: PublicGame, strategy: NDArray[Any]) -> Numbers:
    """A strategy that is given, in the game's type of numbers: a walk has one."""
    return Numbers(np.asarray(strategy, game.kind), np.ones(0, np.float32))


def played_game(game: PublicGame, strategy: Numbers | NDArray[Any], threads: int = 1) -> PlayedGame:
    """A game with a given strategy: (entries,) weights of actions, as `PublicGame` lays them out."""
    numbers = strategy if isinstance(strategy, Numbers) else numbers_of(game, strategy)
    return PlayedGame(game, Sums(_none(numbers), numbers, _none(numbers)), threads)


def values_at(game: PublicGame, numbers: Numbers, node: int, board: int, reach: NDArray[Any]) -> NDArray[Any]:
    """(2, width): counterfactual values at an action node of both players' average strategies.

    numbers: their cumulative strategies. board: one of the node's. reach: (2, width), both players' reach
    probabilities where the street begins.
    """
    segments, level = game.arrays.segments, int(game.depth[node])
    places = np.flatnonzero(segments.action_nodes == node)
    segment = int(np.searchsorted(segments.first_action_node, places[0], "right")) - 1
    solver, found = played_game(game, numbers), np.zeros((PLAYERS, reach.shape[1]), game.kind)
    where, factors = np.array([level, segment, board]), np.ones((1, FACTORS), game.kind)
    for hero in range(PLAYERS):
        solver.workspace.reach[level, 0] = reach[1 - hero]
        part = Part(SEGMENT, VALUE, found, hero, where, _no_values(found))
        run(game.arrays, solver.workspace, solver.sums, factors, part, found)
        found[hero] = solver.workspace.value[level, segments.value_row[node]]
    return found


def move_values_at(
    game: PublicGame, numbers: Numbers, node: int, board: int, reach: NDArray[Any]
) -> NDArray[np.float64]:
    """(children, width): what each move at an action node is worth to each hand of the player to act there, which plays
    its average strategy later. Arguments as those of `values_at`."""
    own = Numbers(numbers.values.copy(), numbers.unit.copy())
    rows = game.rows(own.values, node)
    own.unit[slice(*game.arrays.first_block[node : node + 2].tolist())] = ONE
    player, found = int(game.tree.player[node]), []
    for child in range(rows.shape[1]):
        rows[:] = 0
        rows[:, child] = 1
        found.append(values_at(game, own, node, board, reach)[player])
    return np.array(found, np.float64)
