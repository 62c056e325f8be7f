"""Where an agent loses: what each decision on turns and rivers costs against the street solved.

    found = judged_hands(played_hands(agent, rules, 200), (agent, agent))
    print(found.mean("river"), found.worst[0])

A street is solved from its beginning, with the ranges that both players' strategies give by Bayes' rule and with the
bets that were made. The loss of a decision is what the best move wins for the hand that was held, less what the move
that was made wins, against the solution's opponent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.asking import asked_moves, asked_range_probabilities
from ...agents.protocol import Agent
from ...cards.combos import COMBO_CARDS, COMBOS, combo_number, possible_combos
from ...cards.text import cards_text
from ...compiled.records import Records
from ...engine.batch import NO_MOVE
from ...game.rules import Rules
from ...game.street_names import STREETS
from ...solvers.blueprints.resolving import BOARD, ITERATIONS, SIZES, Spot, at_spot, spot_of
from ...solvers.cfr import VALUE, normalize
from ...solvers.subgames.solver import SubgameSolver
from ...solvers.trees.betting_tree import BettingTree
from ...table.table import Table
from ..statistics.intervals import fixed_interval

PLAYERS = 2
ROW = np.zeros(1, np.int64)
LEAST = 1e-4
"""Part of every hand in a range: strategies are not surely those that were played."""
LEAST_MET = 1e-6
"""A decision to which the solution's opponent comes less often than this cannot be judged."""
KINDS = ("fold", "check", "call", "bet", "raise")
PARTS = ("turn", "river", "button", "other", *KINDS)
"""What a mean may be of."""


class Decision(NamedTuple):
    """A decision and its loss. hand: its number, from 0. seat: whose. position: "button" or "other". kind: of KINDS.
    made, best: moves in words. loss: big blinds. cards, board: as text."""

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


@dataclass
class Mistakes:
    """What was judged. unjudged: how many decisions and hands could not be, by the reason. hands: how many were
    given."""

    decisions: list[Decision] = field(default_factory=list)
    unjudged: Counter[str] = field(default_factory=Counter)
    hands: int = 0

    @property
    def worst(self) -> list[Decision]:
        """The decisions by their loss, the largest first."""
        return sorted(self.decisions, key=lambda each: -each.loss)

    def mean(self, part: str = "") -> tuple[float, float, int]:
        """Mean loss of a decision in big blinds, half the width of its 95 % interval, and how many there are: of all,
        or of a street, a position or a kind."""
        losses = [each.loss for each in self.decisions if part in ("", each.street, each.position, each.kind)]
        if not losses:
            return 0.0, float("nan"), 0
        interval = fixed_interval(np.array(losses))
        return interval.mean, interval.half_width, len(losses)


def played_hands(agent: Agent, rules: Rules, hands: int, seed: int = 0) -> Iterator[Table]:
    """Hands in which an agent plays itself."""
    for number in range(hands):
        table = Table(rules, seed=seed, hand=number, button=number % PLAYERS)
        while table.actor is not None:
            table.play(int(asked_moves(agent, table.records, rules, ROW)[0]))
        yield table


def judged_hands(
    tables: Iterable[Table], strategies: tuple[Agent, Agent], heroes: Sequence[Sequence[int]] | None = None
) -> Mistakes:
    """Judge all decisions on turns and rivers.

    tables: finished hands of two players. strategies: by seat, whose range queries say with which hands a player comes
    to a street. heroes: for each hand the seats that are judged; by default both. Raises ValueError for games with
    other hands than Texas hold'em's.
    """
    found = Mistakes()
    for number, table in enumerate(tables):
        seats = range(PLAYERS) if heroes is None else heroes[number]
        found.hands += 1
        _judge(found, number, table, strategies, seats)
    return found


