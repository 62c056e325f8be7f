"""Reading solutions from files (.npz), which files.py writes. What a file holds is checked before it is used."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from ...cards.combos import COMBOS
from ...game.rules import Rules
from ...utils.plain_data import json_of
from ..trees import BetSizes, BettingTree
from .files import FORMAT
from .reading import check_game, read_ranges, read_subgame_board
from .segments import PLAYERS
from .sizes import MOST_MEMORY, size_of
from .solution import SubgameSolution
from .solving import SubgameSolver

MOST_HEADER = 2**20
SPARE = 4096
"""Bytes of an array's own header in the file, at most."""
WRONG = (ValueError, TypeError, KeyError, OverflowError, EOFError, OSError, zipfile.BadZipFile, zlib.error)


def load_solution(path: Path | str) -> SubgameSolution:
    """The solution in a file. Raises FileNotFoundError, and ValueError, naming the file, for one that is damaged or is
    no solution."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    try:
        with zipfile.ZipFile(path) as members:
            sizes = {info.filename: info.file_size for info in members.infolist()}
        with np.load(path, allow_pickle=False) as data:
            return _loaded(data, sizes)
    except WRONG as error:
        raise ValueError(f"{path}: this is no solution of a subgame, or a damaged one ({error})") from None


def _loaded(data: Any, sizes: dict[str, int]) -> SubgameSolution:
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
    both = (PLAYERS, COMBOS)
    ranges = read_ranges(_array(data, sizes, "ranges", np.float64, both), board)
    isomorphic = bool(header["with_isomorphism"])
    if size_of(tree, board, ranges, isomorphic).memory > MOST_MEMORY:
        raise ValueError("it is too large")
    game = SubgameSolver(tree, board, ranges, isomorphic).game
    stored = _array(data, sizes, "probabilities", np.uint16, (int(game.offset[-1]),))
    results: dict[str, Any] = {name: float(header[name]) for name in ("seconds", "exploitability")}
    results |= {name: _array(data, sizes, name, np.float64, both) for name in ("ev", "equity")}
    results |= {name: np.array(header[name], np.float64).reshape(PLAYERS) for name in ("values", "shares")}
    results["iterations"] = int(header["iterations"])
    cumulative_strategy = stored.astype(np.float32)
    return SubgameSolution(tree, board, ranges, game, cumulative_strategy, results, isomorphic).with_spot(
        header["pot"], header["stacks"]
    )


def _array(data: Any, sizes: dict[str, int], name: str, kind: Any, shape: Any, most: int = 0) -> Any:
    """An array of the file. Its size is looked at before it is unpacked."""
    allowed = most or int(np.prod(shape)) * np.dtype(kind).itemsize
    if sizes.get(f"{name}.npy", 2**62) > allowed + SPARE:
        raise ValueError(f"its {name} are missing or too large")
    array = data[name]
    if array.dtype != kind or (shape is not None and array.shape != shape):
        raise ValueError(f"its {name} have the shape {array.shape}, not {shape}")
    return array
