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
from ...cards.text import RANKS, cards_text
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
from ..public_game import Betting, PublicGame
from ..trees import BetSizes
from ..trees.walking import DECISION
from .game import MOST_MEMORY, check_game, game_of

SUFFIX = ".solved"
MAGIC = b"HOLDEMSG"
FORMAT = 2
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
    game: what was solved; strategy: (game.entries,) probabilities, as `PublicGame` lays them out.
    """

    rules: Rules
    sizes: BetSizes | None
    algorithm: str
    iterations: int
    exploitability: float
    values: tuple[float, float]
    seconds: float
    trace: tuple[TracePoint, ...]
    game: PublicGame
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
        return table_of(self.game, self.strategy)

    def to_frame(self) -> Any:
        """The strategy as a pandas.DataFrame with a row for each move of each decision and hand: to_act, moves (those
        before), board, hand, plays (the move), probability. Raises as `table`; ModuleNotFoundError without pandas."""
        rows = [
            (*where, move, probability)
            for *where, played in decisions_of(self.game, self.strategy)
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
            entries=self.game.entries,
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


def decisions_of(game: PublicGame, strategy: NDArray[Any]) -> list[Decision]:
    """Who is to act, the moves before, the board, the hand, and each move with its probability. Hands of the same ranks
    that are played alike are one. Raises ValueError for more than MOST_LINES."""
    if (count := sum(len(game.boards_at(node)) for node in game.decisions)) > MOST_LINES:
        raise ValueError(f"table: {count:,} decisions are too many to read, at most {MOST_LINES:,}")
    found: list[Decision] = []
    for node in _in_order_of_play(game.tree):
        before = history_words(game.rules, game.tree, node) or "first"
        who = PLAYERS[int(game.tree.player[node])]
        first = int(game.tree.first_child[node])
        moves = [move_words(game.rules, game.tree, first + k) for k in range(int(game.tree.children[node]))]
        for board in game.boards_at(node):
            lying = cards_text(game.boards.lying(board)) or "-"
            for hand, probabilities in _hands_at(game, strategy, node, board):
                found.append(Decision(who, before, lying, hand, list(zip(moves, probabilities, strict=True))))
        if len(found) > MOST_LINES:
            raise ValueError(f"table: more than {MOST_LINES:,} lines are too many to read")
    return found


def _in_order_of_play(tree: Betting) -> list[int]:
    """The decisions, each before those that follow it."""
    found, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if tree.kind[node] == DECISION:
            found.append(node)
            first = int(tree.first_child[node])
            waiting += reversed(range(first, first + int(tree.children[node])))
    return found


def table_of(game: PublicGame, strategy: NDArray[Any]) -> str:
    """`decisions_of` as text, a line for each."""
    rows = [("to act", "moves", "board", "hand", "plays")]
    for to_act, before, board, hand, plays in decisions_of(game, strategy):
        rows.append((to_act, before, board, hand, ", ".join(f"{move} {p:.3f}" for move, p in plays)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _hands_at(game: PublicGame, strategy: NDArray[Any], node: int, board: int) -> list[tuple[str, list[float]]]:
    """The possible hands and how they are played; by ranks where all hands of these ranks are played alike."""
    held = game.boards.hands(int(game.tree.player[node]), board)
    plays = game.rows(strategy, node)[board - game.boards_at(node)[0], :, : len(held)].T
    by_ranks: dict[str, list[int]] = {}
    for place in np.argsort(held).tolist():
        ranks = "".join(RANKS[card // 4] for card in game.hands.cards[held[place]].tolist())
        by_ranks.setdefault(ranks, []).append(place)
    lines: list[tuple[str, list[float]]] = []
    for ranks, places in by_ranks.items():
        if np.ptp(plays[places], axis=0).max() <= SURE:
            lines.append((ranks, plays[places[0]].tolist()))
        else:
            lines += [(cards_text(game.hands.cards[held[k]].tolist()), plays[k].tolist()) for k in places]
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
        self._boards: dict[tuple[tuple[int, ...], ...], tuple[int, Ints]] = {}

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `Agent.probabilities`. Raises ValueError for other rules, and for a hand that has left the tree."""
        self.check_rules(rules)
        game, tree = self.solution.game, self.solution.game.tree
        nodes = self._nodes(tables, rows)
        boards, hands = self._boards_and_hands(tables, rows)
        children = tree.children[nodes][:, None]
        place = np.arange(int(children.max(initial=1)))
        offered = place < children
        child = np.where(offered, tree.first_child[nodes][:, None] + place, 0)
        entry = np.where(offered, game.entries_of(nodes, boards, hands, len(place)), 0)
        moves = np.where(offered, tree.move[child], NO_MOVE)
        probabilities = self.solution.strategy[entry].astype(np.float64) * offered
        return moves.astype(np.int64), probabilities / probabilities.sum(axis=1, keepdims=True)

    def config(self) -> dict[str, Any]:
        """See `Agent.config`. Raises ValueError for a solution that is not from a file."""
        if self.path is None:
            raise ValueError("agent 'solution': save the solution first, and make the agent from its file")
        return {"agent": str(self.path), "seed": self.seed}

    def check_rules(self, rules: Rules) -> None:
        """See `Agent.check_rules`: it plays the solved game alone."""
        if rules is self._rules:
            return
        if names := self.solution.rules.differences(rules):
            own = self.solution.rules
            differences = "; ".join(f"{name} {getattr(own, name)!r}, not {getattr(rules, name)!r}" for name in names)
            raise ValueError(f"agent {self.name!r}: it has solved another game: {differences}")
        self._rules = rules

    def _nodes(self, tables: Records, rows: Ints) -> Ints:
        """The node at each table."""
        tree, found = self.solution.game.tree, np.empty(len(rows), np.int64)
        children = np.asarray(tree.children, np.int64)
        bad = follow(tables, rows, tree.first_child, children, tree.move, found)
        if bad >= 0 or (tree.kind[found] != DECISION).any():
            row = int(rows[bad if bad >= 0 else (tree.kind[found] != DECISION).argmax()])
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
        counts = np.array(self.solution.rules.board_sizes)[tables["street"][rows].astype(np.int64)]
        lying = np.where(np.arange(tables["board"].shape[1]) < counts[:, None], tables["board"][rows], -1)
        seen = np.concatenate([tables["street"][rows][:, None], lying], axis=1).astype(np.int64)
        different, which = np.unique(seen, axis=0, return_inverse=True)
        found = [self._board(row[0], row[1:]) for row in different.tolist()]
        boards, renamings = np.array([board for board, _ in found]), np.array([renaming for _, renaming in found])
        which = which.reshape(-1)
        return boards[which], self.solution.game.hands.numbers(renamings[which[:, None], cards])

    def _board(self, street: int, cards: list[int]) -> tuple[int, Ints]:
        """The board that stands for the one on the table on a street, and the renaming of suits that leads there."""
        game, rules, first = self.solution.game, self.solution.rules, 0
        dealt: list[tuple[int, ...]] = []
        for count in rules.board_cards[: street + 1]:
            dealt.append(tuple(cards[first : first + count]))
            first += count
        key = tuple(dealt[rules.streets - len(game.deals) :])  # nothing may lie before the first decision
        if key not in self._boards:
            board, renaming = game.boards.find(key)
            self._boards[key] = board, np.argsort(renaming)
        return self._boards[key]


