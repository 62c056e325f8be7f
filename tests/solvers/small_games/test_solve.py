"""Small games solved: known values, all algorithms, what others say of the same strategies, and how large games are."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from differential.small_games import exploitability_by_openspiel, value_by_openspiel
from holdem_env import Rules, Table
from holdem_env.arena import best_response_values, exact_value, exploitability
from holdem_env.solvers import game_size, solve
from holdem_env.solvers.public_game import PublicGame, size_of
from holdem_env.solvers.trees import BettingTree
from solvers.small_games.games import GAMES

KUHN, LEDUC = 1 / 18, 0.0856064  # what the button wins per hand; OpenSpiel's player 0 is the other player
ALGORITHMS = ("dcfr", "cfr+", "pcfr+")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("name", "value"), [("kuhn", KUHN), ("leduc", LEDUC)])
def test_every_algorithm_converges_to_the_known_value(algorithm: str, name: str, value: float) -> None:
    solution = solve(name, algorithm, accuracy=0.0005)
    assert solution.exploitability <= 0.0005
    assert solution.values.tolist() == pytest.approx([value, -value], abs=0.002)
    found = [point.exploitability for point in solution.trace]
    assert found[-1] < found[0] / 20


def test_leduc_to_a_ten_thousandth() -> None:
    solution = solve("leduc", accuracy=0.0001)
    assert solution.exploitability <= 0.0001
    assert solution.values[0] == pytest.approx(LEDUC, abs=0.0002)


@pytest.mark.fast_cases("kuhn")
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_openspiel_says_the_same(name: str) -> None:
    solution = solve(name, iterations=30)
    assert exploitability_by_openspiel(solution.agent(), name) == pytest.approx(solution.exploitability, abs=1e-9)


@pytest.mark.fast_cases("kuhn, five cards")
@pytest.mark.parametrize(
    ("name", "sizes", "iterations", "off"),
    [
        ("kuhn, five cards", {"raiseSize": "1", "maxRaises": "1", "numRanks": 5, "numSuits": 1}, 50, 0.005),
        ("leduc, three suits", {"raiseSize": "2 4", "maxRaises": "2 2", "numRanks": 3, "numSuits": 3}, 100, 0.03),
    ],
)
def test_openspiel_solves_a_game_of_ones_own_to_the_same_value(name, sizes, iterations, off) -> None:
    value, gain = value_by_openspiel(GAMES[name], sizes, iterations)
    assert gain < off
    assert solve(GAMES[name]).values[1] == pytest.approx(value, abs=2 * gain + 0.002)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("name", GAMES)
def test_the_arena_says_the_same(name: str) -> None:
    rules = GAMES[name]
    solution = solve(rules, iterations=40, accuracy=0)
    agent = solution.agent()
    assert exploitability(agent, rules) == pytest.approx(solution.exploitability, abs=1e-9)
    assert exact_value(agent, agent, rules) == pytest.approx(sum(solution.values) / 2, abs=1e-9)
    assert exploitability("random", rules) > solution.exploitability


def test_an_equilibrium_of_kuhns_poker() -> None:
    """The known solutions: a queen off the button never bets, calls a third more often than a jack bets there, ..."""
    solution = solve("kuhn", accuracy=1e-5)
    on_button, off_button = best_response_values(solution.agent(), "kuhn")
    assert (on_button, off_button) == (pytest.approx(KUHN, abs=1e-4), pytest.approx(-KUHN, abs=1e-4))
    lines = solution.table().splitlines()
    jack, queen, king = (line for line in lines if line.startswith("other   first"))
    assert "bet 1 0.000" in queen
    assert float(king.split()[-1]) == pytest.approx(3 * float(jack.split()[-1]), abs=0.02)


def test_with_bet_sizes_fewer_moves_are_solved() -> None:
    rules = Rules.preset("leduc", structure="no_limit", small_bet=None, big_bet=None, stacks=20)
    solution = solve(rules, sizes="pot, all-in", accuracy=0.02)
    assert solution.exploitability <= 0.02
    assert len(solution.game.tree.kind) < 2_000
    assert solution.sizes is not None
    table = Table(rules, button=0)
    table.check_call()
    assert solution.agent().move(table) in (0, 2, 19)  # check, pot, all-in
    table.play(1)
    with pytest.raises(ValueError, match="does not know; its bet sizes are BetSizes"):
        solution.agent().move(table)


def test_limits_of_time_and_iterations() -> None:
    assert solve("leduc", iterations=7, accuracy=0).iterations == 7
    quick = solve("leduc", seconds=0.05, accuracy=0, iterations=10**8)
    assert 1 <= quick.iterations < 10**8
    assert [point.iterations for point in quick.trace] == sorted({point.iterations for point in quick.trace})


def test_the_gain_of_a_best_response_is_counted_from_what_is_won_anyway() -> None:
    solution = solve(GAMES["leduc, raked"], accuracy=0.05)
    assert sum(solution.values) < -1
    assert solution.exploitability <= 0.05


@pytest.mark.parametrize(
    ("rules", "changes", "words"),
    [
        ("kuhn", {"algorithm": "cfr"}, r"algorithm: there is no 'cfr'"),
        ("kuhn", {"accuracy": -1}, "`accuracy` must be 0 or more, in chips, got -1"),
        ("kuhn", {"iterations": 0}, "`iterations` must be a whole number of at least 1, got 0"),
        ("kuhn", {"seconds": 0}, "`seconds` must be above 0, got 0"),
        ({"preset": "kuhn", "seats": 3, "deck": "TsJsQsKs"}, {}, "seats; these rules have 3|rules have 3"),
        ({"preset": "kuhn", "stacks": (5, 6)}, {}, "both stacks must be alike"),
        ("heads-up-limit", {}, r"15,703,228,336,848 information sets, .* 299.1 TiB in 32 bits, 76,570.\d times"),
        ("heads-up-no-limit", {}, "more than the 1,000,000 nodes allowed; give bet sizes"),
        ("heads-up-no-limit", {"sizes": "pot, all-in"}, r"TiB in 32 bits, [\d,.]+ times most_memory"),
        ("flop-holdem", {"most_memory": 2**30}, r"take 2\.9 GiB in 32 bits, 2\.9 times most_memory, 1\.0 GiB"),
        ({"preset": "kuhn", "structure": "no_limit", "small_bet": None, "stacks": 100}, {}, "give bet sizes"),
        ("leduc", {"session": {}}, "single hands"),
    ],
)
def test_bad_input(rules: object, changes: dict, words: str) -> None:
    if "session" in changes:
        rules, changes = Rules.preset("leduc", session={}), {}
    with pytest.raises(ValueError, match=words):
        solve(rules, **changes)


@pytest.mark.parametrize(("name", "count"), [("kuhn", 12), ("leduc", 6 * 6 + 30 * 3 * 5)])
def test_information_sets(name, count):
    size = game_size(name)
    assert size.information_sets == count
    assert str(size).startswith(f"{count} information sets")


def test_as_many_as_openspiel_counts_where_suits_are_different():
    leduc = Rules.preset("leduc")
    assert size_of(BettingTree.from_rules(leduc, "every"), leduc, isomorphic=False).information_sets == 936


@pytest.mark.parametrize("name", GAMES)
def test_what_is_counted_is_there(name):
    rules = GAMES[name]
    tree = BettingTree.from_rules(rules, "every")
    game, size = PublicGame(tree, rules, kind=np.float64), size_of(tree, rules, kind=np.float64)
    assert sum(len(game.information_sets(player)[0]) for player in range(2)) == size.information_sets
    assert game.boards.first[-1] == sum(size.boards)
    assert game.entries == size.numbers


def test_solving_takes_the_memory_that_is_told():
    rules = Rules.preset("leduc-nolimit", stacks=18)
    solve(rules, iterations=1)  # compiled code is memory, too
    tracemalloc.start()
    try:
        solve(rules, iterations=1)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 1.3 * game_size(rules).memory  # which leaves out the betting tree
