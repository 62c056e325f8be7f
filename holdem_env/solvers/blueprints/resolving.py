"""Re-solving: where a street of a real hand began, what hands win there, and the street solved again from it, as
`SearchOptions` say."""

from __future__ import annotations

import time
import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBOS, possible_combos
from ...compiled.records import Records
from ...engine import batch, record
from ...engine.batch import NO_MOVE
from ...engine.record import MAX_MOVES
from ...game.rules import Rules
from ...utils.validation import whole_number
from ..boards import PLAYERS
from ..cfr import VALUE, normalize
from ..gadget import Guard
from ..public_game import PublicGame
from ..solver import Solver
from ..subgames import solve_tree
from ..trees.bet_sizes import BetSizes
from ..trees.betting_tree import BettingTree
from ..trees.roots import playable, whole_hand
from ..trees.walking import DECISION
from ..values.network import ValueNetwork, shipped_values
from ..values.pairs import pairs_of
from ..values.street import solve_street

SEATS = 2
ROW = np.zeros(1, np.int64)
Floats = NDArray[np.float64]
Moves = tuple[int, ...]
Street = Literal["river", "turn", "flop"]
Search = Street | Literal["auto"] | None
Safe = Literal["gadget"]
Values = Literal["network", "exact"]
STREETS: dict[str, int] = {"flop": 1, "turn": 2, "river": 3}
FLOOR = 0.2
LEAST_ITERATIONS = 10  # a solution of fewer is not played


@dataclass(frozen=True)
class SearchOptions:
    """How an agent searches.

    search: from which street on hands are re-solved; "auto" is "river", but None in training. iterations: of each
    solution, by default ITERATIONS, or STREET_ITERATIONS with a network. seconds: for a decision; the solution is then
    as good as the time allows, and depends on the machine. floor: the part of the opponent's range that is spread over
    all hands. safe: "gadget": on the river no hand of the opponent's shall win more than against the blueprint; the
    floor is then not used. values: "network": a network values hands at the end of a flop or a turn. With "exact", and
    where no network was trained for the game or stacks as deep, turns are solved to the end of the hand, and the
    blueprint plays flops.
    """

    search: Search = "auto"
    iterations: int | None = None
    seconds: float | None = None
    floor: float = FLOOR
    safe: Safe | None = None
    values: Values = "network"

    def __post_init__(self) -> None:
        if self.search not in (None, "auto", *STREETS):
            raise ValueError(f'search must be "auto", "river", "turn", "flop" or None, got {self.search!r}')
        if self.values not in ("network", "exact"):
            raise ValueError(f'values must be "network" or "exact", got {self.values!r}')
        if self.search == "flop" and self.values == "exact":
            raise ValueError('values="exact" is for search="turn": flops are solved with values="network" alone')
        least = LEAST_ITERATIONS
        if self.iterations is not None and whole_number("iterations", self.iterations, "a number of them") < least:
            raise ValueError(f"iterations must be {least} or more, got {self.iterations}")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds must be above 0, got {self.seconds}")
        if not 0 <= self.floor <= 1:
            raise ValueError(f"floor must be a part, 0 to 1, got {self.floor}")
        if self.safe not in (None, "gadget"):
            raise ValueError(f'safe must be "gadget" or None, got {self.safe!r}')
        if self.safe and self.search in ("turn", "flop"):
            raise ValueError(
                f"safe={self.safe!r} is for search='river'; with search={self.search!r} there is the floor alone"
            )

    @property
    def first(self) -> int | None:
        """The first street that is searched, 1 (flop) to 3; None without search."""
        return None if self.search is None else STREETS["river" if self.search == "auto" else self.search]


class Spot(NamedTuple):
    """A hand as everybody saw it, by streets. Players: 0 has the button. Equal spots are the same to solve."""

    game: Rules
    stacks: tuple[int, ...]  # of the players when the hand began
    moves: tuple[Moves, ...]  # the engine moves of each street so far
    board: tuple[int, ...]  # the cards that lie there; those of the flop in ascending order

    def beginning(self, street: int, cards: int) -> Spot:
        """The spot when a street began, with the first `cards` cards of the board."""
        return Spot(self.game, self.stacks, self.moves[:street], self.board[:cards])


