"""`GameSolution`: a solved small game, with the figure that says how well; as a table in words, an agent, and a file.

    solution.save("leduc.solved")
    solution = load_solution("leduc.solved")
    agent = make_agent("leduc.solved")

A file (.solved) is data alone, so that loading one cannot run code: MAGIC, the SHA-256 digest of all that follows, the
header's length, the header (`Header` as JSON) and the strategy's probabilities, compressed by zlib. The public tree is
made again from the rules and the bet sizes; everything is checked before it is used, and so is the size of the strategy
before it is unpacked.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from ...agents.known_strategy import KnownStrategy
from ...cards.text import CARDS, RANKS, cards_text
from ...compiled.compiler import kernel
from ...compiled.records import Records
from ...engine.batch import NO_MOVE
from ...engine.legality import move_text
from ...engine.record import FOLD, MAX_MOVES
from ...game.rules import Rules
from ...game.title import game_title
from ...utils.atomic import write_atomically
from ...utils.frames import to_frame
from ...utils.validation import Validated
from ...utils.version import __version__
from ..trees import BetSizes
from ..trees.walking import DECISION
from .game import MOST_MEMORY, Betting, PublicTree, check_game, tree_of
from .hands import Cards, renamed

SUFFIX = ".solved"
MAGIC = b"HOLDEMSG"
FORMAT = 1
DIGEST_BYTES = 32
LENGTH_BYTES = 8
MAX_HEADER = 2**22
MAX_FILE = 2**32
SUM_TOLERANCE = 1e-3  # of single precision; sums of probabilities of one hand
WRONG_RULES = (ValueError, TypeError, OverflowError, RecursionError)

MOST_LINES = 2_000  # of a table
PLAYERS = ("button", "other")
SURE = 1e-9

Finite = Annotated[float, Field(allow_inf_nan=False)]
Ints = NDArray[np.int64]


class TracePoint(NamedTuple):
    """What was reached on the way: after this many iterations and seconds, this exploitability in chips per hand."""

    iterations: int
    seconds: float
    exploitability: float


class Decision(NamedTuple):
    """A decision with a hand. plays: each move in words, with its probability."""

    to_act: str
    moves: str
    board: str
    hand: str
    plays: list[tuple[str, float]]


@dataclass(frozen=True, repr=False)
class GameSolution:
    """A strategy for both seats of a small game, near an equilibrium.

    rules: the game. sizes: the bet sizes, None for every legal raise. algorithm, iterations, seconds: how it was found.
    exploitability: the mean of what both seats would gain by a best response, in chips per hand (NashConv / 2); exact,
    among the bet sizes of the solution. values: what player 0, on the button, and player 1 win per hand, in chips, when
    both play it. trace: the exploitability on the way.
    tree: the public tree; strategy: (tree.entries,) probabilities, as `PublicTree` lays them out.
    """

    rules: Rules
    sizes: BetSizes | None
    algorithm: str
    iterations: int
    exploitability: float
    values: tuple[float, float]
    seconds: float
    trace: tuple[TracePoint, ...]
    tree: PublicTree
    strategy: NDArray[np.floating[Any]]

    def __repr__(self) -> str:
        return (
            f"<GameSolution of {game_title(self.rules)}: exploitability {self.exploitability:.3g} chips a hand after "
            f"{self.iterations:,} iterations of {self.algorithm}>"
        )

    def agent(self, seed: int = 0) -> SolutionAgent:
        """The solution as an agent, which plays it in either seat and gives its probabilities. seed: with the same one
        it plays the same in the same hand."""
        return SolutionAgent(self, seed)

    def table(self) -> str:
        """The strategy in words: a line for each decision and hand. Raises ValueError for games of more than 2,000 such
        lines."""
        return table_of(self.tree, self.strategy)

    def to_frame(self) -> Any:
        """The strategy as a pandas.DataFrame with a row for each move of each decision and hand: to_act, moves (those
        before), board, hand, plays (the move), probability. Raises as `table`; ModuleNotFoundError without pandas."""
        rows = [
            (*where, move, probability)
            for *where, played in decisions_of(self.tree, self.strategy)
            for move, probability in played
        ]
        names = "to_act", "moves", "board", "hand", "plays", "probability"
        return to_frame(dict(zip(names, zip(*rows, strict=True), strict=True)))

    def save(self, path: str | Path) -> None:
        """Write the solution to a .solved file, which holds data alone; `load_solution` reads it, and
        `make_agent(path)` makes an agent of it. Raises ValueError for another suffix, OSError."""
        path = Path(path)
        if path.suffix != SUFFIX:
            raise ValueError(f"{path}: the file of a solution ends in {SUFFIX}")
        kind: Literal["<f4", "<f8"] = "<f8" if self.strategy.dtype == np.float64 else "<f4"
        header = Header(
            format=FORMAT,
            written_by=__version__,
            rules=self.rules.model_dump(mode="json"),
            sizes=None if self.sizes is None else self.sizes.config(),
            algorithm=self.algorithm,
            iterations=self.iterations,
            exploitability=self.exploitability,
            values=self.values,
            seconds=self.seconds,
            trace=self.trace,
            kind=kind,
            entries=self.tree.entries,
        )
        text = json.dumps(header.model_dump(mode="json"), allow_nan=False).encode()
        packed = zlib.compress(np.ascontiguousarray(self.strategy, kind).tobytes(), 6)
        content = len(text).to_bytes(LENGTH_BYTES, "little") + text + packed
        write_atomically(path, MAGIC + sha256(content).digest() + content)

    def __str__(self) -> str:
        on, off = self.values
        return (
            f"{self.algorithm}, {self.iterations:,} iterations, {self.seconds:.2f} s: exploitability "
            f"{self.exploitability:.3g} chips per hand; on the button {on:+.4f}, off it {off:+.4f}"
        )


def move_words(rules: Rules, betting: Betting, node: int) -> str:
    """The move that leads to a betting node: "fold", "check", "call", "bet 4" or "raise to 8"."""
    parent, move = int(betting.parent[node]), int(betting.move[node])
    first = int(betting.first_child[parent])
    faces_bet = int(betting.move[first]) == FOLD
    return move_text(move, call=faces_bet, opens=not (faces_bet or _has_blinds(rules, betting, parent)))


def _has_blinds(rules: Rules, betting: Betting, node: int) -> bool:
    return int(betting.street[node]) == 0 and rules.big_blind + rules.straddle > 0


def history_words(rules: Rules, betting: Betting, node: int) -> str:
    """The moves before a betting node, streets separated by a bar; "" at the root."""
    words: list[str] = []
    while node > 0:
        parent = int(betting.parent[node])
        new_street = betting.street[node] > betting.street[parent]
        words.append(move_words(rules, betting, node) + (" |" if new_street else ""))
        node = parent
    return ", ".join(reversed(words)).replace(" |, ", " | ")


def decisions_of(tree: PublicTree, strategy: NDArray[Any]) -> list[Decision]:
    """Who is to act, the moves before, the board, the hand, and each move with its probability. Hands of the same ranks
    that are played alike are one. Raises ValueError for more than MOST_LINES."""
    if len(tree.places[0]) > MOST_LINES:
        raise ValueError(f"table: {len(tree.places[0]):,} decisions are too many to read, at most {MOST_LINES:,}")
    found: list[Decision] = []
    boards = [board for level in tree.hands.boards for board in level]
    for node, board in zip(*(part.tolist() for part in tree.places), strict=True):
        at = int(tree.nodes["betting"][node])
        before = history_words(tree.rules, tree.betting, at) or "first"
        lying = cards_text(boards[board].all_cards) or "-"
        who = PLAYERS[int(tree.nodes["player"][node])]
        first = int(tree.betting.first_child[at])
        moves = [move_words(tree.rules, tree.betting, first + k) for k in range(int(tree.nodes["children"][node]))]
        for hand, probabilities in _hands_at(tree, strategy, node, board):
            found.append(Decision(who, before, lying, hand, list(zip(moves, probabilities, strict=True))))
        if len(found) > MOST_LINES:
            raise ValueError(f"table: more than {MOST_LINES:,} lines are too many to read")
    return found


def table_of(tree: PublicTree, strategy: NDArray[Any]) -> str:
    """`decisions_of` as text, a line for each."""
    rows = [("to act", "moves", "board", "hand", "plays")]
    for to_act, before, board, hand, plays in decisions_of(tree, strategy):
        rows.append((to_act, before, board, hand, ", ".join(f"{move} {p:.3f}" for move, p in plays)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _hands_at(tree: PublicTree, strategy: NDArray[Any], node: int, board: int) -> list[tuple[str, list[float]]]:
    """The possible hands and how they are played; by ranks where all hands of these ranks are played alike."""
    plays = tree.strategy_at(strategy, node)[:, board - int(tree.nodes["board"][node])].T
    by_ranks: dict[str, list[int]] = {}
    for hand in np.flatnonzero(tree.arrays.free[board]).tolist():
        by_ranks.setdefault("".join(RANKS[card // 4] for card in tree.hands.cards[hand].tolist()), []).append(hand)
    lines: list[tuple[str, list[float]]] = []
    for ranks, hands in by_ranks.items():
        if np.ptp(plays[hands], axis=0).max() <= SURE:
            lines.append((ranks, plays[hands[0]].tolist()))
        else:
            lines += [(cards_text(tree.hands.cards[hand].tolist()), plays[hand].tolist()) for hand in hands]
    return lines


class SolutionAgent(KnownStrategy):
    """Plays a `GameSolution` in either seat, and gives its probabilities.

    It plays the game that was solved and no other. With bet sizes it knows only those: it raises ValueError where an
    opponent has made a bet that is not among them.

    seed: with the same seed, the agent plays the same in the same hand of the same table. path: the file that the
    solution is from, if any.
    """

    def __init__(self, solution: GameSolution, seed: int = 0, path: Path | None = None) -> None:
        super().__init__(seed)
        self.solution, self.path = solution, path
        self.name = "solution" if path is None else str(path)
        self._rules = solution.rules
        self._boards: dict[tuple[Cards, ...], tuple[int, Ints]] = {}
        tree = solution.tree
        self._node = _nodes_by_place(solution)
        self._keys = tree.hands.cards @ _powers(solution.rules.hole_cards)

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `Agent.probabilities`. Raises ValueError for other rules, and for a hand that has left the tree."""
        self._check_rules(rules)
        tree, betting = self.solution.tree, self.solution.tree.betting
        at = self._betting_nodes(tables, rows)
        boards, hands = self._boards_and_hands(tables, rows)
        nodes = self._node[at, boards].astype(np.int64)
        children = tree.nodes["children"][nodes][:, None]
        place = np.arange(int(children.max(initial=1)))
        offered = place < children
        child = np.where(offered, betting.first_child[at][:, None] + place, 0)
        entry = np.where(offered, tree.entries_of(nodes, boards, hands, len(place)), 0)
        moves = np.where(offered, betting.move[child], NO_MOVE)
        probabilities = self.solution.strategy[entry].astype(np.float64) * offered
        return moves.astype(np.int64), probabilities / probabilities.sum(axis=1, keepdims=True)

    def config(self) -> dict[str, Any]:
        """See `Agent.config`. Raises ValueError for a solution that is not from a file."""
        if self.path is None:
            raise ValueError("agent 'solution': save the solution first, and make the agent from its file")
        return {"agent": str(self.path), "seed": self.seed}

    def _check_rules(self, rules: Rules) -> None:
        if rules is self._rules:
            return
        if names := self.solution.rules.differences(rules):
            own = self.solution.rules
            differences = "; ".join(f"{name} {getattr(own, name)!r}, not {getattr(rules, name)!r}" for name in names)
            raise ValueError(f"agent {self.name!r}: it has solved another game: {differences}")
        self._rules = rules

    def _betting_nodes(self, tables: Records, rows: Ints) -> Ints:
        """The node of the betting tree at each table."""
        betting, found = self.solution.tree.betting, np.empty(len(rows), np.int64)
        children = np.asarray(betting.children, np.int64)
        bad = follow(tables, rows, betting.first_child, children, betting.move, found)
        if bad >= 0 or (betting.kind[found] != DECISION).any():
            row = int(rows[bad if bad >= 0 else (betting.kind[found] != DECISION).argmax()])
            raise ValueError(
                f"agent {self.name!r}, table {row}: the hand has a move that the solution does not know; its bet sizes "
                f"are {self.solution.sizes or 'every legal raise'}"
            )
        return found

    def _boards_and_hands(self, tables: Records, rows: Ints) -> tuple[Ints, Ints]:
        """The place of each table's board among all, and the number of the hand of the seat to act, once its suits are
        renamed as those of the board are."""
        actor, held = tables["actor"][rows].astype(np.int64), self.solution.rules.hole_cards
        cards = tables["hole"][rows, actor, :held].astype(np.int64)
        sizes = np.array((0, *self.solution.rules.board_sizes))
        level = 1 + tables["street"][rows].astype(np.int64)
        lying = np.where(np.arange(tables["board"].shape[1]) < sizes[level][:, None], tables["board"][rows], -1)
        seen = np.concatenate([level[:, None], lying], axis=1)
        different, which = np.unique(seen, axis=0, return_inverse=True)
        found = [self._board(row[0], row[1:]) for row in different.tolist()]
        boards, renamings = np.array([board for board, _ in found]), np.array([renaming for _, renaming in found])
        which = which.reshape(-1)
        cards = np.sort(renamings[which[:, None], cards], axis=1)[:, ::-1]
        return boards[which], np.searchsorted(self._keys, cards @ _powers(held))

    def _board(self, level: int, cards: list[int]) -> tuple[int, Ints]:
        """The place of the board that stands for the one on the table, and the renaming of suits that leads there."""
        hands, first = self.solution.tree.hands, 0
        streets: list[Cards] = []
        for count in self.solution.rules.board_cards[:level]:
            streets.append(tuple(sorted(cards[first : first + count])))
            first += count
        key = tuple(streets)
        if key not in self._boards:
            place, renaming = 0, tuple(range(CARDS))
            for number, street in enumerate(streets):
                seen = renamed(street, renaming)
                lies, best = min((renamed(seen, one), one) for one in hands.boards[number][place].same)
                place = hands.places[number + 1][place, lies]
                renaming = tuple(best[card] for card in renaming)
            self._boards[key] = int(self.solution.tree.boards_before[level]) + place, np.array(renaming, np.int64)
        return self._boards[key]


