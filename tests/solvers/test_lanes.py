"""Hands of a solver in registers: lanes compute as NumPy does, and solutions are the same without them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.test_plain_python import run
from holdem_env.compiled.compiler import kernel
from holdem_env.compiled.intrinsics import choose, fill_line, line_size, read_line, write
from holdem_env.compiled.tricks import VARIABLE
from holdem_env.game.rules import Rules
from holdem_env.solvers.public_game import PublicGame
from holdem_env.solvers.solution import Solution
from holdem_env.solvers.solver import Solver, played_game
from holdem_env.solvers.trees import BettingTree

pytestmark = pytest.mark.stands_on("holdem_env/compiled", "holdem_env/solvers")

SOLVED = """
import hashlib
from holdem_env.solvers import solve, solve_subgame
leduc = solve("leduc", iterations=20, accuracy=None)
river = solve_subgame("Ks7h2d9c4s", ["22+,A2s+"] * 2, 100, 400, "50%, all-in", iterations=10, accuracy=None)
print(hashlib.sha256(b"".join(each.numbers.values.tobytes() for each in (leduc, river))).hexdigest())
"""


@kernel
def compute(a, b, out):
    """An operation of each kind, a line at a time."""
    for i in range(0, len(a), line_size(a)):
        one, two = read_line(a, i), read_line(b, i)
        write(out, i, choose(one, (one + two) * two, one - two / fill_line(a.dtype.type(3))))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_lanes_compute_as_numpy_does(kind):
    a, b = np.random.default_rng(5).uniform(-2, 2, (2, 32)).astype(kind)
    out = np.zeros(32, kind)
    compute(a, b, out)
    assert np.array_equal(out, np.where(a > 0, (a + b) * b, a - b / kind(3)))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_game_computes_with_numbers_of_one_type(kind):
    rules = Rules.preset("kuhn")
    game = PublicGame(BettingTree.from_rules(rules, "every"), rules, kind=kind)
    for given in (np.float32, np.float64):
        strategy = np.ones(game.entries, given)
        assert played_game(game, strategy).exploitability() == pytest.approx(0.458333, abs=1e-5)
        assert Solution.of(game, strategy).exploitability == pytest.approx(0.458333, abs=1e-5)
    for bits in (32, 16) if kind == np.float64 else (64,):
        with pytest.raises(ValueError, match=f"`bits` must fit a game of .* got {bits}"):
            Solver(game, bits)


@pytest.mark.modes
def test_solutions_are_the_same_without_tricks():
    assert run(["-c", SOLVED], **{VARIABLE: "none"}) == run(["-c", SOLVED])
