"""A small game's solution, asked at any place: reach, EV, the EV of moves, equity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env.arena import exact_value
from holdem_env.cards.text import cards_text, parse_cards
from holdem_env.solvers import Solution, load_solution, solve
from holdem_env.solvers.trees.walking import DECISION, FOLDED
from solvers.small_games.games import GAMES


def boards_of(solution: Solution, node: int) -> list[list[int]]:
    """The cards dealt before a node, on each of its boards."""
    return [solution.game.boards.lying(board) for board in solution.game.boards_at(node)]


@pytest.mark.parametrize(
    "name", ["kuhn, five cards", "leduc", "leduc, raked", "two cards and a flop", "high and low", "open flop"]
)
def test_the_ev_of_a_place_is_the_mean_of_its_moves_and_of_the_root_the_values(name: str) -> None:
    solution = solve(GAMES[name], iterations=30)
    weights = solution.game.opponent_weights(solution.ranges) * solution.ranges
    means = np.nansum(solution.ev * weights, axis=1) / np.where(np.isnan(solution.ev), 0, weights).sum(axis=1)
    assert means == pytest.approx(solution.values, abs=1e-9)
    if not solution.game.before_root:  # nothing is dealt before anybody acts
        np.testing.assert_allclose(solution.ev_at(0), solution.ev, atol=1e-9)
        np.testing.assert_allclose(solution.equity_at(0), solution.equity, atol=1e-9)
    for node in np.flatnonzero(solution.tree.kind == DECISION)[::3].tolist():
        for dealt in boards_of(solution, node)[:2]:
            ev, moves = solution.ev_at(node, dealt)[solution.tree.player[node]], solution.move_ev(node, dealt)
            mean = (moves * solution.strategy(node, dealt)).sum(axis=1)
            known = np.isfinite(ev)
            assert known.any()
            np.testing.assert_allclose(mean[known], ev[known], atol=1e-7)


def brute_force(solution: Solution, node: int, hands: tuple[int, int]) -> np.ndarray:
    """What both players win from a node of a game without a board with these hands, (2,), net of the whole hand."""
    tree = solution.tree
    if tree.kind[node] == DECISION:
        first, likely = int(tree.first_child[node]), solution.strategy(node)[hands[tree.player[node]]]
        return sum(p * brute_force(solution, first + k, hands) for k, p in enumerate(likely))
    ranks = [int(solution.hands[hand][0]) // 4 for hand in hands]
    outcome = 0 if tree.kind[node] == FOLDED or ranks[0] > ranks[1] else 1
    return tree.payoff[node][outcome]


def test_kuhn_is_what_counting_all_deals_says() -> None:
    solution = solve("kuhn", iterations=40)
    tree, count = solution.tree, len(solution.hands)
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        player, reach = int(tree.player[node]), solution.reach(node)
        for hand in range(count):
            others = [other for other in range(count) if other != hand]
            weights = np.array([reach[1 - player, other] for other in others])
            pairs = [(hand, other) if player == 0 else (other, hand) for other in others]
            net = np.array([brute_force(solution, node, pair)[player] for pair in pairs]) @ weights / weights.sum()
            put_in = tree.put_in[node, player] - tree.put_in[0, player]
            assert solution.ev_at(node)[player, hand] == pytest.approx(net + put_in, abs=1e-9)


def test_places_of_leduc_have_names_and_boards_as_they_lie() -> None:
    solution = solve("leduc", accuracy=0.01)
    assert solution.moves("check, check, Js") == ["check", "bet 4"]
    jacks = [hand for hand, cards in enumerate(solution.hands) if cards_text(cards)[0] == "J"]
    paired, dealt = solution.equity_at("check, check", "Jh"), parse_cards("Jh")
    [jack] = [hand for hand in jacks if cards_text(solution.hands[hand]) != "Jh"]
    assert paired[0, jack] == 1
    assert np.isnan(paired[0, [hand for hand in jacks if hand != jack]]).all()
    same = solution.strategy("check, check", dealt), solution.strategy("check, check, Jh")
    np.testing.assert_array_equal(*same)
    mentions(complaint(solution.strategy, "check, check"), 1)
    mentions(complaint(solution.strategy, "check, check", "As"), "is no card")
    mentions(complaint(solution.chart), "Texas hold'em")


def test_held_strategies_progress_and_an_early_end() -> None:
    seen: list[tuple[int, float]] = []
    bluffs = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    locked = solve("kuhn", locked={0: bluffs}, progress=lambda *at: seen.append(at), accuracy=1e-4)
    np.testing.assert_array_equal(locked.strategy(0), bluffs)
    assert locked.locked == [0]
    assert seen[-1][1] == pytest.approx(locked.exploitability)
    assert solve("leduc", stop=lambda: True, accuracy=None).iterations == 0
    one, two = (solve("leduc", iterations=20, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.numbers.values, two.numbers.values)


def test_a_best_response_wins_what_the_exploitability_says() -> None:
    solution = solve("leduc", iterations=20)
    best, agent = solution.best_response().agent(), solution.agent()
    rules = solution.rules
    gain = exact_value(best, agent, rules) - exact_value(agent, agent, rules)
    assert gain == pytest.approx(solution.exploitability, abs=1e-9)


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "pcfr+"])
def test_what_is_locked_stays_whatever_solves_and_wherever_it_is_kept(algorithm: str, tmp_path: Path) -> None:
    rules = GAMES["leduc"]
    held = {"check": [0.25, 0.75]}
    solution = solve(rules, algorithm, locked=held, accuracy=0.01)
    np.testing.assert_allclose(solution.strategy("check"), np.tile(held["check"], (6, 1)), atol=1e-12)
    assert solution.exploitability <= 0.01
    solution.save(tmp_path / "held.solution")
    again = load_solution(tmp_path / "held.solution")
    assert again.locked == solution.locked
    np.testing.assert_array_equal(again.strategy("check, bet 2"), solution.strategy("check, bet 2"))
    for each in (solution, again):
        best = each.best_response()
        np.testing.assert_allclose(best.strategy("check"), solution.strategy("check"), atol=1e-12)
        assert np.isfinite(best.values).all()


def test_fewer_bits_are_a_little_less_exact() -> None:
    found = {bits: solve("leduc", bits=bits, iterations=400).exploitability for bits in (16, 32, 64)}
    assert found[32] == pytest.approx(found[64], abs=0.0005)
    assert found[16] < 0.05
    mentions(complaint(solve, "leduc", "pcfr+", bits=16), 16, "pcfr+")
    mentions(complaint(solve, "leduc", bits=8), 8)


def test_tables_name_places_that_are_found() -> None:
    pytest.importorskip("pandas")
    solution = solve("leduc", iterations=5)
    for moves in set(solution.to_frame()["moves"]):
        assert solution.moves(moves)


def test_one_that_never_began_is_kept(tmp_path: Path) -> None:
    solution = solve("kuhn", stop=lambda: True, accuracy=None)
    solution.save(tmp_path / "none.solution")
    assert load_solution(tmp_path / "none.solution").iterations == 0


@pytest.mark.parametrize("bits", [32, 64])
def test_a_loaded_solution_is_asked_in_its_own_precision(tmp_path: Path, bits: int) -> None:
    solution = solve("leduc", iterations=50, bits=bits)
    solution.save(tmp_path / "one.solution")
    again = load_solution(tmp_path / "one.solution")
    assert again.ev.dtype == solution.ev.dtype
    np.testing.assert_array_equal(again.ev, solution.ev)
