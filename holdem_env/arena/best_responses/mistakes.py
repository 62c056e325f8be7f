"""Where an agent loses: what each decision costs, against its street solved with the ranges that both players'
strategies give by Bayes' rule, and before the flop against a shipped blueprint that plays both moves out
(`preflop_rollouts`).

The loss of a decision is what the best move wins for the hand that was held, less what the move that was made wins.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...agents.queries import asked_moves, asked_range_probabilities
from ...cards.combos import COMBO_CARDS, COMBOS, combo_number, possible_combos
from ...cards.text import cards_text
from ...compiled.records import Records
from ...engine import batch
from ...engine.batch import NO_MOVE
from ...engine.record import FOLD, new_log
from ...game.rules import Rules
from ...game.street_names import STREETS
from ...solvers.blueprints import resolving
from ...solvers.blueprints.resolving import ITERATIONS, at_spot, spot_of
from ...solvers.games import MAX_MEMORY
from ...solvers.public_game import PublicGame, size_of
from ...solvers.solution import Solution
from ...solvers.solver import Solver
from ...solvers.solving import SPOT, Until, iterate
from ...solvers.trees.bet_sizes import BetSizes
from ...solvers.trees.betting_tree import BettingTree
from ...solvers.trees.roots import playable
from ...solvers.trees.roots import spot as street_root
from ...table.table import Table
from ..statistics.intervals import fixed_interval
from .preflop_rollouts import blueprint_for, preflop_loss

PLAYERS = 2
ROW = np.zeros(1, np.int64)
LEAST = 1e-4  # part of every hand in a range: strategies are not surely those that were played
LEAST_MET = 1e-6  # a decision to which the solution's opponent comes less often than this cannot be judged
FLOP, TURN = 1, 2
BOARD = {FLOP: 3, **resolving.BOARD}
SIZES = {FLOP: BetSizes({"flop": "50% | all-in", "all": "70% | none"}), **resolving.SIZES}
"""Of a flop, few: with all hands, an iteration takes a second or two."""
FLOP_BITS, SHORTEST = 16, 1e-3
FLOP_GOOD, FLOP_ACCURACY = 1.0, 10.0
"""Percent of the pot: a flop is solved until its exploitability is below the first; above the second nothing is judged
by it."""
KINDS = ("fold", "check", "call", "bet", "raise")
PARTS = (*STREETS, "button", "other", *KINDS)  # what a mean may be of


class Decision(NamedTuple):
    """A decision and its loss. hand: its number, from 0. seat: whose. position: "button" or "other". kind: of KINDS.
    made, best: moves in words. loss: big blinds. cards, board: as text. step: its number among the hand's decisions,
    from 0."""

    hand: int
    seat: int
    street: str
    position: str
    kind: str
    made: str
    best: str
    loss: float
    cards: str
    board: str
    step: int


@dataclass
class Mistakes:
    """What was judged. unjudged: how many decisions and hands could not be, by the reason. hands: how many were
    given. flops: the exploitability of each solved flop, in percent of the pot."""

    decisions: list[Decision] = field(default_factory=list)
    unjudged: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    flops: list[float] = field(default_factory=list)

    @property
    def worst(self) -> list[Decision]:
        """The decisions by their loss, the largest first."""
        return sorted(self.decisions, key=lambda each: -each.loss)

    def mean(self, part: str = "") -> tuple[float, float, int]:
        """Mean loss in big blinds, half its 95 % interval, and the number of decisions, of all or of one of PARTS."""
        losses = [each.loss for each in self.decisions if part in ("", each.street, each.position, each.kind)]
        if not losses:
            return 0.0, float("nan"), 0
        interval = fixed_interval(np.array(losses))
        return interval.mean, interval.half_width, len(losses)


def played_hands(agent: Agent, rules: Rules, hands: int, seed: int = 0) -> Iterator[Table]:
    """Hands in which an agent plays itself."""
    for number in range(hands):
        table = Table(rules, seed=seed, hand=number, button=number % rules.seats)
        while table.actor is not None:
            table.play(int(asked_moves(agent, table.records, rules, ROW)[0]))
        yield table


@dataclass(frozen=True)
class Effort:
    """What judging may take. flop_seconds: for each flop; None leaves flops out. rollouts: of each move before the
    flop; 0 leaves these decisions out. Raises ValueError for others."""

    flop_seconds: float | None = None
    rollouts: int = 0

    def __post_init__(self) -> None:
        if self.flop_seconds is not None and not self.flop_seconds > 0:
            raise ValueError(f"flop_seconds must be above 0, got {self.flop_seconds}")
        if self.rollouts < 0 or self.rollouts == 1:
            raise ValueError(f"rollouts must be 0, or 2 or more, got {self.rollouts}")


StrategyOf = Callable[[Rules], Agent | None]
"""Whose strategy all players of a game have; None where nobody is known to play it."""


def judged_hands(
    tables: Iterable[Table],
    strategies: Sequence[Agent] | StrategyOf,
    heroes: Sequence[Sequence[int]] | None = None,
    effort: Effort | None = None,
) -> Mistakes:
    """Judge all decisions on turns and rivers, and as effort says those before.

    tables: finished hands, of which the streets are judged that begin with two players. strategies: by seat, or by
    game, whose range queries say with which hands a player comes to a street. heroes: for each hand the seats that are
    judged; by default all. Raises ValueError for games with other hands than Texas hold'em's.
    """
    found, effort = Mistakes(), effort or Effort()
    for number, table in enumerate(tables):
        seats = range(table.game.seats) if heroes is None else heroes[number]
        found.hands += 1
        known = _by_seat(strategies, table.game)
        if known is None:
            found.unjudged["hands of games whose ranges nobody knows"] += 1
        else:
            _Hand(found, number, table, known, seats, effort).judge()
    return found


def _by_seat(strategies: Sequence[Agent] | StrategyOf, rules: Rules) -> Sequence[Agent] | None:
    if not callable(strategies):
        return strategies
    agent = strategies(rules)
    return None if agent is None else [agent] * rules.seats


class _Hand:
    def __init__(
        self,
        found: Mistakes,
        number: int,
        table: Table,
        strategies: Sequence[Agent],
        seats: Sequence[int],
        effort: Effort,
    ) -> None:
        self.found, self.number, self.table, self.seats, self.effort = found, number, table, seats, effort
        self.rules, self.strategies = table.game, strategies
        self.steps = _steps(table)

    def judge(self) -> None:
        streets = sorted({street for _, street, seat, _ in self.steps if seat in self.seats})
        judged = [street for street in streets if self._is_judged(street)]
        if not judged:
            return
        self.likely = _probabilities(self.steps, self.rules, self.strategies)
        for street in judged:
            if street:
                self._judge_solved(street)
            else:
                self._judge_before_flop()

    def _is_judged(self, street: int) -> bool:
        there = [k for k, step in enumerate(self.steps) if step[1] == street]
        left_out = {0: not self._blueprint, FLOP: self.effort.flop_seconds is None}
        if street and np.count_nonzero(self.steps[there[0]][0]["in_hand"]) != PLAYERS:
            self._leave_out(there, "decisions on streets of more than two players")
            return False
        if left_out.get(street):
            self._leave_out(there, f"decisions {'on the flop' if street else 'before the flop'}")
        return not left_out.get(street)

    @property
    def _blueprint(self) -> Agent | None:
        return blueprint_for(self.rules) if self.effort.rollouts else None

    def _leave_out(self, steps: Sequence[int], why: str) -> None:
        self.found.unjudged[why] += sum(self.steps[k][2] in self.seats for k in steps)

    def _judge_before_flop(self) -> None:
        for k, (before, street, seat, move) in enumerate(self.steps):
            if street or seat not in self.seats:
                continue
            possible = possible_combos(np.array(self.table.hole_cards(seat), np.int64))
            weights = possible.astype(np.float64)
            for row, step in zip(self.likely[:k], self.steps[:k], strict=True):
                weights *= row if step[2] != seat else 1.0
            blueprint = self._blueprint
            assert blueprint is not None
            held = _floored(weights, possible)
            loss, made, best = preflop_loss(before, self.rules, blueprint, move, held, self.effort.rollouts)
            self._add(k, made, best, loss)

    def _judge_solved(self, street: int) -> None:
        """Judge a street's decisions against its solution; where that does not come, the rest is solved from there."""
        here = [k for k, step in enumerate(self.steps) if step[1] == street]
        while here and (solution := self._solved(street, here)):
            here = self._judge_along(solution, here)

    def _solved(self, street: int, here: list[int]) -> Solution | None:
        board, ranges = self._beginning(street, here[0])
        moves = [self.steps[k][3] for k in here]
        tree = BettingTree.from_record(*self._root(street, here[0]), SIZES[street], moves)
        if street != FLOP:
            solver = Solver(PublicGame(tree, tree.rules, board, ranges))
            solver.iterate(ITERATIONS[street])
            return Solution(solver.game, solver.cumulative_strategy)
        if size_of(tree, tree.rules, board, ranges).fitting(MAX_MEMORY, FLOP_BITS).memory > MAX_MEMORY:
            self._leave_out(here, "decisions on flops that take too much memory")
            return None
        game = PublicGame(tree, tree.rules, board, ranges)
        solver = Solver(game, bits=FLOP_BITS, threads=os.cpu_count() or 1)
        until = Until(FLOP_GOOD, seconds=self.effort.flop_seconds or SHORTEST, unit="percent")
        iterate(solver, until, SPOT, time.perf_counter())
        accuracy = until.measured(solver, solver.exploitability())
        self.found.flops.append(accuracy)
        if accuracy > FLOP_ACCURACY:
            self._leave_out(here, f"decisions on flops that the time does not solve to {FLOP_ACCURACY:g} % of the pot")
            return None
        return Solution(solver.game, solver.cumulative_strategy)

    def _judge_along(self, solution: Solution, here: list[int]) -> list[int]:
        """Judge steps against their solution, and return those that are left where it does not come."""
        node, tree = 0, solution.tree
        for place, k in enumerate(here):
            _, street, seat, move = self.steps[k]
            if seat in self.seats:
                values = _move_values(solution, node, combo_number(*map(int, self.table.hole_cards(seat))))
                if values is None and node and street != FLOP:
                    return here[place:]
                if values is None:
                    self._leave_out([k], "decisions to which the solution does not come")
                else:
                    made, best = tree.moves(node).index(move), int(values.argmax())
                    words = solution.moves(node)
                    self._add(k, words[made], words[best], float(values[best] - values[made]))
            node = tree.child(node, move)
        return []

    def _add(self, step: int, made: str, best: str, loss: float) -> None:
        _, street, seat, _ = self.steps[step]
        board = [int(card) for card in self.table.board][: BOARD.get(street, 0)]
        cards = cards_text([int(card) for card in self.table.hole_cards(seat)])
        position = "button" if seat == self.table.button else "other"
        kind, bets = made.split()[0], loss / float(self.rules.unit)
        what = STREETS[street], position, kind, made, best, bets, cards, cards_text(board), step
        self.found.decisions.append(Decision(self.number, seat, *what))

    def _root(self, street: int, first: int) -> tuple[Rules, Records]:
        before = self.steps[first][0]
        if self.rules.seats == PLAYERS:
            spot = spot_of(before, self.rules, 0)
            assert spot is not None, "no hand here has more moves than a record remembers"
            return spot.game, at_spot(spot)
        here = [k for k, step in enumerate(self.steps) if step[1] == street]
        start = self.steps[here[0]][0]
        stacks = [int(start["seats"]["stack"][0, seat]) for seat in self._players(street)]
        one_hand = {"straddle": 0, "session": None, "dealer_errors": None}
        game = playable(self.rules.replace(seats=PLAYERS, stacks=max(stacks), **one_hand))
        root, log = street_root(game, street, int(start["pot"][0]), stacks), new_log(listening=False)
        for k in here[: here.index(first)]:
            batch.play_moves(root, game.record, log, ROW, np.array([self.steps[k][3]], np.int64))
        return game, root

    def _players(self, street: int) -> tuple[int, int]:
        """The seats of a street's players: in position, out of position."""
        start, first = next((before, seat) for before, on, seat, _ in self.steps if on == street)
        return next(int(seat) for seat in np.flatnonzero(start["in_hand"][0]) if seat != first), first

    def _beginning(self, street: int, first: int) -> tuple[tuple[int, ...], NDArray[np.float64]]:
        """The board before a step on a street, and (2, 1326), the hands that both players have there."""
        flop, later = sorted(map(int, self.table.board[:3])), map(int, self.table.board[3 : BOARD[street]])
        board, players = (*flop, *later), self._players(street)
        possible = possible_combos(np.array(board, np.int64))
        ranges = np.tile(possible.astype(np.float64), (PLAYERS, 1))
        for row, (_, _, seat, _) in zip(self.likely[:first], self.steps[:first], strict=True):
            if seat in players:
                ranges[players.index(seat)] *= row
        return board, _floored(ranges, possible)


