"""GameSolution files (.solved): a solved small game as data alone, so that loading one cannot run code.

    solution.save("leduc.solved")
    solution = load_solution("leduc.solved")
    agent = make_agent("leduc.solved")

A file is MAGIC, the SHA-256 digest of all that follows, the header's length, the header (`Header` as JSON) and the
strategy's probabilities, compressed by zlib. The public tree is made again from the rules and the bet sizes; everything
is checked before it is used, and so is the size of the strategy before it is unpacked.
"""

from __future__ import annotations

import json
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from ...game.rules import Rules
from ...utils.atomic import write_atomically
from ...utils.validation import Validated
from ...utils.version import __version__
from ..trees import BetSizes
from .games import check_game, tree_of
from .public_tree import PublicTree
from .solved_game import SolvedGame, TracePoint

SUFFIX = ".solved"
MAGIC = b"HOLDEMSG"
FORMAT = 1
DIGEST_BYTES = 32
LENGTH_BYTES = 8
MAX_HEADER = 2**22
MAX_FILE = 2**32
SUM_TOLERANCE = 1e-3  # of single precision; sums of probabilities of one hand
WRONG_RULES = (ValueError, TypeError, OverflowError, RecursionError)

Finite = Annotated[float, Field(allow_inf_nan=False)]


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


def write_solution(path: Path, solution: SolvedGame) -> None:
    """Write a solution to a .solved file, atomically. Raises ValueError for another suffix, OSError."""
    if path.suffix != SUFFIX:
        raise ValueError(f"{path}: the file of a solution ends in {SUFFIX}")
    kind: Literal["<f4", "<f8"] = "<f8" if solution.strategy.dtype == np.float64 else "<f4"
    header = Header(
        format=FORMAT,
        written_by=__version__,
        rules=solution.rules.model_dump(mode="json"),
        sizes=None if solution.sizes is None else solution.sizes.config(),
        algorithm=solution.algorithm,
        iterations=solution.iterations,
        exploitability=solution.exploitability,
        values=solution.values,
        seconds=solution.seconds,
        trace=solution.trace,
        kind=kind,
        entries=solution.tree.entries,
    )
    text = json.dumps(header.model_dump(mode="json"), allow_nan=False).encode()
    packed = zlib.compress(np.ascontiguousarray(solution.strategy, kind).tobytes(), 6)
    content = len(text).to_bytes(LENGTH_BYTES, "little") + text + packed
    write_atomically(path, MAGIC + sha256(content).digest() + content)


def read_solution(path: Path, most_memory: int) -> dict[str, Any]:
    """The fields of the `SolvedGame` in a file. Raises as `load_solution` does."""
    header, packed = _read(path)
    try:
        rules = Rules(**header.rules)
        check_game(rules)
        sizes = None if header.sizes is None else BetSizes.parse(header.sizes)
        tree = tree_of(rules, sizes, most_memory, copies=1)
    except WRONG_RULES as error:
        raise ValueError(f"{path}: its rules or bet sizes cannot be used: {error}") from None
    return {
        "rules": rules,
        "sizes": sizes,
        "algorithm": header.algorithm,
        "iterations": header.iterations,
        "exploitability": header.exploitability,
        "values": header.values,
        "seconds": header.seconds,
        "trace": tuple(TracePoint(*point) for point in header.trace),
        "tree": tree,
        "strategy": _unpacked(path, header, tree, packed),
    }


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
