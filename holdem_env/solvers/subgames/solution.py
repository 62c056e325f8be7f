"""`SubgameSolution`: what both players do with each of their hands in a solved subgame, and its value; as an agent,
and as a file.

A file (.npz) is data alone, so that loading one cannot run code: a JSON header, which says what was solved, and the
probabilities of all decisions in two bytes each. The tree is made again from the header, and what the file holds is
checked against it before it is unpacked.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBO_CARDS, COMBOS, possible_combos
from ...cards.text import CARDS, card_name, cards_text
from ...equities.questions import CardsLike, read_cards
from ...game.rules import Rules
from ...utils.atomic import whole_file
from ...utils.frames import to_frame
from ...utils.plain_data import json_of, untrusted
from ..boards import PLAYERS
from ..cfr import BEST, VALUE, normalize
from ..packing import STEPS, Numbers
from ..public_game import PublicGame, RunOut, size_of
from ..solver import Solver, move_values_at, per_hand, values_at
from ..trees import BetSizes, BettingTree
from ..trees.walking import DECISION
from .agent import SubgameAgent
from .charts import Chart
from .reading import MOST_MEMORY, check_game, find_place, move_words, read_ranges, read_subgame_board

Place: TypeAlias = int | str | Iterable[str]
"""A node, or the path to it in words."""
Read = TypeVar("Read")
TINY = 1e-300
FORMAT = 3
MOST_HEADER = 2**20
SPARE = 4096
"""Bytes of an array's own header in the file, at most."""


