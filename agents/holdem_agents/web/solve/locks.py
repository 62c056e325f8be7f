"""Locks: decisions of a solution that are held fixed when its spot is solved again. A lock's strategy is what
`solve_subgame` and the files of `holdem solve --lock` take for a path."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from holdem_env.cards.text import CARDS
from holdem_env.solvers.reading import read_locked
from holdem_env.solvers.solution import Solution
from holdem_env.solvers.trees.walking import DECISION

from ...runs.config import error_text
from ..answers import ApiError
from .chips import moves_of, node_at, path_of
from .spots import KINDS, Number, Strategy, sentence

ALIKE = 1e-4  # probabilities of two hands that differ by less are the same: files keep them in two bytes
DIGITS = 7
DEALS = 3  # a hand has two cards, so that one of three deals without a common card leaves it


class Lock(BaseModel):
    """What the page's editor says. shares: of each move; None holds what the hands do now. kind: the kind of hands that
    plays so, while the others do as they do; None for all. held: what is locked there already."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    shares: list[Number] | None = Field(None, max_length=100)
    kind: str | None = None
    held: Strategy | None = None


def read_lock(body: dict[str, Any]) -> Lock:
    """The lock that a page asks for. Raises ApiError (400) for an invalid one."""
    try:
        return Lock.model_validate(body)
    except ValidationError as error:
        raise ApiError(400, sentence(error_text(error.errors()[0]))) from None


def lock_at(solution: Solution, path: list[str], lock: Lock) -> dict[str, Any]:
    """A lock of the decision at the end of a path: {"path", "moves", "strategy"}. Raises ValueError or TypeError for a
    path or a strategy that cannot be."""
    node, dealt = node_at(solution, path)
    if solution.tree.kind[node] != DECISION:
        raise ValueError("nobody is to act at the end of this line")
    if lock.kind is not None and lock.kind not in KINDS:
        raise ValueError(f"kind: must be a kind of hands such as 'AKs', got {lock.kind!r}")
    strategy: Any = lock.shares
    if lock.shares is None or lock.kind is not None:
        strategy = _known(solution, node, solution.strategy(node, dealt))
        if lock.held is not None:
            strategy = read_locked({node: lock.held}, solution.tree)[node].copy()
        if lock.kind is not None and lock.shares is not None:
            read_locked({node: lock.shares}, solution.tree)
            strategy[np.array(KINDS) == lock.kind] = lock.shares
    read_locked({node: strategy}, solution.tree)
    return _view(solution, node, strategy)


def locks_of(solution: Solution) -> list[dict[str, Any]]:
    """The locks with which a solution was found."""
    return [_view(solution, node, _known(solution, node, _held(solution, node))) for node in solution.locked]


def _view(solution: Solution, node: int, strategy: Any) -> dict[str, Any]:
    rows = np.asarray(strategy, np.float64)
    if rows.ndim > 1 and np.ptp(rows, axis=0).max() < ALIKE:
        rows = rows[0]
    return {
        "path": path_of(solution, node),
        "moves": moves_of(solution, node),
        "strategy": np.round(rows, DIGITS).tolist(),
    }


def _held(solution: Solution, node: int) -> NDArray[np.float64]:
    """(1326, children): the strategy of a locked decision, which is the same on all cards dealt."""
    count = int(solution.tree.street[node]) - int(solution.tree.street[0])
    deck = [card for card in range(CARDS) if card not in solution.board]
    rows = solution.strategy(node, deck[:count])
    for first in range(count, count * DEALS, count or 1):
        there = solution.strategy(node, deck[first : first + count])
        rows = np.where(rows.any(axis=1, keepdims=True), rows, there)
    return rows


def _known(solution: Solution, node: int, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same with the mean strategy for hands that are not there: out of the range, or with a card that is dealt."""
    there = rows.sum(axis=1, keepdims=True) > 0
    weights = solution.ranges[int(solution.tree.player[node])] * there[:, 0]
    mean = weights @ rows / weights.sum()
    return np.where(there, rows, mean)