def _judge(found: Mistakes, number: int, table: Table, strategies: tuple[Agent, Agent], seats: Sequence[int]) -> None:
    """Judge a hand."""
    rules = table.game
    if rules.seats != PLAYERS:
        found.unjudged["hands of more than two players"] += 1
        return
    steps = _steps(table)
    late = [k for k, (_, street, seat, _) in enumerate(steps) if street in BOARD and seat in seats]
    early = sum(seat in seats and street not in BOARD for _, street, seat, _ in steps)
    found.unjudged["decisions before the turn"] += early
    if not late:
        return
    likely = _probabilities(steps, rules, strategies)
    for street in sorted({steps[k][1] for k in late}):
        first = next(k for k, step in enumerate(steps) if step[1] == street)
        here = [k for k, step in enumerate(steps) if step[1] == street]
        played = [steps[k][3] for k in here]
        solver, tree = _solved(steps[first][0], rules, street, played, likely[:first], steps[:first])
        node = 0
        for k in here:
            _, _, seat, move = steps[k]
            if seat in seats:
                _add(found, number, table, solver, tree, node, seat, move, street)
            node = tree.child(node, move)


Step = tuple[Records, int, int, int]
"""A decision: the table before it, its street, the seat, and the move."""


def _steps(table: Table) -> list[Step]:
    """The decisions of a hand; choices to show or to muck do not count."""
    steps = []
    for before, after in pairwise(table.states()):
        t = before.records[0]
        if not before.is_showing:
            made = after.records["made"][0, int(t["moves"]) % after.records["made"].shape[1]]
            steps.append((before.records, int(t["street"]), int(t["actor"]), int(made["move"])))
    return steps


def _probabilities(steps: Sequence[Step], rules: Rules, strategies: tuple[Agent, Agent]) -> NDArray[np.float64]:
    """(steps, 1326): how likely each hand makes the move that was made, or the nearest to it that its strategy has."""
    likely = np.ones((len(steps), COMBOS))
    for seat, agent in enumerate(strategies):
        own = [k for k, step in enumerate(steps) if step[2] == seat]
        if not own:
            continue
        tables = np.concatenate([steps[k][0] for k in own])
        moves, probabilities = asked_range_probabilities(agent, tables, rules, np.arange(len(own)))
        for place, k in enumerate(own):
            there = np.flatnonzero(moves[place] != NO_MOVE)
            nearest = there[np.abs(moves[place, there] - steps[k][3]).argmin()]
            likely[k] = probabilities[place, :, nearest]
    return likely


