"""Chips that are worth something else: ICM, bounties, risk aversion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env.solvers.games import PLAIN
from holdem_env.solvers.solution import load_solution
from holdem_env.solvers.subgames import solve_subgame, solve_tree
from holdem_env.solvers.trees import BettingTree
from holdem_env.solvers.trees.utility import Icm
from holdem_env.table.prizes import icm

BOARD, RANGES = "KsKd7h3c2s", ["AhAd", "KhKc, 65s"]  # a bluff catcher against the nuts and air
OTHERS, PRIZES = (100, 60), (0.5, 0.3, 0.2)
Chips = np.ndarray


def tree(utility: object = None) -> BettingTree:
    return BettingTree.from_spot(PLAIN, "a | none", "river", 100, 100, utility=utility)  # type: ignore[arg-type]


def on_the_bubble(chips: Chips) -> Chips:
    """Two players among four, of whom three are paid."""
    flat = chips.reshape(-1, 2)
    worth = [icm((*map(int, each), *OTHERS), PRIZES[: 2 + sum(chip > 0 for chip in each)])[:2] for each in flat]
    return np.array(worth).reshape(chips.shape)


def worth(own: int, other: int) -> float:
    return float(on_the_bubble(np.array([own, other]))[0])


def test_a_chip_that_is_worth_a_chip_changes_nothing() -> None:
    plain, same = (solve_tree(tree(each), BOARD, RANGES, iterations=60, accuracy=None) for each in (None, lambda c: c))
    np.testing.assert_array_equal(plain.strategy("bet 100"), same.strategy("bet 100"))
    assert same.exploitability_percent < 1
    np.testing.assert_allclose(same.values + plain.pot / 2, plain.values, atol=1e-4)


def test_on_the_bubble_a_caller_is_as_careful_as_makes_bluffs_worth_nothing() -> None:
    found = solve_tree(tree(on_the_bubble), BOARD, RANGES, accuracy=0.1)
    # Both began the hand with 150. A bluff wins the pot, or is called and loses all; without it 100 are left.
    calls = (worth(200, 100) - worth(100, 200)) / (worth(200, 100) - worth(0, 300))
    assert found.frequencies("bet 100")["call"] == pytest.approx(calls, abs=0.02)
    assert calls < 0.48  # of equal chips it would be a half
    assert found.exploitability_percent <= 0.1
    assert found.values[0] == pytest.approx(float(np.nanmax(found.ev[0])), abs=1e-6)


def test_a_model_of_utility_is_kept_in_files_and_a_function_is_not(tmp_path: Path) -> None:
    spot = {"board": BOARD, "ranges": RANGES, "pot": 100, "stacks": 100, "sizes": "a | none", "iterations": 60}
    model = Icm(others=OTHERS, prizes=PRIZES)
    own, found = (solve_subgame(**spot, accuracy=None, utility=each) for each in (on_the_bubble, model))
    np.testing.assert_array_equal(own.ev, found.ev)
    found.save(tmp_path / "x.solution")
    again = load_solution(tmp_path / "x.solution")
    assert again.tree.utility == model
    np.testing.assert_allclose(again.ev_at("bet 100"), found.ev_at("bet 100"), atol=1e-4)
    mentions(complaint(own.save, tmp_path / "x.solution"), "utility")


def test_who_is_out_has_the_next_prize() -> None:
    assert Icm(others=(), prizes=(10, 4))(np.array([30, 0])).tolist() == [10, 4]
    shares = Icm(others=(100,), prizes=(0.5, 0.3, 0.2))(np.array([[100, 100], [200, 0]]))
    np.testing.assert_allclose(shares, [[1 / 3, 1 / 3], [0.5 * 2 / 3 + 0.3 / 3, 0.2]])


def test_folds_that_are_worth_nothing_are_worth_nothing_on_a_turn() -> None:
    """Nobody is eliminated by a fold: rows of a segment must not keep what another segment left there."""
    survives = BettingTree.from_spot(PLAIN, "a | none", "turn", 100, 100, utility=lambda chips: (chips > 0) * 1.0)
    found = solve_tree(survives, BOARD[:8], RANGES, iterations=40, accuracy=None)
    assert (found.ev[np.isfinite(found.ev)] <= 1e-6).all()
    fold = found.moves("bet 100").index("fold")
    worth_of_folds = found.move_ev("bet 100")[:, fold]
    np.testing.assert_allclose(worth_of_folds[np.isfinite(worth_of_folds)], 0, atol=1e-6)
