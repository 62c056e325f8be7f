"""Files of solutions, read and checked: `load_solution` reads what `Solution.save` has written. Trees are made again
from the header; everything is checked before it is used, and sizes before anything is unpacked.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from ..cards.combos import COMBOS
from ..game.rules import Rules
from ..utils.plain_data import json_of, untrusted
from ..utils.version import __version__
from .agents import SolutionAgent
from .boards import PLAYERS
from .cfr import spot_discounting
from .packing import STEPS, Numbers
from .public_game import PublicGame, size_of
from .reading import check_game as check_spot_game
from .reading import read_ranges, read_subgame_board
from .saving import GAME_FORMAT, LENGTH_BYTES, MAGIC, SPOT_FORMAT, Header
from .small_games.game import MOST_MEMORY, check_game, game_of
from .solution import Solution
from .solver import Solver
from .solving import TracePoint
from .trees import BetSizes, BettingTree
from .trees.walking import DECISION

DIGEST_BYTES = 32
MAX_HEADER = 2**22
MAX_FILE = 2**32
MAX_SPOT_HEADER = 2**20
SPARE = 4096
"""Bytes of an array's own header in the file, at most."""
SUM_TOLERANCE = 1e-3  # of single precision; sums of probabilities of one hand
WRONG_RULES = (ValueError, TypeError, OverflowError, RecursionError)
Read = TypeVar("Read")


