"""`make_spots`: the spots of a task, solved, as one file: what every hand does at every decision of the street that
begins, and what it is worth there.

    spots = load_solved_spots("river.npz")
    at = spots.node == 0                    # the first decision of the first spot
    print(spots.hand[at], spots.strategy[at], spots.ev[at])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cards.combos import COMBOS
from ...cards.text import CARDS, UNKNOWN
from ...engine.batch import NO_MOVE
from ...history.hand_arrays import MOST_CHIPS, check_chips
from ...solvers.blueprints.resolving import at_spot
from ...solvers.solution import Solution
from ...solvers.subgames import solve_tree
from ...solvers.trees.bet_sizes import BetSizes
from ...solvers.trees.betting_tree import BettingTree
from ...solvers.trees.walking import DECISION
from ...utils.array_files import check_range, load_arrays, save_arrays
from ..scoring.spot_file import GivenSpot, load_spots
from ..scoring.spots import Spots
from ..scoring.task import Task, load_task
from .data_card import check_new, write_data_card

SUFFIX = ".npz"
KIND = "spots 1"
BOARD = 5
ACCURACY = 0.2  # percent of the pot
FIELDS = {
    "board": "of each spot, in the order in which the cards came; -1 behind them. A card is 4 x rank + suit, from 0 "
    "(2c) to 51 (As)",
    "spot": "of each decision, the spot",
    "player": "of each decision, who is to act: 0 has the button",
    "pot": "of each decision, all chips in the middle",
    "moves": "of each decision, the engine moves that it has, -2 behind them: -1 folds, 0 checks or calls, a positive "
    "number is the street total in chips to raise to",
    "parent": "of each decision, the one before it in the spot; -1 at the beginning",
    "made": "of each decision, the engine move that led to it from there; -2 at the beginning",
    "node": "of each row, the decision",
    "hand": "of each row, the hand of the player to act, a number in `holdem_env.cards.combos`",
    "weight": "of each row, how often the hand comes there: its weight in the range times its moves' probabilities",
    "strategy": "of each row, the probabilities of the decision's moves",
    "ev": "of each row, the chips that the hand takes out of the pot on average from there on, less what it puts in; "
    "NaN where it meets no hand",
}
"""What each array holds."""
FORMS = {
    "board": f"int8 S {BOARD}",
    "spot": "int16 D",
    "player": "int8 D",
    "pot": "int32 D",
    "moves": "int32 D A",
    "parent": "int32 D",
    "made": "int32 D",
    "node": "int32 N",
    "hand": "int16 N",
    "weight": "float32 N",
    "strategy": "float32 N A",
    "ev": "float32 N",
}


@dataclass(frozen=True)
class SolvedSpots:
    """S solved spots, D decisions and N rows, a row for each hand at a decision.

    FIELDS says what each array holds.

    Attributes:
        board: (S, 5) int8.
        spot: (D,) int16.
        player: (D,) int8.
        pot: (D,) int32, chips.
        moves: (D, A) int32, chips.
        parent: (D,) int32.
        made: (D,) int32.
        node: (N,) int32.
        hand: (N,) int16.
        weight: (N,) float32.
        strategy: (N, A) float32.
        ev: (N,) float32, chips.
        names: Names of the spots.
        about: Further facts, plain data.
    """

    board: NDArray[np.int8]
    spot: NDArray[np.int16]
    player: NDArray[np.int8]
    pot: NDArray[np.int32]
    moves: NDArray[np.int32]
    parent: NDArray[np.int32]
    made: NDArray[np.int32]
    node: NDArray[np.int32]
    hand: NDArray[np.int16]
    weight: NDArray[np.float32]
    strategy: NDArray[np.float32]
    ev: NDArray[np.float32]
    names: tuple[str, ...]
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name in FIELDS}


def make_spots(
    task: str | Path | Task,
    path: str | Path,
    accuracy: float = ACCURACY,
    command: str = "",
    progress: Callable[[int], None] | None = None,
) -> SolvedSpots:
    """Solve the spots of a task, write them with a data card, and return them.

    For turns, the file has the decisions of the turn; their EV includes the value of the rivers.

    Args:
        task: The task, by name, file or object.
        path: The file to write.
        accuracy: Exploitability at which solving stops, in percent of the pot.
        command: The command, for the data card.
        progress: Called with 1 after each spot.

    Raises:
        ValueError: If the task has no spots, `load_spots` refuses them, or one has 2**31 chips or more.
        FileExistsError: If the file exists.
    """
    path, task = Path(path), load_task(task)
    check_new(path, SUFFIX)
    measure = next((one for one in task.measures if isinstance(one, Spots)), None)
    if measure is None:
        raise ValueError(f"the task must have spots, such as river-v1, got {task.name}")
    given, sizes, found = load_spots(task.path_of(measure.file), task.rules), BetSizes.parse(measure.sizes), []
    exploitable = []
    for each in given:
        check_chips(sum(each.spot.stacks))
        tree = BettingTree.from_record(each.spot.game, at_spot(each.spot), sizes)
        solution = solve_tree(tree, each.spot.board, each.ranges, accuracy=accuracy)
        exploitable.append(solution.exploitability_percent)
        found.append(_arrays(solution))
        if progress is not None:
            progress(1)
    about = {"task": task.name, "fingerprint": task.fingerprint, "sizes": measure.sizes, "accuracy": accuracy}
    spots = _joined(given, found, about | {"exploitability": exploitable, "command": command})
    _write(spots, path, command)
    return spots


def _arrays(solution: Solution) -> dict[str, NDArray[Any]]:
    tree = solution.tree
    nodes = np.flatnonzero((tree.kind == DECISION) & (tree.street == tree.street[0]))
    moves = np.full((len(nodes), int(tree.children.max())), NO_MOVE, np.int32)
    rows: list[dict[str, NDArray[Any]]] = []
    for k, node in enumerate(nodes.tolist()):
        player, made = int(tree.player[node]), tree.moves(node)
        moves[k, : len(made)] = made
        weight, likely = solution.reach(node)[player], solution.strategy(node)
        hands = np.flatnonzero(weight)
        strategy = np.zeros((len(hands), moves.shape[1]), np.float32)
        strategy[:, : len(made)] = likely[hands]
        one: dict[str, NDArray[Any]] = {"node": np.full(len(hands), k, np.int32), "hand": hands.astype(np.int16)}
        ev = solution.ev_at(node)[player, hands] if solution.reach(node).any(axis=1).all() else np.nan * hands
        one |= {"weight": weight[hands].astype(np.float32), "strategy": strategy, "ev": ev.astype(np.float32)}
        rows.append(one)
    joined = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    parent = np.where(nodes > 0, np.searchsorted(nodes, tree.parent[nodes]), -1).astype(np.int32)
    return joined | {
        "player": tree.player[nodes].astype(np.int8),
        "pot": tree.pot[nodes].astype(np.int32),
        "made": tree.move[nodes].astype(np.int32),
        "moves": moves,
        "parent": parent,
    }


def _joined(given: list[GivenSpot], found: list[dict[str, NDArray[Any]]], about: dict[str, Any]) -> SolvedSpots:
    width = max(one["moves"].shape[1] for one in found)
    counts = [len(one["player"]) for one in found]
    for one, before in zip(found, np.cumsum([0, *counts]).tolist(), strict=False):
        one["node"] += before
        one["parent"][one["parent"] >= 0] += before
        wider = (0, 0), (0, width - one["moves"].shape[1])
        one["moves"] = np.pad(one["moves"], wider, constant_values=NO_MOVE)
        one["strategy"] = np.pad(one["strategy"], wider)
    boards = np.full((len(given), BOARD), UNKNOWN, np.int8)
    for row, each in zip(boards, given, strict=True):
        row[: len(each.spot.board)] = each.spot.board
    arrays = {name: np.concatenate([one[name] for one in found]) for name in found[0]}
    spot = np.repeat(np.arange(len(given)), counts).astype(np.int16)
    return SolvedSpots(board=boards, spot=spot, **arrays, names=tuple(each.name for each in given), about=about)


def _write(spots: SolvedSpots, path: Path, command: str) -> None:
    save_arrays(path, KIND, {"names": list(spots.names), "about": spots.about}, spots.arrays)
    about, worst = spots.about, max(spots.about["exploitability"])
    facts = {
        "Spots": f"{len(spots.names)}, {len(spots.spot):,} decisions, {len(spots.node):,} rows",
        "Task": f"{about['task']}, fingerprint {about['fingerprint']}",
        "Bets": f"`{about['sizes']}`",
        "Solved": f"to {worst:.2g} % of the pot or less (exploitability, exact inside these bets)",
        "Read it by": "`holdem_env.arena.load_solved_spots`",
    }
    text = "Spots solved for both ranges: each hand's strategy and EV at each decision of the street that begins."
    write_data_card(path, text, command, facts, spots.arrays, FIELDS)


def load_solved_spots(path: str | Path) -> SolvedSpots:
    """Read solved spots from a file written by `holdem data spots`.

    Raises:
        FileNotFoundError: If the file does not exist.
        ValueError: If the file holds no solved spots.
    """
    return load_arrays(path, KIND, FORMS, _read)


def _read(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> SolvedSpots:
    """The spots of a file. Raises for what they cannot be."""
    spots, decisions, names = len(arrays["board"]), len(arrays["spot"]), tuple(map(str, header["names"]))
    if len(names) != spots:
        raise ValueError(f"`names` must be of {spots} spots, got {len(names)}")
    limits = {"board": (UNKNOWN, CARDS - 1), "spot": (0, spots - 1), "player": (0, 1), "pot": (0, inf)}
    limits |= {"moves": (NO_MOVE, inf), "made": (NO_MOVE, inf), "parent": (-1, decisions - 1)}
    limits |= {"node": (0, decisions - 1), "hand": (0, COMBOS - 1), "weight": (0, MOST_CHIPS), "strategy": (0, 1.001)}
    for name, (least, most) in limits.items():
        check_range(name, arrays[name], least, most)
    check_range("ev", np.nan_to_num(arrays["ev"]), -MOST_CHIPS, MOST_CHIPS)
    return SolvedSpots(**arrays, names=names, about=dict(header["about"]))
