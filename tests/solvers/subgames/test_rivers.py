"""Rivers: games with known solutions, and a best response that was written apart."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from holdem_env import Range, Rules
from holdem_env.cards.combos import COMBO_OF, COMBOS
from holdem_env.solvers.bar import EMPTY, FULL, WIDTH, Bar
from holdem_env.solvers.subgames import solve_subgame
from solvers.subgames.plain_response import PlainResponse, plain_exploitability

BOARD = "KsKd7h3c2s"
VALUE, CATCHERS, AIR = "AA", "QQ", "65"


def combos(text: str) -> np.ndarray:
    cards = Range(text).cards
    return COMBO_OF[cards[:, 0], cards[:, 1]]


@pytest.mark.parametrize("percent", [50, 100, 200])
def test_a_polarized_range_bluffs_and_is_called_as_often_as_it_should(percent: int) -> None:
    """With a bet of b pots: b / (1 + b) bluffs for each value bet, and 1 / (1 + b) calls."""
    pot, b = 100, percent / 100
    solution = solve_subgame(BOARD, [CATCHERS, f"{VALUE}, {AIR}"], pot, pot * percent // 100, sizes="a", accuracy=0.005)
    bet = solution.moves().index(f"bet {pot * percent // 100}")
    betting = solution.strategy()[:, bet]
    assert betting[combos(VALUE)].min() > 0.98
    assert betting[combos(AIR)].sum() / betting[combos(VALUE)].sum() == pytest.approx(b / (1 + b), abs=0.01)
    calls = solution.frequencies(f"bet {pot * percent // 100}")["call"]
    assert calls == pytest.approx(1 / (1 + b), abs=0.01)
    # Value hands win the pot and, as often as they are called, the bet; air wins as much as it does by giving up.
    ev = solution.ev[1]
    assert ev[combos(VALUE)] == pytest.approx(pot * (1 + b / (1 + b)), abs=1)
    assert ev[combos(AIR)] == pytest.approx(0, abs=1)
    assert solution.equity[1][combos(VALUE)] == pytest.approx(1)
    assert solution.equity[1][combos(AIR)] == pytest.approx(0)


def test_a_player_without_bets_checks_to_one_who_has_them() -> None:
    """The polarized range in position, against catchers that neither bet nor raise: a bluff for two value bets."""
    sizes = {"ip": "pot | none", "oop": "none"}
    solution = solve_subgame(BOARD, [f"{VALUE}, {AIR}", CATCHERS], 100, 400, sizes, accuracy=0.005)
    assert [solution.moves(), solution.moves("check")] == [["check"], ["check", "bet 100"]]
    assert solution.moves("check, bet 100") == ["fold", "call"]
    betting = solution.strategy("check")[:, 1]
    assert betting[combos(AIR)].sum() / betting[combos(VALUE)].sum() == pytest.approx(0.5, abs=0.01)
    assert solution.frequencies("check, bet 100")["call"] == pytest.approx(0.5, abs=0.01)
    assert solution.ev[0][combos(VALUE)] == pytest.approx(150, abs=1)


RANGES = ["77:0.5, K9s, AQo:0.3, 65s, QJs", "KQ, A9s, 88, 54s:0.7, AK"]


@pytest.mark.parametrize("rules", [None, Rules(seats=2, blinds=(1, 2), rake={"percent": 5, "cap": 20})])
def test_the_exploitability_is_that_of_a_plain_best_response(rules: Rules | None) -> None:
    solution = solve_subgame(
        "Ks7h2d3c9s", RANGES, 90, (200, 170), "50%, 100% | a", rules=rules, accuracy=None, iterations=30
    )
    assert solution.exploitability == pytest.approx(plain_exploitability(solution), rel=1e-3)
    halves = np.array([45, 45])
    played = [PlainResponse(solution, player, best=False).gain() for player in (0, 1)]
    assert solution.values == pytest.approx(np.array(played) + halves, abs=0.02)
    assert solution.shares.sum() == pytest.approx(1)
    if rules is None:
        assert solution.values.sum() == pytest.approx(90, abs=0.01)
    else:
        assert 80 < solution.values.sum() < 90


def test_ranges_as_weights_and_as_text_are_the_same_and_either_order_of_cards_will_do() -> None:
    weights = np.zeros(COMBOS)
    for text, weight in (("AhKh", 1.0), ("QcQd", 0.5)):
        weights[combos(text)] = weight
    options = {"pot": 10, "stacks": 20, "accuracy": None, "iterations": 10, "sizes": "a"}
    one = solve_subgame("Ks7h2d3c9s", ["KhAh, QdQc:0.5", "88, AJ"], **options)
    two = solve_subgame("Ks7h2d3c9s", [weights, "88, AJ"], **options)
    assert np.array_equal(one.strategy(), two.strategy())


def test_locked_decisions_stay_and_the_other_player_answers() -> None:
    """Against a player who bets all its hands, air too, bluff-catchers call; against one who never bluffs they fold."""
    options = {"pot": 100, "stacks": 100, "sizes": "a", "accuracy": 0.01}
    ranges = [CATCHERS, f"{VALUE}, {AIR}"]
    wild = solve_subgame(BOARD, ranges, locked={0: [0.0, 1.0]}, **options)
    assert wild.strategy()[combos(AIR)].tolist() == [[0.0, 1.0]] * 16
    assert wild.frequencies("bet 100")["call"] > 0.99
    honest = np.tile([1.0, 0.0], (COMBOS, 1))
    honest[combos(VALUE)] = [0.0, 1.0]
    tame = solve_subgame(BOARD, ranges, locked={0: honest, "check": [1.0, 0.0]}, **options)
    assert tame.frequencies("bet 100")["fold"] > 0.99
    assert tame.frequencies("check") == {"check": 1.0, "bet 100": 0.0}
    assert tame.strategy()[combos(VALUE)].tolist() == [[0.0, 1.0]] * 6


def test_a_menu_without_bets_is_a_lock_on_checking() -> None:
    options = {"pot": 100, "stacks": 150, "accuracy": 0.02}
    own = solve_subgame("Ks7h2d3c9s", RANGES, sizes={"ip": "none", "oop": "a"}, **options)
    locked = solve_subgame("Ks7h2d3c9s", RANGES, sizes="a", locked={"check": [1.0, 0.0]}, **options)
    assert own.moves("check") == ["check"]
    assert own.exploitability == pytest.approx(plain_exploitability(own), rel=1e-3, abs=1e-4)
    assert own.values == pytest.approx(locked.values, abs=0.05)


def test_it_stops_when_it_is_told_to() -> None:
    seen: list[int] = []
    options = {"pot": 100, "stacks": 300, "sizes": "50%, 100%, a | a"}
    solution = solve_subgame(
        "Ks7h2d3c9s", RANGES, **options, accuracy=0.3, progress=lambda done, percent: seen.append(done)
    )
    assert solution.exploitability_percent <= 0.3
    assert seen[-1] == solution.iterations
    assert seen == sorted(seen)
    assert solve_subgame("Ks7h2d3c9s", RANGES, **options, accuracy=None, iterations=7).iterations == 7
    # So many iterations that no machine runs them in that time.
    limited = solve_subgame("Ks7h2d3c9s", RANGES, **options, accuracy=1e-9, iterations=10**8, seconds=0.05)
    assert 1 <= limited.iterations < 10**8


def test_fixed_limit_has_its_one_raise() -> None:
    rules = Rules(seats=2, structure="fixed_limit", blinds=(5, 10))
    solution = solve_subgame("Ks7h2d3c9s", RANGES, 60, 200, rules=rules, accuracy=0.5)
    assert solution.moves() == ["check", "bet 20"]
    assert solution.exploitability == pytest.approx(plain_exploitability(solution), rel=2e-3, abs=1e-3)


RIVER = {"board": "Ks7h2d3c9s", "ranges": ["77, KQ", "KJ, 88"], "pot": 100, "stacks": 100}


@pytest.mark.parametrize("progress", [False, None])
def test_nothing_shows_nothing(progress: bool | None, capsys: pytest.CaptureFixture[str]) -> None:
    solve_subgame(**RIVER, progress=progress)
    assert capsys.readouterr().err == ""


BARS = [((0.5, None, None), 40, nan, 15), ((0.5, None, None), 40, 4.0, 8), ((0.5, None, None), 40, 0.4, 30)]
BARS += [((None, 100, None), 50, nan, 15), ((None, None, None), 50, nan, 0)]


@pytest.mark.parametrize(("limits", "iterations", "percent", "full"), BARS)
def test_how_full_it_is(limits, iterations, percent, full, capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar(*limits)
    bar(iterations, percent)
    assert capsys.readouterr().err.count(FULL) == full
    bar(iterations, nan)  # it never goes back
    shown = capsys.readouterr().err
    assert shown.count(FULL) >= full
    assert shown.count(FULL) + shown.count(EMPTY) == WIDTH