def spot_of(tables: Records, rules: Rules, row: int) -> Spot | None:
    """The spot at a table; None in a hand of more moves than its record remembers."""
    t = tables[row]
    count = int(t["moves"])
    if count > MAX_MOVES:
        return None
    made, button = t["made"][:count], int(t["button"])
    moves = tuple(tuple(made["move"][made["street"] == street].tolist()) for street in range(int(t["street"]) + 1))
    stacks = tuple(int(t["start_stack"][(button + player) % SEATS]) for player in range(SEATS))
    board = t["board"][: t["board_count"]].tolist()
    stage = rules.stages[int(t["stage"])]
    game = playable(stage if stage.dealer_errors is None else stage.replace(dealer_errors=None))
    return Spot(game, stacks, moves, (*sorted(board[:3]), *board[3:]))


def is_complete(spot: Spot, tables: Records, row: int) -> bool:
    """Whether a spot has all of a hand's chips: not where anybody posted more than blinds and antes."""
    here = replayed(spot)
    return int(here["pot"][0]) == int(tables["pot"][row]) and int(here["street"][0]) == int(tables["street"][row])


def at_spot(spot: Spot) -> Records:
    """`replayed`, with the spot's cards on the board."""
    here = replayed(spot)
    here["board"][0, : len(spot.board)] = spot.board
    return here


def replayed(spot: Spot) -> Records:
    """(1,): a table record with the hand's moves played, the button in seat 0, and any cards."""
    here, log = whole_hand(spot.game, spot.stacks), record.new_log(listening=False)
    for street in spot.moves:
        for move in street:
            batch.play_moves(here, spot.game.record, log, ROW, np.array([move], np.int64))
    return here


Answer = tuple[NDArray[np.int64], Floats]
RangeStrategy = Callable[[Records, Rules, NDArray[np.int64]], Answer]
"""Given (tables, rules, rows): moves (K, A), and the probabilities of each hand, (K, 1326, A)."""


def river_values(ranges_of: RangeStrategy, beginning: Spot, sizes: BetSizes, ranges: Floats) -> Floats:
    """(2, 1326): the chips that each hand of both players takes out of the pot on average, less what it puts in from
    the beginning of the river on; 0 for hands that meet none.

    ranges_of: the blueprint's range queries. beginning: the spot when the river began. sizes: those of the
    blueprint; its bets are these at the real pot. ranges: (2, 1326), the hands that both may have.
    """
    root = at_spot(beginning)
    tree = BettingTree.from_record(beginning.game, root, sizes)
    nodes = np.flatnonzero(tree.kind == DECISION)
    moves, probabilities = ranges_of(_tables(tree, root, beginning.game), beginning.game, nodes)
    solver = Solver(PublicGame(tree, tree.rules, beginning.board, ranges, isomorphic=False))
    for node, made, strategy in zip(nodes.tolist(), moves, probabilities, strict=True):
        solver.set_strategy(node, _by_child(tree, node, made, strategy))
    values = solver.by_hand(solver.values(VALUE)) + tree.put_in[0][:, None]
    return np.asarray(np.nan_to_num(values), np.float64)


def _tables(tree: BettingTree, root: Records, game: Rules) -> Records:
    """A record for each node of a tree at which somebody is to act."""
    tables, log = record.new_records(record.TABLE, len(tree)), record.new_log(listening=False)
    tables[0], decides = root[0], tree.kind == DECISION
    rows = np.zeros(1, np.int64)
    while (rows := np.flatnonzero(decides & np.isin(tree.parent, rows))).size:  # level by level
        tables[rows] = tables[tree.parent[rows]]
        batch.play_moves(tables, game.record, log, rows, tree.move[rows].astype(np.int64))
    return tables