def _powers(cards: int) -> Ints:
    """By which each card of a hand is multiplied to make its key, the first the most."""
    return CARDS ** np.arange(cards - 1, -1, -1, dtype=np.int64)


def _nodes_by_place(solution: GameSolution) -> NDArray[np.int32]:
    """(betting nodes, boards) int32: the decision there; 0 where there is none."""
    tree = solution.tree
    found = np.zeros((len(tree.betting.kind), int(tree.boards_before[-1])), np.int32)
    nodes, boards = tree.places
    found[tree.nodes["betting"][nodes], boards] = nodes
    return found


@kernel
def follow(tables, rows, first_child, children, move, found):
    """Follow the moves made at tables[rows] through a betting tree; the nodes are written to `found`. Returns the first
    place in `rows` whose moves the tree does not have, or -1."""
    for k in range(rows.size):
        t = tables[rows[k]]
        node = np.int64(0)
        if t.moves > MAX_MOVES:
            return k
        for made in range(t.moves):
            after = np.int64(-1)
            for child in range(children[node]):
                if move[first_child[node] + child] == t.move[made]:
                    after = np.int64(first_child[node] + child)
            if after < 0:
                return k
            node = after
        found[k] = node
    return -1


class Header(Validated):
    """The JSON document of a solution file: the fields of `GameSolution`, and how its strategy is stored.

    format: 1. written_by: which version of this library wrote it. kind: the type of the probabilities. entries: how
    many there are. trace: iterations, seconds and exploitability of each check.
    """

    format: int
    written_by: Annotated[str, Field(max_length=1000)] = ""
    rules: dict[str, Any]
    sizes: Any = None
    algorithm: Annotated[str, Field(max_length=100)]
    iterations: Annotated[int, Field(ge=1)]
    exploitability: Finite
    values: tuple[Finite, Finite]
    seconds: Finite
    trace: tuple[tuple[int, Finite, Finite], ...] = ()
    kind: Literal["<f4", "<f8"]
    entries: Annotated[int, Field(ge=0)]