class SubgameSolution:
    """A solved subgame.

    tree: the betting tree; board: its cards at the root; ranges: (2, 1326), the weights of both players' hands.
    iterations: how many were run; seconds: how long that took. solver: where it was stopped before its end, the solver,
    which can go on; None otherwise. locked: the nodes whose strategies were held fixed.
    exploitability: in chips, what a best response inside the tree gains over the strategies, the mean of both players;
    exploitability_percent: the same in percent of the pot.
    values: (2,), the chips that each player takes out of the pot on average, less what it puts in from the root on;
    shares: (2,), the share of the pot that each gets if nobody bets any more.
    ev, equity: (2, 1326), the same for each hand. NaN for hands that are not in the range, or meet none of the other
    player's.
    """

    def __init__(
        self,
        game: PublicGame,
        cumulative_strategy: Numbers,
        results: dict[str, Any],
        solver: Solver | None = None,
    ) -> None:
        self.tree: BettingTree = game.tree
        self.board, self.ranges = game.board, game.ranges
        self.game, self._numbers, self.solver = game, cumulative_strategy, solver
        self._spot: dict[str, Any] | None = None
        self.iterations: int = results["iterations"]
        self.locked: list[int] = results["locked"]
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

    @property
    def spot(self) -> dict[str, Any] | None:
        """The pot and the stacks that were given; None for a tree that did not come from a spot."""
        return self._spot

    def strategy(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """What the player to act at a place does with each hand: (1326, children), probabilities in the order of
        `moves(place)`; rows of zeros for hands that are not in the range.

        place: a node of the tree, or the path to it, such as "check, bet 75, call, 9s, check". dealt: the cards dealt
        since the root, where the path does not name them; as many as there are streets between.
        Raises ValueError for other cards, for a path that the tree does not have, and where nobody is to act.
        """
        node, cards = self._place(place, dealt)
        player, children = int(self.tree.player[node]), int(self.tree.children[node])
        board, hands = self._find(player, cards)
        rows = self.game.rows(self._numbers.values, node)[board - self.game.boards_at(node)[0], :, : len(hands)]
        answer = np.zeros((COMBOS, children))
        answer[hands] = normalize(rows.T.astype(np.float64), axis=1)
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

    def ev_at(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """(2, 1326): the chips that each hand of both players takes out of the pot on average from a place on, less
        what it still puts in; the hands of the other player are those that come there. NaN for hands that are not in
        the range, or meet none. Arguments and errors as those of `strategy`; `ev` is that of the root."""
        node, cards = self._place(place, dealt)
        board, reach, met = self._meeting(node, cards)
        values = values_at(self.game, self._numbers, node, board, reach)
        ev: NDArray[np.float64] = np.full((PLAYERS, COMBOS), np.nan)
        for p in range(PLAYERS):
            combos = self._find(p, cards)[1]
            ev[p, combos] = per_hand(values[p, : len(combos)].astype(np.float64), met[p, combos])
        ev += self.tree.put_in[node][:, None]
        return ev

    def move_ev(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """(1326, children): `ev_at` of the player to act for each move at a place, in the order of `moves(place)`.
        Arguments and errors as those of `strategy`."""
        node, cards = self._place(place, dealt)
        board, reach, met = self._meeting(node, cards)
        player = int(self.tree.player[node])
        combos = self._find(player, cards)[1]
        values = move_values_at(self.game, self._numbers, node, board, reach)[:, : len(combos)]
        ev: NDArray[np.float64] = np.full((COMBOS, len(values)), np.nan)
        ev[combos] = per_hand(values, met[player, combos]).T
        return ev + self.tree.put_in[node][player]

    def _meeting(self, node: int, cards: list[int]) -> tuple[int, NDArray[Any], NDArray[np.float64]]:
        """A node's board; (2, width), with which weight both players' hands come to its street; and (2, 1326), the
        weight of the other player's hands that each hand meets at the node."""
        root = node
        while root and not self.tree.street_start[root]:
            root = int(self.tree.parent[root])
        before = self.reach(root, cards)
        reach = np.zeros_like(self.game.weights)
        found = [self._find(p, cards) for p in range(PLAYERS)]
        for p, (_, combos) in enumerate(found):
            reach[p, : len(combos)] = before[p, combos] / max(before[p].max(), TINY)
        most = np.maximum(before.max(axis=1, keepdims=True), TINY)
        return found[0][0], reach, self.game.opponent_weights(self.reach(node, cards) / most)

    def equity_at(self, place: Place = 0, dealt: CardsLike = ()) -> NDArray[np.float64]:
        """(2, 1326): the share of the pot that each hand of both players gets from a place on if nobody bets any more,
        against the hands that come there. Arguments, errors and NaN as those of `ev_at`."""
        node, cards = self._place(place, dealt)
        reach = self.reach(node, cards)
        if not reach.any(axis=1).all():
            return np.full((PLAYERS, COMBOS), np.nan)
        street = self.tree.street[:1] + np.int8(len(cards))
        run_out = Solver(PublicGame(RunOut(street=street), self.tree.rules, [*self.board, *cards], reach))
        return run_out.by_hand(run_out.values(VALUE))

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

    def _find(self, player: int, dealt: list[int]) -> tuple[int, NDArray[np.int64]]:
        """The board with these cards, or the one that stands for it, and the combos that the hands in its list stand
        for."""
        board, renaming = self.game.boards.find([[card] for card in dealt])
        return board, self.game.hands.renamed(renaming)[self.game.boards.hands(player, board)]

    def with_spot(self, pot: int, stacks: Any) -> SubgameSolution:
        """This solution, which now knows the spot that it is of, and so can be saved."""
        self._spot = {
            "pot": int(pot),
            "stacks": stacks if isinstance(stacks, int | str) else [*stacks],
        }
        return self

    def save(self, path: Path | str) -> None:
        """Write the solution to a file of data alone (.npz), atomically; `load_solution` reads it. If it was stopped
        before its end, the file holds the regrets, too, and `resume_subgame` goes on.

        Raises OSError, and ValueError for the solution of a tree that did not come from a spot (`solve_subgame`).
        """
        spot = self._spot
        if spot is None:
            raise ValueError(
                "save: only solutions of a spot (solve_subgame) can be saved; this tree came from elsewhere"
            )
        tree = self.tree
        header = {
            "format": FORMAT,
            "rules": tree.rules.model_dump(mode="json"),
            "sizes": tree.sizes.config(),
            "board": [int(card) for card in self.board],
            "street": int(tree.street[0]),
            "nodes": len(tree),
            **spot,
            **{name: getattr(self, name) for name in ("iterations", "seconds", "exploitability", "locked")},
            "isomorphic": self.game.isomorphic,
            **({} if self.solver is None else {"bits": self.solver.bits}),
            "values": self.values.tolist(),
            "shares": self.shares.tolist(),
        }
        text = np.frombuffer(json.dumps(header).encode(), np.uint8)
        rest = {} if self.solver is None else self.solver.state()
        with whole_file(path) as file:
            (np.savez if rest else np.savez_compressed)(
                file,
                **rest,
                header=text,
                probabilities=np.rint(self.game.strategy(self._numbers.values) * STEPS).astype(np.int16),
                ranges=self.ranges,
                ev=self.ev,
                equity=self.equity,
            )

    def plain(self) -> dict[str, Any]:
        """The solution as plain data for JSON: the spot, both players' values and equities, and by path the strategy
        on the first street; of each hand the probabilities of the moves, its EV and its equity."""
        is_first_street = (self.tree.kind == DECISION) & (self.tree.street == self.tree.street[0])
        nodes = np.flatnonzero(is_first_street).tolist()
        hands = [np.flatnonzero(weights > 0) for weights in self.ranges]
        names = [{int(h): cards_text(COMBO_CARDS[h]) for h in held} for held in hands]
        return {
            "board": cards_text(self.board),
            "pot": self.pot,
            "sizes": self.tree.sizes.config(),
            **{name: getattr(self, name) for name in ("iterations", "exploitability")},
            "players": [
                {
                    "value": float(self.values[p]),
                    "equity": float(self.shares[p]),
                    "hands": {
                        names[p][h]: {
                            "weight": float(self.ranges[p, h]),
                            "ev": _number(self.ev[p, h]),
                            "equity": _number(self.equity[p, h]),
                        }
                        for h in names[p]
                    },
                }
                for p in range(PLAYERS)
            ],
            "nodes": {
                ", ".join(self.tree.path(node)): {
                    "player": int(self.tree.player[node]),
                    "moves": self.moves(node),
                    "frequencies": list(self.frequencies(node).values()),
                    "strategy": {
                        names[self.tree.player[node]][h]: np.round(rows[h], 4).tolist()
                        for rows in [self.strategy(node)]
                        for h in names[self.tree.player[node]]
                    },
                }
                for node in nodes
            },
        }

    def to_frame(self, place: Place = 0, dealt: CardsLike = ()) -> Any:
        """What the player to act does at a place: a pandas.DataFrame with a row for each hand that comes there: hand,
        weight (`reach`), ev (`ev_at`, chips), and a column for each move, its probability. Arguments and errors as
        those of `strategy`; ModuleNotFoundError without pandas."""
        node, cards = self._place(place, dealt)
        player = self.tree.player[node]
        weights = self.reach(node, cards)[player]
        hands, rows = np.flatnonzero(weights), self.strategy(node, cards)
        columns = {
            "hand": [cards_text(COMBO_CARDS[hand].tolist()) for hand in hands],
            "weight": weights[hands],
            "ev": self.ev_at(node, cards)[player, hands],
        }
        return to_frame(columns | {move: rows[hands, k] for k, move in enumerate(self.moves(node))})

    def agent(self, seed: int = 0) -> SubgameAgent:
        """An agent that plays this solution at tables that come to its spot."""
        return SubgameAgent(self, seed)

    def describe(self, place: Place = 0, dealt: CardsLike = ()) -> str:
        """The solution in a few lines: how often moves are made at a place, what both players win, how good it is."""
        board = " ".join(card_name(card) for card in self.board)
        accuracy = f"exploitability {self.exploitability_percent:.2f} % of the pot after {self.iterations:,} iterations"
        lines = [f"{board}, {len(self.tree):,} nodes: {accuracy}"]
        for player, name in enumerate(POSITIONS):
            value = f"EV {self.values[player]:.2f} chips, equity {100 * self.shares[player]:.1f} %"
            lines.append(f"{name}: {value}")
        node, cards = self._place(place, dealt)
        where = ", ".join(self.tree.path(node)) or "first"
        moves = ", ".join(f"{move} {100 * share:.1f} %" for move, share in self.frequencies(node, cards).items())
        return "\n".join([*lines, f"{POSITIONS[self.tree.player[node]]}, {where}: {moves}"])

    def __repr__(self) -> str:
        return (
            f"<SubgameSolution of {' '.join(card_name(card) for card in self.board)}, {len(self.tree):,} nodes: "
            f"{self.exploitability_percent:.2f} % of the pot after {self.iterations:,} iterations>"
        )


POSITIONS = "IP", "OOP"
"""The players: in position (the button) and out of position."""


def _number(value: float) -> float | None:
    """A number for JSON, which has no NaN."""
    return None if np.isnan(value) else round(float(value), 4)


def results_of(solver: Solver) -> dict[str, Any]:
    """What a SubgameSolution says about the average strategies."""
    played, best = solver.values(VALUE), solver.values(BEST)
    bets = solver.game.tree.put_in[0][:, None]
    values, equities = solver.mean(played), solver.equities()
    return {
        "iterations": solver.iterations,
        "locked": solver.locked,
        "exploitability": float((solver.mean(best) - values).mean()),
        "ev": solver.by_hand(played) + bets,
        "values": values + bets[:, 0],
        "equity": solver.by_hand(equities),
        "shares": solver.mean(equities),
    }


def load_solution(path: Path | str) -> SubgameSolution:
    """The solution in a file. Raises FileNotFoundError, and ValueError, naming the file, for one that is damaged or is
    no solution."""
    return _opened(path, _loaded)


def _opened(path: Path | str, read: Callable[[Any, dict[str, int]], Read]) -> Read:
    """What a file holds. read: given its arrays, and the bytes that each member takes."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")

    def failure(why: str) -> ValueError:
        return ValueError(f"{path}: this is no solution of a subgame, or a damaged one ({why})")

    with untrusted(failure):
        with zipfile.ZipFile(path) as members:
            sizes = {info.filename: info.file_size for info in members.infolist()}
        with np.load(path, allow_pickle=False) as data:
            return read(data, sizes)


def _loaded(data: Any, sizes: dict[str, int]) -> SubgameSolution:
    header, game = read_game(data, sizes)
    both = PLAYERS, COMBOS
    stored = _array(data, sizes, "probabilities", np.int16, (int(game.arrays.offset[-1]),))
    numbers = Numbers(stored, np.full(int(game.arrays.first_block[-1]), 1 / STEPS, np.float32))
    results: dict[str, Any] = {name: float(header[name]) for name in ("seconds", "exploitability")}
    results |= {name: _array(data, sizes, name, np.float64, both) for name in ("ev", "equity")}
    results |= {name: np.array(header[name], np.float64).reshape(PLAYERS) for name in ("values", "shares")}
    results |= {"iterations": int(header["iterations"]), "locked": _locked(header, game.tree)}
    return SubgameSolution(game, numbers, results).with_spot(header["pot"], header["stacks"])


def load_solver(path: Path | str, threads: int) -> tuple[Solver, dict[str, Any]]:
    """The solver of a solution that was stopped before its end, ready to go on, and the header of its file. Raises as
    `load_solution`, and ValueError for a solution that was solved to its end."""
    return _opened(path, lambda data, sizes: _loaded_solver(data, sizes, threads))


def _loaded_solver(data: Any, sizes: dict[str, int], threads: int) -> tuple[Solver, dict[str, Any]]:
    if "regrets.npy" not in sizes:
        raise ValueError("it was solved to its end and has no regrets to go on with")
    header, game = read_game(data, sizes)
    solver = Solver(game, int(header["bits"]), threads)
    for name, there in solver.state().items():
        there[:] = _array(data, sizes, name, there.dtype, there.shape)
    solver.iterations = int(header["iterations"])
    solver.arrays.is_locked[_locked(header, game.tree)] = True
    return solver, header


def _locked(header: dict[str, Any], tree: Any) -> list[int]:
    """The locked nodes that a file names; none in one that was written before files named them."""
    nodes = [int(node) for node in header.get("locked", [])]
    if not all(0 <= node < len(tree) and tree.kind[node] == DECISION for node in nodes):
        raise ValueError("it locks nodes at which nobody acts")
    return nodes


def read_game(data: Any, sizes: dict[str, int]) -> tuple[dict[str, Any], PublicGame]:
    """The header of a file, and its game, made again from tree, board and ranges that are checked."""
    header = json_of(_array(data, sizes, "header", np.uint8, None, MOST_HEADER).tobytes())
    if header["format"] != FORMAT:
        raise ValueError(f"its format is {header['format']!r}, this version reads {FORMAT}")
    rules = Rules(**header["rules"])
    check_game(rules)
    board = read_subgame_board(header["board"])
    tree = BettingTree.from_spot(
        rules, BetSizes.parse(header["sizes"]), header["street"], header["pot"], header["stacks"]
    )
    if len(tree) != header["nodes"]:
        raise ValueError(f"its tree has {header['nodes']} nodes, this version makes {len(tree)}")
    ranges = read_ranges(_array(data, sizes, "ranges", np.float64, (PLAYERS, COMBOS)), board)
    isomorphic = bool(header["isomorphic"])
    if size_of(tree, rules, board, ranges, isomorphic).fitting(0).memory > MOST_MEMORY:
        raise ValueError("it is too large")
    return header, PublicGame(tree, rules, board, ranges, isomorphic)


def _array(data: Any, sizes: dict[str, int], name: str, kind: Any, shape: Any, most: int = 0) -> Any:
    """An array of the file. Its size is looked at before it is unpacked."""
    allowed = most or int(np.prod(shape)) * np.dtype(kind).itemsize
    if sizes.get(f"{name}.npy", 2**62) > allowed + SPARE:
        raise ValueError(f"its {name} are missing or too large")
    array = data[name]
    if array.dtype != kind or (shape is not None and array.shape != shape):
        raise ValueError(f"its {name} have the shape {array.shape}, not {shape}")
    return array
