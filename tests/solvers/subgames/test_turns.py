"""Turns: rivers that differ by suits alone are one, and everything is as if they were not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env.cards.combos import COMBO_OF
from holdem_env.cards.text import parse_cards
from holdem_env.solvers.games import spot_tree
from holdem_env.solvers.public_game import PublicGame
from holdem_env.solvers.reading import read_ranges
from holdem_env.solvers.small_games import solve
from holdem_env.solvers.solution import Solution, load_solution
from holdem_env.solvers.solver import Solver
from holdem_env.solvers.subgames import solve_subgame, solve_tree, subgame_size
from solvers.subgames.plain_response import plain_exploitability

TWO_SUITS = "KsQs7s2s"
"""Clubs, diamonds and hearts are alike here."""
RANGES = ["AA, KJs", "JJ, QTs"]
OPTIONS = {"pot": 20, "stacks": 30, "sizes": "a", "accuracy": None}


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve_subgame(TWO_SUITS, RANGES, iterations=4, **OPTIONS)


def test_isomorphism_changes_nothing(turn: Solution) -> None:
    """A locked strategy, that of the root as it is, switches it off; all else is unlocked."""
    tree = spot_tree(TWO_SUITS, 20, 30, "a", None)
    cards = parse_cards(TWO_SUITS)
    plain = Solver(PublicGame(tree, tree.rules, cards, read_ranges(RANGES, cards), isomorphic=False))
    plain.iterate(4)
    unreduced = Solution(plain.game, plain.cumulative_strategy)
    assert unreduced.exploitability == pytest.approx(turn.exploitability, rel=1e-4)
    np.testing.assert_allclose(unreduced.ev, turn.ev, atol=1e-3)
    np.testing.assert_allclose(unreduced.equity, turn.equity, atol=1e-5)
    for path in ("check, check, 3h", "check, check, 3d", "check, check, 4s, check", "check, check, Ac, check"):
        np.testing.assert_allclose(unreduced.strategy(path), turn.strategy(path), atol=1e-4)


def test_the_exploitability_is_that_of_a_plain_best_response(turn: Solution) -> None:
    assert turn.exploitability == pytest.approx(plain_exploitability(turn), rel=1e-3)


def test_without_bets_a_turn_is_the_average_of_its_rivers() -> None:
    ranges = ["AA, KJs", "JJ, QTs, 65"]
    turn = solve_subgame("Ks7h2d3c", ranges, 20, 30, sizes="none", accuracy=None, iterations=1)
    hand = COMBO_OF[parse_cards("AhAd")]
    seen, total = 0, 0.0
    for card in range(52):
        if card not in (*turn.board, *parse_cards("AhAd")):
            river = solve_subgame([*turn.board, card], ["AhAd", ranges[1]], 20, 30, "none", accuracy=None, iterations=1)
            met = np.isfinite(river.ev[1]).sum()  # its hands that this river and AhAd leave
            total, seen = total + river.ev[0][hand] * met, seen + met
    assert turn.ev[0][hand] == pytest.approx(total / seen, rel=1e-4)
    assert turn.equity[0][hand] == pytest.approx(total / seen / 20, rel=1e-4)


def test_a_saved_turn_is_the_same(turn: Solution, tmp_path: object) -> None:
    path = tmp_path / "turn.solution"  # type: ignore[operator]
    turn.save(path)
    loaded = load_solution(path)
    assert loaded.exploitability == turn.exploitability
    assert loaded.board == turn.board
    for place in (0, "check, check, 3h", "check, check, 4s, bet 30"):
        np.testing.assert_allclose(loaded.strategy(place), turn.strategy(place), atol=1e-4)
    np.testing.assert_array_equal(loaded.ev, turn.ev)


def test_a_tree_alone_is_solved_but_not_saved(tmp_path: object) -> None:
    tree = spot_tree(TWO_SUITS, 20, 30, "a", None)
    solution = solve_tree(tree, TWO_SUITS, RANGES, accuracy=None, iterations=1)
    with pytest.raises(ValueError, match="solve_subgame"):
        solution.save(tmp_path / "turn.solution")  # type: ignore[operator]


def test_threads_change_nothing() -> None:
    one, two = (solve_subgame(TWO_SUITS, RANGES, iterations=12, threads=n, **OPTIONS) for n in (1, 3))
    assert two.exploitability == one.exploitability
    np.testing.assert_array_equal(two.ev, one.ev)
    np.testing.assert_array_equal(two.strategy("check, check, 3h"), one.strategy("check, check, 3h"))


@pytest.mark.slow  # most of it compiling
def test_sixteen_bits_are_nearly_as_good() -> None:
    whole, packed = (solve_subgame(TWO_SUITS, RANGES, iterations=60, bits=bits, **OPTIONS) for bits in (32, 16))
    assert packed.exploitability_percent < whole.exploitability_percent + 0.05
    np.testing.assert_allclose(packed.values, whole.values, atol=0.02)
    np.testing.assert_allclose(packed.strategy("check, check, 3h"), whole.strategy("check, check, 3h"), atol=0.2)
    locked = np.tile([0.25, 0.75], (1326, 1))
    held = solve_subgame(TWO_SUITS, RANGES, iterations=8, bits=16, locked={0: locked}, **OPTIONS)
    there = held.strategy(0).any(axis=1)
    np.testing.assert_allclose(held.strategy(0)[there], locked[there], atol=1e-3)


def test_memory_decides_between_sixteen_and_thirty_two_bits() -> None:
    size = subgame_size(TWO_SUITS, RANGES, 20, 30, "a")
    assert (size.bits, replace(size, bits=16).memory - size.lists) == (32, (size.memory - size.lists) // 2)
    assert size.fitting(size.memory).bits == 32
    assert size.fitting(size.memory - 1).bits == 16
    locked = subgame_size(TWO_SUITS, RANGES, 20, 30, "a", locked={0: [0.5, 0.5]})
    assert size.boards < locked.boards == (1, 48)  # alike rivers are not one
    with pytest.raises(ValueError, match="`threads` must be 1 or more"):
        solve_subgame(TWO_SUITS, RANGES, iterations=1, threads=0, **OPTIONS)


@pytest.mark.parametrize("locked", [{"check, check, 3h": [1, 0]}, {"": [1, 0], 0: [0, 1]}])
def test_a_lock_is_of_moves_alone_and_there_once(locked: dict[int | str, list[float]]) -> None:
    with pytest.raises(ValueError, match="`locked` must name"):
        solve_subgame(TWO_SUITS, RANGES, iterations=1, locked=locked, **OPTIONS)


def test_it_ends_with_what_there_is_when_asked_to() -> None:
    seen: list[int] = []
    watching = {"progress": lambda iterations, _: seen.append(iterations), "stop": lambda: len(seen) > 1}
    solution = solve_subgame(TWO_SUITS, RANGES, iterations=1_000, **OPTIONS, **watching)
    assert solution.iterations == seen[-1] < 1_000


def test_a_resumed_solution_keeps_what_is_locked(tmp_path: Path) -> None:
    locked = np.array([0.25, 0.75])
    stopped = solve_subgame(
        TWO_SUITS, RANGES, **OPTIONS, iterations=1_000, locked={0: locked}, stop=iter([0, 1]).__next__
    )
    stopped.save(tmp_path / "stopped.solution")
    assert load_solution(tmp_path / "stopped.solution").locked == [0]
    resumed = solve_subgame(resume=tmp_path / "stopped.solution", accuracy=None, iterations=20)
    rows = resumed.strategy(0)
    np.testing.assert_allclose(rows[rows.any(axis=1)], np.broadcast_to(locked, (rows.any(axis=1).sum(), 2)), atol=1e-6)
    assert resumed.iterations == stopped.iterations + 20


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "pcfr+"])
def test_a_resumed_solution_is_that_of_one_go(algorithm: str, tmp_path: Path) -> None:
    how = {**OPTIONS, "algorithm": algorithm}
    whole = solve_subgame(TWO_SUITS, RANGES, iterations=12, **how)
    stopped = solve_subgame(TWO_SUITS, RANGES, iterations=1_000, stop=iter([0, 1]).__next__, **how)
    stopped.save(tmp_path / "stopped.solution")
    resumed = solve_subgame(resume=tmp_path / "stopped.solution", accuracy=None, iterations=12 - stopped.iterations)
    assert (resumed.algorithm, resumed.iterations) == (algorithm, 12)
    np.testing.assert_array_equal(resumed.strategy(), whole.strategy())
    before, left = stopped.strategy(), 12 - stopped.iterations
    for _ in range(2):  # what is in memory stays as it is
        again = solve_subgame(resume=stopped, accuracy=None, iterations=left)
        np.testing.assert_array_equal(again.strategy(), whole.strategy())
        np.testing.assert_array_equal(stopped.strategy(), before)


def test_what_is_resumed_is_of_the_same_spot() -> None:
    stopped = solve_subgame(TWO_SUITS, RANGES, iterations=1_000, stop=iter([0, 1]).__next__, **OPTIONS)
    more = {"resume": stopped, "accuracy": None, "iterations": 1}
    flop, rest = TWO_SUITS[:6], TWO_SUITS[6:]
    for same in ({"board": flop[4:] + flop[:4] + rest}, {"stacks": (30, 30)}, {"ranges": RANGES}, {"pot": 20}):
        assert solve_subgame(**more, **same).iterations == stopped.iterations + 1
    others = {"board": "2c3c4c5c", "pot": 21, "stacks": (30, 31), "ranges": RANGES[::-1], "sizes": "50%"}
    for name, other in others.items():
        mentions(complaint(solve_subgame, **more, **{name: other}), "resume", name)
    mentions(complaint(solve_subgame, resume=stopped, accuracy=None), "say when it stops")
    mentions(complaint(solve_subgame, **more, lockd=3, kind=TypeError), "lockd")
    mentions(complaint(solve, resume=stopped, iterations=1), "resume", "solve_subgame")