def _floored(weights: NDArray[np.float64], possible: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(..., 1326): weights as parts of the largest, at least LEAST for each hand that is possible, 0 for the others."""
    parts = weights / np.maximum(weights.max(axis=-1, keepdims=True), np.finfo(np.float64).tiny)
    return np.where(possible, np.maximum(parts, LEAST), 0.0)


Step = tuple[Records, int, int, int]  # a decision: the table before it, its street, the seat, and the move


def _steps(table: Table) -> list[Step]:
    steps = []
    for before, after in pairwise(table.states()):
        t = before.records[0]
        if not before.is_showing:
            made = after.records["made"][0, int(t["moves"]) % after.records["made"].shape[1]]
            steps.append((before.records, int(t["street"]), int(t["actor"]), int(made["move"])))
    return steps


def _probabilities(steps: Sequence[Step], rules: Rules, strategies: Sequence[Agent]) -> NDArray[np.float64]:
    """(steps, 1326): how likely each hand makes the move that was made, or the nearest to it that its strategy has."""
    likely = np.ones((len(steps), COMBOS))
    for seat, agent in enumerate(strategies):
        own = [k for k, step in enumerate(steps) if step[2] == seat]
        if not own or (steps[own[-1]][3] == FOLD and not steps[own[-1]][1] and rules.seats > PLAYERS):
            continue  # who folds before the flop has no range later
        tables = np.concatenate([steps[k][0] for k in own])
        moves, probabilities = asked_range_probabilities(agent, tables, rules, np.arange(len(own)))
        for place, k in enumerate(own):
            there = np.flatnonzero(moves[place] != NO_MOVE)
            nearest = there[np.abs(moves[place, there] - steps[k][3]).argmin()]
            likely[k] = probabilities[place, :, nearest]
    return likely


def _move_values(solution: Solution, node: int, hand: int) -> NDArray[np.float64] | None:
    """(children,): the chips that each move at a node of the first street wins; None if the opponent hardly comes."""
    opponent = 1 - int(solution.tree.player[node])
    free = ~np.isin(COMBO_CARDS, COMBO_CARDS[hand]).any(axis=1)
    if solution.reach(node)[opponent, free].sum() <= LEAST_MET * solution.ranges[opponent].sum():
        return None
    values = solution.move_ev(node)[hand]
    return None if np.isnan(values).any() else values