def load_solution(path: str | Path, most_memory: int = MOST_MEMORY) -> GameSolution:
    """The solution in a .solved file. most_memory: bytes that its game may need.

    Raises FileNotFoundError, and ValueError, naming the file, for one that is damaged, of another kind or format, or
    does not fit its own rules.
    """
    path = Path(path)
    header, packed = _read(path)
    try:
        rules = Rules(**header.rules)
        check_game(rules)
        sizes = None if header.sizes is None else BetSizes.parse(header.sizes)
        tree = tree_of(rules, sizes, most_memory, copies=1)
    except WRONG_RULES as error:
        raise ValueError(f"{path}: its rules or bet sizes cannot be used: {error}") from None
    return GameSolution(
        rules=rules,
        sizes=sizes,
        algorithm=header.algorithm,
        iterations=header.iterations,
        exploitability=header.exploitability,
        values=header.values,
        seconds=header.seconds,
        trace=tuple(TracePoint(*point) for point in header.trace),
        tree=tree,
        strategy=_unpacked(path, header, tree, packed),
    )


def _read(path: Path) -> tuple[Header, bytes]:
    """The header and the packed strategy of a file whose digest is right."""
    if path.is_file() and path.stat().st_size > MAX_FILE:
        raise ValueError(f"{path}: {path.stat().st_size:,} bytes are too many for a solution, at most {MAX_FILE:,}")
    data = path.read_bytes()
    if data[: len(MAGIC)] != MAGIC:
        raise ValueError(f"{path}: this is not a solution that `GameSolution.save` has written")
    digest, content = data[len(MAGIC) : len(MAGIC) + DIGEST_BYTES], data[len(MAGIC) + DIGEST_BYTES :]
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if sha256(content).digest() != digest or length > min(MAX_HEADER, len(content) - LENGTH_BYTES):
        raise ValueError(f"{path}: the file is damaged: its digest is not that of its content")
    try:
        header = Header.model_validate_json(content[LENGTH_BYTES : LENGTH_BYTES + length])
    except ValidationError as error:
        raise ValueError(f"{path}: its header is not that of a solution: {error}") from None
    if header.format != FORMAT:
        raise ValueError(f"{path}: it has format {header.format}; this version, {__version__}, reads format {FORMAT}")
    return header, content[LENGTH_BYTES + length :]


def _unpacked(path: Path, header: Header, tree: PublicTree, packed: bytes) -> NDArray[np.floating[Any]]:
    """The probabilities, if there are as many as the tree has entries, and they sum to 1."""
    if header.entries != tree.entries:
        raise ValueError(
            f"{path}: it has {header.entries:,} probabilities, and the tree of its rules and bet sizes {tree.entries:,}"
        )
    size = tree.entries * np.dtype(header.kind).itemsize
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise ValueError(f"{path}: its strategy cannot be unpacked ({error})") from None
    if len(data) != size:
        raise ValueError(f"{path}: its strategy is not as large as it says")
    strategy = np.frombuffer(data, header.kind).astype(header.kind[1:])
    for node in tree.decisions.tolist():
        probabilities = tree.strategy_at(strategy, node)
        if not ((probabilities >= 0).all() and (np.abs(probabilities.sum(axis=0) - 1) <= SUM_TOLERANCE).all()):
            raise ValueError(f"{path}: its strategy is not made of probabilities")
    return strategy


def load(path: str | Path, seed: int = 0) -> SolutionAgent:
    """The agent that plays the solution in a file, for `make_agent`. Raises as `load_solution` does."""
    return SolutionAgent(load_solution(path), seed, Path(path))