def _by_child(tree: BettingTree, node: int, moves: NDArray[np.int64], probabilities: Floats) -> Floats:
    """(1326, children): probabilities of moves as those of a node's children. A wager that is rounded in another way
    is the nearest that is there; hands without probabilities have even rows."""
    first, children = int(tree.first_child[node]), int(tree.children[node])
    there = tree.move[first : first + children]
    rows = np.zeros((probabilities.shape[0], children))
    for move, column in zip(moves.tolist(), probabilities.T, strict=True):
        if move != NO_MOVE:
            rows[:, int(np.abs(there - move).argmin())] += column
    return normalize(rows, axis=1)


BOARD = {1: 3, 2: 4, 3: 5}  # cards on the board, by street
SIZES = {
    2: BetSizes({"turn": "70%, all-in | all-in", "river": "70% | all-in"}),
    3: BetSizes({"river": "50%, 100%, all-in | 100%, all-in | all-in"}),
}
"""Bets where a street is solved to the end of the hand."""
STREET_SIZES = {
    1: BetSizes({"flop": "50%, 100%, all-in | 100%, all-in | all-in", "turn": "all-in", "river": "none"}),
    2: BetSizes({"turn": "50%, 100%, all-in | 100%, all-in | all-in", "river": "all-in"}),
}
"""Bets where a network values its end; what comes after that only says how much can still be bet."""
NEXT = {1: "turn", 2: "river"}  # the street before which a network values hands, by the street that is solved
ITERATIONS = {2: 40, 3: 100}
STREET_ITERATIONS = 60  # where a network values the end of a street
LEAST_FLOOR = 1e-4  # a part of every range, so that there is an answer for every hand
KEPT, ANSWERS = 512, 2_048
"""Streets that were solved, some 0.3 MB each, and answers out of them, some 40 kB, that are remembered: about those of
a match's hands that are played at once."""
RESERVE = 0.75  # of the time that is left for a decision, what the iterations of a street may take
Reach = Callable[[Records, Rules, int, int], Floats]


class Solved(NamedTuple):
    """A street that was solved. ranges: (2, 1326), by player, when it began. strategies: how that street is played, by
    node (1326, moves), zeros where a card is on the board; None where nothing was solved, such as when time was too
    short. What a solution says of later streets, which are re-solved, is most of its memory, and not kept."""

    tree: BettingTree
    ranges: Floats
    strategies: dict[int, NDArray[np.float32]] | None


class Blueprint(NamedTuple):
    """What re-solving needs of the blueprint.

    reach: called with (tables, rules, row, moves), gives the reach probabilities (2, 1326) of the hands of both seats
    after the first `moves` moves of a hand. ranges: its range queries, nothing being solved. sizes: its bet sizes."""

    reach: Reach
    ranges: RangeStrategy
    sizes: BetSizes


class Spent(NamedTuple):
    """What search has taken so far: solutions, their iterations and seconds in all."""

    solutions: int
    iterations: int
    seconds: float

    def __str__(self) -> str:
        each = max(self.solutions, 1)
        count = f"{self.solutions:,} solution{'s' * (self.solutions != 1)}"
        return f"{count} of {self.iterations / each:.0f} iterations, {self.seconds / each:.3f} s each"


