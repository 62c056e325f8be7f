"""Solutions as agents, as tables and as files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules, Tables
from holdem_env.agents import make_agent
from holdem_env.agents.config_files import config_of
from holdem_env.arena import exploitability, play_match
from holdem_env.solvers.small_games import solve
from holdem_env.solvers.solution import Solution, load_solution
from holdem_env.testing import check_agent
from solvers.small_games.games import GAMES


@pytest.fixture(scope="module")
def leduc() -> Solution:
    return solve("leduc", accuracy=0.01)


def test_it_plays_and_does_not_lose(leduc: Solution) -> None:
    result = play_match(leduc.agent(), "calling_station", "leduc", hands=4_000, num_tables=200)
    assert result.interval[0] > 0


def test_it_keeps_the_agent_protocol(leduc: Solution) -> None:
    check_agent(leduc.agent(), games=[leduc.rules])


def test_it_plays_what_it_tells(leduc: Solution) -> None:
    tables = Tables(leduc.rules, 4_000, seed=5)
    rows = np.arange(4_000)
    agent = leduc.agent(seed=1)
    moves, probabilities = agent.probabilities(tables.records, leduc.rules, rows)
    played = agent.act(tables.records, leduc.rules, rows)
    for move in np.unique(moves):
        expected = (probabilities * (moves == move)).sum() / len(rows)
        assert (played == move).mean() == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("name", ["leduc", "leduc, raked", "two cards and a flop", "high and low"])
def test_a_file_keeps_it(name: str, tmp_path: Path) -> None:
    solution = solve(GAMES[name], iterations=20)
    solution.save(tmp_path / "mine.solution")
    again = load_solution(tmp_path / "mine.solution")
    assert np.array_equal(again.numbers.values, solution.numbers.values)
    assert np.array_equal(again.values, solution.values)
    for field in ("rules", "sizes", "algorithm", "iterations", "exploitability", "seconds", "trace"):
        assert getattr(again, field) == getattr(solution, field)
    agent = make_agent(tmp_path / "mine.solution", seed=3)
    assert exploitability(agent, GAMES[name]) == pytest.approx(solution.exploitability, abs=1e-9)
    assert make_agent(config_of(agent)).name == agent.name


def test_a_file_keeps_bet_sizes(tmp_path: Path) -> None:
    rules = Rules.preset("leduc", structure="no_limit", small_bet=None, big_bet=None, stacks=8)
    solution = solve(rules, sizes="pot | all-in", iterations=5)
    solution.save(tmp_path / "mine.solution")
    assert load_solution(tmp_path / "mine.solution").sizes == solution.sizes


def test_bad_files(tmp_path: Path, leduc: Solution) -> None:
    assert re.search(r"end in \.solution", complaint(leduc.save, tmp_path / "mine.npz"))
    path = tmp_path / "mine.solution"
    complaint(load_solution, path, kind=FileNotFoundError)
    path.write_bytes(b"something else")
    mentions(complaint(load_solution, path), "mine.solution: must be a solution")
    leduc.save(path)
    content = bytearray(path.read_bytes())
    for place in (20, 45, 60, len(content) // 2, len(content) - 1):
        damaged = content.copy()
        damaged[place] ^= 1
        path.write_bytes(damaged)
        mentions(complaint(load_solution, path), "mine.solution: must be a solution")
    path.write_bytes(content[:100])
    mentions(complaint(load_solution, path), "mine.solution: must be a solution")


def test_a_game_that_does_not_fit_is_not_loaded(tmp_path: Path, leduc: Solution) -> None:
    leduc.save(tmp_path / "mine.solution")
    mentions(complaint(load_solution, tmp_path / "mine.solution", most_memory=1_000), "most_memory")


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "pcfr+"])
def test_a_resumed_solution_is_that_of_one_go(tmp_path: Path, algorithm: str) -> None:
    whole = solve("leduc", algorithm, iterations=12, accuracy=None)
    stopped = solve("leduc", algorithm, iterations=1_000, accuracy=None, stop=iter([0, 1]).__next__)
    stopped.save(tmp_path / "stopped.solution")
    left = 12 - stopped.iterations
    for resume in (tmp_path / "stopped.solution", stopped):
        resumed = solve("leduc", resume=resume, iterations=left, accuracy=None)
        assert (resumed.algorithm, resumed.iterations, resumed.solver) == (algorithm, 12, None)
        np.testing.assert_array_equal(resumed.numbers.values, whole.numbers.values)
    again = solve(resume=stopped, iterations=left, accuracy=None)  # what is in memory stays as it is
    np.testing.assert_array_equal(again.numbers.values, whole.numbers.values)
    mentions(complaint(solve, "kuhn", resume=tmp_path / "stopped.solution"), "rules", "resume")
    mentions(complaint(solve, resume=resumed), "came to its end")


def test_regrets_in_a_file_are_finite(tmp_path: Path) -> None:
    stopped = solve("leduc", iterations=1_000, accuracy=None, stop=iter([0, 1]).__next__)
    assert stopped.solver is not None
    for name, numbers in stopped.solver.state().items():
        kept = numbers[:1].copy()
        numbers[:1] = np.nan
        stopped.save(tmp_path / "stopped.solution")
        numbers[:1] = kept
        if numbers.size:
            mentions(complaint(load_solution, tmp_path / "stopped.solution"), "finite", name)


def test_another_game_is_refused(leduc: Solution) -> None:
    mentions(complaint(exploitability, leduc.agent(), Rules.preset("leduc", ante=2)), 1, 2)
    mentions(complaint(leduc.agent().config), "save the solution first")
