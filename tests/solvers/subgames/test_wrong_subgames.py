"""What cannot be solved is refused, in words."""

from __future__ import annotations

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.solvers.subgames import solve_subgame, solve_tree, subgame_size
from holdem_env.solvers.trees import BettingTree

BOARD, RANGES = "Ks7h2d3c9s", ["AA", "QQ"]
SPOT = {"board": BOARD, "ranges": RANGES, "pot": 100, "stacks": 200}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"board": "Ks7h"}, "2 cards; a flop has 3, a turn 4, a river 5"),
        ({"board": "KsKs2d3c9s"}, "a card twice"),
        ({"board": "Kz7h2d3c9s"}, "board"),
        ({"ranges": ["KsKh", "QQ"]}, r"ranges \(in position\): every hand has a card of the board"),
        ({"ranges": ["AA", ""]}, r"ranges \(out of position\): the range '' is empty"),
        ({"ranges": ["AA", np.zeros(1326)]}, r"ranges \(out of position\) is empty"),
        ({"ranges": ["AA", np.full(1326, -1.0)]}, "0 or more"),
        ({"ranges": ["AA", np.ones(169)]}, "1326 weights"),
        ({"ranges": ["AhAd", "AhQh"]}, "no two can be dealt"),
        ({"ranges": ["AA", "AAx"]}, r"ranges \(out of position\)"),
        *(({"ranges": ranges}, "ranges") for ranges in ("AA", ["AA"], ["AA", None])),
        ({"pot": 0}, "pot: 0"),
        ({"stacks": 0}, "stack"),
        ({"sizes": "50%%"}, "bet size"),
        ({"rules": Rules(seats=3)}, "two seats"),
        ({"rules": "short-deck"}, "."),
        ({"accuracy": None}, "say when it stops"),
        ({"accuracy": -1.0}, "accuracy"),
        ({"iterations": 0}, "iterations"),
        ({"locked": [0.5, 0.5]}, "locked: must be places with their strategies, got list"),
        ({"locked": {0: [0.5, 0.6]}}, "add up to 1"),
        ({"locked": {0: [1.0]}}, "locked: node 0 has"),
        ({"locked": {"bet 7": [1.0, 0.0]}}, "no 'bet 7'"),
        ({"locked": {10**9: [1.0]}}, "nobody is to act"),
        ({"locked": {0: [[0.5, 0.5], [1.0]]}}, "must be lists of numbers"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        solve_subgame(**SPOT | {"sizes": "a"} | changes)  # type: ignore[arg-type]


def test_what_does_not_fit_is_told_before() -> None:
    flop = {"board": "Ks7h2d", "ranges": ["random", "random"], "pot": 100, "stacks": 1000}
    size = subgame_size(**flop)
    assert size.boards == (1, 49, 2352)
    assert size.memory > 4 * 2**30
    mentions(complaint(solve_subgame, **flop), 16, "4.0")
    mentions(complaint(solve_subgame, **SPOT, most_memory=1000), 16, 1000)


def test_a_small_flop_fits() -> None:
    solution = solve_subgame("KsQs7s", ["AhAd", "JhJd"], 20, 10, sizes="none", accuracy=None, iterations=1)
    assert solution.tree.street[0] == 1
    assert solution.shares.sum() == pytest.approx(1)
    assert solution.values.sum() == pytest.approx(20, abs=1e-3)


def test_a_tree_and_its_board_belong_together() -> None:
    tree = BettingTree.from_spot(Rules(seats=2), "a", "turn", 100, 200)
    mentions(complaint(solve_tree, tree, BOARD, RANGES), 4)
    whole = BettingTree.from_rules(Rules(seats=2, stacks=400), "a")
    mentions(complaint(solve_tree, whole, BOARD, RANGES), "before the flop")