class Resolver:
    """Solves streets of hands, each once for each player, and says what is played there. The solutions are those of
    `solve_tree` (DCFR: Brown and Sandholm 2019), on flops and turns those of `solve_street`, the guard is the gadget of
    Burch, Johanson and Bowling (2014). spent: what it has taken so far.
    """

    def __init__(self, blueprint: Blueprint, options: SearchOptions) -> None:
        if options.first is None:
            raise ValueError("search must name a street, got None")
        self.first, self.options, self.spent = options.first, options, Spent(0, 0, 0.0)
        self._has_warned, self._blueprint = False, blueprint
        self._solved: OrderedDict[tuple[Spot, tuple[int, ...], int], Solved] = OrderedDict()
        self._answers: OrderedDict[Spot, Answer | None] = OrderedDict()
        self._deadline = 0.0

    def prepare(self) -> None:
        """Compile and load what solving needs now, rather than at the first decision: some ten seconds, the first
        time."""
        _compile()
        for street in range(self.first, max(STREETS.values())):
            if self.options.values == "network":
                shipped_values(NEXT[street])
        if self.first in NEXT:
            pairs_of(tuple(range(0, 40, 10)))

    def answer(self, tables: Records, rules: Rules, row: int) -> Answer | None:
        """What the seat to act at tables[row] plays: moves (A,), and probabilities of each hand, (1326, A), zeros for
        hands with a card of the board. None where the blueprint is to play: before `street`, or without a solution."""
        if tables["street"][row] < self.first:
            return None
        if (spot := spot_of(tables, rules, row)) is None:
            return None
        if spot not in self._answers:
            _remember(self._answers, spot, self._solve(spot, tables, rules, row), ANSWERS)
        return self._answers[spot]

    def _solve(self, spot: Spot, tables: Records, rules: Rules, row: int) -> Answer | None:
        if not is_complete(spot, tables, row):
            return None
        if self.options.seconds is not None:
            self.prepare()
            self._deadline = time.perf_counter() + self.options.seconds
        solved = self.solved(spot, len(spot.moves) - 1, tables, rules, row)
        if solved.strategies is None:
            return None
        node = _follow(solved.tree, spot.moves[-1])[0]
        return np.array(solved.tree.moves(node)), solved.strategies[node].astype(np.float64)

    def solved(
        self, spot: Spot, street: int, tables: Records, rules: Rules, row: int, player: int | None = None
    ) -> Solved:
        """A street of the hand at tables[row], whose spot is given, with the moves made on it; solved for a player, by
        default the one to act."""
        if player is None:
            player = int(tables["actor"][row]) ^ int(tables["button"][row])
        beginning = spot.beginning(street, BOARD[street])
        moves = spot.moves[street]
        root = replayed(beginning)
        network = self._network(street, beginning, root)
        sizes = STREET_SIZES[street] if network or street not in SIZES else SIZES[street]
        tree, played = tree_with(beginning.game, root, sizes, moves)
        key = beginning, played, player
        if (kept := self._solved.pop(key, None)) is not None:
            self._solved[key] = kept  # the last to be dropped
            return kept
        ranges = self._ranges(spot, street, player, tables, rules, row)
        guard = None
        if self.options.safe:
            ways_out = river_values(self._blueprint.ranges, beginning, self._blueprint.sizes, ranges)
            guard = Guard(player, ways_out[1 - player])
        solved = Solved(tree, ranges, self._solution(tree, beginning.board, ranges, street, guard or network))
        _remember(self._solved, key, solved, KEPT)
        return solved

    def _solution(
        self, tree: BettingTree, board: tuple[int, ...], ranges: Floats, street: int, by: Guard | ValueNetwork | None
    ) -> dict[int, NDArray[np.float32]] | None:
        """The strategies of `Solved`."""
        if by is None and street not in SIZES:
            return None
        limit = None
        if self.options.seconds is not None:
            limit = (self._deadline - time.perf_counter()) * RESERVE
            if limit <= 0:
                self._say_too_late()
                return None
        begun = time.perf_counter()
        if isinstance(by, ValueNetwork):
            search = solve_street(tree, board, ranges, by, self.options.iterations or STREET_ITERATIONS, limit)
            done, found = search.iterations, search.strategies
        else:
            steps = self.options.iterations or ITERATIONS[street]
            solution = solve_tree(
                tree, board, list(ranges), accuracy=None, iterations=steps, seconds=limit, guard=by, threads=1
            )
            first = np.flatnonzero((tree.kind == DECISION) & (tree.street == tree.street[0])).tolist()
            done, found = solution.iterations, {node: solution.strategy(node).astype(np.float32) for node in first}
        before, seconds = self.spent, time.perf_counter() - begun
        self.spent = Spent(before.solutions + 1, before.iterations + done, before.seconds + seconds)
        if done < LEAST_ITERATIONS:
            self._say_too_late()
            return None
        return found

    def _network(self, street: int, beginning: Spot, root: Records) -> ValueNetwork | None:
        """What values the end of a street; None if nothing does that was trained for its game and stacks."""
        game = beginning.game
        is_known = street in NEXT and game.structure == "no_limit" and game.rake is None
        network = shipped_values(NEXT[street]) if is_known and self.options.values == "network" else None
        left = root["seats"]["stack"][0, :SEATS].min()
        return network if network is not None and left <= network.deepest * root["pot"][0] else None

    def _say_too_late(self) -> None:
        """Say once that time was too short for a solution."""
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(
                f"search: {self.options.seconds} seconds are too few for {LEAST_ITERATIONS} iterations: the blueprint "
                "plays",
                RuntimeWarning,
                stacklevel=2,
            )

    def _ranges(self, spot: Spot, street: int, player: int, tables: Records, rules: Rules, row: int) -> Floats:
        """(2, 1326): how likely each hand of both players is when a street begins, for a player to solve it."""
        before = self.solved(spot, street - 1, tables, rules, row, player) if street > self.first else None
        if before is None or before.strategies is None:
            button, end = int(tables["button"][row]), sum(map(len, spot.moves[:street]))
            ranges = self._blueprint.reach(tables, rules, row, end)[[button, 1 - button]]
        else:
            ranges = _after(before, spot.moves[street - 1])
        floors = [0.0 if seat == player or self.options.safe else self.options.floor for seat in range(PLAYERS)]
        return with_floor(ranges, spot.board[: BOARD[street]], floors)


