"""Flops, turns and rivers with all-ins on every street: values and exploitability, against a best response by matrices
of all pairs of hands (`plain_response`)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from benchmarks import flop
from holdem_env import Rules
from holdem_env.cards.text import cards_text
from holdem_env.solvers.solution import Solution
from holdem_env.solvers.subgames import solve_subgame
from solvers.subgames.plain_response import plain_gains

RAKED = Rules(seats=2, blinds=(1, 2), min_bet=1, rake={"percent": 5, "cap": 20})
CARDS = {"flop": 3, "turn": 4, "river": 5}
SPOTS = [
    {"pot": 100, "stacks": 200, "sizes": "a"},
    {"pot": 60, "stacks": (150, 90), "sizes": "a", "rules": RAKED},
    {"pot": 60, "stacks": (40, 70), "sizes": "75% | a", "rules": RAKED},
    {"pot": 30, "stacks": 25, "sizes": "a"},
]


def random_spot(street: str, seed: int, hands: int) -> dict[str, Any]:
    """A board, and ranges of a few hands each with weights."""
    rng = np.random.default_rng([CARDS[street], seed])
    cards = rng.permutation(52)
    board, left = cards[: CARDS[street]], np.sort(cards[CARDS[street] :])
    pairs = [[cards_text(sorted(rng.choice(left, 2, False), reverse=True)) for _ in range(hands)] for _ in range(2)]
    weights = rng.integers(1, 5, (2, hands)) / 4
    ranges = [
        ",".join(f"{hand}:{w}" for hand, w in zip(*both, strict=True)) for both in zip(pairs, weights, strict=True)
    ]
    return {"board": cards_text(board), "ranges": ranges}


def solved(street: str, seed: int, hands: int) -> Solution:
    spot = SPOTS[seed % len(SPOTS)] | {"bits": 16 if seed % 2 else 32}
    return solve_subgame(**random_spot(street, seed, hands), **spot, accuracy=None, iterations=6)


def check(solution: Solution) -> None:
    best, played = plain_gains(solution)
    assert solution.values == pytest.approx(played + solution.pot / 2, abs=2e-3)
    assert solution.exploitability == pytest.approx((best - played).mean(), rel=1e-3, abs=1e-3)


@pytest.mark.fast_cases("turn-0", "river-0")
@pytest.mark.parametrize(
    ("street", "seed", "hands"),
    [("flop", 1, 2), *[(street, seed, 8) for street in ("turn", "river") for seed in range(len(SPOTS))]],
)
def test_a_plain_best_response_says_the_same(street: str, seed: int, hands: int) -> None:
    check(solved(street, seed, hands))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_plain_best_response_says_the_same_of_more_flops(seed: int) -> None:
    check(solved("flop", seed, 6))


@pytest.mark.fast_cases("turn-8", "river-8")
@pytest.mark.parametrize(("street", "seed"), [("flop", 12), *product(("turn", "river"), range(8, 20))])
def test_the_values_are_the_pot_less_the_rake(street: str, seed: int) -> None:
    solution = solved(street, seed, 3)
    taken = solution.pot - solution.values.sum()
    if solution.tree.rules.rake is None:
        assert taken == pytest.approx(0, abs=1e-4 * solution.pot)
    else:
        assert 0.05 * solution.pot - 1 <= taken <= 20


@pytest.mark.slow
def test_the_flop_that_three_open_solvers_have_published() -> None:
    """`python -m benchmarks.flop` solves it further; how often a raise is called or raised again comes last."""
    spot = {"pot": flop.POT, "stacks": flop.STACKS, "sizes": flop.SIZES}
    ranges = [flop.IN_POSITION, flop.OUT_OF_POSITION]
    solution = solve_subgame(flop.BOARD, ranges, **spot, bits=16, accuracy=None, iterations=90)
    assert solution.exploitability_percent < 1
    assert solution.values[1] / flop.UNIT == pytest.approx(5.868, abs=0.03)
    assert solution.frequencies(flop.RAISED)["fold"] == pytest.approx(0.415, abs=0.03)


@pytest.mark.slow
def test_an_all_in_on_the_flop_is_paid_once() -> None:
    ranges = ["AA,KK", "QQ,TT,AKs"]
    solution = solve_subgame("Ks7h2d", ranges, 100, 200, "a", accuracy=None, iterations=20)
    assert solution.values.sum() == pytest.approx(100, abs=0.01)