def _solved(
    before: Records, rules: Rules, street: int, played: list[int], likely: NDArray[np.float64], steps: Sequence[Step]
) -> tuple[SubgameSolver, BettingTree]:
    """The street solved from its beginning."""
    spot: Spot | None = spot_of(before, rules, 0)
    assert spot is not None, "no hand here has more moves than a record remembers"
    board = spot.board[: BOARD[street]]
    button = int(before["button"][0])
    ranges = np.tile(possible_combos(np.array(board, np.int64)).astype(np.float64), (PLAYERS, 1))
    for row, (_, _, seat, _) in zip(likely, steps, strict=True):
        ranges[int(seat != button)] *= row
    ranges /= np.maximum(ranges.max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    ranges = np.where(possible_combos(np.array(board, np.int64)), np.maximum(ranges, LEAST), 0.0)
    beginning = spot.beginning(street, BOARD[street])
    tree = BettingTree.from_record(beginning.game, at_spot(beginning), SIZES[street], played)
    solver = SubgameSolver(tree, board, ranges)
    solver.iterate(ITERATIONS[street])
    return solver, tree


def _add(
    found: Mistakes,
    number: int,
    table: Table,
    solver: SubgameSolver,
    tree: BettingTree,
    node: int,
    seat: int,
    move: int,
    street: int,
) -> None:
    """Judge one decision."""
    hole = [int(card) for card in table.hole_cards(seat)]
    values = action_values(solver, tree, node, combo_number(*hole))
    if values is None:
        found.unjudged["decisions to which the solution does not come"] += 1
        return
    first = int(tree.first_child[node])
    made = tree.moves(node).index(move)
    best = int(values.argmax())
    words = [tree.path(first + k)[-1] for k in range(len(values))]
    board = [int(card) for card in table.board][: BOARD[street]]
    found.decisions.append(
        Decision(
            number,
            seat,
            STREETS[street],
            "button" if seat == table.button else "other",
            words[made].split()[0],
            words[made],
            words[best],
            float(values[best] - values[made]) / float(table.game.unit),
            cards_text(hole),
            cards_text(board),
        )
    )


def action_values(solver: SubgameSolver, tree: BettingTree, node: int, hand: int) -> NDArray[np.float64] | None:
    """(children,): what each move at a node of the first street wins for a hand, in chips more or less than the others,
    against the solution's strategy. None where the opponent does not come there.

    The player plays the moves to the node and one of its moves there; all else is the solution's. What that wins from
    the root on differs from move to move by what they win at the node, times how likely the opponent comes there.
    """
    player = int(tree.player[node])
    level = solver.levels[0]
    place = int(np.flatnonzero(level.combo[player, 0, : level.count[player, 0]] == hand)[0])
    path = _path(tree, node)
    met = _met(solver, tree, path, player, hand)
    if met is None:
        return None
    own = [(at, child) for at, child in path if tree.player[at] == player]
    blocks = [slice(*solver.game.offset[at : at + 2].tolist()) for at in (*(at for at, _ in own), node)]
    both = solver.regrets.values, solver.cumulative_strategy.values
    kept = [[values[block].copy() for values in both] for block in blocks]
    for at, child in own:
        solver.set_strategy(at, _always(tree, at, child))
    found = np.zeros(int(tree.children[node]))
    for child in range(len(found)):
        solver.set_strategy(node, _always(tree, node, child))
        found[child] = solver.values(VALUE)[player, place]
    for block, before in zip(blocks, kept, strict=True):
        for values, numbers in zip(both, before, strict=True):
            values[block] = numbers
    return found / met


def _path(tree: BettingTree, node: int) -> list[tuple[int, int]]:
    """The nodes before a node, each with the child that leads on."""
    path: list[tuple[int, int]] = []
    while node:
        parent = int(tree.parent[node])
        path.insert(0, (parent, node - int(tree.first_child[parent])))
        node = parent
    return path


def _always(tree: BettingTree, node: int, child: int) -> NDArray[np.float64]:
    """(1326, children): every hand makes one move."""
    rows = np.zeros((COMBOS, int(tree.children[node])))
    rows[:, child] = 1.0
    return rows


def _met(
    solver: SubgameSolver, tree: BettingTree, path: Sequence[tuple[int, int]], player: int, hand: int
) -> float | None:
    """The weight of the opponent's hands that share no card with a hand, as the opponent comes to the end of a path;
    None if that is next to nothing."""
    opponent, level = 1 - player, solver.levels[0]
    count = int(level.count[opponent, 0])
    combos = level.combo[opponent, 0, :count].astype(np.int64)
    weights = solver.weights[opponent, :count].astype(np.float64)
    before = weights.sum()
    for at, child in path:
        if tree.player[at] == opponent:
            weights = weights * _played(solver, tree, at)[child]
    own = COMBO_CARDS[hand]
    free = ~np.isin(COMBO_CARDS[combos], own).any(axis=1)
    met = float(weights[free].sum())
    return met if met > LEAST_MET * before else None


def _played(solver: SubgameSolver, tree: BettingTree, node: int) -> NDArray[np.float64]:
    """(children, hands): the solution's strategy at a node of the first street."""
    player, children = int(tree.player[node]), int(tree.children[node])
    width, count = int(solver.game.width[player, 0]), int(solver.levels[0].count[player, 0])
    first = int(solver.game.offset[node])
    rows = solver.cumulative_strategy.values[first : first + children * width].reshape(children, width)[:, :count]
    return normalize(rows.astype(np.float64), axis=0)