def _remember(memory: OrderedDict[Any, Any], key: Any, value: Any, most: int) -> None:
    """Put a value into a memory of at most `most`; the oldest is dropped."""
    memory[key] = value
    if len(memory) > most:
        memory.popitem(last=False)


@lru_cache(maxsize=1)
def _compile() -> None:
    """Solve something small, so that no decision's time goes into compiling."""
    tree = BettingTree.from_spot(Rules(seats=2), "100%", "river", 200, 9_900)
    solve_tree(tree, tuple(range(0, 50, 10)), [np.ones(COMBOS)] * 2, accuracy=None, iterations=1)


def with_floor(ranges: Floats, board: tuple[int, ...], floor: float | Sequence[float]) -> Floats:
    """Ranges (2, 1326) that sum to 1 each, of hands without a card of the board, `floor` of them (or of each of them)
    spread evenly."""
    possible = possible_combos(np.array(board, np.int64))
    even = possible / possible.sum()
    part = np.maximum(np.broadcast_to(floor, PLAYERS), LEAST_FLOOR)[:, None]
    held = np.where(possible, ranges, 0.0)
    totals = held.sum(axis=1, keepdims=True)
    held = np.where(totals > 0, held / np.where(totals > 0, totals, 1.0), even)
    return np.asarray((1 - part) * held + part * even)


def _after(solved: Solved, moves: Moves) -> Floats:
    assert solved.strategies is not None
    tree, ranges, node = solved.tree, solved.ranges.copy(), 0
    for move in moves:
        child = tree.child(node, move)
        ranges[int(tree.player[node])] *= solved.strategies[node][:, child - int(tree.first_child[node])]
        node = child
    return ranges


def _follow(tree: BettingTree, moves: Moves) -> tuple[int, int]:
    """The node after moves, and how many of them the tree has."""
    node = 0
    for count, move in enumerate(moves):
        if move not in tree.moves(node):
            return node, count
        node = tree.child(node, move)
    return node, len(moves)


def tree_with(game: Rules, root: Records, sizes: BetSizes, moves: Moves) -> tuple[BettingTree, Moves]:
    """The tree of a street that has the moves made there, and those of them that it had to be given."""
    played: Moves = ()
    while True:
        tree = BettingTree.from_record(game, root, sizes, played)
        _, count = _follow(tree, moves)
        if count == len(moves):
            return tree, played
        played = moves[: count + 1]
