"""Writing solutions to files (.npz): data alone, so that loading one cannot run code.

A file holds a JSON header, which says what was solved, and the probabilities of all decisions in two bytes each. The
tree is made again from the header, and what the file holds is checked against it before it is unpacked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...utils.atomic import whole_file
from ..cfr.regret_matching import normalize
from .segments import DECISION

FORMAT = 1
STEPS = 65535


def save_solution(solution: Any, path: Path | str) -> None:
    """See `SubgameSolution.save`."""
    spot = solution._spot
    if spot is None:
        raise ValueError("save: only solutions of a spot (solve_subgame) can be saved; this tree came from elsewhere")
    tree = solution.tree
    header = {
        "format": FORMAT,
        "rules": tree.rules.model_dump(mode="json"),
        "sizes": tree.sizes.config(),
        "board": [int(card) for card in solution.board],
        "street": int(tree.street[0]),
        "nodes": len(tree),
        **spot,
        **{name: getattr(solution, name) for name in ("iterations", "seconds", "exploitability", "with_isomorphism")},
        "values": solution.values.tolist(),
        "shares": solution.shares.tolist(),
    }
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with whole_file(path) as file:
        np.savez_compressed(
            file,
            header=text,
            probabilities=_probabilities(solution),
            ranges=solution.ranges,
            ev=solution.ev,
            equity=solution.equity,
        )


def _probabilities(solution: Any) -> NDArray[np.uint16]:
    """The average strategy, in steps."""
    out = np.zeros(solution._cumulative_strategy.size, np.uint16)
    for first, rows in _blocks(solution._game, solution._cumulative_strategy):
        strategy = normalize(rows, axis=1)
        out[first : first + rows.size] = np.rint(strategy * STEPS).astype(np.uint16).ravel()
    return out


def _blocks(game: Any, strategy: Any) -> Any:
    """For each action node where its entries begin, and those as (boards, children, width)."""
    for node in np.flatnonzero(game.kind == DECISION):
        first, end = int(game.offset[node]), int(game.offset[node + 1])
        children = int(game.children[node])
        depth = int(game.depth[node])
        width = int(game.width[game.player[node], depth])
        yield first, strategy[first:end].reshape(-1, children, width)