@kernel
def follow(tables: Records, rows: Ints, first_child: Ints, children: Ints, move: Ints, found: Ints) -> int:
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

    format: 2. written_by: which version of this library wrote it. kind: the type of the probabilities. entries: how
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
        game = game_of(rules, sizes, most_memory, kept=1)
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
        game=game,
        strategy=_unpacked(path, header, game, packed),
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


def _unpacked(path: Path, header: Header, game: PublicGame, packed: bytes) -> NDArray[np.floating[Any]]:
    """The probabilities, if there are as many as the tree has entries, and they sum to 1."""
    if header.entries != game.entries:
        raise ValueError(
            f"{path}: it has {header.entries:,} probabilities, and the tree of its rules and bet sizes {game.entries:,}"
        )
    size = game.entries * np.dtype(header.kind).itemsize
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise ValueError(f"{path}: its strategy cannot be unpacked ({error})") from None
    if len(data) != size:
        raise ValueError(f"{path}: its strategy is not as large as it says")
    strategy = np.frombuffer(data, header.kind).astype(header.kind[1:])
    for node in game.decisions.tolist():
        probabilities = game.rows(strategy, node)
        if not ((probabilities >= 0).all() and (np.abs(probabilities.sum(axis=1) - 1) <= SUM_TOLERANCE).all()):
            raise ValueError(f"{path}: its strategy is not made of probabilities")
    return strategy


def load(path: str | Path, seed: int = 0) -> SolutionAgent:
    """The agent that plays the solution in a file, for `make_agent`. Raises as `load_solution` does."""
    return SolutionAgent(load_solution(path), seed, Path(path))