def load_solution(path: str | Path, most_memory: int = MOST_MEMORY) -> Solution:
    """Read a solution from the file that `Solution.save` has written.

    Args:
        path: A .solved or .npz file.
        most_memory: Bytes that its game may need.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it is damaged, of another kind or format, or does not fit its own rules; the file is named.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    with path.open("rb") as file:
        begins = file.read(2)
    return load_spot(path, most_memory) if begins == b"PK" else _loaded_game(path, most_memory)


def load_spot(path: str | Path, most_memory: int = MOST_MEMORY) -> Solution:
    """Read the solution of the rest of a hand. Raises as `load_solution`, for files of whole games, too."""
    return _opened(path, lambda data, sizes: _loaded(data, sizes, most_memory))


def load_agent(path: str | Path, seed: int = 0) -> SolutionAgent:
    """Make the agent that plays the whole game in a .solved file, for `make_agent`. Raises as `load_solution`."""
    return SolutionAgent(_loaded_game(Path(path), MOST_MEMORY), seed, Path(path))


def _loaded_game(path: Path, most_memory: int) -> Solution:
    header, packed = _read(path)
    try:
        rules = Rules(**header.rules)
        check_game(rules)
        sizes = None if header.sizes is None else BetSizes.parse(header.sizes)
        game = game_of(rules, sizes, most_memory, 1, header.isomorphic, 32 if header.kind == "<f4" else 64)
    except WRONG_RULES as error:
        raise ValueError(f"{path}: its rules or bet sizes cannot be used: {error}") from None
    solution = Solution(
        game,
        Numbers(_unpacked(path, header, game, packed), np.ones(0, np.float32)),
        rules=rules,
        is_whole=True,
        sizes=sizes,
        algorithm=header.algorithm,
        iterations=header.iterations,
        seconds=header.seconds,
        trace=[TracePoint(*point) for point in header.trace],
        locked=_locked({"locked": header.locked}, game.tree),
    )
    game.arrays.is_locked[solution.locked] = True
    solution.exploitability, solution.values = header.exploitability, np.array(header.values)
    return solution


def _read(path: Path) -> tuple[Header, bytes]:
    """The header and the packed strategy of a file whose digest is right."""
    if path.is_file() and path.stat().st_size > MAX_FILE:
        raise ValueError(f"{path}: {path.stat().st_size:,} bytes are too many for a solution, at most {MAX_FILE:,}")
    data = path.read_bytes()
    if data[: len(MAGIC)] != MAGIC:
        raise ValueError(f"{path}: this is not a solution that `Solution.save` has written")
    digest, content = data[len(MAGIC) : len(MAGIC) + DIGEST_BYTES], data[len(MAGIC) + DIGEST_BYTES :]
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if sha256(content).digest() != digest or length > min(MAX_HEADER, len(content) - LENGTH_BYTES):
        raise ValueError(f"{path}: the file is damaged: its digest is not that of its content")
    try:
        header = Header.model_validate_json(content[LENGTH_BYTES : LENGTH_BYTES + length])
    except ValidationError as error:
        raise ValueError(f"{path}: its header is not that of a solution: {error}") from None
    if header.format != GAME_FORMAT:
        raise ValueError(
            f"{path}: it has format {header.format}; this version, {__version__}, reads format {GAME_FORMAT}"
        )
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


def _loaded(data: Any, sizes: dict[str, int], most_memory: int) -> Solution:
    header, game = read_game(data, sizes, most_memory)
    both = PLAYERS, COMBOS
    stored = _array(data, sizes, "probabilities", np.int16, (int(game.arrays.offset[-1]),))
    solution = Solution(
        game,
        Numbers(stored, np.full(int(game.arrays.first_block[-1]), 1 / STEPS, np.float32)),
        sizes=game.tree.sizes,
        iterations=int(header["iterations"]),
        **_about(header),
        locked=_locked(header, game.tree),
    )
    game.arrays.is_locked[solution.locked] = True
    solution.exploitability = float(header["exploitability"])
    solution.ev, solution.equity = (_array(data, sizes, name, np.float64, both) for name in ("ev", "equity"))
    solution.values, solution.shares = (np.array(header[each], np.float64).reshape(2) for each in ("values", "shares"))
    return solution


def load_solver(path: Path | str, threads: int, most_memory: int = MOST_MEMORY) -> tuple[Solver, dict[str, Any]]:
    """The solver of a solution that was stopped before its end, ready to go on, and what its file says of how it
    was found. Raises as `load_solution`, and ValueError for a solution that was solved to its end."""
    return _opened(path, lambda data, sizes: _loaded_solver(data, sizes, threads, most_memory))


def _loaded_solver(data: Any, sizes: dict[str, int], threads: int, most_memory: int) -> tuple[Solver, dict[str, Any]]:
    if "regrets.npy" not in sizes:
        raise ValueError("it was solved to its end and has no regrets to go on with")
    header, game = read_game(data, sizes, most_memory)
    about = _about(header)
    solver = Solver(game, int(header["bits"]), threads, spot_discounting(about["algorithm"]))
    for name, there in solver.state().items():
        there[:] = _array(data, sizes, name, there.dtype, there.shape)
    solver.iterations = int(header["iterations"])
    solver.arrays.is_locked[_locked(header, game.tree)] = True
    return solver, about


def _about(header: dict[str, Any]) -> dict[str, Any]:
    """What a file says of how its solution was found: arguments of `Solution`."""
    trace = header.get("trace", [])
    return {
        "spot": {"pot": header["pot"], "stacks": header["stacks"]},
        "algorithm": str(header.get("algorithm", "dcfr")),
        "seconds": float(header["seconds"]),
        "trace": [TracePoint(int(count), float(seconds), float(gain)) for count, seconds, gain in trace],
    }


def _locked(header: dict[str, Any], tree: Any) -> list[int]:
    """The locked nodes that a file names; none in one that was written before files named them."""
    nodes = [int(node) for node in header.get("locked", [])]
    if not all(0 <= node < len(tree) and tree.kind[node] == DECISION for node in nodes):
        raise ValueError("it locks nodes at which nobody acts")
    return nodes


def read_game(data: Any, sizes: dict[str, int], most_memory: int) -> tuple[dict[str, Any], PublicGame]:
    """The header of a file, and its game, made again from tree, board and ranges that are checked."""
    header = json_of(_array(data, sizes, "header", np.uint8, None, MAX_SPOT_HEADER).tobytes())
    if header["format"] != SPOT_FORMAT:
        raise ValueError(f"its format is {header['format']!r}, this version reads {SPOT_FORMAT}")
    rules = Rules(**header["rules"])
    check_spot_game(rules)
    board = read_subgame_board(header["board"])
    tree = BettingTree.from_spot(
        rules, BetSizes.parse(header["sizes"]), header["street"], header["pot"], header["stacks"]
    )
    if len(tree) != header["nodes"]:
        raise ValueError(f"its tree has {header['nodes']} nodes, this version makes {len(tree)}")
    ranges = read_ranges(_array(data, sizes, "ranges", np.float64, (PLAYERS, COMBOS)), board)
    isomorphic = bool(header["isomorphic"])
    if size_of(tree, rules, board, ranges, isomorphic).fitting(0).memory > most_memory:
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
