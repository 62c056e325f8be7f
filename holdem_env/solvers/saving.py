"""Files of solutions as they are written; `files` reads them. They are data alone, so that loading one runs no code.

A whole game (.solved): MAGIC, the SHA-256 digest of all that follows, the header's length, the header (`Header` as
JSON) and the probabilities, compressed by zlib. The rest of a hand (.npz): a JSON header, the probabilities of all
decisions in two bytes each, ranges and values; and the regrets of a solver that was stopped before its end.
"""

from __future__ import annotations

import json
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from pydantic import Field

from ..utils.atomic import whole_file, write_atomically
from ..utils.validation import Validated
from ..utils.version import __version__
from .packing import STEPS

SUFFIX = ".solved"
MAGIC = b"HOLDEMSG"
GAME_FORMAT, SPOT_FORMAT = 2, 3
LENGTH_BYTES = 8
Spot: TypeAlias = dict[str, Any]
"""pot, stacks: of the rest of a hand."""
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Header(Validated):
    """The JSON document of a whole game's file: the fields of `Solution`, and how its strategy is stored.

    format: GAME_FORMAT. written_by: which version of this library wrote it. kind: the type of the probabilities.
    entries: how many there are. trace: iterations, seconds and exploitability of each check.
    """

    format: int
    written_by: Annotated[str, Field(max_length=1000)] = ""
    rules: dict[str, Any]
    sizes: Any = None
    algorithm: Annotated[str, Field(max_length=100)]
    iterations: Annotated[int, Field(ge=0)]
    exploitability: Finite
    values: tuple[Finite, Finite]
    seconds: Finite
    trace: tuple[tuple[int, Finite, Finite], ...] = ()
    locked: tuple[Annotated[int, Field(ge=0)], ...] = ()
    isomorphic: bool = True
    kind: Literal["<f4", "<f8"]
    entries: Annotated[int, Field(ge=0)]


def save_game(solution: Any, path: Path) -> None:
    """Write the `Solution` of a whole game. Raises ValueError for another suffix, OSError."""
    if path.suffix != SUFFIX:
        raise ValueError(f"{path}: the file of a solution ends in {SUFFIX}")
    strategy = solution.numbers.values
    kind: Literal["<f4", "<f8"] = "<f8" if strategy.dtype == np.float64 else "<f4"
    header = Header(
        format=GAME_FORMAT,
        written_by=__version__,
        rules=solution.rules.model_dump(mode="json"),
        sizes=None if solution.sizes is None else solution.sizes.config(),
        algorithm=solution.algorithm,
        iterations=solution.iterations,
        exploitability=solution.exploitability,
        values=tuple(solution.values.tolist()),
        seconds=solution.seconds,
        trace=solution.trace,
        locked=tuple(solution.locked),
        isomorphic=solution.game.isomorphic,
        kind=kind,
        entries=solution.game.entries,
    )
    text = json.dumps(header.model_dump(mode="json"), allow_nan=False).encode()
    packed = zlib.compress(np.ascontiguousarray(strategy, kind).tobytes(), 6)
    content = len(text).to_bytes(LENGTH_BYTES, "little") + text + packed
    write_atomically(path, MAGIC + sha256(content).digest() + content)


def save_spot(solution: Any, path: Path) -> None:
    """Write the `Solution` of the rest of a hand. Raises OSError, ValueError for a tree that came from no spot."""
    if path.suffix == SUFFIX:
        raise ValueError(f"{path}: the file of the rest of a hand must end in .npz, got {SUFFIX}")
    if solution.tree.utility is not None:
        raise ValueError("save: `utility` must be chips, got a function, which a file cannot hold")
    if solution.spot is None:
        raise ValueError("save: only solutions of a spot (solve_subgame) can be saved; this tree came from elsewhere")
    tree = solution.tree
    header = {
        "format": SPOT_FORMAT,
        "rules": tree.rules.model_dump(mode="json"),
        "sizes": tree.sizes.config(),
        "board": [int(card) for card in solution.board],
        "street": int(tree.street[0]),
        "nodes": len(tree),
        **solution.spot,
        **{
            name: getattr(solution, name) for name in ("iterations", "seconds", "exploitability", "locked", "algorithm")
        },
        "isomorphic": solution.game.isomorphic,
        "trace": solution.trace,
        **({} if solution.solver is None else {"bits": solution.solver.bits}),
        "values": solution.values.tolist(),
        "shares": solution.shares.tolist(),
    }
    rest = {} if solution.solver is None else solution.solver.state()
    with whole_file(path) as file:
        (np.savez if rest else np.savez_compressed)(
            file,
            **rest,
            header=np.frombuffer(json.dumps(header).encode(), np.uint8),
            probabilities=np.rint(solution.game.strategy(solution.numbers.values) * STEPS).astype(np.int16),
            ranges=solution.ranges,
            ev=solution.ev,
            equity=solution.equity,
        )
